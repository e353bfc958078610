//! What experiments and plans are told in words: plans of folds, files of contestants, limits per group.

use stakes::experiment::{Contestant, ContestantsFile};
use stakes::plan::PerGroup;
use stakes::split::FoldPlan;

use crate::{accepted, lines};

/// Plans of folds: what is accepted is written as text that means the same.
pub fn folds(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for text in lines(text) {
        let Some(plan) = accepted(text.parse::<FoldPlan>()) else { continue };
        let written = plan.to_string();
        assert_eq!(written.parse::<FoldPlan>().as_ref(), Ok(&plan), "{text} {written}");
    }
}

/// A file of contestants, and the same text as learners and as limits.
pub fn contestants(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    if let Some(file) = accepted(ContestantsFile::parse(text, "fuzz")) {
        assert!(file.entries.iter().all(|entry| !entry.name.is_empty()));
    }
    for text in lines(text) {
        for contestant in accepted(Contestant::learners(text)).into_iter().flatten() {
            assert!(!contestant.name.is_empty() && !contestant.shown().is_empty());
        }
        if let Some(group) = accepted(text.parse::<PerGroup>()) {
            assert_eq!(group.to_string().parse::<PerGroup>().as_ref(), Ok(&group), "{text}");
        }
    }
}
