//! What is learned: the order of items in lists, or the class of each row.
//!
//! A task is chosen once, before data are read. It says how they are read, which learners it takes
//! and with which defaults, what its goal is unless another is asked for, and how rows become lists.
//! What follows, from dividing the lists to the report, is the same for all tasks.
//!
//! ```
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let folder = tempfile::tempdir()?;
//! # let path = folder.path().join("signs.csv");
//! # let path = path.to_str().ok_or("a path")?;
//! # let row = |i: u32| format!("{},{}\n", i % 7, if i % 7 < 3 { "wave" } else { "circle" });
//! # std::fs::write(path, "x,sign\n".to_owned() + &(0..60).map(row).collect::<String>())?;
//! use stakes::classes::{ClassifyOptions, classify};
//! use stakes::prelude::*;
//! let task = Task::classes("sign");
//! let rows = stakes::read(path, task.roles(Roles::new()))?;
//! let fit = Fit::for_task(task.clone(), "cs-rankboost", [("rounds", "20")])?;
//! let model = fit.fit(&rows, &task.goal())?;
//! let found = classify(&model, &rows, &ClassifyOptions::default())?;
//! assert_eq!(found.rows[0].class, "wave");
//! # Ok(())
//! # }
//! ```

use std::borrow::Cow;
use std::path::Path;

use stakes_core::cost::Capacity;
use stakes_core::data::{Dataset, Role};
use stakes_core::goal::Goal;
use stakes_core::metric::Spec;
use stakes_io::Roles;
use stakes_learn::multiclass::{ClassCosts, Classes};
use stakes_learn::{CostFiles, GivenCosts, GivenPair, Kind, Learner, learner, learners};
use stakes_model::{Model, RoleColumns, roles_of};

use crate::Error;

/// The learner of classes unless another is named.
const CLASS_LEARNER: &str = "cs-rankboost";

/// How long classes are learned unless it is said: rows that are held out are few, and the share that
/// is right jumps from round to round.
const CLASS_ROUNDS: usize = 600;
const CLASS_PATIENCE: usize = 200;

/// What is learned.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum Task {
    /// The order of items in lists.
    #[default]
    Rank,
    /// The class of each row, which is in this column: the classes that a row may have are ranked.
    Classes(String),
}

/// Data as the lists of a task.
pub(crate) struct TaskLists<'d> {
    pub(crate) data: Cow<'d, Dataset>,
    /// The classes, if rows became lists of them.
    pub(crate) classes: Option<Classes>,
    /// The columns that a model records: those of the rows, not of their candidates.
    pub(crate) columns: RoleColumns,
}

impl Task {
    /// The class of each row.
    pub fn classes(column: &str) -> Self {
        Task::Classes(column.to_owned())
    }

    /// The task that a model was trained for.
    pub fn of(model: &Model) -> Self {
        match model.columns.get(&Role::Class) {
            Some(column) => Task::Classes(column.clone()),
            None => Task::Rank,
        }
    }

    /// The roles that data are read with: a class is a category, whatever it looks like.
    pub fn roles(&self, mut roles: Roles) -> Roles {
        if let Task::Classes(column) = self
            && !roles.categorical.contains(column)
        {
            roles.categorical.push(column.clone());
        }
        roles
    }

    /// The goal unless another is asked for. Of classes the right one is to come first.
    pub fn goal(&self) -> Goal {
        match self {
            Task::Rank => Goal::default(),
            Task::Classes(_) => {
                Goal::act_on(1).with_metric(Spec::named("p").at(Capacity::Items(1)))
            }
        }
    }

    /// The learner that is trained if this one is asked for, with the defaults of the task: classes
    /// are not learned by a blend, and for longer.
    pub fn learner(&self, asked: Box<dyn Learner>) -> Result<Box<dyn Learner>, Error> {
        if *self == Task::Rank {
            return Ok(asked);
        }
        let mut own = match asked.kind() {
            Kind::Blend => learner(CLASS_LEARNER).map_err(Error::UnknownLearner)?,
            _ => asked,
        };
        self.check(&*own)?;
        let pace = own.pace();
        pace.rounds.into_iter().for_each(|(_, rounds)| *rounds = CLASS_ROUNDS);
        pace.patience.into_iter().for_each(|patience| *patience = CLASS_PATIENCE);
        Ok(own)
    }

    /// Refuses a learner that cannot learn this.
    pub(crate) fn check(&self, learner: &dyn Learner) -> Result<(), Error> {
        if *self == Task::Rank || learner.takes_classes() {
            return Ok(());
        }
        let able = learners().filter(|learner| learner.takes_classes());
        let able = able.map(|learner| learner.name()).collect::<Vec<_>>().join(", ");
        Err(Error::NotForClasses { learner: learner.name().to_owned(), able })
    }

    /// Data as lists: as they are, or each row as the list of its candidates, the right one with the
    /// impact 1.
    pub(crate) fn lists<'d>(&self, data: Cow<'d, Dataset>) -> Result<TaskLists<'d>, Error> {
        let mut columns = roles_of(&data);
        let Task::Classes(column) = self else {
            return Ok(TaskLists { data, classes: None, columns });
        };
        let classes = Classes::of(&data, column)?;
        columns.insert(Role::Class, column.clone());
        let data = Cow::Owned(classes.candidates(&data, true)?);
        Ok(TaskLists { data, classes: Some(classes), columns })
    }

    /// Reads the file of costs that the parameters of a learner name, if they do.
    pub(crate) fn read_costs(&self, learner: &dyn Learner) -> Result<Option<GivenCosts>, Error> {
        let CostFiles { pairs, classes } = learner.cost_files();
        let named = |path: &Path| path.display().to_string();
        match (self, pairs.map(named), classes.map(named)) {
            (Task::Classes(_), Some(_), _) => Err(Error::PairCostsOfClasses),
            (Task::Rank, _, Some(_)) => Err(Error::ClassCostsOfItems),
            (Task::Rank, Some(path), None) => {
                let rows = stakes_io::read_pair_costs(&path)?.into_iter();
                let pair = |row: stakes_io::PairCost| GivenPair {
                    line: row.line,
                    list: row.list,
                    better: row.better,
                    worse: row.worse,
                    cost: row.cost,
                };
                Ok(Some(GivenCosts::Pairs(path, rows.map(pair).collect())))
            }
            (Task::Classes(_), None, Some(path)) => {
                let table = stakes_io::read_class_costs(&path)?;
                Ok(Some(GivenCosts::Classes(path, ClassCosts::given(table.names, table.costs))))
            }
            (_, None, None) => Ok(None),
        }
    }
}
