//! Random forest: deep trees that know nothing of each other, and their mean (Breiman, 2001).

use super::weighting;
use crate::boost::Shrink;
use crate::fit::FitError;
use crate::loss::{Pointwise, Squared, Target};
use crate::params::Settings;
use crate::run::{Run, Stage, Watched};
use stakes_model::tree::scale_leaves;
use stakes_model::{Link, Scorer};

pub(crate) fn random_forest(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    let (target, link) = match settings.text("scale") {
        "log" => (Target::LogOnePlusCost, Link::Exp),
        _ => (Target::Cost, Link::Identity),
    };
    let loss = Pointwise::new(Squared).target(target).lists(weighting(settings, run)?);
    let unit = run.prepared.unit;
    let mut factor = run
        .stage(&Stage {
            name: "score",
            loss: &loss,
            link,
            shrink: Shrink::Mean,
            rounds: settings.whole("rounds"),
            // The mean of trees does not overfit by taking more of them.
            patience: 0,
            active: None,
            watched: Watched::Goal,
            others: None,
            unit,
            offset: None,
            noise: 0.0,
            longest: f64::INFINITY,
            smearing: None,
        })?
        .factor;
    let share = 1.0 / factor.trees.len().max(1) as f64;
    scale_leaves(&mut factor.trees, share);
    Ok(Scorer { unit, factors: vec![factor] })
}
