//! Whole nets: every loss on every shape, what is found, and that nothing depends on threads.
#![allow(clippy::unwrap_used)]

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Row};
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_core::random::Stream;

use super::batch::NetLoss;
use super::shape::Shape;
use super::{Epochs, NetTraining, Optimiser};
use crate::dense::Dense;
use crate::loss::{
    GradHess, Lambda, ListMle, ListWeighting, Loss, Pointwise, RankNet, Shares, Softmax, Squared,
};
use crate::run::Objective;
use crate::run::Steps;
use stakes_core::Lists;
use stakes_model::{Activation, Input};

/// Lists of these lengths with inputs of their own; cost follows from two of them.
struct World {
    rows: Dense,
    data: Dataset,
    width: usize,
}

fn world(lengths: &[usize], unit: f64) -> World {
    let width = 4;
    let draws = Stream::new(5, 1);
    let columns =
        Columns { list: Some("list".into()), impact: Some("y".into()), ..Columns::default() };
    let mut builder = DatasetBuilder::new("test", columns).unwrap();
    let (mut values, mut at) = (Vec::new(), 0);
    for (list, &length) in lengths.iter().enumerate() {
        let name = format!("{list:03}");
        for _ in 0..length {
            let row: Vec<f64> = (0..width).map(|i| 2.0 * draws.unit(at + i) - 1.0).collect();
            let noise = draws.unit(at + 7) - 0.5;
            let cost = unit * (3.0 + row[0] * row[1] + row[0] + noise).max(0.5);
            builder.push(Row { list: &name, impact: Some(cost), ..Row::default() }).unwrap();
            values.extend(row);
            at += 8;
        }
    }
    World { rows: Dense::new(values, width as usize), data: builder.finish().unwrap(), width: 4 }
}

impl World {
    fn lists(&self) -> Lists {
        Lists::new(&Problem::new(&self.data, &CostModel::Impact).unwrap())
    }
}

/// Names for the inputs; their values are those of the world.
fn inputs() -> Vec<Input> {
    (0..4).map(|feature| Input::Missing { feature }).collect()
}

fn metric(text: &str) -> Metric {
    Metric::parse(text, Scale::default()).unwrap()
}

/// Losses that have a value, and those that are known by their derivatives alone.
fn losses() -> Vec<(&'static str, Box<dyn Loss>)> {
    let by_stake = || ListWeighting::BySavableCost(metric("rcs@3"));
    let softmax = |lists| Box::new(Softmax::new(Shares::Softmax, 1.0, lists).unwrap());
    vec![
        ("ranknet", Box::new(RankNet::insensitive())),
        ("cr-ranknet", Box::new(RankNet::cr(metric("rcs@3")))),
        ("listnet", softmax(ListWeighting::Equal)),
        ("cr-listnet", softmax(by_stake())),
        ("listmle", Box::new(ListMle::default())),
        ("lambdarank", Box::new(Lambda::new(metric("ndcg@5:gain=linear")).unwrap())),
        ("cs-lambdarank", Box::new(Lambda::new(metric("rcs@3")).unwrap())),
    ]
}

fn training(hidden: &[usize]) -> NetTraining {
    NetTraining {
        hidden: hidden.to_vec(),
        activation: Activation::Relu,
        nets: 2,
        optimiser: Optimiser::Adam,
        rate: 0.02,
        l2: 0.001,
        batch: 2,
        seed: 3,
    }
}

/// By finite differences: of the loss where it has a value; else of the sum of derivative x
/// score with the derivatives held where they were, of which a gradient is made by definition.
#[test]
fn gradients_of_every_loss_on_every_shape_are_differences() {
    let world = world(&[7, 1, 12, 300, 3], 1.0);
    let lists = world.lists();
    for (name, loss) in losses() {
        for hidden in [&[][..], &[5], &[6, 3]] {
            for activation in [Activation::Relu, Activation::Tanh] {
                let shape = Shape::new(world.width, hidden, activation);
                let numbers: Vec<f64> =
                    (0..shape.len()).map(|i| Stream::new(9, 2).unit(i as u64) - 0.5).collect();
                let loss = NetLoss {
                    parts: shape.parts(),
                    shape,
                    rows: &world.rows,
                    lists: &lists,
                    objective: Objective::new(&*loss, &lists),
                };
                let all: Vec<u32> = (0..lists.len() as u32).collect();
                let found = loss.gradient(&all, &numbers);
                let scores =
                    |numbers: &[f64]| world.rows.through(&loss.shape.net(&inputs(), numbers));
                let mut held = vec![GradHess::default(); lists.n_items()];
                loss.objective.derivatives(&scores(&numbers), &mut held);
                let value = |numbers: &[f64]| -> f64 {
                    let scores = scores(numbers);
                    let value = loss.objective.value(&scores);
                    let value = value.map(|mean| mean * lists.n_items() as f64);
                    let moved = || scores.iter().zip(&held).map(|(s, d)| s * d.grad).sum();
                    value.unwrap_or_else(moved) / lists.len() as f64
                };
                for (at, found) in found.iter().enumerate() {
                    let moved = |by: f64| {
                        let mut numbers = numbers.clone();
                        numbers[at] += by;
                        value(&numbers)
                    };
                    let expected = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    let near = (found - expected).abs() <= 1e-6 * (1.0 + expected.abs());
                    assert!(near, "{name} {hidden:?} {at}: {found} and {expected}");
                }
            }
        }
    }
}

fn epochs<'e>(
    training: NetTraining,
    world: &'e World,
    lists: &'e Lists,
    loss: &'e dyn Loss,
    rounds: usize,
) -> Epochs<'e> {
    let mut epochs = Epochs::new(training, &world.rows, lists, loss);
    (0..rounds).for_each(|round| assert!(epochs.step(round).unwrap()));
    epochs
}

/// A linear net and the squared error of costs: the best weights follow from a system of
/// equations.
#[test]
fn a_linear_net_finds_the_least_squares() {
    let world = world(&[40, 40, 40, 40], 1.0);
    let lists = world.lists();
    let loss = Pointwise::new(Squared);
    let training = NetTraining { l2: 0.0, batch: 4, rate: 0.05, ..training(&[]) };
    let found = epochs(training, &world, &lists, &loss, 600);
    // X'X w = X'y by Gauss and Jordan.
    let n = world.width;
    let mut system = vec![vec![0.0; n + 1]; n];
    for (item, &cost) in lists.cost().iter().enumerate() {
        let row = world.rows.row(item);
        for (i, equation) in system.iter_mut().enumerate() {
            equation.iter_mut().zip(row).for_each(|(sum, x)| *sum += row[i] * x);
            equation[n] += row[i] * cost;
        }
    }
    for pivot in 0..n {
        let own = system[pivot].clone();
        let scale = own[pivot];
        for (i, equation) in system.iter_mut().enumerate() {
            let factor = if i == pivot { 1.0 - scale.recip() } else { equation[pivot] / scale };
            equation.iter_mut().zip(&own).for_each(|(e, own)| *e -= factor * own);
        }
    }
    for (found, equation) in found.numbers().iter().zip(&system) {
        assert!((found - equation[n]).abs() < 1e-4, "{found} and {}", equation[n]);
    }
}

#[test]
fn epochs_repeat_at_any_number_of_threads_and_go_on_as_they_were() {
    let world = world(&[30, 5, 400, 60, 9], 1.0);
    let lists = world.lists();
    let loss = RankNet::insensitive();
    for hidden in [&[][..], &[300]] {
        let run = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| epochs(training(hidden), &world, &lists, &loss, 4).numbers().to_vec())
        };
        let whole = run(1);
        assert_eq!(whole, run(3));
        let half = epochs(training(hidden), &world, &lists, &loss, 2);
        let mut rest = Epochs::new(training(hidden), &world.rows, &lists, &loss);
        rest.resume(half.numbers(), &half.memory());
        (2..4).for_each(|round| assert!(rest.step(round).unwrap()));
        assert_eq!(rest.numbers(), whole);
        let other = NetTraining { seed: 4, ..training(hidden) };
        assert_ne!(epochs(other, &world, &lists, &loss, 4).numbers(), whole);
    }
}

/// The papers' tables have empty cells for ListNet on such costs.
#[test]
fn costs_of_any_size_can_be_learned() {
    for unit in [1e-200, 1.0, 1e5, 1e9, 1e250] {
        let world = world(&[20, 20, 20, 20], unit);
        let raw = world.lists();
        let n = raw.n_items() as f64;
        let mean: f64 = raw.cost().iter().map(|cost| cost / n).sum();
        for lists in [raw.clone(), raw.in_units_of(mean)] {
            for (name, loss) in losses() {
                let found = epochs(training(&[6]), &world, &lists, &*loss, 5);
                assert!(found.numbers().iter().all(|w| w.is_finite()), "{name} {unit}");
                assert!(found.memory().iter().all(|w| w.is_finite()), "{name} {unit}");
            }
        }
    }
}

/// ... and the model is better than a random order.
#[test]
fn huge_costs_are_put_in_order() {
    for unit in [1e5, 1e250] {
        let world = world(&[40; 6], unit);
        let problem = Problem::new(&world.data, &CostModel::Impact).unwrap();
        let raw = world.lists();
        let n = raw.n_items() as f64;
        let mean: f64 = raw.cost().iter().map(|cost| cost / n).sum();
        let lists = raw.in_units_of(mean);
        let saved =
            |scores: &[f64]| evaluate(&metric("rcs@3"), &problem, scores).unwrap().figure.unwrap();
        let chance = saved(&vec![0.0; lists.n_items()]);
        for (name, loss) in losses() {
            let found = epochs(training(&[6]), &world, &lists, &*loss, 20);
            let scores = world.rows.through(&found.net(&inputs(), found.numbers()));
            let saved = saved(&scores);
            assert!(saved > chance + 0.1, "{name} {unit}: {saved} and {chance}");
        }
    }
}

/// A product of two inputs is beyond a linear score.
#[test]
fn hidden_units_learn_what_a_line_cannot() {
    let world = world(&[40; 12], 1.0);
    let lists = world.lists();
    let value = |hidden: &[usize]| {
        let loss = RankNet::insensitive();
        let found = epochs(training(hidden), &world, &lists, &loss, 60);
        let scores = world.rows.through(&found.net(&inputs(), found.numbers()));
        Objective::new(&loss, &lists).value(&scores).unwrap()
    };
    let (linear, deep) = (value(&[]), value(&[8]));
    assert!(deep < 0.8 * linear, "{deep} and {linear}");
}
