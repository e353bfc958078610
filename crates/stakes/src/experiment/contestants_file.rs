//! Contestants in a TOML file:
//!
//! ```toml
//! [[contestant]]
//! name = "small trees"
//! learner = "cs-mart"
//! parameters = { leaves = 8, rounds = 100 }
//!
//! [[contestant]]
//! name = "vendor"
//! column = "vendor_score"   # a column of the data, which is then not a feature
//!
//! [[contestant]]
//! name = "vendor 2"
//! scores = "vendor2.csv"    # a file with a score for each item
//! ```

use stakes_core::data::Dataset;
use stakes_core::suggest;
use stakes_learn::{Configured, learner};
use toml::de::{DeTable, DeValue};

use super::contestant::{Contestant, Order};
use crate::config_error::ConfigError;
use crate::evaluate::scores;
use crate::toml_values::{Entry, document, in_order, met, parameter, refused, text};
use crate::{Error, Note};

const SECTION: &str = "contestant";
const KEYS: [&str; 5] = ["name", "learner", "parameters", "column", "scores"];

/// The contestants of a file.
#[derive(Debug, Clone)]
pub struct ContestantsFile {
    /// In the order of the file.
    pub entries: Vec<FileEntry>,
}

/// One contestant of a file.
#[derive(Debug, Clone)]
pub struct FileEntry {
    /// Its name.
    pub name: String,
    /// Where its orders come from.
    pub order: FileOrder,
}

/// Where the orders of a contestant come from, before data are read.
#[derive(Debug, Clone)]
pub enum FileOrder {
    /// A learner.
    Learner(Configured),
    /// A column of the data.
    Column(String),
    /// A file with scores.
    Scores(String),
}

impl ContestantsFile {
    /// Reads a file.
    pub fn load(path: &str) -> Result<Self, Error> {
        let bytes = stakes_io::read_bytes(path).map_err(ConfigError::from)?;
        let text = String::from_utf8_lossy(&bytes);
        Ok(Self::parse(&text, path)?)
    }

    /// Reads text; `file` is what errors call it.
    pub fn parse(text: &str, file: &str) -> Result<Self, ConfigError> {
        let document = document(text, file)?;
        let mut entries = Vec::new();
        for Entry { key, at, value } in in_order(document.get_ref()) {
            let wanted = || {
                let what = format!("`{key}` is not known; contestants begin with [[{SECTION}]]");
                refused(text, file, at, what)
            };
            let DeValue::Array(tables) = value else { return Err(wanted()) };
            if key != SECTION {
                return Err(wanted());
            }
            for table in tables.iter() {
                let at = table.span().start;
                let DeValue::Table(table) = table.get_ref() else { return Err(wanted()) };
                let entry = entry(table, at);
                entries.push(entry.map_err(|(at, what)| refused(text, file, at, what))?);
            }
        }
        match entries.is_empty() {
            true => {
                Err(refused(text, file, 0, format!("no contestant is here; write [[{SECTION}]]")))
            }
            false => Ok(ContestantsFile { entries }),
        }
    }

    /// The columns that are scores, and not features.
    pub fn columns(&self) -> Vec<String> {
        let column = |entry: &FileEntry| match &entry.order {
            FileOrder::Column(column) => {
                Some(column.strip_prefix('-').unwrap_or(column).to_owned())
            }
            FileOrder::Learner(_) | FileOrder::Scores(_) => None,
        };
        self.entries.iter().filter_map(column).collect()
    }

    /// The contestants for these data, and notes on files of scores.
    pub fn contestants(&self, data: &Dataset) -> Result<(Vec<Contestant>, Vec<Note>), Error> {
        let (mut contestants, mut notes) = (Vec::new(), Vec::new());
        for FileEntry { name, order } in &self.entries {
            let order = match order {
                FileOrder::Learner(configured) => Order::Learner(configured.clone()),
                FileOrder::Column(column) => {
                    let score = scores::column(data, column)?;
                    scores::check_finite(data, &score)?;
                    Order::Scores(score.values)
                }
                FileOrder::Scores(path) => {
                    let (score, note) = scores::read_file(name, path, data)?;
                    scores::check_finite(data, &score)?;
                    notes.extend(note);
                    Order::Scores(score.values)
                }
            };
            contestants.push(Contestant { name: name.clone(), order, optional: false });
        }
        Ok((contestants, notes))
    }
}

/// An error, and where it stands.
type Refused = (usize, String);

fn entry(table: &DeTable<'_>, begin: usize) -> Result<FileEntry, Refused> {
    let (mut name, mut order, mut parameters) = (None, None, Vec::new());
    for Entry { key, at, value } in in_order(table) {
        let refused = |what: String| (at, what);
        let new = match key {
            "name" => {
                name = Some(text(value).map_err(refused)?);
                continue;
            }
            "parameters" => {
                let DeValue::Table(table) = value else {
                    let what = format!("{}; allowed is {{ leaves = 8 }}", met(value));
                    return Err(refused(what));
                };
                parameters = in_order(table);
                continue;
            }
            "learner" => {
                let learner = learner(&text(value).map_err(refused)?).map_err(refused)?;
                FileOrder::Learner(Configured::from(learner))
            }
            "column" => FileOrder::Column(text(value).map_err(refused)?),
            "scores" => FileOrder::Scores(text(value).map_err(refused)?),
            _ => {
                let hint = suggest::hint(key, KEYS);
                return Err(refused(format!("a contestant has no key `{key}`; {hint}")));
            }
        };
        if order.replace(new).is_some() {
            return Err(refused("learner, column and scores exclude each other".to_owned()));
        }
    }
    let what = "a contestant needs a learner, a column or a file of scores";
    let mut order = order.ok_or_else(|| (begin, what.to_owned()))?;
    for Entry { key, at, value } in parameters {
        let FileOrder::Learner(configured) = &mut order else {
            return Err((at, "parameters go with a learner".to_owned()));
        };
        let text = parameter(value).map_err(|what| (at, what))?;
        configured.set(key, &text).map_err(|error| (at, error.to_string()))?;
    }
    let name = name.unwrap_or_else(|| match &order {
        FileOrder::Learner(configured) => configured.learner.name().to_owned(),
        FileOrder::Column(text) | FileOrder::Scores(text) => text.clone(),
    });
    Ok(FileEntry { name, order })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    const FILE: &str = "[[contestant]]\nlearner = 'cs-mart'\n\n[[contestant]]\nname = 'small'\n\
                        learner = 'cs-mart'\nparameters = { leaves = 8 }\n\n[[contestant]]\n\
                        column = '-age'\n\n[[contestant]]\nname = 'vendor'\nscores = 'v.csv'\n";

    #[test]
    fn a_file_names_learners_columns_and_scores() {
        let file = ContestantsFile::parse(FILE, "c.toml").unwrap();
        let names: Vec<&str> = file.entries.iter().map(|entry| entry.name.as_str()).collect();
        assert_eq!(names, ["cs-mart", "small", "-age", "vendor"]);
        assert_eq!(file.columns(), ["age"]);
        let FileOrder::Learner(small) = &file.entries[1].order else { panic!("no learner") };
        assert_eq!(small.learner.texts()["leaves"], "8");
        let paper = FILE.replace("leaves = 8", "preset = 'paper', leaves = 8");
        let file = ContestantsFile::parse(&paper, "c.toml").unwrap();
        let FileOrder::Learner(paper) = &file.entries[1].order else { panic!("no learner") };
        let texts = paper.learner.texts();
        assert_eq!([&texts["leaves"], &texts["start"]], ["8", "none"]);
    }

    #[test]
    fn mistakes_are_named_with_their_lines() {
        for (text, words) in [
            ("", "c.toml:1: no contestant is here"),
            ("x = 1", "c.toml:1: `x` is not known"),
            ("[contestant]\nlearner = 'ridge'", "[[contestant]]"),
            ("[[contestant]]\nname = 'a'", "c.toml:1: a contestant needs"),
            (
                "[[contestant]]\nlerner = 'ridge'",
                "c.toml:2: a contestant has no key `lerner`; did you mean `learner`",
            ),
            ("[[contestant]]\nlearner = 'rigde'", "c.toml:2"),
            ("[[contestant]]\nlearner = 'ridge'\ncolumn = 'x'", "c.toml:3: learner, column"),
            (
                "[[contestant]]\ncolumn = 'x'\nparameters = { a = 1 }",
                "c.toml:3: parameters go with",
            ),
            ("[[contestant]]\nlearner = 'ridge'\nparameters = { leaves = 1 }", "c.toml:3"),
            ("[[contestant]]\nlearner = 'ridge'\nparameters = 3", "c.toml:3: 3 is a number"),
            ("[[contestant", "c.toml:1: not TOML"),
        ] {
            let error = ContestantsFile::parse(text, "c.toml").unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
