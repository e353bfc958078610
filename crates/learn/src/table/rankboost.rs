//! The RankBoost family.

use super::LearnerInfo;

/// The rows.
pub(super) static ROWS: &[LearnerInfo] = &[];
