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
//! are touched: O(n rows) time and O(n) memory.
//!
//! exp(sigma (s_i - s_j)) is a ratio of two numbers that need only be computed once per item,
//! the `odds` exp(sigma (s - centre)): with o_high and o_low, rho = o_low / (o_high + o_low).
//! The loop over pairs is then plain arithmetic, four pairs at a time. Where scores lie so far
//! apart that odds would overflow, they are taken afresh for each row.
//!
//! Example: gains (1, 0), discounts (1, 0), scores (0, 0): rho = 1/2, gradients -1/2 and 1/2,
//! hessians 1/4.

use std::cell::RefCell;

use stakes_core::metric::with_top;

use super::GradHess;
use super::logistic::softplus;

/// Pairs that are computed at once.
const LANES: usize = 4;
/// exp is finite and its reciprocal a normal number up to here.
const LARGEST_EXPONENT: f64 = 700.0;
/// Keeps the normalisation of LightGBM finite for equal scores; its value is LightGBM's.
const SCORE_OFFSET: f64 = 0.01;

/// What the better of two items is worth more.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stake {
    /// The difference of their gains.
    Difference,
    /// 1.
    One,
}

/// The pairs of one list.
pub(super) struct Pairs {
    pub(super) gains: Vec<f64>,
    pub(super) stake: Stake,
    /// Of the first ranks, never rising; 0 beyond. Without them all |d - d'| are 1.
    pub(super) discounts: Option<Vec<f64>>,
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
        WALK.with_borrow_mut(|walk| {
            let (worst, best) = bounds(scores);
            walk.set_out(self, scores, (worst + best) / 2.0);
            let far = self.sigma * (best - worst) > LARGEST_EXPONENT;
            let sum = match (self.stake, self.norm && best != worst) {
                (Stake::One, _) => walk.rows(self, rows, far, sign, |_| 1.0),
                (_, false) => walk.rows(self, rows, far, |gap| gap, |_| 1.0),
                (_, true) => {
                    walk.rows(self, rows, far, |gap| gap, |x| 1.0 / (SCORE_OFFSET + x.abs()))
                }
            };
            // Each pair moves two items.
            let sum = 2.0 * self.sigma * sum;
            let shrink = if self.norm && sum > 0.0 { (1.0 + sum).log2() / sum } else { 1.0 };
            let factor = self.weight * self.weights.largest * shrink * self.sigma;
            for (place, &item) in walk.items.iter().enumerate() {
                let (block, lane) = (&walk.blocks[place / LANES], place % LANES);
                out[item as usize] = GradHess {
                    grad: factor * block.grad[lane],
                    hess: factor * self.sigma * block.hess[lane],
                };
            }
        });
    }

    /// The sum of delta x log(1 + exp(-sigma x)) over the pairs that are touched, without
    /// discounts.
    pub(super) fn value(&self, scores: &[f64]) -> f64 {
        let rows = self.rows.min(scores.len());
        let roots = &self.weights.roots;
        let mut sum = 0.0;
        WALK.with_borrow_mut(|walk| {
            walk.order(self.ranked(scores.len()), scores);
            for (rank, &i) in walk.items.iter().enumerate().take(rows) {
                for &j in &walk.items[rank + 1..] {
                    let (i, j) = (i as usize, j as usize);
                    let gap = self.gains[i] - self.gains[j];
                    let stake = if self.stake == Stake::One { sign(gap).abs() } else { gap.abs() };
                    let x = sign(gap) * (scores[i] - scores[j]);
                    sum += stake * roots[i] * roots[j] * softplus(-self.sigma * x);
                }
            }
        });
        self.weight * self.weights.largest * sum
    }

    /// How many first ranks must be known.
    fn ranked(&self, n: usize) -> usize {
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

/// Lowest and highest.
fn bounds(scores: &[f64]) -> (f64, f64) {
    let start = (f64::INFINITY, f64::NEG_INFINITY);
    scores.iter().fold(start, |(low, high), &s| (low.min(s), high.max(s)))
}

thread_local! {
    /// Buffers, kept from list to list.
    static WALK: RefCell<Walk> = RefCell::default();
}

/// Items in the order of the walk: the first ranks, then the others as they come.
#[derive(Default)]
struct Walk {
    items: Vec<u32>,
    taken: Vec<bool>,
    blocks: Vec<Block>,
}

/// A few items side by side, as vector instructions like them. The last block is filled up
/// with items of no weight.
#[derive(Clone, Copy)]
struct Block {
    score: [f64; LANES],
    odds: [f64; LANES],
    gain: [f64; LANES],
    root: [f64; LANES],
    discount: [f64; LANES],
    grad: [f64; LANES],
    hess: [f64; LANES],
}

const EMPTY: Block = Block {
    score: [0.0; LANES],
    odds: [1.0; LANES],
    gain: [0.0; LANES],
    root: [0.0; LANES],
    discount: [0.0; LANES],
    grad: [0.0; LANES],
    hess: [0.0; LANES],
};

impl Walk {
    fn order(&mut self, ranked: usize, scores: &[f64]) {
        self.items.clear();
        self.taken.clear();
        self.taken.resize(scores.len(), false);
        with_top(scores, ranked, |top| {
            for top in top {
                self.items.push(top.item);
                self.taken[top.item as usize] = true;
            }
        });
        let others = (0..scores.len() as u32).zip(&self.taken).filter(|(_, taken)| !**taken);
        self.items.extend(others.map(|(item, _)| item));
    }

    fn set_out(&mut self, pairs: &Pairs, scores: &[f64], centre: f64) {
        self.order(pairs.ranked(scores.len()), scores);
        self.blocks.clear();
        self.blocks.resize(scores.len().div_ceil(LANES), EMPTY);
        let discounts = pairs.discounts.as_deref().unwrap_or(&[]);
        for (items, block) in self.items.chunks(LANES).zip(&mut self.blocks) {
            for (lane, &item) in items.iter().enumerate() {
                let item = item as usize;
                block.score[lane] = scores[item];
                block.odds[lane] = odds(pairs.sigma, scores[item] - centre);
                block.gain[lane] = pairs.gains[item];
                block.root[lane] = pairs.weights.roots[item];
            }
        }
        for (rank, &discount) in discounts.iter().enumerate().take(scores.len()) {
            self.blocks[rank / LANES].discount[rank % LANES] = discount;
        }
    }

    /// All pairs; returns the sum of their delta rho.
    fn rows(
        &mut self,
        pairs: &Pairs,
        rows: usize,
        far: bool,
        stake: impl Fn(f64) -> f64,
        damp: impl Fn(f64) -> f64,
    ) -> f64 {
        let mut sum = 0.0;
        for rank in 0..rows {
            let (block, lane) = (rank / LANES, rank % LANES);
            let mut one = One::new(&self.blocks[block], lane);
            if pairs.discounts.is_none() {
                one.discount = 1.0;
            }
            if one.root == 0.0 {
                continue;
            }
            let blocks = &mut self.blocks[block..];
            if far {
                one.odds = 1.0;
                blocks.iter_mut().for_each(|b| {
                    b.odds = b.score.map(|score| odds(pairs.sigma, score - one.score));
                });
            }
            let (grad, hess, size) = one.against(blocks, &stake, &damp);
            blocks[0].grad[lane] -= grad;
            blocks[0].hess[lane] += hess;
            // All of its pairs are done: it is not there for the ranks that follow.
            blocks[0].root[lane] = 0.0;
            sum += size;
        }
        sum
    }
}

fn odds(sigma: f64, score: f64) -> f64 {
    (sigma * score).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT).exp()
}

/// The item of a row.
struct One {
    score: f64,
    odds: f64,
    gain: f64,
    root: f64,
    discount: f64,
}

impl One {
    fn new(block: &Block, lane: usize) -> Self {
        One {
            score: block.score[lane],
            odds: block.odds[lane],
            gain: block.gain[lane],
            root: block.root[lane],
            discount: block.discount[lane],
        }
    }

    /// All pairs of a row. (With itself its gain does not differ.) Returns the sums of the
    /// gradients, of the hessians and of the gradients' sizes, each without sigma.
    #[inline(always)]
    fn against(
        &self,
        others: &mut [Block],
        stake: &impl Fn(f64) -> f64,
        damp: &impl Fn(f64) -> f64,
    ) -> (f64, f64, f64) {
        let (mut grads, mut hesses, mut sizes) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        for other in others {
            for lane in 0..LANES {
                let gap = stake(self.gain - other.gain[lane]);
                let discount = (self.discount - other.discount[lane]).abs();
                let damp = damp(self.score - other.score[lane]);
                let delta = gap * discount * (self.root * other.root[lane]) * damp;
                let (mine, its) = (self.odds, other.odds[lane]);
                let low = if gap > 0.0 { its } else { mine };
                let whole = 1.0 / (mine + its);
                let grad = delta * (low * whole);
                let hess = delta.abs() * ((mine * whole) * (its * whole));
                grads[lane] += grad;
                hesses[lane] += hess;
                sizes[lane] += grad.abs();
                other.grad[lane] += grad;
                other.hess[lane] += hess;
            }
        }
        let sum = |lanes: [f64; LANES]| (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
        (sum(grads), sum(hesses), sum(sizes))
    }
}
