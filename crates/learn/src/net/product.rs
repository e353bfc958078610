//! The matrix product C += A B, for the forward and backward passes of a net.
//!
//! Each entry of C is summed up in the order of A's columns, one product after the other, and
//! nothing is fused: registers of any width and tiles of any size give the same bits. The loop is
//! vectorised over columns of C, so B and C are read along their rows; A may be read either way, so
//! that the same code computes A' B.
//!
//! Example: A = (1 2), B = (3 4; 5 6) gives (13 16).

/// A matrix stored by rows or by columns.
#[derive(Clone, Copy)]
pub(super) struct View<'v> {
    pub(super) values: &'v [f64],
    /// The distance between rows, and between columns.
    pub(super) step: (usize, usize),
}

impl View<'_> {
    #[inline(always)]
    fn at(&self, row: usize, column: usize) -> f64 {
        self.values[row * self.step.0 + column * self.step.1]
    }
}

/// A matrix stored by rows of this width.
pub(super) fn rows(values: &[f64], width: usize) -> View<'_> {
    View { values, step: (width, 1) }
}

/// The transpose of a matrix stored by rows of this width.
pub(super) fn transposed(values: &[f64], width: usize) -> View<'_> {
    View { values, step: (1, width) }
}

/// Adds A B to C: `inner` is the number of A's columns and B's rows, `columns` that of B's and
/// C's. The number of rows of A and C follows from the length of C.
pub(super) fn add_product(a: View<'_>, inner: usize, b: &[f64], columns: usize, c: &mut [f64]) {
    if columns > 0 && inner > 0 {
        stakes_core::processor::arch().dispatch(Product {
            a,
            b: &b[..inner * columns],
            columns,
            c,
        });
    }
}

/// A product to be computed. (A struct, not a closure: see `loss/pairs/rows.rs`.)
struct Product<'p> {
    a: View<'p>,
    b: &'p [f64],
    columns: usize,
    c: &'p mut [f64],
}

impl pulp::WithSimd for Product<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: pulp::Simd>(mut self, _: S) {
        let rows = self.c.len() / self.columns;
        let mut row = 0;
        while row + 4 <= rows {
            self.row_tiles::<4>(row);
            row += 4;
        }
        while row < rows {
            self.row_tiles::<1>(row);
            row += 1;
        }
    }
}

impl Product<'_> {
    #[inline(always)]
    fn row_tiles<const ROWS: usize>(&mut self, row: usize) {
        let mut column = 0;
        // For a single row there are enough registers for wider tiles.
        while ROWS == 1 && column + 64 <= self.columns {
            self.tile::<1, 64>(row, column);
            column += 64;
        }
        while column + 16 <= self.columns {
            self.tile::<ROWS, 16>(row, column);
            column += 16;
        }
        while column + 4 <= self.columns {
            self.tile::<ROWS, 4>(row, column);
            column += 4;
        }
        while column < self.columns {
            self.tile::<ROWS, 1>(row, column);
            column += 1;
        }
    }

    /// Computes a few rows and columns of C, which stay in registers.
    #[inline(always)]
    fn tile<const ROWS: usize, const COLUMNS: usize>(&mut self, row: usize, column: usize) {
        let mut sums = [[0.0; COLUMNS]; ROWS];
        for (r, sums) in sums.iter_mut().enumerate() {
            sums.copy_from_slice(&self.c[(row + r) * self.columns + column..][..COLUMNS]);
        }
        for (k, b) in self.b.chunks_exact(self.columns).enumerate() {
            let mut own = [0.0; COLUMNS];
            own.copy_from_slice(&b[column..][..COLUMNS]);
            for (r, sums) in sums.iter_mut().enumerate() {
                let a = self.a.at(row + r, k);
                for (sum, b) in sums.iter_mut().zip(own) {
                    *sum += a * b;
                }
            }
        }
        for (r, sums) in sums.iter().enumerate() {
            self.c[(row + r) * self.columns + column..][..COLUMNS].copy_from_slice(sums);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn products_are_those_of_three_loops_to_the_bit() {
        let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 97.0 - 5.0;
        for (m, inner, columns) in [(1, 2, 2), (5, 3, 1), (7, 9, 21), (9, 4, 69), (4, 1, 16)] {
            let a: Vec<f64> = (0..m * inner).map(number).collect();
            let b: Vec<f64> = (0..inner * columns).map(|i| number(3 * i + 1)).collect();
            let start: Vec<f64> = (0..m * columns).map(|i| number(5 * i)).collect();
            let mut expected = start.clone();
            for (at, sum) in expected.iter_mut().enumerate() {
                let (i, j) = (at / columns, at % columns);
                (0..inner).for_each(|k| *sum += a[i * inner + k] * b[k * columns + j]);
            }
            let mut found = start.clone();
            add_product(rows(&a, inner), inner, &b, columns, &mut found);
            assert_eq!(found, expected, "{m} x {inner} x {columns}");
            let across: Vec<f64> = (0..m * inner).map(|at| a[at % m * inner + at / m]).collect();
            let mut found = start.clone();
            add_product(transposed(&across, m), inner, &b, columns, &mut found);
            assert_eq!(found, expected, "{m} x {inner} x {columns}, transposed");
        }
    }
}
