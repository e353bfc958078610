//! Roles of columns, goal and parameters in one file, `stakes.toml`, next to the data.
//!
//! ```toml
//! [columns]
//! list = "storm"
//! impact = "customers"
//! id = "network"
//! drop = ["duration"]
//!
//! [goal]
//! k = 10
//!
//! [train]
//! learner = "cs-mart"
//!
//! [train.parameters]
//! leaves = 15
//! ```
//!
//! [`Config::guess`] makes a first version from the names and values of the columns, with reasons as comments.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! use stakes::config::Config;
//! use stakes::prelude::*;
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("storms.csv");
//! # let path = path.to_str().ok_or("a path")?;
//! # std::fs::write(path, "storm,customers,wind\na,100,14\na,0,9\nb,7,3\nb,0,2\n")?;
//! # std::fs::write(folder.path().join("stakes.toml"), "[columns]\nlist = 'storm'\nimpact = 'customers'\n[goal]\nk = 1\n")?;
//! let config = Config::beside(path)?.unwrap_or_default();
//! let storms = stakes::read(path, config.read_options(path, Roles::new())?)?;
//! let goal = config.goal.goal();
//! let fit = Fit::configured(config.train.configured()?);
//! # let _ = fit;
//! assert_eq!((storms.n_lists(), goal.to_string().contains("reach 1")), (2, true));
//! # Ok(())
//! # }
//! ```
//!
//! The format is TOML, read by the crate `toml`, which the developers of Cargo maintain; it knows the place
//! of every value, so errors name the line.

mod guess;
mod read;
#[cfg(test)]
mod tests;
mod write;

use std::path::{Path, PathBuf};

use stakes_core::cost::{CostModel, Policy};
use stakes_core::data::Role;
use stakes_core::goal::{Goal, Reach};
use stakes_core::metric::Spec;
use stakes_core::split::HoldOut;
use stakes_core::suggest;
use stakes_io::{FileOptions, Format, MissingImpact, ReadError, ReadOptions, Roles};
use stakes_learn::{Configured, Learner, learner};
use stakes_model::Model;

pub use crate::config_error::ConfigError;
pub use guess::{Guess, GuessOptions, Reason};

use crate::{Error, Task, data};

/// The name of the file.
pub const FILE_NAME: &str = "stakes.toml";

/// The learner if none is named.
pub const DEFAULT_LEARNER: &str = "auto";

/// The contents of a `stakes.toml`: every part is optional.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Config {
    /// The file that it was read from.
    pub source: Option<String>,
    /// The roles of columns. (Extras and outcomes follow from the goal.)
    pub columns: Roles,
    /// How files of text are read. (The format follows from the file.)
    pub file: FileOptions,
    /// What a ranking is for.
    pub goal: GoalConfig,
    /// How a model is trained.
    pub train: TrainConfig,
}

/// The parts of a goal that are known.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct GoalConfig {
    /// What acting on an item saves.
    pub cost: Option<CostModel>,
    /// How far down a list actions reach.
    pub reach: Option<Reach>,
    /// The probability that each position is acted on.
    pub policy: Option<Policy>,
    /// The metric.
    pub metric: Option<Spec>,
}

/// What is known of a training.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TrainConfig {
    /// The name of the learner.
    pub learner: Option<String>,
    /// The lists to hold out for validation.
    pub hold_out: Option<HoldOut>,
    /// The seed of all random draws.
    pub seed: Option<u64>,
    /// Parameters of the learner, as they are written.
    pub parameters: Vec<(String, String)>,
}

impl Config {
    /// Reads a file.
    pub fn load(path: &str) -> Result<Self, ConfigError> {
        let bytes = stakes_io::read_bytes(path)?;
        let text = std::str::from_utf8(&bytes).map_err(|error| {
            let line = 1 + bytes[..error.valid_up_to()].iter().filter(|b| **b == b'\n').count();
            let what = "this is not UTF-8 text; save the file as UTF-8".to_owned();
            ConfigError::Refused { file: path.to_owned(), line, what }
        })?;
        Config::parse(text, path)
    }

    /// Reads text; `file` is what errors call it.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        read::parse(text, file)
    }

    /// Reads the file `stakes.toml` in the folder of the data, if there is one. (For stdin, `-`, the
    /// current folder.)
    pub fn beside(data: &str) -> Result<Option<Self>, ConfigError> {
        let path = Self::path_beside(data);
        match Config::load(&path.to_string_lossy()) {
            Ok(config) => Ok(Some(config)),
            Err(ConfigError::Read(ReadError::Io { error, .. }))
                if error.kind() == std::io::ErrorKind::NotFound =>
            {
                Ok(None)
            }
            Err(error) => Err(error),
        }
    }

    /// What a model was trained with, as if a file said it: the roles that columns had then, as far as the
    /// data have them, and the goal. `path` is that of the model.
    pub fn of_model(
        model: &Model,
        path: &str,
        data: &str,
        options: &FileOptions,
    ) -> Result<Self, Error> {
        let there = match can_be_read_twice(data) {
            true => stakes_io::columns(data, options)?,
            false => Vec::new(),
        };
        let column = |role: Role| {
            model
                .columns
                .get(&role)
                .filter(|name| there.is_empty() || there.contains(name))
                .cloned()
        };
        let columns = Roles {
            list: column(Role::List),
            impact: column(Role::Impact),
            id: column(Role::Id),
            price: column(Role::Price),
            ..Roles::default()
        };
        let Goal { cost, reach, policy, .. } = model.goal.clone();
        let goal = GoalConfig {
            cost: Some(cost).filter(|cost| *cost != CostModel::Impact),
            reach: Some(reach),
            policy: Some(policy).filter(|policy| *policy != Policy::default()),
            metric: None,
        };
        Ok(Config { source: Some(path.to_owned()), columns, goal, ..Config::default() })
    }

    /// Where the file beside the data is, or would be.
    pub fn path_beside(data: &str) -> PathBuf {
        match Path::new(data).parent() {
            Some(folder) if data != "-" => folder.join(FILE_NAME),
            _ => PathBuf::from(FILE_NAME),
        }
    }

    /// What errors and notes call the file.
    pub fn name(&self) -> &str {
        self.source.as_deref().unwrap_or(FILE_NAME)
    }

    /// What it says about these data: LETOR has columns of its own, so the file's are not used.
    pub fn for_data(mut self, path: &str, options: &FileOptions) -> Result<Self, Error> {
        let format = options.format;
        let has_own_columns = match can_be_read_twice(path) {
            _ if self.columns == Roles::default() => return Ok(self),
            true => data::is_letor(path, format, &stakes_io::columns(path, options)?),
            false => format == Some(Format::Letor),
        };
        if has_own_columns {
            self.columns = Roles::default();
        }
        Ok(self)
    }

    /// How to read data: as `given`, and by this file where nothing is given. Columns to leave out and
    /// the like add up; a column that is given another role, or is an extra, is not what the file says.
    ///
    /// A column that only the file names and that the data do not have is refused.
    pub fn read_options(
        &self,
        path: &str,
        given: impl Into<ReadOptions>,
    ) -> Result<ReadOptions, Error> {
        let mut options = given.into();
        options.file = options.file.or(&self.file, path);
        let columns = self.clone().for_data(path, &options.file)?.columns;
        if columns != Roles::default() && can_be_read_twice(path) {
            let there = stakes_io::columns(path, &options.file)?;
            self.check_columns(path, &there, &options.roles)?;
        }
        options.roles = filled(&options.roles, &columns);
        Ok(options)
    }

    /// The same roles for copying data: all columns stay, whether or not they are to be features.
    #[must_use]
    pub fn for_copying(mut self) -> Self {
        self.columns.drop.clear();
        self.columns.categorical.clear();
        self.columns.numeric.clear();
        self
    }

    /// The same without what a task has no use for: the lists of classes are rows, and their goal is
    /// the right class.
    #[must_use]
    pub fn for_task(mut self, task: &Task) -> Self {
        if *task == Task::Rank {
            return self;
        }
        let Roles { list, impact, price, group, .. } = &mut self.columns;
        [list, impact, price, group].into_iter().for_each(|role| *role = None);
        self.goal = GoalConfig::default();
        self
    }

    fn check_columns(
        &self,
        data: &str,
        there: &[String],
        given: &Roles,
    ) -> Result<(), ConfigError> {
        let missing = |column: &str| !is_given(given, column) && !there.iter().any(|n| n == column);
        let roles = self.columns.columns().map(|(role, column)| (role.name(), column));
        let roles =
            roles.filter(|(role, _)| given.columns().all(|(other, _)| other.name() != *role));
        match roles.chain(listed(&self.columns)).find(|(_, column)| missing(column)) {
            None => Ok(()),
            Some((key, column)) => Err(ConfigError::NoColumn {
                data: data.to_owned(),
                column: column.to_owned(),
                key,
                file: self.name().to_owned(),
                hint: suggest::hint(column, there.iter().map(String::as_str)),
            }),
        }
    }
}

/// Whether the names of columns can be looked at before all is read: not of stdin, nor of a pipe.
fn can_be_read_twice(path: &str) -> bool {
    path != "-" && Path::new(path).is_file()
}

/// The roles that are given, and those of the file for whatever is not.
fn filled(given: &Roles, file: &Roles) -> Roles {
    let mut roles = given.clone();
    let is_free = |column: &str| !is_given(given, column);
    for (role, column) in file.columns().filter(|(_, column)| is_free(column)) {
        if given.column(role).is_none() {
            roles = roles.with_role(role, column);
        }
    }
    let free = |columns: &[String]| -> Vec<String> {
        columns.iter().filter(|column| is_free(column)).cloned().collect()
    };
    roles = roles.drop(free(&file.drop));
    roles = roles.categorical(free(&file.categorical)).numeric(free(&file.numeric));
    if given.missing_impact == MissingImpact::default() {
        roles.missing_impact = file.missing_impact;
    }
    roles
}

/// Whether a column has a role, or is listed.
fn is_given(roles: &Roles, column: &str) -> bool {
    let extras = roles.extras.iter().map(String::as_str);
    let of_roles = roles.columns().map(|(_, column)| column);
    let listed = listed(roles).map(|(_, column)| column);
    of_roles.chain(listed).chain(extras).any(|given| given.trim() == column)
}

/// Columns in lists, with the key of the list.
fn listed(roles: &Roles) -> impl Iterator<Item = (&'static str, &str)> {
    let lists =
        [("drop", &roles.drop), ("categorical", &roles.categorical), ("numeric", &roles.numeric)];
    lists.into_iter().flat_map(|(key, columns)| columns.iter().map(move |c| (key, c.as_str())))
}

impl GoalConfig {
    /// What is known here, and else what is known there.
    #[must_use]
    pub fn or(self, other: &GoalConfig) -> Self {
        GoalConfig {
            cost: self.cost.or_else(|| other.cost.clone()),
            reach: self.reach.or(other.reach),
            policy: self.policy.or_else(|| other.policy.clone()),
            metric: self.metric.or_else(|| other.metric.clone()),
        }
    }

    /// The goal. Without a reach it is the cutoff of the metric, and without that the default.
    pub fn goal(&self) -> Goal {
        self.goal_or(&Goal::default())
    }

    /// The goal, and what is not known as in another one, such as that of a task.
    pub fn goal_or(&self, default: &Goal) -> Goal {
        let metric = self.metric.as_ref().unwrap_or(&default.metric).clone();
        let reach = self.reach.or_else(|| metric.cutoff.map(Reach::from));
        Goal {
            cost: self.cost.as_ref().unwrap_or(&default.cost).clone(),
            reach: reach.unwrap_or(default.reach),
            policy: self.policy.as_ref().unwrap_or(&default.policy).clone(),
            metric,
        }
    }
}

impl TrainConfig {
    /// The learner, with its default parameters.
    pub fn learner(&self) -> Result<Box<dyn Learner>, Error> {
        let name = self.learner.as_deref().unwrap_or(DEFAULT_LEARNER);
        learner(name).map_err(Error::UnknownLearner)
    }

    /// The parameters, as pairs of key and value.
    pub fn pairs(&self) -> impl Iterator<Item = (&str, &str)> {
        self.parameters.iter().map(|(key, value)| (key.as_str(), value.as_str()))
    }

    /// The learner with its parameters.
    pub fn configured(&self) -> Result<Configured, Error> {
        Ok(Configured::new(self.learner()?, self.pairs())?)
    }
}
