//! How much models change from one date to the next, and what retraining brought.
//!
//! The lists of a period are ranked by the model of its date and by that of the date before. Overlap is the
//! share of the items to act on that both name; 1 means that nothing changed for those who act.

use serde::Serialize;
use stakes_core::act::Limit;
use stakes_core::cost::Problem;
use stakes_core::metric::{Metric, evaluate};

use super::super::Setting;
use super::super::cell::Cell;
use crate::Error;
use crate::overlap::between_orders;

/// The model of a date beside that of the date before, on the lists of the period.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Churn {
    /// The contestant.
    pub contestant: String,
    /// The period.
    pub period: String,
    /// The mean share of the items to act on that both models name.
    pub overlap: f64,
    /// The saved cost by the model of this date.
    pub saved: Option<f64>,
    /// The saved cost by the model of the date before, had it been kept.
    pub saved_by_previous: Option<f64>,
}

/// Of one contestant, period after period from the second on.
pub(super) fn of_contestant(
    setting: &Setting<'_>,
    name: &str,
    cells: &[Cell],
    saved: &Metric,
) -> Result<Vec<Churn>, Error> {
    let mut found = Vec::new();
    for (pair, fold) in cells.windows(2).zip(&setting.folds[1..]) {
        let (before, now) = (&pair[0].next_scores, &pair[1].scores);
        let data = setting.tested(fold);
        let problem = Problem::new(&data, &setting.goal)?;
        found.push(Churn {
            contestant: name.to_owned(),
            period: fold.label.clone(),
            overlap: between_orders(&data, Limit::new(setting.goal.reach, &data)?, before, now),
            saved: evaluate(saved, &problem, now)?.figure,
            saved_by_previous: evaluate(saved, &problem, before)?.figure,
        });
    }
    Ok(found)
}
