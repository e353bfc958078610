//! What a run refuses: data, models to continue from and checkpoints that do not fit.

use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::display::counted;
use stakes_model::{Checkpoint, Model, ModelFeature};

use super::{Kind, Learner};
use crate::error::FitError;
use crate::run::FitContext;
use crate::tree::MAX_ROWS;

/// Refuses data that nothing can be trained with.
pub(crate) fn check_data(data: &Dataset) -> Result<(), FitError> {
    if data.features().width() == 0 {
        return Err(FitError::Data(
            "the data have no features: there is nothing to train with".into(),
        ));
    }
    if data.len() >= MAX_ROWS {
        let (rows, most) = (data.len(), MAX_ROWS);
        return Err(FitError::Data(format!(
            "{rows} items are too many; train with fewer than {most}"
        )));
    }
    Ok(())
}

/// Refuses what needs the features of all rows in memory.
pub(crate) fn check_stored(
    learner: &dyn Learner,
    data: &Dataset,
    cx: &FitContext<'_>,
) -> Result<(), FitError> {
    let values = data.len() * data.features().width();
    let what = match learner.streams_above() {
        None => learner.name().to_owned(),
        Some(few) if values <= few => format!("{} of so few data", learner.name()),
        _ if cx.init_model.is_some() => "continuing from a model".to_owned(),
        _ => return Ok(()),
    };
    Err(FitError::Data(format!(
        "{what} needs all features in memory; of features that are read piece by piece, boosted trees, forests and their \
         blend can be trained, from the start"
    )))
}

/// Validation lists must have the same features as the training lists.
pub(super) fn same_features(training: &Dataset, validation: &Dataset) -> Result<(), FitError> {
    if training.feature_info() == validation.feature_info() {
        return Ok(());
    }
    let names = |data: &Dataset| -> Vec<String> {
        data.feature_info().iter().map(|f| f.name.clone()).collect()
    };
    let (own, other) = (names(training), names(validation));
    let missing: Vec<&String> = own.iter().filter(|name| !other.contains(name)).collect();
    Err(FitError::Data(match missing[..] {
        [] => format!(
            "{}: its features are in another order than those of {}, or have other categories",
            validation.source(),
            training.source()
        ),
        [first, ..] => format!(
            "{}: feature `{first}` of {} is missing there",
            validation.source(),
            training.source()
        ),
    }))
}

/// The trees of an imported model can be the first rounds of a learner if they are all of it: a sum to add to.
/// Whether the learner's sum means the same is seen when it begins ([`crate::run`]).
fn check_imported(model: &Model) -> Result<(), FitError> {
    match &model.scorer.factors[..] {
        [factor] if factor.net.is_none() => Ok(()),
        _ => Err(FitError::Data(format!(
            "training cannot continue from this model of {}: it has weights beside or instead of trees; train from \
             the start",
            model.learner
        ))),
    }
}

/// Training can continue from a model with the same features that the same learner made, or that was imported.
pub(super) fn check_init_model(
    learner: &dyn Learner,
    model: &Model,
    data: &Dataset,
) -> Result<(), FitError> {
    if !matches!(learner.kind(), Kind::Trees(_)) {
        return Err(FitError::Data(format!(
            "training cannot continue from a model of {}: it has no trees to add to; train from \
             the start",
            learner.name()
        )));
    }
    if !model.data.is_known() {
        check_imported(model)?;
    } else if model.learner != learner.name() {
        return Err(FitError::Data(format!(
            "the model to continue from was trained by {}, not by {}; use that learner",
            model.learner,
            learner.name()
        )));
    }
    let known = model.features.iter().map(|f| (&f.name, f.categories.is_some()));
    let there = data
        .feature_info()
        .iter()
        .map(|f| (&f.name, matches!(f.kind, FeatureKind::Categorical(_))));
    if known.eq(there) {
        return Ok(());
    }
    Err(FitError::Data(format!(
        "the model to continue from has {}, {} has others or in another order; give data with the \
         same columns",
        counted(model.features.len(), "feature"),
        data.source()
    )))
}

/// Refuses to resume with features in another order: trees and weights know them by number.
pub(crate) fn check_same_features(then: &Checkpoint, now: &Checkpoint) -> Result<(), FitError> {
    // The categories follow from the data, and in a blend each fold has its own.
    let column = |feature: &ModelFeature| (feature.name.clone(), feature.categories.is_some());
    let mut pairs = then.features.iter().zip(&now.features).enumerate();
    match pairs.find(|(_, (then, now))| column(then) != column(now)) {
        Some((at, (then, now))) => Err(FitError::OtherRun(format!(
            "feature {} was `{}` and is now `{}`: the columns must be in the same order",
            at + 1,
            then.name,
            now.name
        ))),
        None if then.features.len() != now.features.len() => Err(FitError::OtherRun(format!(
            "the number of features was {} and is now {}",
            then.features.len(),
            now.features.len()
        ))),
        None => Ok(()),
    }
}

/// Refuses to resume another run than the one that was interrupted.
pub(crate) fn check_same_run(then: &Checkpoint, now: &Checkpoint) -> Result<(), FitError> {
    match then.differences(now) {
        differences if differences.is_empty() => Ok(()),
        differences => Err(FitError::OtherRun(differences.join("; "))),
    }
}
