//! How a learner that is made of stages is trained.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_model::{Calibration, Checkpoint, Fingerprint, Model, ModelFeature, roles_of};

use super::checks::{
    check_data, check_init_model, check_same_features, check_same_run, check_stored, same_features,
};
use super::{Kind, Learner, TreeUnit, round_seconds};
use crate::cross_fit::{of_fold, out_of_fold_scores};
use crate::error::FitError;
use crate::params::ParamError;
use crate::prepared::Prepared;
use crate::run::{FitContext, Fitted, Run, RunRecord, TrainingWork};
use crate::tree::TreeParams;

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
    learner.check_params()?;
    if !cx.shards.are_one() && !learner.takes_shards() {
        let name = learner.name();
        return Err(FitError::Data(format!(
            "{name} needs all lists in one place; boosted trees and forests can be trained in shards"
        )));
    }
    if problem.data().features().is_stored() {
        check_stored(learner, problem.data(), cx)?;
    }
    // From within the pool of threads: from outside, every small piece of parallel work would
    // have to wake it up and wait for it.
    rayon::scope(|_| learner.fit_problem(problem, cx))
}

/// What a checkpoint of this run begins with; features are known when they are in bins.
pub(crate) fn header<L: Learner + ?Sized>(
    learner: &L,
    problem: &Problem<'_>,
    cx: &FitContext<'_>,
) -> Result<Checkpoint, FitError> {
    Ok(Checkpoint {
        learner: learner.name().to_owned(),
        parameters: learner.texts(),
        seed: cx.seed,
        goal: problem.goal().clone(),
        columns: roles_of(problem.data()),
        features: Vec::new(),
        data: Fingerprint::among(problem, &cx.shards)?,
        validation: cx
            .validation
            .map(|problem| Fingerprint::among(problem, &cx.shards))
            .transpose()?,
        stages: Vec::new(),
    })
}

/// Trains a learner that is made of stages. Features that are `known` keep their categories and
/// codes.
pub(crate) fn fit_stages(
    learner: &dyn Learner,
    problem: &Problem<'_>,
    cx: &mut FitContext<'_>,
    known: Option<&[ModelFeature]>,
) -> Result<Fitted, FitError> {
    let (prepared, header) = prepare(learner, problem, cx, known)?;
    fit_prepared(learner, &prepared, header, cx)
}

/// Checks and sorts the data, and what a checkpoint of the run begins with.
pub(crate) fn prepare<'r, 'c: 'r>(
    learner: &dyn Learner,
    problem: &'r Problem<'r>,
    cx: &mut FitContext<'c>,
    known: Option<&[ModelFeature]>,
) -> Result<(Prepared<'r>, Checkpoint), FitError> {
    let data = problem.data();
    check_data(data)?;
    if let Some(validation) = cx.validation {
        same_features(data, validation.data())?;
    }
    if cx.folds.is_some() && !learner.cross_fits() {
        let name = learner.name();
        return Err(FitError::Data(format!("{name} cannot be trained in folds as one model")));
    }
    if let Some(model) = cx.init_model {
        check_init_model(learner, model, data)?;
    }
    let mut header = header(learner, problem, cx)?;
    if let Some(resumed) = &cx.resume {
        check_same_run(resumed, &header)?;
    }
    // Refused now rather than after the data are sorted.
    tree_params(learner, data)?;
    cx.tell_stage("sorting features into bins");
    let known = cx.init_model.map(|model| &model.features[..]).or(known);
    // New trees must be in the unit of the model they are added to.
    let in_costs = learner.kind() == Kind::Trees(TreeUnit::Costs);
    let unit = cx.init_model.filter(|_| in_costs).map(|model| model.scorer.unit);
    let prepared =
        Prepared::new(problem, cx.validation, cx.folds, known, unit, learner.bins(), &cx.shards)?;
    header.features = prepared.features.clone();
    if let Some(resumed) = &cx.resume {
        check_same_features(resumed, &header)?;
    }
    Ok((prepared, header))
}

/// How the learner grows trees of the features of these data.
fn tree_params(learner: &dyn Learner, data: &Dataset) -> Result<Option<TreeParams>, ParamError> {
    let trees = learner.trees().map(|trees| trees.for_features(data.feature_info()));
    trees.transpose().map_err(|(key, allowed)| learner.refuse(key, &allowed))
}

/// Trains with data that are prepared for the learner and its number of bins. `header` is of the same
/// learner.
pub(crate) fn fit_prepared(
    learner: &dyn Learner,
    prepared: &Prepared<'_>,
    header: Checkpoint,
    cx: &mut FitContext<'_>,
) -> Result<Fitted, FitError> {
    let data = prepared.training.data;
    let trees = tree_params(learner, data)?;
    let seconds = round_seconds(learner, data.features().width(), data.len());
    let round = prepared.trainings() * seconds;
    let work = TrainingWork { round, stages: learner.stage_rounds() };
    let scores_costs = learner.scores_costs(&header.goal);
    let mut run = Run::new(prepared, trees, header.clone(), (work, scores_costs), cx);
    let scorer = learner.fit_run(&mut run)?;
    let RunRecord { summaries, stages, bound } = run.finish();
    let mut model = Model {
        list_scaling: learner.list_scaling(),
        stages: summaries,
        bound,
        scores_costs,
        ..Model::new(header, scorer)
    };
    if let Some(unseen) = cx.validation {
        model.calibrate_among(unseen, &cx.shards)?;
    }
    let mut out_of_fold = None;
    if let Some(folds) = cx.folds {
        let problem = Problem::new(data, &model.goal)?;
        let scores = out_of_fold_scores(&model, &problem, folds)?;
        if folds.look_forward() {
            model.scorer = of_fold(&model.scorer, 0, folds.len());
        }
        model.calibration = Calibration::among(&problem, &scores, &cx.shards)?;
        out_of_fold = Some(scores);
    }
    Ok(Fitted { model, stages, out_of_fold })
}
