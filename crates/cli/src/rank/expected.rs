//! What the items of a ranking are expected to cost, if the model was calibrated.

use anyhow::bail;
use serde::Serialize;
use stakes::learn::Model;

use super::Placed;

/// The columns, in their order.
pub(crate) const COLUMNS: [&str; 4] = ["expected_cost", "low", "high", "running_total"];

/// What is expected of one item, to six digits: more are not known.
#[derive(Serialize)]
pub(crate) struct Outlook {
    expected_cost: f64,
    low: f64,
    high: f64,
    /// The expected cost of this item and all above it in the list.
    running_total: f64,
}

impl Outlook {
    /// What is expected of the item itself: of a class, its chance.
    pub(crate) fn mean(&self) -> f64 {
        self.expected_cost
    }

    pub(crate) fn values(&self) -> [f64; 4] {
        [self.expected_cost, self.low, self.high, self.running_total]
    }
}

/// Fills in what is expected, for the items of one list in their order.
pub(crate) fn add(items: &mut [Placed<'_>], model: &Model) {
    let Some(calibration) = &model.calibration else { return };
    let mut total = 0.0;
    for item in items {
        let expected = calibration.expected(item.score);
        total += expected.mean;
        item.outlook = Some(Outlook {
            expected_cost: six_digits(expected.mean),
            low: six_digits(expected.low),
            high: six_digits(expected.high),
            running_total: six_digits(total),
        });
    }
}

/// The expected cost for each score; nothing without a calibration.
pub(crate) fn means(model: &Model, scores: &[f64]) -> Vec<f64> {
    let calibration = model.calibration.iter();
    calibration.flat_map(|c| scores.iter().map(|&score| c.expected(score).mean)).collect()
}

/// Refuses a model that does not tell expected costs.
pub(crate) fn check(path: &str, model: &Model) -> anyhow::Result<()> {
    if model.calibration.is_none() {
        bail!(
            "{path}: the model is not calibrated, so its scores do not tell expected costs; train \
             it with lists held out (--hold-out 20%, or --valid FILE)"
        );
    }
    Ok(())
}

fn six_digits(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}
