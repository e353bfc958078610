//! Splits by category: the categories are sorted by their mean gradient and cut at the best
//! point. Without penalties no other division of the categories is better (Fisher 1958). Missing
//! is one more category.

use super::bins::LANES;
use super::quantise::unpack;
use super::split::{BinTest, Block, Candidate, NodeState, gain_of, heavier_is_left};
use crate::params::Direction;
use stakes_model::tree::CategorySet;

/// Returns the best division of one feature's categories.
pub(super) fn best_split(
    node: &NodeState<'_>,
    block: &Block<'_>,
    lane: usize,
) -> Option<Candidate> {
    let cell = |cells: &[i64], bin: usize| cells[bin * LANES + lane];
    let l2 = node.rules.l2 + node.rules.category_l2;
    // A category without rows is left out; its items will go where missing values go.
    let present = |bin: &usize| block.has_rows(lane, *bin);
    let mut order: Vec<usize> = (0..block.members[lane].bins).filter(present).collect();
    let mean = |bin: usize| {
        let (g, h) = unpack(cell(block.cells, bin));
        // The penalty shrinks the mean of rare categories towards 0; without a penalty, a category
        // whose second derivative is 0 goes to the end its gradient points to.
        f64::from(g) / (f64::from(h) + l2).max(f64::MIN_POSITIVE)
    };
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
    let all_rows: i64 = block.counts.map_or(0, |c| order.iter().map(|&bin| cell(c, bin)).sum());
    let (mut left, mut rows, mut best) = (0, 0, None::<(f64, usize, i64)>);
    for (place_in_order, &bin) in order.iter().enumerate() {
        left += cell(block.cells, bin);
        rows += block.counts.map_or(0, |counts| cell(counts, bin));
        let enough = block.counts.is_none() || rows.min(all_rows - rows) >= node.rules.min_rows;
        let gain = gain_of(node, left, l2, Direction::Any);
        let ahead = best.map_or(0.0, |b| b.0);
        if let Some(gain) = gain.filter(|&gain| enough && gain > ahead) {
            best = Some((gain, place_in_order + 1, left));
        }
    }
    let (gain, taken, left) = best?;
    let chosen = &order[..taken];
    let missing_seen = order.contains(&0);
    Some(Candidate {
        gain,
        feature: block.members[lane].feature,
        test: BinTest::In(
            chosen
                .iter()
                .filter(|&&bin| bin > 0)
                .map(|&bin| (bin - 1) as u8)
                .collect::<CategorySet>(),
        ),
        missing_left: match missing_seen {
            true => chosen.contains(&0),
            false => heavier_is_left(left, node.total),
        },
        left,
        counted: block.counts.is_some(),
    })
}
