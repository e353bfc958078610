//! What changed between the lists that a model was trained with and those that it was used for.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_stats::{Correction, Shift, shift_of_categories, shift_of_numbers};

use super::super::Setting;
use crate::Error;

/// The name of the cost among features.
const COST: &str = "cost";

/// A feature or the cost, before a date and in the period after it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// The period.
    pub period: String,
    /// The feature, or `cost`.
    pub what: String,
    /// Whether it is the cost.
    pub is_cost: bool,
    /// Whether it has categories.
    pub is_category: bool,
    /// Numbers: the probability that an item of the period has more than one before (0.5: no change).
    /// Categories: half the sum of the differences of their shares (0: no change).
    pub effect: f64,
    /// The probability of such a difference by chance, by Welch's test over lists.
    pub p: f64,
    /// The same, corrected for the number of features (Holm).
    pub p_adjusted: f64,
}

/// All features and the cost, period after period.
pub(super) fn of_periods(setting: &Setting<'_>) -> Result<Vec<Drift>, Error> {
    let mut found = Vec::new();
    for fold in &setting.folds {
        found.extend(of_period(setting, &fold.label, &setting.known(fold), &setting.tested(fold))?);
    }
    Ok(found)
}

fn of_period(
    setting: &Setting<'_>,
    period: &str,
    before: &Dataset,
    after: &Dataset,
) -> Result<Vec<Drift>, Error> {
    let mut found = Vec::new();
    let mut add = |what: &str, is_cost, is_category, shift: Option<Shift>| {
        if let Some(Shift { effect, p_value: p }) = shift {
            let (period, what) = (period.to_owned(), what.to_owned());
            found.push(Drift { period, what, is_cost, is_category, effect, p, p_adjusted: p });
        }
    };
    let costs = |data: &Dataset| -> Result<Vec<Vec<f64>>, Error> {
        let problem = Problem::new(data, &setting.goal)?;
        Ok(data.lists().map(|items| problem.cost()[items].to_vec()).collect())
    };
    add(COST, true, false, shift_of_numbers(&costs(before)?, &costs(after)?));
    for (number, feature) in before.feature_info().iter().enumerate() {
        let numbers = |data: &Dataset| -> Vec<Vec<f64>> {
            let value = |item: usize| f64::from(data.features().row(item)[number]);
            data.lists().map(|items| items.map(value).collect()).collect()
        };
        let (old, new) = (numbers(before), numbers(after));
        match &feature.kind {
            FeatureKind::Numeric => {
                add(&feature.name, false, false, shift_of_numbers(&old, &new));
            }
            FeatureKind::Categorical(names) => {
                // Missing is one more category.
                let code = |x: &f64| if x.is_nan() { names.len() as u32 } else { *x as u32 };
                let codes = |lists: Vec<Vec<f64>>| -> Vec<Vec<u32>> {
                    lists.iter().map(|list| list.iter().map(code).collect()).collect()
                };
                add(&feature.name, false, true, shift_of_categories(&codes(old), &codes(new)));
            }
        }
    }
    let raw: Vec<f64> = found.iter().map(|drift| drift.p).collect();
    let adjusted = Correction::Holm.adjust(&raw)?;
    found.iter_mut().zip(adjusted).for_each(|(drift, p)| drift.p_adjusted = p);
    Ok(found)
}
