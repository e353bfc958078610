//! From TOML to a [`Config`]: every key has a row in a table that says how its value is read.

use std::fmt::Display;

use stakes_core::cost::Capacity;
use stakes_core::goal::Reach;
use stakes_core::suggest;
use stakes_learn::learner;
use stakes_learn::params::canonical_key;
use toml::de::DeValue;

use super::{Config, ConfigError};
use crate::toml_values::{Entry, document, in_order, met, parameter, refused, text};

/// Takes over a value, or says what was met and what is allowed.
type Set = fn(&mut Config, &DeValue<'_>) -> Result<(), String>;
type Keys = [(&'static str, Set)];

const SECTIONS: [(&str, &Keys); 3] = [("columns", COLUMNS), ("goal", GOAL), ("train", TRAIN)];

const COLUMNS: &Keys = &[
    ("list", |c, v| column(v).map(|name| c.columns.list = Some(name))),
    ("impact", |c, v| column(v).map(|name| c.columns.impact = Some(name))),
    ("id", |c, v| column(v).map(|name| c.columns.id = Some(name))),
    ("time", |c, v| column(v).map(|name| c.columns.time = Some(name))),
    ("price", |c, v| column(v).map(|name| c.columns.price = Some(name))),
    ("weight", |c, v| column(v).map(|name| c.columns.weight = Some(name))),
    ("group", |c, v| column(v).map(|name| c.columns.group = Some(name))),
    ("drop", |c, v| columns(v).map(|names| c.columns.drop = names)),
    ("categorical", |c, v| columns(v).map(|names| c.columns.categorical = names)),
    ("numeric", |c, v| columns(v).map(|names| c.columns.numeric = names)),
    ("sheet", |c, v| parsed(v, nonempty).map(|name| c.file.sheet = Some(name))),
    ("decimal", |c, v| parsed(v, str::parse).map(|mark| c.file.decimal = Some(mark))),
    ("dates", |c, v| parsed(v, str::parse).map(|order| c.file.dates = Some(order))),
    ("missing-impact", |c, v| parsed(v, str::parse).map(|what| c.columns.missing_impact = what)),
];

const GOAL: &Keys = &[
    ("k", |c, v| parsed(v, str::parse::<Capacity>).and_then(|k| reach(c, k.into()))),
    ("budget", |c, v| parsed(v, money).and_then(|money| reach(c, Reach::Money(money)))),
    ("cost", |c, v| parsed(v, str::parse).map(|cost| c.goal.cost = Some(cost))),
    ("policy", |c, v| parsed(v, str::parse).map(|policy| c.goal.policy = Some(policy))),
    ("metric", |c, v| parsed(v, str::parse).map(|metric| c.goal.metric = Some(metric))),
];

const TRAIN: &Keys = &[
    ("learner", |c, v| {
        parsed(v, learner).map(|learner| c.train.learner = Some(learner.name().to_owned()))
    }),
    ("hold-out", |c, v| parsed(v, str::parse).map(|part| c.train.hold_out = Some(part))),
    ("seed", |c, v| parsed(v, seed).map(|seed| c.train.seed = Some(seed))),
    // As a section it is read by itself, line by line.
    ("parameters", |_, _| {
        Err("allowed is a section [train.parameters] with keys such as leaves = 31".into())
    }),
];

/// Reads a whole file.
pub(super) fn parse(text: &str, file: &str) -> Result<Config, ConfigError> {
    let refused = |at: usize, what: String| refused(text, file, at, what);
    let document = document(text, file)?;
    let mut config = Config { source: Some(file.to_owned()), ..Config::default() };
    let mut parameters = Vec::new();
    for Entry { key: section, at, value } in in_order(document.get_ref()) {
        let keys = keys_of(section, value).map_err(|what| refused(at, what))?;
        let DeValue::Table(table) = value else { continue };
        for Entry { key, at, value } in in_order(table) {
            let set = find(section, keys, key).map_err(|what| refused(at, what))?;
            match value {
                DeValue::Table(table) if key == "parameters" => parameters = in_order(table),
                value => {
                    set(&mut config, value).map_err(|what| refused(at, of_key(key, &what)))?;
                }
            }
        }
    }
    // The learner is known only now: sections may come in any order.
    let mut configured =
        config.train.configured().map_err(|error| refused(0, error.to_string()))?;
    for Entry { key, at, value } in parameters {
        let text = parameter(value).map_err(|what| refused(at, of_key(key, &what)))?;
        configured.set(key, &text).map_err(|error| refused(at, error.to_string()))?;
        config.train.parameters.push((key.to_owned(), text));
    }
    Ok(config)
}

/// What is said about the value of a key; some errors name it themselves.
fn of_key(key: &str, what: &str) -> String {
    match what.starts_with(&format!("{key} ")) {
        true => what.to_owned(),
        false => format!("{key}: {what}"),
    }
}

/// The keys of a section.
fn keys_of(name: &str, value: &DeValue<'_>) -> Result<&'static Keys, String> {
    let found = SECTIONS.iter().find(|(section, _)| *section == canonical_key(name));
    match (found, value) {
        (Some((_, keys)), DeValue::Table(_)) => Ok(keys),
        (Some((section, _)), _) => Err(format!("`{section}` is a section; write [{section}]")),
        (None, DeValue::Table(_)) => {
            let hint = suggest::hint(name, SECTIONS.map(|(section, _)| section));
            Err(format!("there is no section [{name}]; {hint}"))
        }
        (None, _) => {
            let has = |keys: &Keys| keys.iter().any(|(key, _)| *key == canonical_key(name));
            let home = SECTIONS.iter().find(|(_, keys)| has(keys)).map(|(section, _)| *section);
            let home = home.map_or("[columns], [goal] or [train]".into(), |s| format!("[{s}]"));
            Err(format!("`{name}` stands outside of a section; write it below {home}"))
        }
    }
}

fn find(section: &str, keys: &'static Keys, name: &str) -> Result<Set, String> {
    let found = keys.iter().find(|(key, _)| *key == canonical_key(name));
    found.map(|(_, set)| *set).ok_or_else(|| {
        let hint = suggest::hint(name, keys.iter().map(|(key, _)| *key));
        let also = match section {
            "train" => " (parameters of the learner stand below [train.parameters])",
            _ => "",
        };
        format!("[{section}] has no key `{name}`; {hint}{also}")
    })
}

fn reach(config: &mut Config, reach: Reach) -> Result<(), String> {
    match config.goal.reach.replace(reach) {
        None => Ok(()),
        Some(_) => Err("k and budget are both given; choose one".into()),
    }
}

fn money(text: &str) -> Result<f64, String> {
    let money = text.parse().ok().filter(|money: &f64| *money > 0.0 && money.is_finite());
    money.ok_or_else(|| format!("`{text}` is not money to spend; allowed is a number above 0"))
}

fn nonempty(text: &str) -> Result<String, String> {
    match text {
        "" => Err("it is empty; allowed is the name or number of a sheet".into()),
        text => Ok(text.to_owned()),
    }
}

fn seed(text: &str) -> Result<u64, String> {
    text.parse().map_err(|_| format!("`{text}` is not a seed; allowed is an integer from 0"))
}

/// The name of a column.
fn column(value: &DeValue<'_>) -> Result<String, String> {
    match value {
        DeValue::String(name) if !name.trim().is_empty() => Ok(name.to_string()),
        other => Err(format!("{}; allowed is the name of a column, in quotes", met(other))),
    }
}

/// Names of columns.
fn columns(value: &DeValue<'_>) -> Result<Vec<String>, String> {
    match value {
        DeValue::Array(names) => names.iter().map(|name| column(name.get_ref())).collect(),
        other => Err(format!(
            "{}; allowed is a list of columns such as [\"notes\", \"remarks\"]",
            met(other)
        )),
    }
}

/// A value whose text has a form of its own; numbers need no quotes.
fn parsed<T, E: Display>(
    value: &DeValue<'_>,
    parse: impl Fn(&str) -> Result<T, E>,
) -> Result<T, String> {
    parse(text(value)?.trim()).map_err(|error| error.to_string())
}
