//! What items of a list may come to together: one rule for rankings and for plans.

use std::borrow::Cow;

use stakes_model::Calibration;
use stakes_model::calibration::{Range, Totals};

/// What a calibrated model says of items together, prepared for many lists.
pub(crate) struct Together<'c> {
    calibration: &'c Calibration,
    totals: Option<Cow<'c, Totals>>,
    /// How many items of a list are acted on, if it is a number; else 0.
    k: usize,
}

/// Items of a list that are taken together.
#[derive(Clone, Copy)]
pub(crate) struct Taken {
    /// How many.
    pub(crate) items: usize,
    /// How many the list has.
    pub(crate) of: usize,
    /// What they are expected to cost.
    pub(crate) expected: f64,
    /// The score of one of them.
    pub(crate) score: f64,
}

impl<'c> Together<'c> {
    pub(crate) fn new(calibration: &'c Calibration, k: usize) -> Self {
        Self::with(calibration, calibration.totals().map(Cow::Owned), k)
    }

    /// With totals that were prepared before.
    pub(crate) fn with(
        calibration: &'c Calibration,
        totals: Option<Cow<'c, Totals>>,
        k: usize,
    ) -> Self {
        Together { calibration, totals, k }
    }

    /// What they cost in 8 of 10 lists.
    pub(crate) fn range(&self, taken: Taken) -> Option<Range> {
        let Taken { items, of, expected, score } = taken;
        // All of a short list is compared with the first k of others, among which short ones are, too.
        let depth = if items == of { items.max(self.k) } else { items };
        let of_totals = self.totals.as_ref()?.range(depth, expected);
        // An item alone is a total and an item: one thing is said of it.
        let alone = (items == 1).then(|| self.calibration.outcome(score)).flatten();
        Some(alone.map_or(of_totals, |outcome| outcome.range))
    }
}
