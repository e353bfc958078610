//! The items of a list from the dearest down, level by level.
//!
//! Items that cost the same stand on one level, in the canonical order of items. An item of weight
//! 0 is not there.
//!
//! Example: costs (1, 3, 1): item 1, then items 0 and 2 on the level beneath.

use std::ops::Range;

use stakes_core::data::ListView;

/// Items from the dearest down.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Ladder {
    /// Items of the list.
    pub(crate) order: Vec<usize>,
    /// Where levels end in the order.
    ends: Vec<usize>,
}

impl Ladder {
    /// Puts a list in order.
    pub(crate) fn new(list: &ListView<'_>) -> Self {
        let there = |i: &usize| list.weight.is_none_or(|w| w[*i] > 0.0);
        let mut order: Vec<usize> = (0..list.len()).filter(there).collect();
        order.sort_by(|&a, &b| list.cost[b].total_cmp(&list.cost[a]));
        let mut ends: Vec<usize> = Vec::new();
        for (at, pair) in order.windows(2).enumerate() {
            if list.cost[pair[0]] != list.cost[pair[1]] {
                ends.push(at + 1);
            }
        }
        if !order.is_empty() {
            ends.push(order.len());
        }
        Ladder { order, ends }
    }

    /// The levels as places in the order, from the dearest.
    pub(crate) fn levels(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        let begin = |level: usize| if level == 0 { 0 } else { self.ends[level - 1] };
        self.ends.iter().enumerate().map(move |(level, &end)| begin(level)..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_from_the_dearest() {
        let cost = [1.0, 3.0, 1.0, 0.0, 9.0];
        let weight = [1.0, 1.0, 2.0, 1.0, 0.0];
        let ladder = Ladder::new(&ListView { weight: Some(&weight), ..ListView::of_impact(&cost) });
        assert_eq!(ladder.order, [1, 0, 2, 3]);
        assert_eq!(ladder.levels().collect::<Vec<_>>(), [0..1, 1..3, 3..4]);
        let nothing = ListView { weight: Some(&[0.0]), ..ListView::of_impact(&[1.0]) };
        assert_eq!(Ladder::new(&nothing).levels().len(), 0);
    }
}
