//! Parsing of specs: `name[@cutoff][(inner)][:key=value,key=value]`.

use std::str::FromStr;

use super::{Spec, SpecError};
use crate::cost::Policy;
use crate::metric::{Allowed, CutoffUse, METRICS, MetricInfo, cost_sensitive};
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
        let mut spec = Spec::of(info);
        if let Some(after) = rest.strip_prefix('@') {
            let (k, tail) = after.split_at(after.find(['(', ':']).unwrap_or(after.len()));
            let read = |source| SpecError::Capacity { metric: info.name, source };
            spec.cutoff = Some(k.parse().map_err(read)?);
            rest = tail;
        }
        if rest.starts_with('(') {
            let close = closing_bracket(rest).ok_or_else(syntax)?;
            let levels = levels.checked_sub(1).ok_or(SpecError::TooDeep(info.name))?;
            spec.inner = Some(Box::new(Spec::parse_nested(&rest[1..close], levels)?));
            rest = &rest[close + 1..];
        }
        let given = match rest.strip_prefix(':') {
            Some(options) => options.split(',').collect(),
            None if rest.is_empty() => Vec::new(),
            None => return Err(syntax()),
        };
        spec.set_all(&given)?;
        spec.check_shape()?;
        spec.settle();
        Ok(spec)
    }

    fn set_all(&mut self, given: &[&str]) -> Result<(), SpecError> {
        let mut seen = Vec::new();
        for text in given {
            let pair = text.split_once('=').ok_or_else(|| SpecError::Syntax((*text).into()));
            let (key, value) = pair?;
            let key = self.set(key.trim(), value.trim())?;
            if seen.contains(&key) {
                return Err(SpecError::Twice { metric: self.name(), key });
            }
            seen.push(key);
        }
        Ok(())
    }

    /// Sets an option and returns its key. Texts that are the default are kept until
    /// [`Spec::settle`].
    pub(super) fn set(&mut self, key: &str, value: &str) -> Result<&'static str, SpecError> {
        let row = self.row(key).ok_or_else(|| self.unknown_option(key))?;
        let refuse = |allowed: String| SpecError::Value {
            metric: self.info.name,
            key: key.to_owned(),
            met: value.to_owned(),
            allowed,
        };
        let number = value.parse::<f64>();
        let text = match row.allowed {
            Allowed::Policy if value == row.default => return Ok(row.key),
            Allowed::Policy => {
                let policy = value.parse().map_err(|_| refuse(Policy::ALLOWED.into()))?;
                self.policy = Some(policy);
                return Ok(row.key);
            }
            Allowed::Money if value == row.default => return Ok(row.key),
            Allowed::Money => {
                let money = number.ok().filter(|money| cost_sensitive::is_money(*money));
                self.budget = Some(money.ok_or_else(|| refuse(cost_sensitive::MONEY.into()))?);
                return Ok(row.key);
            }
            Allowed::OneOf(names) if !names.contains(&value) => {
                return Err(refuse(suggest::hint(value, names.iter().copied())));
            }
            // Equal numbers get the same text.
            Allowed::Number(low, high) => match number {
                Ok(number) if (low..=high).contains(&number) => number.to_string(),
                _ => return Err(refuse(format!("it must be a number from {low} to {high}"))),
            },
            Allowed::OneOf(_) | Allowed::Text => value.to_owned(),
        };
        self.options.retain(|(known, _)| *known != row.key);
        self.options.push((row.key, text));
        Ok(row.key)
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

pub(super) fn find(name: &str) -> Result<&'static MetricInfo, SpecError> {
    let lower = name.to_lowercase();
    known(&lower).ok_or_else(|| SpecError::UnknownMetric {
        met: name.to_owned(),
        hint: cutoff_elsewhere(&lower)
            .unwrap_or_else(|| suggest::hint(&lower, METRICS.iter().map(|m| m.name))),
    })
}

/// A metric by its name or an alias.
fn known(name: &str) -> Option<&'static MetricInfo> {
    METRICS.iter().find(|m| m.name == name || m.aliases.contains(&name))
}

/// The hint for a cutoff as other programs write it: `ndcg10`, `ndcg_10`, `ndcg_cut_10`, `p_at_5`.
fn cutoff_elsewhere(name: &str) -> Option<String> {
    let stem = name.trim_end_matches(|c: char| c.is_ascii_digit());
    let cutoff = name[stem.len()..].trim_start_matches('0');
    let stem = stem.trim_end_matches(['-', '_']);
    let joints = ["-cut", "_cut", "-at", "_at"];
    let stem = joints.iter().find_map(|joint| stem.strip_suffix(joint)).unwrap_or(stem);
    let metric = known(stem).filter(|m| !cutoff.is_empty() && m.cutoff != CutoffUse::None)?;
    Some(format!("did you mean `{}@{cutoff}`?", metric.name))
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
