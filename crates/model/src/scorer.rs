//! The score: a product of factors, each a link function of a sum of trees or of a net.

use serde::{Deserialize, Serialize};

use crate::net::Net;
use crate::tree::{self, Tree};

/// score = unit x product over factors of link(start + sum of trees + net)^power.
#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    /// The cost that a product of 1 stands for; 1 where scores have no unit.
    pub unit: f64,
    /// One factor for most learners; two-part models multiply a probability, a size and a constant,
    /// blends the factors of their members.
    pub factors: Vec<Factor>,
}

/// A factor of the score: a link function of a sum of trees, a net, or both.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// What the factor estimates: `score`, `chance`, `size`, `smearing`, `cs-mart.score`.
    pub name: String,
    /// The function that is applied to the sum.
    pub link: Link,
    /// An exponent above 0 that weights the factor in a blend; 1 elsewhere. It is always 1 if the
    /// link is the identity, since the sum may then be negative.
    pub power: f64,
    /// The constant term of the sum.
    pub start: f64,
    /// The trees whose values are added.
    pub trees: Vec<Tree>,
    /// A net whose value is added to the sum.
    pub net: Option<Net>,
}

impl Factor {
    /// A factor of power 1 without a net.
    pub fn new(name: &str, link: Link, start: f64, trees: Vec<Tree>) -> Self {
        Factor { name: name.to_owned(), link, power: 1.0, start, trees, net: None }
    }

    /// The sum for a row of features, in the model's order and codes.
    pub fn sum(&self, features: &[f32]) -> f64 {
        let trees = self.trees.iter().fold(self.start, |sum, tree| sum + tree.value_of(features));
        self.net.as_ref().map_or(trees, |net| trees + net.value(features))
    }

    /// Whether the factor is the same for every item.
    pub fn is_constant(&self) -> bool {
        let constant = |net: &Net| net.layers.iter().any(|l| l.weights.iter().all(|w| *w == 0.0));
        self.trees.iter().all(|tree| tree.nodes.is_empty())
            && self.net.as_ref().is_none_or(constant)
    }

    /// Raises the factor to a power. Where the link or a constant factor allows, the numbers
    /// themselves change, and [`Factor::power`] stays 1.
    pub fn raise(&mut self, power: f64) {
        match self.link {
            Link::Exp => {
                self.start *= power;
                tree::scale_leaves(&mut self.trees, power);
                if let Some(last) = self.net.as_mut().and_then(|net| net.layers.last_mut()) {
                    let numbers = last.biases.iter_mut().chain(&mut last.weights);
                    numbers.for_each(|number| *number *= power);
                }
            }
            // A constant above 0, such as the smearing factor.
            Link::Identity if self.trees.is_empty() && self.net.is_none() => {
                self.start = self.start.powf(power)
            }
            _ => self.power *= power,
        }
    }
}

/// The function from a sum to a factor of the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Link {
    /// The sum itself.
    Identity,
    /// exp(sum).
    Exp,
    /// 1 / (1 + exp(-sum)).
    Logistic,
}

impl Link {
    /// Applies the function. Sums are capped so that exp does not overflow: scores are finite.
    pub fn apply(self, sum: f64) -> f64 {
        match self {
            Link::Identity => sum,
            Link::Exp => sum.min(700.0).exp(),
            Link::Logistic => 1.0 / (1.0 + (-sum).exp()),
        }
    }

    /// Applies the function and raises the result to a power.
    pub fn apply_to_power(self, sum: f64, power: f64) -> f64 {
        match self {
            Link::Exp => (power * sum).min(700.0).exp(),
            _ if power == 1.0 => self.apply(sum),
            _ => self.apply(sum).powf(power),
        }
    }
}
