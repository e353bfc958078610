//! Direct search: a linear score that is best by a metric itself.

use stakes_core::WeightedLists;
use stakes_core::metric::{Direction, Metric, Reads};

use super::boosted::{cost_cutoff, ndcg};
use super::{goal_metric, within};
use crate::dense::{DenseData, Iteration, Keep, Steps};
use crate::fit::FitError;
use crate::params::Settings;
use crate::run::Run;
use crate::search::{AdaRank, Ascent, Climb, Reading, Rules, Target, inputs_of};
use stakes_model::{Link, Scorer};

/// What the settings say is to be best: NDCG@k unless a metric is named.
fn chosen_metric(settings: &Settings, run: &Run<'_, '_>) -> Result<Metric, FitError> {
    let text = settings.text("metric");
    if text == "auto" {
        return goal_metric(run, &ndcg(settings, run)?, None);
    }
    let metric = Metric::parse(text, run.scale())
        .map_err(|error| settings.refuse("metric", format!("a metric: {error}")))?;
    if metric.reads() == Reads::Values {
        let allowed = "a metric of orders; this one looks at the values of scores";
        return Err(settings.refuse("metric", allowed).into());
    }
    Ok(metric)
}

fn ascend(settings: &Settings, run: &mut Run<'_, '_>, metric: &Metric) -> Result<Scorer, FitError> {
    let data = DenseData::new(run.prepared, within(settings))?;
    let lists = WeightedLists::new(&run.prepared.training.unit_lists);
    let inputs = inputs_of(&lists, &data.training);
    let target = Target::new(metric, &lists)?;
    let climb = Climb {
        restarts: match settings.whole("restarts") {
            0 => usual_restarts(inputs.rows() * inputs.width()),
            given => given,
        },
        tolerance: settings.number("tolerance"),
        l2: settings.number("l2"),
        validated: data.validation.is_some(),
        seed: run.seed(),
    };
    let mut ascent = Ascent::new(&target, &inputs, climb)?;
    iterate(settings, run, &data, 0, &mut ascent)
}

/// As many starts as take some seconds: where numbers are few there are many places to get stuck.
fn usual_restarts(numbers: usize) -> usize {
    (4_000_000 / numbers.max(1)).clamp(5, 100)
}

fn boost(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    metric: &Metric,
    reading: Reading,
) -> Result<Scorer, FitError> {
    let data = DenseData::new(run.prepared, within(settings))?;
    let lists = WeightedLists::new(&run.prepared.training.unit_lists);
    let inputs = inputs_of(&lists, &data.training);
    let target = Target::new(metric, &lists)?;
    let patience = settings.whole("patience");
    let rules = Rules {
        patience,
        tolerance: settings.number("tolerance"),
        selections: settings.whole("selections"),
        sharpness: settings.number("sharpness"),
        reading,
        validated: data.validation.is_some(),
    };
    let mut adarank = AdaRank::new(&target, &inputs, rules)?;
    iterate(settings, run, &data, patience, &mut adarank)
}

fn iterate(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    data: &DenseData,
    patience: usize,
    steps: &mut dyn Steps,
) -> Result<Scorer, FitError> {
    let iteration = Iteration {
        name: "score",
        link: Link::Identity,
        unit: 1.0,
        rounds: settings.whole("rounds"),
        patience,
        keep: Keep::BestValidated,
    };
    let factor = run.iterate(&iteration, data, steps)?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

pub(crate) fn coordinate_ascent(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let metric = chosen_metric(settings, run)?;
    ascend(settings, run, &metric)
}

pub(crate) fn cs_coordinate_ascent(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let metric = goal_metric(run, "rcs", cost_cutoff(settings)?)?;
    ascend(settings, run, &metric)
}

pub(crate) fn cr_coordinate_ascent(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    // Lists weigh what the goal can save in them, whatever positions training counts.
    let metric = goal_metric(run, &format!("rcr({})", ndcg(settings, run)?), None)?;
    ascend(settings, run, &metric)
}

pub(crate) fn adarank(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let metric = chosen_metric(settings, run)?;
    let (least, most) = metric.spec().innermost().info().range;
    if least < -1.0 || most > 1.0 || metric.direction() == Direction::Lower {
        let allowed = "a metric from -1 to 1 of which more is better, such as ndcg@10 or map";
        return Err(settings.refuse("metric", allowed).into());
    }
    boost(settings, run, &metric, Reading::Corrected)
}

pub(crate) fn cs_adarank(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let metric = goal_metric(run, "rcs", cost_cutoff(settings)?)?;
    let reading = match settings.text("reading") {
        "literal" => Reading::Literal,
        _ => Reading::Corrected,
    };
    boost(settings, run, &metric, reading)
}
