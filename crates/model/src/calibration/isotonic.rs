//! Isotonic regression by pooling adjacent violators, and the few firm blocks made of it.
//!
//! The blocks are those of the function that never falls and has the least squared error (and
//! the least deviance of any exponential family: Barlow and Brunk, JASA 1972), so a block's
//! value is the mean of its items. Costs 1, 3, 2, 5 by rising score: 3 and 2 go together, and
//! the means are 1, 2.5, 2.5, 5.

use std::ops::Range;

/// Items with a cost that a block needs ...
pub(super) const ENOUGH_ITEMS: usize = 10;
/// ... and the lists they must come from.
pub(super) const ENOUGH_LISTS: usize = 3;

/// What is known of an item. Costs and weights are at most 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Item {
    pub(super) score: f64,
    pub(super) cost: f64,
    pub(super) weight: f64,
    pub(super) list: u32,
}

/// Neighbouring items, by score.
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

    /// Takes the next block in.
    fn join(&mut self, next: &Block) {
        self.items.end = next.items.end;
        self.weight += next.weight;
        self.total += next.total;
    }

    /// What is lost when the next one is joined: the rise of the Poisson deviance (half of
    /// it). It asks for ratios of means, so that the largest costs do not decide alone.
    fn loss(&self, next: &Block) -> f64 {
        let mean = (self.total + next.total) / (self.weight + next.weight);
        let part = |block: &Block| match block.total > 0.0 {
            true => block.total * (block.mean() / mean).ln(),
            false => 0.0,
        };
        part(self) + part(next)
    }
}

/// By score. The rest only makes sums independent of the order that items came in.
pub(super) fn sort(items: &mut [Item]) {
    items.sort_unstable_by(|a, b| {
        let rest = || a.cost.total_cmp(&b.cost).then(a.weight.total_cmp(&b.weight));
        a.score.total_cmp(&b.score).then_with(rest).then(a.list.cmp(&b.list))
    });
}

/// The blocks of sorted items, at most `most`; none if all items together are not enough for
/// one.
pub(super) fn blocks(items: &[Item], lists: usize, most: usize) -> Vec<Block> {
    let mut blocks = firm(pooled(items), items, lists);
    while blocks.len() > most {
        let losses = blocks.windows(2).map(|pair| pair[0].loss(&pair[1]));
        let least = losses.enumerate().min_by(|a, b| a.1.total_cmp(&b.1)).map_or(0, |l| l.0);
        let next = blocks.remove(least + 1);
        blocks[least].join(&next);
    }
    blocks
}

/// Isotonic regression: blocks whose means rise strictly.
fn pooled(items: &[Item]) -> Vec<Block> {
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
            block.join(&next);
        }
        blocks.push(block);
    }
    blocks
}

/// Joins blocks, from the highest scores downwards, until each rests on enough. What is left
/// below goes to the lowest.
fn firm(pooled: Vec<Block>, items: &[Item], lists: usize) -> Vec<Block> {
    // From the highest to the lowest; turned round at the end.
    let mut firm: Vec<Block> = Vec::new();
    let mut open: Option<Block> = None;
    // The number of the block that last saw a cost of the list.
    let mut seen = vec![0; lists];
    let (mut costs, mut costly_lists) = (0, 0);
    for mut block in pooled.into_iter().rev() {
        for item in items[block.items.clone()].iter().filter(|item| item.cost > 0.0) {
            costs += 1;
            let number = firm.len() + 1;
            costly_lists +=
                usize::from(std::mem::replace(&mut seen[item.list as usize], number) != number);
        }
        if let Some(above) = open.take() {
            block.join(&above);
        }
        if costs >= ENOUGH_ITEMS && costly_lists >= ENOUGH_LISTS {
            firm.push(block);
            (costs, costly_lists) = (0, 0);
        } else {
            open = Some(block);
        }
    }
    if let (Some(mut rest), Some(lowest)) = (open, firm.last_mut()) {
        rest.join(lowest);
        *lowest = rest;
    }
    firm.reverse();
    firm
}

/// The mean score of a block's items, which lies among them.
pub(super) fn centre(items: &[Item], weight: f64) -> f64 {
    // Divided before they are added: the sum may lie beyond all numbers.
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

    /// max over a <= i of min over b >= i of the mean of a..=b, over distinct scores: the
    /// definition by which isotonic regression has no need of an algorithm.
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
        fn it_is_the_best_function_that_never_falls(
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
        fn joined_blocks_are_firm_and_lose_nothing(
            numbers in prop::collection::vec((any::<u8>(), 0_u8..4, any::<u8>()), 1..200),
            most in 1_usize..12,
        ) {
            let items = sorted(&numbers);
            let joined = blocks(&items, 7, most);
            let costly = |items: &[Item]| {
                let mut lists: Vec<u32> =
                    items.iter().filter(|i| i.cost > 0.0).map(|i| i.list).collect();
                let costs = lists.len();
                lists.sort_unstable();
                lists.dedup();
                costs >= ENOUGH_ITEMS && lists.len() >= ENOUGH_LISTS
            };
            prop_assert_eq!(joined.is_empty(), !costly(&items));
            prop_assert!(joined.len() <= most);
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
