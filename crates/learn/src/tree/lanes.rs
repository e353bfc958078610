//! Vectors of eight numbers, one for each feature of a block, in plain loops that the compiler
//! turns into the widest vector instructions it may use.
//!
//! Each lane is added, multiplied and compared separately according to IEEE 754, so results do not
//! depend on the width of the registers.

// Loops by index: chains of iterators over arrays are not always vectorised.
#![allow(clippy::needless_range_loop)]

use std::ops::{Add, Div, Mul, Sub};

use super::bins::LANES;

/// One number for each feature of a block.
#[derive(Clone, Copy)]
pub(super) struct Lanes(pub(super) [f64; LANES]);

/// A condition for each lane: all bits set, or none.
#[derive(Clone, Copy)]
pub(super) struct Mask([u64; LANES]);

impl Lanes {
    #[inline(always)]
    pub(super) fn all(value: f64) -> Self {
        Lanes([value; LANES])
    }

    #[inline(always)]
    fn with(self, other: Self, f: impl Fn(f64, f64) -> f64) -> Self {
        let mut lanes = [0.0; LANES];
        for lane in 0..LANES {
            lanes[lane] = f(self.0[lane], other.0[lane]);
        }
        Lanes(lanes)
    }

    /// Returns the two sums in each cell. The integers become the mantissa bits of a number plus
    /// 2^52; unlike a conversion, that works on several cells at once.
    #[inline(always)]
    pub(super) fn halves(cells: &[i64; LANES]) -> (Self, Self) {
        const TWO_52: f64 = (1u64 << 52) as f64;
        const TWO_31: f64 = (1u64 << 31) as f64;
        let (mut g, mut h) = ([0.0; LANES], [0.0; LANES]);
        for lane in 0..LANES {
            let cell = cells[lane] as u64;
            g[lane] = f64::from_bits((cell >> 32) ^ 0x8000_0000 | TWO_52.to_bits());
            h[lane] = f64::from_bits(cell & 0xffff_ffff | TWO_52.to_bits());
        }
        (Lanes(g) - Lanes::all(TWO_52 + TWO_31), Lanes(h) - Lanes::all(TWO_52))
    }

    /// max(|x| - l1, 0)^2.
    #[inline(always)]
    pub(super) fn squared_beyond(self, l1: Self) -> Self {
        let beyond = self.with(l1, |x, l1| {
            let beyond = x.abs() - l1;
            if beyond > 0.0 { beyond } else { 0.0 }
        });
        beyond * beyond
    }

    #[inline(always)]
    pub(super) fn above(self, other: Self) -> Mask {
        self.compare(other, |a, b| a > b)
    }

    #[inline(always)]
    pub(super) fn reaches(self, other: Self) -> Mask {
        self.compare(other, |a, b| a >= b)
    }

    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(f64, f64) -> bool) -> Mask {
        let mut mask = [0; LANES];
        for lane in 0..LANES {
            mask[lane] = if f(self.0[lane], other.0[lane]) { u64::MAX } else { 0 };
        }
        Mask(mask)
    }
}

impl Mask {
    #[inline(always)]
    pub(super) fn and(self, other: Self) -> Self {
        let mut mask = self.0;
        for lane in 0..LANES {
            mask[lane] &= other.0[lane];
        }
        Mask(mask)
    }

    #[inline(always)]
    pub(super) fn choose(self, yes: Lanes, no: Lanes) -> Lanes {
        let mut lanes = [0.0; LANES];
        for lane in 0..LANES {
            let (yes, no) = (yes.0[lane].to_bits(), no.0[lane].to_bits());
            lanes[lane] = f64::from_bits(yes & self.0[lane] | no & !self.0[lane]);
        }
        Lanes(lanes)
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
