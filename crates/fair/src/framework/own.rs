//! Measures of your own, judged by the framework as those of the table are.

/// A function of positions, true positions and membership.
pub type Value = fn(positions: &[f64], truth: &[f64], member: &[bool]) -> Option<f64>;

/// A measure of your own: a name, and a function of positions, true positions and membership.
///
/// ```
/// use stakes_fair::framework::{FrameworkOptions, OwnMeasure, Verdict, framework};
/// use stakes_fair::{Measure, Pattern};
/// // The position of the best member.
/// fn best(positions: &[f64], _truth: &[f64], member: &[bool]) -> Option<f64> {
///     positions.iter().zip(member).filter(|(_, m)| **m).map(|(p, _)| *p).min_by(f64::total_cmp)
/// }
/// let options = FrameworkOptions {
///     measures: vec!["mean-rank".parse::<Measure>()?],
///     own: vec![OwnMeasure { name: "best-member", value: best }],
///     ..FrameworkOptions::default()
/// };
/// let found = framework(&options)?;
/// assert_eq!(found.rows[1].verdict(&found, Pattern::Arbitrary), Verdict::Blind);
/// # Ok::<(), stakes_fair::AuditError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct OwnMeasure {
    /// Its name.
    pub name: &'static str,
    /// Its value; none if it is not defined. All slices have an entry per item.
    pub value: Value,
}
