//! The text form of metrics: `name[@cutoff][(inner)][:key=value,key=value]`.
//!
//! Examples: `rcs@10`, `rcs@12.5%`, `rcs@10..40:policy=step`, `rcr@10(ndcg@10:gain=linear)`,
//! `ndcg@10:gain=linear,discount=letor,ties=stable,empty=zero`.

mod parse;

use std::fmt;

use super::{CutoffUse, METRICS, Metric, MetricInfo, Options, Scale};
use crate::cost::{Capacity, CapacityError};

pub use parse::split_specs;
use parse::{MAX_NESTING, check_value};

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

impl Spec {
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

#[cfg(test)]
mod tests;
