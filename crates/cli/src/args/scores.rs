//! Where scores come from: columns, files, TREC runs.

use anyhow::Context;
use clap::Args;
use stakes::data::Dataset;
use stakes::eval::study::Scores;
use stakes::evaluate::scores::{NamedFile, check, read_file, read_runs, read_with_columns};

use super::{DataArgs, Reading};
use crate::terminal::hints;

#[derive(Args)]
#[command(next_help_heading = "Scores")]
pub(crate) struct ScoreArgs {
    /// Columns of DATA, highest first; -age: lowest first
    #[arg(short, long, value_name = "COLUMNS", value_delimiter = ',', allow_hyphen_values = true)]
    score: Vec<String>,
    /// FILE or NAME=FILE with the score of each row
    ///
    /// A number per row of the data, or a CSV with list, id and score. May be repeated.
    #[arg(long, value_name = "FILE")]
    score_file: Vec<String>,
    /// A TREC run, as FILE or NAME=FILE; DATA is then TREC qrels
    ///
    /// A run without a name has that of its last column. May be repeated.
    #[arg(
        long,
        value_name = "FILE",
        conflicts_with_all = ["score", "list", "impact", "id", "group"],
        hide_short_help = true
    )]
    run: Vec<String>,
    /// With --run: also count judged topics that no run answers (trec_eval -c)
    #[arg(long, requires = "run", hide_short_help = true)]
    all_topics: bool,
}

impl ScoreArgs {
    /// Reads the data and the scores. `outcomes` are columns that the cost needs.
    pub(crate) fn load(
        &self,
        data: &DataArgs,
        outcomes: Vec<String>,
    ) -> anyhow::Result<(Dataset, Vec<Scores>)> {
        let reading = Reading::of(&data.data);
        let (data, mut scores) = match self.run.is_empty() {
            true => {
                let names: Vec<&str> = self.score.iter().map(|name| name.trim()).collect();
                let unsigned = |name: &&str| name.strip_prefix('-').unwrap_or(name).to_owned();
                let extras = names.iter().map(unsigned).chain(outcomes.clone()).collect();
                let options = data.options(extras)?;
                read_with_columns(&data.data, &options, &names, outcomes)?
            }
            false => {
                let runs: Vec<NamedFile> = self.run.iter().map(|text| named_file(text)).collect();
                read_runs(&data.data, &runs, self.all_topics)?
            }
        };
        reading.done(&data);
        for text in &self.score_file {
            let (name, path) = name_and_path(text)?;
            let (score, unknown) = read_file(&name, &path, &data)?;
            unknown.iter().for_each(hints::note);
            scores.push(score);
        }
        check(&data, &scores)?;
        Ok((data, scores))
    }

    /// Whether the data are TREC judgements, which have no columns.
    pub(crate) fn has_runs(&self) -> bool {
        !self.run.is_empty()
    }

    /// The files that scores are read from.
    pub(crate) fn files(&self) -> impl Iterator<Item = String> + '_ {
        self.score_file.iter().chain(&self.run).map(|text| named_file(text).path)
    }

    /// Whether columns of the data are among the scores.
    pub(crate) fn has_columns(&self) -> bool {
        !self.score.is_empty()
    }
}

/// A name, by default that of the file, and a path.
pub(crate) fn name_and_path(text: &str) -> anyhow::Result<(String, String)> {
    let NamedFile { name, path } = named_file(text);
    let stem = std::path::Path::new(&path).file_stem().and_then(|stem| stem.to_str());
    let name = name.or_else(|| stem.map(str::to_owned));
    let name = name.with_context(|| format!("{text}: give the scores a name with NAME={text}"))?;
    Ok((name, path))
}

/// A path, or `name=path`.
fn named_file(text: &str) -> NamedFile {
    match text.split_once('=') {
        Some((name, path)) => NamedFile { name: Some(name.to_owned()), path: path.to_owned() },
        None => NamedFile { name: None, path: text.to_owned() },
    }
}
