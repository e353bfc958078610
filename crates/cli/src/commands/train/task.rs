//! What is learned, by flags.

use std::str::FromStr;

use anyhow::bail;
use clap::Args;
use stakes::Task;

use crate::args::{CostArgs, DataArgs};

/// The names of tasks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum TaskName {
    Rank,
    Multiclass,
}

impl FromStr for TaskName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "rank" => Ok(TaskName::Rank),
            "multiclass" => Ok(TaskName::Multiclass),
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
    #[arg(long, value_name = "TASK", default_value = "rank", hide_short_help = true)]
    task: TaskName,
    /// With --task multiclass: the column with the class
    #[arg(long, value_name = "COLUMN", hide_short_help = true)]
    class: Option<String>,
}

impl TaskArgs {
    /// The task, which other flags must go with.
    pub(crate) fn task(&self, data: &DataArgs, cost: &CostArgs) -> anyhow::Result<Task> {
        let class = match (self.task, &self.class) {
            (TaskName::Rank, None) => return Ok(Task::Rank),
            (TaskName::Rank, Some(_)) => bail!("--class goes with --task multiclass"),
            (TaskName::Multiclass, None) => {
                bail!("--task multiclass needs the column with the class: --class COLUMN")
            }
            (TaskName::Multiclass, Some(class)) => class,
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
        Ok(Task::classes(class))
    }
}
