//! The walk over the pairs of one list, eight at a time.
//!
//! The list lies in blocks of eight items. A row is one item against all that come after it:
//! each pair adds to the other item in its block, and to the row's own sums, lane by lane. The
//! eight lanes of a row are added up at the very end, always in the same order; all else
//! happens within a lane as IEEE 754 says. So `pulp` may choose the widest registers that the
//! processor has, and the width leaves no trace.
//!
//! With damping a pair is divided by its whole odds and by its distance: one division by the
//! product does for both, since 1 / odds = distance x 1 / (odds x distance).
//!
//! Scores are kept as halves. Differences of halves are always finite, and powers of two round
//! nothing.

use super::{Pairs, Stake, sign};

/// Items of a block: the widest registers hold so many.
pub(super) const LANES: usize = 8;

/// Odds go from exp of minus this to exp of this, 1.1e-278 to 8.9e277. So the sum of two of
/// them times a distance of scores up to 1e30 is a number, and its reciprocal a normal one.
/// (Scores still further apart make the product infinite at worst, and its reciprocal 0: such
/// a pair, which is to count less than 1e-30 of its stake, does not count at all.)
pub(super) const LARGEST_EXPONENT: f64 = 640.0;

/// Keeps the normalisation of LightGBM finite for equal scores; its value is LightGBM's 0.01,
/// for halves of scores.
const HALF_SCORE_OFFSET: f64 = 0.005;

type Lanes = [f64; LANES];

/// A few items side by side. The last block is filled up with items of no weight.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Block {
    pub(super) half_score: Lanes,
    pub(super) odds: Lanes,
    pub(super) gain: Lanes,
    pub(super) root: Lanes,
    pub(super) discount: Lanes,
    pub(super) grad: Lanes,
    pub(super) hess: Lanes,
}

pub(super) const EMPTY: Block = Block {
    half_score: [0.0; LANES],
    odds: [1.0; LANES],
    gain: [0.0; LANES],
    root: [0.0; LANES],
    discount: [0.0; LANES],
    grad: [0.0; LANES],
    hess: [0.0; LANES],
};

/// What the pairs of a row add up to, each without sigma.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Sums {
    pub(super) grad: Lanes,
    pub(super) hess: Lanes,
    /// Of the gradients without their signs.
    pub(super) size: Lanes,
}

pub(super) const NOTHING: Sums =
    Sums { grad: [0.0; LANES], hess: [0.0; LANES], size: [0.0; LANES] };

/// 1 for the lanes after the given one.
static AFTER: [Lanes; LANES] = {
    let mut after = [[0.0; LANES]; LANES];
    let mut at = 0;
    while at < LANES * LANES {
        let (lane, other) = (at / LANES, at % LANES);
        after[lane][other] = if other > lane { 1.0 } else { 0.0 };
        at += 1;
    }
    after
};

pub(super) fn odds(sigma: f64, half_score: f64) -> f64 {
    (2.0 * (sigma * half_score)).clamp(-LARGEST_EXPONENT, LARGEST_EXPONENT).exp()
}

pub(super) fn sum(of: &Lanes) -> f64 {
    ((of[0] + of[4]) + (of[2] + of[6])) + ((of[1] + of[5]) + (of[3] + of[7]))
}

/// The work of a walk. (Not a closure: what calls a closure that could be called twice is a
/// function of the compiler's own, which is not compiled for the registers at hand.)
pub(super) struct Rows<'w> {
    pub(super) pairs: &'w Pairs,
    pub(super) damped: bool,
    /// Whether odds around one centre would not do.
    pub(super) far: bool,
    pub(super) blocks: &'w mut [Block],
    pub(super) sums: &'w mut [Sums],
}

impl pulp::WithSimd for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(self, _: S) {
        match (self.pairs.stake, self.damped) {
            (Stake::One, _) => self.walk::<true, false>(),
            (Stake::Difference, false) => self.walk::<false, false>(),
            (Stake::Difference, true) => self.walk::<false, true>(),
        }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn walk<const ALIKE: bool, const DAMPED: bool>(self) {
        for (rank, row) in self.sums.iter_mut().enumerate() {
            let (blocks, lane) = (&mut self.blocks[rank / LANES..], rank % LANES);
            let mut one = One::new(&blocks[0], lane);
            if one.root == 0.0 {
                continue;
            }
            if self.far {
                one.odds = 1.0;
                renew_odds(blocks, self.pairs.sigma, one.half_score);
            }
            if self.pairs.discounts.is_none() {
                one.discount = 1.0;
            }
            if DAMPED {
                // The distance is that of halves.
                one.root *= 0.5;
            }
            let mut sums = NOTHING;
            let Some((own, others)) = blocks.split_first_mut() else { continue };
            // Of its own block only those that come after it.
            let mut roots = own.root;
            for (root, after) in roots.iter_mut().zip(&AFTER[lane]) {
                *root *= after;
            }
            one.against::<ALIKE, DAMPED>(own, &roots, &mut sums);
            for other in others {
                let roots = other.root;
                one.against::<ALIKE, DAMPED>(other, &roots, &mut sums);
            }
            *row = sums;
        }
    }
}

#[inline(never)]
fn renew_odds(blocks: &mut [Block], sigma: f64, half_score: f64) {
    for block in blocks {
        block.odds = block.half_score.map(|other| odds(sigma, other - half_score));
    }
}

/// The item of a row.
struct One {
    half_score: f64,
    odds: f64,
    gain: f64,
    root: f64,
    discount: f64,
}

impl One {
    fn new(block: &Block, lane: usize) -> Self {
        One {
            half_score: block.half_score[lane],
            odds: block.odds[lane],
            gain: block.gain[lane],
            root: block.root[lane],
            discount: block.discount[lane],
        }
    }

    /// The pairs with the items of a block, which come later: no discount of theirs is higher.
    ///
    /// Plain loops over lanes and nothing else: that is what compilers turn into vectors.
    #[inline(always)]
    fn against<const ALIKE: bool, const DAMPED: bool>(
        &self,
        other: &mut Block,
        roots: &Lanes,
        sums: &mut Sums,
    ) {
        for (lane, root) in roots.iter().enumerate() {
            let gap = self.gain - other.gain[lane];
            let gap = if ALIKE { sign(gap) } else { gap };
            let delta = gap * (self.discount - other.discount[lane]) * (self.root * root);
            let (mine, its) = (self.odds, other.odds[lane]);
            let (low, high) = if gap > 0.0 { (its, mine) } else { (mine, its) };
            // 1 / (whole x distance), and 1 / whole.
            let (both, whole) = if DAMPED {
                let distance = HALF_SCORE_OFFSET + (self.half_score - other.half_score[lane]).abs();
                let both = 1.0 / ((mine + its) * distance);
                (both, both * distance)
            } else {
                let whole = 1.0 / (mine + its);
                (whole, whole)
            };
            let grad = delta * (low * both);
            let hess = grad.abs() * (high * whole);
            sums.grad[lane] += grad;
            sums.hess[lane] += hess;
            sums.size[lane] += grad.abs();
            other.grad[lane] += grad;
            other.hess[lane] += hess;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::pairs::RootWeights;

    /// Same bits with registers of any width.
    #[test]
    fn the_width_of_registers_leaves_no_trace() {
        let mut blocks = vec![EMPTY; 5];
        for (place, (block, lane)) in
            (0..5).flat_map(|block| (0..LANES).map(move |lane| (block, lane))).enumerate()
        {
            let (x, block) = (place as f64, &mut blocks[block]);
            block.half_score[lane] = 3.0 - x / 7.0;
            block.odds[lane] = odds(1.3, block.half_score[lane]);
            block.gain[lane] = (x * 5.0 % 7.0) / 3.0;
            block.root[lane] = (x * 3.0 % 11.0).sqrt();
            block.discount[lane] = 1.0 / (x + 2.0).log2();
        }
        for (stake, damped, far) in [
            (Stake::One, false, false),
            (Stake::Difference, false, false),
            (Stake::Difference, true, false),
            (Stake::Difference, true, true),
        ] {
            let pairs = Pairs {
                gains: Vec::new(),
                stake,
                discounts: Some(Vec::new()),
                rows: 13,
                sigma: 1.3,
                norm: damped,
                weights: RootWeights::new(None, 0),
                weight: 1.0,
            };
            let bits = |arch: pulp::Arch| -> Vec<u64> {
                let (mut blocks, mut sums) = (blocks.clone(), vec![NOTHING; 13]);
                let (pairs, blocks_now, sums_now) = (&pairs, &mut blocks[..], &mut sums[..]);
                arch.dispatch(Rows { pairs, damped, far, blocks: blocks_now, sums: sums_now });
                let of_blocks = blocks.iter().flat_map(|b| [b.grad, b.hess]);
                let all = of_blocks.chain(sums.iter().flat_map(|s| [s.grad, s.hess, s.size]));
                all.flatten().map(f64::to_bits).collect()
            };
            let narrow = bits(pulp::Arch::Scalar);
            assert!(narrow.iter().any(|bits| *bits != 0));
            assert_eq!(narrow, bits(pulp::Arch::new()), "{stake:?} {damped} {far}");
        }
    }
}
