//! Information retrieval's metrics of the form gain x discount: DCG and NDCG (Järvelin and
//! Kekäläinen 2002), the mean of NDCG@1..@k, precision, recall, F1 and accuracy of the first k as a set.
//!
//! The labels are the impacts unless `on=cost`. Example: labels (3, 0, 2) in that order
//! have DCG = 7 + 3/log2(4) = 8.5 and, the ideal being 7 + 3/log2(3), NDCG = 0.955.
//!
//! As a set the first k are a prediction of the relevant items: with h hits, F1 is 2h/(k + relevant), and
//! accuracy the share of items that are rightly in or rightly out. Example (Fürnkranz and Hüllermeier 2010):
//! {E, B} > {C, A, D}, predicted A>B>E>C>D, k = 2: one hit, so F1 1/2, and B, C and D are right: accuracy 3/5.

use std::borrow::Cow;

use super::additive::{Additive, LabelGain};
use super::cost_sensitive::TIES;
use super::{
    Allowed, Discount, Gain, ListMetric, OnEmpty, OptionInfo, Options, Rule, SpecError, Target,
};
use crate::data::ListView;
use crate::rank::TieRule;

/// The metrics of this file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    Dcg,
    Ndcg,
    /// The mean of NDCG@1..@k (He, Cost-Sensitive Learning for Listwise Ranking Functions).
    MeanNdcg,
    Precision,
    Recall,
    F1,
    Accuracy,
}

pub(super) const ON: OptionInfo = OptionInfo {
    key: "on",
    default: "impact",
    allowed: Allowed::OneOf(Target::NAMES),
    help: "the target: the impact (label) or the cost",
};
pub(super) const EMPTY: OptionInfo = OptionInfo {
    key: "empty",
    default: "skip",
    allowed: Allowed::OneOf(OnEmpty::NAMES),
    help: "a list with nothing relevant: skip (left out), zero, one",
};
pub(super) const RELEVANT: OptionInfo = OptionInfo {
    key: "above",
    default: "0",
    allowed: Allowed::Number(f64::MIN, f64::MAX),
    help: "labels above this are relevant",
};
const GAIN: OptionInfo = OptionInfo {
    key: "gain",
    default: "exp2",
    allowed: Allowed::OneOf(&["exp2", "linear"]),
    help: "exp2: 2^y - 1; linear: y",
};
const DISCOUNT: OptionInfo = OptionInfo {
    key: "discount",
    default: "log2",
    allowed: Allowed::OneOf(Discount::NAMES),
    help: "log2: 1/log2(p+1); letor: 1, 1, then 1/log2(p); zipf: 1/p",
};
const SHORT: OptionInfo = OptionInfo {
    key: "short",
    default: "count",
    allowed: Allowed::OneOf(&["count", "zero"]),
    help: "a list shorter than the cutoff: count (as it is), or zero as in LETOR 4.0's script",
};

/// Subranks leave places empty, but the first k are a set of k.
const SET_TIES: OptionInfo = OptionInfo {
    allowed: Allowed::OneOf(&["expected", "worst", "stable"]),
    help: "equal scores: expected (mean over orders), worst, stable (input order)",
    ..TIES
};

pub(super) const DCG_OPTIONS: &[OptionInfo] = &[GAIN, DISCOUNT, TIES, ON];
pub(super) const NDCG_OPTIONS: &[OptionInfo] = &[GAIN, DISCOUNT, TIES, EMPTY, SHORT, ON];
pub(super) const PRECISION_OPTIONS: &[OptionInfo] = &[RELEVANT, TIES, ON];
pub(super) const ACCURACY_OPTIONS: &[OptionInfo] = &[RELEVANT, SET_TIES, ON];
pub(super) const RECALL_OPTIONS: &[OptionInfo] = &[RELEVANT, TIES, EMPTY, ON];

pub(super) fn build(options: &Options<'_>, form: Form) -> Result<Box<dyn Rule>, SpecError> {
    let graded = matches!(form, Form::Dcg | Form::Ndcg | Form::MeanNdcg);
    let has = |key: &str| options.info.options.iter().any(|o| o.key == key);
    let cutoff = match (form, options.cutoff()?) {
        (Form::MeanNdcg, None) => Some(10),
        (Form::Precision | Form::Recall | Form::F1 | Form::Accuracy, None) => {
            return Err(SpecError::NeedsCutoff(options.info.name));
        }
        (_, cutoff) => cutoff,
    };
    Ok(Box::new(Retrieval {
        form,
        cutoff,
        gain: match graded.then(|| options.get("gain")) {
            Some("linear") => Gain::Linear,
            Some(_) => Gain::Exp2,
            None => Gain::Binary,
        },
        discount: graded.then(|| Discount::named(options.get("discount"))),
        threshold: if graded { 0.0 } else { options.number("above") },
        ties: TieRule::named(options.get("ties")),
        empty: if has("empty") { OnEmpty::named(options.get("empty")) } else { OnEmpty::Zero },
        short_is_zero: has("short") && options.get("short") == "zero",
        on: Target::named(options.get("on")),
        // Most lists are shorter than this; longer ones compute their own table.
        table: match (graded, cutoff) {
            (true, Some(k)) => {
                Discount::named(options.get("discount")).table(k.min(options.scale().longest_list))
            }
            _ => Vec::new(),
        },
    }))
}

struct Retrieval {
    form: Form,
    cutoff: Option<usize>,
    gain: Gain,
    /// `None`: every position counts 1.
    discount: Option<Discount>,
    threshold: f64,
    ties: TieRule,
    empty: OnEmpty,
    short_is_zero: bool,
    on: Target,
    table: Vec<f64>,
}

impl Retrieval {
    fn discounts(&self, n: usize) -> Cow<'_, [f64]> {
        match (self.discount, self.cutoff) {
            (Some(_), Some(_)) => Cow::Borrowed(&self.table),
            (Some(discount), None) => Cow::Owned(discount.table(n)),
            (None, k) => Cow::Owned(vec![1.0; k.unwrap_or(n).min(n)]),
        }
    }

    /// The discounts of the mean of NDCG@1..@k as one sum:
    /// d'(p) = d(p) / k * sum over cutoffs c >= p of 1/Ideal@c.
    fn mean_of_cutoffs(&self, best_gains: &[f64]) -> Vec<f64> {
        let k = self.cutoff.unwrap_or(10);
        let d = &self.table[..self.table.len().min(best_gains.len())];
        let mut ideal = 0.0;
        let ideal_at: Vec<f64> = best_gains
            .iter()
            .zip(d)
            .map(|(gain, discount)| {
                ideal += gain * discount;
                ideal
            })
            .collect();
        // All cutoffs beyond the list have the ideal of the whole list.
        let mut inverse = (k - d.len()) as f64 / ideal;
        let mut discounts = vec![0.0; d.len()];
        for c in (0..d.len()).rev() {
            inverse += 1.0 / ideal_at[c];
            discounts[c] = d[c] * inverse / k as f64;
        }
        discounts
    }
}

impl Rule for Retrieval {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let labels = self.on.of(list);
        let n = labels.len();
        let normalised = self.form != Form::Dcg;
        let gain = LabelGain::new(self.gain, labels, self.threshold, normalised);
        let sum = |discounts| Additive::new(labels, gain, discounts, self.ties);
        let fill = self.empty.fill();
        let all = || sum(self.discounts(n));
        let relevant = || labels.iter().filter(|y| **y > self.threshold).count() as f64;
        let k = self.cutoff.unwrap_or(n) as f64;
        if self.short_is_zero && self.cutoff.is_some_and(|k| n < k) {
            return Box::new(all().divided_by(0.0, Some(0.0)));
        }
        Box::new(match self.form {
            Form::Dcg => all(),
            Form::Ndcg => {
                let ideal = all().ideal();
                all().divided_by(ideal, fill)
            }
            Form::MeanNdcg => {
                let mut gains: Vec<f64> = labels.iter().map(|&y| gain.of(y)).collect();
                gains.sort_unstable_by(|a, b| b.total_cmp(a));
                match gains.first() {
                    // Above 0, and not so near it that the sum of 1/Ideal@c overflows.
                    Some(best) if (self.cutoff.unwrap_or(10) as f64 / best).is_finite() => {
                        sum(Cow::Owned(self.mean_of_cutoffs(&gains)))
                    }
                    _ => all().divided_by(0.0, fill),
                }
            }
            Form::Precision => all().divided_by(k, fill),
            Form::Recall => all().divided_by(relevant(), fill),
            Form::F1 if relevant() == 0.0 => all().divided_by(0.0, fill),
            Form::F1 => all().divided_by((k + relevant()) / 2.0, fill),
            Form::Accuracy => {
                // Right are the hits, and of the others beyond k all but the relevant ones that were missed.
                let n = n as f64;
                all().divided_by(n / 2.0, fill).plus((n - k.min(n) - relevant()) / n)
            }
        })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(self.on.of(list))
    }
}
