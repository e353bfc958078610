//! Rankings as tables, as JSON, or as scores alone.

use std::borrow::Cow;
use std::str::FromStr;

use anyhow::bail;
use stakes::classes::Classified;
use stakes::data::Dataset;
use stakes::io::{Format, Roles};
use stakes::rank::{ExpectedCost, KeptColumns, KeptRow, Ranked, RankedItem};

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

/// A column of what is expected, which models that are calibrated have.
type CostColumn = (&'static str, fn(&RankedItem<'_>) -> ExpectedCost);

const COSTS: [CostColumn; 9] = [
    ("expected_cost", |row| row.expected_cost),
    ("low", |row| row.low),
    ("high", |row| row.high),
    ("running_total", |row| row.running_total),
    ("total_low", |row| row.total_low),
    ("total_high", |row| row.total_high),
    ("chance", |row| row.chance),
    ("item_low", |row| row.item_low),
    ("item_high", |row| row.item_high),
];

/// A ranking as a table or as JSON.
pub(crate) fn ranked(
    ranked: &Ranked<'_>,
    kept: Option<&KeptColumns>,
    target: Target,
) -> anyhow::Result<String> {
    if target == Target::Json {
        return Ok(serde_json::to_string_pretty(ranked)? + "\n");
    }
    let mut writer = writer(target);
    let mut header = vec!["list", "rank", "id", "score", "act"];
    let is_known = |(_, of): &&CostColumn| ranked.items.iter().any(|row| of(row).is_known());
    let costs: Vec<&CostColumn> = COSTS.iter().filter(is_known).collect();
    header.extend(costs.iter().map(|(name, _)| *name));
    let because = ranked.items.iter().any(|row| row.because.is_some()).then_some("because");
    let is_taken = |name: &str| header.contains(&name) || because == Some(name);
    let beside = kept.into_iter().flat_map(KeptColumns::names);
    let beside = beside.map(|name| match is_taken(name) {
        true => Cow::Owned(format!("data_{name}")),
        false => Cow::Borrowed(name),
    });
    let beside: Vec<Cow<'_, str>> = beside.collect();
    header.extend(beside.iter().map(|name| &**name).chain(because));
    writer.write_record(header)?;
    for row in &ranked.items {
        let act = if row.act { "yes" } else { "no" };
        let (rank, score) = (row.rank.to_string(), row.score.to_string());
        let costs: Vec<String> = costs.iter().map(|(_, of)| of(row).to_string()).collect();
        let because = row.because.as_ref().map(ToString::to_string);
        let beside = row.columns.iter().flat_map(KeptRow::values).map(Option::unwrap_or_default);
        let place = [row.list, &rank, &row.id, &score, act];
        let place = place.into_iter().chain(costs.iter().map(String::as_str));
        writer.write_record(place.chain(beside).chain(because.as_deref()))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// Classes of rows as a table or as JSON.
pub(crate) fn classified(classified: &Classified, target: Target) -> anyhow::Result<String> {
    if target == Target::Json {
        return Ok(serde_json::to_string_pretty(classified)? + "\n");
    }
    let rows = &classified.rows;
    let mut writer = writer(target);
    let mut header = vec!["row", "rank", "class", "score"];
    header.extend(rows.iter().any(|row| row.chance.is_some()).then_some("chance"));
    header.extend(rows.iter().any(|row| row.because.is_some()).then_some("because"));
    writer.write_record(header)?;
    for row in rows {
        let (rank, score) = (row.rank.to_string(), row.score.to_string());
        let first = [row.row.clone(), rank, row.class.clone(), score];
        let chance = row.chance.map(|chance| chance.to_string());
        let because = row.because.as_ref().map(ToString::to_string);
        writer.write_record(first.into_iter().chain(chance).chain(because))?;
    }
    Ok(String::from_utf8(writer.into_inner()?)?)
}

/// A table on its way, with commas or tabs.
fn writer(target: Target) -> csv::Writer<Vec<u8>> {
    let tab = if target == Target::Tsv { b'\t' } else { b',' };
    csv::WriterBuilder::new().delimiter(tab).from_writer(Vec::new())
}

/// A line for each row of the file, in its order.
pub(crate) fn scores(data: &Dataset, scores: &[f64]) -> String {
    let mut order: Vec<usize> = (0..data.len()).collect();
    order.sort_by_key(|&item| data.line(item));
    order.iter().map(|&item| format!("{}\n", scores[item])).collect()
}
