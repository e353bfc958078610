//! Why an item stands where it stands: what sets it apart from the item at the cut-off.
//!
//! An item to act on is compared with the first one that is not; the others with the last one
//! that is. Where nobody stands on the other side (everything is acted on, or nothing), the
//! mean of the list takes the place. The parts of all features add up to the difference of the
//! two scores; the largest are told.
//!
//! Example: `wind=31.2 (+1.25); age=40 (-0.1)`.

use std::fmt;

use rayon::prelude::*;
use serde::Serialize;
use serde_json::Value;
use stakes::data::Dataset;
use stakes::eval::picture::nice_number;
use stakes::learn::Model;
use stakes::learn::explain::{Explainer, Parts, Rows};

use super::Placed;
use crate::model::{value, value_text};

/// What sets an item apart.
#[derive(Debug, Serialize)]
pub(crate) struct Because<'m> {
    /// The item it is compared with; null for the mean of the list.
    against: Option<String>,
    /// Its score less the other's.
    difference: f64,
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
}

impl fmt::Display for Because<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, Reason { feature, value, adds, .. }) in self.because.iter().enumerate() {
            let sign = if *adds > 0.0 { "+" } else { "" };
            let before = if i > 0 { "; " } else { "" };
            let (value, adds) = (value_text(value), nice_number(*adds));
            write!(f, "{before}{feature}={value} ({sign}{adds})")?;
        }
        Ok(())
    }
}

/// Finds reasons.
pub(crate) struct Reasons<'m> {
    model: &'m Model,
    explainer: Explainer<'m>,
    rows: Rows,
    /// Told at most.
    most: usize,
}

/// What items are compared with.
struct Other<'r> {
    /// `None` for the mean of the list.
    item: Option<(String, &'r [f32])>,
    parts: Parts,
}

impl<'m> Reasons<'m> {
    pub(crate) fn new(model: &'m Model, data: &Dataset, most: usize) -> anyhow::Result<Self> {
        let rows = Rows::new(model, data)?;
        Ok(Reasons { model, explainer: Explainer::new(model), rows, most })
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
        let parts: Vec<Parts> = (list[..taken].par_iter())
            .map(|placed| self.explainer.parts(self.rows.row(placed.item)))
            .collect();
        let at = |place: usize| {
            let row = self.rows.row(list[place].item);
            let parts = self.explainer.parts(row);
            Other { item: Some((list[place].id.to_string(), row)), parts }
        };
        // For those to act on, and for the others.
        let others = match has_cut {
            true => [at(acted), at(acted - 1)],
            false => {
                let parts = Parts::mean(parts.iter()).expect("a list has an item");
                [parts.clone(), parts].map(|parts| Other { item: None, parts })
            }
        };
        for (placed, parts) in list.iter_mut().zip(&parts).take(shown) {
            let other = &others[usize::from(!placed.act)];
            placed.because = Some(self.because(self.rows.row(placed.item), parts, other));
        }
    }

    /// All in the model's score. (On another scale for scores, such as expected cost, the same
    /// parts count times (difference on that scale) / (difference of scores).)
    fn because(&self, row: &[f32], parts: &Parts, other: &Other<'_>) -> Because<'m> {
        let adds = self.explainer.contrast(parts, &other.parts);
        let mut largest: Vec<usize> = (0..adds.len()).filter(|&j| adds[j] != 0.0).collect();
        largest.sort_by(|&a, &b| adds[b].abs().total_cmp(&adds[a].abs()));
        largest.truncate(self.most);
        let reason = |j: usize| Reason {
            feature: &self.model.features[j].name,
            value: value(&self.model.features[j], row[j]),
            other: (other.item.as_ref())
                .map_or(Value::Null, |(_, row)| value(&self.model.features[j], row[j])),
            adds: adds[j],
        };
        Because {
            against: other.item.as_ref().map(|(id, _)| id.clone()),
            difference: self.explainer.score(parts) - self.explainer.score(&other.parts),
            because: largest.into_iter().map(reason).collect(),
        }
    }
}
