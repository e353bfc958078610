//! `stakes explain`: what a model looks at, what that is worth in cost, and how scores move.

mod json;
mod picture;
mod text;

use anyhow::bail;
use clap::Args;
use stakes::cost::{Capacity, CostModel, Problem};
use stakes::data::Dataset;
use stakes::io::Format;
use stakes::learn::Model;
use stakes::metric::Scale;
use stakes::model::explain::{
    Dependence, JointDependence, PermutationImportance, PermutationOptions, Sample,
    permutation_importance, saved_cost_metric,
};

use crate::args::{DataArgs, RoleArgs};
use crate::output::{note, print, watched};
use crate::rank;

/// Features whose curves are drawn when none are named.
const DRAWN: usize = 6;

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

/// What was found out with data.
pub(crate) struct Measured {
    pub(crate) data: Dataset,
    /// The metric, and what features are worth by it, if the impact is known.
    pub(crate) worth: Option<(String, PermutationImportance)>,
    /// Items whose scores were watched.
    pub(crate) watched: usize,
    pub(crate) curves: Vec<Dependence>,
    /// The strongest first.
    pub(crate) pairs: Vec<JointDependence>,
}

impl Explain {
    pub(crate) fn run(self) -> anyhow::Result<()> {
        if let Some(path) = &self.picture {
            if !path.to_ascii_lowercase().ends_with(".svg") {
                bail!("{path}: pictures are drawn as SVG; give the file a name that ends in .svg");
            }
            stakes::io::check_target(path)?;
        }
        let model = self.stage(crate::model::read(&self.model)?)?;
        let measured = match &self.data {
            Some(data) => Some(watched(|say| self.measure(&model, data, say))?),
            None => None,
        };
        if let (Some(path), Some(measured)) = (&self.picture, &measured) {
            stakes::io::write_text(path, &picture::svg(&model, measured))?;
        }
        print(&match self.json {
            true => json::render(&self.model, &model, measured.as_ref(), &self)?,
            false => text::render(&self.model, &model, measured.as_ref(), &self),
        })
    }

    /// The stage that is asked for: each of two has reasons of its own.
    fn stage(&self, model: Model) -> anyhow::Result<Model> {
        match (self.stage.as_deref(), &model.rerank) {
            (None, _) => check_stages(&self.model, &model).map(|()| model),
            (Some(_), None) => {
                bail!("{}: the model has one stage; --stage is for those that re-rank", self.model)
            }
            (Some("base"), _) => Ok(model.first_stage()),
            (Some("re-rank" | "rerank"), Some(rerank)) => {
                if rerank.base_weight != 0.0 {
                    note(
                        "the base score counts, too, with a weight of its own (stakes model info); \
                         --stage base explains it",
                    );
                }
                Ok(model.second_stage().unwrap_or(model))
            }
            (Some(other), _) => bail!("there is no stage `{other}`; stages are base and re-rank"),
        }
    }

    fn measure(&self, model: &Model, data: &str, say: &dyn Fn(&str)) -> anyhow::Result<Measured> {
        say("reading");
        let (format, roles) = (self.format, self.roles.clone());
        let args = DataArgs { data: data.to_owned(), format, roles };
        let cost = CostModel::parse(&model.goal.cost)?;
        let missing = missing_outcome(&args, model, &cost)?;
        let data = match &missing {
            None => rank::read_known(&args, model, &cost)?,
            Some(column) => {
                note(format!(
                    "there is no column {column}, so what features are worth in cost cannot be \
                     measured (--impact COLUMN)"
                ));
                rank::read(&args, model, false)?
            }
        };
        rank::remark(model, &data)?;
        let drawn = self.named(model)?;
        let worth = match missing {
            None => Some(self.worth(model, &data, &cost, say)?),
            Some(_) => None,
        };
        let drawn = drawn.unwrap_or_else(|| most_important(model, worth.as_ref()));
        say("watching scores");
        let sample = Sample::draw(model, &data, self.seed)?;
        let curves = drawn.iter().map(|&feature| sample.dependence(feature)).collect();
        let mut pairs = Vec::new();
        for (i, &a) in drawn.iter().enumerate() {
            pairs.extend(drawn[..i].iter().map(|&b| sample.joint([b, a])));
        }
        pairs.sort_by(|a, b| b.size.total_cmp(&a.size));
        let watched = sample.len();
        Ok(Measured { data, worth, watched, curves, pairs })
    }

    /// What features are worth, and by which metric.
    fn worth(
        &self,
        model: &Model,
        data: &Dataset,
        cost: &CostModel,
        say: &dyn Fn(&str),
    ) -> anyhow::Result<(String, PermutationImportance)> {
        let problem = Problem::new(data, cost)?;
        let metric = saved_cost_metric(&model.goal, self.k, Scale::of(data))?;
        let options = PermutationOptions { repeats: self.repeats.into(), seed: self.seed };
        let tell = |feature: &str| say(&format!("exchanging {feature}"));
        Ok((metric.name(), permutation_importance(model, &problem, &metric, options, &tell)?))
    }

    /// The features that were named.
    fn named(&self, model: &Model) -> anyhow::Result<Option<Vec<usize>>> {
        let names = || model.features.iter().map(|feature| feature.name.as_str());
        let find = |name: &String| match names().position(|known| known == name) {
            Some(feature) => Ok(feature),
            None => {
                let hint = stakes::suggest::hint(name, names());
                bail!("{}: the model has no feature `{name}`; {hint}", self.model)
            }
        };
        if self.features.is_empty() {
            return Ok(None);
        }
        let mut found = self.features.iter().map(find).collect::<anyhow::Result<Vec<_>>>()?;
        let mut seen = std::collections::HashSet::new();
        found.retain(|feature| seen.insert(*feature));
        Ok(Some(found))
    }
}

/// Refuses to explain two scores as if they were one.
pub(crate) fn check_stages(path: &str, model: &Model) -> anyhow::Result<()> {
    if model.rerank.is_none() {
        return Ok(());
    }
    bail!(
        "{path}: the model re-ranks what another puts first, so an item has one of two scores with \
         reasons of their own; look at one (stakes explain {path} --stage base, or --stage \
         re-rank), or at the weights (stakes model info {path})"
    )
}

/// The column that the cost needs and the data do not have, if there is one.
fn missing_outcome(
    args: &DataArgs,
    model: &Model,
    cost: &CostModel,
) -> anyhow::Result<Option<String>> {
    // Stdin can be read only once: what is needed must be there.
    if args.data == "-" {
        return Ok(None);
    }
    let there = stakes::io::columns(&args.data, args.format)?;
    if args.is_letor(&there) {
        return Ok(None);
    }
    let impact = args.roles.impact.clone().or_else(|| model.goal.columns.get("impact").cloned());
    let mut needed = impact.into_iter().chain(cost.columns());
    Ok(needed.find(|column| !there.contains(column)))
}

/// Those that are worth most, or have the most gain.
fn most_important(model: &Model, worth: Option<&(String, PermutationImportance)>) -> Vec<usize> {
    let by_gain = || model.importance().into_iter().filter(|row| row.2 > 0).map(|row| row.0);
    let mut features: Vec<usize> = match worth {
        Some((_, worth)) => worth.losses.iter().map(|loss| loss.feature).collect(),
        None => by_gain().collect(),
    };
    features.truncate(DRAWN);
    features
}
