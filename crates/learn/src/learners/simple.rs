//! The simplest scores: one feature, or chance.

use stakes_core::metric::{PreparedLists, Scale};
use stakes_core::random::purpose;

use crate::dense::{DenseData, Iteration, Keep};
use crate::fit::FitError;
use crate::linear::{Known, best_input};
use crate::measure::Measure;
use crate::params::Settings;
use crate::run::Run;
use stakes_model::{Input, Link, ListScaling, Scorer};

/// A score that is one input times a weight.
fn fit(run: &mut Run<'_, '_>, input: Input, weight: f64) -> Result<Scorer, FitError> {
    let data = DenseData::of(run.prepared, ListScaling::None, vec![input])?;
    let iteration = Iteration {
        name: "score",
        link: Link::Identity,
        unit: 1.0,
        rounds: 1,
        patience: 0,
        keep: Keep::Last,
    };
    let factor = run.iterate(&iteration, &data, &mut Known([weight]))?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

pub(crate) fn best_feature(_: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let part = &run.prepared.training;
    // What is done with numbers within a list does not change their order.
    let data = DenseData::new(run.prepared, ListScaling::None)?;
    let metric = run.goal().spec().build(Scale::of(part.data))?;
    let (lists, items) = part.lists.weighing();
    let measure = Measure::Metric(PreparedLists::new(&metric, &lists.views())?);
    let (input, direction) = best_input(&data.training, &items, &measure)?;
    fit(run, data.inputs[input], direction)
}

pub(crate) fn random(_: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let features = run.prepared.features.len() as u32;
    let seed = purpose(run.seed(), b"random  ");
    fit(run, Input::Draw { features, seed }, 1.0)
}
