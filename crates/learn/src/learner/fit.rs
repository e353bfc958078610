//! How a learner that is made of stages is trained.

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::display::counted;
use stakes_model::{Checkpoint, Fingerprint, Model, ModelFeature, roles_of};

use super::{Kind, Learner, TreeUnit, round_seconds};
use crate::error::FitError;
use crate::prepared::Prepared;
use crate::run::{FitContext, Fitted, Run, RunRecord, TrainingWork};
use crate::tree::MAX_ROWS;

/// Trains a learner.
///
/// ```
/// use stakes_core::cost::Problem;
/// use stakes_core::goal::Goal;
/// use stakes_learn::boosted::{Boosting, CsMart, Trees};
/// use stakes_learn::{FitContext, train};
/// # use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
/// # let columns = Columns {
/// #     list: Some("storm".into()), impact: Some("customers".into()),
/// #     ..Columns::of_features(vec![Feature::numeric("wind")])
/// # };
/// # let mut builder = DatasetBuilder::new("storms", columns)?;
/// # for i in 0..40u64 {
/// #     let (list, wind) = (["a", "b"][i as usize % 2], (i * 7 % 40) as f32);
/// #     builder.push(Row { line: i, list, impact: Some(wind.into()), features: &[wind], ..Row::default() })?;
/// # }
/// # let data = builder.finish()?;
/// // Two storms of twenty networks; the wind decides what each costs.
/// let problem = Problem::new(&data, Goal::act_on(5))?;
/// let learner = CsMart {
///     trees: Trees { min_rows: 2, ..Trees::studied() },
///     boosting: Boosting { rounds: 20, rate: 0.5, ..Boosting::default() },
///     ..CsMart::default()
/// };
/// let model = train(&learner, &problem, &mut FitContext::default())?.model;
/// assert!(model.stages[0].curve.last() > Some(&0.99));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Fitted, FitError> {
    // From within the pool of threads: from outside, every small piece of parallel work would
    // have to wake it up and wait for it.
    rayon::scope(|_| learner.fit_problem(problem, cx))
}

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

/// What a checkpoint of this run begins with; features are known when they are in bins.
pub(crate) fn header<L: Learner + ?Sized>(
    learner: &L,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Checkpoint {
    Checkpoint {
        learner: learner.name().to_owned(),
        parameters: learner.texts(),
        seed: cx.seed,
        goal: problem.goal().clone(),
        columns: roles_of(problem.data()),
        features: Vec::new(),
        data: Fingerprint::of(problem),
        validation: cx.validation.map(Fingerprint::of),
        stages: Vec::new(),
    }
}

/// Trains a learner that is made of stages. Features that are `known` keep their categories and
/// codes.
pub(crate) fn fit_stages<L: Learner + ?Sized>(
    learner: &L,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    known: Option<&[ModelFeature]>,
) -> Result<Fitted, FitError> {
    let (prepared, header) = prepare(learner, problem, cx, known)?;
    fit_prepared(learner, &prepared, header, cx)
}

/// Checks and sorts the data, and what a checkpoint of the run begins with.
pub(crate) fn prepare<'r, 'c: 'r, L: Learner + ?Sized>(
    learner: &L,
    problem: &'r Problem<'r>,
    cx: &mut FitContext<'c>,
    known: Option<&[ModelFeature]>,
) -> Result<(Prepared<'r>, Checkpoint), FitError> {
    let data = problem.data();
    check_data(data)?;
    if let Some(validation) = cx.validation {
        same_features(data, validation.data())?;
    }
    if let Some(model) = cx.init_model {
        check_init_model(learner, model, data)?;
    }
    let mut header = header(learner, problem, cx);
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    // Refused now rather than after the data are sorted.
    learner.tree_params(data.feature_info())?;
    cx.tell_stage("sorting features into bins");
    let known = cx.init_model.map(|model| &model.features[..]).or(known);
    // New trees must be in the unit of the model they are added to.
    let in_costs = learner.kind() == Kind::Trees(TreeUnit::Costs);
    let unit = cx.init_model.filter(|_| in_costs).map(|model| model.scorer.unit);
    let prepared = Prepared::new(problem, cx.validation, known, unit, learner.bins())?;
    header.features = prepared.features.clone();
    if let Some(resumed) = &cx.resume {
        check_same_features(resumed, &header)?;
    }
    Ok((prepared, header))
}

/// Trains with data that are prepared for the learner, with as many bins as it has. `header` is of the
/// same learner.
pub(crate) fn fit_prepared<L: Learner + ?Sized>(
    learner: &L,
    prepared: &Prepared<'_>,
    header: Checkpoint,
    cx: &mut FitContext<'_>,
) -> Result<Fitted, FitError> {
    let data = prepared.training.data;
    let trees = learner.tree_params(data.feature_info())?;
    let round = round_seconds(learner, data.feature_info(), data.len());
    let work = TrainingWork { round, stages: learner.stage_rounds() };
    let mut run = Run::new(prepared, trees, learner.sampling(), header.clone(), work, cx);
    let scorer = learner.fit_run(&mut run)?;
    let RunRecord { summaries, stages, bound } = run.finish();
    let mut model = Model {
        learner: header.learner,
        parameters: header.parameters,
        seed: header.seed,
        goal: header.goal,
        columns: header.columns,
        features: header.features,
        list_scaling: learner.list_scaling(),
        data: header.data,
        stages: summaries,
        members: Vec::new(),
        scorer,
        calibration: None,
        bound,
        rerank: None,
    };
    if let Some(unseen) = cx.validation {
        model.calibrate(unseen)?;
    }
    Ok(Fitted { model, stages, out_of_fold: None })
}

/// Validation lists must have the same features as the training lists.
fn same_features(training: &Dataset, validation: &Dataset) -> Result<(), FitError> {
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

/// Training can continue from a model with the same features that the same learner made.
fn check_init_model<L: Learner + ?Sized>(
    learner: &L,
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
    if model.learner != learner.name() {
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
fn check_same_features(then: &Checkpoint, now: &Checkpoint) -> Result<(), FitError> {
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
