//! The two-part model: the chance that an item costs anything, times what it costs if it does,
//! learnt on a log scale (Duan, Manning, Morris and Newhouse, 1984).
//!
//! The mean of a cost is more than exp(mean of its log); Duan's smearing factor, the mean of
//! exp(log cost - prediction) over what cost anything, makes up for it. It changes no order,
//! but makes the score an expected cost. It is a factor of its own, the last one: whoever goes
//! on from the model finds unit and predictions as they were learnt, and no product of it
//! leaves the numbers before the predictions have brought it down.
//!
//! CS-MART can begin with such an expected cost, so its factors and its logarithm are at hand.

use super::stage;
use crate::Lists;
use crate::fit::FitError;
use crate::loss::{ItemWeights, Logistic, Pointwise, Squared, Target};
use crate::params::Settings;
use crate::prepared::Scores;
use crate::run::{Run, Watched};
use stakes_model::{Factor, Link, Scorer};

pub(crate) fn two_part(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    Ok(Scorer { unit: run.prepared.unit, factors: expected_cost(settings, run)?.factors })
}

/// A model of the expected cost.
pub(super) struct Expected {
    /// The factors of the score.
    pub(super) factors: Vec<Factor>,
    /// The logarithm of the score of every item, but for a constant.
    pub(super) log: Scores,
}

/// Learns both parts.
pub(super) fn expected_cost(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Expected, FitError> {
    let levels = match settings.number("levels") {
        0.0 => None,
        strength => Some(strength),
    };
    let any = Pointwise::new(Logistic).target(Target::AnyCost).levels(levels);
    let mut chance = stage(settings, "chance", Link::Logistic, &any);
    chance.watched = Watched::Loss("log loss");
    let chance = run.stage(&chance)?;

    let chances = chance.raw.map(|sum| Link::Logistic.apply(sum));
    let log = Pointwise::new(Squared)
        .target(Target::LogCost)
        .items(ItemWeights::OnlyPositive)
        .levels(levels);
    let mut size = stage(settings, "size", Link::Exp, &log);
    let prepared = run.prepared;
    let lists = &prepared.training.unit_lists;
    let costs = lists.cost();
    size.active = Some((0..costs.len() as u32).filter(|&i| costs[i as usize] > 0.0).collect());
    size.others = Some(&chances);
    size.unit = prepared.unit;
    let smearing = |raw: &[f64]| smearing(lists, raw);
    size.smearing = Some(&smearing);
    let size = run.stage(&size)?;
    let start = smearing(&size.raw.training);
    let smearing = Factor::new("smearing", Link::Identity, start, Vec::new());
    let factors = vec![chance.factor, size.factor, smearing];
    let mut log = chances.map(f64::ln);
    log.add(&size.raw);
    Ok(Expected { factors, log })
}

/// The weighted mean of cost / exp(prediction) over what cost anything.
fn smearing(lists: &Lists, raw: &[f64]) -> f64 {
    // exp of more is beyond what model files hold.
    const MOST: f64 = 690.0;
    let (mut sum, mut weights) = (0.0, 0.0);
    for (item, (&cost, &log)) in lists.cost().iter().zip(raw).enumerate() {
        if cost > 0.0 {
            let weight = lists.weight().map_or(1.0, |w| w[item]);
            sum += weight * (cost.ln() - log).min(MOST).exp();
            weights += weight;
        }
    }
    let factor = sum / weights;
    if factor.is_finite() && factor > 0.0 { factor } else { 1.0 }
}
