//! Sums over pairs of items, the one computation behind RankNet and every lambda loss.
//!
//! For each pair whose gains differ, `high` the item of more gain and `low` the other:
//!
//! x = s_high - s_low,  rho = 1 / (1 + exp(sigma x)),
//! gradient of high -= sigma delta rho,  of low += sigma delta rho,
//! hessian of both += sigma^2 delta rho (1 - rho),
//!
//! where delta is the stake of the pair (|g_i - g_j|, or 1) x |d(rank i) - d(rank j)| x the
//! geometric mean of the two items' weights. Only pairs with an item in the first `rows` ranks
//! are touched: O(n rows) time and O(n) memory. Where all pairs of a long list count and there
//! are no discounts, `smooth` finds their sums in O(n log n).
//!
//! exp(sigma (s_i - s_j)) is a ratio of two numbers that need only be computed once per item,
//! the `odds` exp(sigma (s - centre)): with o_high and o_low, rho = o_low / (o_high + o_low).
//! The loop over pairs (`pairs/rows.rs`) is then plain arithmetic. Where scores lie so far apart
//! that odds would overflow, they are taken afresh for each row.
//!
//! Example: gains (1, 0), discounts (1, 0), scores (0, 0): rho = 1/2, gradients -1/2 and 1/2,
//! hessians 1/4.

mod rows;
mod smooth;
mod vector;
mod walk;

use std::cell::RefCell;

use super::GradHess;
use super::logistic::softplus;
use smooth::Smooth;
use walk::Walk;

/// Longer lists of which all pairs count are summed up by `smooth`.
const LONG: usize = 2000;

/// What the better of two items is worth more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stake {
    /// The difference of their gains.
    Difference,
    /// 1.
    One,
}

impl Stake {
    /// For gains that differ by so much.
    fn of(self, gap: f64) -> f64 {
        match self {
            Stake::Difference => gap.abs(),
            Stake::One => sign(gap).abs(),
        }
    }
}

/// The pairs of one list.
pub(super) struct Pairs {
    pub(super) gains: Vec<f64>,
    pub(super) stake: Stake,
    /// Of the first ranks, never rising; 0 beyond. Without them all |d - d'| are 1.
    pub(super) discounts: Option<Vec<f64>>,
    /// Of ranks 1, 2, ... apart, 0 beyond: in the place of |d - d'|.
    pub(super) near: Option<Vec<f64>>,
    /// Pairs have an item in so many first ranks.
    pub(super) rows: usize,
    pub(super) sigma: f64,
    /// See [`Lambda::norm`](super::Lambda::norm).
    pub(super) norm: bool,
    pub(super) weights: RootWeights,
    pub(super) weight: f64,
}

/// Item weights as pairs use them: the largest apart, so that twice the weight of all items is
/// exactly the list twice, and a weight of 0 is an item that is not there.
pub(super) struct RootWeights {
    /// Roots of weight / largest.
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
            // Each pair moves two items.
            let sum = 2.0 * self.sigma * walk.go(self, scores, rows);
            let shrink = if self.norm && sum > 0.0 { (1.0 + sum).log2() / sum } else { 1.0 };
            let factor = self.weight * self.weights.largest * shrink * self.sigma;
            for (item, grad, hess) in walk.derivatives() {
                out[item as usize] =
                    GradHess { grad: factor * grad, hess: factor * self.sigma * hess };
            }
        });
    }

    /// The sum of delta x log(1 + exp(-sigma x)) over the pairs that are touched, without
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
                    sum += self.stake.of(gap) * roots[i] * roots[j] * softplus(-self.sigma * x);
                }
            }
        });
        self.weight * self.weights.largest * sum
    }

    /// Whether all pairs count, by their scores alone, and are so many that they are summed up
    /// without being walked over.
    fn is_smooth(&self, n: usize) -> bool {
        let all = self.rows >= n && self.discounts.is_none() && self.near.is_none() && !self.norm;
        all && n > LONG
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

    /// How many first ranks must be known.
    fn ranked(&self, n: usize) -> usize {
        if let Some(near) = &self.near {
            // The last row still looks so far ahead.
            return (self.rows.min(n) + near.len()).min(n);
        }
        match &self.discounts {
            Some(discounts) => discounts.len().min(n),
            // All pairs alike: in any order.
            None if self.rows >= n => 0,
            None => self.rows,
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
    /// Buffers, kept from list to list.
    static WALK: RefCell<Walk> = RefCell::default();
    static SMOOTH: RefCell<Smooth> = RefCell::default();
}
