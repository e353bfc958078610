//! Which features share a byte.
//!
//! Features of few bins are digits of one number, several of them in a byte: one add of a
//! histogram then serves all of them. What is in a bin of one feature is the sum over all
//! digits of the others. Nothing is lost or rounded: sums are those of separate bytes.
//!
//! Example: features of 3 and of 5 bins make a column of 15; bins 2 and 4 are 2 + 3 * 4 = 14.

use super::bins::{FeatureBins, LANES, MAX_BINS};
use super::histogram::Cells;

/// A feature as part of a column: its bin is (byte / stride) % bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Digit {
    pub(super) feature: usize,
    pub(super) stride: usize,
    pub(super) bins: usize,
}

/// The features of a byte.
pub(super) type Column = Vec<Digit>;

/// The features of every byte; a block is eight of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    columns: Vec<Column>,
}

/// How many values a byte of these features can have.
fn bins(column: &Column) -> usize {
    column.iter().map(|digit| digit.bins).product()
}

impl Layout {
    /// The largest first, each into the first column that has room for it.
    pub(super) fn of(features: &[FeatureBins]) -> Self {
        let mut order: Vec<usize> = (0..features.len()).collect();
        order.sort_by_key(|&feature| std::cmp::Reverse(features[feature].len()));
        let mut columns: Vec<Column> = Vec::new();
        // Columns before this one are full: not even a feature of two bins has room.
        let mut open = 0;
        for feature in order {
            let own = features[feature].len();
            let room = |column: &Column| bins(column) * own <= MAX_BINS;
            let found = columns[open..].iter().position(room);
            let at = found.map_or(columns.len(), |at| open + at);
            if at == columns.len() {
                columns.push(Vec::new());
            }
            let stride = bins(&columns[at]);
            columns[at].push(Digit { feature, stride, bins: own });
            while columns.get(open).is_some_and(|column| bins(column) * 2 > MAX_BINS) {
                open += 1;
            }
        }
        // Bytes of one feature first, and those of few bins side by side: blocks of them are
        // searched as they are, and quickly.
        columns.sort_by_key(|column| (column.len() > 1, bins(column), column[0].feature));
        for block in columns.chunks_mut(LANES) {
            block.sort_by_key(|column| column[0].feature);
        }
        Layout { columns }
    }

    /// By block.
    pub(super) fn blocks(&self) -> impl ExactSizeIterator<Item = &[Column]> {
        self.columns.chunks(LANES)
    }

    /// How many bins each block needs.
    pub(super) fn block_bins(&self) -> Vec<usize> {
        let most = |block: &[Column]| block.iter().map(bins).max().unwrap_or(1);
        self.blocks().map(most).collect()
    }
}

/// Up to eight features that are searched side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Side {
    /// By lane, in the order of features.
    pub(super) features: Vec<usize>,
    /// What their cells are summed up from; nothing if those of the block are their own.
    sources: Vec<Source>,
    bins: usize,
}

/// A feature's digit of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Source {
    /// Of the column.
    lane: usize,
    digit: Digit,
    /// How many values the column has.
    values: usize,
}

/// The features of a block, eight by eight.
pub(super) fn sides(block: &[Column]) -> Vec<Side> {
    let of_column = |(lane, column): (usize, &Column)| {
        let values = bins(column);
        column.iter().map(|&digit| Source { lane, digit, values }).collect::<Vec<_>>()
    };
    let mut sources: Vec<Source> = block.iter().enumerate().flat_map(of_column).collect();
    let is_plain = sources.len() == block.len();
    sources.sort_by_key(|source| source.digit.feature);
    let side = |sources: &[Source]| Side {
        features: sources.iter().map(|source| source.digit.feature).collect(),
        bins: sources.iter().map(|source| source.digit.bins).max().unwrap_or(1),
        sources: if is_plain { Vec::new() } else { sources.to_vec() },
    };
    sources.chunks(LANES).map(side).collect()
}

impl Side {
    /// The cells of its features, from those of its block.
    pub(super) fn cells<'c>(&self, block: &'c Cells, room: &'c mut Cells) -> &'c [i64] {
        let used = self.bins * LANES;
        if self.sources.is_empty() {
            return &block[..used];
        }
        room[..used].fill(0);
        for (own, &Source { lane, digit, values }) in self.sources.iter().enumerate() {
            // Digits below it count up while this one stays.
            let mut bin = 0;
            for start in (0..values).step_by(digit.stride) {
                let same = start..start + digit.stride;
                let sum: i64 = same.map(|value| block[value * LANES + lane]).sum();
                room[bin * LANES + own] += sum;
                bin = if bin + 1 == digit.bins { 0 } else { bin + 1 };
            }
        }
        &room[..used]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn features(bins: &[usize]) -> Vec<FeatureBins> {
        bins.iter().map(|&bins| FeatureBins::Categories(vec![0; bins - 1])).collect()
    }

    proptest! {
        /// Every feature has a place of its own, bytes are large enough, and the sums of a
        /// feature are those of separate bytes.
        #[test]
        fn sums_are_those_of_separate_bytes(
            bins in prop::collection::vec(prop_oneof![2usize..12, 2usize..=256], 1..40),
            rows in prop::collection::vec((any::<u64>(), -9i64..9), 1..60),
        ) {
            let layout = Layout::of(&features(&bins));
            let bin = |row: u64, feature: usize| {
                (row.wrapping_mul(2 * feature as u64 + 1) >> 20) as usize % bins[feature]
            };
            let mut seen = vec![false; bins.len()];
            for (block, needed) in layout.blocks().zip(layout.block_bins()) {
                // Cells beyond those that are needed hold anything.
                let mut cells = [7; MAX_BINS * LANES];
                cells[..needed * LANES].fill(0);
                for &(row, word) in &rows {
                    for (lane, column) in block.iter().enumerate() {
                        let byte: usize = column.iter().map(|d| bin(row, d.feature) * d.stride).sum();
                        prop_assert!(byte < needed);
                        cells[byte * LANES + lane] += word;
                    }
                }
                for side in sides(block) {
                    prop_assert!(side.features.is_sorted());
                    let mut room = [7; MAX_BINS * LANES];
                    let own = side.cells(&cells, &mut room);
                    for (lane, &feature) in side.features.iter().enumerate() {
                        prop_assert!(!std::mem::replace(&mut seen[feature], true));
                        for value in 0..bins[feature] {
                            let sum: i64 =
                                rows.iter().filter(|r| bin(r.0, feature) == value).map(|r| r.1).sum();
                            prop_assert_eq!(own[value * LANES + lane], sum);
                        }
                    }
                }
            }
            prop_assert!(seen.iter().all(|seen| *seen));
        }
    }

    #[test]
    fn small_features_share_a_byte() {
        // 256 alone; 64 x 3; the fifteen of two bins in two bytes.
        let mut bins = vec![256, 64, 3];
        bins.extend([2; 15]);
        let layout = Layout::of(&features(&bins));
        let columns: Vec<usize> = layout.blocks().flatten().map(|column| column.len()).collect();
        assert_eq!(columns.iter().sum::<usize>(), 18);
        assert_eq!(layout.blocks().len(), 1);
        assert_eq!(columns.len(), 4);
    }
}
