//! One training run: what it needs beside data and parameters, how it is watched, stopped
//! and taken up again.

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::metric::{EvaluateError, SpecError};

use crate::auto;
use crate::learners::{Fitting, sampling, tree_params, within};
use crate::loss::LossError;
use crate::params::{ParamError, Settings};
use crate::prepared::Prepared;
use crate::rankboost::given::GivenCosts;
use crate::rerank;
use crate::run::Run;
use crate::tree::MAX_ROWS;
use crate::{LearnerInfo, Model};
use stakes_model::calibration::CalibrationError;
pub use stakes_model::{Checkpoint, Ended, StageState, WeightState};
use stakes_model::{Fingerprint, ModelFeature, UnfinishedTuning, roles_of};

/// What a training run needs beside data and parameters.
pub struct FitContext<'a> {
    /// Lists that are not learned from: they tell when to stop. Without them the learning
    /// curve is that of the training lists and all rounds are made.
    pub validation: Option<&'a Problem<'a>>,
    /// Seed of all random draws.
    pub seed: u64,
    /// An interrupted run to take up.
    pub resume: Option<Checkpoint>,
    /// A model whose trees are the first rounds.
    pub first: Option<&'a Model>,
    /// A trained model to re-rank, for the learner that does.
    pub base: Option<&'a Model>,
    /// Costs of pairs or of classes, for learners that count them.
    pub costs: Option<&'a GivenCosts>,
    /// Who watches.
    pub watch: &'a mut dyn Watch,
}

/// Somebody who is told how training goes, and may stop it.
pub trait Watch: Send {
    /// Something begins: `reading features`, `chance`, ...
    fn stage(&mut self, _what: &str) {}

    /// A round is done.
    fn round(&mut self, _round: &Round<'_>) -> Flow {
        Flow::GoOn
    }

    /// How far the search for the best weights has come.
    fn exact(&mut self, _progress: &stakes_exact::Progress) -> Flow {
        Flow::GoOn
    }

    /// Tuning begins, or knows another value.
    fn tried(&mut self, _so_far: &UnfinishedTuning) {}
}

/// Nobody watches.
pub struct Silent;

impl Watch for Silent {}

/// Whether to go on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flow {
    /// Another round.
    GoOn,
    /// Keep what there is.
    Stop,
}

/// What is known after a round.
pub struct Round<'r> {
    /// Which stage: `score`, `chance`, `size`.
    pub stage: &'r str,
    /// Rounds done, from 1.
    pub done: usize,
    /// Rounds to do at most.
    pub of: usize,
    /// What is measured: a metric or a loss, and on which data.
    pub measure: &'r str,
    /// Its value now.
    pub value: f64,
    /// Its best value, and the round that had it.
    pub best: (usize, f64),
    /// Everything needed to go on from here, made on demand.
    pub checkpoint: &'r dyn Fn() -> Checkpoint,
}

/// A model that cannot be learnt.
#[derive(Debug, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum FitError {
    #[error(transparent)]
    Param(#[from] ParamError),
    #[error(transparent)]
    Loss(#[from] LossError),
    #[error(transparent)]
    Metric(#[from] SpecError),
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
    #[error(transparent)]
    Calibration(#[from] CalibrationError),
    #[error(transparent)]
    Exact(#[from] stakes_exact::ExactError),
    #[error("{0}")]
    Data(String),
    #[error("the checkpoint is of another run: {0}; train anew without resuming, or give the same")]
    OtherRun(String),
}

/// Learns.
///
/// ```
/// use stakes_core::cost::Problem;
/// use stakes_core::goal::Goal;
/// use stakes_learn::{FitContext, Silent, learner, params::Settings, train};
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
/// let info = learner("cs-mart")?;
/// let settings = Settings::new(info, [("rounds", "20"), ("min-rows", "2"), ("rate", "0.5")])?;
/// let model = train(info, &settings, &problem, &mut FitContext::new(&mut Silent))?;
/// assert!(model.stages[0].curve.last() > Some(&0.99));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn train(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Model, FitError> {
    // From within the pool of threads: from outside every small piece of parallel work would
    // have to wake it up and be waited for.
    rayon::scope(|_| train_within(learner, settings, problem, cx))
}

pub(crate) fn train_within(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
) -> Result<Model, FitError> {
    match learner.fit {
        Fitting::Stages(_) => Ok(fit_stages(learner, settings, problem, cx, None)?.model),
        Fitting::Portfolio => Ok(auto::fit(settings, problem, cx)?.model),
        Fitting::Rerank => rerank::fit(learner, settings, problem, cx),
    }
}

/// What a run of stages gives.
pub(crate) struct Fitted {
    pub(crate) model: Model,
    /// All that was grown, for checkpoints.
    pub(crate) stages: Vec<StageState>,
}

/// Refuses what nothing can be learnt from.
pub(crate) fn check_data(data: &Dataset) -> Result<(), FitError> {
    if data.features().width() == 0 {
        return Err(FitError::Data(
            "the data have no features: there is nothing to learn from".into(),
        ));
    }
    if data.len() >= MAX_ROWS {
        let (rows, most) = (data.len(), MAX_ROWS);
        return Err(FitError::Data(format!(
            "{rows} items are too many; learn from fewer than {most}"
        )));
    }
    Ok(())
}

/// What a checkpoint of this run begins with; features are known when they are in bins.
pub(crate) fn header(
    learner: &LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Checkpoint {
    Checkpoint {
        learner: learner.name.to_owned(),
        parameters: settings.to_texts(),
        seed: cx.seed,
        goal: problem.goal().clone(),
        columns: roles_of(problem.data()),
        features: Vec::new(),
        data: Fingerprint::of(problem),
        validation: cx.validation.map(Fingerprint::of),
        stages: Vec::new(),
    }
}

/// Learns with a learner that is made of stages. Features that are `known` keep their
/// categories and codes.
pub(crate) fn fit_stages(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    known: Option<&[ModelFeature]>,
) -> Result<Fitted, FitError> {
    let (prepared, header) = prepare(learner, settings, problem, cx, known)?;
    fit_prepared(learner, settings, &prepared, header, cx)
}

/// Checks and sorts the data, and what a checkpoint of the run begins with.
pub(crate) fn prepare<'r, 'c: 'r>(
    learner: &'static LearnerInfo,
    settings: &Settings,
    problem: &'r Problem<'r>,
    cx: &mut FitContext<'c>,
    known: Option<&[ModelFeature]>,
) -> Result<(Prepared<'r>, Checkpoint), FitError> {
    let data = problem.data();
    check_data(data)?;
    if let Some(validation) = cx.validation {
        same_features(data, validation.data())?;
    }
    if let Some(model) = cx.first {
        check_first(learner, model, data)?;
    }
    let mut header = header(learner, settings, problem, cx);
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    // Refused now rather than after the data are sorted.
    tree_params(settings, data.feature_info())?;
    cx.watch.stage("sorting features into bins");
    // A learner without trees has no use for bins, but its categories are those that have one.
    let bins = if settings.has("bins") { settings.whole("bins") } else { 255 };
    let prepared = Prepared::new(problem, cx.validation, cx.first, known, learner.trees_say, bins)?;
    header.features = prepared.features.clone();
    Ok((prepared, header))
}

/// Learns from data that are prepared for the learner, with as many bins as the settings say.
/// `header` is of the same learner and settings.
pub(crate) fn fit_prepared(
    learner: &'static LearnerInfo,
    settings: &Settings,
    prepared: &Prepared<'_>,
    header: Checkpoint,
    cx: &mut FitContext<'_>,
) -> Result<Fitted, FitError> {
    let Fitting::Stages(fit) = learner.fit else {
        unreachable!("{} is made of other learners", learner.name)
    };
    let trees = tree_params(settings, prepared.training.data.feature_info())?;
    let mut run = Run::new(prepared, trees, sampling(settings), header.clone(), cx);
    let scorer = fit(settings, &mut run)?;
    let (summaries, stages, bound) = run.finish();
    let mut model = Model {
        learner: header.learner,
        parameters: header.parameters,
        seed: header.seed,
        goal: header.goal,
        columns: header.columns,
        features: header.features,
        list_scaling: within(settings),
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
    Ok(Fitted { model, stages })
}

/// Validation lists must look like those that are learned from.
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

/// A model can be gone on from if it knows the same features and is of the same make.
fn check_first(learner: &LearnerInfo, model: &Model, data: &Dataset) -> Result<(), FitError> {
    if !learner.has_trees() {
        return Err(FitError::Data(format!(
            "a model of {} cannot be gone on from: it has no trees to add to; train anew",
            learner.name
        )));
    }
    if model.learner != learner.name {
        return Err(FitError::Data(format!(
            "the model to go on from was learnt by {}, not by {}; name that learner",
            model.learner, learner.name
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
        "the model to go on from knows {} features, {} has others or in another order; give data \
         with the same columns",
        model.features.len(),
        data.source()
    )))
}

impl<'a> FitContext<'a> {
    /// A plain run: all lists, seed 0, from the beginning.
    pub fn new(watch: &'a mut dyn Watch) -> Self {
        FitContext {
            validation: None,
            seed: 0,
            resume: None,
            first: None,
            base: None,
            costs: None,
            watch,
        }
    }
}

/// Refuses to resume another run than the one that was interrupted.
pub(crate) fn check_same_run(then: &Checkpoint, now: &Checkpoint) -> Result<(), FitError> {
    match then.differences(now) {
        differences if differences.is_empty() => Ok(()),
        differences => Err(FitError::OtherRun(differences.join("; "))),
    }
}
