//! Columns that are almost certainly computed from the cost, found quickly: before a training, which would
//! otherwise learn nothing else.

use stakes_core::cost::Problem;
use stakes_core::data::DataError;
use stakes_core::random::{draw_for, purpose};

use crate::{Finding, FindingKind, InspectOptions, Inspection};

/// The number of items that are looked at. A copy of the cost shows in any sample.
const MAX_ITEMS: usize = 10_000;

/// Returns a finding of kind [`FindingKind::Leak`] for each column that ranks the cost almost perfectly. Of
/// large data, some lists are looked at, drawn by their ids.
///
/// # Errors
/// If stored features cannot be read.
pub fn leaks(problem: &Problem<'_>) -> Result<Vec<Finding>, DataError> {
    let is_leak = |finding: &Finding| finding.kind == FindingKind::Leak;
    let of = |problem: &Problem<'_>| {
        let inspection = Inspection::of_problem(problem, &InspectOptions::default());
        inspection.findings.into_iter().filter(is_leak).collect()
    };
    let data = problem.data();
    if data.len() <= MAX_ITEMS && !data.features().is_stored() {
        return Ok(of(problem));
    }
    let mut lists: Vec<usize> = (0..data.n_lists()).collect();
    let seed = purpose(0, b"leaks   ");
    lists.sort_by(|&a, &b| {
        let draw = |list: usize| draw_for(seed, data.list_id(list));
        draw(a).total_cmp(&draw(b))
    });
    let mut items = 0;
    lists.retain(|&list| {
        let is_first = items == 0;
        items += data.items(list).len();
        is_first || items <= MAX_ITEMS
    });
    let sample = data.take_lists(&lists).loaded()?;
    Ok(Problem::new(&sample, problem.goal()).map(|problem| of(&problem)).unwrap_or_default())
}
