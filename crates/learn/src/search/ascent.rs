//! Coordinate ascent on any metric of an order (Metzler and Croft, Linear feature-based models for
//! information retrieval, 2007; McBride et al., Cost-sensitive learning to rank).
//!
//! One weight is moved at a time, each to where the metric is best on its whole line, until a pass
//! over all of them is not worth its while, and neither are random directions of all weights. That
//! need not be the top: several climbers start, from all inputs alike, from the best single input and from
//! random weights, and the best of them is the model. When all are at rest one more starts from
//! the mean of where the better half is, which is often good for other lists.
//!
//! A round is a pass of all climbers, each on its own. What is drawn depends on seed, climber and
//! round alone, so a run can be left and taken up.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::climber::{Climber, Ground};
use super::target::Target;
use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;

/// How to climb.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Climb {
    /// Climbers that start.
    pub(crate) restarts: usize,
    /// What a pass must add to the metric for a climber to go on.
    pub(crate) tolerance: f64,
    /// Penalty on uneven weights.
    pub(crate) l2: f64,
    /// Whether validation lists choose the round: then they are shown the mean, too.
    pub(crate) validated: bool,
    pub(crate) seed: u64,
}

/// Climbers on their way.
pub(crate) struct Ascent<'a> {
    climb: Climb,
    ground: Ground<'a>,
    climbers: Vec<Climber>,
    /// The weights of the model.
    shown: Vec<f64>,
}

impl<'a> Ascent<'a> {
    /// Climbers at their starts.
    pub(crate) fn new(
        target: &'a Target<'a>,
        inputs: &'a Dense,
        climb: Climb,
    ) -> Result<Self, FitError> {
        let ground = Ground::new(target, inputs, climb.l2);
        let starts = starts(&ground, climb.restarts, climb.seed)?;
        let climbers = starts.into_par_iter().map(|weights| Climber::new(&ground, weights));
        let climbers = climbers.collect::<Result<Vec<_>, _>>()?;
        let mut ascent = Ascent { climb, ground, climbers, shown: Vec::new() };
        ascent.show();
        Ok(ascent)
    }

    /// Whether the climber from the mean has started.
    fn has_mean(&self) -> bool {
        self.climbers.len() > self.climb.restarts
    }

    fn show(&mut self) {
        let mut best = &self.climbers[0];
        for climber in &self.climbers[1..] {
            best = if climber.value > best.value { climber } else { best };
        }
        let shown = match self.climbers.last() {
            Some(mean) if self.climb.validated && self.has_mean() => mean,
            _ => best,
        };
        self.shown = shown.weights.clone();
    }
}

impl Steps for Ascent<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        if self.climbers.iter().all(|climber| climber.at_rest) {
            match mean(&self.climbers) {
                Some(weights) if !self.has_mean() && self.climbers.len() > 1 => {
                    self.climbers.push(Climber::new(&self.ground, weights)?);
                }
                _ => return Ok(false),
            }
        }
        let seed = purpose(self.climb.seed, b"passages");
        let (ground, tolerance) = (&self.ground, self.climb.tolerance);
        let climbers = self.climbers.par_iter_mut().enumerate();
        let passes = climbers.filter(|(_, climber)| !climber.at_rest).map(|(number, climber)| {
            let draws = Stream::new(seed, ((number as u64) << 32) + round as u64);
            climber.pass(ground, draws, tolerance)
        });
        passes.collect::<Result<(), _>>()?;
        self.show();
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.shown
    }

    fn memory(&self) -> Vec<f64> {
        let state = |c: &Climber| [c.value, f64::from(u8::from(c.at_rest))];
        self.climbers.iter().flat_map(|c| c.weights.iter().copied().chain(state(c))).collect()
    }

    fn resume(&mut self, _numbers: &[f64], memory: &[f64]) {
        let inputs = self.ground.columns().len();
        let climber = |kept: &[f64]| {
            let (weights, state) = kept.split_at(inputs);
            Climber::at(&self.ground, weights.to_vec(), state[0], state[1] != 0.0)
        };
        self.climbers = memory.chunks_exact(inputs + 2).map(climber).collect();
        self.show();
    }
}

/// The mean of the directions that the better half of the climbers came to.
fn mean(climbers: &[Climber]) -> Option<Vec<f64>> {
    let mut better: Vec<&Climber> = climbers.iter().collect();
    better.sort_by(|a, b| b.value.total_cmp(&a.value));
    better.truncate(climbers.len().div_ceil(2));
    let mut mean = vec![0.0; climbers[0].weights.len()];
    for climber in &better {
        let length = climber.weights.iter().map(|w| w * w).sum::<f64>().sqrt();
        let share = if length > 0.0 { 1.0 / (length * better.len() as f64) } else { 0.0 };
        mean.iter_mut().zip(&climber.weights).for_each(|(mean, w)| *mean += share * w);
    }
    mean.iter().any(|w| *w != 0.0).then_some(mean)
}

/// Where climbers start: all inputs alike, each in its better direction; the best input alone; all
/// upwards; weights drawn from -1 to 1.
fn starts(ground: &Ground<'_>, count: usize, seed: u64) -> Result<Vec<Vec<f64>>, FitError> {
    let value = |column: &Vec<f64>| -> Result<(f64, f64), FitError> {
        let up = ground.target().value(column)?;
        let down = ground.target().value(&column.iter().map(|x| -x).collect::<Vec<_>>())?;
        Ok(if up >= down { (up, 1.0) } else { (down, -1.0) })
    };
    let alone = ground.columns().par_iter().map(value).collect::<Result<Vec<_>, _>>()?;
    let best =
        (0..alone.len()).fold(0, |best, i| if alone[i].0 > alone[best].0 { i } else { best });
    let seed = purpose(seed, b"starting");
    let start = |number: usize| -> Vec<f64> {
        let draws = Stream::new(seed, number as u64);
        let weight = |(input, &(_, sign)): (usize, &(f64, f64))| match number {
            0 => sign,
            1 => sign * f64::from(u8::from(input == best)),
            2 => 1.0,
            _ => 2.0 * draws.unit(input as u64) - 1.0,
        };
        alone.iter().enumerate().map(weight).collect()
    };
    Ok((0..count).map(start).collect())
}
