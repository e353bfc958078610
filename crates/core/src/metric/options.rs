//! The options of a metric, checked against the table and with defaults filled in.

use super::{MetricInfo, Scale, Spec, SpecError};
use crate::cost::Capacity;

/// The options of a spec, as the metric's row in the table declares them.
pub struct Options<'a> {
    pub(super) spec: &'a Spec,
    pub(super) info: &'static MetricInfo,
    pub(super) scale: Scale,
}

impl Options<'_> {
    /// Returns the value of an option that is text, or its default. Asking for an option that the
    /// table does not list is a bug.
    pub fn get(&self, key: &str) -> &str {
        let given = self.spec.options.iter().find(|(k, _)| *k == key);
        match (given, self.info.options.iter().find(|row| row.key == key)) {
            (Some((_, value)), _) => value,
            (None, Some(row)) => row.default,
            (None, None) => panic!("{} has no option {key}", self.info.name),
        }
    }

    /// Returns the value of a numeric option.
    pub fn number(&self, key: &str) -> f64 {
        self.get(key).parse().unwrap_or_else(|_| panic!("default of {key} is not a number"))
    }

    /// Returns the cutoff, with percentages resolved.
    pub fn capacity(&self) -> Capacity {
        self.spec.cutoff.unwrap_or(Capacity::All).resolve(self.scale.mean_list_length)
    }

    /// Returns the cutoff as a number of positions, for metrics that do not take a range.
    pub fn cutoff(&self) -> Result<Option<usize>, SpecError> {
        match self.capacity() {
            Capacity::All => Ok(None),
            Capacity::Items(k) => Ok(Some(k)),
            other => Err(SpecError::Cutoff {
                metric: self.info.name,
                met: other.to_string(),
                allowed: "a number or a percentage; ranges belong to the cost-sensitive metrics",
            }),
        }
    }

    /// Returns the inner metric, if one was given.
    pub fn inner(&self) -> Option<&Spec> {
        self.spec.inner.as_deref()
    }

    /// Returns the scale of the data.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// Returns an error about the value of an option.
    pub fn refuse(&self, key: &str, reason: impl Into<String>) -> SpecError {
        SpecError::Value {
            metric: self.info.name,
            key: key.to_owned(),
            met: self.spec.option(key).unwrap_or_default().into_owned(),
            allowed: reason.into(),
        }
    }
}
