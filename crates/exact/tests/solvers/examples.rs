//! Programs with known solutions, and programs that no solver solves within a test.

use std::ops::RangeInclusive;

use stakes_core::random::Stream;
use stakes_exact::program::{Column, Program, Row};

pub(crate) const FREE: f64 = f64::INFINITY;

pub(crate) fn column(range: RangeInclusive<f64>, objective: f64, integer: bool) -> Column {
    Column { lower: *range.start(), upper: *range.end(), objective, integer }
}

pub(crate) fn row(
    range: RangeInclusive<f64>,
    terms: impl IntoIterator<Item = (usize, f64)>,
) -> Row {
    Row { lower: *range.start(), upper: *range.end(), terms: terms.into_iter().collect() }
}

/// Random integers from 1 to `max`.
pub(crate) fn draws(seed: u64, count: usize, max: usize) -> Vec<f64> {
    let stream = Stream::new(seed, 0);
    (0..count).map(|at| 1.0 + stream.below(at as u64, max) as f64).collect()
}

/// A knapsack with a capacity of half the total weight.
pub(crate) fn knapsack(seed: u64, items: usize) -> Program {
    let (weights, values) = (draws(seed, items, 40), draws(seed + 1, items, 60));
    let half = (weights.iter().sum::<f64>() / 2.0).floor();
    Program {
        columns: values.iter().map(|objective| column(0.0..=1.0, *objective, true)).collect(),
        rows: vec![row(-FREE..=half, weights.into_iter().enumerate())],
        constant: 0.0,
    }
}

/// An assignment of one task to each person: column `person * size + task`.
pub(crate) fn assignment(seed: u64, size: usize) -> Program {
    let values = draws(seed, size * size, 99);
    let one = |cells: Vec<usize>| row(1.0..=1.0, cells.into_iter().map(|cell| (cell, 1.0)));
    let people = (0..size).map(|at| one((0..size).map(|task| at * size + task).collect()));
    let tasks = (0..size).map(|task| one((0..size).map(|at| at * size + task).collect()));
    Program {
        columns: values.iter().map(|objective| column(0.0..=1.0, *objective, true)).collect(),
        rows: people.chain(tasks).collect(),
        constant: -7.5,
    }
}

/// A market split: customers with shares in several markets, to be divided into two halves (Cornuejols and Dawande
/// 1998). The optimum is 0 or slightly less, and no solver can prove it soon. The start puts all customers on one side.
pub(crate) fn market_split(customers: usize, markets: usize) -> (Program, Vec<f64>) {
    let mut program = Program::default();
    program.columns.extend((0..customers).map(|_| column(0.0..=1.0, 0.0, true)));
    let mut start = vec![0.0; customers];
    for market in 0..markets {
        let shares = draws(100 + market as u64, customers, 99);
        let half = (shares.iter().sum::<f64>() / 2.0).floor();
        let (over, under) = (program.columns.len(), program.columns.len() + 1);
        program.columns.extend([column(0.0..=FREE, -1.0, false); 2]);
        let ends = [(over, -1.0), (under, 1.0)];
        program.rows.push(row(half..=half, shares.into_iter().enumerate().chain(ends)));
        start.extend([0.0, half]);
    }
    (program, start)
}

/// The optimum over all integers within the columns' bounds, by enumeration. `None` if the program is infeasible.
pub(crate) fn brute_force(program: &Program) -> Option<f64> {
    fn deeper(program: &Program, values: &mut Vec<f64>) -> Option<f64> {
        let Some(column) = program.columns.get(values.len()) else {
            return is_feasible(program, values).then(|| objective(program, values));
        };
        let mut best: Option<f64> = None;
        for value in column.lower as i64..=column.upper as i64 {
            values.push(value as f64);
            best =
                deeper(program, values).map(|one| best.map_or(one, |best| best.max(one))).or(best);
            values.pop();
        }
        best
    }
    deeper(program, &mut Vec::new())
}

pub(crate) fn objective(program: &Program, values: &[f64]) -> f64 {
    let columns = program.columns.iter().zip(values);
    program.constant + columns.map(|(column, value)| column.objective * value).sum::<f64>()
}

pub(crate) fn is_feasible(program: &Program, values: &[f64]) -> bool {
    let within =
        |value: f64, lower: f64, upper: f64| lower - 1e-5 <= value && value <= upper + 1e-5;
    let columns = program.columns.iter().zip(values);
    values.len() == program.columns.len()
        && columns.into_iter().all(|(column, value)| {
            within(*value, column.lower, column.upper)
                && (!column.integer || (value - value.round()).abs() < 1e-5)
        })
        && program.rows.iter().all(|row| {
            let sum = row.terms.iter().map(|(column, factor)| factor * values[*column]).sum();
            within(sum, row.lower, row.upper)
        })
}
