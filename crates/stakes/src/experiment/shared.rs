//! Cells that are computed elsewhere. A job is a cell: it begins with the manifest of the experiment, which must be the
//! same on both sides, and comes to the JSON of the cell, in which every number reads back to the same bits.

use stakes_core::jobs::{Job, JobError, Jobs};

use super::cell::{self, Cell};
use super::cells::Experiment;
use super::progress::Progress;
use super::run_directory::{Manifest, RunDirectory};
use crate::{Error, Observer};

impl Experiment<'_> {
    fn manifest(&self) -> Result<Manifest, Error> {
        Manifest::new(self.setting, self.training.trials, self.training.looks_ahead)
    }
}

/// Computes the one cell that is asked for.
pub(super) fn only(
    experiment: Experiment<'_>,
    places: &[(usize, usize)],
    jobs: &Jobs,
    wanted: &Job,
    observer: &mut dyn Observer,
) -> Result<JobError, Error> {
    let place = places.iter().copied().find(|&place| experiment.name(place) == wanted.name);
    let Some((contestant, fold)) = place else { return Err(jobs.unknown().into()) };
    let then = serde_json::from_slice::<Manifest>(&wanted.begun);
    let then = then.map_err(|error| JobError::Differs(error.to_string()))?;
    if let Some(what) = then.difference(&experiment.manifest()?) {
        return Err(JobError::Differs(what).into());
    }
    let Experiment { setting, contestants, training } = experiment;
    let cell = cell::compute(setting, &contestants[contestant], fold, training, observer)?;
    let cell = cell.ok_or(JobError::Stopped)?;
    Ok(jobs.end(json(&cell)))
}

/// Has cells computed elsewhere, each a number with its contestant and its fold, and keeps them as they come. Those that
/// are missing were not finished when the observer stopped it.
pub(super) fn gather(
    experiment: Experiment<'_>,
    todo: &[(usize, (usize, usize))],
    jobs: &Jobs,
    run: &RunDirectory,
    progress: &Progress<'_>,
) -> Result<Vec<(usize, Cell)>, Error> {
    let begun = json(&experiment.manifest()?);
    let named: Vec<Job> =
        todo.iter().map(|&(_, place)| Job::new(experiment.name(place), begun.clone())).collect();
    let mut computed = Vec::new();
    jobs.share(&named, |heard| {
        if let Some((at, bytes)) = heard {
            let (number, (contestant, fold)) = todo[at];
            let cell = read(experiment, (contestant, fold), &bytes)
                .map_err(|why| JobError::Damaged { name: named[at].name.clone(), why })?;
            run.keep(&cell, fold)?;
            computed.push((number, cell));
            progress.finish(number);
        } else {
            progress.wait();
        }
        Ok::<bool, Error>(!progress.is_stopped())
    })?;
    Ok(computed)
}

/// The cell that came back, if it is one of this contestant in this fold.
fn read(
    experiment: Experiment<'_>,
    (contestant, fold): (usize, usize),
    bytes: &[u8],
) -> Result<Cell, String> {
    let Experiment { setting, contestants, .. } = experiment;
    let cell: Cell = serde_json::from_slice(bytes).map_err(|error| error.to_string())?;
    let asked = Cell::empty(&contestants[contestant], &setting.folds[fold]);
    match cell.is_same(&asked) && cell.is_whole(experiment.n_scores(fold)) {
        true => Ok(cell),
        false => Err("it is of another cell, or lacks scores".to_owned()),
    }
}

fn json(document: &impl serde::Serialize) -> Vec<u8> {
    // Text and finite numbers can always be written.
    serde_json::to_vec(document).unwrap_or_default()
}
