//! The text form of metrics: `name[@cutoff][(inner)][:key=value,key=value]`.
//!
//! Examples: `rcs@10`, `rcs@12.5%`, `rcs@10..40:policy=step`, `rcr@10(ndcg@10:gain=linear)`,
//! `ndcg@10:gain=linear,discount=letor,ties=stable,empty=zero`.

mod parse;

use std::borrow::Cow;
use std::fmt;

use super::{Allowed, CutoffUse, Metric, MetricInfo, OptionInfo, Options, Scale};
use crate::cost::{Capacity, CapacityError, Policy};
use crate::suggest;

pub use parse::split_specs;
use parse::{MAX_NESTING, find};

/// A metric of the table with all of its conventions. Text is parsed where it is typed or loaded;
/// code builds the value:
///
/// ```
/// use stakes_core::cost::Capacity;
/// use stakes_core::metric::Spec;
/// let spec = Spec::named("ndcg").at(Capacity::Items(10)).with("gain", "linear");
/// assert_eq!(spec, "ndcg@10:gain=linear".parse()?);
/// # Ok::<(), stakes_core::metric::SpecError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct Spec {
    info: &'static MetricInfo,
    /// The cutoff `@k`, if given.
    pub cutoff: Option<Capacity>,
    /// The inner metric (of R_CR).
    pub inner: Option<Box<Spec>>,
    /// Pr(p), if given. Otherwise it is linear, and a step when the cutoff is a range.
    pub policy: Option<Policy>,
    /// The money to spend instead of a number of items, if given.
    pub budget: Option<f64>,
    /// Other options that differ from their default, in the order of the table.
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
    /// The metric of this name with its default options, for names that stand in code.
    ///
    /// # Panics
    /// If the table has no such name.
    pub fn named(name: &str) -> Self {
        find(name).map_or_else(|error| panic!("{error}"), Spec::of)
    }

    fn of(info: &'static MetricInfo) -> Self {
        Spec { info, cutoff: None, inner: None, policy: None, budget: None, options: Vec::new() }
    }

    /// The same metric with this cutoff.
    #[must_use]
    pub fn at(self, k: Capacity) -> Self {
        Spec { cutoff: Some(k), ..self }
    }

    /// The same metric of this inner one.
    #[must_use]
    pub fn around(self, inner: Spec) -> Self {
        Spec { inner: Some(Box::new(inner)), ..self }
    }

    /// The same metric with this value of an option, for values that stand in code.
    ///
    /// # Panics
    /// If the metric has no such option, or the option no such value.
    #[must_use]
    pub fn with(mut self, key: &str, value: &str) -> Self {
        self.set(key, value).unwrap_or_else(|error| panic!("{error}"));
        self.settle();
        self
    }

    /// The name in the table.
    pub fn name(&self) -> &'static str {
        self.info.name
    }

    /// The row in the table.
    pub fn info(&self) -> &'static MetricInfo {
        self.info
    }

    /// Returns the innermost metric, or the spec itself if it has no inner one.
    pub fn innermost(&self) -> &Spec {
        self.inner.as_deref().map_or(self, Spec::innermost)
    }

    /// Returns the value of an option as text, given or default; `None` if the metric has no such
    /// option.
    pub fn option(&self, key: &str) -> Option<Cow<'_, str>> {
        let row = self.row(key)?;
        let given = match row.allowed {
            Allowed::Policy => self.policy.as_ref().map(|policy| policy.to_string().into()),
            Allowed::Money => self.budget.map(|money| money.to_string().into()),
            _ => self.options.iter().find(|(k, _)| *k == key).map(|(_, value)| value.into()),
        };
        Some(given.unwrap_or(Cow::Borrowed(row.default)))
    }

    fn row(&self, key: &str) -> Option<&'static OptionInfo> {
        self.info.options.iter().find(|row| row.key == key)
    }

    /// Whether the metric takes an action policy.
    pub fn takes_policy(&self) -> bool {
        self.info.options.iter().any(|row| row.allowed == Allowed::Policy)
    }

    /// Whether the metric takes a budget instead of a cutoff.
    pub fn takes_budget(&self) -> bool {
        self.info.options.iter().any(|row| row.allowed == Allowed::Money)
    }

    /// Sets the cutoff if the metric requires one and has none.
    #[must_use]
    pub fn or_cutoff(self, k: Capacity) -> Self {
        match self.info.cutoff == CutoffUse::Required && self.cutoff.is_none() {
            true => self.at(k),
            false => self,
        }
    }

    /// Sets the policy if the metric takes one and has none.
    #[must_use]
    pub fn or_policy(mut self, policy: &Policy) -> Self {
        if self.takes_policy() {
            self.policy.get_or_insert_with(|| policy.clone());
        }
        self
    }

    /// Sets the budget if the metric takes one and has none.
    #[must_use]
    pub fn or_budget(mut self, money: f64) -> Self {
        if self.takes_budget() {
            self.budget.get_or_insert(money);
            self.settle();
        }
        self
    }

    /// Builds the metric, for data of the given scale.
    pub fn build(self, scale: Scale) -> Result<Metric, SpecError> {
        self.check_shape()?;
        let info = self.info;
        let rule = (info.build)(&Options { spec: &self, info, scale })?;
        Ok(Metric { properties: (&self).into(), spec: Some(self), rule: rule.into() })
    }

    fn check_shape(&self) -> Result<(), SpecError> {
        let info = self.info;
        if info.cutoff == CutoffUse::None
            && let Some(k) = self.cutoff
        {
            return Err(SpecError::Cutoff {
                metric: info.name,
                met: k.to_string(),
                allowed: "none",
            });
        }
        if self.inner.is_some() && !info.takes_inner {
            return Err(SpecError::NoInner(info.name));
        }
        if self.policy.is_some() && !self.takes_policy() {
            return Err(self.unknown_option("policy"));
        }
        if self.budget.is_some() && !self.takes_budget() {
            return Err(self.unknown_option("budget"));
        }
        Ok(())
    }

    fn unknown_option(&self, key: &str) -> SpecError {
        let hint = suggest::hint(key, self.info.options.iter().map(|row| row.key));
        SpecError::UnknownOption { metric: self.info.name, met: key.to_owned(), hint }
    }

    /// Brings options into the order of the table, without those that have their default value. With
    /// a budget the mean over tied orders has no closed form: then ties are always named, and those
    /// that a budget does not allow are refused later.
    fn settle(&mut self) {
        let rows = self.info.options;
        let row = |key: &str| rows.iter().position(|row| row.key == key);
        let by_budget = self.budget.is_some();
        self.options.retain(|(key, value)| {
            let default = row(key).map_or("", |at| rows[at].default);
            value != default || (by_budget && *key == "ties")
        });
        if by_budget && !self.options.iter().any(|(key, _)| *key == "ties") {
            self.options.push(("ties", "worst".to_owned()));
        }
        self.options.sort_by_key(|(key, _)| row(key));
    }
}

impl fmt::Display for Spec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.info.name)?;
        if let Some(k) = self.cutoff {
            write!(f, "@{k}")?;
        }
        if let Some(inner) = &self.inner {
            write!(f, "({inner})")?;
        }
        let policy = self.policy.as_ref().map(|policy| format!("policy={policy}"));
        let budget = self.budget.map(|money| format!("budget={money}"));
        let others = self.options.iter().map(|(key, value)| format!("{key}={value}"));
        for (i, option) in policy.into_iter().chain(budget).chain(others).enumerate() {
            write!(f, "{}{option}", if i == 0 { ':' } else { ',' })?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests;
