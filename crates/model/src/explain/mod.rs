//! Explanation of scores and models.
//!
//! * [`Explainer`]: what each feature contributes to the difference of two items' scores.
//! * [`permutation_importance`]: the saved cost that depends on each feature.
//! * [`Sample`]: how scores depend on one feature, and on two (partial dependence).
//!
//! A score is unit x product over factors of link(start + sum of trees + net)^power. The usual question
//! is about a difference: this item against the one at the cut-off. The difference is divided in two
//! steps, and the parts sum to it exactly.
//!
//! 1. Among the factors, by Shapley values: the factors of one item are exchanged for those of the other
//!    in every order, and each factor is credited with its mean effect. With x_i and y_i the two items'
//!    factors, the part of factor i is (Owen 1972)
//!    unit x (x_i - y_i) x integral from 0 to 1 of the product over j != i of (1 - t) y_j + t x_j.
//!    (The logarithmic mean of Ang 2005 gives almost the same parts, but is undefined for factors that
//!    are 0 or negative.)
//! 2. Within a factor, in proportion to the differences of the features' Shapley values ([`Shapley`];
//!    `net.rs` for nets), which sum to the difference of the sums.
//!
//! With one factor and the identity as link, these are differences of Shapley values.
//!
//! Example: probability 0.5 against 0.25, size 8 against 4: a score of 4 against 1. Both factors have
//! doubled, so each accounts for half of the 3.

mod dependence;
mod net;
mod permutation;
mod quadrature;
mod rows;
mod shapley;

pub use dependence::{Dependence, DependencePoint, JointDependence, SAMPLE_SIZE, Sample};
pub use permutation::{
    FeatureLoss, GoalFigure, PermutationError, PermutationImportance, PermutationOptions,
    other_metric, permutation_importance, saved_cost_metric,
};
pub use rows::Rows;
pub use shapley::Shapley;

use quadrature::Quadrature;

use crate::{Factor, Model, Scorer, finite_product};

/// Explains the scores of a model. Of a factor it needs only the sum and each feature's part of it, so
/// trees and nets are treated alike.
#[derive(Debug)]
pub struct Explainer<'m> {
    scorer: &'m Scorer,
    /// One for each factor.
    shapleys: Vec<Shapley<'m>>,
    features: usize,
    quadrature: Quadrature<MAX_POINTS>,
}

/// Exact for 64 factors, the maximum in a model file.
const MAX_POINTS: usize = 32;

/// The parts of an item's score.
#[derive(Debug, Clone, PartialEq)]
pub struct ScoreParts {
    /// The sum of each factor, before its link.
    pub sums: Vec<f64>,
    /// By factor, then by feature: the Shapley value of the feature, relative to an item of which no
    /// feature is known.
    pub values: Vec<f64>,
}

impl ScoreParts {
    /// The mean of the parts of several items: those of an average item. `None` if there are none.
    pub fn mean<'p>(items: impl ExactSizeIterator<Item = &'p ScoreParts>) -> Option<ScoreParts> {
        let share = 1.0 / items.len() as f64;
        items.fold(None, |mean: Option<ScoreParts>, item| {
            let mut mean = mean.unwrap_or_else(|| ScoreParts {
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
    /// Prepares explanations of a model.
    pub fn new(model: &'m Model) -> Self {
        Explainer {
            scorer: &model.scorer,
            shapleys: model.scorer.factors.iter().map(|f| Shapley::new(&f.trees)).collect(),
            features: model.features.len(),
            quadrature: Quadrature::new(),
        }
    }

    /// Returns the parts of an item's score. For each factor the values sum to its sum less
    /// [`Explainer::expected`].
    pub fn parts(&self, features: &[f32]) -> ScoreParts {
        let sums = self.scorer.factors.iter().map(|f| f.sum(features)).collect();
        let mut values = vec![0.0; self.shapleys.len() * self.features];
        for (factor, shapley) in self.shapleys.iter().enumerate() {
            let of_factor = &mut values[factor * self.features..][..self.features];
            shapley.add(features, of_factor);
            if let Some(net) = &self.scorer.factors[factor].net {
                net::add(net, features, of_factor);
            }
        }
        ScoreParts { sums, values }
    }

    /// The sum of each factor for an item of which no feature is known.
    pub fn expected(&self) -> Vec<f64> {
        let pairs = self.scorer.factors.iter().zip(&self.shapleys);
        let of_net = |factor: &Factor| factor.net.as_ref().map_or(0.0, net::expected);
        pairs.map(|(factor, shapley)| factor.start + shapley.expected() + of_net(factor)).collect()
    }

    /// The score of an item, or of an average item ([`ScoreParts::mean`]).
    pub fn score(&self, parts: &ScoreParts) -> f64 {
        let pairs = self.scorer.factors.iter().zip(&parts.sums);
        pairs.fold(self.scorer.unit, |product, (f, &sum)| finite_product(product, value(f, sum)))
    }

    /// The part of each feature in (score of `item`) - (score of `other`).
    pub fn contrast(&self, item: &ScoreParts, other: &ScoreParts) -> Vec<f64> {
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

    /// The mean, over all orders of exchanging the other factors, of what a factor is multiplied by.
    /// `ends` has the two items' values of each factor.
    fn others(&self, number: usize, ends: &[[f64; 2]]) -> f64 {
        (0..MAX_POINTS).fold(0.0, |sum, point| {
            let others = ends.iter().enumerate().filter(|(other, _)| *other != number);
            let product = others.fold(self.quadrature.weights[point], |product, (_, [x, y])| {
                finite_product(product, self.quadrature.mix(point, *y, *x))
            });
            sum + finite_product(product, self.scorer.unit)
        })
    }
}

/// The value of a factor. Only this function depends on links and powers.
fn value(factor: &Factor, sum: f64) -> f64 {
    factor.link.apply_to_power(sum, factor.power)
}

/// The mean slope of a factor between two sums. If they are almost equal it is the slope at their
/// midpoint: items of equal score may still have different reasons.
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
