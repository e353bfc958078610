//! Rankings as tables, as JSON, or as scores alone.

use std::str::FromStr;

use anyhow::bail;
use stakes::classes::Classified;
use stakes::data::Dataset;
use stakes::io::{Format, Roles};
use stakes::rank::{KeptColumns, Ranked};
use stakes::scoring::in_file_order;

use crate::terminal::output::{write_result, written};

/// The formats of rankings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Csv,
    Tsv,
    Json,
    /// A table in another format.
    Table(Format),
    /// A TREC run: the order by score.
    Run,
    /// A score for each row of the data file, in its order.
    Scores,
    /// The expected cost instead of the score.
    Expected,
}

/// Name, extension and format; of two with the same extension the first is meant.
const NAMES: [(&str, &str, Target); 9] = [
    ("csv", ".csv", Target::Csv),
    ("tsv", ".tsv", Target::Tsv),
    ("json", ".json", Target::Json),
    ("xlsx", ".xlsx", Target::Table(Format::Xlsx)),
    ("parquet", ".parquet", Target::Table(Format::Parquet)),
    ("arrow", ".arrow", Target::Table(Format::Arrow)),
    ("run", ".run", Target::Run),
    ("scores", ".txt", Target::Scores),
    ("expected", ".txt", Target::Expected),
];

impl FromStr for Target {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let found = NAMES.iter().find(|(name, ..)| *name == text);
        found.map(|(.., target)| *target).ok_or_else(|| {
            let hint = stakes::suggest::hint(text, NAMES.map(|(name, ..)| name));
            format!("rankings are not written as `{text}`; {hint}")
        })
    }
}

impl Target {
    /// The format that was asked for, or that of the file's extension.
    pub(crate) fn of(path: &str, asked: Option<Target>) -> anyhow::Result<Target> {
        let name = path.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let by_name = || NAMES.iter().find(|(_, end, _)| name.ends_with(end)).map(|row| row.2);
        match asked.or_else(by_name).or((path == "-").then_some(Target::Csv)) {
            Some(target) => Ok(target),
            None => bail!(
                "{path}: unknown file extension; rankings are written as .csv, .tsv, .json, .xlsx, \
                 .parquet, .arrow, .run (TREC) or .txt (scores alone), or set the format with --to"
            ),
        }
    }
}

impl Target {
    /// The format of a file with ranks, by its extension.
    pub(crate) fn table_of(path: &str) -> anyhow::Result<Target> {
        match Target::of(path, None)? {
            Target::Scores | Target::Expected | Target::Run => {
                bail!("{path}: a ranking is written as .csv, .tsv, .json, .xlsx or .parquet")
            }
            target => Ok(target),
        }
    }
}

/// Writes a ranking; `text` is JSON or a table with commas or tabs.
pub(crate) fn to(path: &str, text: &str, target: Target) -> anyhow::Result<()> {
    match target {
        Target::Table(format) => {
            let roles = Roles::new().list("list").id("id");
            stakes::io::write_csv_as(text, roles, path, format)?;
            written(path);
            Ok(())
        }
        _ => write_result(path, text),
    }
}

/// A ranking as a table or as JSON.
pub(crate) fn ranked(
    ranked: &Ranked<'_>,
    kept: Option<&KeptColumns>,
    target: Target,
) -> anyhow::Result<String> {
    Ok(match target {
        Target::Json => serde_json::to_string_pretty(ranked)? + "\n",
        Target::Tsv => ranked.tsv(kept),
        _ => ranked.csv(kept),
    })
}

/// Classes of rows as a table or as JSON.
pub(crate) fn classified(classified: &Classified, target: Target) -> anyhow::Result<String> {
    Ok(match target {
        Target::Json => serde_json::to_string_pretty(classified)? + "\n",
        Target::Tsv => classified.tsv(),
        _ => classified.csv(),
    })
}

/// A line for each row of the file, in its order.
pub(crate) fn scores(data: &Dataset, scores: &[f64]) -> String {
    in_file_order(data, scores).iter().map(|score| format!("{score}\n")).collect()
}
