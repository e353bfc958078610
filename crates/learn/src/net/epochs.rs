//! Training epochs of an ensemble of nets whose scores are averaged.
//!
//! Nets with hidden units converge to different minima, depending on their initial weights and on
//! the order of the lists; the mean of a few is better than each of them (Hansen and Salamon 1990).
//! They are trained independently, in parallel, and evaluated together. A linear score has a single
//! minimum and needs no ensemble.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::adam::Adam;
use super::batch::NetLoss;
use super::params::Optimiser;
use super::shape::Shape;
use crate::dense::Dense;
use crate::error::FitError;
use crate::loss::Loss;
use crate::run::Objective;
use crate::run::Steps;
use stakes_core::Lists;
use stakes_model::{Activation, Input, Net};

/// The options of training nets.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct NetTraining {
    /// The number of units of each hidden layer.
    pub(crate) hidden: Vec<usize>,
    pub(crate) activation: Activation,
    /// The number of nets that are averaged, if they have hidden units.
    pub(crate) nets: usize,
    pub(crate) optimiser: Optimiser,
    /// The learning rate.
    pub(crate) rate: f64,
    /// l2 / 2 x the sum of squared weights is added to the mean loss of lists.
    pub(crate) l2: f64,
    /// The number of lists per step; 0 for that of [`batch_for`].
    pub(crate) batch: usize,
    pub(crate) seed: u64,
}

/// An ensemble of nets in training.
pub(crate) struct Epochs<'e> {
    training: NetTraining,
    loss: NetLoss<'e>,
    /// The seed of the draws and the optimiser of each net.
    members: Vec<(u64, Adam)>,
    /// The parameters of all nets.
    numbers: Vec<f64>,
}

/// The running mean is taken over an epoch, but over at least this many steps.
const MIN_HORIZON: usize = 16;

/// Returns the default number of lists per step. Single lists give the best results, but too little
/// work for several threads; with very many lists, batches of a few are as good.
fn batch_for(lists: usize) -> usize {
    const STEPS: usize = 500;
    const MAX_BATCH: usize = 32;
    lists.div_ceil(STEPS).min(MAX_BATCH)
}

impl<'e> Epochs<'e> {
    pub(crate) fn new(
        mut training: NetTraining,
        rows: &'e Dense,
        lists: &'e Lists,
        loss: &'e dyn Loss,
    ) -> Self {
        if training.batch == 0 {
            training.batch = batch_for(lists.len());
        }
        if training.hidden.is_empty() {
            training.nets = 1;
        }
        let shape = Shape::new(rows.width(), &training.hidden, training.activation);
        let steps = lists.len().div_ceil(training.batch);
        let horizon = steps.max(MIN_HORIZON) as f64;
        let member = |net: usize| {
            let seed = Stream::new(purpose(training.seed, b"net-each"), net as u64).word(0);
            (seed, Adam::new(shape.initial(seed), training.rate, horizon))
        };
        let members: Vec<(u64, Adam)> = (0..training.nets).map(member).collect();
        let objective = Objective::new(loss, lists);
        let parts = shape.parts();
        let loss = NetLoss { shape, parts, rows, lists, objective };
        let mut epochs = Epochs { training, loss, members, numbers: Vec::new() };
        epochs.gather();
        epochs
    }

    /// Collects the parameters of all nets, which are the running means.
    fn gather(&mut self) {
        self.numbers.clear();
        self.numbers.extend(self.members.iter().flat_map(|(_, adam)| &adam.mean));
    }
}

/// Returns all lists in the random order of a round.
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
        let (loss, training) = (&self.loss, &self.training);
        self.members.par_iter_mut().for_each(|(seed, adam)| {
            for lists in shuffled(loss.lists.len(), *seed, round).chunks(training.batch) {
                let mut gradient = loss.gradient(lists, &adam.current);
                for part in &loss.parts {
                    let weights = adam.current[part.weights.clone()].iter();
                    let gradient = gradient[part.weights.clone()].iter_mut();
                    gradient.zip(weights).for_each(|(g, weight)| *g += training.l2 * weight);
                }
                match training.optimiser {
                    Optimiser::Adam => adam.step(&gradient),
                    Optimiser::Descent => adam.descend(&gradient),
                }
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
        self.loss.shape.net(inputs, numbers)
    }
}
