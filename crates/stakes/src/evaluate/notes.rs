//! What lists say about a goal before anything is measured.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;

use crate::Note;

/// A note if `k` actions are enough for all items of most lists, so that their order hardly matters.
pub fn acts_on_all(data: &Dataset, k: usize) -> Option<Note> {
    let mut lengths: Vec<usize> = data.lists().map(|items| items.len()).collect();
    lengths.sort_unstable();
    // More than half of the lists are at most as long as the one in the middle.
    let items = lengths[lengths.len() / 2];
    (items <= k).then_some(Note::ActsOnAll { k, items })
}

/// A note if there are lists in which nothing can be saved.
pub fn nothing_to_save(problem: &Problem<'_>) -> Option<Note> {
    let lists = problem.savable().into_iter().filter(|savable| !savable).count();
    (lists > 0).then_some(Note::NothingToSave { lists, of: problem.n_lists() })
}
