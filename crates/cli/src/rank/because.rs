//! Why an item stands where it stands: what sets it apart from the item at the cut-off.
//!
//! An item to act on is compared with the first one that is not; the others with the last one
//! that is. Where nobody stands on the other side (everything is acted on, or nothing), the
//! mean of the list takes the place. The parts of all features add up to the difference of the
//! two scores; the largest are told. If the model was calibrated, they are told in expected cost
//! as well: the difference of the expected costs, shared out in the same proportions.
//!
//! Example: `wind=31.2 (+1.25, +340 cost); age=40 (-0.1, -27.2 cost)`.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use stakes::data::Dataset;
use stakes::display::nice_number;
use stakes::learn::Model;
use stakes::model::ListScaling;
use stakes::model::explain::{Explainer, Rows, ScoreParts};

use super::Placed;
use crate::model::{value, value_text};

/// What sets an item apart.
#[derive(Debug, Serialize)]
pub(crate) struct Because<'m> {
    /// The item it is compared with; null for the mean of the list.
    against: Option<String>,
    /// Its score less the other's.
    difference: f64,
    /// Its expected cost less the other's, if the model was calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    cost_difference: Option<f64>,
    /// The largest parts of it first.
    because: Vec<Reason<'m>>,
}

/// A feature and what it adds.
#[derive(Debug, Serialize)]
struct Reason<'m> {
    feature: &'m str,
    /// A number, a category, or null where it is missing.
    value: Value,
    /// The other item's; null for the mean of the list, too.
    other: Value,
    /// To the difference of the scores.
    adds: f64,
    /// To the difference of the expected costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    adds_cost: Option<f64>,
}

impl fmt::Display for Because<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let signed = |number: f64| {
            let sign = if number > 0.0 { "+" } else { "" };
            format!("{sign}{}", nice_number(number))
        };
        for (i, reason) in self.because.iter().enumerate() {
            let before = if i > 0 { "; " } else { "" };
            let (value, adds) = (value_text(&reason.value), signed(reason.adds));
            write!(f, "{before}{}={value} ({adds}", reason.feature)?;
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
    /// The same as people know them, where the model counts numbers within their list.
    shown: Option<Rows>,
    /// Told at most.
    most: usize,
}

/// What items are compared with.
struct Other<'r> {
    /// `None` for the mean of the list.
    item: Option<(String, &'r [f32])>,
    parts: ScoreParts,
}

impl<'m> Reasons<'m> {
    pub(crate) fn new(model: &'m Model, data: &Dataset, most: usize) -> anyhow::Result<Self> {
        let rows = Rows::new(model, data)?;
        let shown = match model.list_scaling {
            ListScaling::None => None,
            _ => Some(Rows::unscaled(model, data)?),
        };
        Ok(Reasons { model, explainer: Explainer::new(model), rows, shown, most })
    }

    /// The features of an item as people know them.
    fn shown(&self, item: usize) -> &[f32] {
        self.shown.as_ref().unwrap_or(&self.rows).row(item)
    }

    /// Explains the first `shown` items of each list.
    pub(crate) fn explain<'a>(&self, lists: &mut [Vec<Placed<'a>>], shown: usize)
    where
        'm: 'a,
    {
        lists.par_iter_mut().for_each(|list| self.explain_list(list, shown));
    }

    fn explain_list<'a>(&self, list: &mut [Placed<'a>], shown: usize)
    where
        'm: 'a,
    {
        let acted = list.iter().take_while(|placed| placed.act).count();
        let has_cut = 0 < acted && acted < list.len();
        let taken = if has_cut { shown.min(list.len()) } else { list.len() };
        let parts: Vec<ScoreParts> = (list[..taken].par_iter())
            .map(|placed| self.explainer.parts(self.rows.row(placed.item)))
            .collect();
        let at = |place: usize| {
            let item = list[place].item;
            let parts = self.explainer.parts(self.rows.row(item));
            Other { item: Some((list[place].id.to_string(), self.shown(item))), parts }
        };
        // For those to act on, and for the others.
        let others = match has_cut {
            true => [at(acted), at(acted - 1)],
            false => {
                let parts = ScoreParts::mean(parts.iter()).expect("a list has an item");
                [parts.clone(), parts].map(|parts| Other { item: None, parts })
            }
        };
        for (placed, parts) in list.iter_mut().zip(&parts).take(shown) {
            let other = &others[usize::from(!placed.act)];
            placed.because = Some(self.because(self.shown(placed.item), parts, other));
        }
    }

    fn because(&self, row: &[f32], parts: &ScoreParts, other: &Other<'_>) -> Because<'m> {
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
        largest.truncate(self.most);
        let reason = |j: usize| Reason {
            feature: &self.model.features[j].name,
            value: value(&self.model.features[j], row[j]),
            other: (other.item.as_ref())
                .map_or(Value::Null, |(_, row)| value(&self.model.features[j], row[j])),
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
