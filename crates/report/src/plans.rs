//! Plans within budgets and limits, at every position of the slider.

use stakes::Error;
use stakes::data::Dataset;
use stakes::model::Model;
use stakes::plan::{Forecast, PlanOptions, Planned, plan};
use stakes::rank::expected_costs;
use stakes::scoring::{SeenLists, score};

use crate::slider::{Kind, Slider};

/// A plan that was asked for, and what the slider moves of it.
pub(crate) struct Plans {
    pub(crate) slider: Slider,
    pub(crate) at: Vec<Planned>,
}

impl Plans {
    pub(crate) fn new(model: &Model, data: &Dataset, options: &PlanOptions) -> Result<Self, Error> {
        for (column, _) in &options.resources {
            data.numbers(column)?;
        }
        let (kind, amount) = match (options.budget, options.k) {
            (Some(money), _) => (Kind::Money, money),
            (None, Some(k)) => (Kind::Items, k as f64),
            (None, None) => {
                return Err(Error::Plan(
                    "the slider moves a budget or a number of items; give one of them".to_owned(),
                ));
            }
        };
        let scores = score(model, data, SeenLists::default())?.values;
        let (Some(expected), Some(calibration)) =
            (expected_costs(model, &scores), model.calibration.clone())
        else {
            return Err(Error::NotCalibrated);
        };
        let forecast = Some(Forecast { calibration, scores });
        let with = |amount: f64| {
            let moved = match kind {
                Kind::Money => PlanOptions { budget: Some(amount), ..options.clone() },
                Kind::Items => PlanOptions { k: Some(amount as usize), ..options.clone() },
            };
            plan(data, &expected, &PlanOptions { forecast: forecast.clone(), ..moved })
        };
        let asked = with(amount)?;
        let mut slider = Slider::of_plan(kind, amount);
        // Where less is too little for what must be taken, there is no plan and no position.
        let solved = slider.positions.iter().map(|&position| match position == amount {
            true => Some(asked.clone()),
            false => with(position).ok(),
        });
        let solved: Vec<Option<Planned>> = solved.collect();
        let mut is_solved = solved.iter().map(Option::is_some);
        slider.positions.retain(|_| is_solved.next().unwrap_or(false));
        let at = solved.into_iter().flatten().collect();
        slider.start = slider.positions.iter().position(|at| *at == amount).unwrap_or(0);
        Ok(Plans { slider, at })
    }
}
