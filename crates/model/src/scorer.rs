//! The score: a product of factors, each a sum of trees or a net behind a link.

use serde::{Deserialize, Serialize};

use crate::net::Net;
use crate::tree::{self, Tree};

/// score = unit x product over factors of link(start + sum of trees + net)^power.
#[derive(Debug, Clone, PartialEq)]
pub struct Scorer {
    /// What a score of 1 stands for in units of cost; 1 where scores have no unit.
    pub unit: f64,
    /// One for most learners; two-part models multiply a chance, a size and a constant; `auto`
    /// multiplies what its members say.
    pub factors: Vec<Factor>,
}

/// A sum of trees, or a net.
#[derive(Debug, Clone, PartialEq)]
pub struct Factor {
    /// What it stands for: `score`, `chance`, `size`, `smearing`, `cs-mart.score`.
    pub name: String,
    /// What is done with the sum.
    pub link: Link,
    /// How much the factor counts beside others: an exponent, 1 but in blends, and above 0.
    /// Sums whose link is the identity may be negative and have no other power than 1.
    pub power: f64,
    /// The value that the sum starts from.
    pub start: f64,
    /// Trees whose values are added.
    pub trees: Vec<Tree>,
    /// A net whose value is added to the sum.
    pub net: Option<Net>,
}

impl Factor {
    /// A factor as learners make it, of power 1.
    pub fn new(name: &str, link: Link, start: f64, trees: Vec<Tree>) -> Self {
        Factor { name: name.to_owned(), link, power: 1.0, start, trees, net: None }
    }

    /// The sum for a row of features, in the model's order and codes.
    pub fn sum(&self, features: &[f32]) -> f64 {
        let trees = self.trees.iter().fold(self.start, |sum, tree| sum + tree.value_of(features));
        self.net.as_ref().map_or(trees, |net| trees + net.value(features))
    }

    /// Whether it is the same for every item.
    pub fn is_constant(&self) -> bool {
        let says_nothing =
            |net: &Net| net.layers.iter().any(|l| l.weights.iter().all(|w| *w == 0.0));
        self.trees.iter().all(|tree| tree.nodes.is_empty())
            && self.net.as_ref().is_none_or(says_nothing)
    }

    /// Raises the factor to a power. Where that is the same as other numbers in the trees, or
    /// in a constant, it becomes those: only what must keep a power does.
    pub fn raise(&mut self, power: f64) {
        match self.link {
            Link::Exp => {
                self.start *= power;
                tree::scale(&mut self.trees, power);
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

/// From a sum of trees to a factor of the score.
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
    /// Applies it. Sums so large that exp would overflow are cut off: scores are finite.
    pub fn apply(self, sum: f64) -> f64 {
        match self {
            Link::Identity => sum,
            Link::Exp => sum.min(700.0).exp(),
            Link::Logistic => 1.0 / (1.0 + (-sum).exp()),
        }
    }

    /// Applies it and raises the result to a power.
    pub fn apply_to_power(self, sum: f64, power: f64) -> f64 {
        match self {
            Link::Exp => (power * sum).min(700.0).exp(),
            _ if power == 1.0 => self.apply(sum),
            _ => self.apply(sum).powf(power),
        }
    }
}
