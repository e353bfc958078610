//! What was read, checked and put together.

use std::collections::{BTreeMap, HashSet};

use stakes_core::cost::{Capacity, CapacityError, CostModel, Policy};
use stakes_core::goal::{Goal, Reach};
use stakes_core::metric::Spec;

use super::calibration::CalibrationFile;
use super::shape::{
    CheckpointFile, DataFile, FactorFile, FeatureFile, FeatureFileKind, GoalFile, MemberFile,
    ModelFile, ScorerFile, StageFile,
};
use super::tree::{MOST_VALUE, TreeFile};
use super::{Bad, MISSING, bad};
use crate::tree::Tree;
use crate::{
    Bound, Factor, Fingerprint, Link, MAX_CATEGORIES, Member, Model, ModelFeature, Roles, Scorer,
    StageSummary,
};
use crate::{Checkpoint, Numbers, StageState};

/// Data sets have no more columns, either.
const MOST_FEATURES: usize = 1 << 20;
/// So many trees of the largest leaves still add up to something finite.
const MOST_TREES: usize = 1_000_000;
/// Two-part models have three, blends a few for each member.
const MOST_FACTORS: usize = 64;
/// A blend is learnt in as many stages as its members, folds and seeds have together.
const MOST_STAGES: usize = 10_000;
/// Blends count a member twice at most; more than this is none of ours.
const MOST_POWER: f64 = 1000.0;
/// The roles that columns can have.
const ROLES: [&str; 8] = ["list", "impact", "id", "weight", "price", "time", "group", "class"];

pub(super) fn model(file: ModelFile) -> Result<Model, Bad> {
    if file.missing != MISSING {
        let what = format!("is `{}`; this program knows only `{MISSING}`", file.missing);
        return Err(bad("missing", what));
    }
    let features = features(file.features)?;
    let (goal, columns) = goal(file.goal).map_err(|bad| bad.under("goal"))?;
    let scorer = scorer(file.scorer, &features).map_err(|bad| bad.under("scorer"))?;
    Ok(Model {
        learner: learner(file.learner)?,
        parameters: file.parameters,
        seed: seed(&file.seed)?,
        goal,
        columns,
        data: data(&file.data).map_err(|bad| bad.under("data"))?,
        stages: stages(file.stages, &scorer)?,
        members: members(file.members)?,
        within: file.within,
        rerank: (file.rerank.map(|rerank| rerank.check(&features)).transpose())
            .map_err(|bad| bad.under("rerank"))?,
        features,
        scorer,
        calibration: (file.calibration.map(CalibrationFile::check).transpose())
            .map_err(|bad| bad.under("calibration"))?,
        bound: file.bound.map(bound).transpose().map_err(|bad| bad.under("bound"))?,
    })
}

fn bound(bound: Bound) -> Result<Bound, Bad> {
    for (name, value) in [("confidence", bound.confidence), ("loss", bound.loss)] {
        if !(0.0..=1.0).contains(&value) {
            return Err(bad(name, format!("is {value}; 0 to 1 is read")));
        }
    }
    few("parts", bound.parts.len(), MOST_FACTORS)?;
    Ok(bound)
}

pub(super) fn checkpoint(file: CheckpointFile) -> Result<Checkpoint, Bad> {
    let features = features(file.features)?;
    let (goal, columns) = goal(file.goal).map_err(|bad| bad.under("goal"))?;
    few("stages", file.stages.len(), MOST_STAGES)?;
    let stages = file.stages.into_iter().enumerate().map(|(i, stage)| {
        let trees = trees(stage.trees, &features).map_err(|b| b.under(format!("stages[{i}]")))?;
        if stage.numbers.is_none() && stage.curve.len() > trees.len() {
            let what = format!("has {} values for {} trees", stage.curve.len(), trees.len());
            return Err(bad(format!("stages[{i}].curve"), what));
        }
        let numbers = stage.numbers.map(|n| Numbers { now: n.now, memory: n.memory, best: n.best });
        Ok(StageState { trees, numbers, curve: curve(stage.curve), ended: stage.ended })
    });
    Ok(Checkpoint {
        learner: learner(file.learner)?,
        parameters: file.parameters,
        seed: seed(&file.seed)?,
        goal,
        columns,
        data: data(&file.data).map_err(|bad| bad.under("data"))?,
        validation: (file.validation.as_ref().map(data).transpose())
            .map_err(|bad| bad.under("validation"))?,
        stages: stages.collect::<Result<_, Bad>>()?,
        features,
    })
}

/// Any name: a learner that is no longer in the table has left models that still score.
pub(super) fn learner(name: String) -> Result<String, Bad> {
    if name.is_empty() { Err(bad("learner", "is empty")) } else { Ok(name) }
}

pub(super) fn seed(text: &str) -> Result<u64, Bad> {
    let number = text.parse::<u64>().ok().filter(|n| n.to_string() == text);
    number.ok_or_else(|| bad("seed", format!("is `{text}`; a whole number below 2^64 is needed")))
}

/// The goal, and the roles of columns.
pub(super) fn goal(file: GoalFile) -> Result<(Goal, Roles), Bad> {
    let cost = CostModel::parse(&file.cost).map_err(|e| bad("cost", e.to_string()))?;
    let metric = file.metric.parse::<Spec>().map_err(|e| bad("metric", e.to_string()))?;
    let policy = file.policy.as_deref().map(Policy::parse).transpose();
    let policy = policy.map_err(|what| bad("policy", what))?.unwrap_or_default();
    let reach = match (&file.k, &file.budget) {
        (Some(k), None) if k == "all" => Reach::Items(Capacity::All),
        (Some(k), None) => {
            Reach::Items(k.parse().map_err(|e: CapacityError| bad("k", e.to_string()))?)
        }
        (None, Some(text)) => match text.trim().parse::<f64>() {
            Ok(money) if money.is_finite() && money > 0.0 => Reach::Money(money),
            _ => {
                let what = format!("is `{text}`; a finite number above 0 is needed");
                return Err(bad("budget", what));
            }
        },
        (Some(_), Some(_)) => {
            return Err(bad("budget", "is given beside k; one of them is needed"));
        }
        (None, None) => {
            return Err(bad("k", "is null and so is the budget; one of them is needed"));
        }
    };
    if let Some(role) = file.columns.keys().find(|role| !ROLES.contains(&role.as_str())) {
        let what = format!("has the role `{role}`; roles are {}", ROLES.join(", "));
        return Err(bad("columns", what));
    }
    Ok((Goal { cost, reach, policy, metric }, file.columns))
}

pub(super) fn data(file: &DataFile) -> Result<Fingerprint, Bad> {
    let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let plain = file.hash.len() == 16 && file.hash.bytes().all(digit);
    match u64::from_str_radix(&file.hash, 16) {
        Ok(hash) if plain => Ok(Fingerprint { items: file.items, lists: file.lists, hash }),
        _ => Err(bad("hash", format!("is `{}`; 16 of 0-9 and a-f are needed", file.hash))),
    }
}

fn features(files: Vec<FeatureFile>) -> Result<Vec<ModelFeature>, Bad> {
    few("features", files.len(), MOST_FEATURES)?;
    if let Some((i, name)) = repeated(files.iter().map(|f| f.name.as_str())) {
        let what = format!("`{name}` stands here for the second time; names must differ");
        return Err(bad(format!("features[{i}]"), what));
    }
    let one = |(i, file): (usize, FeatureFile)| {
        let refuse = |what: String| Err(bad(format!("features[{i}]"), what));
        match (&file.categories, file.kind) {
            (Some(_), FeatureFileKind::Numeric) => refuse("is numeric, but has categories".into()),
            (None, FeatureFileKind::Categorical) => refuse("lacks its categories".into()),
            (Some(names), _) if names.len() > MAX_CATEGORIES => {
                let n = names.len();
                refuse(format!("has {n} categories; at most {MAX_CATEGORIES} are told apart"))
            }
            (Some(names), _) => match repeated(names.iter().map(String::as_str)) {
                Some((_, name)) => refuse(format!("has the category `{name}` twice")),
                None => Ok(ModelFeature { name: file.name, categories: file.categories }),
            },
            (None, _) => Ok(ModelFeature { name: file.name, categories: None }),
        }
    };
    files.into_iter().enumerate().map(one).collect()
}

fn scorer(file: ScorerFile, features: &[ModelFeature]) -> Result<Scorer, Bad> {
    if !(file.unit > 0.0 && file.unit <= MOST_VALUE) {
        let what = format!("is {}; above 0 and at most {MOST_VALUE:e} is read", file.unit);
        return Err(bad("unit", what));
    }
    few("factors", file.factors.len(), MOST_FACTORS)?;
    if file.factors.is_empty() {
        return Err(bad("factors", "there is none; at least one is needed"));
    }
    if let Some((i, name)) = repeated(file.factors.iter().map(|f| f.name.as_str())) {
        return Err(bad(format!("factors[{i}]"), format!("is the second that is called `{name}`")));
    }
    let factors = file.factors.into_iter().enumerate();
    let factor = |(i, f)| factor(f, features).map_err(|bad| bad.under(format!("factors[{i}]")));
    Ok(Scorer { unit: file.unit, factors: factors.map(factor).collect::<Result<_, _>>()? })
}

fn factor(file: FactorFile, features: &[ModelFeature]) -> Result<Factor, Bad> {
    if file.start.is_nan() || file.start.abs() > MOST_VALUE {
        let what = format!("is {}; at most {MOST_VALUE:e} is read", file.start);
        return Err(bad("start", what));
    }
    let has_power = file.power == 1.0 || file.link != Link::Identity;
    if !(has_power && file.power > 0.0 && file.power <= MOST_POWER) {
        let what = format!(
            "is {}; above 0 and at most {MOST_POWER} is read, and 1 where the link is identity",
            file.power
        );
        return Err(bad("power", what));
    }
    let net =
        file.net.map(|net| net.check(features)).transpose().map_err(|bad| bad.under("net"))?;
    let (power, trees) = (file.power, trees(file.trees, features)?);
    Ok(Factor { power, net, ..Factor::new(&file.name, file.link, file.start, trees) })
}

fn trees(files: Vec<TreeFile>, features: &[ModelFeature]) -> Result<Vec<Tree>, Bad> {
    few("trees", files.len(), MOST_TREES)?;
    let tree = |(i, file): (usize, TreeFile)| {
        file.check(features).map_err(|bad| bad.under(format!("trees[{i}]")))
    };
    files.into_iter().enumerate().map(tree).collect()
}

fn stages(files: Vec<StageFile>, scorer: &Scorer) -> Result<Vec<StageSummary>, Bad> {
    few("stages", files.len(), MOST_FACTORS)?;
    let grown = scorer.factors.iter().filter(|f| f.net.is_none());
    let trees: BTreeMap<&str, usize> = grown.map(|f| (f.name.as_str(), f.trees.len())).collect();
    let stage = |(i, file): (usize, StageFile)| {
        let most = trees.get(file.name.as_str()).map_or(file.curve.len(), |&trees| trees);
        if file.kept > most.min(file.curve.len()) {
            let (kept, curve) = (file.kept, file.curve.len());
            let what = format!("is {kept}; the curve has {curve} rounds, the scorer {most} trees");
            return Err(bad(format!("stages[{i}].kept"), what));
        }
        Ok(StageSummary {
            name: file.name,
            measure: file.measure,
            curve: curve(file.curve),
            kept: file.kept,
            ended: file.ended,
            also: file.also.into_iter().map(|also| (also.measure, curve(also.curve))).collect(),
        })
    };
    files.into_iter().enumerate().map(stage).collect()
}

fn members(files: Vec<MemberFile>) -> Result<Vec<Member>, Bad> {
    few("members", files.len(), MOST_FACTORS)?;
    let member = |(i, file): (usize, MemberFile)| {
        let under = |bad: Bad| bad.under(format!("members[{i}]"));
        if !(0.0..=1.0).contains(&file.weight) {
            return Err(under(bad("weight", format!("is {}; 0 to 1 is read", file.weight))));
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

fn curve(values: Vec<Option<f64>>) -> Vec<f64> {
    values.into_iter().map(|value| value.unwrap_or(f64::NAN)).collect()
}

pub(super) fn few(what: &str, met: usize, most: usize) -> Result<(), Bad> {
    if met <= most {
        Ok(())
    } else {
        Err(bad(what, format!("there are {met}; at most {most} are read")))
    }
}

/// The first name that came before.
fn repeated<'n>(names: impl Iterator<Item = &'n str>) -> Option<(usize, &'n str)> {
    let mut seen = HashSet::new();
    names.enumerate().find(|(_, name)| !seen.insert(*name))
}
