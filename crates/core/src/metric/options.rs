//! How a metric reads its options: already checked against the table, defaults filled in.

use super::{MetricInfo, Scale, Spec, SpecError};
use crate::cost::Capacity;

/// The options of a spec, seen through the metric's row in the table.
pub struct Options<'a> {
    pub(super) spec: &'a Spec,
    pub(super) info: &'static MetricInfo,
    pub(super) scale: Scale,
}

impl Options<'_> {
    /// The value of an option, or its default. Asking for one that the table does not list
    /// is a mistake in the program.
    pub fn get(&self, key: &str) -> &str {
        let value = self.spec.option(key);
        value.unwrap_or_else(|| panic!("{} has no option {key}", self.info.name))
    }

    /// The value of a numeric option.
    pub fn number(&self, key: &str) -> f64 {
        self.get(key).parse().unwrap_or_else(|_| panic!("default of {key} is not a number"))
    }

    /// How far down the list it looks, percentages resolved.
    pub fn capacity(&self) -> Capacity {
        self.spec.cutoff.unwrap_or(Capacity::All).resolve(self.scale.mean_list_length)
    }

    /// The cutoff as a number of positions, for metrics to which a range means nothing.
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

    /// The metric inside this one, if any was given.
    pub fn inner(&self) -> Option<&Spec> {
        self.spec.inner.as_deref()
    }

    /// The size of the data.
    pub fn scale(&self) -> Scale {
        self.scale
    }

    /// A complaint about one option's value.
    pub fn refuse(&self, key: &str, reason: impl Into<String>) -> SpecError {
        SpecError::Value {
            metric: self.info.name,
            key: key.to_owned(),
            met: self.get(key).to_owned(),
            allowed: reason.into(),
        }
    }
}
