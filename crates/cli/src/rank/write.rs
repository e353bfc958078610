//! Rankings as tables, as JSON, or as scores alone.

use std::str::FromStr;

use anyhow::bail;
use stakes::data::Dataset;

use super::Placed;

/// What can be written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Target {
    Csv,
    Tsv,
    Json,
    /// A score for each row of the data file, in its order.
    Scores,
}

const NAMES: [(&str, &str, Target); 4] = [
    ("csv", ".csv", Target::Csv),
    ("tsv", ".tsv", Target::Tsv),
    ("json", ".json", Target::Json),
    ("scores", ".txt", Target::Scores),
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
    /// As asked, or by the name of the file.
    pub(crate) fn of(path: &str, asked: Option<Target>) -> anyhow::Result<Target> {
        let name = path.to_ascii_lowercase();
        let name = name.strip_suffix(".gz").unwrap_or(&name);
        let by_name = || NAMES.iter().find(|(_, end, _)| name.ends_with(end)).map(|row| row.2);
        match asked.or_else(by_name).or((path == "-").then_some(Target::Csv)) {
            Some(target) => Ok(target),
            None => bail!(
                "{path}: the format cannot be told from the name; rankings are written as .csv, \
                 .tsv, .json, or .txt (scores alone), or say which with --to"
            ),
        }
    }
}

/// A table, or JSON.
pub(crate) fn placed(rows: &[Placed<'_>], target: Target) -> anyhow::Result<String> {
    if target == Target::Json {
        return Ok(serde_json::to_string_pretty(rows)? + "\n");
    }
    let tab = if target == Target::Tsv { b'\t' } else { b',' };
    let mut writer = csv::WriterBuilder::new().delimiter(tab).from_writer(Vec::new());
    writer.write_record(["list", "rank", "id", "score", "act"])?;
    for row in rows {
        let act = if row.act { "yes" } else { "no" };
        let (rank, score) = (row.rank.to_string(), row.score.to_string());
        writer.write_record([row.list, &rank, &row.id, &score, act])?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A line for each row of the file, in its order.
pub(crate) fn scores(data: &Dataset, scores: &[f64]) -> String {
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by_key(|&item| data.line(item));
    order.iter().map(|&item| format!("{}\n", scores[item])).collect()
}
