//! Checks what was read and builds a model or a checkpoint from it.

use std::collections::BTreeMap;

use stakes_core::display::counted;

use super::calibration::CalibrationFile;
use super::header::{at_most, data, features, hash, learner, seed};
use super::scorer::{MAX_FACTORS, scorer, trees};
use super::shape::{
    CheckpointFile, MemberFile, ModelFile, StageFile, TrainingListFile, UnfinishedStageFile,
};
use super::{Invalid, MISSING, invalid};
use crate::training_lists::MAX_LISTS;
use crate::{Bound, Member, Model, ModelFeature, Scorer, StageSummary, TrainingList};
use crate::{Checkpoint, StageState, WeightState};

/// Training a blend has a stage for each member, fold and seed.
const MAX_STAGES: usize = 10_000;

pub(super) fn model(file: ModelFile) -> Result<Model, Invalid> {
    if file.missing != MISSING {
        let what = format!("is `{}`; must be `{MISSING}`", file.missing);
        return Err(invalid("missing", what));
    }
    let features = features(file.features)?;
    let (goal, columns) = file.goal.check().map_err(|invalid| invalid.under("goal"))?;
    let scorer = scorer(file.scorer, &features).map_err(|invalid| invalid.under("scorer"))?;
    Ok(Model {
        learner: learner(file.learner)?,
        parameters: file.parameters,
        seed: seed(&file.seed)?,
        goal,
        columns,
        data: data(&file.data).map_err(|invalid| invalid.under("data"))?,
        stages: stages(file.stages, &scorer)?,
        members: members(file.members)?,
        list_scaling: file.within,
        rerank: (file.rerank.map(|rerank| rerank.check(&features)).transpose())
            .map_err(|invalid| invalid.under("rerank"))?,
        profile: (file.profile.map(|profile| profile.check(&features)).transpose())
            .map_err(|invalid| invalid.under("profile"))?,
        features,
        scorer,
        scores_costs: file.scores_costs,
        calibration: (file.calibration.map(CalibrationFile::check).transpose())
            .map_err(|invalid| invalid.under("calibration"))?,
        bound: file.bound.map(bound).transpose().map_err(|invalid| invalid.under("bound"))?,
        training_lists: training_lists(file.training_lists)?,
    })
}

pub(super) fn checkpoint(file: CheckpointFile) -> Result<Checkpoint, Invalid> {
    let features = features(file.features)?;
    let (goal, columns) = file.goal.check().map_err(|invalid| invalid.under("goal"))?;
    at_most("stages", file.stages.len(), MAX_STAGES)?;
    let stages = file.stages.into_iter().enumerate().map(|(i, stage)| {
        unfinished_stage(stage, &features).map_err(|bad| bad.under(format!("stages[{i}]")))
    });
    Ok(Checkpoint {
        learner: learner(file.learner)?,
        parameters: file.parameters,
        seed: seed(&file.seed)?,
        goal,
        columns,
        data: data(&file.data).map_err(|invalid| invalid.under("data"))?,
        validation: (file.validation.as_ref().map(data).transpose())
            .map_err(|invalid| invalid.under("validation"))?,
        stages: stages.collect::<Result<_, Invalid>>()?,
        features,
    })
}

fn unfinished_stage(
    file: UnfinishedStageFile,
    features: &[ModelFeature],
) -> Result<StageState, Invalid> {
    let trees = trees(file.trees, features)?;
    if file.numbers.is_none() && file.curve.len() > trees.len() {
        let (values, trees) = (counted(file.curve.len(), "value"), counted(trees.len(), "tree"));
        let what = format!("has {values} for {trees}");
        return Err(invalid("curve", what));
    }
    let weights =
        file.numbers.map(|n| WeightState { current: n.now, memory: n.memory, best: n.best });
    Ok(StageState { trees, weights, curve: curve(file.curve), ended: file.ended })
}

fn bound(bound: Bound) -> Result<Bound, Invalid> {
    for (name, value) in [("confidence", bound.confidence), ("loss", bound.loss)] {
        if !(0.0..=1.0).contains(&value) {
            return Err(invalid(name, format!("is {value}; must be from 0 to 1")));
        }
    }
    at_most("parts", bound.parts.len(), MAX_FACTORS)?;
    Ok(bound)
}

fn stages(files: Vec<StageFile>, scorer: &Scorer) -> Result<Vec<StageSummary>, Invalid> {
    at_most("stages", files.len(), MAX_FACTORS)?;
    let grown = scorer.factors.iter().filter(|f| f.net.is_none());
    let trees: BTreeMap<&str, usize> = grown.map(|f| (f.name.as_str(), f.trees.len())).collect();
    let stage = |(i, file): (usize, StageFile)| {
        let max = trees.get(file.name.as_str()).map_or(file.curve.len(), |&trees| trees);
        if file.kept > max.min(file.curve.len()) {
            let (kept, curve) = (file.kept, file.curve.len());
            let (rounds, trees) = (counted(curve, "round"), counted(max, "tree"));
            let what = format!("is {kept}; the curve has {rounds}, the scorer {trees}");
            return Err(invalid(format!("stages[{i}].kept"), what));
        }
        Ok(StageSummary {
            name: file.name,
            measure: file.measure,
            curve: curve(file.curve),
            kept: file.kept,
            ended: file.ended,
            extra_curves: file
                .also
                .into_iter()
                .map(|also| (also.measure, curve(also.curve)))
                .collect(),
        })
    };
    files.into_iter().enumerate().map(stage).collect()
}

fn members(files: Vec<MemberFile>) -> Result<Vec<Member>, Invalid> {
    at_most("members", files.len(), MAX_FACTORS)?;
    let member = |(i, file): (usize, MemberFile)| {
        let under = |invalid: Invalid| invalid.under(format!("members[{i}]"));
        if !(0.0..=1.0).contains(&file.weight) {
            let what = format!("is {}; must be from 0 to 1", file.weight);
            return Err(under(invalid("weight", what)));
        }
        Ok(Member {
            learner: learner(file.learner).map_err(under)?,
            parameters: file.parameters,
            figure: file.figure,
            weight: file.weight,
        })
    };
    files.into_iter().enumerate().map(member).collect()
}

fn training_lists(files: Vec<TrainingListFile>) -> Result<Vec<TrainingList>, Invalid> {
    at_most("training_lists", files.len(), MAX_LISTS)?;
    let list = |(i, file): (usize, TrainingListFile)| {
        let under = |invalid: Invalid| invalid.under(format!("training_lists[{i}]"));
        let TrainingListFile { hash: text, out_of_fold } = file;
        Ok(TrainingList { hash: hash(&text).map_err(under)?, out_of_fold })
    };
    let mut lists: Vec<TrainingList> =
        files.into_iter().enumerate().map(list).collect::<Result<_, _>>()?;
    // As models are made; they are searched.
    lists.sort_by_key(|list| list.hash);
    Ok(lists)
}

fn curve(values: Vec<Option<f64>>) -> Vec<f64> {
    values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}
