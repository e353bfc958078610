//! Weights of the same order whose scores differ as much as possible.
//!
//! A search that compares only values ends anywhere within a cone of weights, also where two scores nearly coincide,
//! but a program with a margin excludes such weights. So this maximises m such that w.(x_a - x_b) >= m for all adjacent
//! items a, b of the order whose gains differ, and >= 0 for those that are tied or have the same gain, with w in the box
//! and zero weights kept at 0. Adjacent items suffice: the differences of other pairs are sums of theirs.

use microlp::{ComparisonOp, OptimizationDirection, Problem as Small};

use super::space::Space;
use crate::problem::Problem;

/// The scaled weights with the largest differences among those with the same order as these; `None` if the linear
/// program fails.
pub(super) fn centre(problem: &Problem, space: &Space, scaled: &[f64]) -> Option<Vec<f64>> {
    let gains = &problem.sum().gains;
    let mut small = Small::new(OptimizationDirection::Maximize);
    let margin = small.add_var(1.0, (0.0, f64::INFINITY));
    let bounds = scaled.iter().zip(&space.bounds);
    let weights: Vec<_> = bounds
        .map(|(now, all)| small.add_var(0.0, if *now == 0.0 { (0.0, 0.0) } else { *all }))
        .collect();
    for list in 0..problem.lists() {
        let start = problem.list(list).start;
        let mut order: Vec<(f64, usize)> =
            problem.list(list).map(|i| (space.score_difference(scaled, i, start), i)).collect();
        order.sort_by(|a, b| b.0.total_cmp(&a.0).then(gains[a.1].total_cmp(&gains[b.1])));
        for two in order.windows(2) {
            let ((high, above), (low, below)) = (two[0], two[1]);
            let difference = space.difference(above, below);
            let mut terms: Vec<_> = weights.iter().copied().zip(difference).collect();
            if high > low && gains[above] != gains[below] {
                terms.push((margin, -1.0));
            }
            small.add_constraint(terms, ComparisonOp::Ge, 0.0);
        }
    }
    let outcome = small.solve().ok()?;
    let solution = outcome.solution()?;
    let found = weights.iter().zip(scaled).map(|(weight, now)| match *now {
        0.0 => 0.0,
        _ => solution.var_value(*weight),
    });
    Some(found.collect())
}
