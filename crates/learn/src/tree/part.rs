//! Parting the rows of a node into its two sides.

use rayon::prelude::*;

/// Rows per piece of parallel work.
const PIECE: usize = 1 << 14;

/// Room to part rows in.
#[derive(Debug, Default)]
pub(super) struct Parting {
    goes_left: Vec<bool>,
    rows: Vec<u32>,
    words: Vec<i64>,
}

impl Parting {
    /// Looks at every row, and says how many go left.
    pub(super) fn look(&mut self, rows: &[u32], goes_left: impl Fn(u32) -> bool + Sync) -> usize {
        self.goes_left.resize(rows.len(), false);
        let pieces = self.goes_left.par_chunks_mut(PIECE).zip(rows.par_chunks(PIECE));
        let seen = pieces.map(|(flags, rows)| {
            flags.iter_mut().zip(rows).for_each(|(left, &row)| *left = goes_left(row));
            flags.iter().map(|&left| usize::from(left)).sum::<usize>()
        });
        seen.sum()
    }

    /// Puts the rows that were seen to go left before the others, keeping their order, and
    /// their words along.
    pub(super) fn part(&mut self, rows: &mut [u32], words: &mut [i64]) {
        let Parting { goes_left, rows: right_rows, words: right_words } = self;
        match rows.len() < PIECE {
            true => {
                part(goes_left, rows, right_rows);
                part(goes_left, words, right_words);
            }
            false => {
                rayon::join(
                    || part(goes_left, rows, right_rows),
                    || part(goes_left, words, right_words),
                );
            }
        }
    }
}

fn part<T: Copy + Default>(goes_left: &[bool], items: &mut [T], right: &mut Vec<T>) {
    right.resize(right.len().max(items.len()), T::default());
    let (mut lefts, mut rights) = (0, 0);
    for (at, &is_left) in goes_left.iter().enumerate() {
        let item = items[at];
        // Written to both sides, and kept on one: no branch to guess wrong.
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
        let mut parting = Parting::default();
        assert_eq!(parting.look(&rows, |row| row % 4 == 1), 3);
        parting.part(&mut rows, &mut words);
        assert_eq!((rows, words), ([1, 5, 9, 4, 8], [10, 50, 90, 40, 80]));
    }
}
