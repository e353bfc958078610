//! Splits by category: categories in the order of their mean gradient, cut at the best
//! place. Without penalties no other division of the categories is better (Fisher, "On
//! grouping for maximum homogeneity", 1958). Missing is one more category.

use super::bins::LANES;
use super::constraint::Direction;
use super::quantise::unpack;
use super::split::{BinTest, Block, Candidate, Place, gain_of, heavier_is_left};
use stakes_model::tree::CategorySet;

/// The best division of one feature's categories.
pub(super) fn best_split(place: &Place<'_>, block: &Block<'_>, lane: usize) -> Option<Candidate> {
    let cell = |cells: &[i64], bin: usize| cells[bin * LANES + lane];
    let l2 = place.rules.l2 + place.rules.category_l2;
    // A category without rows has nothing to say; its items will go where missing ones go.
    let present = |bin: &usize| match block.counts {
        Some(counts) => cell(counts, *bin) > 0,
        None => cell(block.cells, *bin) != 0,
    };
    let mut order: Vec<usize> = (0..block.members[lane].bins).filter(present).collect();
    let mean = |bin: usize| {
        let (g, h) = unpack(cell(block.cells, bin));
        // The penalty draws rare categories towards the middle; without any, one that has no
        // second derivative stands at the end its gradient points to.
        f64::from(g) / (f64::from(h) + l2).max(f64::MIN_POSITIVE)
    };
    order.sort_by(|&a, &b| mean(a).total_cmp(&mean(b)).then(a.cmp(&b)));
    let all_rows: i64 = block.counts.map_or(0, |c| order.iter().map(|&bin| cell(c, bin)).sum());
    let (mut left, mut rows, mut best) = (0, 0, None::<(f64, usize, i64)>);
    for (place_in_order, &bin) in order.iter().enumerate() {
        left += cell(block.cells, bin);
        rows += block.counts.map_or(0, |counts| cell(counts, bin));
        let enough = block.counts.is_none() || rows.min(all_rows - rows) >= place.rules.min_rows;
        let gain = gain_of(place, left, l2, Direction::Any);
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
            false => heavier_is_left(left, place.total),
        },
        left,
        counted: block.counts.is_some(),
    })
}
