//! Data to minimise losses on, and what any smooth loss must hold to.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, DatasetBuilder, Row};
use stakes_core::random::Stream;

use super::{Importance, Listwise, Minimum, Smooth, Ties, minimise};
use crate::Lists;
use crate::dense::Dense;

/// Lists and the inputs of their items.
pub(crate) struct World {
    pub(crate) lists: Lists,
    pub(crate) data: Dense,
}

/// Lists of these costs and, maybe, weights.
pub(crate) fn lists(costs: &[Vec<f64>], weights: Option<&[Vec<f64>]>) -> Lists {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        weight: weights.map(|_| "w".into()),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("test", columns).unwrap();
    for (list, costs) in costs.iter().enumerate() {
        let name = format!("{list:03}");
        for (item, &cost) in costs.iter().enumerate() {
            let weight = weights.map(|w| w[list][item]);
            let row = Row { list: &name, impact: Some(cost), weight, ..Row::default() };
            builder.push(row).unwrap();
        }
    }
    let data = builder.finish().unwrap();
    Lists::new(&Problem::new(&data, &CostModel::Impact).unwrap())
}

/// Some lists of 1 to 9 items of 4 grades that follow 3 inputs, more or less.
pub(crate) fn world(seed: u64, weighted: bool) -> World {
    let stream = Stream::new(seed, 0);
    let mut draws = (0..).map(|i| 2.0 * stream.unit(i) - 1.0);
    let mut draw = || draws.next().unwrap();
    let (mut costs, mut weights, mut values) = (Vec::new(), Vec::new(), Vec::new());
    for list in 0..12 {
        let mut cost = Vec::new();
        let mut weight = Vec::new();
        for _ in 0..list % 9 + 1 {
            let x = [draw(), draw(), draw()];
            let signal = 2.0 * x[0] - x[1] + 0.8 * draw();
            cost.push((signal + 1.0).clamp(0.0, 3.0).round());
            weight.push(if draw() < -0.6 { 0.0 } else { 1.0 + draw().abs() });
            values.extend(x);
        }
        costs.push(cost);
        weights.push(weight);
    }
    World { lists: lists(&costs, weighted.then_some(&weights[..])), data: Dense::new(values, 3) }
}

/// Derivatives must be those of the value, by differences.
pub(crate) fn check_derivatives(loss: &dyn Smooth, at: &[f64]) {
    let exact = loss.derivatives(at);
    assert!((exact.value - loss.value(at)).abs() <= 1e-12 * exact.value.abs().max(1.0));
    let width = at.len();
    let moved = |i: usize, by: f64| {
        let mut there = at.to_vec();
        there[i] += by;
        there
    };
    let h = 1e-5;
    for i in 0..width {
        let (up, down) = (moved(i, h), moved(i, -h));
        let slope = (loss.value(&up) - loss.value(&down)) / (2.0 * h);
        let size = exact.gradient.iter().fold(1.0_f64, |size, g| size.max(g.abs()));
        assert!((slope - exact.gradient[i]).abs() < 1e-7 * size, "{i}: {slope} {exact:?}");
        let (up, down) = (loss.derivatives(&up).gradient, loss.derivatives(&down).gradient);
        let largest = exact.hessian.iter().fold(1.0_f64, |size, h| size.max(h.abs()));
        for j in i..width {
            let slope = (up[j] - down[j]) / (2.0 * h);
            let given = exact.hessian[i * width + j];
            assert!((slope - given).abs() < 1e-7 * largest, "{i}, {j}: {slope} {given}");
        }
    }
}

/// w + c gradient is 0 at the minimum (and the gradient alone for free weights).
pub(crate) fn check_minimum(loss: &dyn Smooth, c: f64) -> Minimum {
    let minimum = minimise(loss, c, &vec![0.0; loss.width()]);
    let gradient = loss.derivatives(&minimum.weights).gradient;
    for (i, (w, g)) in minimum.weights.iter().zip(&gradient).enumerate() {
        let slope = if i < loss.penalised() { w + c * g } else { c * g };
        assert!(slope.abs() < 1e-6, "weight {i}: {w} + {c} x {g} = {slope}");
    }
    minimum
}

fn losses(world: &World) -> Vec<Listwise<'_>> {
    let importances = [Importance::Equal, Importance::Grade(3.0), Importance::Cost];
    let ties = [Ties::Together, Ties::Order];
    let new = |importance, ties| Listwise::new(&world.data, &world.lists, importance, ties);
    importances.iter().flat_map(|&i| ties.map(|t| new(i, t))).collect()
}

#[test]
fn derivatives_are_those_of_the_value() {
    for weighted in [false, true] {
        let world = world(1, weighted);
        for loss in losses(&world) {
            check_derivatives(&loss, &[0.0, 0.0, 0.0]);
            check_derivatives(&loss, &[1.5, -0.7, 0.2]);
            check_derivatives(&loss, &[-20.0, 30.0, 10.0]);
        }
    }
}

#[test]
fn minima_hold_to_the_first_order_condition_soon() {
    for weighted in [false, true] {
        let world = world(2, weighted);
        for loss in losses(&world) {
            for c in [1e-4, 0.1, 1.0, 100.0] {
                let minimum = check_minimum(&loss, c);
                assert!(minimum.steps < 10, "c = {c}: {} steps", minimum.steps);
                // From elsewhere to the same place.
                let other = minimise(&loss, c, &[3.0, 3.0, -3.0]);
                let near = |(a, b): (&f64, &f64)| (a - b).abs() < 1e-6 * a.abs().max(1.0);
                assert!(minimum.weights.iter().zip(&other.weights).all(near));
            }
        }
    }
}

/// The sum as the papers print it.
fn by_the_book(world: &World, weights: &[f64], importance: Importance, ties: Ties) -> f64 {
    let mut sum = 0.0;
    for list in 0..world.lists.len() {
        let items: Vec<usize> = world.lists.items(list).collect();
        let cost = world.lists.cost();
        let mut order = items.clone();
        order.sort_by(|&a, &b| cost[b].total_cmp(&cost[a]));
        let score =
            |i: usize| -> f64 { world.data.row(i).iter().zip(weights).map(|(x, w)| x * w).sum() };
        let lowest = cost[*order.last().unwrap()];
        for (place, &j) in order.iter().enumerate() {
            let level = items.iter().filter(|&&i| cost[i] == cost[j]).count() as f64;
            let count = match importance {
                Importance::Equal => 1.0,
                Importance::Grade(base) => base.powf(cost[j]) / level,
                Importance::Cost => cost[j] / level,
            };
            let after: f64 = match ties {
                Ties::Order => order[place..].iter().map(|&k| score(k).exp()).sum(),
                Ties::Together if cost[j] == lowest => continue,
                Ties::Together => {
                    items.iter().filter(|&&k| cost[k] <= cost[j]).map(|&k| score(k).exp()).sum()
                }
            };
            sum += count * (after.ln() - score(j));
        }
    }
    sum / world.lists.len() as f64
}

#[test]
fn values_are_those_of_the_papers_sum() {
    let world = world(3, false);
    let weights = [0.3, -1.1, 2.0];
    for importance in [Importance::Equal, Importance::Grade(3.0), Importance::Cost] {
        for ties in [Ties::Together, Ties::Order] {
            let loss = Listwise::new(&world.data, &world.lists, importance, ties);
            let (fast, slow) =
                (loss.value(&weights), by_the_book(&world, &weights, importance, ties));
            assert!((fast - slow).abs() < 1e-12 * slow, "{importance:?} {ties:?}: {fast} {slow}");
        }
    }
}

#[test]
fn a_list_of_two_by_hand() {
    let lists = lists(&[vec![1.0, 0.0]], None);
    let data = Dense::new(vec![1.0, 0.0], 1);
    let at_0 = Listwise::new(&data, &lists, Importance::Equal, Ties::Together).derivatives(&[0.0]);
    assert!((at_0.value - 2.0_f64.ln()).abs() < 1e-15);
    assert!((at_0.gradient[0] + 0.5).abs() < 1e-15 && (at_0.hessian[0] - 0.25).abs() < 1e-15);
}

#[test]
fn weights_count_items() {
    // An item of weight 0 is not there, and weight 2 for all items is the list twice.
    let plain = lists(&[vec![2.0, 1.0, 0.0], vec![1.0, 0.0]], None);
    let zero = lists(
        &[vec![2.0, 9.0, 1.0, 0.0], vec![1.0, 0.0]],
        Some(&[vec![2.0, 0.0, 2.0, 2.0], vec![1.0, 1.0]]),
    );
    let x = [0.5, -0.2, 0.1, 0.9, -0.4];
    let data = Dense::new(x.to_vec(), 1);
    let with_zero = Dense::new(vec![0.5, 77.0, -0.2, 0.1, 0.9, -0.4], 1);
    for importance in [Importance::Equal, Importance::Cost] {
        let one = Listwise::new(&data, &plain, importance, Ties::Together);
        let two = Listwise::new(&with_zero, &zero, importance, Ties::Together);
        let short = lists(&[vec![1.0, 0.0]], None);
        let rest = Dense::new(vec![0.9, -0.4], 1);
        let rest = Listwise::new(&rest, &short, importance, Ties::Together).value(&[1.3]);
        // The mean of two lists, of which the first term_weights twice.
        let expected = 2.0 * one.value(&[1.3]) - rest / 2.0;
        assert!((two.value(&[1.3]) - expected).abs() < 1e-14);
    }
}

#[test]
fn long_lists_and_large_scores_are_finite() {
    let n = 5000;
    let costs: Vec<f64> = (0..n).map(|i| f64::from(i % 977) * 1e5).collect();
    let lists = lists(&[costs], None);
    let data = Dense::new((0..n).map(|i| f64::from(i * 37 % 1009) - 500.0).collect(), 1);
    for importance in [Importance::Equal, Importance::Cost] {
        let loss = Listwise::new(&data, &lists, importance, Ties::Order);
        for w in [0.0, 1.0, -50.0, 1e6] {
            let at = loss.derivatives(&[w]);
            assert!(at.value.is_finite() && at.gradient[0].is_finite(), "w = {w}");
            assert!(at.hessian[0].is_finite(), "w = {w}");
        }
        let minimum = minimise(&loss, 1.0, &[0.0]);
        assert!(minimum.weights[0].is_finite() && minimum.steps < 20, "{minimum:?}");
    }
}

/// Minima that scipy found by Nelder and Mead's method from the sum as it is printed, pCf = 3 and
/// c = 2; `benches/check_linear.py` does the same with real data.
#[test]
fn a_golden_minimum() {
    let lists = lists(&[vec![2.0, 1.0, 1.0, 0.0], vec![0.0, 0.0, 1.0]], None);
    let values = [
        [1.0, 0.5, -1.0, 0.25, 0.5, -1.0, 0.0, 1.0].to_vec(),
        [0.25, -0.5, -0.75, 1.0, 1.5, 0.0].to_vec(),
    ];
    let data = Dense::new(values.concat(), 2);
    let golden = [
        (Ties::Together, [1.69029377, 0.40472477], 10.740563394),
        (Ties::Order, [1.68768472, 0.38277217], 10.787449324),
    ];
    for (ties, weights, value) in golden {
        let loss = Listwise::new(&data, &lists, Importance::Grade(3.0), ties);
        let minimum = check_minimum(&loss, 2.0);
        assert!((minimum.value - value).abs() < 1e-8, "{ties:?}: {minimum:?}");
        let near = |(a, b): (&f64, f64)| (a - b).abs() < 1e-6;
        assert!(minimum.weights.iter().zip(weights).all(near), "{ties:?}: {minimum:?}");
    }
}

/// The loss of one list whose items come in this order, with these scores.
fn loss_in_order(scores: &[f64]) -> f64 {
    let costs = vec![(0..scores.len()).rev().map(|cost| cost as f64).collect()];
    let (lists, data) = (lists(&costs, None), Dense::new(scores.to_vec(), 1));
    Listwise::new(&data, &lists, Importance::Equal, Ties::Order).value(&[1.0])
}

/// He, theorem 2.1: an item more at the end of a list makes its order less likely.
#[test]
fn a_longer_order_is_less_likely() {
    let near = |a: f64, b: f64| (a - b).abs() < 1e-7;
    let [short, long] = [loss_in_order(&[2.0, 1.0, 0.0]), loss_in_order(&[2.0, 1.0, 0.0, -1.0])];
    assert!(near(short, 0.720_867_7) && near((-short).exp(), 0.486_330_1), "{short}");
    assert!(near(long, 1.161_057_4) && near((-long).exp(), 0.313_154_9), "{long}");
}

proptest! {
    /// The same for any scores, however low that of the added item.
    #[test]
    fn a_longer_order_is_never_likelier(
        scores in prop::collection::vec(-8.0..8.0_f64, 1..12),
        added in -8.0..8.0_f64,
    ) {
        let longer: Vec<f64> = scores.iter().copied().chain([added]).collect();
        prop_assert!(loss_in_order(&longer) > loss_in_order(&scores));
    }
}
