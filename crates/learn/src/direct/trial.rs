//! Approximate line search by trial: for metrics that are not a sum of gain x discount, and for
//! lists with too many crossings to look at all of them.
//!
//! The steps at which items cross have the scale of the steps that matter, whatever the unit of the
//! input. So the trials are quantiles of the crossings of items 1, 2, 4, ... ranks apart, on
//! either side, and then further steps between the two trials next to the best.

use crate::error::FitError;
use stakes_exact::line::{Direction, Step};

/// The number of trials on either side.
const TRIALS: usize = 16;
/// The number of trials around the best.
const REFINEMENTS: usize = 8;

/// Returns the trial with the largest figure - penalty(step).
pub(super) fn best_trial(
    direction: &Direction<'_>,
    penalty: impl Fn(f64) -> f64,
    value: impl Fn(&[f64]) -> Result<f64, FitError>,
) -> Result<Step, FitError> {
    let mut steps = steps(direction);
    steps.sort_unstable_by(f64::total_cmp);
    steps.dedup();
    let mut scores = vec![0.0; direction.scores.len()];
    let mut tried = |by: f64| -> Result<(f64, Step), FitError> {
        let lines = direction.scores.iter().zip(direction.slopes);
        scores.iter_mut().zip(lines).for_each(|(to, (height, slope))| *to = height + by * slope);
        let value = value(&scores)?;
        Ok((value - penalty(by), Step { by, value }))
    };
    let mut best = (f64::NEG_INFINITY, Step { by: 0.0, value: f64::NEG_INFINITY });
    let mut place = 0;
    for (number, &by) in steps.iter().enumerate() {
        let trial = tried(by)?;
        if trial.0 > best.0 {
            (best, place) = (trial, number);
        }
    }
    if let (Some(low), Some(high)) = (steps.get(place.wrapping_sub(1)), steps.get(place + 1)) {
        for part in 1..=REFINEMENTS {
            let trial = tried(low + (high - low) * part as f64 / (REFINEMENTS + 1) as f64)?;
            if trial.0 > best.0 {
                best = trial;
            }
        }
    }
    Ok(best.1)
}

/// Returns quantiles of the steps at which items of nearby ranks cross.
fn steps(direction: &Direction<'_>) -> Vec<f64> {
    let line = |item: u32| (direction.scores[item as usize], direction.slopes[item as usize]);
    let mut crossings = Vec::new();
    for ends in direction.offsets.windows(2) {
        let order = &direction.order[ends[0]..ends[1]];
        let mut apart = 1;
        while apart < order.len() {
            for (&above, &below) in order.iter().zip(&order[apart..]) {
                let ((high, slow), (low, fast)) = (line(above), line(below));
                let at = (high - low) / (fast - slow);
                if at.is_finite() && at != 0.0 {
                    crossings.push(at);
                }
            }
            apart *= 2;
        }
    }
    crossings.sort_unstable_by(f64::total_cmp);
    let negative = crossings.partition_point(|at| *at < 0.0);
    let (left, right) = crossings.split_at(negative);
    let mut steps = Vec::with_capacity(2 * TRIALS + 1);
    for side in [left, right] {
        if let [first, .., last] = side {
            let quantile = |part| side[part * (side.len() - 1) / (TRIALS - 1)];
            steps.extend((1..TRIALS - 1).map(quantile));
            // One more order lies beyond all crossings.
            steps.push(if *first < 0.0 { 2.0 * first } else { 2.0 * last });
        } else {
            steps.extend(side.iter().map(|at| 2.0 * at));
        }
    }
    steps
}
