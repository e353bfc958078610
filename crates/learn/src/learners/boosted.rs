//! Learners that boost one sum of trees: they differ in their loss alone.

use stakes_core::cost::Capacity;
use stakes_core::metric::Metric;

use super::{goal_metric, stage, weighting};
use crate::fit::FitError;
use crate::loss::{
    Lambda, ListWeighting, Loss, Pointwise, Quantile, RankNet, Shares, Softmax, Squared, Tweedie,
};
use crate::params::Settings;
use crate::run::Run;
use stakes_model::{Link, Scorer};

fn fit(
    settings: &Settings,
    run: &mut Run<'_, '_>,
    link: Link,
    unit: f64,
    loss: &dyn Loss,
) -> Result<Scorer, FitError> {
    let mut stage = stage(settings, "score", link, loss);
    stage.unit = unit;
    let factor = run.stage(&stage)?.factor;
    Ok(Scorer { unit, factors: vec![factor] })
}

/// The lambda loss of a metric.
pub(super) fn lambda(settings: &Settings, metric: Metric) -> Result<Lambda, FitError> {
    let norm = settings.text("normalise") == "yes";
    let lambda = Lambda::new(metric)?.sigma(settings.number("sigma"))?.norm(norm);
    match settings.text("pairs") {
        "auto" => Ok(lambda),
        number => match number.parse::<Capacity>() {
            Ok(Capacity::Items(ranks)) => Ok(lambda.truncation(ranks)),
            _ => Err(settings.refuse("pairs", "auto, or a number of ranks").into()),
        },
    }
}

/// The positions that training counts; `None` for as many as the goal says.
pub(super) fn cutoff(settings: &Settings) -> Result<Option<Capacity>, FitError> {
    match settings.text("cutoff") {
        "auto" => Ok(None),
        "all" => Ok(Some(Capacity::All)),
        number => match number.parse::<Capacity>() {
            Ok(k @ (Capacity::Items(_) | Capacity::Range(..))) => Ok(Some(k)),
            _ => Err(settings.refuse("cutoff", "auto, all, or a number of positions").into()),
        },
    }
}

/// The same for R_CS: the chance that a position is acted on has an end.
pub(super) fn cost_cutoff(settings: &Settings) -> Result<Option<Capacity>, FitError> {
    match cutoff(settings)? {
        Some(Capacity::All) => {
            Err(settings.refuse("cutoff", "auto, or a number of positions").into())
        }
        cutoff => Ok(cutoff),
    }
}

/// NDCG in the convention that suits the data.
pub(super) fn ndcg(settings: &Settings, run: &Run<'_, '_>) -> Result<String, FitError> {
    let positions = match cutoff(settings)?.or(run.goal().capacity()) {
        Some(Capacity::All) => String::new(),
        Some(Capacity::Items(k) | Capacity::Range(_, k)) => format!("@{k}"),
        Some(Capacity::Percent(_)) | None => "@10".to_owned(),
    };
    let on_cost = !run.goal().cost.is_of_impact();
    let gain = match settings.text("gain") {
        "auto" if !on_cost && run.has_grades() => "exp2",
        "auto" => "linear",
        gain => gain,
    };
    if gain == "exp2" && on_cost {
        return Err(settings.refuse("gain", "linear where --cost is not the impact").into());
    }
    let on = if on_cost { ",on=cost" } else { "" };
    Ok(format!("ndcg{positions}:gain={gain}{on}"))
}

pub(crate) fn lambdamart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, goal_metric(run, &ndcg(settings, run)?, None)?)?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

pub(crate) fn cr_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    // Lists weigh what the goal can save in them, whatever positions training counts.
    let text = format!("rcr({})", ndcg(settings, run)?);
    let loss = lambda(settings, goal_metric(run, &text, None)?)?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

pub(crate) fn mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let lists = weighting(settings, run)?;
    let unit = run.prepared.unit;
    if settings.text("loss") == "quantile" {
        if settings.text("monotone") != "none" {
            // Directions are kept in steps of the derivatives, which a quantile does not take.
            return Err(settings.refuse("monotone", "none with loss=quantile").into());
        }
        let loss = Pointwise::new(Quantile::new(settings.number("alpha"))?).lists(lists);
        return fit(settings, run, Link::Identity, unit, &loss);
    }
    fit(settings, run, Link::Identity, unit, &Pointwise::new(Squared).lists(lists))
}

pub(crate) fn tweedie_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = Pointwise::new(Tweedie::new(settings.number("power"))?);
    let loss = loss.lists(weighting(settings, run)?);
    let unit = run.prepared.unit;
    fit(settings, run, Link::Exp, unit, &loss)
}

pub(crate) fn cs_listnet_mart(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let shares = match settings.text("mode") {
        "cs" => Shares::Cost,
        _ => Shares::Softmax,
    };
    let lists = match settings.text("mode") {
        "insensitive" => ListWeighting::Equal,
        _ => ListWeighting::BySavableCost(goal_metric(run, "rcs", None)?),
    };
    let loss = Softmax::new(shares, settings.number("temperature"), lists)?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

pub(crate) fn ranknet_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = match settings.text("mode") {
        "insensitive" => RankNet::insensitive(),
        "cr" => RankNet::cr(goal_metric(run, "rcs", None)?),
        _ => RankNet::cs(),
    };
    fit(settings, run, Link::Identity, 1.0, &loss.sigma(settings.number("sigma"))?)
}
