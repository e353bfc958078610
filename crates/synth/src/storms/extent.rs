//! How many networks a storm hits, and which.

use super::fleet::Network;
use crate::random::Stream;

/// The networks a storm hits: the nearest to its centre, with a ragged border; in the
/// order of the fleet, so that the order of the rows tells nothing.
pub(super) fn members(fleet: &[Network], length: usize, s: &mut Stream) -> Vec<usize> {
    let (cx, cy) = (s.uniform(), s.uniform());
    let mut near: Vec<(f64, usize)> = fleet
        .iter()
        .enumerate()
        .map(|(i, network)| {
            let (x, y) = (network.position.0 - cx, network.position.1 - cy);
            ((x * x + y * y).sqrt() + 0.15 * s.normal(), i)
        })
        .collect();
    near.sort_by(|a, b| a.0.total_cmp(&b.0));
    let mut members: Vec<usize> = near[..length].iter().map(|&(_, i)| i).collect();
    members.sort_unstable();
    members
}

/// Whole lengths proportional to `weights` within `range` that sum to `total` (which the
/// caller has checked to be possible).
pub(super) fn lengths(weights: &[f64], total: usize, (low, high): (usize, usize)) -> Vec<usize> {
    let at = |scale: f64| -> Vec<usize> {
        weights.iter().map(|w| ((w * scale) as usize).clamp(low, high)).collect()
    };
    let sum = |lengths: &[usize]| lengths.iter().sum::<usize>();
    // The sum grows with the scale: halve the interval, then hand out the rest one by one.
    let least = weights.iter().copied().fold(f64::MAX, f64::min);
    let (mut few, mut many) = (0.0, (high as f64 + 1.0) / least);
    for _ in 0..100 {
        let middle = 0.5 * (few + many);
        if sum(&at(middle)) <= total {
            few = middle;
        } else {
            many = middle;
        }
    }
    let mut lengths = at(few);
    let mut rest = total - sum(&lengths);
    for length in lengths.iter_mut().filter(|n| **n < high) {
        if rest == 0 {
            break;
        }
        *length += 1;
        rest -= 1;
    }
    lengths
}
