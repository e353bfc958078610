//! `stakes mitigate`: what changing the treatment of a group trades off.

use std::slice;

use anyhow::bail;
use clap::{Arg, Args};
use stakes::audit::Measure;
use stakes::cost::Capacity;
use stakes::data::Dataset;
use stakes::evaluate::metrics;
use stakes::experiment::{Outcome, Setting};
use stakes::io::check_targets;
use stakes::learn::{Configured, learner};
use stakes::metric::Scale;
use stakes::mitigate::{Method, MitigateOptions, mitigate};
use stakes::split::FoldPlan;

use crate::args::{CostArgs, DataArgs, Watch, check_ending, note_config, split_params, use_config};
use crate::terminal::interrupt;
use crate::terminal::output::{self, note, print_json, print_page, watched};

/// Trade off the treatment of a group against what is saved
///
/// For every strength of a method, models are trained on some lists and judged on others: measures of how the
/// group is treated beside the cost that is saved, with intervals. Methods: reweigh (members weigh more in
/// training), pair-costs (pairs with a member cost more; cs-rankboost), preference (groups choose weak rankers;
/// preference-rankboost), reduction (pairs across groups cost more until errors are as even as asked; cs-rankboost or
/// cs-mart), penalty (unequal places are penalised; cs-mart), min-share (every prefix of a list holds a minimum share of
/// members), thresholds (the group has its own cut-off among the first k). No method makes an order fair; each moves
/// some measures, and may cost something.
#[derive(Args)]
pub(crate) struct Mitigate {
    /// The group: a value of --group
    #[arg(long, value_name = "VALUE")]
    protected: String,
    /// reweigh, pair-costs, preference, reduction, penalty, min-share or thresholds
    #[arg(long, value_name = "NAME", default_value = "min-share")]
    method: Method,
    /// Strengths to try, separated by commas (default: the usual ones of the method)
    ///
    /// reweigh and pair-costs: how many times as much a member weighs or a pair with one costs (1 changes nothing;
    /// default 1,2,5). preference: how far groups have their way (0 to 1). reduction: the part of the difference of
    /// errors that has to go (0 to 1). penalty: its strength (default 0,1,2,5). min-share and thresholds: the members that are needed, as a part of the group's share of the
    /// list (0 changes nothing; default 0,0.5,0.8,1). The one that changes nothing is always shown.
    #[arg(long, value_name = "NUMBERS", value_delimiter = ',')]
    strengths: Vec<f64>,
    /// Measures of stakes audit, separated by commas
    ///
    /// Default: rank-parity, exposure and cost-recall among the first k, rank-equality.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    measure: Vec<String>,
    /// The learner (default: that of the method)
    ///
    /// two-part; pair-costs and reduction: cs-rankboost+; preference: preference-rankboost; penalty: cs-mart.
    #[arg(short, long, value_name = "NAME")]
    learner: Option<String>,
    /// Parameters of the learner: rounds=50
    #[arg(short, long, value_name = "KEY=VALUE", requires = "learner", hide_short_help = true)]
    param: Vec<String>,
    /// Folds: 5, letor, random:10, column:NAME, time:every=1y (stakes compare --help)
    #[arg(long, value_name = "PLAN", hide_short_help = true)]
    folds: Option<FoldPlan>,
    /// Deal the items of a single list into N lists at random
    ///
    /// One list cannot be held out from itself. -k counts within each of the new lists.
    #[arg(long, value_name = "N", conflicts_with = "list", hide_short_help = true)]
    deal: Option<usize>,
    /// As JSON (docs/fairness.md)
    #[arg(long)]
    json: bool,
    /// Draw the trade-off to this SVG file
    #[arg(long, value_name = "FILE")]
    svg: Option<String>,
    /// Seed of all random draws
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    /// Confidence of the intervals
    #[arg(long, value_name = "SHARE", default_value_t = 0.95, hide_short_help = true)]
    level: f64,
    /// Resamples of lists for the intervals of measures
    #[arg(long, value_name = "N", default_value_t = 1000, hide_short_help = true)]
    resamples: usize,

    #[command(flatten)]
    cost: CostArgs,

    #[command(flatten)]
    data: DataArgs,
}

/// What --group means here.
pub(crate) fn group_help(arg: Arg) -> Arg {
    let long = "The column of the groups\n\nIt is not a feature. A copy of it under another name may be one.";
    arg.help("The column of the groups").long_help(long).hide_short_help(false)
}

impl Mitigate {
    pub(crate) fn run(mut self) -> anyhow::Result<()> {
        let asked = self.data.roles.group.take();
        let mut config = self.data.load_config(true)?;
        let typed = asked.is_some();
        config.columns.group = asked.or(config.columns.group);
        if config.columns.group.is_none() {
            bail!("name the column of the groups: --group COLUMN");
        }
        let mut used = use_config(&config, &mut self.data, &mut self.cost, None)?;
        used.retain(|word| !(typed && word.starts_with("group ")));
        note_config(&config, &used);
        let goal = self.cost.goal(None)?;
        check_ending(self.svg.as_deref(), ".svg", "pictures")?;
        check_targets(&self.svg, [&self.data.data])?;
        let learner = self.learner()?;
        let data = self.read(goal.cost.columns())?;
        let data = match self.deal {
            Some(parts) => data.dealt(parts, self.seed).map_err(anyhow::Error::msg)?,
            None => data,
        };
        if data.n_lists() == 1 {
            bail!(
                "{}: there is one list, and a list cannot be held out from itself; name the column of the lists (--list), \
                 or deal its items into several (--deal 10)",
                self.data.data
            );
        }
        let asked = slice::from_ref(&goal.metric);
        self.cost.note_default_k(asked, &metrics(&goal, asked, Scale::of(&data))?, &data);
        let setting = Setting::new(&data, &goal, self.folds.clone(), self.seed)?;
        let k = match setting.goal.capacity() {
            Some(Capacity::Items(k)) => Some(k),
            _ => None,
        };
        let measures = self.measure.iter().map(|name| Measure::parse(name, k));
        let options = MitigateOptions {
            strengths: self.strengths.clone(),
            measures: measures.collect::<Result<_, _>>()?,
            learner,
            resamples: self.resamples,
            level: self.level,
            ..MitigateOptions::new(self.method, &self.protected)
        };
        let mut watch = Watch::new("mitigate", None);
        let found = interrupt::during(|| mitigate(&setting, &options, Some(&mut watch)))?;
        drop(watch);
        let found = match found {
            Outcome::Finished(found) => found,
            Outcome::Interrupted { done, of } => {
                note(format!("interrupted: {done} of {of} trainings were finished, and are lost"));
                return Ok(());
            }
        };
        if let Some(path) = &self.svg {
            output::write_text(path, &found.svg())?;
        }
        if self.json {
            return print_json(&found);
        }
        let mut page = output::page();
        found.write(&mut page);
        print_page(page)
    }

    /// The learner that is asked for.
    fn learner(&self) -> anyhow::Result<Option<Configured>> {
        let Some(name) = &self.learner else { return Ok(None) };
        let mut pairs = Vec::new();
        for text in &self.param {
            pairs.extend(split_params(text)?);
        }
        let pairs = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        let found = learner(name).map_err(anyhow::Error::msg)?;
        Ok(Some(Configured::new(found, pairs)?))
    }

    fn read(&mut self, outcomes: Vec<String>) -> anyhow::Result<Dataset> {
        if let Some(column) = self.folds.as_ref().and_then(FoldPlan::column) {
            // Names of parts may look like numbers.
            self.data.roles.categorical.push(column.to_owned());
        }
        watched(|observer| {
            observer.stage("reading");
            self.data.read(outcomes.clone(), outcomes)
        })
    }
}
