//! Metrics that are a sum over positions of gain(item) x discount(position): A@k, R@k,
//! DCG, NDCG, precision, recall and the conditional linear rank statistics.
//!
//! They share one treatment of ties, one fast path that looks only at the top, and one closed
//! form for a swap: (g_b - g_a)(d_a - d_b).
//!
//! Example: costs (70, 50, 0) with discounts (1, 2/3, 1/3) in the order 70, 0, 50 give
//! 70 + 50/3.

use std::borrow::Cow;
use std::ops::Range;

use super::convention::Gain;
use super::top::{Top, with_top};
use super::{AdditiveParts, ListMetric};
use crate::processor::arch;
use crate::rank::{Rank, Ranking, TieRule, UNRANKED};

/// The gain of a label, for one list.
#[derive(Debug, Clone, Copy)]
pub(super) enum LabelGain {
    Linear,
    /// 2^(y - shift) - 2^-shift: with the largest label as shift nothing overflows.
    Exp2 {
        shift: f64,
    },
    Above(f64),
}

impl LabelGain {
    /// The gain for a list; `scaled` if a common factor does not matter.
    pub(super) fn new(gain: Gain, labels: &[f64], threshold: f64, scaled: bool) -> Self {
        match gain {
            Gain::Linear => LabelGain::Linear,
            Gain::Binary => LabelGain::Above(threshold),
            Gain::Exp2 if scaled => LabelGain::Exp2 { shift: largest(labels) },
            Gain::Exp2 => LabelGain::Exp2 { shift: 0.0 },
        }
    }

    #[inline]
    pub(super) fn of(self, label: f64) -> f64 {
        match self {
            LabelGain::Linear => label,
            LabelGain::Exp2 { .. } if label == 0.0 => label,
            LabelGain::Exp2 { shift } if label.abs() < 0.5 => exp2_gain(label) * exp2(-shift),
            LabelGain::Exp2 { shift } => exp2(label - shift) - exp2(-shift),
            LabelGain::Above(threshold) => f64::from(u8::from(label > threshold)),
        }
    }
}

/// How many of the scores are this one; with the widest vectors, as it is asked of every list.
fn count_equal(scores: &[f64], score: f64) -> usize {
    arch().dispatch(
        #[inline(always)]
        || scores.iter().filter(|s| **s == score).count(),
    )
}

/// The largest label, but at least 0; by several maxima, which need not wait for each other.
fn largest(labels: &[f64]) -> f64 {
    let larger = |a: f64, b: f64| if b > a { b } else { a };
    let (rounds, rest) = labels.as_chunks::<8>();
    let mut maxima = [0.0; 8];
    for round in rounds {
        maxima.iter_mut().zip(round).for_each(|(max, &label)| *max = larger(*max, label));
    }
    maxima.iter().chain(rest).copied().fold(0.0, larger)
}

/// 2^y - 1, accurate also where y is so near 0 that the difference would cancel.
pub(crate) fn exp2_gain(y: f64) -> f64 {
    if y.abs() < 0.5 { (y * std::f64::consts::LN_2).exp_m1() } else { exp2(y) - 1.0 }
}

/// 2^x. Grades are small integers: for those the result is made from the exponent bits alone.
fn exp2(x: f64) -> f64 {
    let whole = x as i64;
    if x == whole as f64 && (-1022..=1023).contains(&whole) {
        return f64::from_bits(((1023 + whole) as u64) << 52);
    }
    x.exp2()
}

/// offset + scale x the sum over positions of gain x discount, for one list.
pub(super) struct Additive<'l> {
    labels: &'l [f64],
    gain: LabelGain,
    /// For the first positions; 0 beyond. Never rising.
    discounts: Cow<'l, [f64]>,
    ties: TieRule,
    offset: f64,
    scale: f64,
    weight: f64,
    /// For a list that has nothing to find: its value by convention.
    without_value: Option<Option<f64>>,
}

impl<'l> Additive<'l> {
    pub(super) fn new(
        labels: &'l [f64],
        gain: LabelGain,
        discounts: Cow<'l, [f64]>,
        ties: TieRule,
    ) -> Self {
        Additive {
            labels,
            gain,
            discounts,
            ties,
            offset: 0.0,
            scale: 1.0,
            weight: 1.0,
            without_value: None,
        }
    }

    /// The largest possible sum: labels in descending order. (Gains increase with labels.)
    pub(super) fn ideal(&self) -> f64 {
        with_top(self.labels, self.discounts.len(), |best| {
            best.iter().zip(&*self.discounts).map(|(t, d)| self.gain.of(t.score) * d).sum()
        })
    }

    /// The mean sum over all orders: every position gets the mean gain.
    pub(super) fn mean(&self) -> f64 {
        let n = self.labels.len();
        let gains: f64 = self.labels.iter().map(|&y| self.gain.of(y)).sum();
        let reached: f64 = self.discounts.iter().take(n).sum();
        if n == 0 { 0.0 } else { gains / n as f64 * reached }
    }

    /// Makes the value sum / total; a list whose total is 0, or too near 0 to divide by, gets
    /// `fill` instead.
    pub(super) fn divided_by(mut self, total: f64, fill: Option<f64>) -> Self {
        if total > 0.0 && total.recip().is_finite() {
            // An infinite total makes every value NaN, which is refused later; its reciprocal
            // would make it a plausible 0.
            self.scale = if total.is_finite() { total.recip() } else { f64::NAN };
        } else {
            self.without_value = Some(fill);
        }
        self
    }

    /// Adds a constant to the value.
    pub(super) fn plus(mut self, constant: f64) -> Self {
        self.offset = constant;
        self
    }

    /// Makes the value total - sum.
    pub(super) fn subtracted_from(mut self, total: f64) -> Self {
        self.offset = total;
        self.scale = -1.0;
        self
    }

    /// Sets the weight of the list in a weighted mean.
    pub(super) fn weighted_by(mut self, weight: f64) -> Self {
        self.weight = weight;
        self
    }

    #[inline]
    fn gain_of(&self, top: &Top) -> f64 {
        self.gain.of(self.labels[top.item as usize])
    }

    /// The sum for the order that the scores give.
    pub(super) fn sum(&self, scores: &[f64]) -> f64 {
        let k = self.discounts.len().min(self.labels.len());
        with_top(scores, k, |top| {
            let mut sum = 0.0;
            let mut start = 0;
            while start < top.len() {
                let score = top[start].score;
                if score == UNRANKED {
                    break;
                }
                let mut end = start + 1;
                while end < top.len() && top[end].score == score {
                    end += 1;
                }
                // The last block may continue below the cutoff. Counting first is quick, and
                // in most lists it is all that is needed.
                let last = match end < k || self.ties == TieRule::Stable {
                    true => end,
                    false => start + count_equal(scores, score),
                };
                sum += if last == start + 1 {
                    self.gain_of(&top[start]) * self.discounts[start]
                } else if last == end {
                    self.block(start..end, end, top[start..end].iter().map(|t| self.gain_of(t)))
                } else {
                    let tied = scores.iter().zip(self.labels).filter(|(s, _)| **s == score);
                    self.block(start..end, last, tied.map(|(_, &y)| self.gain.of(y)))
                };
                start = end;
            }
            sum
        })
    }

    /// The sum over a block of tied items with these gains, of which the ranks `within` are
    /// above the cutoff and which ends before rank `end`.
    fn block(&self, within: Range<usize>, end: usize, gains: impl Iterator<Item = f64>) -> f64 {
        let discounts = &self.discounts[within.clone()];
        match self.ties {
            TieRule::Stable => gains.zip(discounts).map(|(g, d)| g * d).sum(),
            TieRule::Expected => {
                let size = (end - within.start) as f64;
                gains.sum::<f64>() / size * discounts.iter().sum::<f64>()
            }
            TieRule::Subrank => {
                // Below the cutoff the sum is 0 even where a gain has overflowed.
                self.discounts.get(end - 1).map_or(0.0, |last| gains.sum::<f64>() * last)
            }
            TieRule::Worst => {
                let mut gains: Vec<f64> = gains.collect();
                gains.sort_unstable_by(f64::total_cmp);
                gains.iter().zip(discounts).map(|(g, d)| g * d).sum()
            }
        }
    }
}

impl ListMetric for Additive<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        match self.without_value {
            Some(fill) => fill,
            None => Some(self.offset + self.scale * self.sum(scores)),
        }
    }

    fn weight(&self) -> f64 {
        self.weight
    }

    fn mean_over_orders(&self) -> Option<Option<f64>> {
        Some(match self.without_value {
            Some(fill) => fill,
            None => Some(self.offset + self.scale * self.mean()),
        })
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        if self.without_value.is_some() {
            return 0.0;
        }
        let gain = |rank| self.gain.of(self.labels[ranking.item_at(rank).at()]);
        let discount = |rank: Rank| self.discounts.get(rank.at()).copied().unwrap_or(0.0);
        self.scale * (gain(b) - gain(a)) * (discount(a) - discount(b))
    }

    fn additive(&self) -> Option<AdditiveParts<'_>> {
        Some(AdditiveParts {
            gains: self.labels.iter().map(|&y| self.gain.of(y)).collect(),
            discounts: &self.discounts,
            scale: if self.without_value.is_some() { 0.0 } else { self.scale },
        })
    }
}
