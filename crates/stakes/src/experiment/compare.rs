//! The comparison of contestants over folds.

use stakes_core::jobs::Jobs;
use stakes_core::metric::{Metric, Scale, Spec};
use stakes_eval::study::{BEST_FEATURE, IDEAL, RANDOM};
use stakes_stats::{Correction, IntervalOptions, PairedTest, TestOptions};

use super::cell::{Cell, Training};
use super::cells::{self, Computed, Experiment};
use super::contestant::{CURRENT, Contestant, Order, Part, complete};
use super::figures::{Measured, Tests};
use super::learning_curve;
use super::run_directory::{Manifest, RunDirectory};
use super::verdict::{self, Facts};
use super::versus::{self, Testing};
use super::{Compared, Entrant, FoldSize, Setting, Settings, Time};
use crate::evaluate::{cost_name, metrics};
use crate::observer::{Silent, or_silent};
use crate::{Error, Note, Observer};

/// How contestants are compared.
#[derive(Debug, Clone, Default)]
pub struct CompareOptions {
    /// Further metrics beside that of the goal, which is the first.
    pub metrics: Vec<Spec>,
    /// Settings of a learner that are tried in each fold, within its training lists: the same number for
    /// all. Below 2, defaults are used as they are.
    pub trials: usize,
    /// Parts of the training lists, between 0 and 1, of which every learner also learns alone: a learning
    /// curve.
    pub learning_curve: Vec<f64>,
    /// A directory that keeps what is finished, so that the comparison can be interrupted and extended.
    pub run: Option<String>,
    /// Where trainings are made.
    pub jobs: Jobs,
    /// The intervals.
    pub intervals: IntervalOptions,
    /// The paired test over lists.
    pub test: PairedTest,
    /// Its options.
    pub test_options: TestOptions,
    /// The correction of p values for the number of contestants.
    pub correction: Correction,
}

/// How a comparison ended.
#[derive(Debug, Clone)]
pub enum Outcome<T = Compared> {
    /// With results.
    Finished(Box<T>),
    /// The observer stopped it: of so many trainings some are finished. With a run directory it goes on
    /// from there.
    Interrupted {
        /// Finished trainings.
        done: usize,
        /// All trainings.
        of: usize,
    },
}

/// Compares contestants: trains those that learn in every fold, and judges all by the test lists.
///
/// Beside those given there are always: [`COMPANIONS`](super::COMPANIONS), the best single feature (chosen on
/// the training lists of each fold), a random and the ideal order. Without any given, `auto` is compared
/// with these.
pub fn compare(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    options: &CompareOptions,
    mut observer: Option<&mut dyn Observer>,
) -> Result<Outcome, Error> {
    let whole = options.with_jobs_of(ALL_LISTS);
    if !whole.jobs.include_this_part() {
        learning_curve::points(setting, contestants, options, None, observer)?;
        return Err(options.jobs.unknown().into());
    }
    let watching = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
    let mut compared = match entries(setting, contestants, &whole, false, watching)? {
        Outcome::Finished(entries) => entries.compared,
        Outcome::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
    };
    if !options.learning_curve.is_empty() {
        match learning_curve::points(setting, contestants, options, Some(&compared), observer)? {
            Outcome::Finished(points) => compared.learning_curve = *points,
            Outcome::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
        }
    }
    Ok(Outcome::Finished(Box::new(compared)))
}

/// The part of a comparison, or of a backtest, that learns from all training lists.
pub(super) const ALL_LISTS: &str = "all lists";

impl CompareOptions {
    /// These options for a part of the work.
    pub(super) fn with_jobs_of(&self, part: &str) -> Self {
        CompareOptions { jobs: self.jobs.within(part), ..self.clone() }
    }
}

/// A comparison with what it was made of.
pub(super) struct Entries {
    /// All who were compared, references included.
    pub(super) contestants: Vec<Contestant>,
    /// The cells of each, fold after fold; empty for those that are not trained.
    pub(super) cells: Vec<Vec<Cell>>,
    /// Every metric with the parts of all tested lists: that of the goal first.
    pub(super) measured: Vec<Measured>,
    pub(super) compared: Compared,
}

/// Compares contestants; where it `looks_ahead`, cells also have scores of the next fold's test lists.
pub(super) fn entries(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    options: &CompareOptions,
    looks_ahead: bool,
    observer: Option<&mut dyn Observer>,
) -> Result<Outcome<Entries>, Error> {
    let contestants = complete(contestants)?;
    let measures = measures(setting, options)?;
    let run = match options.run.as_ref().filter(|_| !options.jobs.is_only_one()) {
        Some(path) => {
            RunDirectory::open(path, &Manifest::new(setting, options.trials, looks_ahead)?)?
        }
        None => RunDirectory::in_memory(),
    };
    let mut silent = Silent;
    let observer = or_silent(observer, &mut silent);
    let training = Training { trials: options.trials, looks_ahead };
    let experiment = Experiment { setting, contestants: &contestants, training };
    let cells = match cells::compute(experiment, &run, &options.jobs, observer)? {
        Computed::All(cells) => cells,
        Computed::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
    };
    observer.stage("judging");
    let (contestants, cells, notes) = without_refused(contestants, cells);
    let (compared, measured) = judge(setting, &contestants, &cells, measures, options, notes)?;
    Ok(Outcome::Finished(Box::new(Entries { contestants, cells, measured, compared })))
}

/// The metrics: that of the goal, further ones, and the saved cost last.
struct Measures {
    all: Vec<Metric>,
    saved: usize,
}

fn measures(setting: &Setting<'_>, options: &CompareOptions) -> Result<Measures, Error> {
    let goal = &setting.goal;
    let scale = Scale::of(&setting.data);
    let mut specs = vec![goal.spec()];
    let asked = options.metrics.iter().map(|spec| goal.complete(spec.clone()));
    specs.extend(asked.filter(|spec| *spec != goal.spec()));
    let mut all = metrics(goal, &specs, scale)?;
    let saved = goal.complete(Spec::named("saved")).build(scale)?;
    let known = all.iter().position(|metric| metric.name() == saved.name());
    let at = known.unwrap_or(all.len());
    if known.is_none() {
        all.push(saved);
    }
    Ok(Measures { all, saved: at })
}

/// Leaves out those that cannot learn these data, with a note.
fn without_refused(
    contestants: Vec<Contestant>,
    cells: Vec<Vec<Cell>>,
) -> (Vec<Contestant>, Vec<Vec<Cell>>, Vec<Note>) {
    let (mut kept, mut kept_cells, mut notes) = (Vec::new(), Vec::new(), Vec::new());
    for (contestant, cells) in contestants.into_iter().zip(cells) {
        match cells.iter().find_map(|cell| cell.refused.clone()) {
            Some(why) => notes.push(Note::LeftOut { contestant: contestant.shown(), why }),
            None => {
                kept.push(contestant);
                kept_cells.push(cells);
            }
        }
    }
    (kept, kept_cells, notes)
}

fn judge(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    cells: &[Vec<Cell>],
    measures: Measures,
    options: &CompareOptions,
    notes: Vec<Note>,
) -> Result<(Compared, Vec<Measured>), Error> {
    let tests = Tests::new(setting, contestants, cells);
    let measured = measures.all.into_iter().map(|metric| tests.measure(metric, &options.intervals));
    let measured = measured.collect::<Result<Vec<Measured>, Error>>()?;
    let saved = &measured[measures.saved];
    let testing = Testing {
        intervals: options.intervals,
        test: options.test,
        options: options.test_options,
        correction: options.correction,
    };
    let is_tested = |c: &usize| ![RANDOM, IDEAL].contains(&contestants[*c].name.as_str());
    let tested: Vec<usize> = (0..contestants.len()).filter(is_tested).collect();
    let best = best(contestants, saved);
    let current = contestants.iter().position(|contestant| contestant.name == CURRENT);
    let mut comparisons = Vec::new();
    let (mut against_best, mut against_current) = (Vec::new(), Vec::new());
    for (at, measured) in measured.iter().enumerate() {
        let found = versus::against(measured, &tested, best, &testing)?;
        if at == measures.saved {
            against_best.clone_from(&found);
        }
        comparisons.extend(found);
        let Some(current) = current.filter(|&current| current != best) else { continue };
        let found = versus::against(measured, &tested, current, &testing)?;
        if at == measures.saved {
            against_current.clone_from(&found);
        }
        comparisons.extend(found);
    }
    let entrants: Vec<Entrant> = contestants
        .iter()
        .zip(cells)
        .map(|(contestant, cells)| entrant(contestant, cells))
        .collect();
    let problem = setting.problem()?;
    let verdict = verdict::sentences(&Facts {
        entrants: &entrants,
        best: &contestants[best].name,
        against_best: &against_best,
        against_current: &against_current,
        unit: &cost_name(&problem),
        repeats: tests.repeats(),
        lists: tests.n_lists(),
        intervals: &options.intervals,
    });
    let trained = contestants.iter().zip(cells).filter(|(_, cells)| !cells.is_empty());
    let compared = Compared {
        stakes: env!("CARGO_PKG_VERSION"),
        data: (&*setting.data).into(),
        settings: Settings {
            cost: cost_name(&problem),
            goal: setting.goal.to_string(),
            metric: measured[0].metric.name(),
            saved: saved.metric.name(),
            folds: setting.plan.to_string(),
            seed: setting.seed,
            trials: options.trials,
            level: options.intervals.level,
            interval: options.intervals.method,
            test: options.test.name(),
            correction: options.correction.name(),
            repeats: tests.repeats(),
        },
        folds: setting.folds.iter().map(FoldSize::from).collect(),
        contestants: entrants,
        wins: measured.iter().take(1).flat_map(versus::wins).collect(),
        comparisons,
        best: contestants[best].name.clone(),
        verdict,
        learning_curve: Vec::new(),
        notes,
        times: trained.map(|(contestant, cells)| time(contestant, cells)).collect(),
        results: measured.iter().flat_map(|measured| measured.figures.clone()).collect(),
    };
    Ok((compared, measured))
}

/// The contestant that saves most; references and the present order are not chosen, unless nobody else is
/// there. Of equal ones the first.
fn best(contestants: &[Contestant], saved: &Measured) -> usize {
    let key = |&c: &usize| {
        let can_be_chosen = matches!(contestants[c].part(), Part::Learner | Part::Score);
        (can_be_chosen, saved.figures[c].value.unwrap_or(f64::NEG_INFINITY))
    };
    let better = |a: usize, b: usize| match key(&a).0.cmp(&key(&b).0) {
        std::cmp::Ordering::Equal if key(&a).1 >= key(&b).1 => a,
        std::cmp::Ordering::Equal | std::cmp::Ordering::Less => b,
        std::cmp::Ordering::Greater => a,
    };
    (0..contestants.len()).reduce(better).unwrap_or(0)
}

fn entrant(contestant: &Contestant, cells: &[Cell]) -> Entrant {
    let learner = match &contestant.order {
        Order::Learner(configured) => Some(&configured.learner),
        _ => None,
    };
    let is_tuned = cells.iter().any(|cell| !cell.tuned.is_empty());
    let tuned = cells.iter().filter(|_| is_tuned).map(|cell| cell.tuned.clone());
    let is_feature = contestant.name == BEST_FEATURE;
    Entrant {
        name: contestant.name.clone(),
        shown: contestant.shown(),
        part: contestant.part(),
        learner: learner.map(|learner| learner.name().to_owned()),
        parameters: learner.map(|learner| learner.texts()).unwrap_or_default(),
        tuned: tuned.collect(),
        features: cells.iter().filter(|_| is_feature).filter_map(|c| c.feature.clone()).collect(),
    }
}

fn time(contestant: &Contestant, cells: &[Cell]) -> Time {
    let seconds = cells.iter().map(|cell| cell.seconds).sum();
    Time { contestant: contestant.name.clone(), seconds }
}
