//! `stakes model import`: models of other libraries.

use anyhow::bail;
use clap::Args;
use stakes::data::{Purpose, read_for};
use stakes::import::{
    ImportOptions, Imported, Source, calibrate, feature_names, import_file, role_columns, source,
};
use stakes::io::{FileOptions, ReadOptions, check_targets};
use stakes::model::Link;
use stakes::model_file::{ModelFile, check_model_name};

use crate::args::{CostArgs, FileArgs, Reading, RoleArgs};
use crate::terminal::hints;
use crate::terminal::model::size;
use crate::terminal::output::{self, counted, note, report, written};

/// Import a model of LightGBM, XGBoost or another library
///
/// The imported model has the same scores, and everything works with it: stakes rank, evaluate, explain, plan,
/// audit, certify, re-ranking. What kind of model the file holds is found from its content; what models of
/// stakes cannot hold is refused. docs/interchange.md has what is read.
#[derive(Args)]
pub(crate) struct Import {
    /// The model file of the other library
    file: String,
    /// Where to write the model: .json or .json.zst (compressed)
    #[arg(short, long, value_name = "FILE")]
    output: String,
    /// Kind of FILE (default: by its content): lightgbm, xgboost, ...
    #[arg(long, value_name = "KIND", value_parser = source)]
    from: Option<&'static Source>,
    /// Names of the features, in the model's order: wind,age,poles
    #[arg(long, value_name = "NAMES", value_delimiter = ',', conflicts_with = "features_from")]
    features: Option<Vec<String>>,
    /// Data file whose columns without a role are the features, in this order
    #[arg(long, value_name = "DATA")]
    features_from: Option<String>,
    /// Rounds of boosting to keep, such as the best of early stopping (default: all)
    #[arg(long, value_name = "N", hide_short_help = true)]
    rounds: Option<usize>,
    /// Lists to fit expected costs on; the model must not have been trained on them
    ///
    /// Without it scores have no meaning as costs: stakes rank shows no expected costs, and stakes plan cannot
    /// use the model.
    #[arg(long, value_name = "DATA")]
    calibrate: Option<String>,

    #[command(flatten)]
    cost: CostArgs,
    /// Metric that decides (stakes metrics lists all of them)
    #[arg(short, long, value_name = "METRIC", help_heading = "Goal", hide_short_help = true)]
    metric: Option<String>,

    #[command(flatten)]
    file_args: FileArgs,
    #[command(flatten)]
    roles: RoleArgs,
}

impl Import {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        check_model_name(&self.output)?;
        let data = [&self.features_from, &self.calibrate].into_iter().flatten();
        check_targets([&self.output], data.chain([&self.file]))?;
        self.refuse_what_has_no_effect()?;
        let mut imported = import_file(&self.file, &self.options()?)?;
        imported.notes.iter().for_each(|text| note(hints::with_flags(text)));
        if let Some(path) = &self.calibrate {
            let model = &mut imported.model;
            let options =
                ReadOptions { file: self.file_args.options(), ..self.roles.roles().into() };
            let reading = Reading::of(path);
            let lists = read_for(model, path, &options, Purpose::Measure)?;
            reading.done(&lists);
            calibrate(model, &lists)?;
        }
        imported.model.save(&self.output)?;
        written(&self.output);
        self.show(&imported);
        Ok(())
    }

    fn options(&self) -> anyhow::Result<ImportOptions> {
        let roles = self.roles.roles();
        let names = |path: &String| feature_names(path, &self.file_args.options(), &roles);
        let features = match &self.features {
            Some(names) => Some(names.clone()),
            None => self.features_from.as_ref().map(names).transpose()?,
        };
        Ok(ImportOptions {
            source: self.from,
            features,
            rounds: self.rounds,
            goal: self.cost.goal(self.metric.as_deref())?,
            columns: role_columns(&roles),
        })
    }

    /// Flags that only reading data needs are refused where none are read.
    fn refuse_what_has_no_effect(&self) -> anyhow::Result<()> {
        let roles = &self.roles;
        let reading = [
            ("--drop", !roles.drop.is_empty(), self.features_from.is_some()),
            ("--categorical", !roles.categorical.is_empty(), false),
            ("--numeric", !roles.numeric.is_empty(), false),
            ("--missing-impact", roles.missing_impact.is_some(), false),
        ];
        let is_read = self.calibrate.is_some();
        if let Some((flag, ..)) =
            reading.iter().find(|(_, given, used)| *given && !used && !is_read)
        {
            bail!("{flag} says how data are read, and none are read here; leave it out");
        }
        if self.file_args.options() != FileOptions::default()
            && !is_read
            && self.features_from.is_none()
        {
            bail!(
                "--format, --sheet, --decimal and --dates say how data are read, and none are read here"
            );
        }
        Ok(())
    }

    fn show(&self, imported: &Imported) {
        let model = &imported.model;
        let mut page = output::page();
        page.heading("Imported");
        page.line("from", &format!("{} ({})", self.file, imported.source.name));
        page.line(
            "model",
            &format!("{}, {}", size(model), counted(model.features.len(), "feature")),
        );
        let link = model.scorer.factors.first().map(|factor| factor.link);
        page.line(
            "score",
            match link {
                Some(Link::Exp) => "exp(sum)",
                Some(Link::Logistic) => "1 / (1 + exp(-sum))",
                Some(Link::Identity) | None => "the sum",
            },
        );
        page.line(
            "costs",
            match model.calibration {
                Some(_) => "expected costs by the lists of --calibrate",
                None => "no expected costs (--calibrate DATA fits them)",
            },
        );
        page.line("written to", &self.output);
        report(page);
    }
}
