//! Scores from other programs: one number per line, in the order of the data file, or a CSV
//! with a column `score` beside the list and the id.

use std::collections::HashMap;

use stakes_core::data::Dataset;
use stakes_core::display::counted;

use crate::csv::Records;
use crate::input::{Input, check_utf8};
use crate::number;
use crate::plan::unknown_column;
use crate::{Format, ReadError};

/// Scores as read, not yet aligned with a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Scores {
    source: String,
    kind: Kind,
}

/// Scores of the items of a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct AlignedScores {
    /// One score for each item, in the order of the data.
    pub values: Vec<f64>,
    /// The number of scores of items that are not in the data.
    pub unknown: usize,
    /// The first of those items.
    pub first_unknown: Vec<String>,
}

/// The number of unknown items that are named.
const MAX_EXAMPLES: usize = 3;

#[derive(Debug, Clone, PartialEq)]
enum Kind {
    /// In the order of the data file's rows.
    InOrder(Vec<f64>),
    /// For each row its line, all columns but the score, and the score.
    Keyed { names: Vec<String>, rows: Vec<(u64, Vec<String>, f64)> },
}

/// Reads scores; `-` is stdin, gzip and Zstandard are decompressed.
pub fn read_scores(path: &str) -> Result<Scores, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    parse(&name, bytes, Format::from_path(path) == Some(Format::Tsv))
}

/// Reads scores from memory.
pub fn parse_scores_bytes(bytes: &[u8]) -> Result<Scores, ReadError> {
    parse("memory", bytes.to_vec(), false)
}

fn parse(source: &str, bytes: Vec<u8>, tsv: bool) -> Result<Scores, ReadError> {
    check_utf8(source, &bytes)?;
    let first = bytes.split(|b| *b == b'\n').find(|line| !line.trim_ascii().is_empty());
    let Some(first) = first else {
        return Err(ReadError::at(source, 0, "there are no scores; at least one is needed"));
    };
    let kind = match number::parse(first) {
        Some(_) => Kind::InOrder(plain(source, &bytes)?),
        None => keyed(source, bytes, tsv)?,
    };
    Ok(Scores { source: source.into(), kind })
}

fn plain(source: &str, bytes: &[u8]) -> Result<Vec<f64>, ReadError> {
    let lines = bytes.split(|b| *b == b'\n').enumerate();
    let filled = lines.filter(|(_, line)| !line.trim_ascii().is_empty());
    filled.map(|(i, line)| finite(source, i as u64 + 1, line)).collect()
}

fn keyed(source: &str, bytes: Vec<u8>, tsv: bool) -> Result<Kind, ReadError> {
    let records = Records::new(source, bytes, tsv)?;
    let names = records.names();
    let score = names.iter().position(|name| name == "score");
    let score =
        score.ok_or_else(|| unknown_column(source, "score", names.iter().map(String::as_str)))?;
    let mut rows = Vec::new();
    records.for_each(|line, record| {
        let value = finite(source, line, &record[score])?;
        let keys = record.iter().enumerate().filter(|(i, _)| *i != score);
        let keys = keys.map(|(_, field)| String::from_utf8_lossy(field).into_owned()).collect();
        rows.push((line, keys, value));
        Ok(())
    })?;
    let mut names = records.header.names;
    names.remove(score);
    if names.is_empty() {
        return Ok(Kind::InOrder(rows.into_iter().map(|(_, _, value)| value).collect()));
    }
    Ok(Kind::Keyed { names, rows })
}

fn finite(source: &str, line: u64, field: &[u8]) -> Result<f64, ReadError> {
    number::parse(field).filter(|value| value.is_finite()).ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(field.trim_ascii()).chars().take(60).collect();
        let what = format!("the score is `{shown}`; it must be a finite number");
        ReadError::at(source, line, what)
    })
}

impl Scores {
    /// The number of scores.
    pub fn len(&self) -> usize {
        match &self.kind {
            Kind::InOrder(values) => values.len(),
            Kind::Keyed { rows, .. } => rows.len(),
        }
    }

    /// Whether there are no scores (a CSV may have only a header).
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns one score for each item of `data`, in its order.
    ///
    /// Plain scores belong to the rows in the order of the data *file*; there must be one for
    /// each item. Scores in a CSV are matched by list and id (columns named `list` and `id`, or
    /// as in the data); scores of items that are not in the data are counted and left out.
    pub fn align(&self, data: &Dataset) -> Result<AlignedScores, ReadError> {
        match &self.kind {
            Kind::InOrder(values) => {
                let values = self.by_order(values, data)?;
                Ok(AlignedScores { values, unknown: 0, first_unknown: Vec::new() })
            }
            Kind::Keyed { names, rows } => self.by_key(names, rows, data),
        }
    }

    fn by_order(&self, values: &[f64], data: &Dataset) -> Result<Vec<f64>, ReadError> {
        if values.len() != data.len() {
            let what = format!(
                "there must be a score for each row, in the same order, and there are {} for {} of \
                 {} (if rows were left out, give list and id beside the score)",
                counted(values.len(), "score"),
                counted(data.len(), "item"),
                data.source()
            );
            return Err(ReadError::at(&self.source, 0, what));
        }
        let mut order: Vec<usize> = (0..data.len()).collect();
        order.sort_by_key(|&item| data.line(item));
        let mut out = vec![0.0; data.len()];
        order.iter().zip(values).for_each(|(&item, &value)| out[item] = value);
        Ok(out)
    }

    fn by_key<'r>(
        &self,
        names: &[String],
        rows: &'r [(u64, Vec<String>, f64)],
        data: &Dataset,
    ) -> Result<AlignedScores, ReadError> {
        let columns = data.columns();
        let find = |usual: &str, own: &Option<String>| {
            let at = names.iter().position(|n| n == usual);
            at.or_else(|| names.iter().position(|n| Some(n) == own.as_ref())).ok_or_else(|| {
                unknown_column(&self.source, usual, names.iter().map(String::as_str))
            })
        };
        if columns.id.is_none() {
            let what = "these scores are matched by id, and the data has no column with the role \
                        `id`; name it, or give plain scores, one per line";
            return Err(ReadError::at(&self.source, 0, what));
        }
        let list = columns.list.is_some().then(|| find("list", &columns.list)).transpose()?;
        let id = find("id", &columns.id)?;
        let key_of = |keys: &'r [String]| (list.map_or("", |list| &*keys[list]), &*keys[id]);
        let mut by_key = HashMap::with_capacity(rows.len());
        for (line, keys, value) in rows {
            let key = key_of(keys);
            if by_key.insert(key, *value).is_some() {
                let what = format!(
                    "a second score for list `{}`, item `{}`; each item has one",
                    key.0, key.1
                );
                return Err(ReadError::at(&self.source, *line, what));
            }
        }
        let mut values = Vec::with_capacity(data.len());
        for (number, items) in data.lists().enumerate() {
            let list = list.map_or("", |_| data.list_id(number));
            for item in items {
                let id = data.item_id(item).unwrap_or_default();
                values.push(by_key.remove(&(list, id)).ok_or_else(|| {
                    let what =
                        format!("there is no score for {}; every item needs one", data.place(item));
                    ReadError::at(&self.source, 0, what)
                })?);
            }
        }
        // What is left belongs to no item.
        let keys = rows.iter().map(|(_, keys, _)| key_of(keys));
        let first = keys.filter(|key| by_key.contains_key(key)).take(MAX_EXAMPLES);
        let first_unknown = first.map(|key| match list {
            Some(_) => format!("list {}, item {}", key.0, key.1),
            None => format!("item {}", key.1),
        });
        let first_unknown = first_unknown.collect();
        Ok(AlignedScores { values, unknown: by_key.len(), first_unknown })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::{Roles, parse_csv_bytes};

    fn data() -> Dataset {
        let text = b"storm,network,wind\nb,x,1\na,x,2\nb,y,3\n";
        parse_csv_bytes(text, Roles::new().list("storm").id("network")).unwrap()
    }

    fn align(text: &str) -> Result<Vec<f64>, String> {
        let scores = parse_scores_bytes(text.as_bytes()).map_err(|e| e.to_string())?;
        scores.align(&data()).map(|aligned| aligned.values).map_err(|e| e.to_string())
    }

    #[test]
    fn scores_of_other_items_are_counted() {
        let text = "id,list,score\nx,a,1\nx,b,2\nw,a,9\ny,b,3\nz,c,4\n";
        let scores = parse_scores_bytes(text.as_bytes()).unwrap().align(&data()).unwrap();
        assert_eq!(scores.values, [2.0, 3.0, 1.0]);
        assert_eq!((scores.unknown, scores.first_unknown.len()), (2, 2));
        assert_eq!(scores.first_unknown, ["list a, item w", "list c, item z"]);
    }

    #[test]
    fn plain_scores_follow_the_lines_of_the_file() {
        // The data set holds b/x, b/y, a/x: lines 2, 4, 3.
        assert_eq!(align("0.1\n0.2\r\n\n0.3").unwrap(), [0.1, 0.3, 0.2]);
        assert_eq!(align("score\n1\n2\n3\n").unwrap(), [1.0, 3.0, 2.0]);
        assert!(align("1\n2\n").unwrap_err().contains("there are 2 scores for 3 items"));
        let error = align("1\nx\n3\n").unwrap_err();
        assert_eq!(error, "memory:2: the score is `x`; it must be a finite number");
        assert!(align("1\ninf\n3\n").unwrap_err().starts_with("memory:2: the score is `inf`"));
        assert!(align(" \n").unwrap_err().contains("there are no scores"));
    }

    #[test]
    fn keyed_scores_are_found_by_list_and_id() {
        let text = "id,list,score\nx,a,1\nx,b,2\ny,b,3\nz,c,4\n";
        assert_eq!(align(text).unwrap(), [2.0, 3.0, 1.0]);
        assert_eq!(align(&text.replace("id,list", "network,storm")).unwrap(), [2.0, 3.0, 1.0]);
        let error = align("list,id,score\nb,x,1\nb,y,2\n").unwrap_err();
        assert!(error.contains("there is no score for memory:3 (list a, item x)"), "{error}");
        let error = align("list,id,score\nb,x,1\nb,x,2\n").unwrap_err();
        assert!(error.starts_with("memory:3: a second score for list `b`, item `x`"), "{error}");
        let error = align("list,id,scores\nb,x,1\n").unwrap_err();
        assert!(error.ends_with("there is no column `score`; did you mean `scores`?"), "{error}");
    }
}
