//! Parameters as they are typed: `-p leaves=31,rate=0.05`, and short cuts for the common ones.

use clap::Args;
use stakes::learn::LearnerInfo;
use stakes::learn::params::{ParamError, Settings};

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
}

impl ParamArgs {
    /// The learner's parameters, all of them, checked; `usual` are those that the task has another
    /// default of.
    pub(crate) fn settings(
        &self,
        learner: &'static LearnerInfo,
        usual: &[(&str, &str)],
    ) -> Result<Settings, ParamError> {
        let mut pairs = Vec::new();
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
            // Both spellings of a long name are meant alike.
            if pairs.iter().all(|(given, _)| given.trim().replace('_', "-") != *key) {
                pairs.push(((*key).to_owned(), (*value).to_owned()));
            }
        }
        Settings::new(learner, pairs.iter().map(|(key, value)| (key.as_str(), value.as_str())))
    }
}

/// `leaves=31,monotone=wind:+,age:-` as pairs: a piece without `=` belongs to the value before.
fn split(text: &str) -> Result<Vec<(String, String)>, ParamError> {
    let mut pairs: Vec<(String, String)> = Vec::new();
    for piece in text.split(',') {
        match (piece.contains('='), pairs.last_mut()) {
            (false, Some((_, value))) => {
                value.push(',');
                value.push_str(piece);
            }
            _ => {
                let (key, value) = Settings::split(piece)?;
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
        assert!(split("leaves").is_err() && split("").is_err());
    }
}
