//! The assignment of features to bytes.
//!
//! Features with few bins share a byte as digits of one number in a mixed radix: one add of a
//! histogram then serves all of them. The sum in a bin of one feature is the sum over all digits of
//! the others. Nothing is lost or rounded: the sums are the same as with separate bytes.
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

/// The features that share a byte.
pub(super) type Column = Vec<Digit>;

/// The columns of a row, in blocks of up to eight.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Layout {
    blocks: Vec<Vec<Column>>,
    /// The first block of facts (`facts.rs`), which come last.
    first_of_facts: usize,
}

/// The number of values that the byte of a column can have.
fn bins(column: &Column) -> usize {
    column.iter().map(|digit| digit.bins).product()
}

impl Layout {
    /// Assigns features to columns, and facts to columns of their own.
    pub(super) fn of(features: &[FeatureBins], facts: &[bool]) -> Self {
        let (facts, others) = (0..features.len()).partition(|&feature| facts[feature]);
        let mut blocks = Layout::blocks_of(features, others);
        let first_of_facts = blocks.len();
        blocks.extend(Layout::blocks_of(features, facts));
        Layout { blocks, first_of_facts }
    }

    /// Assigns these features by falling number of bins, each to the first column with enough room.
    fn blocks_of(features: &[FeatureBins], mut order: Vec<usize>) -> Vec<Vec<Column>> {
        order.sort_by_key(|&feature| std::cmp::Reverse(features[feature].len()));
        let mut columns: Vec<Column> = Vec::new();
        // Columns before this one are full: not even a feature of two bins fits.
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
        // Columns with one feature first, sorted by number of bins: a block of such columns is
        // searched without unpacking, and has no more bins than it needs.
        columns.sort_by_key(|column| (column.len() > 1, bins(column), column[0].feature));
        for block in columns.chunks_mut(LANES) {
            block.sort_by_key(|column| column[0].feature);
        }
        columns.chunks(LANES).map(<[Column]>::to_vec).collect()
    }

    /// The first block of facts, which come last.
    pub(super) fn first_of_facts(&self) -> usize {
        self.first_of_facts
    }

    /// The columns of each block.
    pub(super) fn blocks(&self) -> impl ExactSizeIterator<Item = &[Column]> {
        self.blocks.iter().map(Vec::as_slice)
    }

    /// The number of bins of each block.
    pub(super) fn block_bins(&self) -> Vec<usize> {
        let max_bins = |block: &[Column]| block.iter().map(bins).max().unwrap_or(1);
        self.blocks().map(max_bins).collect()
    }
}

/// Up to eight features that are searched side by side.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct FeatureGroup {
    /// The feature of each lane, ascending.
    pub(super) features: Vec<usize>,
    /// Where the cells of each feature are summed up from; empty if the block's cells can be used
    /// as they are.
    sources: Vec<Source>,
    bins: usize,
}

/// A feature's digit in a column.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Source {
    /// The lane of the column.
    lane: usize,
    digit: Digit,
    /// The number of values of the column.
    values: usize,
}

/// Returns the features of a block in groups of at most eight.
pub(super) fn feature_groups(block: &[Column]) -> Vec<FeatureGroup> {
    let of_column = |(lane, column): (usize, &Column)| {
        let values = bins(column);
        column.iter().map(|&digit| Source { lane, digit, values }).collect::<Vec<_>>()
    };
    let mut sources: Vec<Source> = block.iter().enumerate().flat_map(of_column).collect();
    let is_plain = sources.len() == block.len();
    sources.sort_by_key(|source| source.digit.feature);
    let group = |sources: &[Source]| FeatureGroup {
        features: sources.iter().map(|source| source.digit.feature).collect(),
        bins: sources.iter().map(|source| source.digit.bins).max().unwrap_or(1),
        sources: if is_plain { Vec::new() } else { sources.to_vec() },
    };
    sources.chunks(LANES).map(group).collect()
}

impl FeatureGroup {
    /// The bins of a lane's feature, from the words of a block.
    pub(super) fn read(&self, lane: usize, words: &[u64], bins: &mut [u8]) {
        let byte = self.sources.get(lane).map_or(lane, |source| source.lane);
        for (bin, word) in bins.iter_mut().zip(words) {
            *bin = (word >> (8 * byte)) as u8;
        }
        if let Some(Source { digit, values, .. }) = self.sources.get(lane)
            && *values > digit.bins
        {
            let (stride, base) = (digit.stride as u16, digit.bins as u16);
            bins.iter_mut().for_each(|bin| *bin = (u16::from(*bin) / stride % base) as u8);
        }
    }

    /// Returns the cells of the group's features, unpacked from those of its block into `buffer`
    /// where necessary.
    pub(super) fn cells<'c>(&self, block: &'c Cells, buffer: &'c mut Cells) -> &'c [i64] {
        let used = self.bins * LANES;
        if self.sources.is_empty() {
            return &block[..used];
        }
        buffer[..used].fill(0);
        for (own, &Source { lane, digit, values }) in self.sources.iter().enumerate() {
            // This digit stays the same while the lower digits count up.
            let mut bin = 0;
            for start in (0..values).step_by(digit.stride) {
                let same = start..start + digit.stride;
                let sum: i64 = same.map(|value| block[value * LANES + lane]).sum();
                buffer[bin * LANES + own] += sum;
                bin = if bin + 1 == digit.bins { 0 } else { bin + 1 };
            }
        }
        &buffer[..used]
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
            let facts: Vec<bool> = bins.iter().map(|bins| bins % 3 == 0).collect();
            let layout = Layout::of(&features(&bins), &facts);
            for (number, block) in layout.blocks().enumerate() {
                let of_facts = number >= layout.first_of_facts();
                prop_assert!(block.iter().flatten().all(|digit| facts[digit.feature] == of_facts));
            }
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
                for group in feature_groups(block) {
                    prop_assert!(group.features.is_sorted());
                    let mut buffer = [7; MAX_BINS * LANES];
                    let own = group.cells(&cells, &mut buffer);
                    for (lane, &feature) in group.features.iter().enumerate() {
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
        let layout = Layout::of(&features(&bins), &[false; 18]);
        let columns: Vec<usize> = layout.blocks().flatten().map(|column| column.len()).collect();
        assert_eq!(columns.iter().sum::<usize>(), 18);
        assert_eq!(layout.blocks().len(), 1);
        assert_eq!(columns.len(), 4);
    }
}
