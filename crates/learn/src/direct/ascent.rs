//! Coordinate ascent on any metric of orders (Metzler and Croft 2007), and CS- and CR-Coordinate
//! Ascent (McBride et al. 2019, section 4).
//!
//! One weight is moved at a time, to the maximum of the metric along its whole line, until neither
//! a pass over all weights nor random directions improve the metric enough. That may be a local
//! maximum, so several climbers start: from equal weights of all inputs, from the best single input
//! and from random weights; the best of them is the model. When all have stopped, one more climber
//! starts from the mean of the better half, which often generalises well.
//!
//! A round is a pass of all climbers, independently of each other. Random draws depend only on
//! seed, climber and round, so that training can be interrupted and resumed.

use rayon::prelude::*;
use stakes_core::random::{Stream, purpose};

use super::climber::{Climber, Landscape};
use super::target::Target;
use crate::dense::Dense;
use crate::error::FitError;
use crate::run::Steps;

/// The options of coordinate ascent.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Climb {
    /// The number of climbers.
    pub(crate) restarts: usize,
    /// The improvement of the metric below which a climber stops after a pass.
    pub(crate) tolerance: f64,
    /// Penalty on unequal weights.
    pub(crate) l2: f64,
    /// Whether validation lists choose the round: then the climber from the mean becomes the model
    /// as soon as it has started, so that they evaluate it as well.
    pub(crate) validated: bool,
    pub(crate) seed: u64,
}

/// Coordinate ascent after some rounds.
pub(crate) struct Ascent<'a> {
    climb: Climb,
    landscape: Landscape<'a>,
    climbers: Vec<Climber>,
    /// The weights of the model.
    model: Vec<f64>,
}

impl<'a> Ascent<'a> {
    /// Creates the climbers at their starting points.
    pub(crate) fn new(
        target: &'a Target<'a>,
        inputs: &'a Dense,
        climb: Climb,
    ) -> Result<Self, FitError> {
        let landscape = Landscape::new(target, inputs, climb.l2);
        let starts = starts(&landscape, climb.restarts, climb.seed)?;
        let climbers = starts.into_par_iter().map(|weights| Climber::new(&landscape, weights));
        let climbers = climbers.collect::<Result<Vec<_>, _>>()?;
        let mut ascent = Ascent { climb, landscape, climbers, model: Vec::new() };
        ascent.select();
        Ok(ascent)
    }

    /// Whether the climber from the mean has started.
    fn has_mean(&self) -> bool {
        self.climbers.len() > self.climb.restarts
    }

    /// Selects the climber whose weights are the model.
    fn select(&mut self) {
        let mut best = &self.climbers[0];
        for climber in &self.climbers[1..] {
            best = if climber.value > best.value { climber } else { best };
        }
        let selected = match self.climbers.last() {
            Some(mean) if self.climb.validated && self.has_mean() => mean,
            _ => best,
        };
        self.model = selected.weights.clone();
    }
}

impl Steps for Ascent<'_> {
    fn step(&mut self, round: usize) -> Result<bool, FitError> {
        if self.climbers.iter().all(|climber| climber.at_rest) {
            match mean(&self.climbers) {
                Some(weights) if !self.has_mean() && self.climbers.len() > 1 => {
                    self.climbers.push(Climber::new(&self.landscape, weights)?);
                }
                _ => return Ok(false),
            }
        }
        let seed = purpose(self.climb.seed, b"passages");
        let (landscape, tolerance) = (&self.landscape, self.climb.tolerance);
        let climbers = self.climbers.par_iter_mut().enumerate();
        let passes = climbers.filter(|(_, climber)| !climber.at_rest).map(|(number, climber)| {
            let draws = Stream::new(seed, ((number as u64) << 32) + round as u64);
            climber.pass(landscape, draws, tolerance)
        });
        passes.collect::<Result<(), _>>()?;
        self.select();
        Ok(true)
    }

    fn numbers(&self) -> &[f64] {
        &self.model
    }

    fn memory(&self) -> Vec<f64> {
        let state = |c: &Climber| [c.value, f64::from(u8::from(c.at_rest))];
        self.climbers.iter().flat_map(|c| c.weights.iter().copied().chain(state(c))).collect()
    }

    fn can_remember(&self, len: usize, _: usize) -> bool {
        let each = self.landscape.columns().len() + 2;
        // The climber from the mean comes later.
        let climbers = [self.climbers.len(), self.climbers.len() + 1];
        climbers.contains(&(len / each)) && len.is_multiple_of(each)
    }

    fn resume(&mut self, _numbers: &[f64], memory: &[f64]) {
        let inputs = self.landscape.columns().len();
        let climber = |kept: &[f64]| {
            let (weights, state) = kept.split_at(inputs);
            Climber::at(&self.landscape, weights.to_vec(), state[0], state[1] != 0.0)
        };
        self.climbers = memory.chunks_exact(inputs + 2).map(climber).collect();
        self.select();
    }
}

/// Returns the mean of the normalised weights of the better half of the climbers.
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

/// Returns the starting points: all inputs with equal weight, each in its better direction; the
/// best input alone; all inputs with weight 1; then random weights from -1 to 1.
fn starts(landscape: &Landscape<'_>, count: usize, seed: u64) -> Result<Vec<Vec<f64>>, FitError> {
    let value = |column: &Vec<f64>| -> Result<(f64, f64), FitError> {
        let up = landscape.target().value(column)?;
        let down = landscape.target().value(&column.iter().map(|x| -x).collect::<Vec<_>>())?;
        Ok(if up >= down { (up, 1.0) } else { (down, -1.0) })
    };
    let alone = landscape.columns().par_iter().map(value).collect::<Result<Vec<_>, _>>()?;
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
