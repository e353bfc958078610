//! `stakes backtest`: what would this have saved over the last years, and how should a model be chosen?

use clap::Args;
use serde::Serialize;
use stakes::data::ReadLists;
use stakes::experiment::{BacktestOptions, Backtested, asked_to_retrain, backtest, retrain};
use stakes::model::Model;
use stakes::model_file::{ModelFile, check_model_name};
use stakes::rank::{RankLists, Ranked};

use crate::Host;
use crate::args::{Asked, ExperimentArgs, Files, Others};
use crate::terminal::hints;
use crate::terminal::output::{counted, note, print_json, print_page};
use crate::terminal::ranking::screen;
use crate::terminal::ranking::write::{self, Target};

/// What would models have saved over the last periods?
///
/// As of each date every learner is trained on the lists before it and ranks those of the period after it, as
/// would have been done then. Beside the figures over all periods (as of stakes compare) there are: saved cost
/// by period with the present order (--current); rules for choosing a learner by the periods before, with what
/// each would have lost; how much the items to act on change from model to model, and what retraining
/// brought; what changed in the data. --retrain-and-rank trains the learner that the best rule picks now on
/// all lists, and ranks new ones.
#[derive(Args)]
pub(crate) struct Backtest {
    #[command(flatten)]
    next: NextArgs,

    #[command(flatten)]
    experiment: ExperimentArgs,
}

/// The heading of what is done with the learner that is picked.
const NOW: &str = "From now on";

// The short help shows these by an example: with them it would not fit a screen.
#[derive(Args)]
struct NextArgs {
    /// Train the one picked on all lists, rank these
    ///
    /// The rule with the least regret picks the learner. The items to act on are shown below the page, or
    /// written with -o.
    #[arg(long, value_name = "NEXT", conflicts_with = "show_folds", help_heading = NOW, hide_short_help = true)]
    retrain_and_rank: Option<String>,
    /// Write the ranking: .csv, .tsv or .json
    #[arg(short, long, value_name = "FILE", requires = "retrain_and_rank", help_heading = NOW, hide_short_help = true)]
    output: Option<String>,
    /// Write the model that ranks
    #[arg(
        long,
        value_name = "FILE",
        requires = "retrain_and_rank",
        help_heading = NOW,
        hide_short_help = true
    )]
    model: Option<String>,
    /// How far from the best of a period is near, for the rule near-best
    #[arg(
        long,
        value_name = "DISTANCE",
        default_value_t = 0.02,
        allow_negative_numbers = true,
        hide_short_help = true
    )]
    distance: f64,
}

/// The document of `--json`.
#[derive(Serialize)]
struct Document<'d> {
    #[serde(flatten)]
    backtested: &'d Backtested,
    /// The new lists, if they were ranked.
    #[serde(skip_serializing_if = "Option::is_none")]
    ranked: Option<&'d Ranked<'d>>,
}

impl Backtest {
    pub(crate) fn run(self, host: &Host) -> anyhow::Result<()> {
        let Backtest { next, experiment } = self;
        next.check()?;
        experiment.with_data(next.files(), host, |args, asked| next.finish(args, asked))
    }
}

impl NextArgs {
    fn check(&self) -> anyhow::Result<()> {
        if !(self.distance >= 0.0 && self.distance.is_finite()) {
            anyhow::bail!("--distance is {}; it must be 0 or more", self.distance);
        }
        if let Some(path) = &self.output {
            Target::table_of(path)?;
        }
        if let Some(path) = &self.model {
            check_model_name(path)?;
        }
        // A name that is mistyped must not cost a backtest.
        if let Some(next) = self.retrain_and_rank.as_ref().filter(|next| *next != "-") {
            stakes::io::columns(next, &stakes::io::FileOptions::default())?;
        }
        Ok(())
    }

    /// The files beside those of every experiment.
    fn files(&self) -> Others {
        let outputs = [&self.output, &self.model].into_iter().flatten();
        Others {
            inputs: self.retrain_and_rank.iter().cloned().collect(),
            outputs: outputs.cloned().collect(),
        }
    }

    fn finish(&self, args: &ExperimentArgs, asked: Asked<'_>) -> anyhow::Result<()> {
        let Asked { setting, contestants, options } = asked;
        let options = BacktestOptions { compare: options, distance: self.distance };
        if let Some(name) = asked_to_retrain(contestants, &options.compare)? {
            retrain(setting, contestants, &name, &options.compare, None)?;
        }
        let found = args
            .watched("backtest", |watch| backtest(setting, contestants, &options, Some(watch)))?;
        let Some(found) = found else { return Ok(()) };
        hints::notes(&found.compared.notes);
        let (csv, latex, svg) = (found.csv(), found.compared.latex(), found.svg());
        args.write_files(&Files { csv, latex, svg })?;
        let model = match &self.retrain_and_rank {
            None => None,
            Some(_) => args.watch("train", |watch| {
                retrain(setting, contestants, found.picked(), &options.compare, Some(watch))
            })?,
        };
        if self.retrain_and_rank.is_some() && model.is_none() {
            note(format!("interrupted: {} is not trained, and nothing is ranked", found.picked()));
        }
        match (&self.retrain_and_rank, &model) {
            (Some(next), Some(model)) => {
                let next = model.read(next)?;
                let ranked = model.rank(&next)?;
                self.keep(model, &ranked)?;
                self.show(args, &found, Some(&ranked))
            }
            _ => self.show(args, &found, None),
        }
    }

    /// Writes the ranking and its model to the files that are asked for.
    fn keep(&self, model: &Model, ranked: &Ranked<'_>) -> anyhow::Result<()> {
        hints::notes(&ranked.notes);
        if let Some(path) = &self.model {
            model.save(path)?;
        }
        if let Some(path) = &self.output {
            let target = Target::table_of(path)?;
            write::to(path, &write::ranked(ranked, None, target)?, target)?;
            let (items, act) = (counted(ranked.items.len(), "item"), ranked.to_act_on().count());
            note(format!("{items} written to {path}, {act} of them to act on"));
        }
        Ok(())
    }

    fn show(
        &self,
        args: &ExperimentArgs,
        found: &Backtested,
        ranked: Option<&Ranked<'_>>,
    ) -> anyhow::Result<()> {
        if args.json() {
            return print_json(&Document { backtested: found, ranked });
        }
        let mut page = args.page();
        found.write(&mut page);
        if args.times() {
            found.compared.write_times(&mut page);
        }
        if let Some(ranked) = ranked.filter(|_| self.output.is_none()) {
            page.heading(&format!("To act on now, by {}", found.picked()));
            let items: Vec<_> = ranked.to_act_on().cloned().collect();
            let most = items.len();
            screen::ranked(&mut page, &Ranked { items, notes: Vec::new() }, None, most);
        }
        print_page(page)
    }
}
