//! A cell: one contestant in one fold, trained on its training lists alone and asked for scores of its test
//! lists.

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::metric::{Reads, Scale};
use stakes_core::split::Fold;
use stakes_eval::study::{BestFeature, best_feature};
use stakes_learn::{Configured, Kind, tune};

use super::Setting;
use super::contestant::{Contestant, Order};
use crate::fit::Fit;
use crate::{Error, Observer};

/// One contestant in one fold.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Cell {
    /// The contestant.
    pub contestant: String,
    /// The fold.
    pub fold: String,
    /// The learner, if it is one.
    pub learner: Option<String>,
    /// Its parameters before tuning.
    pub parameters: BTreeMap<String, String>,
    /// What tuning chose instead.
    pub tuned: BTreeMap<String, String>,
    /// The single feature that was best on the training lists, if that is the contestant.
    pub feature: Option<BestFeature>,
    /// Why there are no scores: the learner cannot learn these data.
    pub refused: Option<String>,
    /// The scores of the items of the test lists, in the order of the data.
    pub scores: Vec<f64>,
    /// The scores of the items of the next fold's test lists, where they are asked for.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub next_scores: Vec<f64>,
    /// How long it took.
    pub seconds: f64,
}

impl Cell {
    /// A cell without results: what says which one it is.
    pub(super) fn empty(contestant: &Contestant, fold: &Fold) -> Self {
        let learner = match &contestant.order {
            Order::Learner(configured) => Some(&configured.learner),
            _ => None,
        };
        Cell {
            contestant: contestant.name.clone(),
            fold: fold.label.clone(),
            learner: learner.map(|learner| learner.name().to_owned()),
            parameters: learner.map(|learner| learner.texts()).unwrap_or_default(),
            tuned: BTreeMap::new(),
            feature: None,
            refused: None,
            scores: Vec::new(),
            next_scores: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Whether it has what a finished cell with scores of this many items has.
    pub(super) fn is_whole(&self, items: usize) -> bool {
        let has_scores = self.refused.is_some() || self.scores.len() == items;
        has_scores && self.scores.iter().all(|score| score.is_finite())
    }

    /// Whether both are of the same contestant with the same settings, in the same fold.
    pub(super) fn is_same(&self, other: &Cell) -> bool {
        let key = |cell: &'_ Cell| {
            (
                cell.contestant.clone(),
                cell.fold.clone(),
                cell.learner.clone(),
                cell.parameters.clone(),
            )
        };
        key(self) == key(other)
    }
}

/// How cells are computed.
#[derive(Debug, Clone, Copy)]
pub(super) struct Training {
    /// The trials of tuning.
    pub(super) trials: usize,
    /// Whether the test lists of the next fold are scored as well.
    pub(super) looks_ahead: bool,
}

/// Trains a contestant in a fold; `None` if the observer stopped it.
pub(super) fn compute(
    setting: &Setting<'_>,
    contestant: &Contestant,
    number: usize,
    training: Training,
    observer: &mut dyn Observer,
) -> Result<Option<Cell>, Error> {
    let begun = Instant::now();
    let fold = &setting.folds[number];
    let mut cell = Cell::empty(contestant, fold);
    let next = setting.folds.get(number + 1).filter(|_| training.looks_ahead);
    let done = match &contestant.order {
        Order::Learner(configured) => {
            train(setting, configured, (fold, next), training.trials, &mut cell, observer)
        }
        Order::BestFeature => choose_feature(setting, fold, &mut cell).map(|()| true),
        _ => Ok(true),
    };
    match done {
        Ok(false) => return Ok(None),
        Ok(true) => {}
        Err(error @ (Error::Fit(_) | Error::Param(_))) if contestant.optional => {
            cell.refused = Some(error.to_string());
        }
        Err(error) => return Err(error),
    }
    cell.seconds = begun.elapsed().as_secs_f64();
    Ok(Some(cell))
}

/// Whether so many trials tune a learner.
pub(super) fn is_tuned(configured: &Configured, trials: usize) -> bool {
    trials >= 2 && tune::is_tunable(configured)
}

/// Whether the training was not stopped.
fn train(
    setting: &Setting<'_>,
    configured: &Configured,
    (fold, next): (&Fold, Option<&Fold>),
    trials: usize,
    cell: &mut Cell,
    observer: &mut dyn Observer,
) -> Result<bool, Error> {
    let mut fit = Fit::configured(configured.clone()).seed(setting.seed);
    let is_tuned = is_tuned(configured, trials);
    if is_tuned {
        fit = fit.tune(trials);
    }
    // A blend cross-validates what it knows by itself.
    let has_own_folds = configured.learner.kind() == Kind::Blend;
    let division = match fold.validation.is_empty() || has_own_folds {
        true => fit.divide(setting.known(fold), &setting.goal)?,
        false => {
            let validation = setting.data.take_lists(&fold.validation);
            fit.validate_with(setting.data.take_lists(&fold.train), validation, &setting.goal)?
        }
    };
    let fitted = fit.run(&division, Some(observer))?;
    let (false, Some(model)) = (fitted.is_interrupted(), &fitted.model) else { return Ok(false) };
    if is_tuned {
        let changed = model.parameters.iter().filter(|(key, value)| {
            cell.parameters.get(*key).is_some_and(|before| before != *value)
        });
        cell.tuned = changed.map(|(key, value)| (key.clone(), value.clone())).collect();
    }
    let priorities = |fold: &Fold| {
        let tested = setting.tested(fold);
        Ok::<_, Error>(model.priorities(model.score(&tested)?, &tested, setting.goal.reach))
    };
    cell.scores = priorities(fold)?;
    if let Some(next) = next {
        cell.next_scores = priorities(next)?;
    }
    Ok(true)
}

fn choose_feature(setting: &Setting<'_>, fold: &Fold, cell: &mut Cell) -> Result<(), Error> {
    let known = setting.known(fold);
    let problem = Problem::new(&known, &setting.goal)?;
    let metric = setting.goal.spec().build(Scale::of(&known))?;
    let best = match metric.reads() {
        Reads::Order => best_feature(&problem, &metric)?,
        _ => None,
    };
    match best {
        Some((feature, _)) => {
            cell.scores = feature.scores(&setting.tested(fold)).unwrap_or_default();
            cell.feature = Some(feature);
        }
        None => cell.refused = Some("there is no numeric feature to order by".to_owned()),
    }
    Ok(())
}
