//! stakes.toml: what it says is as if it had been typed before the flags.

use anyhow::bail;
use stakes::config::Config;
use stakes::data::Role;
use stakes::goal::Reach;
use stakes::io::{FileOptions, Format, ReadOptions, Roles};

use super::{CostArgs, DataArgs, FileArgs};
use crate::terminal::output::{counted, note};

/// What --config takes instead of a file.
const NO_FILE: &str = "none";

impl DataArgs {
    /// Reads the file that --config names, or stakes.toml beside the data; empty if there is none.
    /// What it says of columns is kept only if the data have columns.
    pub(crate) fn load_config(&self, has_columns: bool) -> anyhow::Result<Config> {
        let config = match self.config.as_deref() {
            Some(NO_FILE) => None,
            Some(path) => Some(Config::load(path)?),
            None => Config::beside(&self.data)?,
        };
        let config = config.unwrap_or_default();
        Ok(match has_columns {
            true => config.for_data(&self.data, &self.file_args.options())?,
            false => Config { columns: Roles::default(), ..config },
        })
    }

    /// Reads data by this file where flags say nothing, and returns what it is used for, in words.
    pub(crate) fn use_config(&mut self, config: &Config) -> anyhow::Result<Vec<String>> {
        self.file = config.clone();
        let (given, all) = (self.roles.roles(), self.filled(self.roles.roles())?.roles);
        if self.file_args.format.or(Format::from_path(&self.data)) != Some(Format::Letor) {
            self.roles.check_group(&all)?;
        }
        let new = |role: &Role| all.column(*role).filter(|_| given.column(*role).is_none());
        let roles =
            Role::ALL.into_iter().filter_map(|role| Some(format!("{role} {}", new(&role)?)));
        let left_out = match all.drop.len() - given.drop.len() {
            0 => None,
            n => Some(format!("{} left out", counted(n, "column"))),
        };
        Ok(roles.chain(left_out).collect())
    }

    /// How data are read: as given, and by the file where nothing is given.
    pub(super) fn filled(&self, given: Roles) -> anyhow::Result<ReadOptions> {
        let given = ReadOptions { file: self.file_args.options(), ..given.into() };
        let mut options = self.file.read_options(&self.data, given)?;
        if let Some(treatment) = self.roles.missing_impact {
            options.roles.missing_impact = treatment;
        }
        Ok(options)
    }
}

impl FileArgs {
    /// How data are read: as given, and by stakes.toml beside them where nothing is given.
    pub(crate) fn options_for(&self, data: &str) -> anyhow::Result<FileOptions> {
        let config = Config::beside(data)?.unwrap_or_default();
        Ok(self.options().or(&config.file, data))
    }
}

impl CostArgs {
    /// Takes cost, reach and policy from the file where flags say nothing, and returns them in words.
    fn use_config(&mut self, config: &Config) -> anyhow::Result<Vec<String>> {
        self.file = config.goal.clone();
        let (given, goal) = (self.given(None)?, &config.goal);
        let reach = goal.reach.filter(|_| given.reach.is_none());
        let cost = goal.cost.as_ref().filter(|_| given.cost.is_none());
        let policy = goal.policy.as_ref().filter(|_| given.policy.is_none());
        let words = [
            reach.map(|reach| match reach {
                Reach::Items(k) => format!("k {k}"),
                Reach::Money(money) => format!("budget {money}"),
            }),
            cost.map(|cost| format!("cost {cost}")),
            policy.map(|policy| format!("policy {policy}")),
        ];
        Ok(words.into_iter().flatten().collect())
    }
}

/// Takes roles and goal from a file where flags say nothing, and returns them in words.
pub(crate) fn use_config(
    config: &Config,
    data: &mut DataArgs,
    cost: &mut CostArgs,
    metric: Option<&str>,
) -> anyhow::Result<Vec<String>> {
    let mut used = data.use_config(config)?;
    used.extend(cost.use_config(config)?);
    let of_file = config.goal.metric.as_ref().filter(|_| metric.is_none());
    used.extend(of_file.map(|metric| format!("metric {metric}")));
    let has_prices = data.options(Vec::new())?.roles.price.is_some();
    if let Reach::Money(money) = cost.goal(None)?.reach
        && !has_prices
    {
        bail!("a budget of {money} needs the price of each item; name its column (--price COLUMN)");
    }
    Ok(used)
}

/// Says what a file is used for.
pub(crate) fn note_config(config: &Config, words: &[String]) {
    if !words.is_empty() {
        note(format!("{}: {}", config.name(), words.join(", ")));
    }
}
