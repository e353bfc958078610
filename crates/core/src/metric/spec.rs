//! The text form of metrics: `name[@cutoff][(inner)][:key=value,key=value]`.
//!
//! Examples: `rcs@10`, `rcs@12.5%`, `rcs@10..40:policy=step`, `rcr@10(ndcg@10:gain=linear)`,
//! `ndcg@10:gain=linear,discount=letor,ties=stable,empty=zero`.

use std::fmt;
use std::str::FromStr;

use super::{Allowed, CutoffUse, METRICS, Metric, MetricInfo, Options};
use crate::cost::{Capacity, CapacityError};
use crate::suggest;

/// The properties of the data that a spec needs to become a metric.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Scale {
    /// The mean number of items per list; percentages refer to it.
    pub mean_list_length: f64,
    /// The length of the longest list; tables of discounts need not be longer.
    pub longest_list: usize,
}

impl Default for Scale {
    /// For use without data: percentages of 100 items, and tables for lists of up to a million.
    fn default() -> Self {
        Scale { mean_list_length: 100.0, longest_list: 1_000_000 }
    }
}

impl Scale {
    /// Returns the scale of a data set.
    pub fn of(data: &crate::data::Dataset) -> Self {
        let longest_list = data.lists().map(|items| items.len()).max().unwrap_or(0);
        Scale { mean_list_length: data.mean_list_length(), longest_list }
    }
}

/// A metric of the table in its text form, parsed.
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    /// The name in the table.
    pub name: &'static str,
    /// The cutoff `@k`, if given.
    pub cutoff: Option<Capacity>,
    /// The inner metric (of R_CR).
    pub inner: Option<Box<Spec>>,
    /// Options that differ from their default, in the order of the table.
    pub options: Vec<(&'static str, String)>,
}

/// The error of a spec that cannot be read.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
pub enum SpecError {
    #[error("there is no metric `{met}`; {hint}")]
    UnknownMetric { met: String, hint: String },
    #[error("metric `{0}` cannot be read; the form is name[@k][(inner)][:key=value,key=value]")]
    Syntax(String),
    #[error("metric {metric} has no option `{met}`; {hint}")]
    UnknownOption { metric: &'static str, met: String, hint: String },
    #[error("metric {metric}: option {key} is given twice")]
    Twice { metric: &'static str, key: &'static str },
    #[error("metric {metric}: {key} is `{met}`; {allowed}")]
    Value { metric: &'static str, key: String, met: String, allowed: String },
    #[error("metric {metric}: cutoff {met}; allowed is {allowed}")]
    Cutoff { metric: &'static str, met: String, allowed: &'static str },
    #[error("metric {0} needs a cutoff: write {0}@10")]
    NeedsCutoff(&'static str),
    #[error("metric {metric}: {source}")]
    Capacity { metric: &'static str, source: CapacityError },
    #[error("metric {0} does not take another metric in brackets")]
    NoInner(&'static str),
    #[error("metric {0} is nested more than {MAX_NESTING} levels deep; one inner metric is enough")]
    TooDeep(&'static str),
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        Spec::parse_nested(text, MAX_NESTING)
    }
}

/// The maximum depth of metrics inside metrics: one level has a meaning, thousands would exhaust
/// the stack.
const MAX_NESTING: usize = 4;

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

    /// Returns its row in the table.
    pub fn info(&self) -> &'static MetricInfo {
        METRICS.iter().find(|m| m.name == self.name).unwrap_or(&METRICS[0])
    }

    /// Returns the innermost metric, or the spec itself if it has no inner one.
    pub fn innermost(&self) -> &Spec {
        self.inner.as_deref().map_or(self, Spec::innermost)
    }

    /// Returns the value of an option, given or default; `None` if the metric has no such option.
    pub fn option(&self, key: &str) -> Option<&str> {
        let row = self.info().options.iter().find(|o| o.key == key)?;
        let given = self.options.iter().find(|(k, _)| *k == key);
        Some(given.map_or(row.default, |(_, value)| value))
    }

    /// Sets the cutoff if the metric requires one and has none.
    pub fn or_cutoff(mut self, k: Capacity) -> Self {
        if self.info().cutoff == CutoffUse::Required && self.cutoff.is_none() {
            self.cutoff = Some(k);
        }
        self
    }

    /// Sets an option if the metric takes it with this value and it is not given. (Ties in gains
    /// are `expected` or `worst`, ties in pairs `half` or `wrong`.)
    pub fn or_option(mut self, key: &str, value: &str) -> Self {
        let info = self.info();
        if let Some(row) = info.options.iter().position(|o| o.key == key)
            && !self.options.iter().any(|(k, _)| *k == info.options[row].key)
            && info.options[row].default != value
            && check_value(info, row, value).is_ok()
        {
            self.options.push((info.options[row].key, value.to_owned()));
            self.sort_options();
            self.settle_ties();
        }
        self
    }

    /// Builds the metric, for data of the given scale.
    pub fn build(self, scale: Scale) -> Result<Metric, SpecError> {
        let info = self.info();
        let rule = (info.build)(&Options { spec: &self, info, scale })?;
        Ok(Metric { properties: (&self).into(), spec: Some(self), rule: rule.into() })
    }

    fn check_shape(&self) -> Result<(), SpecError> {
        let info = self.info();
        if info.cutoff == CutoffUse::None
            && let Some(k) = self.cutoff
        {
            return Err(SpecError::Cutoff {
                metric: info.name,
                met: k.to_string(),
                allowed: "none",
            });
        }
        if self.inner.is_some() && info.name != "rcr" {
            return Err(SpecError::NoInner(info.name));
        }
        Ok(())
    }

    /// With a budget the mean over tied orders has no closed form: the name states the ties used.
    fn settle_ties(&mut self) {
        let by_budget = self.option("budget").is_some_and(|budget| budget != "none");
        if by_budget && !self.options.iter().any(|(key, _)| *key == "ties") {
            self.options.push(("ties", "worst".to_owned()));
            self.sort_options();
        }
    }

    fn sort_options(&mut self) {
        let rows = self.info().options;
        self.options.sort_by_key(|(key, _)| rows.iter().position(|o| o.key == *key));
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)?;
        if let Some(k) = self.cutoff {
            write!(f, "@{k}")?;
        }
        if let Some(inner) = &self.inner {
            write!(f, "({inner})")?;
        }
        for (i, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
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

fn check_value(info: &'static MetricInfo, row: usize, value: &str) -> Result<(), SpecError> {
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

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn canonical(text: &str) -> String {
        text.parse::<Spec>().unwrap().to_string()
    }

    #[test]
    fn defaults_vanish_and_options_are_ordered() {
        assert_eq!(canonical("NDCG@10:ties=stable,gain=linear"), "ndcg@10:gain=linear,ties=stable");
        assert_eq!(canonical("ndcg@10:gain=exp2"), "ndcg@10");
        assert_eq!(canonical("p@5:above=0.0"), "p@5");
        assert_eq!(canonical("p@5:above=1.50"), "p@5:above=1.5");
        assert_eq!(canonical("rcs@12.5%"), "rcs@12.5%");
        assert_eq!(canonical("rcr@10(ndcg@5:gain=linear)"), "rcr@10(ndcg@5:gain=linear)");
    }

    #[test]
    fn lists_of_specs_are_split_between_specs_only() {
        let split = split_specs(
            "rcs@2,ndcg@3:gain=linear,ties=stable,rcr@2(ndcg:gain=linear,ties=worst),r@1",
        );
        let expected = [
            "rcs@2",
            "ndcg@3:gain=linear,ties=stable",
            "rcr@2(ndcg:gain=linear,ties=worst)",
            "r@1",
        ];
        assert_eq!(split, expected);
    }

    #[test]
    fn a_common_option_goes_only_where_it_is_understood() {
        let given =
            |text: &str| text.parse::<Spec>().unwrap().or_option("ties", "worst").to_string();
        assert_eq!(given("ndcg@10"), "ndcg@10:ties=worst");
        assert_eq!(given("ndcg@10:ties=stable"), "ndcg@10:ties=stable");
        assert_eq!(given("rankloss"), "rankloss");
        assert_eq!(given("auc"), "auc");
    }

    #[test]
    fn slips_are_explained() {
        let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
        assert!(error("ndgc@10").contains("did you mean `ndcg`?"));
        assert!(error("ndcg@10:gian=linear").contains("did you mean `gain`?"));
        assert!(error("ndcg@10:gain=liner").contains("did you mean `linear`?"));
        assert!(error("ndcg@x").contains("k is `x`"));
        assert!(error("ndcg@10(dcg)").contains("does not take another metric"));
        assert!(error("rcr@10(ndcg").contains("cannot be read"));
        assert!(error("ndcg:gain=linear,gain=exp2").contains("given twice"));
        let nested = "rcr@2(".repeat(100_000) + "ndcg" + &")".repeat(100_000);
        assert!(error(&nested).contains("nested more than 4 levels"));
    }
}
