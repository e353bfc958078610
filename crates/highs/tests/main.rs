//! HiGHS through the safe interface: starts, stops, threads, prices, errors.
#![cfg(feature = "bundled")]
#![allow(clippy::unwrap_used)]

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::Instant;

use stakes_highs::{Error, Model, Options, Progress, Sense, Solution, Status, solve};

const FREE: f64 = f64::INFINITY;

fn go_on(_: &Progress<'_>) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// A market split (Cornuejols and Dawande 1998) with a start: quick to set up, too hard to solve.
fn market_split() -> (Model, Vec<f64>) {
    let (customers, markets) = (30, 4);
    let mut model = Model::new(Sense::Minimise);
    for _ in 0..customers {
        model.add_column(0.0, 1.0, 0.0, true);
    }
    let mut start = vec![0.0; customers];
    for market in 0..markets {
        // Quadratic residues are random enough.
        let share = |customer: usize| ((customer * 31 + market * 17 + 5).pow(2) % 101) as f64;
        let half = (0..customers).map(share).sum::<f64>() / 2.0;
        let half = half.floor();
        let over = model.add_column(0.0, FREE, 1.0, false);
        let under = model.add_column(0.0, FREE, 1.0, false);
        let ends = [(over, -1.0), (under, 1.0)];
        model.add_row(half, half, (0..customers).map(|at| (at, share(at))).chain(ends));
        start.extend([0.0, half]);
    }
    (model, start)
}

#[test]
fn a_start_is_taken_and_a_stop_returns_it() {
    let (model, start) = market_split();
    let objective: f64 = start.iter().skip(30).sum();
    let mut calls = 0;
    let mut first = None;
    let mut watch = |progress: &Progress<'_>| {
        calls += 1;
        first = first.or(progress.found.map(|_| progress.incumbent));
        if first.is_some() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let begun = Instant::now();
    let found = solve(&model, Some(&start), &Options::default(), &mut watch).unwrap();
    assert!(begun.elapsed().as_secs_f64() < 10.0);
    assert!(calls > 0);
    assert_eq!(first, Some(objective));
    assert_eq!(found.status, Status::Stopped);
    assert_eq!(found.objective, objective);
    assert_eq!(found.values, Some(start));
    assert!(found.bound <= found.objective);
}

#[test]
fn progress_is_monotone() {
    let (model, _) = market_split();
    let mut reports: Vec<(f64, f64, f64, u64)> = Vec::new();
    let mut watch = |progress: &Progress<'_>| {
        reports.push((progress.seconds, progress.incumbent, progress.bound, progress.nodes));
        ControlFlow::Continue(())
    };
    let options = Options { nodes: Some(50), ..Options::default() };
    let found = solve(&model, None, &options, &mut watch).unwrap();
    assert_eq!(found.status, Status::Limit);
    assert!(found.nodes >= 50 && found.nodes < 500, "{}", found.nodes);
    assert!(found.bound >= -1e-9 && found.bound <= found.objective);
    for two in reports.windows(2) {
        assert!(two[0].0 <= two[1].0 && two[0].1 >= two[1].1);
        assert!(two[0].2 <= two[1].2 && two[0].3 <= two[1].3);
    }
    assert!(reports.iter().all(|report| report.2 <= report.1));
    assert_eq!(reports.last().unwrap().1, found.objective);
}

#[test]
fn the_progress_callback_may_panic() {
    let (model, _) = market_split();
    let mut watch = |_: &Progress<'_>| -> ControlFlow<()> { panic!("enough") };
    let panicking = || solve(&model, None, &Options::default(), &mut watch);
    let panic = catch_unwind(AssertUnwindSafe(panicking)).unwrap_err();
    assert_eq!(panic.downcast_ref::<&str>(), Some(&"enough"));
}

#[test]
fn every_call_has_the_threads_it_asks_for_and_the_same_result() {
    let (model, _) = market_split();
    for threads in [1, 3, 2] {
        let options = Options { nodes: Some(1), threads, ..Options::default() };
        let runs: [Solution; 2] =
            [(); 2].map(|()| solve(&model, None, &options, &mut go_on).unwrap());
        assert_eq!(runs[0], runs[1], "{threads} threads");
    }
}

/// max 3 x + 2 y, x + y <= 4, x + 3 y <= 7, x <= 3: the optimum is 11 at x = 3, y = 1, the prices are 2, 0.
#[test]
fn linear_programs_have_prices_that_prove_them() {
    let mut model = Model::new(Sense::Maximise);
    let x = model.add_column(0.0, 3.0, 3.0, false);
    let y = model.add_column(0.0, FREE, 2.0, false);
    model.offset = 0.5;
    model.add_row(-FREE, 4.0, [(x, 1.0), (y, 1.0)]);
    model.add_row(-FREE, 7.0, [(x, 1.0), (y, 3.0)]);
    let found = solve(&model, None, &Options::default(), &mut go_on).unwrap();
    assert_eq!((found.status, found.objective, found.bound), (Status::Optimal, 11.5, 11.5));
    let prices = found.prices.unwrap();
    assert_eq!(prices, [2.0, 0.0]);
    assert_eq!(model.dual_bound(&prices), 11.5);
    // Any prices prove a bound, if a weaker one.
    assert_eq!(model.dual_bound(&[3.0, 0.0]), 12.5);
    assert_eq!(model.dual_bound(&[0.0, 0.0]), FREE);
    // The same with the opposite sense.
    let mut mirrored = Model::new(Sense::Minimise);
    let x = mirrored.add_column(0.0, 3.0, -3.0, false);
    let y = mirrored.add_column(0.0, FREE, -2.0, false);
    mirrored.add_row(-FREE, 4.0, [(x, 1.0), (y, 1.0)]);
    let found = solve(&mirrored, None, &Options::default(), &mut go_on).unwrap();
    assert_eq!((found.objective, found.bound), (-11.0, -11.0));
    assert_eq!(mirrored.dual_bound(&found.prices.unwrap()), -11.0);
}

#[test]
fn infeasible_and_unbounded_models_are_distinguished() {
    let build = |sense: Sense, lower: f64, integer: bool| {
        let mut model = Model::new(sense);
        let x = model.add_column(0.0, FREE, 1.0, integer);
        let y = model.add_column(0.0, FREE, 1.0, false);
        model.add_row(lower, FREE, [(x, 1.0), (y, -1.0)]);
        model.add_row(-FREE, 1.0, [(x, 1.0), (y, -1.0)]);
        model
    };
    for integer in [false, true] {
        let unbounded = build(Sense::Maximise, 0.0, integer);
        let found = solve(&unbounded, None, &Options::default(), &mut go_on).unwrap();
        assert_eq!((found.status, found.bound), (Status::Unbounded, FREE));
        let infeasible = build(Sense::Maximise, 2.0, integer);
        let found = solve(&infeasible, None, &Options::default(), &mut go_on).unwrap();
        assert_eq!((found.status, found.bound), (Status::Infeasible, -FREE));
        assert_eq!(found.values, None);
    }
}

#[test]
fn invalid_models_are_refused() {
    let refused = |model: &Model, start: Option<&[f64]>| {
        solve(model, start, &Options::default(), &mut go_on).unwrap_err()
    };
    let mut model = Model::new(Sense::Maximise);
    let x = model.add_column(0.0, 1.0, 1.0, true);
    let start = refused(&model, Some(&[1.0, 2.0]));
    assert_eq!(start, Error::Start { values: 2, columns: 1 });
    let mut beyond = model.clone();
    beyond.add_row(0.0, 1.0, [(x, 1.0), (5, 1.0)]);
    assert!(
        refused(&beyond, None).to_string().contains("column 5, but the number of columns is 1")
    );
    let mut twice = model.clone();
    twice.add_row(0.0, 1.0, [(x, 1.0), (x, 1.0)]);
    assert_eq!(refused(&twice, None), Error::Call("Highs_passMip"));
    model.add_column(f64::NAN, 1.0, 0.0, false);
    assert!(refused(&model, None).to_string().contains("NaN"));
}
