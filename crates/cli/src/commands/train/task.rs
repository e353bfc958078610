//! What is learned: the order of items in lists, or the class of each row by ranking its candidates.

use std::str::FromStr;

use anyhow::bail;
use clap::Args;

use crate::args::{CostArgs, DataArgs};

/// What is learned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Task {
    /// The order of items in lists.
    Rank,
    /// The class of each row.
    Multiclass,
}

impl FromStr for Task {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "rank" => Ok(Task::Rank),
            "multiclass" => Ok(Task::Multiclass),
            _ => {
                let hint = stakes::suggest::hint(text, ["rank", "multiclass"]);
                Err(format!("there is no task `{text}`; {hint}"))
            }
        }
    }
}

#[derive(Args)]
#[command(next_help_heading = "Task")]
pub(crate) struct TaskArgs {
    /// What to learn: rank, the order of items in lists; or multiclass, the class of each row, by
    /// ranking the classes it may have
    #[arg(long, value_name = "TASK", default_value = "rank")]
    task: Task,
    /// multiclass: the column with the class
    #[arg(long, value_name = "COLUMN")]
    class: Option<String>,
}

impl TaskArgs {
    /// The column with the class, if classes are learned.
    pub(crate) fn class(&self, data: &DataArgs, cost: &CostArgs) -> anyhow::Result<Option<&str>> {
        let class = match (self.task, &self.class) {
            (Task::Rank, None) => return Ok(None),
            (Task::Rank, Some(_)) => bail!("--class goes with --task multiclass"),
            (Task::Multiclass, None) => {
                bail!("--task multiclass needs the column with the class: --class COLUMN")
            }
            (Task::Multiclass, Some(class)) => class,
        };
        let r = &data.roles;
        let given = [
            ("list", r.list.is_some()),
            ("impact", r.impact.is_some()),
            ("price", r.price.is_some()),
            ("group", r.group.is_some()),
            ("k", cost.k.is_some()),
            ("budget", cost.budget.is_some()),
            ("policy", cost.policy.is_some()),
            ("cost", cost.cost.is_some()),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            bail!(
                "--{name} cannot be combined with --task multiclass: every row is a list of its own, \
                 whose items are the classes; leave it out"
            );
        }
        Ok(Some(class))
    }
}

/// Data in which the class is read as a category, whatever it looks like.
pub(crate) fn with_class(mut args: DataArgs, class: &str) -> DataArgs {
    if !args.roles.categorical.iter().any(|name| name == class) {
        args.roles.categorical.push(class.to_owned());
    }
    args
}
