//! Cumulative cost curves: the share of all cost in the first p items of every list.
//!
//! Example: costs (10000, 100, 0) in that order give 0, 0.990, 1, 1 for p = 0, 1, 2, 3.

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::rank::{Ranking, UNRANKED};

/// A cumulative cost curve.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Curve {
    /// The score's name.
    pub name: String,
    /// Whether it is a reference order, not a score.
    pub reference: bool,
    /// The share of all cost in the first 0, 1, 2, ... items of every list.
    pub shares: Vec<f64>,
}

/// Computes the curve of a score over the first `depth` positions; tied items share theirs evenly.
pub fn cost_curve(problem: &Problem<'_>, scores: &[f64], depth: usize) -> Vec<f64> {
    let mut gained = vec![0.0; depth + 1];
    for list in 0..problem.n_lists() {
        let cost = problem.list(list).cost;
        let scores = &scores[problem.data().items(list)];
        let ranking = Ranking::from_scores(scores);
        let ranked = scores.iter().filter(|score| **score != UNRANKED).count();
        for block in ranking.blocks().take_while(|block| block.start < depth.min(ranked)) {
            let items = &ranking.order()[block.clone()];
            let mean = items.iter().map(|i| cost[i.at()]).sum::<f64>() / items.len() as f64;
            block.take_while(|rank| *rank < depth).for_each(|rank| gained[rank + 1] += mean);
        }
    }
    let total: f64 = problem.cost().iter().sum();
    let mut reached = 0.0;
    for share in &mut gained {
        reached += *share;
        *share = if total > 0.0 { (reached / total).min(1.0) } else { 0.0 };
    }
    gained
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use stakes_core::cost::CostModel;
    use stakes_core::data::{Columns, DatasetBuilder, Row};

    #[test]
    fn curves_rise_to_one_and_ties_share() {
        let columns = Columns { impact: Some("y".into()), ..Columns::default() };
        let mut b = DatasetBuilder::new("t", columns).unwrap();
        for y in [10.0, 5.0, 5.0, 0.0] {
            b.push(Row { impact: Some(y), ..Row::default() }).unwrap();
        }
        let data = b.finish().unwrap();
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let curve = |scores: &[f64], depth| cost_curve(&problem, scores, depth);
        assert_eq!(curve(&[4.0, 3.0, 2.0, 1.0], 4), [0.0, 0.5, 0.75, 1.0, 1.0]);
        assert_eq!(curve(&[0.0; 4], 4), [0.0, 0.25, 0.5, 0.75, 1.0]);
        assert_eq!(curve(&[0.0; 4], 2), [0.0, 0.25, 0.5]);
    }
}
