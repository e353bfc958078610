//! What one column orders by itself: the baseline a model has to beat, and the place where
//! a column that knows the answer gives itself away.

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::rank::ColumnDirection;

use super::columns::ColumnFacts;
use super::concordance::Concordance;
use super::row_order::over_lists;

/// Concordance is found for so many of the best columns,
const BEST: usize = 5;
/// and for every column that covers this part of the way from random to ideal.
const NEAR: f64 = 0.75;

/// How well a numeric column orders the cost by itself; missing values come last.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Alone {
    /// The better direction.
    pub direction: ColumnDirection,
    /// R_CS@k in that direction.
    pub r_cs: f64,
    /// Where this is between random (0) and ideal (1).
    pub skill: f64,
    /// Pairs in order, in that direction; only for the best columns.
    pub concordance: Option<Concordance>,
}

/// Adds what needs all columns: the skill beside a random order, and the concordance of
/// those that look best.
pub(super) fn compare(problem: &Problem<'_>, random: f64, columns: &mut [ColumnFacts]) {
    let mut best = Vec::new();
    for (j, alone) in
        columns.iter_mut().enumerate().filter_map(|(j, c)| Some((j, c.alone.as_mut()?)))
    {
        let room = 1.0 - random;
        alone.skill = if room > 1e-9 { (alone.r_cs - random) / room } else { 0.0 };
        best.push((j, *alone));
    }
    best.sort_by(|(_, a), (_, b)| b.r_cs.total_cmp(&a.r_cs));
    let near = best.iter().take_while(|(_, alone)| alone.skill >= NEAR).count();
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
