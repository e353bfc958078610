//! Sums of outer products of rows, for the Hessians of Newton's method.
//!
//! The sum over rows of scale a b' is computed only on and above the diagonal: all sums here are
//! symmetric. Rows are buffered, so that each element of the matrix is read and written once for
//! four rows; `pulp` runs the loop with the widest registers of the processor. Terms are added one
//! by one in the order of the rows, so that results do not depend on the width of registers.
//!
//! Example: (1, 2) with itself, twice: 2, 4 and below them 8.

use pulp::{Simd, WithSimd};
use stakes_core::processor::arch;

/// The number of rows that are buffered before they are added.
const ROWS: usize = 64;

/// The number of rows that are added at once.
const AT_ONCE: usize = 4;

/// A sum of outer products of rows.
pub(crate) struct Outer {
    width: usize,
    upper: Vec<f64>,
    left: Vec<f64>,
    right: Vec<f64>,
}

impl Outer {
    /// An empty sum, for rows of this width.
    pub(crate) fn new(width: usize) -> Self {
        let rows = || Vec::with_capacity(ROWS * width);
        Outer { width, upper: vec![0.0; width * width], left: rows(), right: rows() }
    }

    /// Adds scale a b'.
    pub(crate) fn push(&mut self, scale: f64, a: &[f64], b: &[f64]) {
        if scale == 0.0 {
            return;
        }
        self.left.extend(a.iter().map(|a| scale * a));
        self.right.extend_from_slice(b);
        if self.left.len() >= ROWS * self.width {
            self.flush();
        }
    }

    fn flush(&mut self) {
        let Outer { width, upper, left, right } = self;
        arch().dispatch(Add { width: *width, upper, left, right });
        left.clear();
        right.clear();
    }

    /// Returns the matrix by rows, valid on and above its diagonal.
    pub(crate) fn finish(mut self) -> Vec<f64> {
        self.flush();
        self.upper
    }
}

struct Add<'a> {
    width: usize,
    upper: &'a mut [f64],
    left: &'a [f64],
    right: &'a [f64],
}

impl WithSimd for Add<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        let Add { width, upper, left, right } = self;
        let lefts = left.chunks(AT_ONCE * width);
        for (left, right) in lefts.zip(right.chunks(AT_ONCE * width)) {
            if left.len() == AT_ONCE * width {
                add_four(width, upper, left, right);
            } else {
                let rows = left.chunks_exact(width).zip(right.chunks_exact(width));
                rows.for_each(|(left, right)| add_one(width, upper, left, right));
            }
        }
    }
}

#[inline(always)]
fn add_four(width: usize, upper: &mut [f64], left: &[f64], right: &[f64]) {
    for i in 0..width {
        let out = &mut upper[i * width + i..][..width - i];
        let row = |r: usize| &right[r * width + i..][..width - i];
        let by = |r: usize| left[r * width + i];
        let (a, b, c, d) = (row(0), row(1), row(2), row(3));
        let (by_a, by_b, by_c, by_d) = (by(0), by(1), by(2), by(3));
        for j in 0..width - i {
            out[j] = (((out[j] + by_a * a[j]) + by_b * b[j]) + by_c * c[j]) + by_d * d[j];
        }
    }
}

#[inline(always)]
fn add_one(width: usize, upper: &mut [f64], left: &[f64], right: &[f64]) {
    for i in 0..width {
        let by = left[i];
        let out = &mut upper[i * width + i..][..width - i];
        out.iter_mut().zip(&right[i..]).for_each(|(out, right)| *out += by * right);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_of_any_number_of_rows() {
        for (rows, width) in [(1, 1), (3, 2), (4, 5), (70, 3), (131, 9)] {
            let value = |r: usize, c: usize| ((r * 31 + c * 17) % 23) as f64 - 11.0;
            let row = |r: usize| -> Vec<f64> { (0..width).map(|c| value(r, c)).collect() };
            let scale = |r: usize| (r % 5) as f64 - 1.0;
            let mut outer = Outer::new(width);
            (0..rows).for_each(|r| outer.push(scale(r), &row(r), &row(r)));
            let upper = outer.finish();
            for i in 0..width {
                for j in i..width {
                    let expected: f64 =
                        (0..rows).map(|r| scale(r) * value(r, i) * value(r, j)).sum();
                    assert_eq!(upper[i * width + j], expected, "{rows} x {width}: {i}, {j}");
                }
            }
        }
    }
}
