//! What an order can be worth at best if an item, or a place, is not where the ideal order has it.
//!
//! With weights of a known value at hand, only better ones are looked for. Where the best order of all that
//! leave a column at 0 (or at 1) is worth less than what is at hand, linear or not, the column is fixed at the
//! other. With good weights to begin with this settles most of the top of a list before any search.
//!
//! Example: gains 1, 1, 0 and discounts 1, 1/2, 1/4: the ideal order is worth 1.5, and one with the bad item
//! above the first good one 0.75 at best. Who has weights of 1.25 need not look at orders that begin so.

use crate::problem::Problem;

/// The best order of a list among all orders, linear or not.
pub(super) struct Ideal<'p> {
    /// Falling.
    gains: Vec<f64>,
    discounts: &'p [f64],
    /// What all other lists are worth at best, and what no order changes.
    others: f64,
}

impl<'p> Ideal<'p> {
    /// Of a list.
    pub(super) fn new(problem: &'p Problem, list: usize) -> Self {
        let mut gains = problem.sum().gains[problem.list(list)].to_vec();
        gains.sort_by(|a, b| b.total_cmp(a));
        let discounts = &problem.sum().discounts[list];
        let mut ideal = Ideal { gains, discounts, others: 0.0 };
        ideal.others = problem.ideal() - ideal.worth(ideal.gains.iter());
        ideal
    }

    /// With the lists beside, all of it.
    fn worth<'g>(&self, gains: impl Iterator<Item = &'g f64>) -> f64 {
        let sum = gains.zip(self.discounts).map(|(gain, discount)| gain * discount).sum::<f64>();
        self.others + sum
    }

    /// At best, if so many items below the first `good` ones come before the `nth` of these (from 1).
    pub(super) fn with_before(&self, nth: usize, good: usize, before: usize) -> f64 {
        let (above, below) = self.gains.split_at(good);
        let (first, second) = above.split_at(nth - 1);
        let (early, late) = below.split_at(before);
        self.worth(first.iter().chain(early).chain(second).chain(late))
    }

    /// At best, if an item of this gain is not above the rank `from`, or not below the rank `to` (from 0).
    pub(super) fn with_rank(&self, gain: f64, from: usize, to: usize) -> f64 {
        let first = self.gains.partition_point(|other| *other > gain);
        let last = self.gains.partition_point(|other| *other >= gain).saturating_sub(1);
        let rank = if from > last { from } else { to.min(first) };
        let out = if from > last { last } else { first };
        let mut order = self.gains.clone();
        let item = order.remove(out);
        order.insert(rank.min(order.len()), item);
        self.worth(order.iter())
    }
}
