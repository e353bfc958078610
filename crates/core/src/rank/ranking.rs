//! An order of the items of a list, best first, with blocks of ties.

use std::ops::Range;

use super::best_first::best_first;
use super::{ItemIdx, Rank};

/// A weak order: a permutation of the items and the ends of its tied blocks.
///
/// ```
/// use stakes_core::rank::Ranking;
/// let ranking = Ranking::from_scores(&[0.5, 2.0, 0.5]);
/// let order: Vec<u32> = ranking.order().iter().map(|item| item.0).collect();
/// assert_eq!(order, [1, 0, 2]);
/// assert_eq!(ranking.blocks().collect::<Vec<_>>(), [0..1, 1..3]);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ranking {
    order: Vec<ItemIdx>,
    /// Exclusive ends of the tied blocks; the last is the length.
    block_ends: Vec<u32>,
}

impl Ranking {
    /// Ranks by score, highest first; tied items are in the input's order. Scores must not be
    /// `NaN`.
    pub fn from_scores(scores: &[f64]) -> Self {
        let order: Vec<ItemIdx> =
            best_first(scores, scores.len()).into_iter().map(ItemIdx).collect();
        let mut block_ends = Vec::with_capacity(order.len());
        for rank in 1..=order.len() {
            let score_at = |rank: usize| scores[order[rank].at()];
            if rank == order.len() || score_at(rank) != score_at(rank - 1) {
                block_ends.push(rank as u32);
            }
        }
        Ranking { order, block_ends }
    }

    /// Makes an order without ties, or `None` if `order` is not a permutation.
    pub fn total(order: Vec<ItemIdx>) -> Option<Self> {
        let mut seen = vec![false; order.len()];
        for item in &order {
            let slot = seen.get_mut(item.at())?;
            if std::mem::replace(slot, true) {
                return None;
            }
        }
        let block_ends = (1..=order.len() as u32).collect();
        Some(Ranking { order, block_ends })
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.order.len()
    }

    /// Whether there are no items.
    pub fn is_empty(&self) -> bool {
        self.order.is_empty()
    }

    /// The items, best first.
    pub fn order(&self) -> &[ItemIdx] {
        &self.order
    }

    /// The item at a rank.
    pub fn item_at(&self, rank: Rank) -> ItemIdx {
        self.order[rank.at()]
    }

    /// Returns the tied blocks as ranges of ranks; a block of one is an item without a tie.
    pub fn blocks(&self) -> impl Iterator<Item = Range<usize>> + '_ {
        let starts = std::iter::once(0).chain(self.block_ends.iter().copied());
        starts.zip(&self.block_ends).map(|(start, &end)| start as usize..end as usize)
    }

    /// Whether no two items tie.
    pub fn is_total(&self) -> bool {
        self.block_ends.len() == self.order.len()
    }

    /// Returns the same order with the items of two ranks exchanged and all ties resolved in the
    /// present order.
    pub fn swapped(&self, a: Rank, b: Rank) -> Self {
        let mut order = self.order.clone();
        order.swap(a.at(), b.at());
        Ranking { block_ends: (1..=order.len() as u32).collect(), order }
    }

    /// Returns scores that give this order: minus the number of the block.
    pub fn to_scores(&self) -> Vec<f64> {
        let mut scores = vec![0.0; self.len()];
        for (number, block) in self.blocks().enumerate() {
            self.order[block].iter().for_each(|item| scores[item.at()] = -(number as f64));
        }
        scores
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn zeros_of_both_signs_tie() {
        assert_eq!(Ranking::from_scores(&[0.0, -0.0]).blocks().count(), 1);
    }

    #[test]
    fn the_order_is_that_of_a_plain_sort() {
        let scores = [0.0, -1.5, f64::MAX, 2.5, f64::MIN, -0.0, 1e-300, 2.5, -1e-300];
        let mut expected: Vec<u32> = (0..9).collect();
        expected.sort_by(|&a, &b| scores[b as usize].partial_cmp(&scores[a as usize]).unwrap());
        let order: Vec<u32> = Ranking::from_scores(&scores).order().iter().map(|i| i.0).collect();
        assert_eq!(order, expected);
    }

    #[test]
    fn only_permutations_are_orders() {
        assert!(Ranking::total(vec![ItemIdx(1), ItemIdx(0)]).is_some());
        assert!(Ranking::total(vec![ItemIdx(1), ItemIdx(1)]).is_none());
        assert!(Ranking::total(vec![ItemIdx(2), ItemIdx(0)]).is_none());
    }

    #[test]
    fn scores_and_orders_are_two_views_of_one_thing() {
        let ranking = Ranking::from_scores(&[3.0, 9.0, 3.0, -1.0]);
        assert_eq!(Ranking::from_scores(&ranking.to_scores()), ranking);
    }
}
