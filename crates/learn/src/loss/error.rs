//! What a loss refuses.

use stakes_core::metric::{Direction, METRICS, Metric};

/// A loss that cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum LossError {
    /// A parameter out of bounds.
    #[error("{loss}: {parameter} = {met} is not allowed; {allowed}")]
    Parameter {
        /// The loss.
        loss: &'static str,
        /// The parameter.
        parameter: &'static str,
        /// What it was.
        met: f64,
        /// What it may be.
        allowed: &'static str,
    },
    /// A metric that a lambda loss cannot be made of.
    #[error("{metric} cannot be learnt by a lambda loss: {reason}; use one of {allowed}")]
    Metric {
        /// Its name.
        metric: String,
        /// What it is not.
        reason: &'static str,
        /// Which metrics can.
        allowed: String,
    },
}

impl LossError {
    /// The value, if it is allowed.
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

    /// A metric is refused; the table says which would not be.
    pub(super) fn metric(metric: &Metric, reason: &'static str) -> Self {
        let scale = Default::default();
        let fits = |name: &&str| {
            let parsed = Metric::parse(name, scale);
            let parsed = parsed.or_else(|_| Metric::parse(&format!("{name}@10"), scale));
            parsed.is_ok_and(|m| m.direction() == Direction::Higher && super::lambda::is_sum(&m))
        };
        let names: Vec<&str> = METRICS.iter().map(|row| row.name).filter(fits).collect();
        LossError::Metric { metric: metric.name(), reason, allowed: names.join(", ") }
    }
}
