//! Vectors of a register of any width, with arithmetic operators.
//!
//! The compiler does not vectorise the plain loops over arrays for every kind of pair. Nothing here
//! is fused or reordered: each lane is computed according to IEEE 754.

use std::ops::{Add, Div, Mul, Sub};

use pulp::Simd;

/// As many numbers as a register holds.
#[derive(Clone, Copy)]
pub(super) struct Vector<S: Simd> {
    simd: S,
    lanes: S::f64s,
}

impl<S: Simd> Vector<S> {
    /// The instruction set.
    #[inline(always)]
    pub(super) fn simd(self) -> S {
        self.simd
    }

    /// The same number in every lane.
    #[inline(always)]
    pub(super) fn all(simd: S, value: f64) -> Self {
        Vector { simd, lanes: simd.splat_f64s(value) }
    }

    /// Loads the given part, of the width of a register, from an array.
    #[inline(always)]
    pub(super) fn load(simd: S, from: &[f64], part: usize) -> Self {
        Vector { simd, lanes: S::as_simd_f64s(from).0[part] }
    }

    #[inline(always)]
    pub(super) fn store(self, to: &mut [f64], part: usize) {
        S::as_mut_simd_f64s(to).0[part] = self.lanes;
    }

    #[inline(always)]
    pub(super) fn abs(self) -> Self {
        Vector { lanes: self.simd.abs_f64s(self.lanes), ..self }
    }

    /// In each lane `(yes, no)` where this is above 0, otherwise `(no, yes)`.
    #[inline(always)]
    pub(super) fn above_zero(self, yes: Self, no: Self) -> (Self, Self) {
        let above = self.simd.greater_than_f64s(self.lanes, self.simd.splat_f64s(0.0));
        let choose = |yes: Self, no: Self| Vector {
            lanes: self.simd.select_f64s(above, yes.lanes, no.lanes),
            ..self
        };
        (choose(yes, no), choose(no, yes))
    }

    /// 1, 0 or -1 in each lane.
    #[inline(always)]
    pub(super) fn sign(self) -> Self {
        let (zero, one) = (Vector::all(self.simd, 0.0), Vector::all(self.simd, 1.0));
        self.above_zero(one, zero).0 - (zero - self).above_zero(one, zero).0
    }
}

impl<S: Simd> Add for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Vector { lanes: self.simd.add_f64s(self.lanes, other.lanes), ..self }
    }
}

impl<S: Simd> Sub for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Vector { lanes: self.simd.sub_f64s(self.lanes, other.lanes), ..self }
    }
}

impl<S: Simd> Mul for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Vector { lanes: self.simd.mul_f64s(self.lanes, other.lanes), ..self }
    }
}

impl<S: Simd> Div for Vector<S> {
    type Output = Self;

    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Vector { lanes: self.simd.div_f64s(self.lanes, other.lanes), ..self }
    }
}
