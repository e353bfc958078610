//! The queue of open cones, the greatest bound first.

use std::cmp::Ordering;

use super::cone::Cone;

/// A cone that may contain better weights.
pub(super) struct Open {
    pub(super) bound: f64,
    pub(super) root: usize,
    pub(super) cone: Cone,
    /// The number in order of creation, which makes the order of equal bounds deterministic.
    pub(super) number: u64,
}

impl Ord for Open {
    fn cmp(&self, other: &Self) -> Ordering {
        self.bound.total_cmp(&other.bound).then(self.number.cmp(&other.number))
    }
}

impl PartialOrd for Open {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Open {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Open {}
