//! Partitioning the rows of a node into its two sides.

use std::ops::Range;

use rayon::prelude::*;

/// The number of rows per parallel task.
const PIECE: usize = 1 << 14;

/// Where one side has less than one in so many rows, rows are exchanged instead of moved.
const FEW: usize = 16;

/// Partitions rows, with buffers that are reused from node to node.
#[derive(Debug, Default)]
pub(super) struct RowPartition {
    goes_left: Vec<bool>,
    /// The number of rows of each piece that go left.
    lefts: Vec<usize>,
    rows: Vec<u32>,
    words: Vec<i64>,
}

/// Some rows of a node and their words.
struct Piece<'p> {
    rows: &'p mut [u32],
    words: &'p mut [i64],
}

impl<'p> Piece<'p> {
    fn split_at(self, at: usize) -> (Piece<'p>, Piece<'p>) {
        let (rows, later_rows) = self.rows.split_at_mut(at);
        let (words, later_words) = self.words.split_at_mut(at);
        (Piece { rows, words }, Piece { rows: later_rows, words: later_words })
    }

    fn copy_from(&mut self, from: &Piece<'_>) {
        self.rows.copy_from_slice(from.rows);
        self.words.copy_from_slice(from.words);
    }

    /// Moves the marked rows before the others, keeping the order on both sides.
    fn partition(&mut self, goes_left: &[bool], right: &mut Piece<'_>) {
        let (mut lefts, mut rights) = (0, 0);
        for (at, &is_left) in goes_left.iter().enumerate() {
            let (row, word) = (self.rows[at], self.words[at]);
            // Written to both sides and kept on one: without a branch nothing is mispredicted.
            (self.rows[lefts], self.words[lefts]) = (row, word);
            (right.rows[rights], right.words[rights]) = (row, word);
            lefts += usize::from(is_left);
            rights += usize::from(!is_left);
        }
        self.rows[lefts..].copy_from_slice(&right.rows[..rights]);
        self.words[lefts..].copy_from_slice(&right.words[..rights]);
    }
}

impl RowPartition {
    /// Marks the rows that go left and returns their number.
    pub(super) fn mark(&mut self, rows: &[u32], goes_left: impl Fn(u32) -> bool + Sync) -> usize {
        self.goes_left.resize(rows.len(), false);
        let mark = |flags: &mut [bool], rows: &[u32]| {
            flags.iter_mut().zip(rows).for_each(|(left, &row)| *left = goes_left(row));
            flags.iter().map(|&left| usize::from(left)).sum::<usize>()
        };
        match rows.len() <= PIECE {
            true => self.lefts = vec![mark(&mut self.goes_left, rows)],
            false => {
                let pieces = self.goes_left.par_chunks_mut(PIECE).zip(rows.par_chunks(PIECE));
                pieces.map(|(flags, rows)| mark(flags, rows)).collect_into_vec(&mut self.lefts);
            }
        }
        self.lefts.iter().sum()
    }

    /// Moves the marked rows before the others, and their words with them. No result depends on the order of rows
    /// within a side; it stays nearly the same, so that memory is read nearly in order.
    pub(super) fn apply(&mut self, rows: &mut [u32], words: &mut [i64]) {
        let lefts: usize = self.lefts.iter().sum();
        match lefts.min(rows.len() - lefts) * FEW < rows.len() {
            true => exchange(&self.goes_left, lefts, rows, words),
            false => self.apply_in_order(rows, words),
        }
    }

    fn apply_in_order(&mut self, rows: &mut [u32], words: &mut [i64]) {
        let RowPartition { goes_left, lefts, rows: other_rows, words: other_words } = self;
        let n = rows.len();
        other_rows.resize(other_rows.len().max(n), 0);
        other_words.resize(other_words.len().max(n), 0);
        let (own_pieces, other_pieces) = (
            rows.par_chunks_mut(PIECE).zip(words.par_chunks_mut(PIECE)),
            other_rows[..n].par_chunks_mut(PIECE).zip(other_words[..n].par_chunks_mut(PIECE)),
        );
        let pieces = own_pieces.zip(other_pieces).zip(goes_left.par_chunks(PIECE));
        pieces.for_each(|(((rows, words), (other_rows, other_words)), goes_left)| {
            let mut right = Piece { rows: other_rows, words: other_words };
            Piece { rows, words }.partition(goes_left, &mut right);
        });
        if n <= PIECE {
            return;
        }
        // Each piece is in order now: their left parts come first, then their right parts.
        let all = Piece { rows: &mut other_rows[..n], words: &mut other_words[..n] };
        let (mut left, mut right) = all.split_at(lefts.iter().sum());
        let mut moves = Vec::with_capacity(2 * lefts.len());
        let pieces = rows.chunks_mut(PIECE).zip(words.chunks_mut(PIECE));
        for ((rows, words), &lefts) in pieces.zip(&*lefts) {
            let rights = rows.len() - lefts;
            let (from_left, from_right) = Piece { rows, words }.split_at(lefts);
            let (to, rest) = left.split_at(lefts);
            moves.push((from_left, to));
            left = rest;
            let (to, rest) = right.split_at(rights);
            moves.push((from_right, to));
            right = rest;
        }
        moves.par_iter_mut().for_each(|(from, to)| to.copy_from(from));
        let back = rows.par_chunks_mut(PIECE).zip(other_rows[..n].par_chunks_mut(PIECE));
        let words = words.par_chunks_mut(PIECE).zip(other_words[..n].par_chunks_mut(PIECE));
        back.zip(words).for_each(|((rows, other_rows), (words, other_words))| {
            Piece { rows, words }.copy_from(&Piece { rows: other_rows, words: other_words });
        });
    }
}

/// Exchanges rows that are on the wrong side of the place `lefts`: few, if one of the sides is small.
fn exchange(goes_left: &[bool], lefts: usize, rows: &mut [u32], words: &mut [i64]) {
    let wrong = |range: Range<usize>, side: bool| {
        let start = range.start;
        // Most are where they belong: eight are looked at together.
        goes_left[range].chunks(8).enumerate().flat_map(move |(chunk, flags)| {
            let any = flags.iter().fold(false, |any, &flag| any | (flag == side));
            let flags = if any { flags } else { &[] };
            let places = flags.iter().enumerate().filter(move |(_, flag)| **flag == side);
            places.map(move |(at, _)| start + chunk * 8 + at)
        })
    };
    for (right, left) in wrong(0..lefts, false).zip(wrong(lefts..goes_left.len(), true)) {
        rows.swap(right, left);
        words.swap(right, left);
    }
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

    #[test]
    fn many_pieces_are_parted_as_one() {
        for (n, one_in) in [(PIECE - 1, 4), (PIECE, 4), (PIECE + 1, 2), (3 * PIECE + 17, 8)] {
            let (rows, left, right) = parted(n, |draw| draw % one_in == 1);
            assert!(rows.iter().eq(left.iter().chain(&right)));
        }
    }

    #[test]
    fn a_small_side_is_taken_out() {
        for (n, one_in) in [(1, 40), (9, 100), (1000, 40), (3 * PIECE + 17, 5000)] {
            for few_left in [false, true] {
                let (mut rows, left, right) = parted(n, |draw| (draw % one_in == 1) == few_left);
                rows[..left.len()].sort_unstable();
                rows[left.len()..].sort_unstable();
                assert!(rows.iter().eq(left.iter().chain(&right)), "{n}, {few_left}");
            }
        }
    }

    /// Rows after parting them by random draws, and what is to be on either side.
    fn parted(n: usize, is_left: impl Fn(u32) -> bool + Sync) -> (Vec<u32>, Vec<u32>, Vec<u32>) {
        let is_left = |row: u32| is_left(row.wrapping_mul(2_654_435_761) >> 7);
        let mut rows: Vec<u32> = (0..n as u32).collect();
        let mut words: Vec<i64> = rows.iter().map(|&row| -i64::from(row)).collect();
        let (left, right): (Vec<u32>, Vec<u32>) = rows.iter().partition(|row| is_left(**row));
        let mut partition = RowPartition::default();
        assert_eq!(partition.mark(&rows, is_left), left.len());
        partition.apply(&mut rows, &mut words);
        assert!(words.iter().zip(&rows).all(|(&word, &row)| word == -i64::from(row)));
        (rows, left, right)
    }
}
