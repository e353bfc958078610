//! Errors of losses.

use stakes_core::cost::Capacity;
use stakes_core::metric::{Direction, METRICS, Metric, Scale, Spec};

/// Why a loss cannot be created.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LossError {
    /// A parameter is out of range.
    #[error("{loss}: {parameter} = {met} is not allowed; {allowed}")]
    Parameter {
        /// The loss.
        loss: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// The value given.
        met: f64,
        /// The values allowed.
        allowed: &'static str,
    },
    /// A metric has no lambda loss.
    #[error("metric {metric} cannot be optimised by a lambda loss: {reason}; use one of {allowed}")]
    Metric {
        /// The name of the metric.
        metric: String,
        /// Why it has none.
        reason: &'static str,
        /// The names of the metrics that have one.
        allowed: String,
    },
}

impl LossError {
    /// Returns the value if it is allowed.
    pub(super) fn check(
        loss: &'static str,
        parameter: &'static str,
        met: f64,
        allowed: (bool, &'static str),
    ) -> Result<f64, Self> {
        match allowed {
            (true, _) => Ok(met),
            (false, allowed) => Err(LossError::Parameter { loss, parameter, met, allowed }),
        }
    }

    /// The error for a metric without a lambda loss; lists the metrics of the table that have one.
    pub(super) fn metric(metric: &Metric, reason: &'static str) -> Self {
        let fits = |name: &&str| {
            let spec = Spec::named(name).or_cutoff(Capacity::Items(10));
            let built = spec.build(Scale::default());
            built.is_ok_and(|m| m.direction() == Direction::Higher && super::lambda::is_sum(&m))
        };
        let names: Vec<&str> = METRICS.iter().map(|row| row.name).filter(fits).collect();
        LossError::Metric { metric: metric.name(), reason, allowed: names.join(", ") }
    }
}
