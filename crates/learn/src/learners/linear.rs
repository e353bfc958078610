//! Linear models and baselines: what they minimise over which inputs.

use super::within;
use crate::dense::{DenseData, Iteration, Keep};
use crate::fit::FitError;
use crate::linear::{Path, Strengths};
use crate::model::{Link, Scorer};
use crate::newton::{Importance, Listwise, Smooth, Ties};
use crate::params::Settings;
use crate::run::Run;

/// The strength of the loss where nothing can choose it.
const C: f64 = 1.0;

/// The parameter `c`.
fn strengths(settings: &Settings, run: &Run<'_, '_>) -> Result<Strengths, FitError> {
    match settings.text("c") {
        "auto" if run.prepared.validation.is_some() => Ok(Strengths::Search),
        "auto" => Ok(Strengths::One(C)),
        _ => number(settings, "c", "auto, or a number above 0 and up to 1e9").map(Strengths::One),
    }
}

/// A parameter that is a word or a number above 0.
fn number(settings: &Settings, key: &'static str, allowed: &str) -> Result<f64, FitError> {
    let number = settings.text(key).parse::<f64>().ok();
    let number = number.filter(|number| *number > 0.0 && *number <= 1e9);
    number.ok_or_else(|| settings.refuse(key, allowed).into())
}

/// The best of a path of minima.
fn fit_path(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    data: &DenseData,
    loss: &dyn Smooth,
) -> Result<Scorer, FitError> {
    let strengths = strengths(settings, run)?;
    let iteration = Iteration {
        name: "score",
        link: Link::Identity,
        unit: 1.0,
        rounds: strengths.rounds(),
        patience: 0,
        keep: Keep::BestValidated,
    };
    let factor = run.iterate(&iteration, data, &mut Path::new(loss, strengths))?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

fn listwise(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    importance: Importance,
) -> Result<Scorer, FitError> {
    let ties = match settings.text("ties") {
        "order" => Ties::Order,
        _ => Ties::Together,
    };
    let prepared = run.prepared;
    let data = DenseData::new(prepared, within(settings))?;
    let lists = &prepared.training.unit_lists;
    let loss = Listwise::new(&data.training, lists, importance, ties);
    fit_path(settings, run, &data, &loss)
}

pub(crate) fn listmle(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    listwise(settings, run, Importance::Alike)
}

pub(crate) fn cs_rglist(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    // Grades say nothing of costs that are not made of them.
    let has_grades = run.has_grades();
    let of_grades = matches!(&*run.goal().cost, "y" | "exp2");
    let by_grade = match settings.text("importance") {
        "auto" => has_grades && of_grades,
        "grade" if !has_grades => {
            let allowed = "cost where impacts are no grades: whole numbers below 32";
            return Err(settings.refuse("importance", allowed).into());
        }
        importance => importance == "grade",
    };
    let importance = match by_grade {
        true => Importance::Grade(settings.number("pcf")),
        false => Importance::Cost,
    };
    listwise(settings, run, importance)
}
