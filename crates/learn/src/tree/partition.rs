//! Partitioning the rows of a node into its two sides.

use rayon::prelude::*;

/// The number of rows per parallel task.
const PIECE: usize = 1 << 14;

/// Partitions rows, with buffers that are reused from node to node.
#[derive(Debug, Default)]
pub(super) struct RowPartition {
    goes_left: Vec<bool>,
    rows: Vec<u32>,
    words: Vec<i64>,
}

impl RowPartition {
    /// Marks the rows that go left and returns their number.
    pub(super) fn mark(&mut self, rows: &[u32], goes_left: impl Fn(u32) -> bool + Sync) -> usize {
        self.goes_left.resize(rows.len(), false);
        let pieces = self.goes_left.par_chunks_mut(PIECE).zip(rows.par_chunks(PIECE));
        let marked = pieces.map(|(flags, rows)| {
            flags.iter_mut().zip(rows).for_each(|(left, &row)| *left = goes_left(row));
            flags.iter().map(|&left| usize::from(left)).sum::<usize>()
        });
        marked.sum()
    }

    /// Moves the marked rows before the others, and their words with them, keeping the order on
    /// both sides.
    pub(super) fn apply(&mut self, rows: &mut [u32], words: &mut [i64]) {
        let RowPartition { goes_left, rows: right_rows, words: right_words } = self;
        match rows.len() < PIECE {
            true => {
                partition(goes_left, rows, right_rows);
                partition(goes_left, words, right_words);
            }
            false => {
                rayon::join(
                    || partition(goes_left, rows, right_rows),
                    || partition(goes_left, words, right_words),
                );
            }
        }
    }
}

fn partition<T: Copy + Default>(goes_left: &[bool], items: &mut [T], right: &mut Vec<T>) {
    right.resize(right.len().max(items.len()), T::default());
    let (mut lefts, mut rights) = (0, 0);
    for (at, &is_left) in goes_left.iter().enumerate() {
        let item = items[at];
        // Written to both sides and kept on one: without a branch nothing is mispredicted.
        items[lefts] = item;
        right[rights] = item;
        lefts += usize::from(is_left);
        rights += usize::from(!is_left);
    }
    items[lefts..].copy_from_slice(&right[..rights]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn order_is_kept_on_both_sides() {
        let mut rows = [1, 4, 5, 8, 9];
        let mut words = [10, 40, 50, 80, 90];
        let mut partition = RowPartition::default();
        assert_eq!(partition.mark(&rows, |row| row % 4 == 1), 3);
        partition.apply(&mut rows, &mut words);
        assert_eq!((rows, words), ([1, 5, 9, 4, 8], [10, 50, 90, 40, 80]));
    }
}
