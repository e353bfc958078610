//! Sums over pairs of items, the common computation of RankNet and every lambda loss.
//!
//! For each pair whose gains differ, `high` the item with the larger gain and `low` the other:
//!
//! x = s_high - s_low,  rho = 1 / (1 + exp(sigma x)),
//! gradient of high -= sigma delta rho,  of low += sigma delta rho,
//! hessian of both += sigma^2 delta rho (1 - rho),
//!
//! where delta is the weight of the pair (|g_i - g_j|, or 1) x |d(rank i) - d(rank j)| x the
//! geometric mean of the two items' weights. Only pairs with an item in the first `rows` ranks
//! are used: O(n rows) time and O(n) memory. Where all pairs of a long list are used and there
//! are no discounts, `smooth` computes the sums in O(n log n).
//!
//! exp(sigma (s_i - s_j)) is a ratio of two numbers that need only be computed once per item,
//! the `odds` exp(sigma (s - centre)): with o_high and o_low, rho = o_low / (o_high + o_low).
//! The loop over pairs (`pairs/rows.rs`) is then plain arithmetic. Where scores are so far apart
//! that odds would overflow, they are recomputed for each row.
//!
//! Example: gains (1, 0), discounts (1, 0), scores (0, 0): rho = 1/2, gradients -1/2 and 1/2,
//! hessians 1/4.

mod rows;
mod smooth;
mod vector;
mod walk;

use std::cell::RefCell;

use super::GradHess;
use super::logistic::{sigmoid, softplus};
use smooth::Smooth;
use walk::Walk;

/// The maximum length of a list whose pairs are summed up one by one if all of them are used;
/// longer lists are left to `smooth`.
const MAX_WALKED: usize = 2000;

/// The weight of a pair of items with different gains.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PairWeight {
    /// The difference of their gains.
    Difference,
    /// 1.
    One,
}

impl PairWeight {
    /// Returns the weight for a difference of gains.
    fn of(self, gap: f64) -> f64 {
        match self {
            PairWeight::Difference => gap.abs(),
            PairWeight::One => sign(gap).abs(),
        }
    }
}

/// The discounts of positions.
pub(super) enum Discounts {
    /// None: all |d - d'| are 1.
    None,
    /// Those of the first ranks, non-increasing; 0 beyond.
    ByRank(Vec<f64>),
    /// By the money that the items above take: 1 - spent / money, and 0 where nothing is left.
    BySpending { price: Vec<f64>, money: f64 },
}

impl Discounts {
    /// Returns the discounts of the first ranks; none where they are not of ranks.
    pub(super) fn of_ranks(&self) -> &[f64] {
        match self {
            Discounts::ByRank(discounts) => discounts,
            Discounts::None | Discounts::BySpending { .. } => &[],
        }
    }

    /// Returns the discounts of the items that the money reaches, in their order.
    fn by_spending<'i>(
        price: &'i [f64],
        money: f64,
        items: &'i [u32],
    ) -> impl Iterator<Item = f64> + 'i {
        let left = items.iter().scan(0.0, move |spent, &item| {
            let left = 1.0 - *spent / money;
            *spent += price[item as usize];
            Some(left)
        });
        left.take_while(|left| *left > 0.0)
    }
}

/// The pairs of one list.
pub(super) struct Pairs {
    pub(super) gains: Vec<f64>,
    pub(super) pair_weight: PairWeight,
    pub(super) discounts: Discounts,
    /// What replaces |d - d'| for ranks 1, 2, ... apart, 0 beyond.
    pub(super) by_distance: Option<Vec<f64>>,
    /// The number of first ranks of which a pair must have one.
    pub(super) rows: usize,
    pub(super) sigma: f64,
    /// See [`Lambda::norm`](super::Lambda::norm).
    pub(super) norm: bool,
    pub(super) weights: RootWeights,
    pub(super) weight: f64,
}

/// Item weights for pairs. The largest is a separate factor, so that doubling all weights exactly
/// doubles the loss.
pub(super) struct RootWeights {
    /// The square roots of weight / largest.
    pub(super) roots: Vec<f64>,
    pub(super) largest: f64,
}

impl RootWeights {
    pub(super) fn new(given: Option<&[f64]>, n: usize) -> Self {
        let Some(weights) = given else {
            return RootWeights { roots: vec![1.0; n], largest: 1.0 };
        };
        let largest = weights.iter().copied().fold(0.0, f64::max);
        let share = |w: &f64| if largest > 0.0 { w / largest } else { 0.0 };
        RootWeights { roots: weights.iter().map(|w| share(w).sqrt()).collect(), largest }
    }
}

impl Pairs {
    /// Writes the derivatives at these scores.
    pub(super) fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        let rows = self.rows.min(scores.len());
        if rows == 0 {
            return;
        }
        if self.is_smooth(scores.len()) {
            return self.smooth_gradients(scores, out);
        }
        WALK.with_borrow_mut(|walk| {
            // Each pair pulls two items.
            let sum = 2.0 * self.sigma * walk.walk(self, scores, rows);
            let shrink = if self.norm && sum > 0.0 { (1.0 + sum).log2() / sum } else { 1.0 };
            let factor = self.weight * self.weights.largest * shrink * self.sigma;
            for (item, grad, hess) in walk.derivatives() {
                out[item as usize] =
                    GradHess { grad: factor * grad, hess: factor * self.sigma * hess };
            }
        });
    }

    /// Adds the derivatives of the pairs that count, each given by the item of higher gain and the other; one by one
    /// and without normalising.
    pub(super) fn some_gradients(
        &self,
        scores: &[f64],
        counts: &dyn Fn(usize, usize) -> bool,
        out: &mut [GradHess],
    ) {
        let n = scores.len();
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        let discounts = self.discounts.of_ranks();
        let discount = |rank: usize| discounts.get(rank).copied().unwrap_or(0.0);
        let factor = self.weight * self.weights.largest * self.sigma;
        for (rank, &i) in order.iter().enumerate().take(self.rows) {
            for (other, &j) in order.iter().enumerate().skip(rank + 1) {
                let gap = self.gains[i] - self.gains[j];
                let (high, low) = if gap > 0.0 { (i, j) } else { (j, i) };
                if gap == 0.0 || !counts(high, low) {
                    continue;
                }
                let moved = match &self.by_distance {
                    Some(by_distance) => by_distance.get(other - rank - 1).copied().unwrap_or(0.0),
                    None => discount(rank) - discount(other),
                };
                let roots = self.weights.roots[i] * self.weights.roots[j];
                let delta = factor * self.pair_weight.of(gap) * moved * roots;
                let rho = sigmoid(-self.sigma * (scores[high] - scores[low]));
                out[high].grad -= delta * rho;
                out[low].grad += delta * rho;
                let hess = delta * self.sigma * rho * (1.0 - rho);
                out[high].hess += hess;
                out[low].hess += hess;
            }
        }
    }

    /// Returns the sum of delta x log(1 + exp(-sigma x)) over the pairs that are used, without
    /// discounts.
    pub(super) fn value(&self, scores: &[f64]) -> f64 {
        let rows = self.rows.min(scores.len());
        if rows > 0 && self.is_smooth(scores.len()) {
            let sum = SMOOTH.with_borrow_mut(|smooth| smooth.value(self, scores));
            return self.weight * self.weights.largest * sum;
        }
        let roots = &self.weights.roots;
        let mut sum = 0.0;
        WALK.with_borrow_mut(|walk| {
            walk.order(self.ranked(scores.len()), scores);
            for (rank, &i) in walk.items.iter().enumerate().take(rows) {
                for &j in &walk.items[rank + 1..] {
                    let (i, j) = (i as usize, j as usize);
                    let gap = self.gains[i] - self.gains[j];
                    let x = sign(gap) * (scores[i] - scores[j]);
                    sum +=
                        self.pair_weight.of(gap) * roots[i] * roots[j] * softplus(-self.sigma * x);
                }
            }
        });
        self.weight * self.weights.largest * sum
    }

    /// Whether all pairs are used, their terms depend on scores alone, and they are so many that
    /// `smooth` is faster than a loop over pairs.
    fn is_smooth(&self, n: usize) -> bool {
        let all =
            self.rows >= n && self.has_no_discounts() && self.by_distance.is_none() && !self.norm;
        all && n > MAX_WALKED
    }

    fn has_no_discounts(&self) -> bool {
        matches!(self.discounts, Discounts::None)
    }

    fn smooth_gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        let factor = self.weight * self.weights.largest * self.sigma;
        SMOOTH.with_borrow_mut(|smooth| {
            WALK.with_borrow_mut(|walk| {
                for (out, (grad, hess)) in
                    out.iter_mut().zip(smooth.derivatives(self, scores, walk))
                {
                    let hess = factor * self.sigma * f64::max(hess, 0.0);
                    *out = GradHess { grad: factor * grad, hess };
                }
            });
        });
    }

    /// The number of first ranks that must be sorted.
    fn ranked(&self, n: usize) -> usize {
        if let Some(by_distance) = &self.by_distance {
            // The last row has pairs up to that distance.
            return (self.rows.min(n) + by_distance.len()).min(n);
        }
        match &self.discounts {
            Discounts::ByRank(discounts) => discounts.len().min(n),
            Discounts::BySpending { .. } => n,
            // All pairs are treated alike, so any order will do.
            Discounts::None if self.rows >= n => 0,
            Discounts::None => self.rows,
        }
    }
}

fn sign(gap: f64) -> f64 {
    if gap > 0.0 {
        1.0
    } else if gap < 0.0 {
        -1.0
    } else {
        0.0
    }
}

thread_local! {
    /// Buffers, reused from list to list.
    static WALK: RefCell<Walk> = RefCell::default();
    static SMOOTH: RefCell<Smooth> = RefCell::default();
}
