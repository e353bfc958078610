//! What is learnt: the order of items in lists, or the class of each row by ranking its candidates.

use std::str::FromStr;

use anyhow::bail;
use clap::Args;
use stakes::learn::{Kind, Learner, learner, learners};

use crate::args::{CostArgs, DataArgs};

/// What is learnt.
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

/// What classes are learnt with unless a learner is named.
const DEFAULT: &str = "cs-rankboost";

impl TaskArgs {
    /// The column with the class, where that is what is learnt.
    pub(crate) fn class(&self, data: &DataArgs, cost: &CostArgs) -> anyhow::Result<Option<&str>> {
        let class = match (self.task, &self.class) {
            (Task::Rank, None) => return Ok(None),
            (Task::Rank, Some(_)) => bail!("--class goes with --task multiclass"),
            (Task::Multiclass, None) => {
                bail!(
                    "--task multiclass needs to know which column holds the class: --class COLUMN"
                )
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
            ("cost", cost.cost != "y"),
        ];
        if let Some((name, _)) = given.iter().find(|(_, given)| *given) {
            bail!(
                "--{name} has no place in --task multiclass: every row is a list of its own, whose \
                 items are the classes; leave it out"
            );
        }
        Ok(Some(class))
    }

    /// Parameters that have another default here: rows that are held out are few, and whether they
    /// are right jumps from round to round.
    pub(crate) fn usual(&self) -> &'static [(&'static str, &'static str)] {
        match self.task {
            Task::Rank => &[],
            Task::Multiclass => &[("rounds", "600"), ("patience", "200")],
        }
    }

    /// The learner, if it can do what is asked.
    pub(crate) fn learner(&self, asked: &dyn Learner) -> anyhow::Result<Box<dyn Learner>> {
        if self.task == Task::Rank || asked.takes_classes() {
            return Ok(asked.boxed());
        }
        if asked.kind() == Kind::Blend {
            return learner(DEFAULT).map_err(anyhow::Error::msg);
        }
        let able = learners().filter(|learner| learner.takes_classes());
        let names: Vec<&str> = able.map(|learner| learner.name()).collect();
        bail!("{} does not distinguish classes; {} do", asked.name(), names.join(", "))
    }
}

/// Data in which the class is read as names, whatever it looks like.
pub(crate) fn with_class(mut args: DataArgs, class: &str) -> DataArgs {
    if !args.roles.categorical.iter().any(|name| name == class) {
        args.roles.categorical.push(class.to_owned());
    }
    args
}
