//! Isotonic regression by pooling adjacent violators, and the merging of its blocks.
//!
//! The blocks are those of the non-decreasing function with the least squared error (and the least
//! deviance of any exponential family: Barlow and Brunk 1972), so a block's value is the mean of
//! its items. Example: costs 1, 3, 2, 5 by increasing score; 3 and 2 are pooled, and the means are 1,
//! 2.5, 2.5, 5.

use std::ops::Range;

/// The minimum number of items with a cost in a block.
pub(super) const MIN_COSTLY_ITEMS: usize = 10;
/// The minimum number of lists that these items come from.
pub(super) const MIN_COSTLY_LISTS: usize = 3;

/// An item of the regression. Costs and weights are at most 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) score: f64,
    pub(super) cost: f64,
    pub(super) weight: f64,
    pub(super) list: u32,
}

/// Neighbouring items by score.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Block {
    pub(super) items: Range<usize>,
    pub(super) weight: f64,
    /// Sum of weight x cost.
    pub(super) total: f64,
}

impl Block {
    pub(super) fn mean(&self) -> f64 {
        self.total / self.weight
    }

    /// Merges the next block into this one.
    fn merge(&mut self, next: &Block) {
        self.items.end = next.items.end;
        self.weight += next.weight;
        self.total += next.total;
    }

    /// Half the increase of the Poisson deviance if the next block were merged. It depends on ratios
    /// of means, so the largest costs do not dominate.
    fn loss(&self, next: &Block) -> f64 {
        let mean = (self.total + next.total) / (self.weight + next.weight);
        let part = |block: &Block| match block.total > 0.0 {
            true => block.total * (block.mean() / mean).ln(),
            false => 0.0,
        };
        part(self) + part(next)
    }
}

/// Sorts by score. The other keys make sums independent of the original order.
pub(super) fn sort(items: &mut [Item]) {
    items.sort_unstable_by(|a, b| {
        let rest = || a.cost.total_cmp(&b.cost).then(a.weight.total_cmp(&b.weight));
        a.score.total_cmp(&b.score).then_with(rest).then(a.list.cmp(&b.list))
    });
}

/// The blocks of sorted items, at most `max`; none if all items together are not enough for one.
pub(super) fn blocks(items: &[Item], lists: usize, max: usize) -> Vec<Block> {
    let mut blocks = merge_small(pooled(items), items, lists);
    while blocks.len() > max {
        let losses = blocks.windows(2).map(|pair| pair[0].loss(&pair[1]));
        let least = losses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |l| l.0);
        let next = blocks.remove(least + 1);
        blocks[least].merge(&next);
    }
    blocks
}

/// Isotonic regression of sorted items: blocks whose means increase strictly.
pub(super) fn pooled(items: &[Item]) -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut end = 0;
    for equal in items.chunk_by(|a, b| a.score == b.score) {
        let start = end;
        end += equal.len();
        let mut block = Block {
            items: start..end,
            weight: equal.iter().map(|item| item.weight).sum(),
            total: equal.iter().map(|item| item.weight * item.cost).sum(),
        };
        while let Some(last) = blocks.pop_if(|last| last.mean() >= block.mean()) {
            let next = std::mem::replace(&mut block, last);
            block.merge(&next);
        }
        blocks.push(block);
    }
    blocks
}

/// Merges blocks, from the highest scores downwards, until each has enough items with a cost. The
/// rest is merged into the lowest.
fn merge_small(pooled: Vec<Block>, items: &[Item], lists: usize) -> Vec<Block> {
    // From the highest to the lowest; reversed at the end.
    let mut merged: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    // By list: the number of the last block with a cost of the list.
    let mut seen = vec![0; lists];
    let (mut costs, mut costly_lists) = (0, 0);
    for mut block in pooled.into_iter().rev() {
        for item in items[block.items.clone()].iter().filter(|item| item.cost > 0.0) {
            costs += 1;
            let number = merged.len() + 1;
            costly_lists +=
                usize::from(std::mem::replace(&mut seen[item.list as usize], number) != number);
        }
        if let Some(above) = open.take() {
            block.merge(&above);
        }
        if costs >= MIN_COSTLY_ITEMS && costly_lists >= MIN_COSTLY_LISTS {
            merged.push(block);
            (costs, costly_lists) = (0, 0);
        } else {
            open = Some(block);
        }
    }
    if let (Some(mut rest), Some(lowest)) = (open, merged.last_mut()) {
        rest.merge(lowest);
        *lowest = rest;
    }
    merged.reverse();
    merged
}

/// The mean score of a block's items, between the lowest and the highest.
pub(super) fn centre(items: &[Item], weight: f64) -> f64 {
    // Divided before they are added, because the sum may overflow.
    let mean: f64 = items.iter().map(|item| item.score * (item.weight / weight)).sum();
    mean.clamp(items[0].score, items[items.len() - 1].score)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn sorted(numbers: &[(u8, u8, u8)]) -> Vec<Item> {
        let item = |(i, &(score, cost, weight)): (usize, &(u8, u8, u8))| Item {
            score: f64::from(score),
            cost: f64::from(cost) / 255.0,
            weight: (1.0 + f64::from(weight)) / 256.0,
            list: (i % 7) as u32,
        };
        let mut items: Vec<Item> = numbers.iter().enumerate().map(item).collect();
        sort(&mut items);
        items
    }

    /// max over a <= i of min over b >= i of the mean of a..=b, over distinct scores: the closed
    /// form of isotonic regression.
    fn oracle(items: &[Item]) -> Vec<f64> {
        let equal: Vec<&[Item]> = items.chunk_by(|a, b| a.score == b.score).collect();
        let mean = |a: usize, b: usize| {
            let all = || equal[a..=b].iter().flat_map(|items| *items);
            let weight: f64 = all().map(|i| i.weight).sum();
            all().map(|i| i.weight * i.cost).sum::<f64>() / weight
        };
        let least = |a, i: usize| (i..equal.len()).map(|b| mean(a, b)).fold(f64::MAX, f64::min);
        let value = |i: usize| (0..=i).map(|a| least(a, i)).fold(0.0, f64::max);
        (0..equal.len()).flat_map(|i| vec![value(i); equal[i].len()]).collect()
    }

    #[test]
    fn by_hand() {
        let items = sorted(&[(1, 1, 0), (2, 3, 0), (3, 2, 0), (4, 5, 0)]);
        let blocks = pooled(&items);
        assert_eq!(blocks.iter().map(|b| b.items.clone()).collect::<Vec<_>>(), [0..1, 1..3, 3..4]);
        assert!((255.0 * blocks[1].mean() - 2.5).abs() < 1e-12);
    }

    proptest! {
        #[test]
        fn blocks_are_the_isotonic_regression(
            numbers in prop::collection::vec((0_u8..12, any::<u8>(), any::<u8>()), 1..30)
        ) {
            let items = sorted(&numbers);
            let blocks = pooled(&items);
            prop_assert!(blocks.is_sorted_by(|a, b| a.mean() < b.mean()));
            let values: Vec<f64> =
                blocks.iter().flat_map(|b| vec![b.mean(); b.items.len()]).collect();
            for (value, expected) in values.iter().zip(oracle(&items)) {
                prop_assert!((value - expected).abs() < 1e-12, "{value} for {expected}");
            }
        }

        #[test]
        fn merged_blocks_have_enough_items_and_all_of_them(
            numbers in prop::collection::vec((any::<u8>(), 0_u8..4, any::<u8>()), 1..200),
            max in 1_usize..12,
        ) {
            let items = sorted(&numbers);
            let joined = blocks(&items, 7, max);
            let costly = |items: &[Item]| {
                let mut lists: Vec<u32> =
                    items.iter().filter(|i| i.cost > 0.0).map(|i| i.list).collect();
                let costs = lists.len();
                lists.sort_unstable();
                lists.dedup();
                costs >= MIN_COSTLY_ITEMS && lists.len() >= MIN_COSTLY_LISTS
            };
            prop_assert_eq!(joined.is_empty(), !costly(&items));
            prop_assert!(joined.len() <= max);
            let mut end = 0;
            for block in &joined {
                prop_assert_eq!(block.items.start, end);
                end = block.items.end;
                let of_block = &items[block.items.clone()];
                prop_assert!(costly(of_block));
                let weight: f64 = of_block.iter().map(|i| i.weight).sum();
                let total: f64 = of_block.iter().map(|i| i.weight * i.cost).sum();
                prop_assert!((block.weight - weight).abs() < 1e-9);
                prop_assert!((block.total - total).abs() < 1e-9);
            }
            prop_assert!(joined.is_empty() || end == items.len());
            prop_assert!(joined.is_sorted_by(|a, b| a.mean() < b.mean()));
        }
    }
}
