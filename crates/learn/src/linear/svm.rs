//! A linear support vector machine for two classes: items that cost more than a threshold, and all
//! others (Cortes and Vapnik 1995).
//!
//! loss(w, b) = sum over items of v hinge(1 - y (w.x + b))
//!
//! y = 1 for items that cost more than the threshold and otherwise -1, v is their weight. The bias b
//! is penalised as the weight of a constant input (Fan et al. 2008). As in `rank_svm`, the squared
//! hinge is minimised directly, and the hinge itself is smoothed: z^2 / 2h for z < h, z - h/2 beyond,
//! with smaller and smaller h until what is left is negligible.
//!
//! Example: an item of either class with inputs (1), (-1): the loss is 2 max(0, 1 - w), and with
//! c = 1/4 the minimum of w^2 / 2 + c loss is at w = 1/2, b = 0.

use super::params::Hinge;
use crate::dense::Dense;
use crate::newton::{Derivatives, Minimum, Smooth, minimise, sum_over, value_over};
use stakes_model::dot;

/// The widths of the smoothed hinge, one after the other.
const WIDTHS: [f64; 5] = [0.1, 0.01, 1e-3, 3e-4, 1e-4];

/// The allowed distance of the hinge loss from its minimum, relative to its value.
const MAX_RELATIVE_GAP: f64 = 1e-4;

/// The hinge loss of positive and other items.
pub(crate) struct Svm<'d> {
    pub(crate) data: &'d Dense,
    pub(crate) offsets: &'d [usize],
    pub(crate) positive: Vec<bool>,
    pub(crate) weight: Option<&'d [f64]>,
}

/// The loss with a smoothed hinge, or, without a width, with the squared one.
struct Hinged<'s, 'd> {
    svm: &'s Svm<'d>,
    width: Option<f64>,
}

impl Svm<'_> {
    /// Returns the weights and bias that minimise 1/2 (|w|^2 + b^2) + c loss(w, b).
    pub(crate) fn solve(&self, hinge: Hinge, c: f64, from: &[f64]) -> Minimum {
        if hinge == Hinge::Squared {
            return minimise(&Hinged { svm: self, width: None }, c, from);
        }
        let mut best = Minimum { weights: from.to_vec(), value: f64::INFINITY, steps: 0 };
        for width in WIDTHS {
            let loss = Hinged { svm: self, width: Some(width) };
            let smoothed = minimise(&loss, c, &best.weights);
            best = Minimum { steps: best.steps + smoothed.steps, ..smoothed };
            if c * loss.gap(width, &best.weights) <= MAX_RELATIVE_GAP * best.value {
                break;
            }
        }
        best
    }

    fn weight(&self, item: usize) -> f64 {
        self.weight.map_or(1.0, |w| w[item])
    }

    fn sign(&self, item: usize) -> f64 {
        if self.positive[item] { 1.0 } else { -1.0 }
    }

    /// 1 - y (w.x + b): what is missing to the margin.
    fn missing(&self, item: usize, weights: &[f64]) -> f64 {
        let (bias, weights) = weights.split_last().unwrap_or((&0.0, &[]));
        1.0 - self.sign(item) * (dot(self.data.row(item), weights) + bias)
    }
}

impl Hinged<'_, '_> {
    /// Value, slope and curvature.
    fn hinge(&self, z: f64) -> [f64; 3] {
        match self.width {
            _ if z <= 0.0 => [0.0; 3],
            None => [z * z, 2.0 * z, 2.0],
            Some(h) if z < h => [z * z / (2.0 * h), z / h, h.recip()],
            Some(h) => [z - 0.5 * h, 1.0, 0.0],
        }
    }

    fn of_list(&self, list: usize, of: impl Fn(usize) -> f64) -> f64 {
        let items = self.svm.offsets[list]..self.svm.offsets[list + 1];
        items.map(|item| self.svm.weight(item) * of(item)).sum()
    }

    /// Returns a bound of the distance, divided by c, of the minimum of the smoothed loss from that
    /// of the hinge loss (see `rank_svm`).
    fn gap(&self, width: f64, weights: &[f64]) -> f64 {
        value_over(self.svm.offsets.len() - 1, |list| {
            self.of_list(list, |item| {
                let z = self.svm.missing(item, weights).clamp(0.0, width);
                z * (1.0 - z / width)
            })
        })
    }
}

impl Smooth for Hinged<'_, '_> {
    fn width(&self) -> usize {
        self.svm.data.width() + 1
    }

    fn value(&self, weights: &[f64]) -> f64 {
        value_over(self.svm.offsets.len() - 1, |list| {
            self.of_list(list, |item| self.hinge(self.svm.missing(item, weights))[0])
        })
    }

    fn derivatives(&self, weights: &[f64]) -> Derivatives {
        let svm = self.svm;
        sum_over(svm.offsets, self.width(), |list, sums| {
            let mut row = vec![1.0; self.width()];
            for item in svm.offsets[list]..svm.offsets[list + 1] {
                let [value, slope, curvature] = self.hinge(svm.missing(item, weights));
                if slope == 0.0 {
                    continue;
                }
                row[..svm.data.width()].copy_from_slice(svm.data.row(item));
                sums.value += svm.weight(item) * value;
                let slope = -svm.weight(item) * svm.sign(item) * slope;
                sums.gradient.iter_mut().zip(&row).for_each(|(to, x)| *to += slope * x);
                sums.outer.push(svm.weight(item) * curvature, &row, &row);
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::tests::{World, check_derivatives, world};

    fn svm(world: &World) -> Svm<'_> {
        let positive = world.lists.cost().iter().map(|c| *c > 1.0).collect();
        let (offsets, weight) = (world.lists.offsets(), world.lists.weight());
        Svm { data: &world.data, offsets, positive, weight }
    }

    #[test]
    fn two_items_by_hand() {
        let data = Dense::new(vec![1.0, -1.0], 1);
        let svm = Svm { data: &data, offsets: &[0, 2], positive: vec![true, false], weight: None };
        let near = |a: f64, b: f64| (a - b).abs() < 1e-3;
        let found = svm.solve(Hinge::Sharp, 0.25, &[0.0, 0.0]).weights;
        assert!(near(found[0], 0.5) && near(found[1], 0.0), "{found:?}");
        // Beyond c = 1/2 the margin is reached.
        let found = svm.solve(Hinge::Sharp, 3.0, &[0.0, 0.0]).weights;
        assert!(near(found[0], 1.0), "{found:?}");
        // w^2 / 2 + 2 c (1 - w)^2 is lowest at 4c / (1 + 4c).
        let found = svm.solve(Hinge::Squared, 0.25, &[0.0, 0.0]).weights;
        assert!(near(found[0], 0.5), "{found:?}");
    }

    #[test]
    fn derivatives_and_minima() {
        for weighted in [false, true] {
            let world = world(13, weighted);
            let svm = svm(&world);
            check_derivatives(&Hinged { svm: &svm, width: None }, &[0.3, -0.2, 0.1, 0.05]);
            let value = |weights: &[f64], c: f64| {
                let items = 0..world.lists.n_items();
                let hinge = |item| svm.weight(item) * svm.missing(item, weights).max(0.0);
                0.5 * dot(weights, weights) + c * items.map(hinge).sum::<f64>()
            };
            for c in [1e-3, 0.1, 10.0] {
                let found = svm.solve(Hinge::Sharp, c, &[0.0; 4]).weights;
                let least = value(&found, c);
                // No step in any direction lowers the loss by more than the gap.
                for input in 0..4 {
                    for step in [-0.1, -0.01, 0.01, 0.1] {
                        let mut there = found.clone();
                        there[input] += step;
                        assert!(value(&there, c) > least * (1.0 - 2e-4), "{c} {input} {step}");
                    }
                }
            }
        }
    }
}
