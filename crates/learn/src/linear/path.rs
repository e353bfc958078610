//! One minimum after another, along a path of strengths of the loss.
//!
//! Each round is the minimum of 1/2 |w|^2 + c loss(w) for one c; the next one is looked for from
//! there, which takes few steps. The metric of the goal on validation lists says which c is best.
//! As in paper 002, section 4, a coarse grid comes first and then the best of it times 0.6, 0.8,
//! 1.2 and 1.4. The grid has two strengths for each power of ten, from 1e-4 to 10.
//!
//! Without validation lists nothing can choose, and one strength is taken.

use crate::dense::Steps;
use crate::fit::FitError;
use crate::newton::{Smooth, minimise};

/// From 1e-4 to 10 in half powers of ten.
const GRID: [f64; 11] = [1e-4, 3e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0];

/// Around the best of the grid.
const AROUND: [f64; 4] = [0.6, 0.8, 1.2, 1.4];

/// Strengths of the loss, one for each round.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Strengths {
    /// This one.
    One(f64),
    /// The grid, and around the best of it.
    Search,
}

impl Strengths {
    /// How many rounds there are.
    pub(crate) fn rounds(self) -> usize {
        match self {
            Strengths::One(_) => 1,
            Strengths::Search => GRID.len() + AROUND.len(),
        }
    }

    /// The strength of a round, from 0, if this round of the grid was the best, from 1.
    fn of(self, round: usize, best: usize) -> f64 {
        match self {
            Strengths::One(c) => c,
            Strengths::Search if round < GRID.len() => GRID[round],
            Strengths::Search => GRID[best - 1] * AROUND[round - GRID.len()],
        }
    }
}

/// A path of minima.
pub(crate) struct Path<'p> {
    loss: &'p dyn Smooth,
    strengths: Strengths,
    weights: Vec<f64>,
    /// The best round of the grid, from 1.
    best: usize,
}

impl<'p> Path<'p> {
    /// Begins with weights of 0.
    pub(crate) fn new(loss: &'p dyn Smooth, strengths: Strengths) -> Self {
        Path { loss, strengths, weights: vec![0.0; loss.width()], best: 1 }
    }
}

impl Steps for Path<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        let c = self.strengths.of(round, self.best);
        self.weights = minimise(self.loss, c, &self.weights).weights;
        Ok(true)
    }

    fn judged(&mut self, best: usize) {
        if best <= GRID.len() {
            self.best = best;
        }
    }

    fn numbers(&self) -> &[f64] {
        &self.weights
    }

    fn memory(&self) -> Vec<f64> {
        vec![self.best as f64]
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        self.weights = numbers.to_vec();
        self.best = memory.first().map_or(1, |&best| (best as usize).clamp(1, GRID.len()));
    }

    fn also(&self, rounds: usize) -> Vec<(String, Vec<f64>)> {
        let c = (0..rounds).map(|round| self.strengths.of(round, self.best)).collect();
        vec![("c, the strength of the loss".to_owned(), c)]
    }
}
