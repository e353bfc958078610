//! The backtest: what would this have saved over the last periods, and which rule for choosing a model would
//! have served best?
//!
//! As of each date every contestant is trained on the lists before it and ranks those of the period after it.
//! Beside the comparison over all periods there are: what each period brought, how much models changed from
//! date to date (`churn.rs`), what changed in the data (`drift.rs`), and how rules for choosing a learner
//! would have done (`choice.rs`).

mod choice;
mod churn;
mod drift;
mod table;
mod written;

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use stakes_core::jobs::Jobs;
use stakes_core::metric::{Scale, Spec};
use stakes_core::split::FoldPlan;
use stakes_eval::study::IDEAL;
use stakes_learn::Kind;
use stakes_model::Model;

use super::cell;
use super::compare::{ALL_LISTS, CompareOptions, Entries, Outcome, entries};
use super::contestant::{Contestant, Order, Part, complete};
use super::{Compared, Figure, Setting};
use crate::fit::Fit;
use crate::text::{Layout, Page};
use crate::{Error, Observer};

pub use choice::{Choices, Rule, RuleRecord};
pub use churn::Churn;
pub use drift::Drift;

use choice::Played;

/// The part of the work that trains with everything, before the name of the learner.
const RETRAIN: &str = "retrain";
/// The folds of the model that is trained with everything.
const FOLDS: usize = 5;

/// How a backtest is made.
#[derive(Debug, Clone)]
pub struct BacktestOptions {
    /// How contestants are compared.
    pub compare: CompareOptions,
    /// How far from the best figure of a period a learner may be to be near it, for the rule `near-best`.
    pub distance: f64,
}

impl Default for BacktestOptions {
    fn default() -> Self {
        BacktestOptions { compare: CompareOptions::default(), distance: 0.02 }
    }
}

/// The result of a backtest. As JSON it is the contract of `stakes backtest --json`.
#[derive(Debug, Clone, Serialize)]
pub struct Backtested {
    /// The comparison over all periods.
    #[serde(flatten)]
    pub compared: Compared,
    /// What each period brought.
    pub periods: Vec<Period>,
    /// How rules for choosing a learner would have done; `null` with fewer than two periods.
    pub choices: Option<Choices>,
    /// How models changed from date to date.
    pub churn: Vec<Churn>,
    /// What changed in the data.
    pub drift: Vec<Drift>,
}

/// A period.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Period {
    /// The date as of which models were made.
    pub as_of: String,
    /// The number of its lists.
    pub lists: usize,
    /// The cost that the ideal order would have saved.
    pub ideal: Option<f64>,
    /// The cost that each contestant saved.
    pub saved: BTreeMap<String, Option<f64>>,
    /// The learner or score that saved most.
    pub best: Option<String>,
}

/// Trains every contestant as of every date, ranks the period after it, and judges.
pub fn backtest(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    options: &BacktestOptions,
    mut observer: Option<&mut dyn Observer>,
) -> Result<Outcome<Backtested>, Error> {
    if !matches!(setting.plan, FoldPlan::Temporal(_)) {
        return Err(Error::NotByTime { plan: setting.plan.to_string() });
    }
    let watching = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
    let comparing = options.compare.with_jobs_of(ALL_LISTS);
    let found = match entries(setting, contestants, &comparing, true, watching)? {
        Outcome::Finished(entries) => *entries,
        Outcome::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
    };
    if let Some(observer) = observer {
        observer.stage("looking for changes");
    }
    let churn = churn(setting, &found)?;
    let drift = drift::of_periods(setting)?;
    let Entries { contestants, mut compared, .. } = found;
    let choices = choices(&contestants, &compared, options.distance);
    let periods = periods(&compared);
    compared.verdict.extend(choices.as_ref().and_then(|choices| table::advice(&compared, choices)));
    Ok(Outcome::Finished(Box::new(Backtested { compared, periods, choices, churn, drift })))
}

/// Trains a contestant, by name, on all lists: what is used from now on. The backtest has judged it; lists
/// that are left out in turn only decide when to stop, and calibrate. Where settings were tuned in the
/// folds ([`CompareOptions::trials`]), they are tuned again, on lists that are held out. `None` if the observer stopped it.
pub fn retrain(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    name: &str,
    options: &CompareOptions,
    observer: Option<&mut dyn Observer>,
) -> Result<Option<Model>, Error> {
    let all = complete(contestants)?;
    let order = all.into_iter().find(|contestant| contestant.name == name).map(|c| c.order);
    let Some(Order::Learner(configured)) = order else {
        return Err(Error::Contestant(format!("{name} is not a learner of this backtest")));
    };
    let trials = options.trials;
    let is_tuned = cell::is_tuned(&configured, trials);
    // A blend has folds of its own.
    let has_folds = configured.learner.kind() == Kind::Blend;
    let is_several = is_tuned || has_folds || !configured.learner.cross_fits();
    let fit = Fit::configured(configured).seed(setting.seed);
    let fit = match (is_tuned, has_folds) {
        (true, _) => fit.tune(trials),
        (false, true) => fit,
        (false, false) => fit.folds(FOLDS),
    };
    // Folds that are trained in step are one training.
    let fit = if is_several { fit.jobs(retraining(options, name)) } else { fit };
    let division = fit.divide(setting.data.as_ref(), &setting.goal)?;
    let fitted = fit.run(&division, observer)?;
    Ok(fitted.model.filter(|_| fitted.interruption.is_none()))
}

/// The jobs of [`retrain`].
fn retraining(options: &CompareOptions, name: &str) -> Jobs {
    options.jobs.within(&format!("{RETRAIN} {name}"))
}

/// The contestant that [`retrain`] is to be called for, where only one job is asked for and it is one of these.
pub fn asked_to_retrain(
    contestants: &[Contestant],
    options: &CompareOptions,
) -> Result<Option<String>, Error> {
    let names = complete(contestants)?.into_iter().map(|contestant| contestant.name);
    let is_asked =
        |name: &String| options.jobs.is_only_one() && retraining(options, name).include_this_part();
    // A name may begin as another one does.
    Ok(names.filter(is_asked).max_by_key(String::len))
}

fn churn(setting: &Setting<'_>, found: &Entries) -> Result<Vec<Churn>, Error> {
    let saved = setting.goal.complete(Spec::named("saved")).build(Scale::of(&setting.data))?;
    let mut churn = Vec::new();
    for (contestant, cells) in found.contestants.iter().zip(&found.cells) {
        if contestant.part() == Part::Learner {
            churn.extend(churn::of_contestant(setting, &contestant.name, cells, &saved)?);
        }
    }
    Ok(churn)
}

/// Rules choose among learners, by the metric of the goal. Periods in which nothing could be saved say
/// nothing.
fn choices(contestants: &[Contestant], compared: &Compared, distance: f64) -> Option<Choices> {
    let learners: Vec<String> = contestants
        .iter()
        .filter(|contestant| contestant.part() == Part::Learner)
        .map(|contestant| contestant.name.clone())
        .collect();
    let figures = |metric: &str| -> Vec<&Figure> {
        learners.iter().filter_map(|name| compared.figure(name, metric)).collect()
    };
    let (goal, saved) = (figures(&compared.settings.metric), figures(&compared.settings.saved));
    let sign = if goal.first()?.higher_is_better { 1.0 } else { -1.0 };
    let played = compared.folds.iter().enumerate().filter_map(|(number, fold)| {
        let all = |figures: &[&Figure]| -> Option<Vec<f64>> {
            figures.iter().map(|figure| figure.by_fold[number]).collect()
        };
        let figures = all(&goal)?.into_iter().map(|figure| sign * figure).collect();
        Some(Played { label: fold.label.clone(), figures, saved: all(&saved)? })
    });
    choice::play(&learners, &played.collect::<Vec<_>>(), distance)
}

fn periods(compared: &Compared) -> Vec<Period> {
    let saved = |name: &str, number: usize| {
        compared.figure(name, &compared.settings.saved).and_then(|figure| figure.by_fold[number])
    };
    let period = |(number, fold): (usize, &super::FoldSize)| {
        let each = compared.contestants.iter().filter(|entrant| entrant.name != IDEAL);
        let candidates =
            compared.contestants.iter().filter(|e| matches!(e.part, Part::Learner | Part::Score));
        let best = candidates
            .filter_map(|e| Some((&e.name, saved(&e.name, number)?)))
            .reduce(|a, b| if b.1 > a.1 { b } else { a });
        Period {
            as_of: fold.label.clone(),
            lists: fold.test,
            ideal: saved(IDEAL, number),
            saved: each.map(|e| (e.name.clone(), saved(&e.name, number))).collect(),
            best: best.map(|(name, _)| name.clone()),
        }
    };
    compared.folds.iter().enumerate().map(period).collect()
}

impl Backtested {
    /// The learner that the rule with the least regret picks now, or the one that saved most.
    pub fn picked(&self) -> &str {
        let rule = self.choices.as_ref().and_then(|choices| choices.rules.first());
        rule.map_or(&self.compared.best, |rule| &rule.next)
    }

    /// Writes the comparison and what time adds as a page.
    pub fn write(&self, page: &mut Page) {
        self.compared.write(page);
        table::write(page, self);
    }
}

impl fmt::Display for Backtested {
    /// See [`Backtested::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}
