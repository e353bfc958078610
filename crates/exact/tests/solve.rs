//! The one call against the enumeration of all orders, on small random problems.
#![allow(clippy::unwrap_used)]

mod worlds;

use proptest::prelude::*;
use stakes_exact::exhaustive::exhaustive;
use stakes_exact::{Ended, Flow, Method, Options, Outcome, Problem, Rules, solve};
use worlds::{problem, rules};

fn solved(problem: &Problem, rules: &Rules, method: Method) -> Outcome {
    let options = Options { method, seconds: None, ..Options::default() };
    solve(problem, rules, &options, &mut |_| Flow::GoOn).unwrap()
}

fn check(problem: &Problem, rules: &Rules, method: Method) -> Result<(), TestCaseError> {
    let (_, best) = exhaustive(problem, rules).unwrap();
    let found = solved(problem, rules, method);
    prop_assert!(rules.allow(&found.weights), "{:?}", found.weights);
    let value = problem.value(&found.weights) - rules.cost(&found.weights);
    prop_assert_eq!(found.value, value);
    prop_assert!(found.bound >= best - 1e-9, "bound {} below {best}", found.bound);
    if found.ended == Ended::Proven {
        prop_assert!((found.value - best).abs() < 1e-7, "{} is not {best}", found.value);
        prop_assert!(found.gap() < 1e-6);
    }
    // Points are beyond cones: they bound all weights, whole or not.
    prop_assert!(found.ended == Ended::Proven || rules.points.is_some());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn cones_find_and_prove_the_best(problem in problem(9)) {
        check(&problem, &Rules::default(), Method::Cones)?;
    }

    #[test]
    fn ties_and_duplicates_count_against_the_order(problem in problem(2)) {
        check(&problem, &Rules::default(), Method::Cones)?;
    }

    #[test]
    fn every_method_obeys_the_rules((problem, rules) in problem(4).prop_flat_map(|problem| {
        let rules = rules(problem.width());
        (Just(problem), rules)
    })) {
        check(&problem, &rules, Method::Cones)?;
        check(&problem, &rules, Method::Auto)?;
    }
}
