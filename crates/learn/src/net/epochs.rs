//! Epoch after epoch: the rounds of a net.

use stakes_core::random::{Stream, purpose};

use super::adam::Adam;
use super::batch::Learned;
use super::shape::Shape;
use crate::dense::{Dense, Steps};
use crate::fit::FitError;
use crate::lists::Lists;
use crate::loss::Loss;
use crate::model::{Activation, Input, Net};
use crate::objective::Objective;

/// How a net learns.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Learning {
    /// Units of hidden layers.
    pub(crate) hidden: Vec<usize>,
    pub(crate) activation: Activation,
    /// The length of a step.
    pub(crate) rate: f64,
    /// l2 / 2 x the sum of squared weights is added to the loss.
    pub(crate) l2: f64,
    /// Lists of a step; 0: as [`batch_for`] says.
    pub(crate) batch: usize,
    /// All rounds that there may be.
    pub(crate) rounds: usize,
    pub(crate) seed: u64,
}

/// A net on its way.
pub(crate) struct Epochs<'e> {
    learning: Learning,
    learned: Learned<'e>,
    adam: Adam,
}

/// Lists of a step where nobody says: few lists make many steps of an epoch, many lists make
/// gradients that are worth a step.
fn batch_for(lists: usize) -> usize {
    lists.div_ceil(STEPS).min(LARGEST_BATCH)
}

const STEPS: usize = 16;
const LARGEST_BATCH: usize = 32;

impl<'e> Epochs<'e> {
    pub(crate) fn new(
        mut learning: Learning,
        rows: &'e Dense,
        lists: &'e Lists,
        loss: &'e dyn Loss,
    ) -> Self {
        if learning.batch == 0 {
            learning.batch = batch_for(lists.len());
        }
        let shape = Shape::new(rows.width(), &learning.hidden, learning.activation);
        let begin = shape.begin(learning.seed);
        // The running mean reaches back an epoch, but not less than so many steps.
        let horizon = lists.len().div_ceil(learning.batch).max(STEPS) as f64;
        let adam = Adam::new(begin, learning.rate, horizon);
        let objective = Objective::new(loss, lists);
        let parts = shape.parts();
        Epochs { learning, learned: Learned { shape, parts, rows, lists, objective }, adam }
    }

    /// All lists, in the order of this round.
    fn order(&self, round: usize) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.learned.lists.len() as u32).collect();
        let draws = Stream::new(purpose(self.learning.seed, b"net-sort"), round as u64);
        for last in (1..order.len()).rev() {
            order.swap(last, draws.below(last as u64, last + 1));
        }
        order
    }
}

impl Steps for Epochs<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        let share = 1.0;
        for lists in self.order(round).chunks(self.learning.batch) {
            let mut gradient = self.learned.gradient(lists, &self.adam.current);
            for part in &self.learned.parts {
                let weights = part.weights.clone();
                let penalty =
                    self.adam.current[weights.clone()].iter().map(|w| self.learning.l2 * w);
                gradient[weights].iter_mut().zip(penalty).for_each(|(g, p)| *g += p);
            }
            self.adam.step(&gradient, share);
        }
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.adam.mean
    }

    fn memory(&self) -> Vec<f64> {
        self.adam.memory()
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        self.adam.resume(numbers, memory);
    }

    fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        self.learned.shape.net(inputs, numbers)
    }
}
