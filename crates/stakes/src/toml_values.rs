//! Values of TOML files, with their places for errors.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::config_error::ConfigError;

/// Parses a file; `file` is what errors call it.
pub(crate) fn document<'t>(text: &'t str, file: &str) -> Result<Spanned<DeTable<'t>>, ConfigError> {
    DeTable::parse(text).map_err(|error| {
        let at = error.span().map_or(0, |span| span.start);
        refused(text, file, at, format!("not TOML: {}", error.message()))
    })
}

/// The error of something at this place of a text.
pub(crate) fn refused(text: &str, file: &str, at: usize, what: String) -> ConfigError {
    let line = 1 + text[..at.min(text.len())].matches('\n').count();
    ConfigError::Refused { file: file.to_owned(), line, what }
}

/// A key with its value, and where it stands.
pub(crate) struct Entry<'t> {
    pub(crate) key: &'t str,
    pub(crate) at: usize,
    pub(crate) value: &'t DeValue<'t>,
}

/// The entries of a table in the order of the file.
pub(crate) fn in_order<'t>(table: &'t DeTable<'t>) -> Vec<Entry<'t>> {
    let entry = |(key, value): (&'t Spanned<_>, &'t Spanned<DeValue<'t>>)| Entry {
        key: AsRef::<str>::as_ref(key.get_ref()),
        at: key.span().start,
        value: value.get_ref(),
    };
    let mut entries: Vec<Entry<'t>> = table.iter().map(entry).collect();
    entries.sort_by_key(|entry| entry.at);
    entries
}

/// Text, or a number as text.
pub(crate) fn text(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(text) => Ok(text.to_string()),
        DeValue::Integer(number) if number.radix() == 10 => Ok(number.as_str().to_owned()),
        DeValue::Float(number) => Ok(number.as_str().to_owned()),
        other => Err(format!("{}; allowed is a number, or text in quotes", met(other))),
    }
}

/// The value of a parameter: text, a number, yes or no, or several of them.
pub(crate) fn parameter(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::Boolean(yes) => Ok(if *yes { "yes" } else { "no" }.to_owned()),
        DeValue::Array(values) => {
            let texts: Result<Vec<String>, String> =
                values.iter().map(|value| text(value.get_ref())).collect();
            Ok(texts?.join(","))
        }
        other => text(other),
    }
}

/// What was met, in words.
pub(crate) fn met(value: &DeValue<'_>) -> String {
    match value {
        DeValue::String(text) => format!("`{text}` is text"),
        DeValue::Integer(number) => format!("{number} is a number"),
        DeValue::Float(number) => format!("{number} is a number"),
        DeValue::Boolean(yes) => format!("{yes} is yes or no"),
        DeValue::Datetime(time) => format!("{time} is a date"),
        DeValue::Array(_) => "this is a list".into(),
        DeValue::Table(_) => "this is a section".into(),
    }
}
