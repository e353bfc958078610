//! Parameters as they are typed: `-p leaves=31,rate=0.05`, and short cuts for the common ones.

use anyhow::bail;
use clap::Args;
use stakes::learn::params::{self, ParamError};
use stakes::learn::rerank::GIVEN;
use stakes::learn::{Configured, Kind, Learner, Model, learner};

use crate::exact::ExactArgs;

#[derive(Args)]
#[command(next_help_heading = "Parameters")]
pub(crate) struct ParamArgs {
    /// Parameters of the learner (all of them: stakes learners NAME), several with commas
    #[arg(short, long, value_name = "KEY=VALUE")]
    param: Vec<String>,
    /// How much to try (learner auto): low, medium or high
    #[arg(long, value_name = "NAME")]
    effort: Option<String>,
    /// Trees at most
    #[arg(long, value_name = "N", visible_alias = "trees")]
    rounds: Option<String>,
    /// Leaves of a tree at most
    #[arg(long, value_name = "N")]
    leaves: Option<String>,
    /// Learning rate
    #[arg(long, value_name = "RATE", visible_alias = "learning-rate")]
    rate: Option<String>,
    /// Stop after so many rounds without a better figure on the held-out lists; 0: never
    #[arg(long, value_name = "N")]
    patience: Option<String>,
    /// What scores all items before the first are re-ranked: a learner, or a trained model
    #[arg(long, value_name = "NAME|MODEL", help_heading = "Exact search")]
    base: Option<String>,
    /// What re-ranking is to be best by: rcs@10, ndcg@10, clrs-dcg, ... (default: --metric)
    #[arg(long, value_name = "METRIC", help_heading = "Exact search")]
    objective: Option<String>,
    #[command(flatten)]
    exact: ExactArgs,
}

impl ParamArgs {
    /// The trained model that is to be re-ranked, if the base is one.
    pub(crate) fn base_model(&self) -> anyhow::Result<Option<Model>> {
        self.base.as_deref().filter(|base| is_model(base)).map(crate::model::read).transpose()
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

    /// The learner's parameters, all of them, checked; `usual` are those that the task has another
    /// default of.
    pub(crate) fn settings(
        &self,
        learner: Box<dyn Learner>,
        usual: &[(&str, &str)],
    ) -> anyhow::Result<Configured> {
        let mut pairs = self.of_exact(&*learner)?;
        for text in &self.param {
            pairs.extend(split(text)?);
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
        for (key, value) in usual {
            if pairs.iter().all(|(given, _)| params::canonical_key(given) != *key) {
                pairs.push(((*key).to_owned(), (*value).to_owned()));
            }
        }
        Ok(Configured::new(
            learner,
            pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())),
        )?)
    }
}

/// Whether a base is a file of a model, not the name of a learner.
fn is_model(base: &str) -> bool {
    learner(base).is_err() && (base.contains(".json") || std::path::Path::new(base).exists())
}

/// `leaves=31,monotone=wind:+,age:-` as pairs: a piece without `=` belongs to the value before, and
/// so does a sign.
pub(crate) fn split(text: &str) -> Result<Vec<(String, String)>, ParamError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        let is_sign = piece.ends_with("=+") || piece.ends_with("=-");
        match (piece.contains('=') && !is_sign, pairs.last_mut()) {
            (false, Some((_, value))) => {
                value.push(',');
                value.push_str(piece);
            }
            _ => {
                let (key, value) = params::split(piece)?;
                pairs.push((key.to_owned(), value.to_owned()));
            }
        }
    }
    Ok(pairs)
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn commas_divide_pairs_and_stay_within_values() {
        let pairs = |text: &str| -> Vec<String> {
            let pairs = split(text).expect("pairs");
            pairs.iter().map(|(key, value)| format!("{key} {value}")).collect()
        };
        assert_eq!(pairs("leaves=7"), ["leaves 7"]);
        assert_eq!(pairs("leaves=7,rate=0.1"), ["leaves 7", "rate 0.1"]);
        assert_eq!(
            pairs("monotone=wind:+,age:-,interactions=wind,gust;age,leaves=7"),
            ["monotone wind:+,age:-", "interactions wind,gust;age", "leaves 7"]
        );
        assert_eq!(pairs("signs=wind=+,age=-,nodes=7"), ["signs wind=+,age=-", "nodes 7"]);
        assert!(split("leaves").is_err() && split("").is_err());
    }
}
