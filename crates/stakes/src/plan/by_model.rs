//! Plans by what a model expects.

use stakes_core::act::Limit;
use stakes_core::data::Dataset;
use stakes_core::goal::Reach;
use stakes_model::Model;

use super::{Forecast, PlanOptions, Planned, plan};
use crate::rank::expected_costs;
use crate::scoring::{self, SeenLists};
use crate::{Error, Note, data};

/// A plan by a model.
#[derive(Debug, Clone, PartialEq)]
pub struct PlannedBy {
    /// The plan.
    pub planned: Planned,
    /// What should be known about the data.
    pub notes: Vec<Note>,
    /// What limits the plan because nothing else does: how far actions reached in training.
    pub as_in_training: Option<Reach>,
}

/// Plans each list by what a calibrated model expects, and adds up to `reasons` reasons to each item. Without limits
/// the plan reaches as far as actions did in training.
pub fn plan_by(
    model: &Model,
    data: &Dataset,
    mut options: PlanOptions,
    reasons: usize,
    seen: SeenLists,
) -> Result<PlannedBy, Error> {
    // Reasons are those of the model itself.
    let seen = if reasons > 0 { SeenLists::Fitted } else { seen };
    let matched = model.match_columns(data)?;
    let scored = scoring::score_matched(model, data, &matched, seen);
    let trained_on = Note::trained_on("the model", data, scored.trained_on);
    let mut notes: Vec<Note> = trained_on.into_iter().collect();
    notes.extend(data::notes_on_matched(model, data, &matched));
    let expected = expected_costs(model, &scored.values);
    let (Some(expected), Some(calibration)) = (expected, model.calibration.clone()) else {
        return Err(Error::NotCalibrated);
    };
    options.forecast = Some(Forecast { calibration, scores: scored.values });
    let as_in_training = (!options.is_limited()).then_some(model.goal.reach);
    if let Some(reach) = as_in_training {
        match Limit::new(reach, data)? {
            Limit::Items(k) => options.k = Some(k),
            Limit::Money(money, _) => options.budget = Some(money),
        }
    }
    let mut planned = plan(data, &expected, &options)?;
    if reasons > 0 {
        planned.explain(model, data, reasons)?;
    }
    Ok(PlannedBy { planned, notes, as_in_training })
}
