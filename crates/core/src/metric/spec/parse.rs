//! Parsing of specs: `name[@cutoff][(inner)][:key=value,key=value]`.

use std::str::FromStr;

use super::{Spec, SpecError};
use crate::metric::{Allowed, METRICS, MetricInfo};
use crate::suggest;

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Spec::parse_nested(text, MAX_NESTING)
    }
}

/// The maximum depth of metrics inside metrics: one level has a meaning, thousands would exhaust
/// the stack.
pub(super) const MAX_NESTING: usize = 4;

impl Spec {
    fn parse_nested(text: &str, levels: usize) -> Result<Self, SpecError> {
        let text = text.trim();
        let syntax = || SpecError::Syntax(text.to_owned());
        let name_end = text.find(['@', '(', ':']).unwrap_or(text.len());
        let (name, mut rest) = text.split_at(name_end);
        let info = find(name)?;
        let mut cutoff = None;
        if let Some(after) = rest.strip_prefix('@') {
            let (k, tail) = after.split_at(after.find(['(', ':']).unwrap_or(after.len()));
            let read = |source| SpecError::Capacity { metric: info.name, source };
            cutoff = Some(k.parse().map_err(read)?);
            rest = tail;
        }
        let mut inner = None;
        if rest.starts_with('(') {
            let close = closing_bracket(rest).ok_or_else(syntax)?;
            let levels = levels.checked_sub(1).ok_or(SpecError::TooDeep(info.name))?;
            inner = Some(Box::new(Spec::parse_nested(&rest[1..close], levels)?));
            rest = &rest[close + 1..];
        }
        let given = match rest.strip_prefix(':') {
            Some(options) => options.split(',').collect(),
            None if rest.is_empty() => Vec::new(),
            None => return Err(syntax()),
        };
        let options = read_options(info, &given)?;
        let mut spec = Spec { name: info.name, cutoff, inner, options };
        spec.check_shape()?;
        spec.settle_ties();
        Ok(spec)
    }
}

/// Splits `a@1,b:x=1,y=2,c` into specs: a piece `key=value` belongs to the spec before it.
pub fn split_specs(text: &str) -> Vec<String> {
    let mut specs: Vec<String> = Vec::new();
    let mut depth = 0;
    for piece in text.split(',') {
        let continues = depth > 0 || is_option(piece);
        depth += piece.matches('(').count() as i32 - piece.matches(')').count() as i32;
        match specs.last_mut() {
            Some(last) if continues => {
                last.push(',');
                last.push_str(piece);
            }
            _ => specs.push(piece.trim().to_owned()),
        }
    }
    specs
}

fn is_option(piece: &str) -> bool {
    let key_end = piece.find('=');
    key_end.is_some_and(|end| !piece[..end].contains(['@', '(', ':']))
}

fn find(name: &str) -> Result<&'static MetricInfo, SpecError> {
    let lower = name.to_lowercase();
    let known = |m: &&MetricInfo| m.name == lower || m.aliases.contains(&lower.as_str());
    METRICS.iter().find(known).ok_or_else(|| SpecError::UnknownMetric {
        met: name.to_owned(),
        hint: suggest::hint(&lower, METRICS.iter().map(|m| m.name)),
    })
}

fn closing_bracket(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' if depth == 1 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
    }
    None
}

fn read_options(
    info: &'static MetricInfo,
    given: &[&str],
) -> Result<Vec<(&'static str, String)>, SpecError> {
    let mut options: Vec<(usize, String)> = Vec::new();
    for text in given {
        let (key, value) = text.split_once('=').ok_or_else(|| SpecError::Syntax((*text).into()))?;
        let (key, value) = (key.trim(), value.trim());
        let row = info.options.iter().position(|o| o.key == key).ok_or_else(|| {
            let hint = suggest::hint(key, info.options.iter().map(|o| o.key));
            SpecError::UnknownOption { metric: info.name, met: key.to_owned(), hint }
        })?;
        check_value(info, row, value)?;
        if options.iter().any(|(r, _)| *r == row) {
            return Err(SpecError::Twice { metric: info.name, key: info.options[row].key });
        }
        // Equal numbers get the same text.
        let value = match (&info.options[row].allowed, value.parse::<f64>()) {
            (Allowed::Number(..), Ok(number)) => number.to_string(),
            _ => value.to_owned(),
        };
        options.push((row, value));
    }
    let key = |row: &usize| info.options[*row].key;
    let by_budget = options.iter().any(|(row, value)| key(row) == "budget" && value != "none");
    // Defaults are not kept, except ties that a budget does not allow, which are refused later.
    options.retain(|(row, value)| {
        info.options[*row].default != value || (by_budget && key(row) == "ties")
    });
    options.sort();
    Ok(options.into_iter().map(|(row, value)| (info.options[row].key, value)).collect())
}

pub(super) fn check_value(
    info: &'static MetricInfo,
    row: usize,
    value: &str,
) -> Result<(), SpecError> {
    let option = &info.options[row];
    let refuse = |allowed: String| SpecError::Value {
        metric: info.name,
        key: option.key.to_owned(),
        met: value.to_owned(),
        allowed,
    };
    match option.allowed {
        Allowed::OneOf(names) if !names.contains(&value) => {
            Err(refuse(suggest::hint(value, names.iter().copied())))
        }
        Allowed::Number(low, high) => match value.parse::<f64>() {
            Ok(number) if (low..=high).contains(&number) => Ok(()),
            _ => Err(refuse(format!("it must be a number from {low} to {high}"))),
        },
        _ => Ok(()),
    }
}
