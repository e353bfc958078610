//! Where scores come from: columns, files, TREC runs.

use anyhow::bail;
use clap::Args;
use stakes::data::Dataset;
use stakes::eval::study::Scores;

use super::check_finite;
use crate::args::DataArgs;

#[derive(Args)]
#[command(next_help_heading = "Scores")]
pub(crate) struct ScoreArgs {
    /// Score columns of the data, higher = earlier; a minus in front turns one round (-age)
    #[arg(short, long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    score: Vec<String>,
}

impl ScoreArgs {
    /// Reads the data and the scores. `extras` are columns that the cost needs.
    pub(crate) fn load(
        &self,
        data: &DataArgs,
        mut extras: Vec<String>,
    ) -> anyhow::Result<(Dataset, Vec<Scores>)> {
        let columns = self.score.iter().map(|name| name.strip_prefix('-').unwrap_or(name));
        for name in columns {
            if !extras.iter().any(|e| e == name) {
                extras.push(name.to_owned());
            }
        }
        let data = data.read(extras)?;
        let scores = self.score.iter().map(|name| column(&data, name));
        let scores = scores.collect::<anyhow::Result<Vec<_>>>()?;
        for (i, score) in scores.iter().enumerate() {
            if scores[..i].iter().any(|s| s.name == score.name) {
                bail!("score {} is given twice; name each once", score.name);
            }
            check_finite(&data, score)?;
        }
        Ok((data, scores))
    }
}

fn column(data: &Dataset, name: &str) -> anyhow::Result<Scores> {
    let values = match name.strip_prefix('-') {
        Some(column) => data.numbers(column)?.into_iter().map(|v| -v).collect(),
        None => data.numbers(name)?,
    };
    Ok(Scores { name: name.to_owned(), values })
}
