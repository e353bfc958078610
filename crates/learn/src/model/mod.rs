//! What was learnt: everything that is needed to score, and how it came about.

mod bound;
pub mod calibration;
mod columns;
mod describe;
mod diff;
mod error;
mod file;
mod fingerprint;
mod net;
mod rerank;
mod score;
mod within;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::fit::Ended;
use crate::tree::Tree;

pub use bound::{Bound, BoundPart};
pub use calibration::{Calibration, Expected, Knot};
pub use columns::{Matched, UnknownCategories};
pub use describe::Size;
pub use diff::{Difference, diff};
pub use error::ModelError;
pub use net::{Activation, Input, Layer, Net};
pub(crate) use net::{Scratch, dot};
pub use rerank::{Above, Proof, ProofEnd, Rerank};
pub use score::PreparedScorer;
pub(crate) use score::times;
pub use within::Within;

/// Categories of a feature that a model tells apart at most: codes are bytes, and one of them
/// stands for missing.
pub const MOST_CATEGORIES: usize = 255;

/// A trained model.
#[derive(Debug, Clone, PartialEq)]
pub struct Model {
    /// Name of the learner in [`crate::FAMILIES`].
    pub learner: String,
    /// Its parameters, all of them, as texts.
    pub parameters: BTreeMap<String, String>,
    /// The seed of all random draws.
    pub seed: u64,
    /// What it was learnt for.
    pub goal: Goal,
    /// The columns it reads, in the order of [`crate::tree::Node::feature`].
    pub features: Vec<ModelFeature>,
    /// What is done with the numbers of a list before they are scored.
    pub within: Within,
    /// What it was learnt from.
    pub data: Fingerprint,
    /// How learning went.
    pub stages: Vec<StageSummary>,
    /// What it is blended from; empty for a single learner.
    pub members: Vec<Member>,
    /// The scores; of a model that re-ranks, those of the first stage.
    pub scorer: Scorer,
    /// What scores stand for in costs, if lists that were not learnt from could tell.
    pub calibration: Option<Calibration>,
    /// How far the rank loss on new pairs may be from that on training pairs, where theory tells.
    pub bound: Option<Bound>,
    /// What puts the items in a new order that the scores put first, if they are re-ranked.
    pub rerank: Option<Rerank>,
}

/// A learner that a blend ([`crate::auto`]) counts on.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    /// Name of the learner in [`crate::FAMILIES`].
    pub learner: String,
    /// Its parameters, all of them, as texts.
    pub parameters: BTreeMap<String, String>,
    /// Its figure on lists that it did not learn from; `None` where there were none.
    pub figure: Option<f64>,
    /// How much it counts; those of all members add up to 1.
    pub weight: f64,
}

/// What a model is learnt for: the cost, how many items can be acted on, and which columns
/// said so.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Goal {
    /// The cost model as a text ([`stakes_core::cost::CostModel`]).
    pub cost: String,
    /// How many items can be acted on, percentages resolved; `None` under a budget.
    pub k: Option<stakes_core::cost::Capacity>,
    /// The action policy as a text, if one was chosen.
    pub policy: Option<String>,
    /// Money to spend per list, if that limits instead of k.
    pub budget: Option<String>,
    /// The metric that early stopping watched, as its canonical text.
    pub metric: String,
    /// Column names by role: list, impact, id, weight, price, time, group.
    pub columns: BTreeMap<String, String>,
}

/// A feature as the model knows it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ModelFeature {
    /// Name of the column.
    pub name: String,
    /// For names instead of numbers: the categories the model knows, by code. Others count
    /// as missing.
    pub categories: Option<Vec<String>>,
}

/// What identifies the training data, whatever the order of its rows.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// Number of items.
    pub items: u64,
    /// Number of lists.
    pub lists: u64,
    /// A hash over ids, features and costs.
    pub hash: u64,
}

/// How one stage of learning went (boosting has one; a two-part model has two).
#[derive(Debug, Clone, PartialEq)]
pub struct StageSummary {
    /// What was learnt: `score`, `chance`, `size`.
    pub name: String,
    /// What the curve shows: a metric or the loss's name, and on which data.
    pub measure: String,
    /// Its value after each round.
    pub curve: Vec<f64>,
    /// Rounds that the model keeps.
    pub kept: usize,
    /// Why it ended.
    pub ended: Ended,
    /// Further curves by their names, such as losses that a learner keeps an eye on.
    pub also: Vec<(String, Vec<f64>)>,
}

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
    /// Where the sum begins.
    pub start: f64,
    /// What is added.
    pub trees: Vec<Tree>,
    /// What is added, too.
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
    pub(crate) fn raise(&mut self, power: f64) {
        match self.link {
            Link::Exp => {
                self.start *= power;
                crate::boost::scale(&mut self.trees, power);
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
