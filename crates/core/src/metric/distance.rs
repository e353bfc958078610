//! Distances and correlations of two rankings of c items (Fürnkranz and Hüllermeier 2010), r
//! being the target's ranks and q the predicted ones, 1 = best.
//!
//! - footrule: sum |r - q|; spearman: sum (r - q)^2; discounted-error: sum |r - q| / log(r + 1)
//!   With `weights=column` items of the footrule are weighted by the weight column: sum w |r - q|.
//! - spearman-rho: 1 - 6 sum (r - q)^2 / (c(c^2 - 1)), with ties Pearson's correlation of ranks
//! - position-error: the number of items before the best one, q(argmin r) - 1
//! - kendall: inverted pairs; tau: concordant minus discordant pairs over all pairs (a), or over
//!   the geometric mean of the numbers of pairs that target and scores order (b)
//!
//! Equal targets share the mean of their ranks. Equal scores get the mean over all of their
//! orders, so that a constant scorer is as far off as a random one; `ties=mid` gives them their
//! mean rank instead, as textbooks do, by which a constant scorer looks close. For Kendall the
//! two are the same: a pair that the target orders and the scores do not counts 1/2. With several
//! best items the position error is the mean, over them, of the other items before each (half if
//! tied). Constant scores have rho = tau = 0. A constant target orders nothing: no value.
//!
//! Example: target E>B>C>A>D, predicted A>B>E>C>D: |r - q| = 2, 0, 1, 3, 0 for E, B, C, A, D:
//! footrule 6, spearman 14, rho 1 - 84/120 = 0.3, position error 2; four inverted pairs: tau
//! 1 - 16/20 = 0.2; discounted error 2/ln 2 + 1/ln 4 + 3/ln 5 = 5.470742.

use std::borrow::Cow;

use super::pair_counts::PairCounts;
use super::pairs::NoValue;
use super::retrieval::ON;
use super::{Allowed, ListMetric, OptionInfo, Options, Rule, SpecError, Target, pairs};
use crate::data::ListView;
use crate::rank::Ranking;

/// The metrics that compare ranks item by item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Footrule,
    Spearman,
    Rho,
    PositionError,
    DiscountedError,
}

const TIES: OptionInfo = OptionInfo {
    key: "ties",
    default: "expected",
    allowed: Allowed::OneOf(&["mid", "expected"]),
    help: "equal scores: mid (all at their mean rank) or expected (mean over orders)",
};
const LOG: OptionInfo = OptionInfo {
    key: "log",
    default: "e",
    allowed: Allowed::OneOf(&["e", "2"]),
    help: "base of the logarithm",
};
const VARIANT: OptionInfo = OptionInfo {
    key: "variant",
    default: "a",
    allowed: Allowed::OneOf(&["a", "b"]),
    help: "divide by all pairs (a), or by the pairs that target and scores order (b)",
};

const WEIGHTS: OptionInfo = OptionInfo {
    key: "weights",
    default: "none",
    allowed: Allowed::OneOf(&["none", "column"]),
    help: "column: items count by their weight (--weight)",
};

pub(super) const FOOTRULE_OPTIONS: &[OptionInfo] = &[WEIGHTS, TIES, ON];
pub(super) const TIED_OPTIONS: &[OptionInfo] = &[TIES, ON];
pub(super) const DISCOUNTED_OPTIONS: &[OptionInfo] = &[LOG, TIES, ON];
pub(super) const TAU_OPTIONS: &[OptionInfo] = &[VARIANT, ON];

pub(super) fn build(options: &Options<'_>, form: Form) -> Result<Box<dyn Rule>, SpecError> {
    let given = |key: &str, value: &str| {
        options.info.options.iter().any(|o| o.key == key) && options.get(key) == value
    };
    Ok(Box::new(Distance {
        form,
        expected: given("ties", "expected"),
        base_2: given("log", "2"),
        weighted: given("weights", "column"),
        on: Target::named(options.get("on")),
    }))
}

pub(super) fn build_tau(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    pairs::build(options, if options.get("variant") == "b" { tau_b } else { tau_a })
}

pub(super) fn kendall(counts: &PairCounts) -> f64 {
    counts.discordant as f64 + 0.5 * counts.tied_score as f64
}

fn tau_a(counts: &PairCounts) -> f64 {
    (counts.concordant as f64 - counts.discordant as f64) / counts.all() as f64
}

fn tau_b(counts: &PairCounts) -> f64 {
    if counts.strict_score() == 0 {
        return 0.0;
    }
    // Two roots: the root of the product would round 1 down to less than 1.
    let scale = (counts.strict_target() as f64).sqrt() * (counts.strict_score() as f64).sqrt();
    ((counts.concordant as f64 - counts.discordant as f64) / scale).clamp(-1.0, 1.0)
}

/// Returns the rank of each item, 1 = highest value; equal values share the mean of their ranks.
pub(super) fn mid_ranks(values: &[f64]) -> Vec<f64> {
    let ranking = Ranking::from_scores(values);
    let mut ranks = vec![0.0; values.len()];
    for block in ranking.blocks() {
        let middle = middle_of(block.start, block.end);
        ranking.order()[block].iter().for_each(|item| ranks[item.at()] = middle);
    }
    ranks
}

/// The mean of the positions start + 1 ..= end.
fn middle_of(start: usize, end: usize) -> f64 {
    (start + 1 + end) as f64 / 2.0
}

struct Distance {
    form: Form,
    expected: bool,
    base_2: bool,
    weighted: bool,
    on: Target,
}

impl Rule for Distance {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let target = self.on.of(list);
        if target.iter().all(|y| *y == target[0]) {
            return Box::new(NoValue);
        }
        Box::new(DistanceList {
            rule: self,
            ranks: mid_ranks(target),
            weights: list.weight.filter(|_| self.weighted),
        })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        match list.weight.filter(|_| self.weighted && self.expected) {
            Some(weights) => Cow::Owned(heavy_in_the_middle(self.on.of(list), weights)),
            None => Cow::Borrowed(self.on.of(list)),
        }
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        match self.weighted && list.weight.is_none() {
            true => Err("weights=column needs a column of weights: name it (--weight)".to_owned()),
            false => Ok(()),
        }
    }
}

struct DistanceList<'l> {
    rule: &'l Distance,
    /// The ranks of the target.
    ranks: Vec<f64>,
    /// The weights of the items, if they count.
    weights: Option<&'l [f64]>,
}

impl ListMetric for DistanceList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        Some(match self.rule.form {
            Form::Footrule | Form::Spearman => self.sum(scores, |_, by| by),
            Form::DiscountedError => {
                let log = if self.rule.base_2 { f64::log2 } else { f64::ln };
                self.sum(scores, |r, by| by / log(r + 1.0))
            }
            Form::Rho => correlation(&self.ranks, &mid_ranks(scores)),
            Form::PositionError => position_error(&self.ranks, &mid_ranks(scores)),
        })
    }
}

impl DistanceList<'_> {
    /// Returns the sum over items of `term`(r, distance of r and q).
    fn sum(&self, scores: &[f64], term: impl Fn(f64, f64) -> f64) -> f64 {
        let squared = self.rule.form == Form::Spearman;
        let ranking = Ranking::from_scores(scores);
        let mut sum = 0.0;
        for block in ranking.blocks() {
            let middle = middle_of(block.start, block.end);
            let size = block.len() as f64;
            for item in &ranking.order()[block.clone()] {
                let r = self.ranks[item.at()];
                let by = match (squared, self.rule.expected) {
                    (false, false) => (r - middle).abs(),
                    (false, true) => mean_distance(r, block.start + 1, block.end),
                    (true, false) => (r - middle).powi(2),
                    // Plus the variance of a position drawn from the block.
                    (true, true) => (r - middle).powi(2) + (size * size - 1.0) / 12.0,
                };
                sum += term(r, by) * self.weights.map_or(1.0, |weights| weights[item.at()]);
            }
        }
        sum
    }
}

/// Returns scores that order by target, and items of one target so that the heavier are nearer to the rank
/// that they share. No other order has a smaller weighted footrule: no positions are nearer to the rank of such
/// items than their own.
fn heavy_in_the_middle(target: &[f64], weights: &[f64]) -> Vec<f64> {
    let ranking = Ranking::from_scores(target);
    let mut scores = vec![0.0; target.len()];
    for block in ranking.blocks() {
        let middle = middle_of(block.start, block.end);
        let mut items: Vec<usize> = ranking.order()[block.clone()].iter().map(|i| i.at()).collect();
        items.sort_by(|&a, &b| weights[b].total_cmp(&weights[a]));
        let mut positions: Vec<f64> = block.map(|at| (at + 1) as f64).collect();
        positions.sort_by(|a, b| (a - middle).abs().total_cmp(&(b - middle).abs()));
        items.into_iter().zip(positions).for_each(|(item, position)| scores[item] = -position);
    }
    scores
}

/// The mean of |r - q| over q = first ..= last.
fn mean_distance(r: f64, first: usize, last: usize) -> f64 {
    let (a, b) = (first as f64, last as f64);
    let size = b - a + 1.0;
    // The number of q at or below r: a ..= a + low - 1.
    let low = (r.floor() - a + 1.0).clamp(0.0, size);
    let high = size - low;
    let below = low * (r - a) - low * (low - 1.0) / 2.0;
    let above = high * (b - r) - high * (high - 1.0) / 2.0;
    (below + above) / size
}

/// Pearson's correlation of two columns of ranks; 0 if the second is constant.
fn correlation(r: &[f64], q: &[f64]) -> f64 {
    let middle = middle_of(0, r.len());
    let cross = |a: &[f64], b: &[f64]| -> f64 {
        a.iter().zip(b).map(|(x, y)| (x - middle) * (y - middle)).sum()
    };
    let scale = cross(r, r).sqrt() * cross(q, q).sqrt();
    if scale > 0.0 { (cross(r, q) / scale).clamp(-1.0, 1.0) } else { 0.0 }
}

/// The mean rank of the best items, minus its value when they come first.
fn position_error(r: &[f64], q: &[f64]) -> f64 {
    let first = r.iter().copied().fold(f64::INFINITY, f64::min);
    let best = r.iter().zip(q).filter(|(r, _)| **r == first);
    let (count, sum) = best.fold((0, 0.0), |(n, sum), (_, q)| (n + 1, sum + q));
    sum / f64::from(count) - middle_of(0, count as usize)
}
