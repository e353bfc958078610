//! `stakes explain`: what a model looks at, what that is worth in cost, and how scores move.

mod text;

use anyhow::{anyhow, bail};
use clap::Args;
use stakes::cost::Capacity;
use stakes::data::{Purpose, missing_outcome, read_for};
use stakes::explain::{self, ExplainOptions, Explanation, Stage};
use stakes::io::{Format, ReadOptions};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::{Error, Note};

use crate::args::{RoleArgs, note_dropped};
use crate::terminal::output::{print, watched};
use crate::terminal::{hints, output};

/// Show what a model looks at, and with data what that saves
///
/// Without data: each feature's share of the gain of all splits. With data: what is no longer
/// saved when a feature's values are exchanged among the items of each list (needs the
/// impact), how the score moves with the most important features, and which of them work
/// together.
#[derive(Args)]
pub(crate) struct Explain {
    /// The model (stakes train)
    model: String,

    /// Data to measure on, best lists that the model has not learnt from: CSV, TSV, Parquet,
    /// Arrow IPC or LETOR/SVMlight; - is stdin
    data: Option<String>,

    /// Format, if the name does not tell: csv, tsv, parquet, arrow, letor
    #[arg(long, value_name = "NAME")]
    format: Option<Format>,

    #[command(flatten)]
    roles: RoleArgs,

    /// How many items of a list can be acted on. Default: the model's
    #[arg(short, long, value_name = "K", requires = "data", allow_negative_numbers = true)]
    k: Option<Capacity>,
    /// How often each feature's values are exchanged
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeats: u16,
    /// Seed of exchanges and of the items whose scores are watched
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Features to draw and to pair (default: the six that are worth most)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "data")]
    features: Vec<String>,
    /// Features in the table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Draw how the score moves with features, and with the two that work together most, to
    /// this SVG file
    #[arg(long, value_name = "FILE", requires = "data")]
    picture: Option<String>,
    /// Which stage of a model that re-ranks: base, or re-rank
    #[arg(long, value_name = "STAGE")]
    stage: Option<String>,
    /// As JSON (docs/explain-json.md)
    #[arg(long)]
    json: bool,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.picture {
            if !path.to_ascii_lowercase().ends_with(".svg") {
                bail!("{path}: pictures are drawn as SVG; give the file a name that ends in .svg");
            }
            stakes::io::check_target(path)?;
        }
        let model = self.stage(Model::load(&self.model)?)?;
        let options = ExplainOptions {
            k: self.k,
            repeats: self.repeats.into(),
            seed: self.seed,
            features: self.features.clone(),
        };
        let found = match &self.data {
            Some(data) => Some(watched(|say| self.explain(&model, data, &options, say))?),
            None => None,
        };
        if let Some(found) = &found {
            hints::notes(&found.notes);
        }
        if let (Some(path), Some(found)) = (&self.picture, &found) {
            stakes::io::write_text(path, &explain::svg(&model, found))?;
        }
        print(&match self.json {
            true => {
                let document = explain::document(&self.model, &model, found.as_ref(), &options);
                serde_json::to_string_pretty(&document)? + "\n"
            }
            false => text::render(&self.model, &model, found.as_ref(), &self),
        })
    }

    /// The stage that is asked for: each of two has reasons of its own.
    fn stage(&self, model: Model) -> anyhow::Result<Model> {
        let path = &self.model;
        let stage = match (self.stage.as_deref(), &model.rerank) {
            (None, Some(_)) => bail!("{path}: {}", output::two_stages(path)),
            (Some(_), None) => {
                bail!("{path}: the model has one stage; --stage is for models that re-rank")
            }
            (None, None) => None,
            (Some("base"), _) => Some(Stage::Base),
            (Some("re-rank" | "rerank"), _) => Some(Stage::Rerank),
            (Some(other), _) => bail!("there is no stage `{other}`; stages are base and re-rank"),
        };
        let (model, note) = explain::stage(model, stage)?;
        note.iter().for_each(hints::note);
        Ok(model)
    }

    fn explain(
        &self,
        model: &Model,
        path: &str,
        options: &ExplainOptions,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<Explanation> {
        say("reading");
        let read = ReadOptions { roles: self.roles.roles(), format: self.format };
        let missing = missing_outcome(model, path, &read)?;
        let with_cost = missing.is_none();
        let purpose = if with_cost { Purpose::Measure } else { Purpose::Rank { prices: false } };
        let missing = missing.map(|column| Note::NoCostColumn { column });
        missing.iter().for_each(hints::note);
        let (data, notes) = read_for(model, path, &read, purpose)?;
        note_dropped(&data);
        hints::notes(&notes);
        explain::explain(model, &data, with_cost, options, say).map_err(|error| match error {
            Error::UnknownFeature { .. } => anyhow!("{}: {error}", self.model),
            error => error.into(),
        })
    }
}
