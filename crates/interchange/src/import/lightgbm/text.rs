//! The text of a LightGBM model: a header, a section for each tree, and what training was asked for, as lines
//! `key=value`.

use std::collections::HashMap;
use std::str::FromStr;

use crate::import::error::Fault;

/// Lines `key=value` that belong together.
#[derive(Default)]
pub(super) struct Section<'t> {
    /// The line that it begins with.
    line: usize,
    fields: HashMap<&'t str, (usize, &'t str)>,
}

/// The parts of a file.
pub(super) struct Text<'t> {
    pub(super) header: Section<'t>,
    pub(super) trees: Vec<Section<'t>>,
    /// Parameters of the training, `[key: value]` in the file.
    pub(super) parameters: HashMap<&'t str, &'t str>,
    /// The JSON after `pandas_categorical:`, with its line.
    pub(super) pandas_categorical: Option<(usize, &'t str)>,
}

impl<'t> Text<'t> {
    pub(super) fn parse(text: &'t str) -> Result<Self, Fault> {
        let mut parts = Text {
            header: Section { line: 1, ..Section::default() },
            trees: Vec::new(),
            parameters: HashMap::new(),
            pandas_categorical: None,
        };
        let mut ended = false;
        for (line, text) in (1..).zip(text.lines()).skip(1) {
            let text = text.trim_end();
            if text == "end of trees" {
                ended = true;
            } else if let Some(json) = text.strip_prefix("pandas_categorical:") {
                parts.pandas_categorical = Some((line, json));
            } else if ended {
                let inner = text.strip_prefix('[').and_then(|text| text.strip_suffix(']'));
                parts.parameters.extend(inner.and_then(|inner| inner.split_once(": ")));
            } else if let Some(number) = text.strip_prefix("Tree=") {
                if number.parse() != Ok(parts.trees.len()) {
                    let what =
                        format!("tree {number} stands where tree {} should", parts.trees.len());
                    return Err(Fault::at_line(line, what));
                }
                parts.trees.push(Section { line, ..Section::default() });
            } else if !text.is_empty() {
                let section = parts.trees.last_mut().unwrap_or(&mut parts.header);
                // `average_output` has no value.
                let (key, value) = text.split_once('=').unwrap_or((text, ""));
                if section.fields.insert(key, (line, value)).is_some() {
                    return Err(Fault::at_line(line, format!("`{key}` is there twice")));
                }
            }
        }
        if !ended {
            let what = "the file is truncated: the line `end of trees` is missing; save it again";
            return Err(Fault::new("", what));
        }
        Ok(parts)
    }
}

impl<'t> Section<'t> {
    pub(super) fn text(&self, key: &str) -> Option<&'t str> {
        self.fields.get(key).map(|&(_, text)| text)
    }

    /// The line of a field, or of the section.
    pub(super) fn line(&self, key: &str) -> usize {
        self.fields.get(key).map_or(self.line, |&(line, _)| line)
    }

    pub(super) fn required(&self, key: &str) -> Result<&'t str, Fault> {
        self.text(key).ok_or_else(|| Fault::at_line(self.line, format!("`{key}` is missing")))
    }

    pub(super) fn number<T: FromStr>(&self, key: &str) -> Result<T, Fault> {
        let text = self.required(key)?;
        text.parse().map_err(|_| {
            Fault::at_line(self.line(key), format!("`{key}` is `{text}`; it must be a number"))
        })
    }

    /// So many numbers.
    pub(super) fn numbers<T: FromStr>(&self, key: &str, count: usize) -> Result<Vec<T>, Fault> {
        let numbers = self.any_numbers(key)?;
        if numbers.len() != count {
            let what = format!("`{key}` has {} numbers; {count} are needed", numbers.len());
            return Err(Fault::at_line(self.line(key), what));
        }
        Ok(numbers)
    }

    /// The numbers of a field that may be missing.
    pub(super) fn numbers_or_zero(&self, key: &str, count: usize) -> Result<Vec<f64>, Fault> {
        match self.text(key) {
            None | Some("") => Ok(vec![0.0; count]),
            Some(_) => self.numbers(key, count),
        }
    }

    pub(super) fn any_numbers<T: FromStr>(&self, key: &str) -> Result<Vec<T>, Fault> {
        let one = |text: &str| {
            text.parse().map_err(|_| {
                let what = format!("`{key}` has `{text}` where a number should be");
                Fault::at_line(self.line(key), what)
            })
        };
        self.required(key)?.split_ascii_whitespace().map(one).collect()
    }
}
