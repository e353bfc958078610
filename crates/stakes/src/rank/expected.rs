//! The expected costs of ranked items, where the model is calibrated.

use std::borrow::Cow;
use std::fmt;

use serde::{Serialize, Serializer};
use stakes_core::act::Limit;
use stakes_core::display::significant;
use stakes_model::calibration::{Outcome, Range, Totals};
use stakes_model::{Calibration, Model};

use super::RankedItem;
use crate::together::{Taken, Together};

/// An expected cost, or another number that comes with it, to six digits; unknown where the model is not
/// calibrated. Shown as `-` and serialised as null then.
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
        let rounded = significant(value, 6);
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

/// What a model that is calibrated expects, prepared for many lists.
pub(super) struct Costs<'m> {
    calibration: &'m Calibration,
    together: Together<'m>,
}

impl<'m> Costs<'m> {
    pub(super) fn of(
        model: &'m Model,
        totals: Option<Cow<'m, Totals>>,
        limit: Limit<'_>,
    ) -> Option<Self> {
        let calibration = model.calibration.as_ref()?;
        let k = if let Limit::Items(k) = limit { k } else { 0 };
        Some(Costs { calibration, together: Together::with(calibration, totals, k) })
    }

    /// Fills in the expected costs of the items of one list, in their order.
    pub(super) fn add(&self, items: &mut [RankedItem<'_>]) {
        let (mut total, of) = (0.0, items.len());
        for (rank, item) in (1..).zip(items) {
            let expected = self.calibration.expected(item.score);
            total += expected.mean;
            item.expected_cost = ExpectedCost::new(expected.mean);
            item.low = ExpectedCost::new(expected.low);
            item.high = ExpectedCost::new(expected.high);
            item.running_total = ExpectedCost::new(total);
            if let Some(Outcome { chance, range }) = self.calibration.outcome(item.score) {
                item.chance = ExpectedCost::new(chance);
                item.item_low = ExpectedCost::new(range.low);
                item.item_high = ExpectedCost::new(range.high);
            }
            let taken = Taken { items: rank, of, expected: total, score: item.score };
            if let Some(Range { low, high }) = self.together.range(taken) {
                item.total_low = ExpectedCost::new(low);
                item.total_high = ExpectedCost::new(high);
            }
        }
    }
}
