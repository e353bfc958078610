//! Every solver of this build, on programs with known solutions, within limits, and against each other.

mod examples;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use proptest::prelude::*;
use stakes_exact::program::Program;
use stakes_exact::solver::{Limits, Solved, Solver, solver, solvers};
use stakes_exact::{Ended, Flow, Progress};

use examples::{
    FREE, assignment, brute_force, column, is_feasible, knapsack, market_split, objective, row,
};

const LIMITS: Limits = Limits { seconds: Some(60.0), nodes: None, gap: 0.0, threads: 1 };

fn solve(solver: &dyn Solver, program: &Program) -> Solved {
    let solved = solver.maximise(program, None, &LIMITS, &mut |_| Flow::Continue).unwrap();
    assert_eq!(solved.ended, Ended::Proven, "{}", solver.name());
    check(solver, program, &solved);
    solved
}

/// Checks what must hold for every result.
fn check(solver: &dyn Solver, program: &Program, solved: &Solved) {
    let name = solver.name();
    let Some(values) = &solved.values else { return };
    assert!(is_feasible(program, values), "{name}: {values:?}");
    let off = (objective(program, values) - solved.objective).abs();
    assert!(off < 1e-6 * (1.0 + solved.objective.abs()), "{name}: off by {off}");
    assert!(solved.bound >= solved.objective, "{name}: {solved:?}");
}

fn assert_close(name: &str, one: f64, other: f64) {
    assert!((one - other).abs() <= 1e-6 * (1.0 + other.abs()), "{name}: {one} is not {other}");
}

#[test]
fn knapsacks_are_solved_as_by_brute_force() {
    for solver in solvers() {
        for seed in 0..8 {
            let program = knapsack(seed, 13);
            let solved = solve(*solver, &program);
            assert_close(solver.name(), solved.objective, brute_force(&program).unwrap());
            assert_close(solver.name(), solved.bound, solved.objective);
        }
    }
}

#[test]
fn assignments_are_solved_as_by_brute_force() {
    for solver in solvers() {
        for seed in 0..5 {
            let program = assignment(seed, 4);
            let solved = solve(*solver, &program);
            assert_close(solver.name(), solved.objective, brute_force(&program).unwrap());
        }
    }
}

/// max x + y, x + 2 y <= 4, 3 x + y <= 6: x = 1.6, y = 1.2.
#[test]
fn linear_programs_are_solved_too() {
    let terms = |x: f64, y: f64| [(0, x), (1, y)];
    let program = Program {
        columns: vec![column(0.0..=FREE, 1.0, false); 2],
        rows: vec![row(-FREE..=4.0, terms(1.0, 2.0)), row(-FREE..=6.0, terms(3.0, 1.0))],
        constant: 10.0,
    };
    for solver in solvers() {
        let solved = solve(*solver, &program);
        assert_close(solver.name(), solved.objective, 12.8);
        assert_close(solver.name(), solved.bound, 12.8);
        assert_close(solver.name(), solved.values.unwrap()[0], 1.6);
    }
}

#[test]
fn infeasible_programs_are_proven_to_be() {
    let program = Program {
        columns: vec![column(0.0..=1.0, 1.0, true); 2],
        rows: vec![row(0.5..=0.7, [(0, 1.0), (1, 1.0)])],
        constant: 0.0,
    };
    for solver in solvers() {
        let solved = solve(*solver, &program);
        assert_eq!(solved.values, None, "{}", solver.name());
        assert_eq!(solved.bound, f64::NEG_INFINITY, "{}", solver.name());
    }
}

#[test]
fn unbounded_and_invalid_programs_are_errors() {
    let unbounded = Program {
        columns: vec![column(0.0..=9.0, 1.0, true), column(0.0..=FREE, 1.0, false)],
        rows: vec![row(-FREE..=1.0, [(0, 1.0), (1, -1.0)])],
        constant: 0.0,
    };
    let mut twice = knapsack(1, 3);
    twice.rows[0].terms.push((1, 1.0));
    let mut beyond = knapsack(1, 3);
    beyond.rows[0].terms.push((3, 1.0));
    let mut nan = knapsack(1, 3);
    nan.columns[2].objective = f64::NAN;
    let whys = ["unbounded", "column 1", "column 3", "NaN"];
    for (program, why) in [unbounded, twice, beyond, nan].iter().zip(whys) {
        for solver in solvers() {
            let error =
                solver.maximise(program, None, &LIMITS, &mut |_| Flow::Continue).unwrap_err();
            assert!(error.to_string().contains(why), "{error}");
            assert!(error.to_string().starts_with(solver.name()), "{error}");
        }
    }
}

#[test]
fn the_objective_of_an_empty_program_is_its_constant() {
    let program = Program { constant: 3.0, ..Program::default() };
    for solver in solvers() {
        let solved = solve(*solver, &program);
        assert_eq!((solved.values, solved.objective, solved.bound), (Some(vec![]), 3.0, 3.0));
    }
}

#[test]
fn no_result_is_worse_than_its_start() {
    let (program, start) = market_split(30, 4);
    for solver in solvers() {
        for seconds in [0.0, 0.05, 0.3] {
            let limits = Limits { seconds: Some(seconds), ..LIMITS };
            let solved =
                solver.maximise(&program, Some(&start), &limits, &mut |_| Flow::Continue).unwrap();
            check(*solver, &program, &solved);
            assert!(solved.objective >= objective(&program, &start), "{}", solver.name());
            assert_eq!(solved.ended, Ended::Limit, "{}", solver.name());
        }
        // An infeasible start is ignored.
        let wrong = vec![1.0; program.columns.len()];
        let limits = Limits { seconds: Some(0.0), ..LIMITS };
        let solved = solver.maximise(&program, Some(&wrong), &limits, &mut |_| Flow::Continue);
        check(*solver, &program, &solved.unwrap());
    }
}

#[test]
fn time_limits_hold_and_leave_a_bound() {
    let (program, _) = market_split(60, 5);
    for solver in solvers() {
        for seconds in [0.0, 0.05, 0.4] {
            let limits = Limits { seconds: Some(seconds), ..LIMITS };
            let begun = Instant::now();
            let solved = solver.maximise(&program, None, &limits, &mut |_| Flow::Continue).unwrap();
            // The solver has a grace period of 0.2 s; the rest is for a busy machine.
            let over = begun.elapsed().as_secs_f64() - seconds;
            assert!(over < 1.0, "{}: {over} s too long", solver.name());
            assert_eq!(solved.ended, Ended::Limit, "{}", solver.name());
            assert!(solved.bound > -1e-6 && solved.bound < 1e-6, "{}: {solved:?}", solver.name());
            check(*solver, &program, &solved);
        }
    }
}

#[test]
fn progress_is_reported_and_can_stop_the_search() {
    let (program, start) = market_split(60, 5);
    let start_objective = objective(&program, &start);
    for solver in solvers() {
        let mut reports: Vec<Progress> = Vec::new();
        let begun = Instant::now();
        let mut watch = |progress: &Progress| {
            reports.push(*progress);
            if reports.len() == 3 { Flow::Stop } else { Flow::Continue }
        };
        let solved = solver.maximise(&program, Some(&start), &LIMITS, &mut watch).unwrap();
        assert!(begun.elapsed().as_secs_f64() < 5.0);
        assert_eq!((reports.len(), solved.ended), (3, Ended::Interrupted), "{}", solver.name());
        assert!(solved.objective >= start_objective, "{}", solver.name());
        check(*solver, &program, &solved);
        for two in reports.windows(2) {
            assert!(two[0].seconds < two[1].seconds);
            assert!(two[0].incumbent <= two[1].incumbent && two[0].bound >= two[1].bound);
        }
        assert!(reports.iter().all(|progress| progress.bound >= progress.incumbent));
        assert!(solved.objective >= reports[2].incumbent, "{}", solver.name());
    }
}

#[test]
fn the_progress_callback_may_panic() {
    let (program, _) = market_split(60, 5);
    for solver in solvers() {
        let panicking = || solver.maximise(&program, None, &LIMITS, &mut |_| panic!("enough"));
        let panic = catch_unwind(AssertUnwindSafe(panicking)).unwrap_err();
        assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough"));
    }
}

#[test]
fn nodes_are_counted_and_limited() {
    let (program, _) = market_split(40, 4);
    for solver in solvers() {
        let limits = Limits { nodes: Some(20), ..LIMITS };
        let runs = [(); 2]
            .map(|()| solver.maximise(&program, None, &limits, &mut |_| Flow::Continue).unwrap());
        assert_eq!(runs[0].ended, Ended::Limit, "{}", solver.name());
        assert!(runs[0].nodes <= 40, "{}: {} nodes", solver.name(), runs[0].nodes);
        // All runs are the same.
        assert_eq!(runs[0], runs[1], "{}", solver.name());
    }
}

#[test]
fn the_requested_gap_is_enough() {
    let program = knapsack(3, 40);
    for solver in solvers() {
        let limits = Limits { gap: 0.5, ..LIMITS };
        let solved = solver.maximise(&program, None, &limits, &mut |_| Flow::Continue).unwrap();
        assert_eq!(solved.ended, Ended::Proven, "{}", solver.name());
        assert!(solved.bound <= 1.5 * solved.objective, "{}: {solved:?}", solver.name());
        check(*solver, &program, &solved);
    }
}

#[test]
fn an_unknown_name_lists_the_known() {
    let error = solver("cplex").err().unwrap().to_string();
    assert!(error.contains("`cplex`") && error.contains("microlp"), "{error}");
    assert!(error.contains("highs"), "{error}");
    assert_eq!(error.contains("feature `highs`"), cfg!(not(feature = "highs")), "{error}");
    assert_eq!(solver("microlp").unwrap().name(), "microlp");
}

/// Small programs of columns from -2 to 3, all of them integers if `pure_integer`.
fn small_program(pure_integer: bool) -> impl Strategy<Value = Program> {
    let columns = prop::collection::vec((-2..=0i32, 0..=3i32, -9..=9i32, any::<bool>()), 1..6);
    let rows = prop::collection::vec(
        (prop::collection::vec(-4..=4i32, 5), -6..=6i32, 0..=8i32, 0..3u8),
        0..5,
    );
    (columns, rows).prop_map(move |(columns, rows)| {
        let number = |number: i32| f64::from(number);
        let columns: Vec<_> = columns
            .into_iter()
            .map(|(lower, upper, objective, integer)| {
                column(number(lower)..=number(upper), number(objective), pure_integer || integer)
            })
            .collect();
        let rows = rows
            .into_iter()
            .map(|(factors, lower, width, kind)| {
                let terms = factors.into_iter().take(columns.len()).enumerate();
                let terms = terms.filter(|(_, factor)| *factor != 0);
                let range = match kind {
                    0 => number(lower)..=number(lower + width),
                    1 => number(lower)..=FREE,
                    _ => -FREE..=number(lower),
                };
                row(range, terms.map(|(column, factor)| (column, number(factor))))
            })
            .collect();
        Program { columns, rows, constant: 0.25 }
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]

    #[test]
    fn integer_programs_are_solved_as_by_brute_force(program in small_program(true)) {
        let best = brute_force(&program);
        for solver in solvers() {
            let solved = solve(*solver, &program);
            prop_assert_eq!(solved.values.is_some(), best.is_some(), "{}", solver.name());
            if let Some(best) = best {
                assert_close(solver.name(), solved.objective, best);
                // The objective is that of whole numbers; the bound is the solver's own, in whose
                // arithmetic each of them may be off by its tolerance. It is never below the optimum.
                let excess = (solved.bound - best) / (1.0 + best.abs());
                prop_assert!((-1e-6..1e-5).contains(&excess), "{}: {excess}", solver.name());
            } else {
                prop_assert_eq!(solved.bound, f64::NEG_INFINITY);
            }
        }
    }

    #[cfg(feature = "highs")]
    #[test]
    fn two_solvers_agree_on_mixed_programs(program in small_program(false)) {
        let [one, other] = [solvers()[0], solvers()[1]].map(|solver| solve(solver, &program));
        prop_assert_eq!(one.values.is_some(), other.values.is_some());
        if one.values.is_some() {
            assert_close("both", one.objective, other.objective);
            assert_close("both", one.bound, other.bound);
        }
    }
}
