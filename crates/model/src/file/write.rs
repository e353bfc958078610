//! Writes models and checkpoints as text.

use super::calibration::CalibrationFile;
use super::goal::GoalRecord;
use super::layout::{Bracket, Page};
use super::profile::ProfileFile;
use super::shape::{AlsoFile, DataFile, FeatureFile, FeatureFileKind, Texts, TrainingListFile};
use super::tree::TreeFile;
use super::{Kind, MISSING, VERSION};
use crate::tree::Tree;
use crate::{Checkpoint, WeightState};
use crate::{Fingerprint, ListScaling, Model, ModelFeature, RoleColumns, TrainingList};
use stakes_core::goal::Goal;

pub(super) fn model(model: &Model) -> String {
    let mut page = begin(
        Kind::Model,
        &model.learner,
        &model.parameters,
        model.seed,
        (&model.goal, &model.columns),
    );
    page.field("missing", MISSING);
    features(&mut page, &model.features);
    if model.list_scaling != ListScaling::None {
        page.field("within", &model.list_scaling);
    }
    page.field("data", &DataFile::from(&model.data));
    page.spread("stages", Bracket::Array, |page| {
        for stage in &model.stages {
            page.spread_item(|page| {
                page.field("name", &stage.name);
                page.field("measure", &stage.measure);
                page.field("kept", &stage.kept);
                page.field("ended", &stage.ended);
                page.field("curve", &stage.curve);
                if !stage.extra_curves.is_empty() {
                    page.spread("also", Bracket::Array, |page| {
                        for (measure, curve) in &stage.extra_curves {
                            let curve = curve.iter().copied().map(Some).collect();
                            page.item(&AlsoFile { measure: measure.clone(), curve });
                        }
                    });
                }
            });
        }
    });
    if !model.members.is_empty() {
        page.spread("members", Bracket::Array, |page| {
            for member in &model.members {
                page.spread_item(|page| {
                    page.field("learner", &member.learner);
                    page.field("weight", &member.weight);
                    page.field("figure", &member.figure);
                    page.field("parameters", &member.parameters);
                });
            }
        });
    }
    page.spread("scorer", Bracket::Object, |page| {
        page.field("unit", &model.scorer.unit);
        page.spread("factors", Bracket::Array, |page| {
            for factor in &model.scorer.factors {
                page.spread_item(|page| {
                    page.field("name", &factor.name);
                    page.field("link", &factor.link);
                    if factor.power != 1.0 {
                        page.field("power", &factor.power);
                    }
                    page.field("start", &factor.start);
                    trees(page, &factor.trees);
                    if let Some(net) = &factor.net {
                        super::net::write(page, net);
                    }
                });
            }
        });
    });
    if model.scores_costs {
        page.field("scores_costs", &true);
    }
    if let Some(calibration) = &model.calibration {
        CalibrationFile::from(calibration).write(&mut page);
    }
    if let Some(bound) = &model.bound {
        page.spread("bound", Bracket::Object, |page| {
            page.field("confidence", &bound.confidence);
            page.field("loss", &bound.loss);
            page.field("rankers", &bound.rankers);
            page.field("dimension", &bound.dimension);
            page.spread("parts", Bracket::Array, |page| {
                bound.parts.iter().for_each(|part| page.item(part));
            });
        });
    }
    if let Some(rerank) = &model.rerank {
        super::rerank::write(&mut page, rerank);
    }
    if !model.training_lists.is_empty() {
        page.spread("training_lists", Bracket::Array, |page| {
            for TrainingList { hash, out_of_fold } in &model.training_lists {
                let out_of_fold = out_of_fold.clone();
                page.item(&TrainingListFile { hash: hash_text(*hash), out_of_fold });
            }
        });
    }
    if let Some(profile) = &model.profile {
        ProfileFile::from(profile).write(&mut page);
    }
    page.finish()
}

pub(super) fn checkpoint(run: &Checkpoint) -> String {
    let goal = (&run.goal, &run.columns);
    let mut page = begin(Kind::Checkpoint, &run.learner, &run.parameters, run.seed, goal);
    features(&mut page, &run.features);
    page.field("data", &DataFile::from(&run.data));
    page.field("validation", &run.validation.as_ref().map(DataFile::from));
    page.spread("stages", Bracket::Array, |page| {
        for stage in &run.stages {
            page.spread_item(|page| {
                page.field("ended", &stage.ended);
                page.field("curve", &stage.curve);
                trees(page, &stage.trees);
                if let Some(WeightState { current, memory, best }) = &stage.weights {
                    page.spread("numbers", Bracket::Object, |page| {
                        page.field("now", current);
                        page.field("memory", memory);
                        page.field("best", best);
                    });
                }
            });
        }
    });
    page.finish()
}

/// Writes what all kinds of files begin with.
pub(super) fn begin(
    kind: Kind,
    learner: &str,
    parameters: &Texts,
    seed: u64,
    (goal, columns): (&Goal, &RoleColumns),
) -> Page {
    let mut page = Page::new();
    page.field("format", kind.name());
    page.field("version", &VERSION);
    page.field("program", concat!("stakes ", env!("CARGO_PKG_VERSION")));
    page.field("learner", learner);
    page.spread("parameters", Bracket::Object, |page| {
        parameters.iter().for_each(|(key, value)| page.field(key, value));
    });
    page.field("seed", &seed.to_string());
    GoalRecord::new(goal, columns).write(&mut page);
    page
}

fn features(page: &mut Page, features: &[ModelFeature]) {
    page.spread("features", Bracket::Array, |page| {
        features.iter().for_each(|feature| page.item(&FeatureFile::from(feature)));
    });
}

fn trees(page: &mut Page, trees: &[Tree]) {
    page.spread("trees", Bracket::Array, |page| {
        trees.iter().for_each(|tree| page.item(&TreeFile::from(tree)));
    });
}

impl From<&ModelFeature> for FeatureFile {
    fn from(feature: &ModelFeature) -> Self {
        let kind = match feature.categories {
            None => FeatureFileKind::Numeric,
            Some(_) => FeatureFileKind::Categorical,
        };
        FeatureFile { name: feature.name.clone(), kind, categories: feature.categories.clone() }
    }
}

impl From<&Fingerprint> for DataFile {
    fn from(data: &Fingerprint) -> Self {
        DataFile { items: data.items, lists: data.lists, hash: hash_text(data.hash) }
    }
}

fn hash_text(hash: u64) -> String {
    format!("{hash:016x}")
}
