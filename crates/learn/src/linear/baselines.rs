//! The simplest scores: one feature, or a random order.

use stakes_core::WeightedLists;
use stakes_core::metric::PreparedLists;
use stakes_core::random::purpose;
use stakes_model::{Input, Link, ListScaling, Scorer, StageSummary};

use super::simple::{Known, best_input};
use crate::current_feature::CurrentFeature;
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::learner::{About, Kind, Learner};
use crate::run::{Iteration, Keep, Measure, Run};

/// The one feature, ascending or descending, that ranks best alone.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct BestFeature;

/// A random score, the same for the same features.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct RandomOrder;

/// A score that is one input times a weight.
fn fit(run: &mut Run<'_, '_>, input: Input, weight: f64) -> Result<Scorer, FitError> {
    let data = DenseData::of(run.prepared, ListScaling::None, vec![input])?;
    let iteration = Iteration {
        name: StageSummary::SCORE,
        link: Link::Identity,
        unit: 1.0,
        rounds: 1,
        patience: 0,
        keep: Keep::Last,
    };
    let factor = run.iterate(&iteration, &data, &mut Known([weight]))?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

impl Learner for BestFeature {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "best-feature",
            title: "the one feature, ascending or descending, that ranks best alone",
            optimises: "the metric of the goal, on the training lists",
            citation: "a baseline",
            cost_mode: "that of the metric",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!();

    fn kind(&self) -> Kind {
        Kind::Weights
    }

    fn stage_rounds(&self) -> Vec<usize> {
        vec![1]
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let part = &run.prepared.training;
        // Scaling numbers within a list does not change their order.
        let data = DenseData::new(run.prepared, &Inputs::default())?;
        let metric = run.cx.metric_for(run.goal(), part.data)?;
        let weighted = WeightedLists::new(&part.lists);
        let measure = Measure::Metric(PreparedLists::new(&metric, &weighted.lists().views())?);
        let (input, direction) = best_input(&data.training, weighted.items(), &measure)?;
        fit(run, data.inputs[input], direction)
    }
}

impl Learner for CurrentFeature {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "current",
            title: "the feature that is acted by today",
            optimises: "nothing",
            citation: "a baseline",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!();

    fn kind(&self) -> Kind {
        Kind::Weights
    }

    fn stage_rounds(&self) -> Vec<usize> {
        vec![1]
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let data = DenseData::new(run.prepared, &Inputs::default())?;
        let names = &run.prepared.features;
        let is_it = |input: &&Input| match input {
            Input::Number { feature, .. } => names[*feature as usize].name == self.feature,
            _ => false,
        };
        match data.inputs.iter().find(is_it).copied() {
            Some(input) => fit(run, input, if self.descending { 1.0 } else { -1.0 }),
            None => Err(FitError::Data(format!("{} is not a numeric feature", self.feature))),
        }
    }
}

impl Learner for RandomOrder {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "random",
            title: "a random score, the same for the same features",
            optimises: "nothing",
            citation: "a baseline",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!();

    fn kind(&self) -> Kind {
        Kind::Weights
    }

    fn stage_rounds(&self) -> Vec<usize> {
        vec![1]
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let features = run.prepared.features.len() as u32;
        let seed = purpose(run.seed(), b"random  ");
        fit(run, Input::Draw { features, seed }, 1.0)
    }
}
