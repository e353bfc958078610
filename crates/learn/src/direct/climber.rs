//! One climber of coordinate ascent.

use std::cmp::Ordering;

use rayon::prelude::*;
use stakes_core::random::Stream;
use stakes_exact::Sum;
use stakes_exact::line::{Direction, PermanentTies, ROUNDING, Step, best_step};

use super::target::Target;
use super::trial::best_trial;
use crate::dense::Dense;
use crate::error::FitError;

/// The function that is climbed: the target as a function of weights, less a penalty.
pub(super) struct Landscape<'g> {
    target: &'g Target<'g>,
    /// The target as a sum of gain x discount, if it is one and has few enough crossings to look at
    /// all of them.
    sum: Option<&'g Sum>,
    inputs: &'g Dense,
    columns: Vec<Vec<f64>>,
    /// The penalty is this times the sum of squares of weights whose absolute values add up to 1:
    /// that sum is 1 / number of weights if all are equal, and 1 if only one is not 0.
    l2: f64,
}

/// The maximum number of crossings of all lists, up to a factor, for the exact line search.
const MAX_CROSSINGS: usize = 10_000_000;

impl<'g> Landscape<'g> {
    pub(super) fn new(target: &'g Target<'g>, inputs: &'g Dense, l2: f64) -> Self {
        let sum = target.sum().filter(|sum| sum.crossings(target.offsets()) <= MAX_CROSSINGS);
        Landscape { target, sum, inputs, columns: inputs.columns(), l2 }
    }

    /// The target.
    pub(super) fn target(&self) -> &'g Target<'g> {
        self.target
    }

    /// The values of each input, for all items.
    pub(super) fn columns(&self) -> &[Vec<f64>] {
        &self.columns
    }

    fn scores(&self, weights: &[f64]) -> Vec<f64> {
        let mut scores = vec![0.0; self.inputs.rows()];
        self.inputs.times(weights, &mut scores);
        scores
    }

    /// Sorts the items of each list by falling score; earlier items first among equals.
    fn sort(&self, scores: &[f64], order: &mut [u32]) {
        let mut lists = Vec::new();
        let mut rest = order;
        for ends in self.target.offsets().windows(2) {
            let (list, others) = rest.split_at_mut(ends[1] - ends[0]);
            lists.push(list);
            rest = others;
        }
        let best_first = |a: &u32, b: &u32| {
            let falling = scores[*b as usize].partial_cmp(&scores[*a as usize]);
            falling.unwrap_or(Ordering::Equal).then(a.cmp(b))
        };
        // The order is mostly sorted already, for which this sort is fast.
        lists.into_par_iter().with_min_len(16).for_each(|list| list.sort_by(best_first));
    }
}

/// Weights, and the order of the lists by them.
#[derive(Debug, Clone)]
pub(super) struct Climber {
    pub(super) weights: Vec<f64>,
    /// The figure, equal to the bit to the metric of the model with these weights.
    pub(super) value: f64,
    /// Whether the last pass improved the figure by less than the tolerance.
    pub(super) at_rest: bool,
    scores: Vec<f64>,
    order: Vec<u32>,
}

impl Climber {
    pub(super) fn new(landscape: &Landscape<'_>, weights: Vec<f64>) -> Result<Self, FitError> {
        let climber = Climber::at(landscape, weights, 0.0, false);
        Ok(Climber { value: landscape.target.value(&climber.scores)?, ..climber })
    }

    /// Creates a climber whose value and state are known.
    pub(super) fn at(
        landscape: &Landscape<'_>,
        mut weights: Vec<f64>,
        value: f64,
        at_rest: bool,
    ) -> Self {
        scale(&mut weights);
        let scores = landscape.scores(&weights);
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        landscape.sort(&scores, &mut order);
        Climber { weights, value, at_rest, scores, order }
    }

    /// Moves every weight once, in random order, to its best value; if that improves the figure by
    /// less than the tolerance, also moves all weights along random directions, one for
    /// each weight.
    pub(super) fn pass(
        &mut self,
        landscape: &Landscape<'_>,
        draws: Stream,
        tolerance: f64,
    ) -> Result<(), FitError> {
        let before = self.figure(landscape, &self.weights, 0.0);
        let width = self.weights.len();
        let mut inputs: Vec<usize> = (0..width).collect();
        for last in (1..width).rev() {
            inputs.swap(last, draws.below(last as u64, last + 1));
        }
        for input in inputs {
            let mut way = vec![0.0; width];
            way[input] = 1.0;
            self.step(landscape, &way, &landscape.columns[input])?;
        }
        let risen = |climber: &Climber| climber.figure(landscape, &climber.weights, 0.0) - before;
        if width > 1 && risen(self) < tolerance {
            for number in 1..=width as u64 {
                let unit = |input: u64| draws.unit((number << 32) + input);
                let way: Vec<f64> = (0..width as u64).map(|i| 2.0 * unit(i) - 1.0).collect();
                self.step(landscape, &way, &landscape.scores(&way))?;
            }
        }
        self.at_rest = risen(self) < tolerance;
        Ok(())
    }

    /// Returns the value less the penalty after a step `by` along `way`.
    fn figure(&self, landscape: &Landscape<'_>, way: &[f64], by: f64) -> f64 {
        self.value - self.penalty(landscape, way, by)
    }

    fn penalty(&self, landscape: &Landscape<'_>, way: &[f64], by: f64) -> f64 {
        if landscape.l2 == 0.0 {
            return 0.0;
        }
        let (mut squares, mut sizes) = (0.0, 0.0);
        for (weight, way) in self.weights.iter().zip(way) {
            let weight = weight + by * way;
            squares += weight * weight;
            sizes += weight.abs();
        }
        if sizes == 0.0 { 0.0 } else { landscape.l2 * squares / (sizes * sizes) }
    }

    /// Makes the best step along a direction if the metric confirms that it is an improvement.
    fn step(
        &mut self,
        landscape: &Landscape<'_>,
        way: &[f64],
        slopes: &[f64],
    ) -> Result<(), FitError> {
        let before = self.figure(landscape, way, 0.0);
        let best = self.best_step(landscape, way, slopes)?;
        if best.value <= before + ROUNDING {
            return Ok(());
        }
        let mut moved: Vec<f64> =
            self.weights.iter().zip(way).map(|(weight, way)| weight + best.by * way).collect();
        scale(&mut moved);
        let scores = landscape.scores(&moved);
        let value = landscape.target.value(&scores)?;
        let was = std::mem::replace(&mut self.weights, moved);
        let was_value = std::mem::replace(&mut self.value, value);
        if self.figure(landscape, way, 0.0) > before + ROUNDING {
            self.scores = scores;
            landscape.sort(&self.scores, &mut self.order);
        } else {
            (self.weights, self.value) = (was, was_value);
        }
        Ok(())
    }

    /// Returns the best step along a direction, with its value less the penalty.
    pub(super) fn best_step(
        &self,
        landscape: &Landscape<'_>,
        way: &[f64],
        slopes: &[f64],
    ) -> Result<Step, FitError> {
        let penalty = |by: f64| self.penalty(landscape, way, by);
        let direction = Direction {
            offsets: landscape.target.offsets(),
            order: &self.order,
            scores: &self.scores,
            slopes,
            permanent_ties: PermanentTies::MeanGain,
        };
        let step = match landscape.sum {
            Some(sum) => best_step(sum, &direction, penalty),
            None => best_trial(&direction, penalty, |scores| landscape.target.value(scores))?,
        };
        Ok(Step { value: step.value - penalty(step.by), ..step })
    }
}

/// Scales the sum of absolute weights to between 1/2 and 1 by a power of two, which changes no
/// order and no tie.
fn scale(weights: &mut [f64]) {
    let sizes: f64 = weights.iter().map(|w| w.abs()).sum();
    if sizes > 0.0 && sizes.is_finite() {
        let factor = (-(sizes.log2().floor() + 1.0)).exp2();
        weights.iter_mut().for_each(|w| *w *= factor);
    }
}
