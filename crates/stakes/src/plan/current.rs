//! What today's order would take within the same limits.

use serde::Serialize;
use stakes_plan::{Limit, Problem};

/// What today's order takes: the highest score first, as long as all limits hold.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurrentPlan {
    /// What acting on it is expected to save.
    pub expected: f64,
    /// Items that only today's order takes.
    pub instead_of: Vec<String>,
    /// Items that only the plan takes.
    pub new: Vec<String>,
}

impl CurrentPlan {
    /// Follows the scores of a list; `chosen` is the plan beside it, in order.
    pub(super) fn new(
        problem: &Problem,
        scores: &[f64],
        chosen: &[usize],
        id: impl Fn(usize) -> String,
    ) -> Self {
        let taken = take(problem, scores);
        let only = |own: &[usize], other: &[usize]| -> Vec<String> {
            let is_alone = |item: &&usize| other.binary_search(item).is_err();
            own.iter().filter(is_alone).map(|&item| id(item)).collect()
        };
        CurrentPlan {
            expected: taken.iter().map(|&item| problem.values[item]).sum(),
            instead_of: only(&taken, chosen),
            new: only(chosen, &taken),
        }
    }
}

/// The items before the first that a limit forbids, in the order of the list.
fn take(problem: &Problem, scores: &[f64]) -> Vec<usize> {
    let n = scores.len();
    let mut is_excluded = vec![false; n];
    problem.must_not.iter().for_each(|&item| is_excluded[item] = true);
    let mut order: Vec<usize> = (0..n).filter(|&item| !is_excluded[item]).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]).then(a.cmp(&b)));
    // Limits from above, as what each item uses of them.
    let limits: Vec<&Limit> = problem.limits.iter().filter(|limit| !limit.is_least).collect();
    let mut uses: Vec<Vec<(usize, f64)>> = vec![Vec::new(); n];
    for (number, limit) in limits.iter().enumerate() {
        limit.uses.iter().for_each(|&(item, amount)| uses[item].push((number, amount)));
    }
    let mut used = vec![0.0; limits.len()];
    let fits = |item: &usize| {
        uses[*item].iter().for_each(|&(limit, amount)| used[limit] += amount);
        uses[*item].iter().all(|&(limit, _)| used[limit] <= limits[limit].amount)
    };
    let mut taken: Vec<usize> = order.into_iter().take_while(fits).collect();
    taken.sort_unstable();
    taken
}
