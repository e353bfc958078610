//! The number of networks a storm hits, and which ones.

use super::fleet::Network;
use crate::random::Stream;

/// The networks a storm hits: the nearest to its centre, with a random border; in the
/// order of the fleet, so that the order of the rows carries no information.
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

/// Integer lengths proportional to `weights`, from `low` to `high`, that sum to `total` (which the
/// caller has checked to be possible).
pub(super) fn lengths(weights: &[f64], total: usize, (low, high): (usize, usize)) -> Vec<usize> {
    let at = |scale: f64| -> Vec<usize> {
        weights.iter().map(|w| ((w * scale) as usize).clamp(low, high)).collect()
    };
    let sum = |lengths: &[usize]| lengths.iter().sum::<usize>();
    // The sum grows with the scale: find the scale by bisection, then distribute the rest one by one.
    let smallest = weights.iter().copied().fold(f64::MAX, f64::min);
    let (mut lower, mut upper) = (0.0, (high as f64 + 1.0) / smallest);
    for _ in 0..100 {
        let middle = 0.5 * (lower + upper);
        if sum(&at(middle)) <= total {
            lower = middle;
        } else {
            upper = middle;
        }
    }
    let mut lengths = at(lower);
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
