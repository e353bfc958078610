//! Conditional linear rank statistics (Rudin and Wang 2018, section 2).
//!
//! CLRS = sum over items of y_i a_(l_i), where l = 1 is the bottom of the list and l = n its
//! top, and y is the cost of the item, or with `y=binary` 1 where the cost is above a threshold.
//! The a_l never decrease with l, and define the statistic:
//!
//! | metric | a_l |
//! |---|---|
//! | `wrs` | l (Wilcoxon rank sum: n+ n- AUC + n+(n+ + 1)/2 without ties) |
//! | `pauc@K` | l 1[l >= n-K+1] (partial AUC of the top K) |
//! | `wta` | 1[l = n] |
//! | `mrr-sum` | 1/(n-l+1) |
//! | `clrs-dcg` | 1/log2(n-l+2) |
//! | `p-norm` | l^p |
//!
//! With a_l = Pr(n-l+1) it is A@k: R_CS is a ratio of such statistics. A cutoff @N keeps the
//! top N positions. Ties are by default broken against the positives (`worst`), which gives the
//! paper's ResolvedRanks; its Subranks are `ties=subrank`.
//!
//! Example: y = (1, 0, 1) in that order have l = 3, 2, 1: wrs = 3 + 1 = 4, and n+ n- AUC + 3 =
//! 2 x 1/2 + 3 = 4.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::retrieval::RELEVANT;
use super::{Allowed, Discount, ListMetric, OptionInfo, Options, Rule, SpecError};
use crate::data::ListView;
use crate::rank::TieRule;

/// a_l, written by position from the top.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Weights {
    /// l.
    Rank,
    /// 1[l = n].
    First,
    /// 1/(n-l+1).
    Reciprocal,
    /// 1/log2(n-l+2).
    Log2,
    /// l^p.
    Power(f64),
}

const Y: OptionInfo = OptionInfo {
    key: "y",
    default: "cost",
    allowed: Allowed::OneOf(&["cost", "binary"]),
    help: "the gain of an item: its cost, or binary (1 if the cost is above `above`)",
};
const ABOVE: OptionInfo =
    OptionInfo { help: "items that cost more than this are positive", ..RELEVANT };
const TIES: OptionInfo = OptionInfo {
    key: "ties",
    default: "worst",
    allowed: Allowed::OneOf(TieRule::NAMES),
    help: "equal scores: worst (ResolvedRank: against the positives), subrank, \
           expected (mean over orders), stable (input order)",
};
const POWER: OptionInfo = OptionInfo {
    key: "p",
    default: "2",
    allowed: Allowed::Number(0.0, 20.0),
    help: "the power of the rank; a higher power stresses the top more",
};

pub(super) const OPTIONS: &[OptionInfo] = &[Y, ABOVE, TIES];
pub(super) const P_NORM_OPTIONS: &[OptionInfo] = &[POWER, Y, ABOVE, TIES];

pub(super) fn build_p_norm(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    build(options, Weights::Power(options.number("p")))
}

pub(super) fn build(options: &Options<'_>, weights: Weights) -> Result<Box<dyn Rule>, SpecError> {
    let threshold = options.number("above");
    let binary = options.get("y") == "binary";
    Ok(Box::new(Clrs {
        weights,
        gain: if binary { LabelGain::Above(threshold) } else { LabelGain::Linear },
        cutoff: options.cutoff()?,
        ties: TieRule::named(options.get("ties")),
    }))
}

struct Clrs {
    weights: Weights,
    gain: LabelGain,
    cutoff: Option<usize>,
    ties: TieRule,
}

impl Clrs {
    /// a_n, a_{n-1}, ... for a list of n, as far as they are not 0.
    fn by_position(&self, n: usize) -> Vec<f64> {
        let reach = self.cutoff.unwrap_or(n).min(n);
        let ranks = (0..reach).map(|i| (n - i) as f64);
        match self.weights {
            Weights::Rank => ranks.collect(),
            Weights::Power(p) => ranks.map(|l| l.powf(p)).collect(),
            Weights::First => vec![1.0; reach.min(1)],
            Weights::Reciprocal => (1..=reach).map(|p| 1.0 / p as f64).collect(),
            Weights::Log2 => Discount::Log2.table(reach),
        }
    }
}

impl Rule for Clrs {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let weights = Cow::Owned(self.by_position(list.len()));
        Box::new(Additive::new(list.cost, self.gain, weights, self.ties))
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Metric, Scale};
    use crate::data::ListView;

    fn value(spec: &str, costs: &[f64], scores: &[f64]) -> f64 {
        let metric = Metric::parse(spec, Scale::default()).unwrap();
        metric.prepare(&ListView::of_impact(costs)).of_scores(scores).unwrap()
    }

    #[test]
    fn the_example_of_the_head_and_every_weight() {
        let (y, scores) = ([1.0, 0.0, 1.0], [3.0, 2.0, 1.0]);
        assert_eq!(value("wrs", &y, &scores), 4.0);
        assert_eq!(value("pauc@2", &y, &scores), 3.0);
        assert_eq!(value("wta", &y, &scores), 1.0);
        assert_eq!(value("mrr-sum", &y, &scores), 1.0 + 1.0 / 3.0);
        assert_eq!(value("clrs-dcg", &y, &scores), 1.5);
        assert_eq!(value("clrs-dcg@2", &y, &scores), 1.0);
        assert_eq!(value("p-norm", &y, &scores), 10.0);
        assert_eq!(value("p-norm:p=3", &y, &scores), 28.0);
        assert_eq!(value("wrs:y=binary,above=2", &[9.0, 3.0, 1.0], &scores), 5.0);
    }

    #[test]
    fn ties_by_name() {
        // A positive and a negative share l = 2 and 3 above another positive at l = 1.
        let (y, scores) = ([1.0, 0.0, 1.0], [5.0, 5.0, 1.0]);
        assert_eq!(value("wrs", &y, &scores), 2.0 + 1.0); // ResolvedRank
        assert_eq!(value("wrs:ties=subrank", &y, &scores), 2.0 + 1.0);
        assert_eq!(value("wrs:ties=expected", &y, &scores), 2.5 + 1.0);
        assert_eq!(value("wrs:ties=stable", &y, &scores), 3.0 + 1.0);
        // Two tied positives: Subrank gives both l = 1, ResolvedRank gives them 1 and 2.
        assert_eq!(value("wrs:ties=subrank", &[1.0, 1.0], &[0.0, 0.0]), 2.0);
        assert_eq!(value("wrs", &[1.0, 1.0], &[0.0, 0.0]), 3.0);
    }

    #[test]
    fn the_cost_captured_is_one_of_them() {
        // A@4 with linear Pr: Pr(n-l+1) = 1 - (n-l)/4 for the top four.
        let costs = [70.0, 0.0, 3.5, 50.0, 12.0, 900.0];
        let scores = [0.3, 0.9, 0.1, 0.7, 0.5, 0.2];
        let n = costs.len();
        let rank = |i: usize| 1 + scores.iter().filter(|s| **s < scores[i]).count();
        let a = |l: usize| (1.0 - (n - l) as f64 / 4.0).max(0.0);
        let clrs: f64 = (0..n).map(|i| costs[i] * a(rank(i))).sum();
        assert!((value("a@4", &costs, &scores) - clrs).abs() < 1e-12);
    }

    #[test]
    fn large_powers_of_long_lists_keep_their_sense() {
        let n = 200_000;
        let costs: Vec<f64> = (0..n).map(|i| (i % 97) as f64 * 1e7).collect();
        let best = value("p-norm:p=10", &costs, &costs);
        let other: Vec<f64> = (0..n).map(|i| f64::from(i * 7919 % 200_003)).collect();
        let less = value("p-norm:p=10", &costs, &other);
        assert!(best.is_finite() && 0.0 < less && less < best);
    }
}
