//! One minimum after another, along a path of strengths.
//!
//! Each round is the minimum for one strength of the loss (or of the penalty), looked for from the
//! one before, which takes few steps. The metric of the goal on validation lists says which is
//! best. A coarse grid comes first and then the best of it times 0.6, 0.8, 1.2 and 1.4 (He,
//! Cost-Sensitive Learning for Listwise Ranking Functions, section 4). Without validation lists one
//! strength is taken.

use crate::error::FitError;
use crate::newton::Minimum;
use crate::run::Steps;
use stakes_model::{Input, Net};

/// Around the best of the grid.
const AROUND: [f64; 4] = [0.6, 0.8, 1.2, 1.4];

/// Strengths, one for each round.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Strengths {
    /// This one.
    One(f64),
    /// These, and around the best of them.
    Search(Vec<f64>),
}

impl Strengths {
    /// From one to the other, two for each power of ten: 1, 3, 10, 30 ...
    pub(crate) fn between(from: f64, to: f64) -> Self {
        let halves = |of: f64| (2.0 * of.log10()).round() as i32;
        let (from, to) = (halves(from), halves(to));
        let of =
            |half: i32| 10_f64.powi(half.div_euclid(2)) * if half % 2 == 0 { 1.0 } else { 3.0 };
        Strengths::Search(match from <= to {
            true => (from..=to).map(of).collect(),
            false => (to..=from).rev().map(of).collect(),
        })
    }

    /// How many rounds there are.
    pub(crate) fn rounds(&self) -> usize {
        match self {
            Strengths::One(_) => 1,
            Strengths::Search(grid) => grid.len() + AROUND.len(),
        }
    }

    /// The strength of a round, from 0, if this round of the grid was the best, from 1.
    fn of(&self, round: usize, best: usize) -> f64 {
        match self {
            Strengths::One(one) => *one,
            Strengths::Search(grid) => match grid.get(round) {
                Some(strength) => *strength,
                None => grid[best - 1] * AROUND[round - grid.len()],
            },
        }
    }

    /// How many rounds the grid has.
    fn grid(&self) -> usize {
        match self {
            Strengths::One(_) => 1,
            Strengths::Search(grid) => grid.len(),
        }
    }
}

/// The minimum for a strength, looked for from the numbers of another one.
pub(crate) type Solve<'p> = dyn Fn(f64, &[f64]) -> Minimum + 'p;

/// A path of minima.
pub(crate) struct Path<'p> {
    /// What strengths are, for the summary.
    what: &'static str,
    strengths: Strengths,
    solve: &'p Solve<'p>,
    /// A weight for each input and, if there is one more, the bias.
    numbers: Vec<f64>,
    inputs: usize,
    /// The best round of the grid, from 1.
    best: usize,
    /// Steps of Newton's method, by round; 0 if there are none.
    steps: Vec<f64>,
}

impl<'p> Path<'p> {
    /// Begins with numbers of 0: a weight for each input.
    pub(crate) fn new(
        what: &'static str,
        strengths: Strengths,
        inputs: usize,
        solve: &'p Solve<'p>,
    ) -> Self {
        Path {
            what,
            strengths,
            solve,
            numbers: vec![0.0; inputs],
            inputs,
            best: 1,
            steps: Vec::new(),
        }
    }

    /// The same with a bias.
    pub(crate) fn biased(mut self) -> Self {
        self.numbers.push(0.0);
        self
    }
}

impl Steps for Path<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        let minimum = (self.solve)(self.strengths.of(round, self.best), &self.numbers);
        self.numbers = minimum.weights;
        self.steps.push(minimum.steps as f64);
        Ok(true)
    }

    fn judged(&mut self, best: usize) {
        if best <= self.strengths.grid() {
            self.best = best;
        }
    }

    fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    fn memory(&self) -> Vec<f64> {
        std::iter::once(self.best as f64).chain(self.steps.iter().copied()).collect()
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        self.numbers = numbers.to_vec();
        if let Some((&best, steps)) = memory.split_first() {
            self.best = (best as usize).clamp(1, self.strengths.grid());
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
        let strengths = (0..rounds).map(|round| self.strengths.of(round, self.best)).collect();
        let mut also = vec![(self.what.to_owned(), strengths)];
        if self.steps.iter().any(|steps| *steps > 0.0) {
            also.push(("steps of Newton's method".to_owned(), self.steps.clone()));
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
        assert_eq!((strengths.grid(), strengths.rounds()), (11, 15));
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
        // Taken up after the grid, it goes on as it would have.
        let mut other = Path::new("c", Strengths::between(1e-4, 10.0), 1, &solve).biased();
        other.resume(&[1.0, 7.0], &path.memory());
        other.judged(14);
        other.step(14).unwrap();
        assert_eq!(other.numbers(), path.numbers());
        assert_eq!(path.also(15)[1].1, [3.0; 15]);
    }

    #[test]
    fn down_as_well_as_up() {
        let Strengths::Search(grid) = Strengths::between(10.0, 0.1) else { panic!() };
        let near = grid.iter().zip([10.0, 3.0, 1.0, 0.3, 0.1]).all(|(a, b)| (a - b).abs() < 1e-12);
        assert!(near && grid.len() == 5, "{grid:?}");
    }
}
