//! Metrics of a user who goes down the list and stops at the first satisfying item: the
//! reciprocal rank of the first relevant item, and the expected reciprocal rank.
//!
//! An item satisfies with probability R. ERR@k = sum over p <= k of 1/p R_p prod_{q<p}
//! (1 - R_q) with R = (2^y - 1)/2^max (Chapelle et al. 2009); with R = 1
//! for relevant items and 0 for the others it is the reciprocal rank.
//!
//! Example: labels (1, 2, 0) in that order with max = 2 have R = (1/4, 3/4, 0) and
//! ERR = 1/4 + 1/2 3/4 3/4 = 0.53125; the reciprocal rank is 1.
//!
//! The mean over tied orders is in `cascade_ties.rs`.

use std::borrow::Cow;

use super::additive::LabelGain;
use super::cascade_ties::expected;
use super::retrieval::{EMPTY, ON, RELEVANT};
use super::{Allowed, ListMetric, OnEmpty, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;
use crate::rank::{ItemIdx, Rank, Ranking, TieRule, UNRANKED};

/// `subrank` would put two items at one position, which has no meaning where the contribution
/// of an item depends on the items above it.
pub(super) const TIES: OptionInfo = OptionInfo {
    key: "ties",
    default: "expected",
    allowed: Allowed::OneOf(&["expected", "worst", "stable"]),
    help: "equal scores: expected (mean over orders), worst, stable (input order)",
};
const MAX: OptionInfo = OptionInfo {
    key: "max",
    default: "list",
    allowed: Allowed::Text,
    help: "the highest possible grade: list (the highest of each list) or a number such as 4",
};

pub(super) const MRR_OPTIONS: &[OptionInfo] = &[RELEVANT, TIES, EMPTY, ON];
pub(super) const ERR_OPTIONS: &[OptionInfo] = &[MAX, TIES, EMPTY, ON];

/// How a label becomes the probability to satisfy.
enum Satisfies {
    Above(f64),
    Graded { max: Option<f64> },
}

struct Cascade {
    satisfies: Satisfies,
    cutoff: Option<usize>,
    ties: TieRule,
    empty: OnEmpty,
    on: Target,
}

pub(super) fn build_mrr(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    build(options, Satisfies::Above(options.number("above")))
}

pub(super) fn build_err(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    let max = match options.get("max") {
        "list" => None,
        text => Some(text.parse::<f64>().ok().filter(|m| m.is_finite() && *m > 0.0).ok_or_else(
            || options.refuse("max", "it must be `list` or the highest grade, a number above 0"),
        )?),
    };
    build(options, Satisfies::Graded { max })
}

fn build(options: &Options<'_>, satisfies: Satisfies) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(Cascade {
        satisfies,
        cutoff: options.cutoff()?,
        ties: TieRule::named(options.get("ties")),
        empty: OnEmpty::named(options.get("empty")),
        on: Target::named(options.get("on")),
    }))
}

impl Rule for Cascade {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let labels = self.on.of(list);
        let (gain, cap) = match self.satisfies {
            Satisfies::Above(threshold) => (LabelGain::Above(threshold), f64::INFINITY),
            Satisfies::Graded { max } => {
                let shift = max.unwrap_or_else(|| labels.iter().copied().fold(0.0, f64::max));
                (LabelGain::Exp2 { shift }, shift)
            }
        };
        Box::new(CascadeList {
            chances: labels.iter().map(|&y| gain.of(y.min(cap))).collect(),
            reach: self.cutoff.unwrap_or(labels.len()),
            ties: self.ties,
            empty: self.empty,
        })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        let Satisfies::Graded { max: Some(max) } = self.satisfies else { return Ok(()) };
        match self.on.of(list).iter().find(|y| **y > max) {
            Some(y) => Err(format!("a label is {y}, above the highest grade max={max}")),
            None => Ok(()),
        }
    }
}

struct CascadeList {
    /// R of every item.
    chances: Vec<f64>,
    /// The number of positions that count.
    reach: usize,
    ties: TieRule,
    empty: OnEmpty,
}

/// The state of a user on the way down the list.
struct Walk {
    /// The probability that the user has not stopped yet.
    left: f64,
    /// The sum so far.
    sum: f64,
}

impl Walk {
    fn step(&mut self, position: usize, chance: f64) {
        self.sum += self.left * chance / position as f64;
        self.left *= 1.0 - chance;
    }
}

impl CascadeList {
    /// The value of an order without ties.
    fn of_order(&self, order: impl Iterator<Item = ItemIdx>) -> f64 {
        let mut walk = Walk { left: 1.0, sum: 0.0 };
        for (i, item) in order.take(self.reach).enumerate() {
            if walk.left == 0.0 {
                break;
            }
            walk.step(i + 1, self.chances[item.at()]);
        }
        walk.sum
    }

    fn of_blocks(&self, ranking: &Ranking, reach: usize) -> f64 {
        let mut walk = Walk { left: 1.0, sum: 0.0 };
        for block in ranking.blocks() {
            if block.start >= reach || walk.left == 0.0 {
                break;
            }
            let start = block.start;
            let tied = ranking.order()[block].iter().map(|item| self.chances[item.at()]);
            if self.ties == TieRule::Expected && tied.len() > 1 {
                let tied: Vec<f64> = tied.collect();
                walk.sum += walk.left * expected(&tied, start, reach);
                walk.left *= tied.iter().map(|r| 1.0 - r).product::<f64>();
                continue;
            }
            let mut tied: Vec<f64> = tied.collect();
            if self.ties == TieRule::Worst {
                tied.sort_unstable_by(f64::total_cmp);
            }
            let seen = tied.iter().take(reach - start).enumerate();
            seen.for_each(|(i, &chance)| walk.step(start + i + 1, chance));
        }
        walk.sum
    }
}

impl ListMetric for CascadeList {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        if self.chances.iter().all(|r| *r == 0.0) {
            return self.empty.fill();
        }
        let ranked = scores.iter().filter(|score| **score != UNRANKED).count();
        Some(self.of_blocks(&Ranking::from_scores(scores), self.reach.min(ranked)))
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        let chance = |rank| self.chances[ranking.item_at(rank).at()];
        if chance(a) == chance(b) {
            return 0.0;
        }
        let swapped = |i: usize| match Rank(i as u32) {
            rank if rank == a => ranking.item_at(b),
            rank if rank == b => ranking.item_at(a),
            rank => ranking.item_at(rank),
        };
        self.of_order((0..ranking.len()).map(swapped))
            - self.of_order(ranking.order().iter().copied())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Metric, Scale};
    use crate::data::ListView;
    use crate::rank::{ItemIdx, Ranking};
    use proptest::prelude::*;

    fn value(spec: &str, labels: &[f64], scores: &[f64]) -> Option<f64> {
        let metric = Metric::parse(spec, Scale::default()).unwrap();
        metric.prepare(&ListView::of_impact(labels)).of_scores(scores)
    }

    #[test]
    fn the_example_of_the_head() {
        let (labels, scores) = ([1.0, 2.0, 0.0], [3.0, 2.0, 1.0]);
        assert_eq!(value("err:max=2", &labels, &scores), Some(0.53125));
        assert_eq!(value("mrr", &labels, &scores), Some(1.0));
        assert_eq!(value("mrr:above=1", &labels, &scores), Some(0.5));
        assert_eq!(value("mrr@1:above=1", &labels, &scores), Some(0.0));
        assert_eq!(value("err", &[0.0, 0.0], &[1.0, 2.0]), None);
    }

    #[test]
    fn one_relevant_item_among_tied_ones() {
        // It stands at 1, 2, 3 or 4 with equal chance.
        let mean = (1.0 + 1.0 / 2.0 + 1.0 / 3.0 + 1.0 / 4.0) / 4.0;
        let labels = [0.0, 1.0, 0.0, 0.0];
        assert!((value("mrr", &labels, &[0.0; 4]).unwrap() - mean).abs() < 1e-15);
        assert_eq!(value("mrr:ties=worst", &labels, &[0.0; 4]), Some(0.25));
        assert_eq!(value("mrr:ties=stable", &labels, &[0.0; 4]), Some(0.5));
    }

    proptest! {
        #[test]
        fn expected_is_the_mean_over_all_orders(
            items in prop::collection::vec((0u8..4, 0u8..3), 1..7),
            k in 1usize..8,
        ) {
            let labels: Vec<f64> = items.iter().map(|i| f64::from(i.0)).collect();
            let scores: Vec<f64> = items.iter().map(|i| f64::from(i.1)).collect();
            for spec in [format!("mrr@{k}"), format!("err@{k}"), format!("err@{k}:max=9"), format!("map@{k}")] {
                let metric = Metric::parse(&spec, Scale::default()).unwrap();
                let list = metric.prepare(&ListView::of_impact(&labels));
                let Some(closed) = list.of_scores(&scores) else { continue };
                let (mut sum, mut worst, mut orders) = (0.0, f64::INFINITY, 0.0);
                each_order(&mut (0..labels.len()).collect::<Vec<_>>(), 0, &mut |order| {
                    if order.is_sorted_by(|a, b| scores[*a] >= scores[*b]) {
                        let order = order.iter().map(|&i| ItemIdx(i as u32)).collect();
                        let one = list.of_ranking(&Ranking::total(order).unwrap()).unwrap();
                        (sum, worst, orders) = (sum + one, one.min(worst), orders + 1.0);
                    }
                });
                prop_assert!((closed - sum / orders).abs() < 1e-14, "{spec}: {closed} {}", sum / orders);
                let said = value(&format!("{spec}{}ties=worst", if spec.contains(':') { ',' } else { ':' }), &labels, &scores);
                prop_assert!((said.unwrap() - worst).abs() < 1e-14, "{spec}: {said:?} {worst}");
            }
        }
    }

    fn each_order(order: &mut [usize], from: usize, with: &mut impl FnMut(&[usize])) {
        if from == order.len() {
            return with(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            each_order(order, from + 1, with);
            order.swap(from, i);
        }
    }
}
