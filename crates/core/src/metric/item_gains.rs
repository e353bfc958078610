//! Sums over positions of gain(item) x discount(position) where the gains are computed per
//! list and belong to no column: rank DCG and CSDCG.
//!
//! All computations are those of [`Additive`]; gains may be negative. By the rearrangement
//! inequality the best order is that of the gains, the worst its reverse, and the worst order of
//! a tied block has its smallest gain first, whatever the signs.
//!
//! Example: gains (2, -1) with discounts (1, 0.5): best 2 - 0.5, worst -1 + 1.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::{AdditiveParts, ListMetric};
use crate::rank::{Rank, Ranking, TieRule};

/// (sum - offset) / unit for one list.
pub(super) struct ItemGains {
    gains: Vec<f64>,
    /// For the first positions; 0 beyond. Never rising, never negative.
    discounts: Vec<f64>,
    ties: TieRule,
    offset: f64,
    unit: f64,
}

impl ItemGains {
    pub(super) fn new(gains: Vec<f64>, discounts: Vec<f64>, ties: TieRule) -> Self {
        ItemGains { gains, discounts, ties, offset: 0.0, unit: 1.0 }
    }

    /// Makes the value (sum - offset) / unit; `None` unless the unit is above 0.
    pub(super) fn normalised(mut self, offset: f64, unit: f64) -> Option<Self> {
        (self.offset, self.unit) = (offset, unit);
        (unit > 0.0).then_some(self)
    }

    /// The largest possible sum.
    pub(super) fn best(&self) -> f64 {
        self.additive().ideal()
    }

    /// The smallest possible sum.
    pub(super) fn worst(&self) -> f64 {
        let reversed: Vec<f64> = self.gains.iter().map(|g| -g).collect();
        self.additive().sum(&reversed)
    }

    fn additive(&self) -> Additive<'_> {
        let discounts = Cow::Borrowed(&*self.discounts);
        Additive::new(&self.gains, LabelGain::Linear, discounts, self.ties)
    }
}

impl ListMetric for ItemGains {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        Some((self.additive().sum(scores) - self.offset) / self.unit)
    }

    fn mean_over_orders(&self) -> Option<Option<f64>> {
        Some(Some((self.additive().mean() - self.offset) / self.unit))
    }

    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        self.additive().swap_delta(ranking, a, b) / self.unit
    }

    fn additive(&self) -> Option<AdditiveParts<'_>> {
        let (gains, discounts) = (self.gains.clone(), &*self.discounts);
        Some(AdditiveParts { gains, discounts, scale: self.unit.recip() })
    }
}
