//! Why an item has its score, and why it stands above another; what a model looks at, and what
//! it is worth.
//!
//! A score is unit x product over factors of link(start + sum of trees + net)^power. What people ask is a
//! difference: this item against the one at the cut-off. It is shared out in two steps that
//! leave no rest.
//!
//! 1. Among the factors, by Shapley's value once more: the factors of one item are exchanged
//!    for those of the other in every order, and each is credited with its mean effect. With
//!    x_i and y_i the two items' factors that is (Owen, "Multilinear extensions of games", 1972)
//!    unit x (x_i - y_i) x integral from 0 to 1 of the product over j != i of
//!    (1 - t) y_j + t x_j. (The logarithmic mean of Ang, "The LMDI approach to decomposition
//!    analysis", 2005, divides almost alike, but has no answer where a factor is 0 or below.)
//! 2. Within a factor, in proportion to the difference of the features' Shapley values
//!    ([`Shapley`]; `net.rs` for nets), which add up to the difference of the sums.
//!
//! With one factor and no link these are plain differences of Shapley values.
//!
//! Example: chance 0.5 against 0.25, size 8 against 4: a score of 4 against 1. Both have doubled,
//! so each accounts for half of the 3.

mod dependence;
mod net;
mod permutation;
mod quadrature;
mod rows;
mod shapley;

pub use dependence::{Dependence, Joint, Point, SAMPLE, Sample};
pub use permutation::{
    Loss, Permutation, PermutationError, PermutationOptions, permutation, saved_cost,
};
pub use rows::Rows;
pub use shapley::Shapley;

use quadrature::Quadrature;

use crate::{Factor, Model, Scorer, times};

/// Explains the scores of a model. Whatever a factor sums up (trees, or a net), all that is asked
/// of it is a sum and what each feature adds to it.
#[derive(Debug)]
pub struct Explainer<'m> {
    scorer: &'m Scorer,
    /// By factor.
    shapleys: Vec<Shapley<'m>>,
    features: usize,
    quadrature: Quadrature<MOST_POINTS>,
}

/// Exact for 64 factors, as many as a model file may have.
const MOST_POINTS: usize = 32;

/// An item taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// By factor: what its link is applied to.
    pub sums: Vec<f64>,
    /// By factor, then by feature: what the feature adds to the sum, beside an item of which
    /// nothing is known.
    pub values: Vec<f64>,
}

impl Parts {
    /// Somebody in the middle: the mean of the parts of several items. `None` of nobody.
    pub fn mean<'p>(items: impl ExactSizeIterator<Item = &'p Parts>) -> Option<Parts> {
        let share = 1.0 / items.len() as f64;
        items.fold(None, |mean: Option<Parts>, item| {
            let mut mean = mean.unwrap_or_else(|| Parts {
                sums: vec![0.0; item.sums.len()],
                values: vec![0.0; item.values.len()],
            });
            let add = |mean: &mut [f64], item: &[f64]| {
                mean.iter_mut().zip(item).for_each(|(mean, item)| *mean += share * item);
            };
            add(&mut mean.sums, &item.sums);
            add(&mut mean.values, &item.values);
            Some(mean)
        })
    }
}

impl<'m> Explainer<'m> {
    /// For a model.
    pub fn new(model: &'m Model) -> Self {
        Explainer {
            scorer: &model.scorer,
            shapleys: model.scorer.factors.iter().map(|f| Shapley::new(&f.trees)).collect(),
            features: model.features.len(),
            quadrature: Quadrature::new(),
        }
    }

    /// Takes an item apart. For each factor the values add up to its sum less
    /// [`Explainer::expected`].
    pub fn parts(&self, features: &[f32]) -> Parts {
        let sums = self.scorer.factors.iter().map(|f| f.sum(features)).collect();
        let mut values = vec![0.0; self.shapleys.len() * self.features];
        for (factor, shapley) in self.shapleys.iter().enumerate() {
            let of_factor = &mut values[factor * self.features..][..self.features];
            shapley.add(features, of_factor);
            if let Some(net) = &self.scorer.factors[factor].net {
                net::add(net, features, of_factor);
            }
        }
        Parts { sums, values }
    }

    /// By factor: the sum of an item of which nothing is known.
    pub fn expected(&self) -> Vec<f64> {
        let pairs = self.scorer.factors.iter().zip(&self.shapleys);
        let of_net = |factor: &Factor| factor.net.as_ref().map_or(0.0, net::expected);
        pairs.map(|(factor, shapley)| factor.start + shapley.expected() + of_net(factor)).collect()
    }

    /// The score of an item, or of somebody in the middle.
    pub fn score(&self, parts: &Parts) -> f64 {
        let pairs = self.scorer.factors.iter().zip(&parts.sums);
        pairs.fold(self.scorer.unit, |product, (f, &sum)| times(product, value(f, sum)))
    }

    /// What each feature adds to (score of `item`) - (score of `other`).
    pub fn contrast(&self, item: &Parts, other: &Parts) -> Vec<f64> {
        let factors = &self.scorer.factors;
        let ends: Vec<[f64; 2]> = (factors.iter().zip(item.sums.iter().zip(&other.sums)))
            .map(|(factor, (&a, &b))| [value(factor, a), value(factor, b)])
            .collect();
        let mut reasons = vec![0.0; self.features];
        for (number, factor) in factors.iter().enumerate() {
            let slope =
                slope(factor, item.sums[number], other.sums[number]) * self.others(number, &ends);
            let of_factor = number * self.features..(number + 1) * self.features;
            let pairs = item.values[of_factor.clone()].iter().zip(&other.values[of_factor]);
            reasons.iter_mut().zip(pairs).for_each(|(reason, (a, b))| *reason += slope * (a - b));
        }
        reasons
    }

    /// What a factor is multiplied by, on the mean over all orders of exchanging the others,
    /// each of which has two ends.
    fn others(&self, number: usize, ends: &[[f64; 2]]) -> f64 {
        (0..MOST_POINTS).fold(0.0, |sum, point| {
            let others = ends.iter().enumerate().filter(|(other, _)| *other != number);
            let product = others.fold(self.quadrature.weights[point], |product, (_, [x, y])| {
                times(product, self.quadrature.mix(point, *y, *x))
            });
            sum + times(product, self.scorer.unit)
        })
    }
}

/// A factor of the score. All that is known of links and powers is known here.
fn value(factor: &Factor, sum: f64) -> f64 {
    factor.link.apply_to_power(sum, factor.power)
}

/// How much a factor rises with its sum, on the mean from one sum to another. Where they are
/// almost equal that is the slope in their midst: equal items may still have different reasons.
fn slope(factor: &Factor, a: f64, b: f64) -> f64 {
    const NEAR: f64 = 1e-5;
    let (middle, near) = ((a + b) / 2.0, NEAR * (1.0 + a.abs()));
    let (a, b) = match (a - b).abs() < near {
        true => (middle + near, middle - near),
        false => (a, b),
    };
    (value(factor, a) - value(factor, b)) / (a - b)
}

#[cfg(test)]
mod tests;
