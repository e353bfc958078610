//! What the model has to beat, and what its savings are counted in.

use std::path::Path;

use anyhow::bail;
use clap::Args;
use stakes::data::Dataset;
use stakes::judge::{Amounts, CurrentPolicy};

use super::name_and_path;
use crate::terminal::hints;

#[derive(Args)]
#[command(next_help_heading = "Goal")]
pub(crate) struct VerdictArgs {
    /// How it is decided now: a column, highest first; random
    ///
    /// Also an expression of columns (customers * age, -age for the lowest first), or a file with a score
    /// for each row. The summary ends with what the model would have reached beyond it. Learners may use
    /// the columns as features, unless --drop names them.
    #[arg(long, value_name = "ORDER", allow_hyphen_values = true)]
    current: Option<String>,
    /// What the cost is counted in, for the verdict's sentences
    #[arg(long, value_name = "WORD", hide_short_help = true)]
    unit: Option<String>,
    /// Also in money: USD, EUR, ...
    ///
    /// Without --per the cost is money already.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    currency: Option<String>,
    /// How much money a unit of the cost is worth
    #[arg(long, value_name = "MONEY", requires = "currency", hide_short_help = true)]
    per: Option<f64>,
}

impl VerdictArgs {
    /// The file with the scores of the present order, if it is one.
    pub(crate) fn file(&self) -> Option<&String> {
        self.current.as_ref().filter(|text| {
            let path = text.split_once('=').map_or(text.as_str(), |(_, path)| path);
            Path::new(path).is_file()
        })
    }

    /// The present order, as far as it is known before the data are read.
    pub(crate) fn policy(&self) -> anyhow::Result<Option<CurrentPolicy>> {
        match (&self.current, self.file()) {
            (Some(text), None) => Ok(Some(CurrentPolicy::parse(text)?)),
            _ => Ok(None),
        }
    }

    /// The columns of the present order that are to be dropped: they are read, but are no features.
    pub(crate) fn dropped(&self, drop: &mut Vec<String>) -> anyhow::Result<Vec<String>> {
        let columns = self.policy()?.map_or(Vec::new(), |policy| policy.columns());
        let dropped: Vec<String> =
            columns.into_iter().filter(|column| drop.contains(column)).collect();
        drop.retain(|column| !dropped.contains(column));
        Ok(dropped)
    }

    /// The present order of these data.
    pub(crate) fn of_data(&self, data: &Dataset) -> anyhow::Result<Option<CurrentPolicy>> {
        let Some(file) = self.file() else { return self.policy() };
        let (name, path) = name_and_path(file)?;
        let (policy, note) = CurrentPolicy::read(&name, &path, data)?;
        note.iter().for_each(hints::note);
        Ok(Some(policy))
    }

    /// What costs are counted in.
    pub(crate) fn amounts(&self) -> anyhow::Result<Amounts> {
        if let Some(per) = self.per.filter(|per| !(*per > 0.0 && per.is_finite())) {
            bail!("--per is {per}; it must be a finite number above 0");
        }
        let money = self.currency.clone().map(|currency| (currency, self.per.unwrap_or(1.0)));
        Ok(Amounts { unit: self.unit.clone(), money })
    }

    /// Refuses what has no effect where classes are predicted.
    pub(crate) fn refuse_for_classes(&self) -> anyhow::Result<()> {
        let given =
            [("current", &self.current), ("unit", &self.unit), ("currency", &self.currency)];
        match given.iter().find(|(_, value)| value.is_some()) {
            Some((name, _)) => {
                bail!("--{name} goes with lists that are ranked; this task predicts classes")
            }
            None => Ok(()),
        }
    }
}
