//! The loop over the pairs of one list, eight at a time.
//!
//! The list is stored in blocks of eight items. A row is one item against all later ones: each pair
//! adds to the other item in its block, and to the row's own sums, lane by lane. The eight lanes of
//! a row are added up at the end, always in the same order; all other operations stay within a
//! lane, according to IEEE 754. So `pulp` may choose the widest registers of the processor, and
//! results do not depend on the width.
//!
//! With damping, a pair is divided by the sum of its odds and by its distance: one division by the
//! product suffices, since 1 / odds = distance x 1 / (odds x distance).
//!
//! Scores are stored as halves: differences of halves are always finite, and scaling by powers of
//! two is exact.

use pulp::Simd;

use super::vector::Vector;
use super::{PairWeight, Pairs};

/// The number of items of a block: the widest registers hold that many.
pub(super) const LANES: usize = 8;

/// Odds go from exp of minus this to exp of this, 1.1e-278 to 8.9e277. So the sum of two of
/// them times a distance of scores up to 1e30 is finite, and its reciprocal a normal number.
/// (For scores still further apart the product may be infinite and its reciprocal 0: such a pair,
/// whose term is less than 1e-30 of its weight, then has no effect.)
pub(super) const MAX_EXPONENT: f64 = 640.0;

/// Keeps LightGBM's normalisation finite for equal scores: LightGBM's 0.01, for halves of scores.
const HALF_SCORE_OFFSET: f64 = 0.005;

type Lanes = [f64; LANES];

/// Eight items side by side. The last block is padded with items of weight 0.
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

pub(super) const EMPTY_BLOCK: Block = Block {
    half_score: [0.0; LANES],
    odds: [1.0; LANES],
    gain: [0.0; LANES],
    root: [0.0; LANES],
    discount: [0.0; LANES],
    grad: [0.0; LANES],
    hess: [0.0; LANES],
};

/// The sums over the pairs of a row, without sigma.
#[derive(Clone, Copy)]
#[repr(align(64))]
pub(super) struct Sums {
    pub(super) grad: Lanes,
    pub(super) hess: Lanes,
    /// The sum of absolute gradients.
    pub(super) size: Lanes,
}

pub(super) const ZERO_SUMS: Sums =
    Sums { grad: [0.0; LANES], hess: [0.0; LANES], size: [0.0; LANES] };

/// By lane: 1 for the lanes after it.
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
    (2.0 * (sigma * half_score)).clamp(-MAX_EXPONENT, MAX_EXPONENT).exp()
}

pub(super) fn sum(of: &Lanes) -> f64 {
    ((of[0] + of[4]) + (of[2] + of[6])) + ((of[1] + of[5]) + (of[3] + of[7]))
}

/// The rows to be computed. (Not a closure: the function that calls a closure may not be compiled
/// for the registers that `pulp` has chosen.)
pub(super) struct Rows<'w> {
    pub(super) pairs: &'w Pairs,
    pub(super) damped: bool,
    /// Whether odds around one centre would overflow.
    pub(super) far: bool,
    pub(super) blocks: &'w mut [Block],
    pub(super) sums: &'w mut [Sums],
}

impl pulp::WithSimd for Rows<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, simd: S) {
        match (self.pairs.pair_weight, self.damped) {
            (PairWeight::One, _) => self.walk::<S, true, false>(simd),
            (PairWeight::Difference, false) => self.walk::<S, false, false>(simd),
            (PairWeight::Difference, true) => self.walk::<S, false, true>(simd),
        }
    }
}

impl Rows<'_> {
    #[inline(always)]
    fn walk<S: Simd, const UNIT: bool, const DAMPED: bool>(self, simd: S) {
        for (rank, row) in self.sums.iter_mut().enumerate() {
            let lane = rank % LANES;
            let Some((own, others)) = self.blocks[rank / LANES..].split_first_mut() else { break };
            if own.root[lane] == 0.0 {
                continue;
            }
            if self.far {
                recompute_odds(own, others, self.pairs.sigma, lane);
            }
            if let Some(by_distance) = &self.pairs.by_distance {
                recompute_discounts(own, others, by_distance, lane);
            }
            let all = |value: f64| Vector::all(simd, value);
            let one = RowItem {
                half_score: all(own.half_score[lane]),
                odds: all(own.odds[lane]),
                gain: all(own.gain[lane]),
                // It will be divided by a distance of halves.
                root: all(own.root[lane] * if DAMPED { 0.5 } else { 1.0 }),
                discount: all(if self.pairs.has_no_discounts() { 1.0 } else { own.discount[lane] }),
            };
            for part in 0..LANES / S::F64_LANES {
                let load = |from: &Lanes| Vector::load(simd, from, part);
                let mut sums = [all(0.0); 3];
                // In its own block only the later lanes.
                let roots = load(&own.root) * load(&AFTER[lane]);
                one.against::<UNIT, DAMPED>(own, part, roots, &mut sums);
                for other in &mut *others {
                    let roots = load(&other.root);
                    one.against::<UNIT, DAMPED>(other, part, roots, &mut sums);
                }
                let [grad, hess, size] = sums;
                grad.store(&mut row.grad, part);
                hess.store(&mut row.hess, part);
                size.store(&mut row.size, part);
            }
        }
    }
}

/// Computes odds around the score of the given lane of the first block.
#[inline(never)]
fn recompute_odds(own: &mut Block, others: &mut [Block], sigma: f64, lane: usize) {
    let centre = own.half_score[lane];
    for block in [own].into_iter().chain(others) {
        block.odds = block.half_score.map(|other| odds(sigma, other - centre));
    }
}

/// Sets discounts such that their differences from that of the given lane of the first block depend
/// on the distance of ranks alone.
#[inline(never)]
fn recompute_discounts(own: &mut Block, others: &mut [Block], by_distance: &[f64], lane: usize) {
    let places = [own].into_iter().chain(others).flat_map(|block| &mut block.discount).skip(lane);
    // The lane itself comes first and gets 0; the others get -d, so that the difference is 0 - -d.
    for (discount, apart) in places.zip(0..) {
        let step = usize::checked_sub(apart, 1).and_then(|step| by_distance.get(step));
        *discount = -step.copied().unwrap_or(0.0);
    }
}

/// The item of a row, in every lane.
struct RowItem<S: Simd> {
    half_score: Vector<S>,
    odds: Vector<S>,
    gain: Vector<S>,
    root: Vector<S>,
    discount: Vector<S>,
}

impl<S: Simd> RowItem<S> {
    /// Adds the pairs with the items of a block, which come later, so that their discounts are not
    /// higher.
    #[inline(always)]
    fn against<const UNIT: bool, const DAMPED: bool>(
        &self,
        other: &mut Block,
        part: usize,
        roots: Vector<S>,
        [grads, hesses, sizes]: &mut [Vector<S>; 3],
    ) {
        let simd = roots.simd();
        let load = |from: &Lanes| Vector::load(simd, from, part);
        let gap = self.gain - load(&other.gain);
        let gap = if UNIT { gap.sign() } else { gap };
        let delta = gap * (self.discount - load(&other.discount)) * (self.root * roots);
        let (mine, its) = (self.odds, load(&other.odds));
        let (low, high) = gap.above_zero(its, mine);
        // 1 / (whole x distance), and 1 / whole.
        let one = Vector::all(simd, 1.0);
        let (both, whole) = if DAMPED {
            let distance = (self.half_score - load(&other.half_score)).abs()
                + Vector::all(simd, HALF_SCORE_OFFSET);
            let both = one / ((mine + its) * distance);
            (both, both * distance)
        } else {
            let whole = one / (mine + its);
            (whole, whole)
        };
        let grad = delta * (low * both);
        let size = grad.abs();
        let hess = size * (high * whole);
        *grads = *grads + grad;
        *hesses = *hesses + hess;
        *sizes = *sizes + size;
        (load(&other.grad) + grad).store(&mut other.grad, part);
        (load(&other.hess) + hess).store(&mut other.hess, part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::loss::pairs::{Discounts, RootWeights};

    /// Same bits with registers of any width.
    #[test]
    fn the_width_of_registers_leaves_no_trace() {
        let mut blocks = vec![EMPTY_BLOCK; 5];
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
        for (pair_weight, damped, far) in [
            (PairWeight::One, false, false),
            (PairWeight::Difference, false, false),
            (PairWeight::Difference, true, false),
            (PairWeight::Difference, true, true),
        ] {
            let pairs = Pairs {
                gains: Vec::new(),
                pair_weight,
                discounts: Discounts::ByRank(Vec::new()),
                by_distance: None,
                rows: 13,
                sigma: 1.3,
                norm: damped,
                weights: RootWeights::new(None, 0),
                weight: 1.0,
            };
            let bits = |arch: pulp::Arch| -> Vec<u64> {
                let (mut blocks, mut sums) = (blocks.clone(), vec![ZERO_SUMS; 13]);
                let (pairs, blocks_now, sums_now) = (&pairs, &mut blocks[..], &mut sums[..]);
                arch.dispatch(Rows { pairs, damped, far, blocks: blocks_now, sums: sums_now });
                let of_blocks = blocks.iter().flat_map(|b| [b.grad, b.hess]);
                let all = of_blocks.chain(sums.iter().flat_map(|s| [s.grad, s.hess, s.size]));
                all.flatten().map(f64::to_bits).collect()
            };
            let narrow = bits(pulp::Arch::Scalar);
            assert!(narrow.iter().any(|bits| *bits != 0));
            assert_eq!(
                narrow,
                bits(stakes_core::processor::arch()),
                "{pair_weight:?} {damped} {far}"
            );
        }
    }
}
