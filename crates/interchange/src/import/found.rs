//! What a reader finds in a file, and the model that it becomes.

use std::collections::{BTreeMap, HashSet};

use stakes_core::display::counted;
use stakes_model::tree::{Tree, scale_leaves};
use stakes_model::{
    Factor, Fingerprint, Link, ListScaling, MAX_CATEGORIES, Model, ModelFeature, Net, Scorer,
    StageSummary,
};

use super::ImportOptions;
use super::error::Fault;

/// The largest number of trees and features that is read: what model files allow.
const MAX_TREES: usize = 1_000_000;
const MAX_FEATURES: usize = 1 << 20;
/// The largest start: what model files allow.
const MAX_VALUE: f64 = 1e300;

/// What a file holds: a link function of start + sum of trees + net.
pub(super) struct Found {
    /// The library.
    pub(super) learner: &'static str,
    /// What the file says about the training.
    pub(super) parameters: BTreeMap<String, String>,
    pub(super) features: Vec<ModelFeature>,
    /// Whether the names of the features are the file's own and not numbers.
    pub(super) named: bool,
    pub(super) link: Link,
    pub(super) start: f64,
    pub(super) trees: Vec<Tree>,
    /// How many trees one round of boosting adds.
    pub(super) trees_per_round: usize,
    /// The score is the mean of the trees instead of their sum.
    pub(super) is_mean: bool,
    pub(super) net: Option<Net>,
    /// What somebody should know who compares scores with the library's.
    pub(super) notes: Vec<String>,
}

impl Found {
    /// The model, with the names, the goal and the roles that were asked for.
    pub(super) fn model(mut self, options: &ImportOptions) -> Result<(Model, Vec<String>), Fault> {
        self.name_features(options)?;
        self.check(options)?;
        self.keep_rounds(options)?;
        if self.is_mean && !self.trees.is_empty() {
            let share = 1.0 / self.trees.len() as f64;
            scale_leaves(&mut self.trees, share);
        }
        let name = StageSummary::SCORE;
        let factor =
            Factor { net: self.net, ..Factor::new(name, self.link, self.start, self.trees) };
        let model = Model {
            learner: self.learner.to_owned(),
            parameters: self.parameters,
            seed: 0,
            goal: options.goal.clone(),
            columns: options.columns.clone(),
            features: self.features,
            list_scaling: ListScaling::None,
            data: Fingerprint::default(),
            stages: Vec::new(),
            members: Vec::new(),
            scorer: Scorer { unit: 1.0, factors: vec![factor] },
            scores_costs: false,
            calibration: None,
            bound: None,
            rerank: None,
            training_lists: Vec::new(),
            profile: None,
        };
        Ok((model, self.notes))
    }

    fn name_features(&mut self, options: &ImportOptions) -> Result<(), Fault> {
        match &options.features {
            Some(names) if names.len() != self.features.len() => {
                return Err(Fault::refused(format!(
                    "{} given; the model has {}: {}",
                    match names.len() {
                        1 => "the name of 1 feature is".to_owned(),
                        n => format!("the names of {n} features are"),
                    },
                    counted(self.features.len(), "feature"),
                    shown(self.features.iter().map(|feature| feature.name.as_str()))
                )));
            }
            Some(names) => {
                let features = self.features.iter_mut().zip(names);
                features.for_each(|(feature, name)| feature.name.clone_from(name));
            }
            None if !self.named => self.notes.push(format!(
                "the file names no features: they are called {}, and data need columns of these names; give \
                 their names in this order (`features`)",
                shown(self.features.iter().map(|feature| feature.name.as_str()))
            )),
            None => {}
        }
        Ok(())
    }

    /// Refuses what a model file could not hold, and columns that cannot be found in data.
    fn check(&self, options: &ImportOptions) -> Result<(), Fault> {
        let limits = [
            ("features", self.features.len(), MAX_FEATURES),
            ("trees", self.trees.len(), MAX_TREES),
        ];
        if let Some((what, met, most)) = limits.into_iter().find(|(_, met, most)| met > most) {
            return Err(Fault::refused(format!("it has {met} {what}; at most {most} are read")));
        }
        if self.net.as_ref().is_some_and(|net| net.inputs.is_empty()) {
            return Err(Fault::new("", "it has no weights"));
        }
        if self.start.is_nan() || self.start.abs() > MAX_VALUE {
            let what = format!("is {}; it must be finite", self.start);
            return Err(Fault::new("the constant of the score", what));
        }
        let mut seen = HashSet::new();
        for feature in &self.features {
            let name = &feature.name;
            if name.is_empty() {
                return Err(Fault::new("features", "a feature has an empty name"));
            }
            if !seen.insert(name) {
                let what = format!("two features are called `{name}`; give names that differ");
                return Err(Fault::new("features", what));
            }
            let categories = feature.categories.as_deref().unwrap_or_default();
            if categories.len() > MAX_CATEGORIES {
                return Err(Fault::refused(format!(
                    "its trees tell {} categories of `{name}` apart; models of stakes tell {MAX_CATEGORIES}",
                    categories.len()
                )));
            }
            let mut known = HashSet::new();
            if let Some(twice) = categories.iter().find(|category| !known.insert(*category)) {
                let what = format!("`{name}` has the category `{twice}` twice");
                return Err(Fault::new("features", what));
            }
        }
        match options.columns.iter().find(|(_, column)| seen.contains(column)) {
            Some((role, column)) => Err(Fault::refused(format!(
                "`{column}` is a feature of the model and cannot be the column of the {role} as well"
            ))),
            None => Ok(()),
        }
    }

    fn keep_rounds(&mut self, options: &ImportOptions) -> Result<(), Fault> {
        let Some(rounds) = options.rounds else { return Ok(()) };
        let all = self.trees.len() / self.trees_per_round.max(1);
        if rounds == 0 || rounds > all {
            return Err(Fault::refused(format!(
                "{} to keep; the model has {all}",
                counted(rounds, "round")
            )));
        }
        self.trees.truncate(rounds * self.trees_per_round);
        Ok(())
    }
}

/// The first names of many.
pub(super) fn shown<'n>(names: impl ExactSizeIterator<Item = &'n str>) -> String {
    const MAX_SHOWN: usize = 5;
    let more = if names.len() > MAX_SHOWN { ", ..." } else { "" };
    names.take(MAX_SHOWN).collect::<Vec<_>>().join(", ") + more
}

/// Numeric features that have only numbers, with their names.
pub(super) fn numbered(names: impl Iterator<Item = String>) -> Vec<ModelFeature> {
    names.map(|name| ModelFeature { name, categories: None }).collect()
}
