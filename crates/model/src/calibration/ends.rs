//! The ends of the function: how the mean cost changes within the lowest and the highest block.
//!
//! Between the centres of blocks the function is interpolated. Beyond the outermost centres there is nothing to
//! interpolate to, and a constant would expect the same of all items there, first of all of those at the top.
//! Within these blocks the mean is taken to be a power of the rank, counted from the block's outer end:
//! `m(r) = a r^b` in the lowest, `a (1 - r)^-b` in the highest. The exponent is the one with which the expected
//! cost is, on average, at the same `ln r` as the observed cost (the maximum of the Poisson likelihood); its
//! error is clustered by list. In the highest block, where few items decide, it is shrunk by its error
//! (`b (1 - se^2/b^2)`, the positive part of the rule of James and Stein 1961).

use super::estimate::Estimate;
use super::interval::clustered;
use super::isotonic::Item;

/// Where estimates are made: ranks within the block. (Of both ends if there is but one block.)
const LOW: [f64; 7] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.35, 0.55];
const HIGH: [f64; 5] = [0.5, 0.7, 0.85, 0.95, 1.0];
const BOTH: [f64; 9] = [0.0, 0.02, 0.05, 0.1, 0.2, 0.4, 0.6, 0.8, 1.0];
/// The most estimates that the ends add.
pub(super) const MAX_ADDED: usize = LOW.len() + HIGH.len() - 2;

/// The least exponent: scores that differ have expected costs that differ.
const MIN_EXPONENT: f64 = 0.02;
/// The largest exponent, which a few costs at the very end of a block could exceed.
const MAX_EXPONENT: f64 = 5.0;
/// In the lowest block the mean is hardly ever an exact power of the rank, and its few costs do not show it: the
/// exponent may be off by this much more than by its error. On generated storms the lowest fifth of the intervals
/// holds with it what the others hold.
const SHAPE_ERROR: f64 = 0.5;

/// Which end of the function a block is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum End {
    Lowest,
    Highest,
    /// There is one block.
    Only,
}

/// Estimates along a block at an end of the function. `whole` is that of the block as a whole.
pub(super) fn along(items: &[Item], end: End, whole: Estimate, lists: usize) -> Vec<Estimate> {
    let places = places(items, end);
    if places.first().map(|place| place.score) == places.last().map(|place| place.score) {
        return vec![whole];
    }
    let power = Power::fit(items, &places, lists);
    let (exponent, shape) = match end {
        End::Highest => (power.shrunk(), 0.0),
        End::Lowest | End::Only => (power.exponent, SHAPE_ERROR),
    };
    let exponent = exponent.max(MIN_EXPONENT);
    let weighted = |of: &dyn Fn(&Item) -> f64| items.iter().map(of).sum::<f64>();
    let sizes = items.iter().zip(&places).map(|(item, place)| item.weight * place.to(exponent));
    let factor = weighted(&|item| item.weight * item.cost) / sizes.sum::<f64>();
    let estimate = |place: &Place| {
        let off = place.depth - power.centre;
        let variance = whole.error.powi(2) + off.powi(2) * (power.error.powi(2) + shape.powi(2));
        Estimate {
            score: place.score,
            mean: factor * place.to(exponent),
            error: variance.sqrt(),
            ..whole
        }
    };
    let ranks: &[f64] = match end {
        End::Lowest => &LOW,
        End::Highest => &HIGH,
        End::Only => &BOTH,
    };
    let mut chosen: Vec<&Place> = ranks
        .iter()
        .map(|rank| &places[places.partition_point(|p| p.rank < *rank).min(places.len() - 1)])
        .collect();
    chosen.dedup_by(|a, b| a.score == b.score);
    chosen.into_iter().map(estimate).collect()
}

/// Where an item is in its block; items of equal score are at the same place.
struct Place {
    score: f64,
    /// From 0 to 1.
    rank: f64,
    /// The logarithm of the rank, or minus that of the rank from above.
    depth: f64,
}

impl Place {
    fn to(&self, exponent: f64) -> f64 {
        (exponent * self.depth).exp()
    }
}

/// A place for every item, in order.
fn places(items: &[Item], end: End) -> Vec<Place> {
    let total: f64 = items.iter().map(|item| item.weight).sum();
    let mut places = Vec::with_capacity(items.len());
    let mut before = 0.0;
    for equal in items.chunk_by(|a, b| a.score == b.score) {
        let weight: f64 = equal.iter().map(|item| item.weight).sum();
        let rank = (before + 0.5 * weight) / total;
        before += weight;
        let depth = match end {
            End::Highest => -(1.0 - rank).max(f64::EPSILON).ln(),
            End::Lowest | End::Only => rank.ln(),
        };
        places.extend(equal.iter().map(|item| Place { score: item.score, rank, depth }));
    }
    places
}

/// The power of the rank that costs follow.
struct Power {
    exponent: f64,
    /// Its standard error.
    error: f64,
    /// The mean depth of the cost, where the mean is known best.
    centre: f64,
}

impl Power {
    fn fit(items: &[Item], places: &[Place], lists: usize) -> Self {
        let costs: f64 = items.iter().map(|item| item.weight * item.cost).sum();
        let moments = |exponent: f64| {
            let (mut sum, mut first, mut second) = (0.0, 0.0, 0.0);
            for (item, place) in items.iter().zip(places) {
                let size = item.weight * place.to(exponent);
                sum += size;
                first += size * place.depth;
                second += size * place.depth * place.depth;
            }
            let mean = first / sum;
            (sum, mean, (second / sum - mean * mean).max(f64::MIN_POSITIVE))
        };
        let pairs = items.iter().zip(places);
        let centre =
            pairs.map(|(item, place)| item.weight * item.cost * place.depth).sum::<f64>() / costs;
        // Newton's method: the mean depth rises with the exponent, and its slope is the variance.
        let mut exponent = 0.0;
        for _ in 0..30 {
            let (_, mean, variance) = moments(exponent);
            let step = ((centre - mean) / variance).clamp(-0.5, 0.5);
            exponent = (exponent + step).clamp(0.0, MAX_EXPONENT);
            if step.abs() < 1e-9 {
                break;
            }
        }
        let (sum, mean, variance) = moments(exponent);
        let deviation = |(item, place): (&Item, &Place)| {
            let expected = costs / sum * place.to(exponent);
            (item.list, item.weight * (item.cost - expected) * (place.depth - mean))
        };
        let error = clustered(items.iter().zip(places).map(deviation), lists) / (costs * variance);
        Power { exponent, error, centre }
    }

    fn shrunk(&self) -> f64 {
        if self.exponent <= self.error {
            return 0.0;
        }
        self.exponent * (1.0 - (self.error / self.exponent).powi(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Items of 20 lists whose costs are this function of the rank.
    fn items(cost: impl Fn(f64) -> f64) -> Vec<Item> {
        let item = |i: u32| Item {
            score: f64::from(i),
            cost: cost((f64::from(i) + 0.5) / 400.0),
            weight: 1.0,
            list: i % 20,
        };
        (0..400).map(item).collect()
    }

    fn whole(items: &[Item]) -> Estimate {
        let mean = items.iter().map(|item| item.cost).sum::<f64>() / items.len() as f64;
        Estimate { score: 0.0, mean, error: 0.1, degrees: 19.0 }
    }

    #[test]
    fn powers_are_found() {
        let low = items(|rank| rank.powf(1.5));
        let power = Power::fit(&low, &places(&low, End::Lowest), 20);
        assert!((power.exponent - 1.5).abs() < 1e-6 && power.error < 1e-6, "{}", power.exponent);
        let high = items(|rank| (1.0 - rank).powf(-0.3));
        let found = along(&high, End::Highest, whole(&high), 20);
        let last = found[found.len() - 1];
        assert!((last.mean / (0.5 / 400.0_f64).powf(-0.3) - 1.0).abs() < 1e-3, "{}", last.mean);
    }

    #[test]
    fn means_rise_even_where_costs_do_not() {
        for end in [End::Lowest, End::Highest, End::Only] {
            let flat = items(|rank| 1.0 - rank);
            let found = along(&flat, end, whole(&flat), 20);
            assert!(found.len() >= 5);
            assert!(found.is_sorted_by(|a, b| a.score < b.score && a.mean < b.mean), "{found:?}");
            let (first, last) = (found[0], found[found.len() - 1]);
            assert!(last.mean / first.mean < 1.2, "hardly: {found:?}");
            assert!(end != End::Lowest || first.error > last.error, "{found:?}");
        }
    }

    #[test]
    fn equal_scores_are_one_place() {
        let mut equal = items(|rank| rank);
        equal.iter_mut().for_each(|item| item.score = 7.0);
        let whole = whole(&equal);
        assert_eq!(along(&equal, End::Only, whole, 20), [whole]);
    }
}
