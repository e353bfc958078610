//! Programs against the enumeration of all orders, on small random problems.

use proptest::prelude::*;
use stakes_exact::exhaustive::{directions, exhaustive};
use stakes_exact::program::{build, solve_program, valid_formulation};
use stakes_exact::solver::{Limits, Solver, solvers};
use stakes_exact::{Ended, Flow, Formulation, Problem, Rules, Sum, Ties};

use crate::problems::{problem, rules};

const MARGIN: f64 = 1e-4;
const LIMITS: Limits = Limits { seconds: None, nodes: None, gap: 0.0, threads: 1 };
const ALL: [Formulation; 3] =
    [Formulation::Subrank, Formulation::ResolvedRank, Formulation::Levels];

/// The best solver of this build.
fn solver() -> &'static dyn Solver {
    solvers()[0]
}

fn check(problem: &Problem, rules: &Rules, formulation: Formulation) -> Result<(), TestCaseError> {
    let (weights, best) = exhaustive(problem, rules).unwrap();
    let found =
        solve_program(problem, rules, formulation, MARGIN, solver(), None, &LIMITS, &mut |_| {
            Flow::Continue
        });
    let found = found.unwrap();
    prop_assert!(rules.allow(&found.weights), "{:?}", found.weights);
    let again = problem.value(&found.weights) - rules.cost(&found.weights);
    prop_assert_eq!(found.value, again);
    prop_assert!(found.bound >= best - 1e-6, "bound {} of {best}", found.bound);
    prop_assert!((found.value - best).abs() < 1e-9, "{} for {best} of {weights:?}", found.value);
    prop_assert_eq!(found.ended, Ended::Proven);
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    /// All three programs find the best order, with and without ties and duplicates.
    #[test]
    fn free_weights(problem in problem(6), form in 0_usize..3) {
        check(&problem, &Rules::default(), ALL[form])?;
    }

    #[test]
    fn with_rules(
        (problem, rules) in problem(6).prop_flat_map(|p| { let w = p.width(); (Just(p), rules(w)) }),
        form in 0_usize..3,
    ) {
        check(&problem, &rules, ALL[form])?;
    }

    /// Many duplicates: the optimum of the Subrank program is that with Subrank's ties, that of the others with
    /// resolved ties.
    #[test]
    fn duplicates(problem in problem(1)) {
        let points = directions(&problem);
        let best = |ties: Ties| points.iter().map(|weights| {
            problem.value_of_scores(&problem.scores(weights), ties)
        }).fold(f64::NEG_INFINITY, f64::max);
        for form in ALL {
            let built = build(&problem, &Rules::default(), MARGIN, form);
            let solved =
                solver().maximise(built.program(), None, &LIMITS, &mut |_| Flow::Continue).unwrap();
            let best = best(if form == Formulation::Subrank { Ties::Subrank } else { Ties::Resolved });
            prop_assert!((solved.objective - best).abs() < 1e-6, "{form:?} {} {best}", solved.objective);
        }
    }

    /// The objective of weights completed to a solution is their value, and they are read back.
    #[test]
    fn starts(
        (problem, rules) in problem(6).prop_flat_map(|p| { let w = p.width(); (Just(p), rules(w)) }),
        form in 0_usize..3,
    ) {
        let form = valid_formulation(&problem, &rules, ALL[form]);
        let built = build(&problem, &rules, MARGIN, form);
        let (weights, best) = exhaustive(&problem, &rules).unwrap();
        let values = built.start(&problem, &weights).unwrap();
        prop_assert!(built.program().admits(&values, 1e-9));
        let ties = if form == Formulation::Subrank { Ties::Subrank } else { Ties::Resolved };
        let value = problem.value_of_scores(&problem.scores(&weights), ties) - rules.cost(&weights);
        prop_assert!((built.program().objective(&values) - value).abs() < 1e-9);
        let again = built.weights(&values);
        prop_assert!((problem.value(&again) - rules.cost(&again) - best).abs() < 1e-9);
    }
}

#[test]
fn subrank_is_replaced_where_ties_are_unavoidable() {
    let sum = Sum { gains: vec![1.0, 0.0], discounts: vec![vec![1.0]], constant: 0.0 };
    let apart = Problem::new(1, vec![0, 2], vec![0.0, 1.0], sum.clone()).unwrap();
    let same = Problem::new(1, vec![0, 2], vec![1.0, 1.0], sum).unwrap();
    let (free, few) = (Rules::default(), Rules { at_most: Some(1), ..Rules::default() });
    let subrank = Formulation::Subrank;
    assert_eq!(valid_formulation(&apart, &free, subrank), subrank);
    assert_eq!(valid_formulation(&apart, &few, subrank), Formulation::ResolvedRank);
    assert_eq!(valid_formulation(&same, &free, subrank), Formulation::ResolvedRank);
}

proptest! {
    /// Rudin and Wang 2018, lemma 1: Subrank's value is at most ResolvedRank's, and the same without ties.
    #[test]
    fn subrank_is_never_worth_more(problem in problem(3), at in any::<prop::sample::Index>()) {
        let points = directions(&problem);
        let scores = problem.scores(&points[at.index(points.len())]);
        let [subrank, resolved] =
            [Ties::Subrank, Ties::Resolved].map(|ties| problem.value_of_scores(&scores, ties));
        prop_assert!(subrank <= resolved + 1e-12);
        let list = |list: usize| &scores[problem.list(list)];
        let ties = |list: &[f64]| (1..list.len()).any(|i| list[..i].contains(&list[i]));
        if !(0..problem.lists()).any(|number| ties(list(number))) {
            prop_assert_eq!(subrank, resolved);
        }
    }
}

/// Rudin and Wang 2018, lemma 2 and theorem 2 do not hold with a price on weights: two items may differ only
/// in features that are not used. The optimum by Subrank is then not one by ResolvedRank, which is solved
/// instead.
#[test]
fn subrank_has_another_optimum_where_weights_have_a_price() {
    // Two positives (1, 0) and (1, 1), a negative (0, 1/2); DCG.
    let log3 = 1.0 / 3f64.log2();
    let sum =
        Sum { gains: vec![1.0, 1.0, 0.0], discounts: vec![vec![1.0, log3, 0.5]], constant: 0.0 };
    let rows = vec![1.0, 0.0, 1.0, 1.0, 0.0, 0.5];
    let problem = Problem::new(2, vec![0, 3], rows, sum).unwrap();
    let rules = Rules { penalty: 0.2, ..Rules::default() };
    let value = |weights: [f64; 2], ties: Ties| {
        problem.value_of_scores(&problem.scores(&weights), ties) - rules.cost(&weights)
    };
    for (weights, subrank, resolved) in [
        ([1.0, 0.0], 1.0619, 1.4309),
        ([0.0, 1.0], 1.3, 1.3),
        ([0.0, -1.0], 1.3, 1.3),
        ([1.0, 0.1], 1.2309, 1.2309),
        ([1.0, -0.1], 1.2309, 1.2309),
        ([0.0, 0.0], 1.0, 1.1309),
    ] {
        assert!((value(weights, Ties::Subrank) - subrank).abs() < 5e-5, "{weights:?}");
        assert!((value(weights, Ties::Resolved) - resolved).abs() < 5e-5, "{weights:?}");
    }
    let best = |ties: Ties| {
        let all =
            directions(&problem).into_iter().flat_map(|w| [[w[0], w[1]], [w[0], 0.0], [0.0, w[1]]]);
        all.map(|weights| value(weights, ties)).fold(f64::NEG_INFINITY, f64::max)
    };
    assert!((best(Ties::Subrank) - 1.3).abs() < 1e-12);
    assert!((best(Ties::Resolved) - 1.430_929_753).abs() < 1e-9);
    assert_eq!(
        valid_formulation(&problem, &rules, Formulation::Subrank),
        Formulation::ResolvedRank
    );
    check(&problem, &rules, Formulation::Subrank).unwrap();
}

#[test]
fn constant_features_order_nothing() {
    let sum = Sum { gains: vec![1.25, 0.0], discounts: vec![vec![1.0]], constant: 0.5 };
    let same = Problem::new(1, vec![0, 2], vec![6.0, 6.0], sum).unwrap();
    for form in ALL {
        for points in [None, Some(1)] {
            check(&same, &Rules { points, ..Rules::default() }, form).unwrap();
        }
    }
}

proptest! {
    /// Fixing the columns that better weights cannot change keeps the best weights, from any start.
    #[test]
    fn from_a_start(
        (problem, rules) in problem(6).prop_flat_map(|p| { let w = p.width(); (Just(p), rules(w)) }),
        form in 0_usize..3,
        at in any::<prop::sample::Index>(),
    ) {
        let (weights, best) = exhaustive(&problem, &rules).unwrap();
        let mut built = build(&problem, &rules, MARGIN, valid_formulation(&problem, &rules, Formulation::Levels));
        built.fix_columns(best);
        prop_assert!(built.start(&problem, &weights).is_some());
        let starts = directions(&problem);
        let start = at.get(&starts);
        let mut reported = f64::NEG_INFINITY;
        let mut watch = |progress: &stakes_exact::Progress| {
            reported = reported.max(progress.incumbent);
            Flow::Continue
        };
        let form = ALL[form];
        let found =
            solve_program(&problem, &rules, form, MARGIN, solver(), Some(start), &LIMITS, &mut watch);
        let found = found.unwrap();
        prop_assert!((found.value - best).abs() < 1e-9, "{} for {best}", found.value);
        prop_assert!(reported <= best + 1e-6, "{reported} reported for {best}");
        prop_assert_eq!(found.ended, Ended::Proven);
    }
}

/// A stopped search returns the best weights so far, with a valid bound.
#[test]
fn stopped() {
    let rows: Vec<f64> = (0..60).map(|at| f64::from(at * 7919 % 101)).collect();
    let gains = (0..20).map(|at| f64::from(at * 31 % 7 % 2)).collect();
    let discounts = vec![(1..=20).map(|rank| 1.0 / f64::from(rank)).collect()];
    let sum = Sum { gains, discounts, constant: 0.0 };
    let problem = Problem::new(3, vec![0, 20], rows, sum).unwrap();
    let rules = Rules::default();
    let (form, start) = (Formulation::Levels, [1.0, 1.0, 1.0]);
    let found =
        solve_program(&problem, &rules, form, MARGIN, solver(), Some(&start), &LIMITS, &mut |_| {
            Flow::Stop
        })
        .unwrap();
    assert_eq!(found.ended, Ended::Interrupted);
    assert!(found.value >= problem.value(&start));
    let best =
        directions(&problem).iter().map(|weights| problem.value(weights)).fold(0.0, f64::max);
    assert!(found.bound >= best && best >= found.value);
}
