//! Epoch after epoch: the rounds of a few nets whose scores are averaged.
//!
//! Nets with hidden units end up in different places, by where they began and in which order
//! they saw the lists; the mean of a few is better than each of them (Hansen and Salamon, Neural
//! network ensembles, 1990). They learn side by side, each by itself, and are judged together.
//! A linear score has one best place, and needs no company.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::adam::Adam;
use super::batch::Learned;
use super::shape::Shape;
use crate::dense::Dense;
use crate::error::FitError;
use crate::loss::Loss;
use crate::run::Objective;
use crate::run::Steps;
use stakes_core::Lists;
use stakes_model::{Activation, Input, Net};

/// How nets learn.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Learning {
    /// Units of hidden layers.
    pub(crate) hidden: Vec<usize>,
    pub(crate) activation: Activation,
    /// How many nets are averaged, if they have hidden units.
    pub(crate) nets: usize,
    /// The length of a step.
    pub(crate) rate: f64,
    /// l2 / 2 x the sum of squared weights is added to the mean loss of lists.
    pub(crate) l2: f64,
    /// Lists of a step; 0: as [`batch_for`] says.
    pub(crate) batch: usize,
    pub(crate) seed: u64,
}

/// Nets on their way.
pub(crate) struct Epochs<'e> {
    learning: Learning,
    learned: Learned<'e>,
    /// One for each net, and the seed of its draws.
    members: Vec<(u64, Adam)>,
    /// The numbers of all nets.
    numbers: Vec<f64>,
}

/// The running mean reaches back an epoch, but not less than so many steps.
const SHORTEST_HORIZON: usize = 16;

/// Lists of a step where nobody says. Single lists do best, but make steps that threads cannot
/// share; with very many lists a few together are as good.
fn batch_for(lists: usize) -> usize {
    const STEPS: usize = 500;
    const LARGEST: usize = 32;
    lists.div_ceil(STEPS).min(LARGEST)
}

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
        if learning.hidden.is_empty() {
            learning.nets = 1;
        }
        let shape = Shape::new(rows.width(), &learning.hidden, learning.activation);
        let steps = lists.len().div_ceil(learning.batch);
        let horizon = steps.max(SHORTEST_HORIZON) as f64;
        let member = |net: usize| {
            let seed = Stream::new(purpose(learning.seed, b"net-each"), net as u64).word(0);
            (seed, Adam::new(shape.begin(seed), learning.rate, horizon))
        };
        let members: Vec<(u64, Adam)> = (0..learning.nets).map(member).collect();
        let objective = Objective::new(loss, lists);
        let parts = shape.parts();
        let learned = Learned { shape, parts, rows, lists, objective };
        let mut epochs = Epochs { learning, learned, members, numbers: Vec::new() };
        epochs.gather();
        epochs
    }

    /// The numbers of all nets are the running means of each.
    fn gather(&mut self) {
        self.numbers.clear();
        self.numbers.extend(self.members.iter().flat_map(|(_, adam)| &adam.mean));
    }
}

/// All lists, in the order of a round.
fn shuffled(lists: usize, seed: u64, round: usize) -> Vec<u32> {
    let mut order: Vec<u32> = (0..lists as u32).collect();
    let draws = Stream::new(purpose(seed, b"net-sort"), round as u64);
    for last in (1..order.len()).rev() {
        order.swap(last, draws.below(last as u64, last + 1));
    }
    order
}

impl Steps for Epochs<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        let (learned, learning) = (&self.learned, &self.learning);
        self.members.par_iter_mut().for_each(|(seed, adam)| {
            for lists in shuffled(learned.lists.len(), *seed, round).chunks(learning.batch) {
                let mut gradient = learned.gradient(lists, &adam.current);
                for part in &learned.parts {
                    let weights = adam.current[part.weights.clone()].iter();
                    let gradient = gradient[part.weights.clone()].iter_mut();
                    gradient.zip(weights).for_each(|(g, weight)| *g += learning.l2 * weight);
                }
                adam.step(&gradient);
            }
        });
        self.gather();
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.numbers
    }

    fn memory(&self) -> Vec<f64> {
        self.members.iter().flat_map(|(_, adam)| adam.memory()).collect()
    }

    fn resume(&mut self, numbers: &[f64], memory: &[f64]) {
        let each = self.members.len();
        let numbers = numbers.chunks(numbers.len() / each);
        let memory = memory.chunks(memory.len() / each);
        for ((_, adam), (numbers, memory)) in self.members.iter_mut().zip(numbers.zip(memory)) {
            adam.resume(numbers, memory);
        }
        self.gather();
    }

    fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        self.learned.shape.net(inputs, numbers)
    }
}
