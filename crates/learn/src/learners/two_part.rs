//! The two-part model: the chance that an item costs anything, times what it costs if it does,
//! learnt on a log scale (Duan, Manning, Morris and Newhouse, 1984).
//!
//! The mean of a cost is more than exp(mean of its log); Duan's smearing factor, the mean of
//! exp(log cost - prediction) over what cost anything, makes up for it. It changes no order,
//! but makes the score an expected cost.

use super::stage;
use crate::fit::FitError;
use crate::loss::{ItemWeights, Logistic, Pointwise, Squared, Target};
use crate::model::{Link, Scorer};
use crate::params::Settings;
use crate::run::{Run, Watched};

pub(crate) fn two_part(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let any = Pointwise::new(Logistic).target(Target::AnyCost);
    let mut chance = stage(settings, "chance", Link::Logistic, &any);
    chance.watched = Watched::Loss("log loss");
    let chance = run.stage(&chance)?;

    let chances = chance.raw.map(|sum| Link::Logistic.apply(sum));
    let log = Pointwise::new(Squared).target(Target::LogCost).items(ItemWeights::OnlyPositive);
    let mut size = stage(settings, "size", Link::Exp, &log);
    let costs = run.prepared.training.unit_lists.cost();
    size.active = Some((0..costs.len() as u32).filter(|&i| costs[i as usize] > 0.0).collect());
    size.others = Some(&chances);
    size.unit = run.prepared.unit;
    let size = run.stage(&size)?;
    let unit = run.prepared.unit * smearing(run, &size.raw.training);
    Ok(Scorer { unit, factors: vec![chance.factor, size.factor] })
}

/// The weighted mean of cost / exp(prediction) over what cost anything.
fn smearing(run: &Run<'_, '_>, raw: &[f64]) -> f64 {
    let (mut sum, mut weights) = (0.0, 0.0);
    for (item, (&cost, &log)) in run.prepared.training.unit_lists.cost().iter().zip(raw).enumerate()
    {
        if cost > 0.0 {
            let weight = run.prepared.training.unit_lists.weight().map_or(1.0, |w| w[item]);
            sum += weight * (cost.ln() - log).min(700.0).exp();
            weights += weight;
        }
    }
    let factor = sum / weights;
    if factor.is_finite() && factor > 0.0 { factor } else { 1.0 }
}
