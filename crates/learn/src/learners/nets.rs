//! Nets: they differ in their loss alone.

use super::boosted::{cost_cutoff, lambda, ndcg};
use super::{goal_metric, within};
use crate::dense::{DenseData, Iteration, Keep};
use crate::fit::FitError;
use crate::loss::{ListMle, ListWeighting, Loss, RankNet, Shares, Softmax};
use crate::net::{Epochs, NetTraining};
use crate::params::Settings;
use crate::run::Run;
use stakes_core::Lists;
use stakes_model::{Activation, Link, Scorer};

/// A net that learns by this loss.
fn fit(settings: &Settings, run: &mut Run<'_, '_>, loss: &dyn Loss) -> Result<Scorer, FitError> {
    let prepared = run.prepared;
    let lists = &prepared.training.unit_lists;
    loss.check(lists).map_err(FitError::Data)?;
    let data = DenseData::new(prepared, within(settings))?;
    let learning = learning(settings, run.seed())?;
    let mut epochs = Epochs::new(learning, &data.training, lists, loss);
    let iteration = Iteration {
        name: "score",
        link: Link::Identity,
        unit: 1.0,
        rounds: settings.whole("rounds"),
        patience: settings.whole("patience"),
        keep: Keep::BestValidated,
    };
    let factor = run.iterate(&iteration, &data, &mut epochs)?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

fn learning(settings: &Settings, seed: u64) -> Result<NetTraining, FitError> {
    Ok(NetTraining {
        hidden: hidden(settings)?,
        activation: match settings.text("activation") {
            "tanh" => Activation::Tanh,
            _ => Activation::Relu,
        },
        nets: settings.whole("nets"),
        rate: settings.number("rate"),
        l2: settings.number("l2"),
        batch: settings.whole("batch"),
        seed,
    })
}

/// Units of hidden layers: `0` is none, `32,16` two.
fn hidden(settings: &Settings) -> Result<Vec<usize>, FitError> {
    const MOST: usize = 1024;
    let text = settings.text("hidden");
    if text == "0" {
        return Ok(Vec::new());
    }
    let units = text.split(',').map(|units| units.trim().parse::<usize>().ok());
    let units: Option<Vec<usize>> = units.collect();
    units.filter(|u| u.len() <= 2 && u.iter().all(|u| (1..=MOST).contains(u))).ok_or_else(|| {
        let allowed = format!("0, or 1 to {MOST} units of one or two layers such as 16 or 32,16");
        settings.refuse("hidden", allowed).into()
    })
}

/// Lists by what can be saved in them.
fn by_stake(run: &Run<'_, '_>) -> Result<ListWeighting, FitError> {
    Ok(ListWeighting::BySavableCost(goal_metric(run, "rcs", None)?))
}

pub(crate) fn ranknet(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    fit(settings, run, &RankNet::insensitive().sigma(settings.number("sigma"))?)
}

pub(crate) fn cr_ranknet(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = RankNet::cr(goal_metric(run, "rcs", None)?);
    fit(settings, run, &loss.sigma(settings.number("sigma"))?)
}

pub(crate) fn listnet(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    fit(settings, run, &softmax(settings, run, ListWeighting::Equal)?)
}

pub(crate) fn cr_listnet(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    fit(settings, run, &softmax(settings, run, by_stake(run)?)?)
}

/// ListNet's loss. Costs are counted in units of their deviation: where a few are many times the
/// mean, softmax would else see nothing but the largest, and where all are near the mean, nothing
/// at all.
fn softmax(
    settings: &Settings,
    run: &Run<'_, '_>,
    lists: ListWeighting,
) -> Result<Softmax, FitError> {
    let temperature = settings.number("temperature") * deviation(&run.prepared.training.unit_lists);
    Ok(Softmax::new(Shares::Softmax, temperature, lists)?)
}

/// The standard deviation of costs that are counted in units of their mean; 1 if there is none.
fn deviation(lists: &Lists) -> f64 {
    let weight = |item: usize| lists.weight().map_or(1.0, |w| w[item]);
    let all: f64 = (0..lists.n_items()).map(weight).sum();
    let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
        lists.cost().iter().enumerate().map(|(item, &cost)| weight(item) / all * of(cost)).sum()
    };
    let mean = mean_of(&|cost| cost);
    let deviation = mean_of(&|cost| (cost - mean) * (cost - mean)).sqrt();
    if deviation > 0.0 { deviation } else { 1.0 }
}

pub(crate) fn lambdarank(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, goal_metric(run, &ndcg(settings, run)?, None)?)?;
    fit(settings, run, &loss)
}

pub(crate) fn cs_lambdarank(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let loss = lambda(settings, goal_metric(run, "rcs", cost_cutoff(settings)?)?)?;
    let loss = loss.temper(settings.number("temper")).list_weight_power(settings.number("stakes"));
    fit(settings, run, &loss)
}

/// ListMLE by Adam, on any net.
pub(super) fn list_mle_net(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    fit(settings, run, &ListMle::new(ListWeighting::Equal))
}
