//! The expected costs of ranked items, where the model is calibrated.

use std::fmt;

use serde::{Serialize, Serializer};
use stakes_model::Model;

use super::RankedItem;

/// An expected cost, to six digits; unknown where the model is not calibrated. Shown as `-` and
/// serialised as null then.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ExpectedCost(Option<f64>);

impl ExpectedCost {
    /// The value, if it is known.
    pub fn value(self) -> Option<f64> {
        self.0
    }

    /// Whether the model is calibrated.
    pub fn is_known(&self) -> bool {
        self.0.is_some()
    }

    pub(crate) fn is_unknown(&self) -> bool {
        self.0.is_none()
    }

    fn new(value: f64) -> Self {
        // More digits are not known. A sum beyond all numbers is shown as the largest of them.
        let rounded = format!("{value:.5e}").parse().unwrap_or(value);
        ExpectedCost(Some(if rounded.is_finite() { rounded } else { f64::MAX }))
    }
}

impl fmt::Display for ExpectedCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(value) => value.fmt(f),
            None => f.pad("-"),
        }
    }
}

impl Serialize for ExpectedCost {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialize(serializer)
    }
}

/// Fills in the expected costs of the items of one list, in their order.
pub(super) fn add(items: &mut [RankedItem<'_>], model: &Model) {
    let Some(calibration) = &model.calibration else { return };
    let mut total = 0.0;
    for item in items {
        let expected = calibration.expected(item.score);
        total += expected.mean;
        item.expected_cost = ExpectedCost::new(expected.mean);
        item.low = ExpectedCost::new(expected.low);
        item.high = ExpectedCost::new(expected.high);
        item.running_total = ExpectedCost::new(total);
    }
}
