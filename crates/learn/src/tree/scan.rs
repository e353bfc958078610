//! The best threshold of eight features at once, several lanes per instruction.
//!
//! `pulp` is taken to run the walk with the widest registers that the processor has: it is the
//! dispatcher of a well-kept linear algebra library, and safe to call. Lanes are added,
//! multiplied and compared one by one as IEEE 754 says, so the width leaves no trace.

use std::ops::{Add, Div, Mul, Sub};

use super::bins::LANES;
use super::quantise::unpack;
use super::split::{BinTest, Block, Candidate, Place, Rules, heavier_is_left};

/// The best thresholds with missing values right and, where there are any, left.
pub(super) struct Scans {
    right: Scan,
    left: Option<Scan>,
}

/// S(left) + S(right) at the best bin of each feature; bin 0 where there is none.
struct Scan {
    score: Lanes,
    bin: Lanes,
}

impl Scans {
    /// Walks over the bins of a block.
    pub(super) fn new(place: &Place<'_>, block: &Block<'_>) -> Self {
        let missing_seen = block.cells[..LANES].iter().any(|&cell| cell != 0);
        let run = |missing_left| {
            pulp::Arch::new().dispatch(
                #[inline(always)]
                || match block.counts {
                    None => scan::<false>(place, block.cells, &[], missing_left),
                    Some(counts) => scan::<true>(place, block.cells, counts, missing_left),
                },
            )
        };
        Scans { right: run(false), left: missing_seen.then(|| run(true)) }
    }

    /// The best split by one of the features.
    pub(super) fn candidate(
        &self,
        place: &Place<'_>,
        block: &Block<'_>,
        lane: usize,
    ) -> Option<Candidate> {
        let (scan, missing_left) = match &self.left {
            Some(left) if left.score.0[lane] > self.right.score.0[lane] => (left, true),
            _ => (&self.right, false),
        };
        let (g, h) = unpack(place.total);
        let beyond = (f64::from(g).abs() - place.rules.l1).max(0.0);
        let whole = beyond * beyond / (f64::from(h) + place.rules.l2);
        let gain = scan.score.0[lane] - whole;
        let bin = scan.bin.0[lane] as usize;
        if bin == 0 || gain <= 0.0 {
            return None;
        }
        let missing = block.cells[lane];
        let values: i64 = (1..=bin).map(|bin| block.cells[bin * LANES + lane]).sum();
        let left = if missing_left { values + missing } else { values };
        let unseen = heavier_is_left(left, place.total);
        Some(Candidate {
            gain: gain * place.rules.gain_unit,
            feature: block.first + lane,
            test: BinTest::UpTo(bin as u8),
            missing_left: if missing == 0 { unseen } else { missing_left },
            left,
            counted: block.counts.is_some(),
        })
    }
}

#[inline(always)]
fn scan<const COUNTING: bool>(
    place: &Place<'_>,
    cells: &[i64],
    counts: &[i64],
    missing_left: bool,
) -> Scan {
    let &Rules { l1, l2, min_hess, min_rows, .. } = place.rules;
    let [l1, l2, min_hess, min_rows] = [l1, l2, min_hess, min_rows as f64].map(Lanes::all);
    let (cells, _) = cells.as_chunks::<LANES>();
    let (counts, _) = counts.as_chunks::<LANES>();
    // Sums of whole numbers below 2^53: exact in f64, too.
    let (whole_g, whole_h) = Lanes::halves(&[place.total; LANES]);
    let (mut left_g, mut left_h) = match missing_left {
        true => Lanes::halves(&cells[0]),
        false => (Lanes::all(0.0), Lanes::all(0.0)),
    };
    let mut rows = Lanes::all(0.0);
    let mut all_rows = Lanes::all(0.0);
    if COUNTING {
        all_rows = counts.iter().fold(all_rows, |sum, count| sum + Lanes::halves(count).1);
        if missing_left {
            rows = Lanes::halves(&counts[0]).1;
        }
    }
    let mut best = Scan { score: Lanes::all(0.0), bin: Lanes::all(0.0) };
    for bin in 1..cells.len() {
        let (g, h) = Lanes::halves(&cells[bin]);
        left_g = left_g + g;
        left_h = left_h + h;
        let (right_g, right_h) = (whole_g - left_g, whole_h - left_h);
        let (dl, dr) = (left_h + l2, right_h + l2);
        // One division instead of two.
        let score = (left_g.squared_beyond(l1) * dr + right_g.squared_beyond(l1) * dl) / (dl * dr);
        let mut good = score.above(best.score).and(left_h.reaches(min_hess));
        good = good.and(right_h.reaches(min_hess));
        if COUNTING {
            rows = rows + Lanes::halves(&counts[bin]).1;
            good = good.and(rows.reaches(min_rows)).and((all_rows - rows).reaches(min_rows));
        }
        best.score = good.choose(score, best.score);
        best.bin = good.choose(Lanes::all(bin as f64), best.bin);
    }
    best
}

/// One number for each feature of a block.
#[derive(Clone, Copy)]
struct Lanes([f64; LANES]);

/// All bits or none, for each.
#[derive(Clone, Copy)]
struct Mask([u64; LANES]);

impl Lanes {
    #[inline(always)]
    fn all(value: f64) -> Self {
        Lanes([value; LANES])
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        Lanes(std::array::from_fn(|lane| f(self.0[lane], other.0[lane])))
    }

    /// The two sums in cells, by way of bits that are a number plus 2^52: unlike a conversion,
    /// that works on several cells at once.
    #[inline(always)]
    fn halves(cells: &[i64; LANES]) -> (Self, Self) {
        const TWO_52: f64 = (1u64 << 52) as f64;
        const TWO_31: f64 = (1u64 << 31) as f64;
        let g = cells.map(|c| f64::from_bits((c as u64 >> 32) ^ 0x8000_0000 | TWO_52.to_bits()));
        let h = cells.map(|c| f64::from_bits(c as u64 & 0xffff_ffff | TWO_52.to_bits()));
        (Lanes(g) - Lanes::all(TWO_52 + TWO_31), Lanes(h) - Lanes::all(TWO_52))
    }

    /// max(|x| - l1, 0)^2.
    #[inline(always)]
    fn squared_beyond(self, l1: Self) -> Self {
        let beyond = self.with(l1, |x, l1| {
            let beyond = x.abs() - l1;
            if beyond > 0.0 { beyond } else { 0.0 }
        });
        beyond * beyond
    }

    #[inline(always)]
    fn above(self, other: Self) -> Mask {
        Mask(std::array::from_fn(|lane| if self.0[lane] > other.0[lane] { u64::MAX } else { 0 }))
    }

    #[inline(always)]
    fn reaches(self, other: Self) -> Mask {
        Mask(std::array::from_fn(|lane| if self.0[lane] >= other.0[lane] { u64::MAX } else { 0 }))
    }
}

impl Mask {
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        Mask(std::array::from_fn(|lane| self.0[lane] & other.0[lane]))
    }

    #[inline(always)]
    fn choose(self, yes: Lanes, no: Lanes) -> Lanes {
        Lanes(std::array::from_fn(|lane| {
            let (yes, no) = (yes.0[lane].to_bits(), no.0[lane].to_bits());
            f64::from_bits(yes & self.0[lane] | no & !self.0[lane])
        }))
    }
}

impl Add for Lanes {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.with(other, |a, b| a + b)
    }
}

impl Sub for Lanes {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.with(other, |a, b| a - b)
    }
}

impl Mul for Lanes {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.with(other, |a, b| a * b)
    }
}

impl Div for Lanes {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        self.with(other, |a, b| a / b)
    }
}
