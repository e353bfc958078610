//! The items of a list by falling cost, grouped into levels of equal cost.
//!
//! Within a level, items are in canonical order. Items of weight 0 are left out.
//!
//! Example: costs (1, 3, 1): item 1, then a level of items 0 and 2.

use std::ops::Range;

use stakes_core::data::ListView;

/// Items by falling cost.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CostLevels {
    /// The items of the list by falling cost.
    pub(crate) order: Vec<usize>,
    /// The end of each level in `order`.
    ends: Vec<usize>,
}

impl CostLevels {
    /// Sorts the items of a list.
    pub(crate) fn new(list: &ListView<'_>) -> Self {
        let has_weight = |i: &usize| list.weight.is_none_or(|w| w[*i] > 0.0);
        let mut order: Vec<usize> = (0..list.len()).filter(has_weight).collect();
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
        CostLevels { order, ends }
    }

    /// The levels as ranges of `order`, by falling cost.
    pub(crate) fn ranges(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        let begin = |level: usize| if level == 0 { 0 } else { self.ends[level - 1] };
        self.ends.iter().enumerate().map(move |(level, &end)| begin(level)..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_by_falling_cost() {
        let cost = [1.0, 3.0, 1.0, 0.0, 9.0];
        let weight = [1.0, 1.0, 2.0, 1.0, 0.0];
        let levels =
            CostLevels::new(&ListView { weight: Some(&weight), ..ListView::of_impact(&cost) });
        assert_eq!(levels.order, [1, 0, 2, 3]);
        assert_eq!(levels.ranges().collect::<Vec<_>>(), [0..1, 1..3, 3..4]);
        let nothing = ListView { weight: Some(&[0.0]), ..ListView::of_impact(&[1.0]) };
        assert_eq!(CostLevels::new(&nothing).ranges().len(), 0);
    }
}
