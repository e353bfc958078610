//! Arguments that cannot be calibrated are refused.

use stakes_core::display::counted;

/// Scores that cannot be calibrated.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("scores cannot be calibrated: {0}")]
pub struct CalibrationError(pub String);

pub(super) fn check(
    scores: &[f64],
    costs: &[f64],
    weights: Option<&[f64]>,
    offsets: &[usize],
) -> Result<(), CalibrationError> {
    let refuse = |what: String| Err(CalibrationError(what));
    let n = scores.len();
    let ends = (offsets.first(), offsets.last());
    if ends != (Some(&0), Some(&n)) || !offsets.is_sorted() {
        return refuse(format!("offsets must increase from 0 to {n}, the number of scores"));
    }
    let amounts = [("cost", costs), ("weight", weights.unwrap_or(costs))];
    for (what, values) in amounts {
        if values.len() != n {
            let (values, scores) = (counted(values.len(), what), counted(n, "score"));
            return refuse(format!("{values} for {scores}; there must be one for each"));
        }
        if let Some(bad) = values.iter().find(|v| !(v.is_finite() && **v >= 0.0)) {
            return refuse(format!("a {what} is {bad}; it must be finite and not negative"));
        }
    }
    match scores.iter().find(|score| !score.is_finite()) {
        Some(bad) => refuse(format!("a score is {bad}; it must be finite")),
        None => Ok(()),
    }
}
