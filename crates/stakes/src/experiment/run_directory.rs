//! A run directory: what was asked for, and every cell that is finished.
//!
//! `manifest.json` says what all cells depend on: the program, the data, the goal, the folds, the seed, the
//! trials of tuning. `cells/CONTESTANT/FOLD.json` is one finished cell. Files appear when they are complete,
//! so a run that was killed goes on where it was; contestants may be added later. Nothing is ever
//! overwritten: what does not belong together is refused.

use std::fs;
use std::path::{Path, PathBuf};

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use stakes_core::random::{GAMMA, mix};
use stakes_core::split::Fold;
use stakes_model::Fingerprint;

use super::Setting;
use super::cell::Cell;
use super::contestant::Contestant;
use crate::Error;

const MANIFEST: &str = "manifest.json";
const CELLS: &str = "cells";

/// What all cells of a run depend on.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Manifest {
    /// The version of the program.
    pub stakes: String,
    /// The number of items, of lists, and a hash of the data.
    pub data: DataRecord,
    /// The goal.
    pub goal: String,
    /// How folds were made.
    pub plan: String,
    /// The folds.
    pub folds: Vec<FoldRecord>,
    /// The seed.
    pub seed: u64,
    /// The trials of tuning for each contestant and fold.
    pub trials: usize,
    /// Whether cells also have scores of the next fold's test lists, as backtests need them.
    pub looks_ahead: bool,
}

/// A fingerprint of data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DataRecord {
    /// The number of items.
    pub items: u64,
    /// The number of lists.
    pub lists: u64,
    /// A hash of ids, features and costs.
    pub hash: String,
}

/// A fold in a manifest.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FoldRecord {
    /// Its name.
    pub label: String,
    /// The number of lists to train with.
    pub train: usize,
    /// The number of lists to validate with.
    pub validation: usize,
    /// The number of lists to test.
    pub test: usize,
    /// A hash of the lists on each side.
    pub hash: String,
}

impl Manifest {
    /// The manifest of an experiment.
    pub fn new(setting: &Setting<'_>, trials: usize, looks_ahead: bool) -> Result<Self, Error> {
        let problem = setting.problem()?;
        let Fingerprint { items, lists, hash } = Fingerprint::of(&problem)?;
        let hashes = Fingerprint::of_lists(&problem)?;
        // The order of the lists in a file does not matter.
        let side =
            |lists: &[usize]| lists.iter().fold(0, |sum: u64, &l| sum.wrapping_add(mix(hashes[l])));
        let of_fold = |fold: &Fold| {
            let sides = [&fold.train, &fold.validation, &fold.test].map(|lists| side(lists));
            sides.iter().fold(0, |hash, side| mix(hash ^ side.wrapping_add(GAMMA)))
        };
        let record = |fold: &Fold| FoldRecord {
            label: fold.label.clone(),
            train: fold.train.len(),
            validation: fold.validation.len(),
            test: fold.test.len(),
            hash: format!("{:016x}", of_fold(fold)),
        };
        Ok(Manifest {
            stakes: env!("CARGO_PKG_VERSION").to_owned(),
            data: DataRecord { items, lists, hash: format!("{hash:016x}") },
            goal: setting.goal.to_string(),
            plan: setting.plan.to_string(),
            folds: setting.folds.iter().map(record).collect(),
            seed: setting.seed,
            trials,
            looks_ahead,
        })
    }

    fn experiment(&self) -> &'static str {
        if self.looks_ahead { "a backtest" } else { "a comparison" }
    }

    /// What differs from another manifest, in words.
    pub(super) fn difference(&self, now: &Manifest) -> Option<String> {
        let pairs = [
            ("the version of stakes", self.stakes.clone(), now.stakes.clone()),
            ("the goal", self.goal.clone(), now.goal.clone()),
            ("the plan of folds", self.plan.clone(), now.plan.clone()),
            ("the seed", self.seed.to_string(), now.seed.to_string()),
            ("the number of trials", self.trials.to_string(), now.trials.to_string()),
            ("the experiment", self.experiment().into(), now.experiment().into()),
        ];
        if self.data != now.data {
            let words = |data: &DataRecord| {
                format!("{} items in {} lists, hash {}", data.items, data.lists, data.hash)
            };
            return Some(format!("other data ({}; now {})", words(&self.data), words(&now.data)));
        }
        for (what, before, now) in pairs {
            if before != now {
                return Some(format!("{what} was {before} and is now {now}"));
            }
        }
        (self.folds != now.folds).then(|| "the lists of the folds are others".to_owned())
    }
}

/// Makes a directory for the run of this manifest, or finds it to be one. One that holds anything else is refused,
/// with what `difference` says of the manifest that is there and this one.
pub(super) fn claim<M: Serialize + DeserializeOwned>(
    path: &str,
    manifest: &M,
    difference: impl Fn(&M, &M) -> Option<String>,
) -> Result<(), Error> {
    let refuse = |why: String| Err(Error::RunDirectory { path: path.to_owned(), why });
    let folder = Path::new(path);
    let file = folder.join(MANIFEST);
    if file.exists() {
        let known = match serde_json::from_slice::<M>(&stakes_io::read_bytes(text(&file)?)?) {
            Ok(known) => known,
            Err(error) => {
                return refuse(format!("{MANIFEST} is not the manifest of a run ({error})"));
            }
        };
        return match difference(&known, manifest) {
            Some(what) => refuse(format!(
                "it holds a run of something else: {what}; give the same again, or another directory"
            )),
            None => Ok(()),
        };
    }
    match fs::read_dir(folder).map(|mut entries| entries.next().is_none()) {
        Ok(false) => return refuse(format!("it is not empty, and has no {MANIFEST} of a run")),
        Ok(true) => {}
        Err(_) if folder.exists() => return refuse("it is not a directory".to_owned()),
        Err(_) => make(folder)?,
    }
    stakes_io::write_text(text(&file)?, &json(manifest))?;
    Ok(())
}

/// Finished cells: in a directory, or only in memory.
pub(super) struct RunDirectory {
    folder: Option<PathBuf>,
}

impl RunDirectory {
    /// Without a directory.
    pub(super) fn in_memory() -> Self {
        RunDirectory { folder: None }
    }

    /// Opens a directory, or makes it. One that holds anything else than the same run is refused.
    pub(super) fn open(path: &str, manifest: &Manifest) -> Result<Self, Error> {
        claim(path, manifest, Manifest::difference)?;
        Ok(RunDirectory { folder: Some(PathBuf::from(path)) })
    }

    /// The cell, if it is finished. One of the same name with other settings is refused.
    pub(super) fn find(
        &self,
        contestant: &Contestant,
        (number, fold): (usize, &Fold),
        items: usize,
    ) -> Result<Option<Cell>, Error> {
        let Some(file) = self.file(&contestant.name, number).filter(|file| file.exists()) else {
            return Ok(None);
        };
        let path = text(&file)?;
        let refuse = |why: String| Err(Error::RunDirectory { path: path.to_owned(), why });
        let cell = match serde_json::from_slice::<Cell>(&stakes_io::read_bytes(path)?) {
            Ok(cell) => cell,
            Err(error) => {
                return refuse(format!("this is not a finished cell ({error}); remove it"));
            }
        };
        if !cell.is_same(&Cell::empty(contestant, fold)) {
            return refuse(format!(
                "the contestant {} had other settings before; give it another name",
                contestant.name
            ));
        }
        match cell.is_whole(items) {
            true => Ok(Some(cell)),
            false => {
                refuse("this is not a finished cell: scores are missing; remove it".to_owned())
            }
        }
    }

    /// Keeps a finished cell of the fold of this number.
    pub(super) fn keep(&self, cell: &Cell, number: usize) -> Result<(), Error> {
        let Some(file) = self.file(&cell.contestant, number) else { return Ok(()) };
        if let Some(folder) = file.parent() {
            make(folder)?;
        }
        Ok(stakes_io::write_text(text(&file)?, &json(cell))?)
    }

    fn file(&self, contestant: &str, fold: usize) -> Option<PathBuf> {
        let folder = self.folder.as_ref()?.join(CELLS).join(folder_name(contestant));
        Some(folder.join(format!("{}.json", fold + 1)))
    }
}

/// The name of a contestant as that of a folder; where it must be changed, with a hash of it.
fn folder_name(name: &str) -> String {
    const MAX: usize = 60;
    let is_safe = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-' || c == '_';
    let safe: String = name.chars().take(MAX).map(|c| if is_safe(c) { c } else { '_' }).collect();
    if safe == name && !name.is_empty() {
        return safe;
    }
    let hash = name.bytes().fold(0, |hash, byte| mix(hash ^ u64::from(byte).wrapping_add(GAMMA)));
    format!("{safe}-{:08x}", hash >> 32)
}

fn make(folder: &Path) -> Result<(), Error> {
    fs::create_dir_all(folder).map_err(|error| Error::RunDirectory {
        path: folder.display().to_string(),
        why: format!("it cannot be made ({error})"),
    })
}

fn text(path: &Path) -> Result<&str, Error> {
    path.to_str().ok_or_else(|| Error::RunDirectory {
        path: path.display().to_string(),
        why: "its name is not UTF-8".to_owned(),
    })
}

fn json(document: &impl Serialize) -> String {
    // Text and finite numbers can always be written.
    serde_json::to_string_pretty(document).unwrap_or_default() + "\n"
}

#[cfg(test)]
mod tests {
    use super::folder_name;

    #[test]
    fn names_of_folders_are_safe_and_different() {
        assert_eq!(folder_name("cs-mart"), "cs-mart");
        let odd = ["../x", "cs-mart:leaves=8", "cs-mart:leaves=9", "CS-MART", "", ".", "é"];
        let mut names: Vec<String> = odd.iter().map(|name| folder_name(name)).collect();
        assert!(
            names
                .iter()
                .all(|name| name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)))
        );
        names.sort();
        names.dedup();
        assert_eq!(names.len(), odd.len());
    }
}
