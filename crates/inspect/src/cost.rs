//! The distribution of the cost over items and lists.

use serde::Serialize;
use stakes_core::cost::{Capacity, Problem};

use super::captured::{self, Captured};
use super::spread::{Bin, Spread, log_bins};
use stakes_stats::quantile;

/// Costs with at most this many different values are treated as grades.
const MAX_LEVELS: usize = 10;
/// The number of the costliest lists that are reported.
const TOP_LISTS: usize = 10;

/// The distribution of the cost over items and lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CostFacts {
    /// The name of the impact column or the cost.
    pub name: String,
    /// The sum over all items.
    pub total: f64,
    /// The number of items with a cost of 0. (Negative costs are refused when data are read.)
    pub zeros: usize,
    /// The share of these items.
    pub zeros_share: f64,
    /// Order statistics over all items, zeros included.
    pub spread: Spread,
    /// The 90 % quantile.
    pub q90: f64,
    /// The 99 % quantile.
    pub q99: f64,
    /// The 99.9 % quantile.
    pub q99_9: f64,
    /// The share of the total in the costliest 1 % of the items (rounded up).
    pub top_1_percent_share: f64,
    /// The tail index; `null` for grades and for too few items.
    pub tail: Option<Tail>,
    /// The different costs with their frequencies, if there are at most 10.
    pub levels: Vec<Level>,
    /// A histogram of the costs above 0 on a logarithmic scale.
    pub histogram: Vec<Bin>,
    /// The number of lists in which every cost is 0.
    pub lists_without_cost: usize,
    /// The number of lists in which two items differ in cost.
    pub lists_with_order: usize,
    /// The costliest lists, at most 10.
    pub top_lists: Vec<ListCost>,
    /// The smallest number of lists with 80 % of the total.
    pub lists_for_80_percent: usize,
    /// The cost that k actions per list reach.
    pub captured: Captured,
}

/// Hill's estimate of the tail index: the share of items above x decreases like x^-index.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Tail {
    /// The index. Below 2 the variance is infinite, below 1 also the mean: a few extreme items dominate,
    /// so averages are unstable.
    pub index: f64,
    /// The number of largest costs that it was estimated from.
    pub items: usize,
}

/// A cost and its frequency.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Level {
    /// The cost.
    pub cost: f64,
    /// The number of items with this cost.
    pub count: usize,
}

/// The cost of one list.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ListCost {
    /// The id of the list.
    pub list: String,
    /// The number of items.
    pub items: usize,
    /// The sum of the costs.
    pub cost: f64,
    /// The share of the total.
    pub share: f64,
}

pub(super) fn describe(problem: &Problem<'_>, k: Capacity, name: &str) -> CostFacts {
    let data = problem.data();
    let mut sorted = problem.cost().to_vec();
    sorted.sort_unstable_by(f64::total_cmp);
    let n = sorted.len();
    let zeros = sorted.partition_point(|&c| c <= 0.0);
    let largest = sorted[n - 1];
    // Relative to the largest cost, so that sums do not overflow.
    let relative = |costs: &[f64]| costs.iter().map(|c| c / largest).sum::<f64>();
    let total = relative(&sorted);
    let share = |part: f64| if largest > 0.0 { part / total } else { 0.0 };
    let levels = levels(&sorted);

    let sums: Vec<f64> = data.lists().map(|items| relative(&problem.cost()[items])).collect();
    let mut by_cost: Vec<usize> = (0..sums.len()).collect();
    by_cost.sort_by(|&a, &b| sums[b].total_cmp(&sums[a]));
    let list_cost = |&list: &usize| ListCost {
        list: data.list_id(list).to_owned(),
        items: data.items(list).len(),
        cost: sums[list] * largest,
        share: share(sums[list]),
    };
    let costly = |list: &&usize| largest > 0.0 && sums[**list] > 0.0;
    let differs = |costs: &[f64]| costs.iter().any(|&c| c != costs[0]);
    CostFacts {
        name: name.to_owned(),
        total: if largest > 0.0 { total * largest } else { 0.0 },
        zeros,
        zeros_share: zeros as f64 / n as f64,
        spread: Spread::of_sorted(&sorted).expect("a data set has an item"),
        q90: quantile(&sorted, 0.9),
        q99: quantile(&sorted, 0.99),
        q99_9: quantile(&sorted, 0.999),
        top_1_percent_share: share(relative(&sorted[n - n.div_ceil(100)..])),
        tail: if levels.is_empty() { tail(&sorted[zeros..]) } else { None },
        levels,
        histogram: log_bins(&sorted[zeros..]),
        lists_without_cost: by_cost.iter().filter(|list| !costly(list)).count(),
        lists_with_order: data.lists().filter(|l| differs(&problem.cost()[l.clone()])).count(),
        top_lists: by_cost.iter().filter(costly).take(TOP_LISTS).map(list_cost).collect(),
        lists_for_80_percent: lists_for(0.8, by_cost.iter().map(|&list| share(sums[list]))),
        captured: captured::describe(problem, k),
    }
}

/// The different costs; none if there are too many.
fn levels(sorted: &[f64]) -> Vec<Level> {
    let mut levels: Vec<Level> = Vec::new();
    for same in sorted.chunk_by(|a, b| a == b) {
        if levels.len() == MAX_LEVELS {
            return Vec::new();
        }
        levels.push(Level { cost: same[0], count: same.len() });
    }
    levels
}

/// The number of shares, largest first, that reach `goal`.
fn lists_for(goal: f64, shares: impl Iterator<Item = f64>) -> usize {
    let mut reached = 0.0;
    let mut lists = 0;
    for share in shares.take_while(|&s| s > 0.0) {
        if reached >= goal * (1.0 - 1e-12) {
            break;
        }
        reached += share;
        lists += 1;
    }
    lists
}

/// Hill (1975): 1/index = mean of ln(x_i / x_m) over the m largest of the positive costs,
/// where m is a tenth of them.
fn tail(positive: &[f64]) -> Option<Tail> {
    let items = positive.len() / 10;
    if items < 20 {
        return None;
    }
    let (below, top) = positive.split_at(positive.len() - items);
    let threshold = below[below.len() - 1];
    let mean = top.iter().map(|x| (x / threshold).ln()).sum::<f64>() / items as f64;
    (mean > 0.0 && mean.is_finite()).then(|| Tail { index: 1.0 / mean, items })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_index_of_a_pareto_distribution_is_found() {
        // Quantiles of P(X > x) = x^-1.5.
        let n = 20_000;
        let quantile = |i: usize| (1.0 - (i as f64 + 0.5) / n as f64).powf(-1.0 / 1.5);
        let costs: Vec<f64> = (0..n).map(quantile).collect();
        let found = tail(&costs).map_or(f64::NAN, |t| t.index);
        assert!((found - 1.5).abs() < 0.01, "{found}");
        assert_eq!(tail(&[1.0; 1000]), None);
        assert_eq!(tail(&costs[..100]), None);
    }

    #[test]
    fn shares_are_counted_until_the_goal() {
        assert_eq!(lists_for(0.8, [0.5, 0.3, 0.2].into_iter()), 2);
        assert_eq!(lists_for(0.8, [1.0, 0.0].into_iter()), 1);
        assert_eq!(lists_for(0.8, [0.0, 0.0].into_iter()), 0);
    }
}
