//! Tables of the costs of misordered pairs: one row per pair of items, or a matrix of classes.
//!
//! ```text
//! list,better,worse,cost        true class,circle,line,wave
//! storm 1,a,b,12.5              circle,0,1,3
//! storm 1,a,c,3                 line,1,0,3
//!                               wave,3,3,0
//! ```

use std::ops::RangeInclusive;

use crate::csv::Records;
use crate::input::Input;
use crate::plan::unknown_column;
use crate::{Format, ReadError, number};

/// The costs that are allowed beside 0: sums of many and shares of a sum must be numbers.
const ALLOWED: RangeInclusive<f64> = 1e-200..=1e200;

/// The cost of one pair of items.
#[derive(Debug, Clone, PartialEq)]
pub struct PairCost {
    /// The line in the file.
    pub line: u64,
    /// The list of both items; empty if the table has no column `list`.
    pub list: String,
    /// The item that should be ranked higher.
    pub better: String,
    /// The item that should be ranked lower.
    pub worse: String,
    /// The cost of the opposite order.
    pub cost: f64,
}

/// The costs of confusing one class with another.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassTable {
    /// The classes, in the order of the columns.
    pub names: Vec<String>,
    /// For each true class, in the same order, the cost of predicting each class.
    pub costs: Vec<f64>,
}

/// Reads costs of pairs of items; `-` is stdin, gzip and Zstandard are decompressed.
pub fn read_pair_costs(path: &str) -> Result<Vec<PairCost>, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    pairs(&name, bytes, Format::from_path(path) == Some(Format::Tsv), true)
}

/// Reads costs of pairs of items from memory.
pub fn parse_pair_costs_bytes(bytes: &[u8]) -> Result<Vec<PairCost>, ReadError> {
    pairs("memory", bytes.to_vec(), false, true)
}

/// Reads preferences: as costs of pairs, without the column `cost`; every cost is 1.
pub fn read_preferences(path: &str) -> Result<Vec<PairCost>, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    pairs(&name, bytes, Format::from_path(path) == Some(Format::Tsv), false)
}

/// Reads a table of classes; `-` is stdin, gzip and Zstandard are decompressed.
pub fn read_class_costs(path: &str) -> Result<ClassTable, ReadError> {
    let (name, bytes) = Input::open(path)?.into_bytes()?;
    classes(&name, bytes, Format::from_path(path) == Some(Format::Tsv))
}

/// Reads a table of classes from memory.
pub fn parse_class_costs_bytes(bytes: &[u8]) -> Result<ClassTable, ReadError> {
    classes("memory", bytes.to_vec(), false)
}

fn pairs(
    source: &str,
    bytes: Vec<u8>,
    tsv: bool,
    with_costs: bool,
) -> Result<Vec<PairCost>, ReadError> {
    let records = Records::new(source, bytes, tsv)?;
    let names = records.names();
    let find = |name: &str| names.iter().position(|n| n == name);
    let needed = |name: &str| {
        find(name).ok_or_else(|| unknown_column(source, name, names.iter().map(String::as_str)))
    };
    let [better, worse] = [needed("better")?, needed("worse")?];
    let cost = with_costs.then(|| needed("cost")).transpose()?;
    let list = find("list");
    let mut rows = Vec::new();
    records.for_each(|line, record| {
        let text = |at: usize| String::from_utf8_lossy(record[at].trim_ascii()).into_owned();
        rows.push(PairCost {
            line,
            list: list.map(text).unwrap_or_default(),
            better: text(better),
            worse: text(worse),
            cost: match cost {
                Some(cost) => amount(source, line, "cost", &record[cost])?,
                None => 1.0,
            },
        });
        Ok(())
    })?;
    match rows.is_empty() {
        true => Err(ReadError::at(source, 0, "there are no pairs; at least one is needed")),
        false => Ok(rows),
    }
}

fn classes(source: &str, bytes: Vec<u8>, tsv: bool) -> Result<ClassTable, ReadError> {
    let records = Records::new(source, bytes, tsv)?;
    let names: Vec<String> = records.names().iter().skip(1).cloned().collect();
    if names.len() < 2 {
        let what = "there are fewer than two classes; the first column is the true class, each further \
                    column a class that may be predicted instead";
        return Err(ReadError::at(source, 1, what));
    }
    let n = names.len();
    let mut costs: Vec<Option<Vec<f64>>> = vec![None; n];
    records.for_each(|line, record| {
        let name = String::from_utf8_lossy(record[0].trim_ascii()).into_owned();
        let Some(at) = names.iter().position(|n| *n == name) else {
            let hint = stakes_core::suggest::hint(&name, names.iter().map(String::as_str));
            let what = format!("there is no column for the class `{name}`; {hint}");
            return Err(ReadError::at(source, line, what));
        };
        let of = |(other, field)| amount(source, line, &format!("cost of {other}"), field);
        let row = names.iter().zip(record.iter().skip(1)).map(of).collect::<Result<_, _>>()?;
        match costs[at].replace(row) {
            Some(_) => {
                let what = format!("the class `{name}` has a second row; each class has one");
                Err(ReadError::at(source, line, what))
            }
            None => Ok(()),
        }
    })?;
    if let Some(missing) = costs.iter().position(Option::is_none) {
        let what = format!("there is no row for the true class `{}`", names[missing]);
        return Err(ReadError::at(source, 0, what));
    }
    Ok(ClassTable { names, costs: costs.into_iter().flatten().flatten().collect() })
}

fn amount(source: &str, line: u64, what: &str, field: &[u8]) -> Result<f64, ReadError> {
    number::parse(field).filter(|cost| *cost == 0.0 || ALLOWED.contains(cost)).ok_or_else(|| {
        let shown: String = String::from_utf8_lossy(field.trim_ascii()).chars().take(60).collect();
        let (low, high) = (ALLOWED.start(), ALLOWED.end());
        let what =
            format!("the {what} is `{shown}`; it must be 0 or a number from {low:e} to {high:e}");
        ReadError::at(source, line, what)
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;

    #[test]
    fn tables_are_read() {
        let pairs =
            parse_pair_costs_bytes(b"cost,list,worse,better\n2.5,s1, b ,a\n0,s2,c,d\n").unwrap();
        let first = &pairs[0];
        assert_eq!((first.line, &*first.list, &*first.better, &*first.worse), (2, "s1", "a", "b"));
        assert_eq!((first.cost, pairs.len()), (2.5, 2));
        let table = parse_class_costs_bytes(b"true,x,y\ny,3,0\nx,0,1\n").unwrap();
        assert_eq!(
            (table.names, table.costs),
            (vec!["x".into(), "y".into()], vec![0.0, 1.0, 3.0, 0.0])
        );
    }

    #[test]
    fn refusals_say_where_and_what() {
        let pairs = |text: &str| parse_pair_costs_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(pairs("list,better,cost\n").contains("worse"));
        let wrong = pairs("better,worse,cost\na,b,1\na,c,-1\n");
        assert!(wrong.contains("memory:3") && wrong.contains("`-1`"), "{wrong}");
        for cost in ["1e201", "1e-201", "inf", "NaN"] {
            let wrong = pairs(&format!("better,worse,cost\na,b,{cost}\n"));
            let must = format!("`{cost}`; it must be 0 or a number from 1e-200 to 1e200");
            assert!(wrong.contains(&must), "{wrong}");
        }
        assert!(pairs("better,worse,cost\n").contains("no pairs"));
        let classes =
            |text: &str| parse_class_costs_bytes(text.as_bytes()).unwrap_err().to_string();
        assert!(classes("c,a\na,0\n").contains("fewer than two"));
        let wrong = classes("c,a,b\na,0,1\nd,1,0\n");
        assert!(wrong.contains("memory:3") && wrong.contains("`d`"), "{wrong}");
        assert!(classes("c,a,b\na,0,1\na,0,1\n").contains("has a second row"));
        assert!(classes("c,a,b\na,0,1\n").contains("no row for the true class `b`"));
        assert!(classes("c,a,b\na,0,x\nb,0,1\n").contains("cost of b is `x`"));
    }
}
