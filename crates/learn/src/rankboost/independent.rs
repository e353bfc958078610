//! Linear independence of weak rankers.
//!
//! RankBoost+ requires its weak rankers to be non-redundant (Salomon 2020, section 3.2.1). Only
//! differences within lists matter, so the output at the first place of each list is subtracted: a
//! column and its complement are then equivalent, and a column that is constant within lists is 0.
//!
//! The test is Gaussian elimination, continued from column to column, in the field of integers
//! modulo the prime 2^31 - 1: exact, without tolerances. Columns that are independent modulo the
//! prime are independent. The converse fails with a probability of about (columns) / 2^31, and then
//! a weak ranker is left out needlessly.
//!
//! Example: (1, 0, 0), (0, 1, 0) and (1, 1, 0) in one list: the third is the sum of the first two.

use std::ops::Range;

use rayon::prelude::*;

const PRIME: u64 = (1 << 31) - 1;

/// The number of places per parallel task.
const PIECE: usize = 1 << 14;

/// A set of independent columns.
#[derive(Debug, Default)]
pub(crate) struct Independent {
    /// The pivot place and entries of each eliminated column: 1 at its own pivot and 0 at those of
    /// the columns before it.
    rows: Vec<(usize, Vec<u32>)>,
}

fn times(a: u64, b: u64) -> u64 {
    a * b % PRIME
}

/// 1 / a: by Fermat's little theorem a^(p - 2).
fn inverse(a: u64) -> u64 {
    let (mut result, mut base, mut power) = (1, a, PRIME - 2);
    while power > 0 {
        if power & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        power >>= 1;
    }
    result
}

impl Independent {
    /// Adds a column if it is independent of those before; returns whether it was.
    pub(crate) fn insert(&mut self, column: &[u8], lists: &[Range<usize>]) -> bool {
        let mut rest: Vec<u32> = Vec::with_capacity(column.len());
        for list in lists {
            let first = column[list.start];
            let differ = |output: &u8| match (output, first) {
                (1, 0) => 1,
                (0, 1) => (PRIME - 1) as u32,
                _ => 0,
            };
            rest.extend(column[list.clone()].iter().map(differ));
        }
        for (place, row) in &self.rows {
            let factor = u64::from(rest[*place]);
            if factor != 0 {
                let factor = PRIME - factor;
                rest.par_chunks_mut(PIECE).zip(row.par_chunks(PIECE)).for_each(|(rest, row)| {
                    for (rest, row) in rest.iter_mut().zip(row) {
                        *rest = ((u64::from(*rest) + factor * u64::from(*row)) % PRIME) as u32;
                    }
                });
            }
        }
        let Some(place) = rest.iter().position(|x| *x != 0) else { return false };
        let inverse = inverse(u64::from(rest[place]));
        rest.iter_mut().for_each(|x| *x = times(u64::from(*x), inverse) as u32);
        self.rows.push((place, rest));
        true
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::single_range_in_vec_init)]

    use super::*;
    use proptest::prelude::*;

    #[test]
    fn what_adds_nothing_is_not_taken_in() {
        let mut known = Independent::default();
        let lists = [0..3, 3..5];
        let takes = [
            ([1, 0, 0, 0, 0], true),
            // The complement, and one that is constant within lists.
            ([0, 1, 1, 1, 1], false),
            ([1, 1, 1, 0, 0], false),
            ([0, 1, 0, 0, 0], true),
            ([1, 1, 0, 0, 0], false),
            ([1, 1, 0, 1, 0], true),
            // There are no more than items less lists.
            ([0, 1, 0, 0, 1], false),
        ];
        for (column, independent) in takes {
            assert_eq!(known.insert(&column, &lists), independent, "{column:?}");
        }
    }

    /// The rank by elimination on fractions that stay whole (Bareiss 1968).
    fn rank(columns: &[Vec<i128>]) -> usize {
        let mut rows = columns.to_vec();
        let (mut rank, mut before) = (0, 1);
        for place in 0..rows[0].len() {
            let Some(at) = (rank..rows.len()).find(|&r| rows[r][place] != 0) else { continue };
            rows.swap(rank, at);
            let pivot = rows[rank].clone();
            for row in &mut rows[rank + 1..] {
                let own = row[place];
                for (x, p) in row.iter_mut().zip(&pivot) {
                    *x = (*x * pivot[place] - *p * own) / before;
                }
            }
            before = pivot[place];
            rank += 1;
        }
        rank
    }

    proptest! {
        #[test]
        fn as_many_are_taken_as_the_rank_says(
            columns in prop::collection::vec(prop::collection::vec(0u8..2, 9), 1..12),
        ) {
            let lists = [0..4, 4..9];
            let mut known = Independent::default();
            let taken = columns.iter().filter(|c| known.insert(c, &lists)).count();
            let differences: Vec<Vec<i128>> = columns.iter().map(|c| {
                let of = |list: &Range<usize>| {
                    let first = i128::from(c[list.start]);
                    c[list.clone()].iter().map(move |&x| i128::from(x) - first).collect::<Vec<_>>()
                };
                lists.iter().flat_map(of).collect()
            }).collect();
            prop_assert_eq!(taken, rank(&differences));
        }
    }
}
