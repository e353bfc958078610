//! Gauss-Legendre quadrature from 0 to 1: with Q points it is exact for polynomials up to degree 2 Q - 1.
//!
//! Example: one point, t = 1/2 with weight 1, integrates 3 + 4 t to 5.

use std::f64::consts::PI;

/// The points and weights of the rule.
#[derive(Debug, Clone, Copy)]
pub(super) struct Quadrature<const Q: usize> {
    /// The points in ascending order, greater than 0 and less than 1.
    pub(super) points: [f64; Q],
    /// The weights, which sum to 1.
    pub(super) weights: [f64; Q],
}

impl<const Q: usize> Quadrature<Q> {
    /// Finds the roots of the Legendre polynomial of degree Q by Newton's method.
    pub(super) fn new() -> Self {
        let mut rule = Quadrature { points: [0.0; Q], weights: [0.0; Q] };
        for i in 0..Q.div_ceil(2) {
            let mut x = (PI * (i as f64 + 0.75) / (Q as f64 + 0.5)).cos();
            let mut slope = 1.0;
            for _ in 0..8 {
                let (value, derivative) = legendre(Q, x);
                x -= value / derivative;
                slope = derivative;
            }
            let weight = 1.0 / ((1.0 - x * x) * slope * slope);
            rule.points[i] = (1.0 - x) / 2.0;
            rule.points[Q - 1 - i] = (1.0 + x) / 2.0;
            rule.weights[i] = weight;
            rule.weights[Q - 1 - i] = weight;
        }
        rule
    }
}

impl<const Q: usize> Quadrature<Q> {
    /// (1 - t) a + t b at a point.
    #[inline(always)]
    pub(super) fn mix(&self, point: usize, a: f64, b: f64) -> f64 {
        let t = self.points[point];
        (1.0 - t) * a + t * b
    }
}

/// The Legendre polynomial of a degree at x, and its derivative there.
fn legendre(degree: usize, x: f64) -> (f64, f64) {
    let (mut before, mut value) = (1.0, x);
    for n in 2..=degree {
        let n = n as f64;
        (before, value) = (value, ((2.0 * n - 1.0) * x * value - (n - 1.0) * before) / n);
    }
    (value, degree as f64 * (x * value - before) / (x * x - 1.0))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<const Q: usize>() {
        let rule = Quadrature::<Q>::new();
        for degree in 0..2 * Q {
            let integral: f64 = (rule.points.iter().zip(rule.weights))
                .map(|(t, weight)| weight * t.powi(degree as i32))
                .sum();
            let exact = 1.0 / (degree + 1) as f64;
            assert!((integral / exact - 1.0).abs() < 1e-12, "{Q} points, degree {degree}");
        }
        assert!(rule.points.is_sorted() && rule.points[0] > 0.0);
    }

    #[test]
    fn powers_are_integrated_exactly() {
        check::<2>();
        check::<4>();
        check::<8>();
        check::<16>();
        check::<64>();
    }

    /// More features on a path than 64 points are exact for still get their values.
    #[test]
    fn higher_powers_are_nearly_exact() {
        let rule = Quadrature::<64>::new();
        for degree in [150, 300, 1000] {
            let integral: f64 = (rule.points.iter().zip(rule.weights))
                .map(|(t, weight)| weight * t.powi(degree))
                .sum();
            assert!((integral * f64::from(degree + 1) - 1.0).abs() < 1e-6, "{degree}");
        }
    }
}
