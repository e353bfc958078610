//! What all experiments begin with: data, a goal, and folds of the lists.

use std::borrow::Cow;

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::split::{Fold, FoldPlan};

use crate::Error;

/// Data, goal and folds. The fields may be set by hand, for instance for folds of your own.
#[derive(Debug, Clone)]
pub struct Setting<'d> {
    /// The data, without the column that names the parts of folds.
    pub data: Cow<'d, Dataset>,
    /// The goal. Percentages have become numbers of items, by the mean length of all lists.
    pub goal: Goal,
    /// How folds were made.
    pub plan: FoldPlan,
    /// The folds.
    pub folds: Vec<Fold>,
    /// The seed of all random draws.
    pub seed: u64,
}

impl<'d> Setting<'d> {
    /// Makes the folds. Without a plan there are five, by time where times are known.
    pub fn new(
        data: &'d Dataset,
        goal: &Goal,
        plan: Option<FoldPlan>,
        seed: u64,
    ) -> Result<Self, Error> {
        let plan = plan.unwrap_or_else(|| FoldPlan::default_for(data.time().is_some()));
        let goal = goal.clone().resolve(data.mean_list_length());
        let folds = plan.folds(&Problem::new(data, &goal)?, seed)?;
        let is_feature = |name: &&str| data.feature_info().iter().any(|f| f.name == *name);
        let data = match plan.column().filter(is_feature) {
            Some(column) => Cow::Owned(data.clone().without_feature(column)),
            None => Cow::Borrowed(data),
        };
        Ok(Setting { data, goal, plan, folds, seed })
    }

    /// The folds with the names of their lists.
    pub fn record(&self) -> SettingRecord {
        let names = |lists: &[usize]| {
            lists.iter().map(|&list| self.data.list_id(list).to_owned()).collect()
        };
        let fold = |fold: &Fold| FoldLists {
            label: fold.label.clone(),
            train: names(&fold.train),
            validation: names(&fold.validation),
            test: names(&fold.test),
        };
        SettingRecord {
            plan: self.plan.to_string(),
            seed: self.seed,
            folds: self.folds.iter().map(fold).collect(),
        }
    }

    /// All lists with the goal.
    pub fn problem(&self) -> Result<Problem<'_>, Error> {
        Ok(Problem::new(&self.data, &self.goal)?)
    }

    /// The lists that a model of a fold may know: those to train with and those to validate with.
    pub fn known(&self, fold: &Fold) -> Dataset {
        let mut lists = [&fold.train[..], &fold.validation].concat();
        lists.sort_unstable();
        self.data.take_lists(&lists)
    }

    /// The test lists of a fold.
    pub fn tested(&self, fold: &Fold) -> Dataset {
        self.data.take_lists(&fold.test)
    }

    /// The lists that are tested, each once, in the order of the data.
    pub fn tested_lists(&self) -> Vec<usize> {
        let mut lists: Vec<usize> =
            self.folds.iter().flat_map(|fold| fold.test.iter().copied()).collect();
        lists.sort_unstable();
        lists.dedup();
        lists
    }
}

/// A plan and its folds, for files.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SettingRecord {
    /// How folds were made.
    pub plan: String,
    /// The seed.
    pub seed: u64,
    /// The folds.
    pub folds: Vec<FoldLists>,
}

/// The names of the lists of a fold.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct FoldLists {
    /// Its name.
    pub label: String,
    /// The lists to train with.
    pub train: Vec<String>,
    /// The lists to validate with.
    pub validation: Vec<String>,
    /// The lists to test.
    pub test: Vec<String>,
}
