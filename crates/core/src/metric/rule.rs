//! The computation behind a metric: [`Rule`] is the rule for any list, [`ListMetric`] the rule
//! prepared for one list.

use std::borrow::Cow;

use crate::data::ListView;
use crate::rank::{Rank, Ranking};

/// The computation behind a metric. Each metric of the table has one; a metric of your own
/// becomes a [`super::Metric`] by [`super::Metric::custom`].
pub trait Rule: Send + Sync {
    /// Prepares the metric for a list: whatever depends on the list alone is computed here,
    /// once for all orders of the list.
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l>;

    /// Returns scores that give the best possible order of a list.
    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]>;

    /// Prepares the metric for all lists at once, if it has no value of single lists: training then stops
    /// by its figure.
    fn prepare_all<'l>(&'l self, _lists: &[ListView<'l>]) -> Option<Box<dyn AllListsMetric + 'l>> {
        None
    }

    /// Checks that the list has all columns the metric needs beyond the costs. The error says
    /// what is missing and how to provide it.
    fn check(&self, _list: &ListView<'_>) -> Result<(), String> {
        Ok(())
    }
}

/// A metric prepared for all lists together.
pub trait AllListsMetric: Send + Sync {
    /// Returns the figure of these scores, list after list; `None` if there is none.
    fn of_scores(&self, scores: &[f64]) -> Option<f64>;
}

/// A metric prepared for one list.
pub trait ListMetric: Send + Sync {
    /// Returns the value of the order that these scores give, or `None` if the list has no
    /// value (nothing to save, no pair to compare).
    fn of_scores(&self, scores: &[f64]) -> Option<f64>;

    /// Returns the value of an order.
    fn of_ranking(&self, ranking: &Ranking) -> Option<f64> {
        self.of_scores(&ranking.to_scores())
    }

    /// Returns the weight of the list, for aggregates that weight lists.
    fn weight(&self) -> f64 {
        1.0
    }

    /// Returns the mean value over all orders of the list, where it has a closed form:
    /// `Some(None)` for a list without a value, `None` for a metric without a closed form.
    fn mean_over_orders(&self) -> Option<Option<f64>> {
        None
    }

    /// Returns what exchanging the items of two ranks would add to the value. This default is
    /// slow and correct; fast paths are tested against it.
    fn swap_delta(&self, ranking: &Ranking, a: Rank, b: Rank) -> f64 {
        // Ties are resolved as they stand on both sides, or the difference would include the
        // effect of breaking them.
        let before = self.of_ranking(&ranking.swapped(a, a)).unwrap_or(0.0);
        self.of_ranking(&ranking.swapped(a, b)).unwrap_or(0.0) - before
    }

    /// Returns the metric as a sum of gain x discount, if it is one. (Then a swap has a closed
    /// form, which learners need for every pair at once.)
    fn additive(&self) -> Option<AdditiveParts<'_>> {
        None
    }

    /// Returns what money is spent on, if that decides which items are acted on.
    fn spending(&self) -> Option<Spending<'_>> {
        None
    }
}

/// A prepared metric as a sum: its value is `scale` x the sum over ranks of gain(item at the
/// rank) x discount(rank), up to a constant. Exchanging the items at ranks a and b adds
/// `scale * (g_b - g_a) * (d_a - d_b)`.
#[derive(Debug, Clone, PartialEq)]
pub struct AdditiveParts<'m> {
    /// The gain of each item, in the order of the list.
    pub gains: Vec<f64>,
    /// The discounts of the first ranks, never rising; 0 beyond.
    pub discounts: &'m [f64],
    /// The factor of the sum: 0 for a list without a value, `NaN` where the sum overflows.
    pub scale: f64,
}

/// A prepared metric of what money saves: items are bought from the top until it is spent. Its value is
/// `scale` x the cost of what is bought, up to a constant and the sign.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Spending<'m> {
    /// The cost of each item, in the order of the list.
    pub cost: &'m [f64],
    /// The price of each item.
    pub price: &'m [f64],
    /// The money to spend.
    pub money: f64,
    /// The factor of the cost: 0 for a list without a value.
    pub scale: f64,
}
