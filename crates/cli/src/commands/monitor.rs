//! `stakes monitor`: does a model still fit new lists?

use clap::Args;
use stakes::data::{Dataset, Purpose, missing_outcome, read_for};
use stakes::io::ReadOptions;
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::monitor::{Limits, MonitorOptions, Monitored, monitor};

use crate::args::{FileArgs, Reading, RoleArgs};
use crate::terminal::hints;
use crate::terminal::output::{page, print_page, print_report, watched};

/// See whether a model still fits new lists: drift, savings, churn
///
/// New lists are compared with those that the model was trained on, feature by feature and by their
/// scores; where they have costs, expected and saved costs are checked as well. An alarm is what is
/// past its limit and beyond chance with so many lists. The exit code is 0 if all is well, 2 if there
/// is an alarm, and 1 for errors, wrong flags among them.
#[derive(Args)]
pub(crate) struct Monitor {
    /// The model (stakes train)
    model: String,

    /// New lists; - is stdin
    ///
    /// CSV, TSV, xlsx, Parquet, Arrow IPC or LETOR (text also as .gz). Lists in the order of time, for
    /// churn.
    data: String,

    /// Lists to compare with (default: the training)
    ///
    /// By default what the model keeps of its training. Needed for models of versions that kept nothing.
    #[arg(long, value_name = "FILE")]
    reference: Option<String>,
    /// The model used before, for churn
    ///
    /// How much of what is acted on changes from that model to this one.
    #[arg(long, value_name = "FILE")]
    previous: Option<String>,
    /// Largest stability index (PSI) of features and scores
    #[arg(long, value_name = "X", default_value_t = Limits::default().psi, allow_negative_numbers = true)]
    max_psi: f64,
    /// Largest ratio of expected and observed cost
    ///
    /// Either way: 1.5 allows from 1/1.5 to 1.5.
    #[arg(long, value_name = "X", default_value_t = Limits::default().calibration, allow_negative_numbers = true)]
    max_calibration: f64,
    /// Largest drop of the metric since training
    ///
    /// Of the goal's metric, below what training promised on lists that it had left out.
    #[arg(long, value_name = "X", default_value_t = Limits::default().drop, allow_negative_numbers = true)]
    max_drop: f64,
    /// Largest share of what is acted on that changes
    ///
    /// With --previous from that model to this one, otherwise from one list to the next. By default there is
    /// no limit.
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    max_churn: Option<f64>,
    /// Print nothing while all is well, for cron
    #[arg(long)]
    only_alarms: bool,
    /// As JSON (docs/monitor.md)
    #[arg(long)]
    json: bool,
    /// How often lists are drawn to see what chance may do
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u32).range(100..=100_000), hide_short_help = true)]
    resamples: u32,
    /// Seed of these draws
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    roles: RoleArgs,
}

impl Monitor {
    /// Returns whether there is an alarm.
    pub(crate) fn run(self) -> anyhow::Result<bool> {
        self.roles.refuse_group("is monitored by its features and scores")?;
        let model = Model::load(&self.model)?;
        let found = watched(|_| self.monitor(&model))?;
        let is_alarm = !found.alarms.is_empty();
        if self.only_alarms && !is_alarm {
            return Ok(false);
        }
        if self.json {
            print_report(&found)?;
            return Ok(is_alarm);
        }
        hints::notes(&found.notes);
        let mut page = page();
        found.write(&mut page);
        print_page(page)?;
        Ok(is_alarm)
    }

    fn monitor(&self, model: &Model) -> anyhow::Result<Monitored> {
        let data = self.read(model, &self.data)?;
        let reference = self.reference.as_ref().map(|path| self.read(model, path)).transpose()?;
        let previous = self.previous.as_deref().map(Model::load).transpose()?;
        let options = MonitorOptions {
            reference: reference.as_ref(),
            previous: previous.as_ref(),
            limits: Limits {
                psi: self.max_psi,
                calibration: self.max_calibration,
                drop: self.max_drop,
                churn: self.max_churn,
            },
            resamples: self.resamples as usize,
            seed: self.seed,
        };
        Ok(monitor(model, &data, &options)?)
    }

    /// Reads lists, with their costs where they have them.
    fn read(&self, model: &Model, path: &str) -> anyhow::Result<Dataset> {
        let file = self.file.options_for(path)?;
        let read = ReadOptions { file, ..self.roles.roles().into() };
        let purpose = match missing_outcome(model, path, &read)? {
            None => Purpose::Measure,
            Some(_) => Purpose::Rank { prices: model.goal.budget().is_some() },
        };
        let reading = Reading::of(path);
        let data = read_for(model, path, &read, purpose)?;
        reading.done(&data);
        Ok(data)
    }
}
