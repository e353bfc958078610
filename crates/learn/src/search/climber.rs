//! One start of coordinate ascent on its way up.

use std::cmp::Ordering;

use rayon::prelude::*;
use stakes_core::random::Stream;
use stakes_exact::Sum;
use stakes_exact::line::{Direction, PermanentTies, ROUNDING, Step, best_step};

use super::target::Target;
use super::trial::best_trial;
use crate::dense::Dense;
use crate::error::FitError;

/// What is climbed.
pub(super) struct Ground<'g> {
    target: &'g Target<'g>,
    /// The sum that the target is, unless it has too many crossings to look at them all.
    sum: Option<&'g Sum>,
    inputs: &'g Dense,
    columns: Vec<Vec<f64>>,
    /// Times the sum of squares of weights whose absolute values add up to 1: from 1 / their
    /// number if all are equal up to 1 if there is one only.
    l2: f64,
}

/// Crossings of all lists at most, up to a factor, for which they are all looked at.
const CROSSINGS: usize = 10_000_000;

impl<'g> Ground<'g> {
    pub(super) fn new(target: &'g Target<'g>, inputs: &'g Dense, l2: f64) -> Self {
        let sum = target.sum().filter(|sum| sum.crossings(target.offsets()) <= CROSSINGS);
        Ground { target, sum, inputs, columns: inputs.columns(), l2 }
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

    /// The items of each list by falling score, earlier ones first among equals.
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
        // Mostly in order already, which is what this sort is quick at.
        lists.into_par_iter().with_min_len(16).for_each(|list| list.sort_by(best_first));
    }
}

/// Weights, and what they make of the lists.
#[derive(Debug, Clone)]
pub(super) struct Climber {
    pub(super) weights: Vec<f64>,
    /// The figure, to the bit what the metric says of the model with these weights.
    pub(super) value: f64,
    /// Whether the last pass was not worth its while.
    pub(super) at_rest: bool,
    scores: Vec<f64>,
    order: Vec<u32>,
}

impl Climber {
    pub(super) fn new(ground: &Ground<'_>, weights: Vec<f64>) -> Result<Self, FitError> {
        let climber = Climber::at(ground, weights, 0.0, false);
        Ok(Climber { value: ground.target.value(&climber.scores)?, ..climber })
    }

    /// A climber of whom all is known.
    pub(super) fn at(
        ground: &Ground<'_>,
        mut weights: Vec<f64>,
        value: f64,
        at_rest: bool,
    ) -> Self {
        scale(&mut weights);
        let scores = ground.scores(&weights);
        let mut order: Vec<u32> = (0..scores.len() as u32).collect();
        ground.sort(&scores, &mut order);
        Climber { weights, value, at_rest, scores, order }
    }

    /// Moves every weight once, in the order that is drawn, to where it is best; if that is not
    /// worth its while, all weights at once, in as many directions as there are weights.
    pub(super) fn pass(
        &mut self,
        ground: &Ground<'_>,
        draws: Stream,
        tolerance: f64,
    ) -> Result<(), FitError> {
        let before = self.figure(ground, &self.weights, 0.0);
        let width = self.weights.len();
        let mut inputs: Vec<usize> = (0..width).collect();
        for last in (1..width).rev() {
            inputs.swap(last, draws.below(last as u64, last + 1));
        }
        for input in inputs {
            let mut way = vec![0.0; width];
            way[input] = 1.0;
            self.step(ground, &way, &ground.columns[input])?;
        }
        let risen = |climber: &Climber| climber.figure(ground, &climber.weights, 0.0) - before;
        if width > 1 && risen(self) < tolerance {
            for number in 1..=width as u64 {
                let unit = |input: u64| draws.unit((number << 32) + input);
                let way: Vec<f64> = (0..width as u64).map(|i| 2.0 * unit(i) - 1.0).collect();
                self.step(ground, &way, &ground.scores(&way))?;
            }
        }
        self.at_rest = risen(self) < tolerance;
        Ok(())
    }

    /// What must rise, so far along a way: the value less the penalty.
    fn figure(&self, ground: &Ground<'_>, way: &[f64], by: f64) -> f64 {
        self.value - self.penalty(ground, way, by)
    }

    fn penalty(&self, ground: &Ground<'_>, way: &[f64], by: f64) -> f64 {
        if ground.l2 == 0.0 {
            return 0.0;
        }
        let (mut squares, mut sizes) = (0.0, 0.0);
        for (weight, way) in self.weights.iter().zip(way) {
            let weight = weight + by * way;
            squares += weight * weight;
            sizes += weight.abs();
        }
        if sizes == 0.0 { 0.0 } else { ground.l2 * squares / (sizes * sizes) }
    }

    /// Goes along a way if the metric says that it is better thereafter.
    fn step(&mut self, ground: &Ground<'_>, way: &[f64], slopes: &[f64]) -> Result<(), FitError> {
        let before = self.figure(ground, way, 0.0);
        let best = self.best_step(ground, way, slopes)?;
        if best.value <= before + ROUNDING {
            return Ok(());
        }
        let mut moved: Vec<f64> =
            self.weights.iter().zip(way).map(|(weight, way)| weight + best.by * way).collect();
        scale(&mut moved);
        let scores = ground.scores(&moved);
        let value = ground.target.value(&scores)?;
        let was = std::mem::replace(&mut self.weights, moved);
        let was_value = std::mem::replace(&mut self.value, value);
        if self.figure(ground, way, 0.0) > before + ROUNDING {
            self.scores = scores;
            ground.sort(&self.scores, &mut self.order);
        } else {
            (self.weights, self.value) = (was, was_value);
        }
        Ok(())
    }

    /// The best step along a way; its value is what is left of it after the penalty.
    pub(super) fn best_step(
        &self,
        ground: &Ground<'_>,
        way: &[f64],
        slopes: &[f64],
    ) -> Result<Step, FitError> {
        let penalty = |by: f64| self.penalty(ground, way, by);
        let direction = Direction {
            offsets: ground.target.offsets(),
            order: &self.order,
            scores: &self.scores,
            slopes,
            permanent_ties: PermanentTies::MeanGain,
        };
        let step = match ground.sum {
            Some(sum) => best_step(sum, &direction, penalty),
            None => best_trial(&direction, penalty, |scores| ground.target.value(scores))?,
        };
        Ok(Step { value: step.value - penalty(step.by), ..step })
    }
}

/// Brings the sum of absolute weights between 1/2 and 1 by a power of two, which leaves every
/// order and every tie as it was.
fn scale(weights: &mut [f64]) {
    let sizes: f64 = weights.iter().map(|w| w.abs()).sum();
    if sizes > 0.0 && sizes.is_finite() {
        let factor = (-(sizes.log2().floor() + 1.0)).exp2();
        weights.iter_mut().for_each(|w| *w *= factor);
    }
}
