//! The failure theorem (Rudin and Wang 2018, section 3): on one feature, the order by x and the order
//! by -x are each preferred by half of the usual statistics and losses. Minimising a loss in place of
//! the intended statistic may give the very opposite order.
//!
//! Reference values: WRS 13744740 / 5015540; DCG 309.5484 / 265.2193; DCG@100 16.3951 / 17.8672;
//! MRR 5.67133 / 5.64547.

use serde::Serialize;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_learn::rerank::{Certificate, ExactRerank, certify};
use stakes_learn::{FitContext, Learner};
use stakes_model::{Input, Net};
use stakes_synth::Theorem;

use crate::Error;
use crate::report::ProofReport;

/// Statistics of orders, by their names here and in the table of metrics; more is better.
const STATISTICS: [(&str, &str); 6] = [
    ("WRS (the AUC)", "wrs"),
    ("partial AUC@100", "pauc@100"),
    ("DCG", "clrs-dcg"),
    ("MRR", "mrr-sum"),
    ("DCG@100", "clrs-dcg@100"),
    ("partial AUC@10", "pauc@10"),
];

/// What the exact search is asked for.
const ASKED: [(&str, &str); 2] = [("AUC", "wrs"), ("DCG@100", "clrs-dcg@100")];

/// A loss of a pair of a positive and a negative, by the difference of their scores.
type Loss = fn(f64) -> f64;
const LOSSES: [(&str, Loss); 2] =
    [("hinge loss", |z| (1.0 - z).max(0.0)), ("exponential loss", |z| (-z).exp())];

/// The two orders of the theorem.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum Solution {
    /// By x.
    #[serde(rename = "solution 1")]
    First,
    /// By -x.
    #[serde(rename = "solution 2")]
    Second,
}

impl Solution {
    /// Its number.
    pub fn number(self) -> u8 {
        match self {
            Solution::First => 1,
            Solution::Second => 2,
        }
    }

    /// The order by this multiple of x.
    pub fn of_weight(weight: f64) -> Self {
        if weight > 0.0 { Solution::First } else { Solution::Second }
    }
}

impl std::fmt::Display for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "solution {}", self.number())
    }
}

/// What statistics, losses and the exact search say of both orders.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TheoremReport {
    /// Statistics and losses.
    pub lines: Vec<Preference>,
    /// What the exact search finds.
    pub exact: Vec<ExactChoice>,
    /// The weight of x at which the exponential loss is least.
    #[serde(rename = "exponential loss is least at")]
    pub exponential: f64,
}

/// A statistic or a loss of both orders.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Preference {
    /// Its name.
    pub what: &'static str,
    /// Its value for the order by x.
    #[serde(rename = "solution 1")]
    pub first: f64,
    /// Its value for the order by -x.
    #[serde(rename = "solution 2")]
    pub second: f64,
    /// Whether less is better.
    #[serde(rename = "loss")]
    pub is_loss: bool,
    /// The number of the order that it prefers.
    pub prefers: u8,
}

impl Preference {
    fn new(what: &'static str, [first, second]: [f64; 2], is_loss: bool) -> Self {
        let prefers = if (first > second) != is_loss { 1 } else { 2 };
        Preference { what, first, second, is_loss, prefers }
    }
}

/// What the exact search finds.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ExactChoice {
    /// The statistic that it was asked for.
    pub asked: &'static str,
    /// The order that it chose.
    pub chosen: Solution,
    /// The value that it found, and the bound.
    #[serde(flatten)]
    pub proof: ProofReport,
}

/// Makes the data of the theorem, and compares both orders.
pub fn theorem(seed: u64) -> Result<TheoremReport, Error> {
    let data = Theorem { seed, ..Theorem::default() }.generate()?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    let x: Vec<f64> = data.features().column(0).map(f64::from).collect();
    let y = problem.cost();
    let turned: Vec<f64> = x.iter().map(|x| -x).collect();
    let mut lines = Vec::new();
    for (what, name) in STATISTICS {
        let metric = Metric::parse(name, Scale::of(&data))?;
        let of = |scores: &[f64]| -> Result<f64, Error> {
            Ok(evaluate(&metric, &problem, scores)?.figure.unwrap_or(f64::NAN))
        };
        lines.push(Preference::new(what, [of(&x)?, of(&turned)?], false));
    }
    for (what, loss) in LOSSES {
        let values = [1.0, -1.0].map(|w| pair_loss(&x, y, w, loss));
        lines.push(Preference::new(what, values, true));
    }
    let mut exact = Vec::new();
    for (asked, name) in ASKED {
        let mut learner = ExactRerank::default();
        for (key, value) in [("top", "all"), ("objective", name), ("time-limit", "20")] {
            learner.set(key, value)?;
        }
        let found = certify(&learner, &problem, &x, Some(1), &mut FitContext::default())?;
        let chosen = Solution::of_weight(weight(&found));
        exact.push(ExactChoice { asked, chosen, proof: (&found.proof).into() });
    }
    Ok(TheoremReport { lines, exact, exponential: best_scale(&x, y) })
}

/// The weight of x, whose sign is the order.
fn weight(found: &Certificate) -> f64 {
    let slope = |net: &Net| match (net.inputs.first(), net.layers.last()) {
        (Some(Input::Number { deviation, .. }), Some(layer)) => layer.weights[0] / deviation,
        _ => 0.0,
    };
    found.model.nets().next().map_or(0.0, slope)
}

/// The sum of a loss over all pairs of a positive and a negative, of the score w x.
fn pair_loss(x: &[f64], y: &[f64], w: f64, loss: Loss) -> f64 {
    let of = |wanted: bool| -> Vec<f64> {
        x.iter().zip(y).filter(|(_, y)| (**y > 0.0) == wanted).map(|(x, _)| w * x).collect()
    };
    let (positives, negatives) = (of(true), of(false));
    positives.iter().map(|p| negatives.iter().map(|n| loss(p - n)).sum::<f64>()).sum()
}

/// Where the exponential loss of the score w x is least: a product of two sums.
fn best_scale(x: &[f64], y: &[f64]) -> f64 {
    let loss = |w: f64| {
        let of = |sign: f64, wanted: bool| -> f64 {
            let kind = x.iter().zip(y).filter(|(_, y)| (**y > 0.0) == wanted);
            kind.map(|(x, _)| (sign * w * x).exp()).sum()
        };
        of(-1.0, true) * of(1.0, false)
    };
    let (mut low, mut high) = (-2.0, 2.0);
    for _ in 0..60 {
        let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
        if loss(a) < loss(b) { high = b } else { low = a }
    }
    (low + high) / 2.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn golden_numbers_and_preferences() {
        let shown = theorem(1).unwrap();
        let line = |what: &str| shown.lines.iter().find(|line| line.what == what).unwrap();
        for (what, values, digits) in [
            ("WRS (the AUC)", [13_744_740.0, 5_015_540.0], 0.5),
            ("DCG", [309.5484, 265.2193], 5e-5),
            ("DCG@100", [16.3951, 17.8672], 5e-5),
            ("MRR", [5.67133, 5.64547], 5e-6),
        ] {
            for (met, wanted) in [line(what).first, line(what).second].iter().zip(values) {
                assert!((met - wanted).abs() <= digits, "{what}: {met} is not {wanted}");
            }
        }
        for (what, prefers) in [
            ("WRS (the AUC)", 1),
            ("partial AUC@100", 1),
            ("DCG", 1),
            ("MRR", 1),
            ("hinge loss", 1),
            ("DCG@100", 2),
            ("partial AUC@10", 2),
            ("exponential loss", 2),
        ] {
            assert_eq!(line(what).prefers, prefers, "{what}");
        }
        // The exact search gives what it is asked for.
        for (asked, wanted) in [("AUC", Solution::First), ("DCG@100", Solution::Second)] {
            let found = shown.exact.iter().find(|found| found.asked == asked).unwrap();
            assert_eq!(found.chosen, wanted, "{asked}");
        }
        let auc = &shown.exact[0].proof;
        assert!((auc.value - 13_744_740.0).abs() < 1.0, "{}", auc.value);
        // At its own best scale the exponential loss prefers the other order.
        assert!((shown.exponential - 0.119).abs() < 0.01, "{}", shown.exponential);
    }
}
