//! Whether the rows of lists are in the order of their cost.

use rayon::prelude::*;
use stakes_core::cost::Problem;

use super::concordance::{Concordance, Counts};

/// The concordance of the row number with the cost: 1 if the cost increases from row to row, 0 if it
/// decreases.
pub(super) fn describe(problem: &Problem<'_>) -> Option<Concordance> {
    over_lists(problem, |item| item as f64)
}

/// The concordance of a score with the cost.
pub(super) fn over_lists(
    problem: &Problem<'_>,
    score: impl Fn(usize) -> f64 + Sync,
) -> Option<Concordance> {
    let one = |list: usize| {
        let items = problem.data().items(list);
        let scores: Vec<f64> = items.clone().map(&score).collect();
        let mut counts = Counts::default();
        counts.add(&scores, &problem.cost()[items]);
        counts
    };
    let lists: Vec<Counts> =
        (0..problem.n_lists()).into_par_iter().with_min_len(64).map(one).collect();
    lists.into_iter().fold(Counts::default(), Counts::plus).finish()
}
