//! Bounds on the value of an order in which an item does not have the rank it has in the ideal order.
//!
//! Once weights of some value are known, only better ones are of interest. If the best order, linear or not, in which
//! a column is 0 (or 1) has a smaller value, the column is fixed at 1 (or 0). With good initial weights this fixes most
//! of the top of a list before the search.
//!
//! Example: gains 1, 1, 0 and discounts 1, 1/2, 1/4: the ideal order has the value 1.5, and an order with the bad item
//! above the first good one at most 0.75. If weights of value 1.25 are known, such orders need not be considered.

use crate::problem::Problem;

/// The ideal order of a list: the best among all orders, linear or not.
pub(super) struct Ideal<'p> {
    /// In descending order.
    gains: Vec<f64>,
    discounts: &'p [f64],
    /// The ideal value of all other lists, and the constant.
    others: f64,
}

impl<'p> Ideal<'p> {
    /// The ideal order of a list.
    pub(super) fn new(problem: &'p Problem, list: usize) -> Self {
        let mut gains = problem.sum().gains[problem.list(list)].to_vec();
        gains.sort_by(|a, b| b.total_cmp(a));
        let discounts = &problem.sum().discounts[list];
        let mut ideal = Ideal { gains, discounts, others: 0.0 };
        ideal.others = problem.ideal() - ideal.value(ideal.gains.iter());
        ideal
    }

    /// The value of the whole problem with this order of gains.
    fn value<'g>(&self, gains: impl Iterator<Item = &'g f64>) -> f64 {
        let sum = gains.zip(self.discounts).map(|(gain, discount)| gain * discount).sum::<f64>();
        self.others + sum
    }

    /// The best value if `before` of the items after the first `good` ones come before the `nth` of these (from 1).
    pub(super) fn with_before(&self, nth: usize, good: usize, before: usize) -> f64 {
        let (above, below) = self.gains.split_at(good);
        let (first, second) = above.split_at(nth - 1);
        let (early, late) = below.split_at(before);
        self.value(first.iter().chain(early).chain(second).chain(late))
    }

    /// The best value if the rank (from 0) of an item with this gain is at least `from` and at most `to`.
    pub(super) fn with_rank(&self, gain: f64, from: usize, to: usize) -> f64 {
        let first = self.gains.partition_point(|other| *other > gain);
        let last = self.gains.partition_point(|other| *other >= gain).saturating_sub(1);
        let rank = if from > last { from } else { to.min(first) };
        let out = if from > last { last } else { first };
        let mut order = self.gains.clone();
        let item = order.remove(out);
        order.insert(rank.min(order.len()), item);
        self.value(order.iter())
    }
}
