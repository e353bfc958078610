//! CS-MART (paper 000, section 4): the lambda loss of R_CS, alone or on top of an expected cost.
//!
//! Where a few items cost more than all others, the lambdas of R_CS follow those few, noise and
//! all; a model of the expected cost sees every item. With `start`, that model comes first and
//! the lambda rounds only mend its order:
//!
//! score = expected cost^b x exp(sum of trees),
//!
//! and the loss sees the logarithm of the whole. b brings the logarithm of the expected cost to
//! the scale of the loss, on which a difference of 1 / sigma makes an order e times as likely as
//! the other: with costs that are mostly noise b is well below 1. It is found where the loss is
//! lowest, which is where its derivative, the sum of gradient x score, crosses 0.

use super::boosted::{cost_cutoff, lambda};
use super::two_part::{Expected, expected_cost};
use super::{goal_metric, stage};
use crate::fit::FitError;
use crate::loss::{GradHess, Pointwise, Tweedie};
use crate::objective::Objective;
use crate::params::Settings;
use crate::run::Run;
use stakes_model::{Link, Scorer};

pub(crate) fn cs_mart(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let loss = lambda(settings, goal_metric(run, "rcs", cost_cutoff(settings)?)?)?
        .temper(settings.number("temper"))
        .list_weight_power(settings.number("stakes"))
        .rank_distance(settings.text("discounts") == "neighbours");
    if settings.text("start") != "none" && run.goes_on() {
        return Err(FitError::Data(
            "a cs-mart that begins with an expected cost cannot be gone on from: the scale of \
             that cost was settled by the trees after it; train anew, or with start=none"
                .into(),
        ));
    }
    let first = match settings.text("start") {
        "two-part" => Some(expected_cost(settings, run)?),
        "tweedie" => Some(tweedie(settings, run)?),
        _ => None,
    };
    let Some(Expected { mut factors, log }) = first else {
        let mut score = stage(settings, "score", Link::Identity, &loss);
        score.noise = settings.number("noise");
        return Ok(Scorer { unit: 1.0, factors: vec![run.stage(&score)?.factor] });
    };
    let objective = Objective::new(&loss, &run.prepared.training.unit_lists);
    let power = likeliest_power(&objective, &log.training);
    // Of an order no constant is left: neither the unit nor the smearing factor.
    factors.retain(|factor| !factor.trees.is_empty() || factor.link != Link::Identity);
    factors.iter_mut().for_each(|factor| factor.raise(power));
    let log = log.map(|log| power * log);
    let mut order = stage(settings, "order", Link::Exp, &loss);
    order.noise = settings.number("noise");
    order.rounds = settings.whole("order-rounds");
    // Where an order is sure, its derivatives are next to nothing and their ratio is noise.
    order.longest = 2.0;
    order.offset = Some(&log);
    factors.push(run.stage(&order)?.factor);
    Ok(Scorer { unit: 1.0, factors })
}

/// Costs that are often 0 and sometimes huge, in one part.
fn tweedie(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Expected, FitError> {
    let loss = Pointwise::new(Tweedie::new(1.5)?);
    let mut cost = stage(settings, "cost", Link::Exp, &loss);
    cost.unit = run.prepared.unit;
    let staged = run.stage(&cost)?;
    Ok(Expected { factors: vec![staged.factor], log: staged.raw })
}

/// The power of all scores at which the loss is lowest, between 1/16 and 16. Powers keep the
/// order, so the pairs and what they weigh stay the same and the loss is convex in the power.
fn likeliest_power(objective: &Objective<'_>, log: &[f64]) -> f64 {
    let mut derivatives = vec![GradHess::default(); log.len()];
    let mut slope = |power: f64| -> f64 {
        let scores: Vec<f64> = log.iter().map(|log| power * log).collect();
        objective.derivatives(&scores, &mut derivatives);
        derivatives.iter().zip(log).map(|(d, log)| d.grad * log).sum()
    };
    let (mut low, mut high): (f64, f64) = (1.0 / 16.0, 16.0);
    // 24 halvings on a logarithmic scale find it to a millionth.
    for _ in 0..24 {
        let middle = (low * high).sqrt();
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}
