//! A regularisation path: the minima for several strengths of the loss (or of the penalty).
//!
//! Each round is the minimum for one strength, with the previous minimum as its start, which takes
//! few steps. The goal's metric on validation lists selects the best. A coarse grid comes first,
//! and then the best strength of the grid times 0.6, 0.8, 1.2 and 1.4 (He, section 4). Without
//! validation lists a single strength is used.

use crate::error::FitError;
use crate::newton::Minimum;
use crate::run::Steps;
use stakes_model::{Input, Net};

/// Factors that are tried with the best strength of the grid.
const REFINEMENT: [f64; 4] = [0.6, 0.8, 1.2, 1.4];

/// What rounds are made of.
pub(crate) const NEWTON: &str = "steps of Newton's method";
pub(crate) const PASSES: &str = "passes over all lists";

/// The strengths of all rounds.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Strengths {
    /// Those that come first.
    pub(crate) grid: Vec<f64>,
    /// Whether others around the best of them follow.
    refined: bool,
}

impl Strengths {
    /// A single strength.
    pub(crate) fn one(strength: f64) -> Self {
        Strengths { grid: vec![strength], refined: false }
    }

    /// These strengths.
    pub(crate) fn of(grid: Vec<f64>) -> Self {
        Strengths { grid, refined: false }
    }

    /// A grid that is refined around its best strength.
    pub(crate) fn search(grid: Vec<f64>) -> Self {
        Strengths { grid, refined: true }
    }

    /// A search from one strength to another, with two for each power of ten: 1, 3, 10, 30 ...
    pub(crate) fn between(from: f64, to: f64) -> Self {
        let halves = |of: f64| (2.0 * of.log10()).round() as i32;
        let (from, to) = (halves(from), halves(to));
        let of =
            |half: i32| 10_f64.powi(half.div_euclid(2)) * if half % 2 == 0 { 1.0 } else { 3.0 };
        Strengths::search(match from <= to {
            true => (from..=to).map(of).collect(),
            false => (to..=from).rev().map(of).collect(),
        })
    }

    /// The number of rounds.
    pub(crate) fn rounds(&self) -> usize {
        self.grid.len() + if self.refined { REFINEMENT.len() } else { 0 }
    }

    /// Returns the strength of a round, counted from 0, given the best round of the grid, from 1.
    fn in_round(&self, round: usize, best: usize) -> f64 {
        match self.grid.get(round) {
            Some(strength) => *strength,
            None => self.grid[best - 1] * REFINEMENT[round - self.grid.len()],
        }
    }
}

/// Finds the minimum for a strength, starting from the weights for another one.
pub(crate) type Solve<'p> = dyn Fn(f64, &[f64]) -> Minimum + 'p;

/// A path of minima.
pub(crate) struct Path<'p> {
    /// The names of the strength and of the steps, for the summary.
    what: &'static str,
    work: &'static str,
    strengths: Strengths,
    solve: &'p Solve<'p>,
    /// A weight for each input and, if there is one more, the bias.
    numbers: Vec<f64>,
    inputs: usize,
    /// The best round of the grid, from 1.
    best: usize,
    /// The number of Newton steps (or passes of descent) of each round; 0 for a direct solution.
    steps: Vec<f64>,
}

impl<'p> Path<'p> {
    /// Creates a path that starts with a weight of 0 for each input.
    pub(crate) fn new(
        what: &'static str,
        strengths: Strengths,
        inputs: usize,
        solve: &'p Solve<'p>,
    ) -> Self {
        Path {
            what,
            work: NEWTON,
            strengths,
            solve,
            numbers: vec![0.0; inputs],
            inputs,
            best: 1,
            steps: Vec::new(),
        }
    }

    /// Names the steps of a round.
    pub(crate) fn made_of(mut self, work: &'static str) -> Self {
        self.work = work;
        self
    }

    /// Adds a bias.
    pub(crate) fn biased(mut self) -> Self {
        self.numbers.push(0.0);
        self
    }
}

impl Steps for Path<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        let minimum = (self.solve)(self.strengths.in_round(round, self.best), &self.numbers);
        self.numbers = minimum.weights;
        self.steps.push(minimum.steps as f64);
        Ok(true)
    }

    fn judged(&mut self, best: usize) {
        if best <= self.strengths.grid.len() {
            self.best = best;
        }
    }

    fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    fn memory(&self) -> Vec<f64> {
        std::iter::once(self.best as f64).chain(self.steps.iter().copied()).collect()
    }

    fn can_remember(&self, len: usize, rounds: usize) -> bool {
        len == 1 + rounds
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        self.numbers = numbers.to_vec();
        if let Some((&best, steps)) = memory.split_first() {
            self.best = (best as usize).clamp(1, self.strengths.grid.len());
            self.steps = steps.to_vec();
        }
    }

    fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        Net::linear(inputs.to_vec(), numbers[..self.inputs].to_vec())
    }

    fn start(&self, numbers: &[f64]) -> f64 {
        numbers.get(self.inputs).copied().unwrap_or(0.0)
    }

    fn also(&self, rounds: usize) -> Vec<(String, Vec<f64>)> {
        let strengths =
            (0..rounds).map(|round| self.strengths.in_round(round, self.best)).collect();
        let mut also = vec![(self.what.to_owned(), strengths)];
        if self.steps.iter().any(|steps| *steps > 0.0) {
            also.push((self.work.to_owned(), self.steps.clone()));
        }
        also
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_grid_and_around_its_best() {
        let strengths = Strengths::between(1e-4, 10.0);
        assert_eq!((strengths.grid.len(), strengths.rounds()), (11, 15));
        let solve = |strength: f64, _: &[f64]| Minimum {
            weights: vec![strength, 7.0],
            value: 0.0,
            steps: 3,
        };
        let mut path = Path::new("c", strengths, 1, &solve).biased();
        let mut met = Vec::new();
        for round in 0..15 {
            path.step(round).unwrap();
            met.push(path.numbers()[0]);
            // 0.3 is best, until 0.36 is better.
            path.judged(if round < 7 {
                round + 1
            } else if round < 13 {
                8
            } else {
                14
            });
        }
        let expected = [1e-4, 3e-4, 1e-3, 3e-3, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0];
        let near = |a: &f64, b: &f64| (a - b).abs() < 1e-12 * b;
        assert!(met.iter().zip(&expected).all(|(a, b)| near(a, b)), "{met:?}");
        assert!(met[11..].iter().zip(&[0.18, 0.24, 0.36, 0.42]).all(|(a, b)| near(a, b)));
        assert_eq!(path.also(15)[0].1, met);
        assert_eq!((path.start(path.numbers()), path.net(&[], &[1.0, 2.0]).layers.len()), (7.0, 1));
        // Resumed after the grid, it continues as it would have.
        let mut other = Path::new("c", Strengths::between(1e-4, 10.0), 1, &solve).biased();
        other.resume(&[1.0, 7.0], &path.memory());
        other.judged(14);
        other.step(14).unwrap();
        assert_eq!(other.numbers(), path.numbers());
        assert_eq!(path.also(15)[1].1, [3.0; 15]);
    }

    #[test]
    fn down_as_well_as_up() {
        let grid = Strengths::between(10.0, 0.1).grid;
        let near = grid.iter().zip([10.0, 3.0, 1.0, 0.3, 0.1]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near && grid.len() == 5, "{grid:?}");
    }
}
