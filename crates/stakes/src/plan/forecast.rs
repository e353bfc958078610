//! What the items of a plan may come to, by a model that is calibrated.

use serde::Serialize;
use stakes_model::Calibration;
use stakes_model::calibration::{Outcome, Range};

use crate::together::{Taken, Together};

/// A model's view of the items, beyond what they are expected to save.
#[derive(Debug, Clone, PartialEq)]
pub struct Forecast {
    /// How scores become costs.
    pub calibration: Calibration,
    /// A score for each item of the data.
    pub scores: Vec<f64>,
}

/// A forecast, prepared for many lists.
pub(super) struct Forecaster<'a> {
    forecast: &'a Forecast,
    together: Together<'a>,
}

/// What an item may come to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ItemForecast {
    /// The probability that it costs anything.
    pub chance: f64,
    /// The lower end of what 8 of 10 such items cost.
    pub item_low: f64,
    /// The upper end of what 8 of 10 such items cost.
    pub item_high: f64,
}

/// What all items of a plan may come to.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct TotalForecast {
    /// The lower end of what they cost in 8 of 10 lists.
    pub total_low: f64,
    /// The upper end of what they cost in 8 of 10 lists.
    pub total_high: f64,
}

impl<'a> Forecaster<'a> {
    /// `k` is the number of items of a list that are taken, if that limits them; else 0.
    pub(super) fn new(forecast: &'a Forecast, k: usize) -> Self {
        Forecaster { forecast, together: Together::new(&forecast.calibration, k) }
    }

    /// Of the item at this place of the data.
    pub(super) fn item(&self, item: usize) -> Option<ItemForecast> {
        let Forecast { calibration, scores } = self.forecast;
        let Outcome { chance, range } = calibration.outcome(scores[item])?;
        Some(ItemForecast { chance, item_low: range.low, item_high: range.high })
    }

    /// Of these items out of so many of a list, which are expected to cost so much.
    pub(super) fn total(&self, items: &[usize], of: usize, expected: f64) -> Option<TotalForecast> {
        let score = self.forecast.scores[*items.first()?];
        let taken = Taken { items: items.len(), of, expected, score };
        let Range { low, high } = self.together.range(taken)?;
        Some(TotalForecast { total_low: low, total_high: high })
    }
}
