//! Logistic regression: the probability that an item costs more than a threshold.
//!
//! loss(w, b) = sum over items of v ( log(1 + exp(z)) - y z ),  z = w.x + b
//!
//! y = 1 for items that cost more than the threshold (positive items) and otherwise 0, v is their
//! weight; the bias b is not penalised. c is the C of scikit-learn's `LogisticRegression`.
//! Minimised by Newton's method, which here is iteratively reweighted least squares (McCullagh and
//! Nelder 1989).
//!
//! Example: one of two items is positive, whatever the inputs: w = 0, b = 0, a probability of 1/2.

use crate::dense::Dense;
use crate::newton::{Derivatives, Minimum, Smooth, minimise, sum_over, value_over};
use stakes_model::dot;

/// The logistic loss of positive and other items.
pub(crate) struct Logistic<'d> {
    data: &'d Dense,
    offsets: &'d [usize],
    positive: Vec<bool>,
    weight: Option<&'d [f64]>,
}

impl<'d> Logistic<'d> {
    /// Creates the loss of items of which some are positive.
    pub(crate) fn new(
        data: &'d Dense,
        offsets: &'d [usize],
        positive: Vec<bool>,
        weight: Option<&'d [f64]>,
    ) -> Self {
        Logistic { data, offsets, positive, weight }
    }

    /// Returns the weights and bias that minimise 1/2 |w|^2 + c loss(w, b).
    pub(crate) fn solve(&self, c: f64, from: &[f64]) -> Minimum {
        let share = self.share();
        if share > 0.0 && share < 1.0 {
            return minimise(self, c, from);
        }
        // With a single class the best bias is infinite; half an item is added to the other class.
        let n = self.positive.len() as f64;
        let mut weights = vec![0.0; self.width()];
        let odds = (n + 0.5) / 0.5;
        weights[self.data.width()] = if share > 0.0 { odds.ln() } else { -odds.ln() };
        Minimum { value: self.value(&weights), weights, steps: 0 }
    }

    /// The weighted share of positive items.
    fn share(&self) -> f64 {
        let all: f64 = (0..self.positive.len()).map(|item| self.weight(item)).sum();
        let positive = self.positive.iter().enumerate().filter(|(_, positive)| **positive);
        positive.map(|(item, _)| self.weight(item)).sum::<f64>() / all
    }

    fn weight(&self, item: usize) -> f64 {
        self.weight.map_or(1.0, |w| w[item])
    }

    fn z(&self, item: usize, weights: &[f64]) -> f64 {
        let width = self.data.width();
        dot(self.data.row(item), &weights[..width]) + weights[width]
    }

    fn loss(&self, item: usize, z: f64) -> f64 {
        let wanted = if self.positive[item] { z } else { 0.0 };
        // log(1 + exp z), without overflow.
        self.weight(item) * (z.max(0.0) + (-z.abs()).exp().ln_1p() - wanted)
    }
}

impl Smooth for Logistic<'_> {
    fn width(&self) -> usize {
        self.data.width() + 1
    }

    fn penalised(&self) -> usize {
        self.data.width()
    }

    fn value(&self, weights: &[f64]) -> f64 {
        value_over(self.offsets.len() - 1, |list| {
            let items = self.offsets[list]..self.offsets[list + 1];
            items.map(|item| self.loss(item, self.z(item, weights))).sum()
        })
    }

    fn derivatives(&self, weights: &[f64]) -> Derivatives {
        sum_over(self.offsets, self.width(), |list, sums| {
            let mut row = vec![1.0; self.width()];
            for item in self.offsets[list]..self.offsets[list + 1] {
                row[..self.data.width()].copy_from_slice(self.data.row(item));
                let z = self.z(item, weights);
                sums.value += self.loss(item, z);
                let odds = (-z.abs()).exp();
                let chance = if z > 0.0 { 1.0 / (1.0 + odds) } else { odds / (1.0 + odds) };
                let wanted = f64::from(u8::from(self.positive[item]));
                let slope = self.weight(item) * (chance - wanted);
                sums.gradient.iter_mut().zip(&row).for_each(|(to, x)| *to += slope * x);
                let curve = self.weight(item) * odds / ((1.0 + odds) * (1.0 + odds));
                sums.outer.push(curve, &row, &row);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::tests::{World, check_derivatives, check_minimum, world};

    fn loss(world: &World) -> Logistic<'_> {
        let positive = world.lists.cost().iter().map(|c| *c > 1.0).collect();
        Logistic::new(&world.data, world.lists.offsets(), positive, world.lists.weight())
    }

    #[test]
    fn derivatives_and_minima() {
        for weighted in [false, true] {
            let world = world(11, weighted);
            let loss = loss(&world);
            check_derivatives(&loss, &[0.0, 0.0, 0.0, 0.0]);
            check_derivatives(&loss, &[1.2, -0.7, 0.3, -2.0]);
            for c in [1e-3, 1.0, 100.0] {
                assert!(check_minimum(&loss, c).steps < 15);
            }
        }
    }

    #[test]
    fn all_alike() {
        let world = world(12, false);
        let n = world.lists.n_items();
        for positive in [false, true] {
            let offsets = world.lists.offsets();
            let loss = Logistic::new(&world.data, offsets, vec![positive; n], None);
            let numbers = loss.solve(1.0, &[0.0; 4]).weights;
            assert_eq!(numbers[..3], [0.0; 3]);
            assert_eq!(numbers[3] > 0.0, positive);
            assert!(numbers[3].is_finite());
        }
    }
}
