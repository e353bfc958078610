//! All cells of an experiment: those that are finished are read, the others are computed.
//!
//! With few data a cell has one thread, and as many are computed at once as there are threads; with many,
//! one after the other has all threads, so that only one training is in memory. Cells do not
//! depend on each other nor on the number of threads; they may be [computed elsewhere](super::shared).

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use stakes_core::cost::Problem;
use stakes_core::jobs::Jobs;
use stakes_learn::learner::training_seconds;

use super::Setting;
use super::cell::{self, Cell, Training};
use super::contestant::{Contestant, Order};
use super::progress::{Progress, Seat};
use super::run_directory::RunDirectory;
use super::shared;
use crate::{Error, Observer};

/// With at most this many values of features, cells are computed at the same time.
const FEW_VALUES: usize = 2_000_000;

/// The cells of each contestant, fold after fold; empty for contestants that are not trained.
pub(super) type Cells = Vec<Vec<Cell>>;

/// All cells, or how many of them are finished if the observer stopped.
pub(super) enum Computed {
    All(Cells),
    Interrupted { done: usize, of: usize },
}

/// What cells are of.
#[derive(Clone, Copy)]
pub(super) struct Experiment<'e> {
    pub(super) setting: &'e Setting<'e>,
    pub(super) contestants: &'e [Contestant],
    pub(super) training: Training,
}

impl Experiment<'_> {
    /// What a cell is called: its contestant and its fold.
    pub(super) fn name(&self, (contestant, fold): (usize, usize)) -> String {
        format!("{}, {}", self.contestants[contestant].name, self.setting.folds[fold].label)
    }

    /// The number of items that a cell of this fold has scores of.
    pub(super) fn n_scores(&self, fold: usize) -> usize {
        let Setting { data, folds, .. } = self.setting;
        folds[fold].test.iter().map(|&list| data.items(list).len()).sum()
    }
}

pub(super) fn compute(
    experiment: Experiment<'_>,
    run: &RunDirectory,
    jobs: &Jobs,
    observer: &mut dyn Observer,
) -> Result<Computed, Error> {
    let Experiment { setting, contestants, training } = experiment;
    let trained = contestants.iter().enumerate().filter(|(_, c)| c.is_trained());
    let places: Vec<(usize, usize)> =
        trained.flat_map(|(c, _)| (0..setting.folds.len()).map(move |fold| (c, fold))).collect();
    if let Some(wanted) = jobs.wanted() {
        return Err(shared::only(experiment, &places, jobs, &wanted, observer)?.into());
    }
    let mut found: Vec<Option<Cell>> = Vec::with_capacity(places.len());
    for &(c, number) in &places {
        let (fold, items) = (&setting.folds[number], experiment.n_scores(number));
        found.push(run.find(&contestants[c], (number, fold), items)?);
    }
    let all = setting.problem()?;
    let estimate =
        |&(c, fold): &(usize, usize)| work(setting, &all, &contestants[c], fold, training.trials);
    let work: Vec<f64> = places.iter().map(estimate).collect();
    let progress =
        Progress::new(observer, &work, &found.iter().map(Option::is_some).collect::<Vec<_>>());
    let todo: Vec<usize> = (0..places.len()).filter(|&place| found[place].is_none()).collect();
    let computed = Mutex::new(Vec::new());
    let one = |place: usize| {
        let (c, number) = places[place];
        let mut seat = Seat::new(&progress, place, experiment.name(places[place]));
        let done = cell::compute(setting, &contestants[c], number, training, &mut seat);
        let done = done.and_then(|cell| match cell {
            Some(cell) => run.keep(&cell, number).map(|()| Some(cell)),
            None => Ok(None),
        });
        match &done {
            Ok(Some(_)) => progress.finish(place),
            Ok(None) | Err(_) => progress.stop(),
        }
        lock(&computed).push((place, done));
    };
    let is_small = setting.data.len() * setting.data.features().width() <= FEW_VALUES;
    let todo = match jobs.are_elsewhere() {
        false => todo,
        true => {
            // To choose a feature takes less time than to give it out.
            let (given_out, own): (Vec<usize>, Vec<usize>) = todo
                .into_iter()
                .partition(|&at| matches!(contestants[places[at].0].order, Order::Learner(_)));
            let mut given_out: Vec<_> = given_out.into_iter().map(|at| (at, places[at])).collect();
            // What takes longest begins first.
            given_out.sort_by(|(a, _), (b, _)| work[*b].total_cmp(&work[*a]));
            for (place, cell) in shared::gather(experiment, &given_out, jobs, run, &progress)? {
                found[place] = Some(cell);
            }
            own
        }
    };
    match rayon::current_num_threads().min(todo.len()) {
        threads @ 2.. if is_small => side_by_side(threads, &todo, &progress, &one)?,
        _ => todo.iter().take_while(|_| !progress.is_stopped()).for_each(|&place| one(place)),
    }
    let mut computed = computed.into_inner().unwrap_or_else(|poisoned| poisoned.into_inner());
    // Of several errors the first counts, whichever came first.
    computed.sort_by_key(|(place, _)| *place);
    for (place, cell) in computed {
        found[place] = cell?;
    }
    let done = found.iter().flatten().count();
    if done < places.len() {
        return Ok(Computed::Interrupted { done, of: places.len() });
    }
    let mut cells: Cells = vec![Vec::new(); contestants.len()];
    for (&(contestant, _), cell) in places.iter().zip(found) {
        cells[contestant].extend(cell);
    }
    Ok(Computed::All(cells))
}

/// Several cells at once, each with one thread of its own: a thread that waits for a part of its cell must
/// not begin another one.
fn side_by_side(
    threads: usize,
    todo: &[usize],
    progress: &Progress<'_>,
    one: &(impl Fn(usize) + Sync),
) -> Result<(), Error> {
    let next = AtomicUsize::new(0);
    let pools = (0..threads)
        .map(|_| rayon::ThreadPoolBuilder::new().num_threads(1).build())
        .collect::<Result<Vec<_>, _>>()
        .map_err(|error| Error::Threads(error.to_string()))?;
    thread::scope(|scope| {
        for pool in &pools {
            scope.spawn(|| {
                while let Some(&place) = todo.get(next.fetch_add(1, Ordering::Relaxed))
                    && !progress.is_stopped()
                {
                    pool.install(|| one(place));
                }
            });
        }
    });
    Ok(())
}

/// The estimated seconds of a cell, for people who wait.
fn work(
    setting: &Setting<'_>,
    all: &Problem<'_>,
    contestant: &Contestant,
    fold: usize,
    trials: usize,
) -> f64 {
    let Order::Learner(configured) = &contestant.order else { return 0.0 };
    let learner = &*configured.learner;
    let data = &setting.data;
    let items: usize = setting.folds[fold].train.iter().map(|&list| data.items(list).len()).sum();
    if let Some(work) = learner.work(all) {
        return work.seconds * items as f64 / data.len() as f64;
    }
    let one = training_seconds(learner, data.features().width(), items);
    // Folds are trained in step; a trial makes a part of its rounds.
    let trainings = if learner.cross_fits() { 4.0 } else { 1.0 };
    one.max(1e-3) * trainings * trials.max(1) as f64
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
