//! `stakes explain`: which features a model uses, what each is worth, and how scores depend on them.

mod text;

use anyhow::{anyhow, bail};
use clap::Args;
use stakes::cost::Capacity;
use stakes::data::{Purpose, missing_outcome, read_for};
use stakes::explain::{self, ExplainOptions, ExplainReport, Explanation, Stage};
use stakes::io::{ReadOptions, check_targets};
use stakes::model::Model;
use stakes::model_file::ModelFile;
use stakes::{Error, Note, Observer};

use crate::args::{FileArgs, Reading, RoleArgs};
use crate::terminal::output::{print_page, print_report, watched};
use crate::terminal::{hints, output};

/// Show which features a model uses, and what each is worth
///
/// Without data: each feature's share of the gain of all splits. With data: the savings lost
/// when a feature's values are shuffled within each list (permutation importance; needs the
/// impact), how the score depends on the most important features, and which of them interact.
#[derive(Args)]
pub(crate) struct Explain {
    /// The model (stakes train)
    model: String,

    /// Lists to measure on, preferably not those of the training; - is stdin
    ///
    /// CSV, TSV, xlsx, Parquet, Arrow IPC or LETOR (text also as .gz).
    data: Option<String>,

    /// Items of a list to act on (default: as in training)
    ///
    /// 10, or 12.5% (of the mean list length, rounded up).
    #[arg(short, long, value_name = "K", requires = "data", allow_negative_numbers = true)]
    k: Option<Capacity>,
    /// How often each feature is shuffled
    #[arg(long, value_name = "N", default_value_t = 5, value_parser = clap::value_parser!(u16).range(1..=1000))]
    repeats: u16,
    /// Features to draw and to pair (default: the first six)
    #[arg(long, value_name = "NAMES", value_delimiter = ',', requires = "data")]
    features: Vec<String>,
    /// Only the first N features in the table
    #[arg(long, value_name = "N", default_value_t = 10)]
    top: usize,
    /// Draw how scores depend on features to this SVG file
    ///
    /// And how it depends on the two that interact most.
    #[arg(long, value_name = "FILE", requires = "data")]
    picture: Option<String>,
    /// Stage of a model that re-ranks: base, or re-rank
    #[arg(long, value_name = "STAGE", hide_short_help = true)]
    stage: Option<String>,
    /// As JSON (docs/explain-json.md)
    #[arg(long)]
    json: bool,
    /// Seed of all random draws: the shuffles and the sample of items
    #[arg(long, value_name = "N", default_value_t = 0, hide_short_help = true)]
    seed: u64,
    #[command(flatten)]
    file: FileArgs,

    #[command(flatten)]
    roles: RoleArgs,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.picture {
            if !path.to_ascii_lowercase().ends_with(".svg") {
                bail!("{path}: pictures are drawn as SVG; give the file a name that ends in .svg");
            }
            check_targets([path], [Some(&self.model), self.data.as_ref()].into_iter().flatten())?;
        }
        self.roles.refuse_group("is explained by its features alone")?;
        let model = self.stage(Model::load(&self.model)?)?;
        let options = ExplainOptions {
            k: self.k,
            repeats: self.repeats.into(),
            seed: self.seed,
            features: self.features.clone(),
        };
        let found = match &self.data {
            Some(data) => Some(watched(|observer| self.explain(&model, data, &options, observer))?),
            None => None,
        };
        if let Some(found) = &found {
            hints::notes(&found.notes);
        }
        if let (Some(path), Some(found)) = (&self.picture, &found) {
            output::write_text(path, &explain::svg(&model, found))?;
        }
        if self.json {
            let found = found.as_ref();
            return print_report(&ExplainReport::new(&self.model, &model, found, &options));
        }
        let mut page = output::page();
        text::write(&mut page, &self.model, &model, found.as_ref(), &self);
        print_page(page)
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
        observer: &mut dyn Observer,
    ) -> anyhow::Result<Explanation> {
        observer.stage("reading");
        let file = self.file.options_for(path)?;
        let read = ReadOptions { file, ..self.roles.roles().into() };
        let missing = missing_outcome(model, path, &read)?;
        let with_cost = missing.is_none();
        let purpose = if with_cost { Purpose::Measure } else { Purpose::Rank { prices: false } };
        let missing = missing.map(|column| Note::NoCostColumn { column });
        missing.iter().for_each(hints::note);
        let reading = Reading::of(path);
        let data = read_for(model, path, &read, purpose)?;
        reading.done(&data);
        explain::explain(model, &data, with_cost, options, Some(observer)).map_err(|error| {
            match error {
                Error::UnknownFeature { .. } => anyhow!("{}: {error}", self.model),
                error => error.into(),
            }
        })
    }
}
