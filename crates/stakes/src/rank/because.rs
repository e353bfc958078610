//! Why an item is ranked where it is: how it differs from the item at the cutoff.
//!
//! An item to act on is compared with the first item below the cutoff, any other item with the
//! last one above it. Where there is no item on the other side (all are acted on, or none), the
//! mean of the list is taken instead. The parts of all features add up to the difference of the
//! two scores; the largest are reported. If the model is calibrated, they are reported as expected
//! costs as well: the difference of the expected costs, divided in the same proportions.
//!
//! Example: `wind=31.2 (+1.25, +340 cost); age=40 (-0.1, -27.2 cost)`.

use std::fmt;
use std::ops::Range;

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::display::nice_number;
use stakes_model::explain::{Explainer, Rows, ScoreParts};
use stakes_model::{ListScaling, Model};

use super::RankedItem;
use crate::Error;
use crate::feature_value::FeatureValue;

/// How an item differs from the one it is compared with, and the reasons.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Because {
    /// The item it is compared with; null for the mean of the list.
    pub against: Option<String>,
    /// Its score less the other's.
    pub difference: f64,
    /// Its expected cost less the other's, if the model is calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cost_difference: Option<f64>,
    /// The parts of the difference, the largest first.
    pub because: Vec<Reason>,
}

/// A feature and what it adds to a difference.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Reason {
    /// Name of the feature.
    pub feature: String,
    /// Its value.
    pub value: FeatureValue,
    /// The value of the other item; also missing if that is the mean of the list.
    pub other: FeatureValue,
    /// What it adds to the difference of the scores.
    pub adds: f64,
    /// What it adds to the difference of the expected costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub adds_cost: Option<f64>,
}

impl fmt::Display for Because {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |number: f64| {
            let sign = if number > 0.0 { "+" } else { "" };
            format!("{sign}{}", nice_number(number))
        };
        for (i, reason) in self.because.iter().enumerate() {
            let before = if i > 0 { "; " } else { "" };
            let adds = signed(reason.adds);
            write!(f, "{before}{}={} ({adds}", reason.feature, reason.value)?;
            if let Some(cost) = reason.adds_cost {
                write!(f, ", {} cost", signed(cost))?;
            }
            write!(f, ")")?;
        }
        Ok(())
    }
}

/// Finds reasons.
pub(crate) struct Reasons<'m> {
    model: &'m Model,
    explainer: Explainer<'m>,
    rows: Rows,
    /// The values in the data's own units, where the model scales numbers within their list.
    shown: Option<Rows>,
    /// The maximum number of reasons of an item.
    max: usize,
}

/// The item that others are compared with.
struct Other<'r> {
    /// `None` for the mean of the list.
    item: Option<(String, &'r [f32])>,
    parts: ScoreParts,
}

impl<'m> Reasons<'m> {
    pub(crate) fn new(model: &'m Model, data: &Dataset, max: usize) -> Result<Self, Error> {
        let rows = Rows::new(model, data)?;
        let shown = match model.list_scaling {
            ListScaling::None => None,
            _ => Some(Rows::unscaled(model, data)?),
        };
        Ok(Reasons { model, explainer: Explainer::new(model), rows, shown, max })
    }

    /// The features of an item in the data's own units.
    fn shown(&self, item: usize) -> &[f32] {
        self.shown.as_ref().unwrap_or(&self.rows).row(item)
    }

    /// Explains the first `shown` items of each list.
    pub(super) fn explain(&self, lists: &mut [Vec<RankedItem<'_>>], shown: usize) {
        lists.par_iter_mut().for_each(|list| self.explain_list(list, shown));
    }

    fn explain_list(&self, list: &mut [RankedItem<'_>], shown: usize) {
        let acted = list.iter().take_while(|ranked| ranked.act).count();
        let has_cut = 0 < acted && acted < list.len();
        let taken = if has_cut { shown.min(list.len()) } else { list.len() };
        let parts: Vec<ScoreParts> = (list[..taken].par_iter())
            .map(|ranked| self.explainer.parts(self.rows.row(ranked.item)))
            .collect();
        let at = |position: usize| {
            let item = list[position].item;
            let parts = self.explainer.parts(self.rows.row(item));
            Other { item: Some((list[position].id.to_string(), self.shown(item))), parts }
        };
        // For items to act on, and for the others.
        let others = match has_cut {
            true => [at(acted), at(acted - 1)],
            false => {
                let parts = ScoreParts::mean(parts.iter()).expect("a list has an item");
                [parts.clone(), parts].map(|parts| Other { item: None, parts })
            }
        };
        for (ranked, parts) in list.iter_mut().zip(&parts).take(shown) {
            let other = &others[usize::from(!ranked.act)];
            ranked.because = Some(self.because(self.shown(ranked.item), parts, other));
        }
    }

    /// Explains items by how they differ from the mean of their list.
    pub(crate) fn against_mean(&self, list: Range<usize>, items: &[usize]) -> Vec<Because> {
        let parts = |item: usize| self.explainer.parts(self.rows.row(item));
        let all: Vec<ScoreParts> = list.clone().into_par_iter().map(parts).collect();
        let mean = ScoreParts::mean(all.iter()).expect("a list has an item");
        let other = Other { item: None, parts: mean };
        let because =
            |&item: &usize| self.because(self.shown(item), &all[item - list.start], &other);
        items.iter().map(because).collect()
    }

    fn because(&self, row: &[f32], parts: &ScoreParts, other: &Other<'_>) -> Because {
        let adds = self.explainer.contrast(parts, &other.parts);
        let scores = [parts, &other.parts].map(|parts| self.explainer.score(parts));
        let difference = scores[0] - scores[1];
        let cost_difference = self.model.calibration.as_ref().map(|calibration| {
            let [item, other] = scores.map(|score| calibration.expected(score).mean);
            item - other
        });
        // Equal scores have equal expected costs.
        let cost_per_score =
            cost_difference.map(|cost| if difference == 0.0 { 0.0 } else { cost / difference });
        let mut largest: Vec<usize> = (0..adds.len()).filter(|&j| adds[j] != 0.0).collect();
        largest.sort_by(|&a, &b| adds[b].abs().total_cmp(&adds[a].abs()));
        largest.truncate(self.max);
        let value = |row: &[f32], j: usize| FeatureValue::new(&self.model.features[j], row[j]);
        let reason = |j: usize| Reason {
            feature: self.model.features[j].name.clone(),
            value: value(row, j),
            other: (other.item.as_ref())
                .map_or(FeatureValue::Missing, |(_, other)| value(other, j)),
            adds: adds[j],
            adds_cost: cost_per_score.map(|cost| cost * adds[j]),
        };
        Because {
            against: other.item.as_ref().map(|(id, _)| id.clone()),
            difference,
            cost_difference,
            because: largest.into_iter().map(reason).collect(),
        }
    }
}
