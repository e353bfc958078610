//! What is learned: the order of items in lists, or the class of each row.
//!
//! A task is chosen once, before data are read. It decides how they are read, which learners are
//! allowed, the defaults of their parameters and of the goal, and how rows become lists. Everything
//! else, from splitting the lists to the report, is the same for all tasks.
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

/// The default learner of classes.
const CLASS_LEARNER: &str = "cs-rankboost";

/// The default number of rounds and patience for classes: few rows are held out, so accuracy jumps
/// from round to round.
const CLASS_ROUNDS: usize = 600;
const CLASS_PATIENCE: usize = 200;

/// What is learned: the order of items, or the classes of rows.
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
    /// The task of learning the class of each row, which is in this column.
    pub fn classes(column: &str) -> Self {
        Task::Classes(column.to_owned())
    }

    /// Returns the task that a model was trained for.
    pub fn of(model: &Model) -> Self {
        match model.columns.get(&Role::Class) {
            Some(column) => Task::Classes(column.clone()),
            None => Task::Rank,
        }
    }

    /// Completes the roles to read data with: a class is a category, even if it looks like a number.
    pub fn roles(&self, mut roles: Roles) -> Roles {
        if let Task::Classes(column) = self
            && !roles.categorical.contains(column)
        {
            roles.categorical.push(column.clone());
        }
        roles
    }

    /// Returns the default goal. For classes it is to put the right class first.
    pub fn goal(&self) -> Goal {
        match self {
            Task::Rank => Goal::default(),
            Task::Classes(_) => {
                Goal::act_on(1).with_metric(Spec::named("p").at(Capacity::Items(1)))
            }
        }
    }

    /// Returns the learner to train when `asked` is requested, with the defaults of the task: for
    /// classes a single learner replaces a blend, and training has more rounds.
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

    /// Refuses a learner that does not support the task.
    pub(crate) fn check(&self, learner: &dyn Learner) -> Result<(), Error> {
        if *self == Task::Rank || learner.takes_classes() {
            return Ok(());
        }
        let able = learners().filter(|learner| learner.takes_classes());
        let able = able.map(|learner| learner.name()).collect::<Vec<_>>().join(", ");
        Err(Error::NotForClasses { learner: learner.name().to_owned(), able })
    }

    /// Returns data as lists: unchanged, or each row as a list of its candidate classes, where the right
    /// class has the impact 1.
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

    /// Reads the file of costs that a parameter of the learner names, if there is one.
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
