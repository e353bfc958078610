//! Why an item has its score, and why it stands above another.
//!
//! Trees are taken apart exactly ([`Shapley`]). A score is unit x product of link(start + sum
//! of trees), and what people ask is a difference: this item against the one at the cut-off.
//! With one factor the difference of the scores is shared out in proportion to the difference
//! of the features' Shapley values. With several, the difference is first divided among the
//! factors by the logarithmic mean L(a, b) = (a - b) / (ln a - ln b):
//!
//! s - s' = L(s, s') x sum over factors of (ln f - ln f')
//!
//! (the LMDI decomposition: Ang, "The LMDI approach to decomposition analysis", 2005), which
//! leaves no rest and treats both items alike. Reasons add up to the difference.
//!
//! Example: chance 0.5 against 0.25, size 8 against 4: 4 against 1. Both have doubled, so each
//! accounts for half of the 3.

mod shapley;

pub use shapley::Shapley;

use crate::model::{Factor, Link, Scorer};

/// Explains the scores of a model.
pub struct Explainer<'m> {
    scorer: &'m Scorer,
    /// By factor.
    shapleys: Vec<Shapley<'m>>,
    width: usize,
}

/// An item taken apart.
#[derive(Debug, Clone, PartialEq)]
pub struct Parts {
    /// By factor: what its link is applied to.
    sums: Vec<f64>,
    /// By factor and feature.
    values: Vec<Vec<f64>>,
    score: f64,
}

impl Parts {
    /// The score.
    pub fn score(&self) -> f64 {
        self.score
    }
}

impl<'m> Explainer<'m> {
    /// For a model of so many features.
    pub fn new(scorer: &'m Scorer, width: usize) -> Self {
        let shapleys = scorer.factors.iter().map(|factor| Shapley::new(&factor.trees)).collect();
        Explainer { scorer, shapleys, width }
    }

    /// Takes an item apart.
    pub fn parts(&self, features: &[f32]) -> Parts {
        let sum = |f: &Factor| f.trees.iter().fold(f.start, |s, tree| s + tree.value_of(features));
        let of_factor = |shapley: &Shapley<'_>| {
            let mut values = vec![0.0; self.width];
            shapley.add(features, 1.0, &mut values);
            values
        };
        Parts {
            sums: self.scorer.factors.iter().map(sum).collect(),
            values: self.shapleys.iter().map(of_factor).collect(),
            score: self.scorer.score(features),
        }
    }

    /// What each feature adds to (score of `item`) - (score of `other`).
    pub fn contrast(&self, item: &Parts, other: &Parts) -> Vec<f64> {
        let mut reasons = vec![0.0; self.width];
        let grown = self.scorer.factors.iter().filter(|f| !f.trees.is_empty()).count();
        for (number, factor) in self.scorer.factors.iter().enumerate() {
            let (sum, other_sum) = (item.sums[number], other.sums[number]);
            let slope = match grown {
                1 => slope(item.score - other.score, sum - other_sum),
                _ => {
                    let gap = log_link(factor.link, sum) - log_link(factor.link, other_sum);
                    log_mean(item.score, other.score) * slope(gap, sum - other_sum)
                }
            };
            let gaps = item.values[number].iter().zip(&other.values[number]);
            reasons.iter_mut().zip(gaps).for_each(|(reason, (a, b))| *reason += slope * (a - b));
        }
        reasons
    }
}

/// Rise over run; where nothing runs, nothing rises either.
fn slope(rise: f64, run: f64) -> f64 {
    if run == 0.0 { 0.0 } else { rise / run }
}

/// ln link(sum), also where the link itself is nearly 0.
fn log_link(link: Link, sum: f64) -> f64 {
    match link {
        Link::Identity => sum.ln(),
        Link::Exp => sum,
        Link::Logistic => -(-sum).exp().ln_1p(),
    }
}

/// The logarithmic mean of two positive numbers; 0 if one of them is 0.
fn log_mean(a: f64, b: f64) -> f64 {
    if a <= 0.0 || b <= 0.0 {
        return 0.0;
    }
    let (gap, logs) = (a - b, a.ln() - b.ln());
    if logs.abs() < 1e-9 { (a + b) / 2.0 } else { gap / logs }
}
