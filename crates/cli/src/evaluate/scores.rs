//! Where scores come from: columns, files, TREC runs.

use anyhow::{Context, bail};
use clap::Args;
use stakes::data::Dataset;
use stakes::eval::study::Scores;
use stakes::eval::study::{BEST_FEATURE, IDEAL, RANDOM};
use stakes::io::{Run, TrecOptions, TrecTopics};
use stakes::rank::UNRANKED;

use super::check_finite;
use crate::args::DataArgs;

#[derive(Args)]
#[command(next_help_heading = "Scores")]
pub(crate) struct ScoreArgs {
    /// Score columns of the data, higher = earlier; a minus in front turns one round (-age)
    #[arg(short, long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    score: Vec<String>,
    /// Scores from a file, as PATH or NAME=PATH: a number per row of the data, or a CSV with
    /// list, id and score. May be repeated
    #[arg(long, value_name = "FILE")]
    score_file: Vec<String>,
    /// A TREC run, as PATH or NAME=PATH; DATA is then TREC qrels. May be repeated
    #[arg(long, value_name = "FILE", conflicts_with_all = ["score", "list", "impact", "id"])]
    run: Vec<String>,
    /// With --run: count judged topics that no run answers, too (trec_eval -c)
    #[arg(long, requires = "run")]
    all_topics: bool,
}

impl ScoreArgs {
    /// Reads the data and the scores. `extras` are columns that the cost needs.
    pub(crate) fn load(
        &self,
        data: &DataArgs,
        extras: Vec<String>,
    ) -> anyhow::Result<(Dataset, Vec<Scores>)> {
        let (data, mut scores) = match self.run.is_empty() {
            true => self.with_columns(data, extras)?,
            false => self.with_runs(&data.data)?,
        };
        for file in &self.score_file {
            let (name, path) = named_path(file)?;
            let values = stakes::io::read_scores(&path)?.align(&data)?;
            scores.push(Scores { name, values });
        }
        for (i, score) in scores.iter().enumerate() {
            if scores[..i].iter().any(|s| s.name == score.name) {
                bail!("score {} is given twice; name each once (NAME=FILE)", score.name);
            }
            if [RANDOM, IDEAL, BEST_FEATURE].contains(&score.name.as_str()) {
                bail!("a score cannot be called {}: that is a reference order", score.name);
            }
            check_finite(&data, &score.name, &score.values)?;
        }
        Ok((data, scores))
    }

    /// Whether columns of the data are among the scores.
    pub(crate) fn has_columns(&self) -> bool {
        !self.score.is_empty()
    }

    fn with_columns(
        &self,
        data: &DataArgs,
        mut extras: Vec<String>,
    ) -> anyhow::Result<(Dataset, Vec<Scores>)> {
        let outcomes = extras.clone();
        let names: Vec<&str> = self.score.iter().map(|name| name.trim()).collect();
        for name in names.iter().map(|name| name.strip_prefix('-').unwrap_or(name)) {
            if !extras.iter().any(|e| e == name) {
                extras.push(name.to_owned());
            }
        }
        let data = data.read(extras, outcomes)?;
        let scores = names.iter().map(|name| column(&data, name));
        let scores = scores.collect::<anyhow::Result<Vec<_>>>()?;
        Ok((data, scores))
    }

    fn with_runs(&self, qrels: &str) -> anyhow::Result<(Dataset, Vec<Scores>)> {
        let qrels = stakes::io::read_qrels(qrels)?;
        let runs = self.run.iter().map(|text| match text.split_once('=') {
            Some((name, path)) => {
                stakes::io::read_run(path).map(|run| Run { tag: name.to_owned(), ..run })
            }
            None => stakes::io::read_run(text),
        });
        let runs = runs.collect::<Result<Vec<_>, _>>()?;
        let topics = match self.all_topics {
            true => TrecTopics::Judged,
            false => TrecTopics::default(),
        };
        let options = TrecOptions { topics, ..TrecOptions::default() };
        let data = stakes::io::join_trec(&qrels, &runs, options)?;
        let scores = data.columns().extras.iter().map(|name| column(&data, name));
        let mut scores = scores.collect::<anyhow::Result<Vec<_>>>()?;
        // What a run did not retrieve is not ranked.
        for score in scores.iter_mut().flat_map(|run| &mut run.values) {
            if score.is_nan() {
                *score = UNRANKED;
            }
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

/// Splits `name=path`; a path alone is named by its stem.
fn named_path(text: &str) -> anyhow::Result<(String, String)> {
    if let Some((name, path)) = text.split_once('=') {
        return Ok((name.to_owned(), path.to_owned()));
    }
    let stem = std::path::Path::new(text).file_stem().and_then(|s| s.to_str());
    let name = stem.with_context(|| format!("{text}: give the scores a name with NAME={text}"))?;
    Ok((name.to_owned(), text.to_owned()))
}
