//! Cost-sensitive discounted cumulative gain (Salomon 2020, section 4.2.2).
//!
//! CSDCG = sum over positions p of sign(j) c*_j gain(rel_j) / log2(p + 1), j the item at p.
//! The sign is + where j belongs in the top half of the true order (positions up to n/2,
//! rounded up) and - elsewhere, so that an important item that belongs low lowers the value a
//! lot when it is placed high. c*_j is the mean of j's pair costs with all others; dividing pair
//! costs by their mean, as the thesis does, cancels in the normalised value.
//!
//! The best permutation sorts by signed gain: top-half items by decreasing c* gain, then the
//! others by increasing c* gain, so that the most important comes last. The value is CSDCG /
//! best, at most 1 and negative where the bottom half outweighs the top. Where even the best is
//! not above 0 (most importance in the bottom half) the ratio would change its direction, and
//! the list has no value; `norm=range`, (CSDCG - worst) / (best - worst), is in [0, 1] and exists
//! wherever orders differ. A constant target has no halves, and no value.
//!
//! Ties: equal targets across the middle share the mean of their signs; equal scores get the
//! mean over their orders, or the worst. (`subrank` is not offered: with negative gains, the
//! last position would be a reward.)
//!
//! Example: costs 2, 1, 0 and 0 with linear gain and pair=uniform: signed gains 2, 1, 0, 0;
//! with costs 4, 3, 2, 1 they are 4, 3, -2, -1 and the best order is 4, 3, 1, 2.

use std::borrow::Cow;

use super::additive::LabelGain;
use super::boosting::ON_COST;
use super::item_gains::ItemGains;
use super::pair_cost::{PAIR, PairCost, scaled};
use super::pairs::NoValue;
use super::{Allowed, Discount, Gain, ListMetric, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;
use crate::rank::{Ranking, TieRule};

pub(super) const OPTIONS: &[OptionInfo] = &[
    // The metric is cost-sensitive by name, so it is so by default.
    OptionInfo { default: "mean", ..PAIR },
    OptionInfo {
        key: "gain",
        default: "exp2",
        allowed: Allowed::OneOf(&["exp2", "linear"]),
        help: "exp2: 2^y - 1 (scaled by 2^-max y within the list); linear: y",
    },
    OptionInfo {
        key: "norm",
        default: "best",
        allowed: Allowed::OneOf(&["best", "range"]),
        help: "best: over the best permutation; range: from worst (0) to best (1)",
    },
    OptionInfo {
        key: "ties",
        default: "expected",
        allowed: Allowed::OneOf(&["expected", "worst", "stable"]),
        help: "equal scores: expected (mean over orders), worst, stable (input order)",
    },
    ON_COST,
];

pub(super) fn build(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(Csdcg {
        pair: PairCost::read(options),
        gain: if options.get("gain") == "linear" { Gain::Linear } else { Gain::Exp2 },
        by_range: options.get("norm") == "range",
        cutoff: options.cutoff()?,
        ties: TieRule::named(options.get("ties")),
        on: Target::named(options.get("on")),
    }))
}

struct Csdcg {
    pair: PairCost,
    gain: Gain,
    by_range: bool,
    cutoff: Option<usize>,
    ties: TieRule,
    on: Target,
}

impl Csdcg {
    fn signed_gains(&self, list: &ListView<'_>) -> Vec<f64> {
        let labels = self.on.of(list);
        let gain = LabelGain::new(self.gain, labels, 0.0, true);
        let costs = mean_pair_costs(list.importance(), self.pair);
        let signs = signs(labels);
        let parts = labels.iter().zip(costs).zip(signs);
        parts.map(|((y, cost), sign)| sign * cost * gain.of(*y)).collect()
    }
}

impl Rule for Csdcg {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let n = list.len();
        let gains = self.signed_gains(list);
        let constant = |values: &[f64]| values.iter().all(|x| *x == values[0]);
        if constant(self.on.of(list)) || constant(&gains) {
            return Box::new(NoValue);
        }
        let discounts = Discount::Log2.table(self.cutoff.unwrap_or(n).min(n));
        let sum = ItemGains::new(gains, discounts, self.ties);
        let (best, worst) = (sum.best(), sum.worst());
        let (offset, unit) = if self.by_range { (worst, best - worst) } else { (0.0, best) };
        match sum.normalised(offset, unit) {
            Some(share) => Box::new(share),
            None => Box::new(NoValue),
        }
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Owned(self.signed_gains(list))
    }
}

/// Returns +1 for items of the top half of the true order, -1 for the others; a block of equal
/// targets across the middle gets the mean.
fn signs(target: &[f64]) -> Vec<f64> {
    let ranking = Ranking::from_scores(target);
    let half = target.len().div_ceil(2);
    let mut signs = vec![0.0; target.len()];
    for block in ranking.blocks() {
        let above = block.end.min(half).saturating_sub(block.start) as f64;
        let sign = 2.0 * above / block.len() as f64 - 1.0;
        ranking.order()[block].iter().for_each(|item| signs[item.at()] = sign);
    }
    signs
}

/// Returns c*: for each item the mean of its pair costs with all others, importances divided by
/// the largest. O(n log n).
fn mean_pair_costs(importance: &[f64], kind: PairCost) -> Vec<f64> {
    let c = scaled(importance);
    let n = c.len();
    if n < 2 {
        return vec![0.0; n];
    }
    let mut ascending = c.clone();
    ascending.sort_unstable_by(f64::total_cmp);
    // before[i]: sum of the i smallest; after[i]: sum of the others.
    let running = |sum: &mut f64, x: f64| {
        *sum += x;
        Some(*sum)
    };
    let sums = |values: &mut dyn Iterator<Item = f64>| -> Vec<f64> {
        std::iter::once(0.0).chain(values.scan(0.0, |sum, x| running(sum, x))).collect()
    };
    let before = sums(&mut ascending.iter().copied());
    let mut after = sums(&mut ascending.iter().rev().copied());
    after.reverse();
    let others = (n - 1) as f64;
    let sum_over_others = |&x: &f64| {
        let rank = ascending.partition_point(|y| *y < x);
        let (lower, higher) = (rank as f64, (n - rank) as f64);
        // One of the items at `rank` and above is the item itself.
        match kind {
            PairCost::Uniform => others,
            PairCost::Product => x * (before[rank] + after[rank + 1]),
            PairCost::Mean => (others * x + before[rank] + after[rank + 1]) / 2.0,
            PairCost::Max => lower * x + after[rank + 1],
            PairCost::Difference => {
                ((lower * x - before[rank]) + (after[rank] - higher * x)).max(0.0)
            }
        }
    };
    c.iter().map(|x| sum_over_others(x) / others).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    type Cost = fn(f64, f64) -> f64;

    #[test]
    fn halves_and_their_middle() {
        assert_eq!(signs(&[4.0, 3.0, 2.0, 1.0]), [1.0, 1.0, -1.0, -1.0]);
        assert_eq!(signs(&[4.0, 3.0, 2.0]), [1.0, 1.0, -1.0]);
        assert_eq!(signs(&[4.0, 3.0, 3.0, 1.0]), [1.0, 0.0, 0.0, -1.0]);
        assert_eq!(signs(&[7.0]), [1.0]);
    }

    proptest! {
        #[test]
        fn mean_pair_costs_are_those_of_the_double_loop(
            whole in prop::collection::vec(0i32..9, 2..40),
        ) {
            let c: Vec<f64> = whole.iter().map(|&x| f64::from(x)).collect();
            let unit = c.iter().copied().fold(0.0, f64::max).max(1.0);
            let slow = |cost: Cost| -> Vec<f64> {
                let over_others = |i: usize| {
                    let others = (0..c.len()).filter(|j| *j != i);
                    let sum: f64 = others.map(|j| cost(c[i] / unit, c[j] / unit)).sum();
                    sum / (c.len() - 1) as f64
                };
                (0..c.len()).map(over_others).collect()
            };
            let kinds: [(PairCost, Cost); 5] = [
                (PairCost::Uniform, |_, _| 1.0),
                (PairCost::Product, |a, b| a * b),
                (PairCost::Mean, |a, b| (a + b) / 2.0),
                (PairCost::Max, f64::max),
                (PairCost::Difference, |a, b| (a - b).abs()),
            ];
            for (kind, cost) in kinds {
                let pairs = mean_pair_costs(&c, kind).into_iter().zip(slow(cost));
                for (a, b) in pairs {
                    prop_assert!((a - b).abs() < 1e-12, "{:?} {} {}", kind, a, b);
                }
            }
        }
    }
}
