//! Learners that boost one sum of trees: they differ in their loss alone.

use stakes_core::cost::Capacity;

use super::{goal_metric, stage, weighting};
use crate::fit::FitError;
use crate::loss::{Lambda, Loss, Pointwise, Quantile, Shares, Softmax, Squared, Tweedie};
use crate::model::{Link, Scorer};
use crate::params::Settings;
use crate::run::Run;

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

/// The lambda loss of a metric, with the settings' cutoff in place of the goal's.
fn lambda(settings: &Settings, run: &Run<'_, '_>, text: &str) -> Result<Lambda, FitError> {
    let cutoff = match settings.text("cutoff") {
        "auto" => None,
        number => match number.parse::<Capacity>() {
            Ok(k @ (Capacity::Items(_) | Capacity::Range(..))) => Some(k),
            _ => return Err(settings.refuse("cutoff", "auto, or a number of positions").into()),
        },
    };
    let metric = goal_metric(run, text, cutoff)?;
    let norm = settings.text("normalise") == "yes";
    Ok(Lambda::new(metric)?.sigma(settings.number("sigma"))?.norm(norm))
}

pub(crate) fn cs_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, run, "rcs")?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

/// NDCG in the convention that suits the data.
fn ndcg(settings: &Settings, run: &Run<'_, '_>) -> Result<String, FitError> {
    let cutoff = match (settings.text("cutoff"), run.goal().k) {
        ("auto", Some(Capacity::Items(k) | Capacity::Range(_, k))) => k.to_string(),
        ("auto", _) => "10".to_owned(),
        (number, _) => number.to_owned(),
    };
    let on_cost = !matches!(&*run.goal().cost, "y" | "exp2");
    let gain = match settings.text("gain") {
        "auto" if !on_cost && run.has_grades() => "exp2",
        "auto" => "linear",
        gain => gain,
    };
    let on = if on_cost { ",on=cost" } else { "" };
    Ok(format!("ndcg@{cutoff}:gain={gain}{on}"))
}

pub(crate) fn lambdamart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, run, &ndcg(settings, run)?)?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

pub(crate) fn cr_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, run, &format!("rcr({})", ndcg(settings, run)?))?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}

pub(crate) fn mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let lists = weighting(settings, run)?;
    let unit = run.prepared.unit;
    if settings.text("loss") == "quantile" {
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
        "insensitive" => crate::loss::ListWeighting::Alike,
        _ => crate::loss::ListWeighting::ByStake(goal_metric(run, "rcs", None)?),
    };
    let loss = Softmax::new(shares, settings.number("temperature"), lists)?;
    fit(settings, run, Link::Identity, 1.0, &loss)
}
