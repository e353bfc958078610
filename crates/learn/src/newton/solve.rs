//! Symmetric positive definite systems, by Cholesky decomposition.

use nalgebra::{Cholesky, DMatrix, DVector, Dyn};

/// The Cholesky decomposition of a matrix.
pub(crate) struct Factored(Cholesky<f64, Dyn>);

/// Decomposes a matrix given by rows, on and above its diagonal. If only rounding keeps it from
/// being positive definite, the smallest sufficient multiple of the identity is added; otherwise
/// `None`.
pub(crate) fn factor(upper: &[f64], width: usize) -> Option<Factored> {
    // The upper part by rows is the lower part by columns.
    let matrix = DMatrix::from_column_slice(width, width, upper);
    let largest = (0..width).map(|i| matrix[(i, i)].abs()).fold(0.0, f64::max);
    if !largest.is_finite() || largest == 0.0 {
        return None;
    }
    if let Some(factors) = Cholesky::new(matrix.clone()) {
        return Some(Factored(factors));
    }
    let raises = [1e-15, 1e-13, 1e-11, 1e-9, 1e-7];
    raises.iter().find_map(|raise| {
        let mut raised = matrix.clone();
        (0..width).for_each(|i| raised[(i, i)] += raise * largest);
        Cholesky::new(raised).map(Factored)
    })
}

impl Factored {
    /// Returns the solution for this right-hand side.
    pub(crate) fn solve(&self, right: &[f64]) -> Vec<f64> {
        self.0.solve(&DVector::from_column_slice(right)).as_slice().to_vec()
    }

    /// Returns the inverse, by rows.
    pub(crate) fn inverse(&self) -> Vec<f64> {
        self.0.inverse().as_slice().to_vec()
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn solutions_solve() {
        // (4 2; 2 3) (1; -2) = (0; -4). What is below the diagonal does not count.
        let factors = factor(&[4.0, 2.0, f64::NAN, 3.0], 2).unwrap();
        let x = factors.solve(&[0.0, -4.0]);
        assert!((x[0] - 1.0).abs() < 1e-14 && (x[1] + 2.0).abs() < 1e-14, "{x:?}");
        let inverse = factors.inverse();
        let expected = [3.0 / 8.0, -0.25, -0.25, 0.5];
        assert!(inverse.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-14), "{inverse:?}");
    }

    #[test]
    fn rounding_is_forgiven_and_nonsense_is_not() {
        assert!(factor(&[1.0, 1.0, 0.0, 1.0], 2).is_some());
        assert!(factor(&[1.0, 2.0, 0.0, 1.0], 2).is_none());
        assert!(factor(&[0.0], 1).is_none());
        assert!(factor(&[f64::NAN], 1).is_none());
    }
}
