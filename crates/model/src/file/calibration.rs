//! Expected costs by score: an array per property, an entry per knot.
//!
//! ```json
//! "calibration": {
//!   "lists": 60,
//!   "items": 19874,
//!   "score": [-1.5,0.25,3.0],
//!   "mean": [2.0,40.0,900.0],
//!   "low": [1.0,31.0,500.0],
//!   "high": [3.5,52.0,1600.0]
//! }
//! ```

use serde::Deserialize;
use stakes_core::display::counted;

use super::header::at_most;
use super::layout::{Bracket, Page};
use super::outcomes::OutcomesFile;
use super::{Invalid, invalid};
use crate::calibration::MAX_KNOTS;
use crate::{Calibration, ExpectedCost, Knot};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct CalibrationFile {
    lists: u64,
    items: u64,
    score: Vec<f64>,
    mean: Vec<f64>,
    low: Vec<f64>,
    high: Vec<f64>,
    outcomes: Option<OutcomesFile>,
}

impl From<&Calibration> for CalibrationFile {
    fn from(calibration: &Calibration) -> Self {
        let column = |of: fn(&Knot) -> f64| calibration.knots.iter().map(of).collect();
        CalibrationFile {
            lists: calibration.lists,
            items: calibration.items,
            score: column(|knot| knot.score),
            mean: column(|knot| knot.expected.mean),
            low: column(|knot| knot.expected.low),
            high: column(|knot| knot.expected.high),
            outcomes: calibration.outcomes.as_ref().map(OutcomesFile::from),
        }
    }
}

impl CalibrationFile {
    pub(super) fn write(&self, page: &mut Page) {
        page.spread("calibration", Bracket::Object, |page| {
            page.field("lists", &self.lists);
            page.field("items", &self.items);
            for (name, values) in self.columns() {
                page.field(name, values);
            }
            if let Some(outcomes) = &self.outcomes {
                outcomes.write(page);
            }
        });
    }

    fn columns(&self) -> [(&'static str, &[f64]); 4] {
        let CalibrationFile { score, mean, low, high, .. } = self;
        [("score", score), ("mean", mean), ("low", low), ("high", high)]
    }

    /// Checks that the function never decreases and that costs are not negative.
    pub(super) fn check(self) -> Result<Calibration, Invalid> {
        let knots = self.score.len();
        at_most("score", knots, MAX_KNOTS)?;
        if knots == 0 {
            return Err(invalid("score", "is empty; at least one score is required"));
        }
        for (name, values) in self.columns() {
            if values.len() != knots {
                let (entries, scores) = (counted(values.len(), "entry"), counted(knots, "score"));
                let what = format!("has {entries} for {scores}");
                return Err(invalid(name, what));
            }
            let refuse = |i: usize, must: &str| {
                Err(invalid(format!("{name}[{i}]"), format!("is {}; {must}", values[i])))
            };
            if let Some(i) = values.iter().position(|v| !v.is_finite()) {
                return refuse(i, "must be finite");
            }
            let is_score = name == "score";
            if let Some(i) = values.iter().position(|&v| !is_score && v < 0.0) {
                return refuse(i, "a cost must not be negative");
            }
            let decreases = |pair: &[f64]| pair[1] < pair[0] || is_score && pair[1] == pair[0];
            if let Some(i) = values.windows(2).position(decreases) {
                let must =
                    if is_score { "scores must increase" } else { "costs must not decrease" };
                return refuse(i + 1, &format!("{must}, and {} comes before", values[i]));
            }
        }
        let knot = |i: usize| {
            let expected =
                ExpectedCost { mean: self.mean[i], low: self.low[i], high: self.high[i] };
            if !(expected.low <= expected.mean && expected.mean <= expected.high) {
                let ExpectedCost { mean, low, high } = expected;
                let what = format!("is {mean}; must be between low ({low}) and high ({high})");
                return Err(invalid(format!("mean[{i}]"), what));
            }
            Ok(Knot { score: self.score[i], expected })
        };
        let knots = (0..knots).map(knot).collect::<Result<_, Invalid>>()?;
        let outcomes = self.outcomes.map(OutcomesFile::check).transpose();
        let outcomes = outcomes.map_err(|invalid| invalid.under("outcomes"))?;
        Ok(Calibration { lists: self.lists, items: self.items, knots, outcomes })
    }
}
