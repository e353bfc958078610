//! Ranking by a single column: a baseline for models, and a way to detect columns that leak the cost.

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::rank::ColumnDirection;

use super::columns::ColumnFacts;
use super::concordance::Concordance;
use super::row_order::over_lists;

/// Concordance is computed for this many of the best columns,
const BEST: usize = 5;
/// and for every column with at least this skill.
const MIN_SKILL: f64 = 0.75;

/// How well a numeric column ranks the cost on its own; missing values come last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct ColumnRanking {
    /// The better direction.
    pub direction: ColumnDirection,
    /// R_CS@k in that direction.
    pub r_cs: f64,
    /// R_CS@k on a scale from random (0) to ideal (1).
    pub skill: f64,
    /// The concordance in that direction; only for the best columns.
    pub concordance: Option<Concordance>,
}

/// Adds the skill of all columns, and the concordance of the best ones.
pub(super) fn compare(problem: &Problem<'_>, random: f64, columns: &mut [ColumnFacts]) {
    let mut best = Vec::new();
    for (j, alone) in
        columns.iter_mut().enumerate().filter_map(|(j, c)| Some((j, c.alone.as_mut()?)))
    {
        let range = 1.0 - random;
        alone.skill = if range > 1e-9 { (alone.r_cs - random) / range } else { 0.0 };
        best.push((j, *alone));
    }
    best.sort_by(|(_, a), (_, b)| b.r_cs.total_cmp(&a.r_cs));
    let near = best.iter().take_while(|(_, alone)| alone.skill >= MIN_SKILL).count();
    best.truncate(near.max(BEST));
    let features = problem.data().features();
    let found: Vec<Option<Concordance>> = best
        .par_iter()
        .map(|(j, a)| over_lists(problem, |item| a.direction.score(features.row(item)[*j])))
        .collect();
    for ((j, _), concordance) in best.into_iter().zip(found) {
        if let Some(alone) = &mut columns[j].alone {
            alone.concordance = concordance;
        }
    }
}
