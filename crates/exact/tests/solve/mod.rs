//! `solve` against the enumeration of all orders, on small random problems.

use proptest::prelude::*;
use stakes_exact::exhaustive::exhaustive;
use stakes_exact::{
    Ended, Flow, Formulation, Method, Options, Outcome, Problem, Rules, Sum, solve,
};

use crate::problems::{discounts, problem, rules};

fn solved(problem: &Problem, rules: &Rules, method: Method) -> Outcome {
    let options = Options { method, seconds: None, ..Options::default() };
    solve(problem, rules, &options, &mut |_| Flow::Continue).unwrap()
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
    // Cones bound real weights, so they cannot prove the optimum of integer points.
    prop_assert!(found.ended == Ended::Proven || rules.points.is_some());
    Ok(())
}

#[test]
fn little_memory_costs_time_but_not_the_proof() {
    // 14 items with 4 features: without memory for more than one cone, parts of cones are not kept.
    let draw = |at: u64| stakes_core::random::Stream::new(7, 7).unit(at);
    let rows: Vec<f64> = (0..56).map(draw).collect();
    let gains: Vec<f64> = (100..114).map(|at| f64::from(u8::from(draw(at) > 0.6))).collect();
    let sum = Sum { gains, discounts: vec![discounts(0, 14)], constant: 0.0 };
    let problem = Problem::new(4, vec![0, 14], rows, sum).unwrap();
    let with = |memory: usize| {
        let options = Options { memory, seconds: None, ..Options::default() };
        solve(&problem, &Rules::default(), &options, &mut |_| Flow::Continue).unwrap()
    };
    let (rich, poor) = (with(1 << 30), with(1));
    assert!(rich.value < problem.ideal() - 0.01, "the ideal order must not be linear");
    assert_eq!((rich.ended, poor.ended), (Ended::Proven, Ended::Proven));
    assert!((rich.value - poor.value).abs() < 1e-9);
    assert!(poor.nodes > rich.nodes, "{} and {}", poor.nodes, rich.nodes);
}

#[test]
fn limits_and_interruptions_leave_a_bound() {
    let draw = |at: u64| stakes_core::random::Stream::new(3, 3).unit(at);
    let rows: Vec<f64> = (0..240).map(draw).collect();
    let gains: Vec<f64> = (300..340).map(|at| f64::from(u8::from(draw(at) > 0.6))).collect();
    let sum = Sum { gains, discounts: vec![discounts(0, 40)], constant: 0.0 };
    let problem = Problem::new(6, vec![0, 40], rows, sum).unwrap();
    let limited = |options: &Options, flow: Flow| {
        solve(&problem, &Rules::default(), options, &mut |_| flow).unwrap()
    };
    let options = Options { seconds: None, nodes: Some(200), ..Options::default() };
    let first = limited(&options, Flow::Continue);
    assert_eq!(first.ended, Ended::Limit);
    assert!(first.value < first.bound && first.bound < problem.ideal());
    // With a limit of nodes the result is the same at any number of threads.
    let alone = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
    let second = alone.install(|| limited(&options, Flow::Continue));
    assert_eq!((&first.weights, first.bound), (&second.weights, second.bound));
    let stopped = limited(&Options::default(), Flow::Stop);
    assert_eq!(stopped.ended, Ended::Interrupted);
    assert!(stopped.bound >= first.value);
    let short = limited(&Options { seconds: Some(0.0), ..Options::default() }, Flow::Continue);
    assert_eq!(short.ended, Ended::Limit);
    assert!(short.bound >= first.value);
}

/// There are too many sets of 3 of 40 features to enumerate, but the weights found obey the rules.
#[test]
fn few_of_many_features() {
    let draws = stakes_core::random::Stream::new(2, 2);
    let rows: Vec<f64> = (0..60 * 40).map(|at| draws.unit(at)).collect();
    let gain = |item: usize| (9.0 * (rows[item * 40 + 7] - rows[item * 40 + 30])).max(0.0).round();
    let gains: Vec<f64> = (0..60).map(gain).collect();
    let sum = Sum { gains, discounts: vec![discounts(0, 60)], constant: 0.0 };
    let problem = Problem::new(40, vec![0, 60], rows, sum).unwrap();
    let rules = Rules { at_most: Some(3), ..Rules::default() };
    let options = Options { seconds: None, nodes: Some(3), ..Options::default() };
    let found = solve(&problem, &rules, &options, &mut |_| Flow::Continue).unwrap();
    assert!(rules.allow(&found.weights), "{:?}", found.weights);
    assert!(found.weights[7] > 0.0 && found.weights[30] < 0.0, "{:?}", found.weights);
    assert!(found.value > 0.95 * problem.ideal() && found.bound >= found.value);
}

/// More items than can be enumerated: two methods that share only the problem must agree.
#[test]
fn cones_and_programs_agree() {
    for world in 0..12 {
        let draws = stakes_core::random::Stream::new(11, world);
        let rows: Vec<f64> = (0..48).map(|at| draws.unit(at)).collect();
        let gain = |at: u64| match world % 2 {
            0 => f64::from(u8::from(draws.unit(at) > 0.6)),
            _ => (8.0 * draws.unit(at) * draws.unit(at + 50)).floor(),
        };
        let gains: Vec<f64> = (100..112).map(gain).collect();
        let discounts = vec![discounts(world as usize % 3, 12)];
        let sum = Sum { gains, discounts, constant: 0.0 };
        let problem = Problem::new(4, vec![0, 12], rows, sum).unwrap();
        let solver = stakes_exact::solver::solvers()[0].name();
        let program = Method::Program(Formulation::fitting(&problem), solver);
        let cones = solved(&problem, &Rules::default(), Method::Cones);
        let program = solved(&problem, &Rules::default(), program);
        assert_eq!((cones.ended, program.ended), (Ended::Proven, Ended::Proven), "{world}");
        assert!((cones.value - program.value).abs() < 1e-6, "{cones:?} {program:?}");
    }
}

#[test]
fn with_many_features_good_weights_are_found_if_not_proven() {
    let draws = stakes_core::random::Stream::new(5, 5);
    let rows: Vec<f64> = (0..100 * 70).map(|at| draws.unit(at)).collect();
    let gains: Vec<f64> =
        (9000..9100).map(|at| f64::from(u8::from(draws.unit(at) > 0.8))).collect();
    let sum = Sum { gains, discounts: vec![vec![1.0; 5]], constant: 0.0 };
    let problem = Problem::new(70, vec![0, 100], rows, sum).unwrap();
    // Five positives on top are soon found, and that is the ideal order: no cones are needed.
    assert_eq!(solved(&problem, &Rules::default(), Method::Auto).ended, Ended::Proven);
    let all = Sum { discounts: vec![discounts(0, 100)], ..problem.sum().clone() };
    let rows = (0..100).flat_map(|item| problem.row(item).to_vec()).map(|x| (3.0 * x).floor());
    let problem = Problem::new(70, vec![0, 100], rows.collect(), all).unwrap();
    let options = Options { seconds: Some(0.5), ..Options::default() };
    let hard = solve(&problem, &Rules::default(), &options, &mut |_| Flow::Continue).unwrap();
    assert!(hard.value > 0.8 * problem.ideal());
    assert!(hard.bound <= problem.ideal() + 1e-9);
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

#[test]
fn identical_items_that_come_back_are_in_order() {
    // Items 6 and 7 are the same, leave the first four along the line and come back.
    let rows = vec![4.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0, 4.0, 0.0, 0.0, 1.0, 1.0, 1.0, 1.0];
    let gains = vec![0.0, 1.25, 1.25, 0.0, 2.5, 3.75, 5.0, 1.25];
    let sum = Sum { gains, discounts: vec![vec![1.0, 1.0, 0.5, 0.5]], constant: 0.5 };
    let problem = Problem::new(2, vec![0, 8], rows, sum).unwrap();
    for method in [Method::Cones, Method::Auto] {
        check(&problem, &Rules::default(), method).unwrap();
    }
}
