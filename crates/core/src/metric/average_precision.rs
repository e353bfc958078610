//! Average precision: the mean, over the relevant items, of the precision at their position
//! (trec_eval's `map`, and with a cutoff `map_cut`, which still divides by all relevant items
//! of the list).
//!
//! AP@k = 1/#relevant sum over relevant items at p <= k of (#relevant at or above p)/p.
//!
//! Example: relevance (1, 0, 1, 1) in that order: AP = (1 + 2/3 + 3/4)/3 = 0.805556, and
//! AP@3 = (1 + 2/3)/3.
//!
//! Ties, `expected` (McSherry and Najork 2008): let a block have m items, r of them relevant,
//! and `found` relevant items above it. Its j-th position holds a relevant item with
//! probability r/m, and then (j-1)(r-1)/(m-1) of the items before it in the block are relevant
//! on average.

use std::borrow::Cow;

use super::cascade::TIES;
use super::retrieval::{EMPTY, ON, RELEVANT};
use super::{ListMetric, OnEmpty, OptionInfo, Options, Rule, SpecError, Target};
use crate::data::ListView;
use crate::rank::{ItemIdx, Rank, Ranking, TieRule, UNRANKED};

pub(super) const OPTIONS: &[OptionInfo] = &[RELEVANT, TIES, EMPTY, ON];

struct AveragePrecision {
    threshold: f64,
    cutoff: Option<usize>,
    ties: TieRule,
    empty: OnEmpty,
    on: Target,
}

pub(super) fn build(options: &Options<'_>) -> Result<Box<dyn Rule>, SpecError> {
    Ok(Box::new(AveragePrecision {
        threshold: options.number("above"),
        cutoff: options.cutoff()?,
        ties: TieRule::named(options.get("ties")),
        empty: OnEmpty::named(options.get("empty")),
        on: Target::named(options.get("on")),
    }))
}

impl Rule for AveragePrecision {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let labels = self.on.of(list);
        let above = |y: &&f64| **y > self.threshold;
        let total = labels.iter().filter(above).count() as f64;
        Box::new(PreparedList { rule: self, labels, total })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }
}

struct PreparedList<'l> {
    rule: &'l AveragePrecision,
    labels: &'l [f64],
    /// The number of relevant items.
    total: f64,
}

impl PreparedList<'_> {
    fn relevant(&self, item: ItemIdx) -> bool {
        self.labels[item.at()] > self.rule.threshold
    }

    /// The sum of precisions, given which items are relevant from the top down.
    fn sum(relevant: impl Iterator<Item = bool>, reach: usize) -> f64 {
        let (mut sum, mut found) = (0.0, 0.0);
        for (i, relevant) in relevant.take(reach).enumerate() {
            if relevant {
                found += 1.0;
                sum += found / (i + 1) as f64;
            }
        }
        sum
    }

    fn expected(&self, ranking: &Ranking, reach: usize) -> f64 {
        let (mut sum, mut found) = (0.0, 0.0);
        for block in ranking.blocks() {
            let tied = &ranking.order()[block.clone()];
            let size = tied.len() as f64;
            let relevant = tied.iter().filter(|item| self.relevant(**item)).count() as f64;
            if relevant > 0.0 {
                let before = if size > 1.0 { (relevant - 1.0) / (size - 1.0) } else { 0.0 };
                let places = block.start..block.end.min(reach);
                let precision = |(j, place): (usize, usize)| {
                    (found + 1.0 + j as f64 * before) / (place + 1) as f64
                };
                sum += relevant / size * places.enumerate().map(precision).sum::<f64>();
            }
            found += relevant;
        }
        sum
    }

    /// Which items are relevant from the top down, with the relevant ones last in each tie.
    fn worst(&self, ranking: &Ranking) -> Vec<bool> {
        let order = ranking.order().iter();
        let mut relevant: Vec<bool> = order.map(|item| self.relevant(*item)).collect();
        ranking.blocks().for_each(|block| relevant[block].sort_unstable());
        relevant
    }
}

impl ListMetric for PreparedList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        if self.total == 0.0 {
            return self.rule.empty.fill();
        }
        let ranking = Ranking::from_scores(scores);
        let ranked = scores.iter().filter(|score| **score != UNRANKED).count();
        let reach = self.rule.cutoff.unwrap_or(usize::MAX).min(ranked);
        let sum = match self.rule.ties {
            TieRule::Expected => self.expected(&ranking, reach),
            TieRule::Worst | TieRule::Subrank => Self::sum(self.worst(&ranking).into_iter(), reach),
            TieRule::Stable => {
                Self::sum(ranking.order().iter().map(|item| self.relevant(*item)), reach)
            }
        };
        Some(sum / self.total)
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        let at = |rank: Rank| self.relevant(ranking.item_at(rank));
        if at(a) == at(b) {
            return 0.0;
        }
        let ranks = || (0..ranking.len() as u32).map(Rank);
        let swapped = ranks().map(|rank| at(rank) != (rank == a || rank == b));
        let reach = self.rule.cutoff.unwrap_or(usize::MAX);
        (Self::sum(swapped, reach) - Self::sum(ranks().map(at), reach)) / self.total
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{Metric, Scale};
    use crate::data::ListView;

    fn value(spec: &str, labels: &[f64], scores: &[f64]) -> f64 {
        let metric = Metric::parse(spec, Scale::default()).unwrap();
        metric.prepare(&ListView::of_impact(labels)).of_scores(scores).unwrap()
    }

    #[test]
    fn the_example_of_the_head() {
        let (labels, scores) = ([1.0, 0.0, 1.0, 1.0], [4.0, 3.0, 2.0, 1.0]);
        assert!((value("map", &labels, &scores) - 29.0 / 36.0).abs() < 1e-15);
        assert!((value("map@3", &labels, &scores) - 5.0 / 9.0).abs() < 1e-15);
    }

    #[test]
    fn two_of_three_tied_are_relevant() {
        // The three orders have AP 1, 5/6 and 7/12.
        let labels = [1.0, 0.0, 1.0];
        let mean = (1.0 + 5.0 / 6.0 + 7.0 / 12.0) / 3.0;
        assert!((value("map", &labels, &[0.0; 3]) - mean).abs() < 1e-15);
        assert!((value("map:ties=worst", &labels, &[0.0; 3]) - 7.0 / 12.0).abs() < 1e-15);
        assert!((value("map:ties=stable", &labels, &[0.0; 3]) - 5.0 / 6.0).abs() < 1e-15);
    }
}
