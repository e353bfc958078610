//! Parameters as they are typed: `-p leaves=31,rate=0.05`, and shortcuts for the common ones.

use anyhow::bail;
use clap::Args;
use stakes::learn::rerank::GIVEN;
use stakes::learn::{Configured, Kind, Learner, learner, preset};
use stakes::model::Model;
use stakes::model_file::ModelFile;

use crate::args::{ExactArgs, split_params};

#[derive(Args)]
#[command(next_help_heading = "Training")]
pub(crate) struct ParamArgs {
    /// How much auto tries: low, medium (default) or high
    #[arg(long, value_name = "NAME")]
    effort: Option<String>,
    /// Parameters of the learner: leaves=31,rate=0.05
    ///
    /// All of them: stakes learners NAME. Names of LightGBM, XGBoost and CatBoost are understood:
    /// num_leaves=31.
    #[arg(short, long, value_name = "KEY=VALUE")]
    param: Vec<String>,
    /// Set the learner as its paper has it: -p preset=paper
    ///
    /// Parameters that are given beside it win. Which settings that are: stakes learners NAME.
    #[arg(long, hide_short_help = true)]
    as_in_paper: bool,
    /// Maximum number of trees
    #[arg(
        long,
        value_name = "N",
        visible_alias = "trees",
        hide_short_help = true,
        help_heading = "Parameters"
    )]
    rounds: Option<String>,
    /// Maximum number of leaves per tree
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Parameters")]
    leaves: Option<String>,
    /// Learning rate
    #[arg(
        long,
        value_name = "RATE",
        visible_alias = "learning-rate",
        hide_short_help = true,
        help_heading = "Parameters"
    )]
    rate: Option<String>,
    /// Early stopping: stop after N rounds without improvement on the validation lists; 0: never
    #[arg(long, value_name = "N", hide_short_help = true, help_heading = "Parameters")]
    patience: Option<String>,
    /// What scores all items before the first of them are re-ranked: a learner, or a trained model
    #[arg(long, value_name = "NAME|MODEL", help_heading = "Exact search", hide_short_help = true)]
    base: Option<String>,
    /// Objective of re-ranking: rcs@10, ndcg@10, clrs-dcg, ... (default: --metric)
    #[arg(long, value_name = "METRIC", help_heading = "Exact search", hide_short_help = true)]
    objective: Option<String>,
    #[command(flatten)]
    exact: ExactArgs,
}

impl ParamArgs {
    /// The trained model that is to be re-ranked, if the base is one.
    pub(crate) fn base_model(&self) -> anyhow::Result<Option<Model>> {
        Ok(self.base_file().map(|path| Model::load(path)).transpose()?)
    }

    /// The file of that model.
    pub(crate) fn base_file(&self) -> Option<&String> {
        self.base.as_ref().filter(|base| is_model(base))
    }

    /// Parameters of exact re-ranking, which no other learner has.
    fn of_exact(&self, learner: &dyn Learner) -> anyhow::Result<Vec<(String, String)>> {
        let base = self.base.as_ref().map(|base| match is_model(base) {
            true => GIVEN.to_owned(),
            false => base.clone(),
        });
        let own = [("base", base.as_ref()), ("objective", self.objective.as_ref())];
        let own = own.into_iter().filter_map(|(key, value)| Some((key, value?)));
        let pairs: Vec<(String, String)> =
            own.chain(self.exact.pairs()).map(|(k, v)| (k.to_owned(), v.clone())).collect();
        match pairs.first() {
            Some((key, _)) if learner.kind() != Kind::Rerank => bail!(
                "--{key} goes with --learner exact-rerank; {} has no such parameter",
                learner.name()
            ),
            _ => Ok(pairs),
        }
    }

    /// The learner with its parameters as given by flags.
    pub(crate) fn settings(&self, learner: Box<dyn Learner>) -> anyhow::Result<Configured> {
        let mut pairs = self.of_exact(&*learner)?;
        if self.as_in_paper {
            pairs.push((preset::KEY.to_owned(), preset::PAPER.to_owned()));
        }
        for text in &self.param {
            pairs.extend(split_params(text)?);
        }
        let short = [
            ("effort", &self.effort),
            ("rounds", &self.rounds),
            ("leaves", &self.leaves),
            ("rate", &self.rate),
            ("patience", &self.patience),
        ];
        for (key, value) in short {
            pairs.extend(value.iter().map(|value| (key.to_owned(), value.clone())));
        }
        let pairs = pairs.iter().map(|(key, value)| (key.as_str(), value.as_str()));
        Ok(Configured::new(learner, pairs)?)
    }
}

/// Whether a base is a file of a model, not the name of a learner.
fn is_model(base: &str) -> bool {
    learner(base).is_err() && (base.contains(".json") || std::path::Path::new(base).exists())
}
