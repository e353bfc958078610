//! Linear models and baselines.

use super::LearnerInfo;

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[];
