//! What the functions that take a metric need to know about it, apart from its values.

use super::{Aggregate, Direction, Reads, Spec};

/// The properties of a metric. Those of a metric of the table follow from its text form; for
/// [`super::Metric::custom`] you give them:
///
/// ```
/// use stakes_core::metric::{Direction, MetricProperties};
/// let properties = MetricProperties {
///     direction: Direction::Lower,
///     range: (0.0, 1.0),
///     ..MetricProperties::new("missed")
/// };
/// ```
#[derive(Debug, Clone, PartialEq)]
pub struct MetricProperties {
    /// The name in results and messages.
    pub name: String,
    /// Whether higher or lower values are better.
    pub direction: Direction,
    /// The smallest and the largest possible value of a list.
    pub range: (f64, f64),
    /// Whether the metric depends on the order alone or on the scores' values.
    pub reads: Reads,
    /// Whether tied scores get the mean value over their orders. Then the value of a constant
    /// score is taken as that of random order, which otherwise has to be simulated.
    pub averages_ties: bool,
    /// How the values of lists become one figure.
    pub aggregate: Aggregate,
}

impl MetricProperties {
    /// The properties of a metric of this name that reads only the order, of which higher
    /// values are better, without bounds, and whose figure is the mean over lists.
    pub fn new(name: impl Into<String>) -> Self {
        MetricProperties {
            name: name.into(),
            direction: Direction::Higher,
            range: (f64::NEG_INFINITY, f64::INFINITY),
            reads: Reads::Order,
            averages_ties: false,
            aggregate: Aggregate::Mean,
        }
    }
}

impl From<&Spec> for MetricProperties {
    /// The values of a metric with another inside are those of the inner one.
    fn from(spec: &Spec) -> Self {
        let inner = spec.innermost();
        let ties_named = matches!(inner.option("ties").as_deref(), Some("expected" | "half"));
        MetricProperties {
            name: spec.to_string(),
            direction: inner.info().direction,
            range: inner.info().range,
            reads: inner.info().reads,
            averages_ties: ties_named || inner.info().halves_ties,
            aggregate: spec.info().aggregate,
        }
    }
}
