//! Binned features: every value becomes a bin number of one byte.
//!
//! Bin 0 is "missing"; bins 1, 2, ... are intervals between cuts, or categories. Eight bytes of a
//! row make a **block**, one 64-bit word: a histogram of a block fits into the first-level
//! cache, one load reads eight bytes, and blocks are the unit of parallel work. `layout.rs`
//! decides which features share a byte.

use std::ops::Range;
use std::sync::Arc;

use rayon::prelude::*;
use stakes_core::data::{Dataset, Feature, FeatureKind};
use stakes_core::random::Stream;

use super::facts::Items;
use super::layout::{Column, Layout};
use super::lookup::BinTable;
use super::matrix::BinnedMatrix;
use super::sketch;
use stakes_model::tree::{CategorySet, Test};

/// The number of byte columns in a block.
pub(super) const LANES: usize = 8;
/// The maximum number of bins of a feature, including the missing bin.
pub(super) const MAX_BINS: usize = 256;

/// The code of a category that does not occur in the data.
const ABSENT: u32 = u32::MAX;

/// The maximum number of rows from which cuts are chosen; of more rows a sample is taken.
const MAX_SAMPLED: usize = 100_000;

/// The bins of one feature.
#[derive(Debug, Clone, PartialEq)]
pub enum FeatureBins {
    /// Ascending cuts; value x lies in bin 1 + (number of cuts below x).
    Cuts(Vec<f32>),
    /// The codes of the categories, ordered by name; the category at index i has bin 1 + i.
    Categories(Vec<u32>),
}

impl FeatureBins {
    /// The number of bins, including the missing bin.
    pub fn len(&self) -> usize {
        match self {
            FeatureBins::Cuts(cuts) => cuts.len() + 2,
            FeatureBins::Categories(codes) => codes.len() + 1,
        }
    }

    /// Chooses at most so many bins for the values of a column.
    pub(super) fn of(
        column: &[f32],
        weight: Option<&[f64]>,
        kind: &FeatureKind,
        bins: usize,
    ) -> Self {
        let values = sketch::distinct(column, weight);
        match kind {
            FeatureKind::Numeric => FeatureBins::Cuts(sketch::cuts(&values, bins)),
            FeatureKind::Categorical(names) => categories(values, names, bins),
        }
    }

    /// The bins of these categories, by their codes in data with these names of codes; [`ABSENT`] where a category
    /// does not occur.
    pub(super) fn of_known(known: &[String], names: &[String]) -> Self {
        let code =
            |name: &String| names.iter().position(|n| n == name).map_or(ABSENT, |c| c as u32);
        FeatureBins::Categories(known.iter().map(code).collect())
    }

    /// Always false: every feature has the missing bin.
    pub fn is_empty(&self) -> bool {
        false
    }

    /// Returns the test that sends bins 1 to `bin` to the left.
    pub(crate) fn test_up_to(&self, bin: u8) -> Test {
        match self {
            FeatureBins::Cuts(cuts) => {
                // Only missing values lie beyond the last cut.
                Test::AtMost(cuts.get(usize::from(bin) - 1).copied().unwrap_or(f32::MAX))
            }
            FeatureBins::Categories(_) => Test::In((0..bin).collect::<CategorySet>()),
        }
    }
}

/// How bins are chosen.
pub(super) struct Choice<'c> {
    pub(super) features: &'c [Feature],
    /// The maximum number of bins of a feature.
    pub(super) bins: usize,
    /// See [`Binning::of`].
    pub(super) known: Option<&'c [Option<Vec<String>>]>,
}

/// Rows to choose bins by, with their weights.
#[derive(Clone, Copy)]
pub(super) struct WeightedRows<'r> {
    pub(super) rows: &'r [u32],
    pub(super) weight: Option<&'r [f64]>,
}

impl Choice<'_> {
    /// Chooses the bins of all features by the same rows.
    pub(super) fn of_all(&self, values: Values<'_>, rows: WeightedRows<'_>) -> Vec<FeatureBins> {
        self.of(values, |_| rows)
    }

    /// Chooses bins by the rows that `rows_of` says for some consecutive features.
    fn of<'r>(
        &self,
        values: Values<'_>,
        rows_of: impl Fn(Range<usize>) -> WeightedRows<'r> + Sync,
    ) -> Vec<FeatureBins> {
        let width = values.width;
        let block = |first: usize| -> Vec<FeatureBins> {
            let lanes = LANES.min(width - first);
            let WeightedRows { rows, weight } = rows_of(first..first + lanes);
            let mut columns = vec![Vec::with_capacity(rows.len()); lanes];
            let mut transposed = [[f32::NAN; TILE]; LANES];
            for rows in rows.chunks(TILE) {
                values.transpose(rows, first, &mut transposed);
                let pieces = columns.iter_mut().zip(&transposed);
                pieces.for_each(|(column, piece)| column.extend_from_slice(&piece[..rows.len()]));
            }
            let of_feature = |(lane, column): (usize, &Vec<f32>)| {
                let kind = &self.features[first + lane].kind;
                match (kind, self.known.and_then(|known| known[first + lane].as_deref())) {
                    (FeatureKind::Categorical(names), Some(known)) => {
                        FeatureBins::of_known(known, names)
                    }
                    _ => FeatureBins::of(column, weight, kind, self.bins),
                }
            };
            columns.iter().enumerate().map(of_feature).collect()
        };
        let firsts: Vec<usize> = (0..width).step_by(LANES).collect();
        // One block per task: blocks are few and each takes long.
        firsts.into_par_iter().with_max_len(1).flat_map_iter(block).collect()
    }
}

/// The bins of all features.
#[derive(Debug, Clone, PartialEq)]
pub struct Binning {
    features: Vec<FeatureBins>,
    layout: Layout,
    /// The items of the rows that the bins were chosen for, if some features are facts of them.
    items: Option<Arc<Items>>,
}

impl Binning {
    /// Chooses cuts and categories for the rows of a data set in memory. `known` gives the categories by
    /// feature where they are fixed, as when training continues from a model.
    pub fn of(
        data: &Dataset,
        rows: &[u32],
        weight: Option<&[f64]>,
        bins: usize,
        known: Option<&[Option<Vec<String>>]>,
    ) -> Self {
        let sample = sample(rows.len());
        let sampled: Vec<u32> = sample.iter().map(|&at| rows[at]).collect();
        let weight: Option<Vec<f64>> = weight.map(|w| sample.iter().map(|&at| w[at]).collect());
        let (values, choice) =
            (Values::of(data), Choice { features: data.feature_info(), bins, known });
        let all = WeightedRows { rows: &sampled, weight: weight.as_deref() };
        let Some((items, facts)) = Items::with_facts(data, values, rows) else {
            return Binning::new(choice.of_all(values, all));
        };
        // Sums of weights depend on their order, and numbers of rows do not.
        let times = weight.is_none().then(|| items.times(&sample));
        let firsts: Vec<u32> = items.rows().iter().map(|&place| rows[place as usize]).collect();
        let of_facts = WeightedRows { rows: &firsts, weight: times.as_deref() };
        let rows_of = |features: Range<usize>| {
            let are_facts = facts[features].iter().all(|is_fact| *is_fact);
            if times.is_some() && are_facts { of_facts } else { all }
        };
        let features = choice.of(values, rows_of);
        Binning { layout: Layout::of(&features, &facts), features, items: Some(Arc::new(items)) }
    }

    /// These bins of the features.
    pub(super) fn new(features: Vec<FeatureBins>) -> Self {
        let layout = Layout::of(&features, &vec![false; features.len()]);
        Binning { features, layout, items: None }
    }

    /// The bins of each feature.
    pub fn features(&self) -> &[FeatureBins] {
        &self.features
    }

    /// The assignment of features to bytes.
    pub(super) fn layout(&self) -> &Layout {
        &self.layout
    }

    /// Bins rows of a data set in memory. The data must have the features and category codes of the data
    /// for which the bins were chosen.
    pub fn apply(&self, data: &Dataset, rows: &[u32]) -> BinnedMatrix {
        let mut matrix = BinnedMatrix::new(rows.len(), &self.layout, true);
        self.fill(&self.tables(), Values::of(data), rows, &mut matrix);
        if let Some(items) = &self.items {
            matrix.sum_by_item(items, self.layout.first_of_facts());
        }
        matrix
    }

    /// How values of each feature become bins.
    pub(super) fn tables(&self) -> Vec<BinTable> {
        self.features.iter().map(BinTable::new).collect()
    }

    /// Fills a matrix with the bins of these rows of values.
    pub(super) fn fill(
        &self,
        tables: &[BinTable],
        values: Values<'_>,
        rows: &[u32],
        matrix: &mut BinnedMatrix,
    ) {
        let (words, stride, columns) = matrix.parts_mut();
        // A parallel task has a tile of rows and their part of every column.
        let mut columns: Vec<_> =
            columns.chunks_mut(rows.len().max(1)).map(|column| column.chunks_mut(TILE)).collect();
        let pieces = rows.chunks(TILE).zip(words.chunks_mut(TILE * stride)).map(|(rows, words)| {
            (rows, words, columns.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>())
        });
        let pieces: Vec<_> = pieces.collect();
        pieces.into_par_iter().for_each(|(rows, words, mut bins)| {
            // The part of the tile beyond the last row stays missing.
            let mut transposed = [[f32::NAN; TILE]; LANES];
            let mut tile = vec![[0; TILE]; tables.len()];
            // Eight features at a time: the tables of all would not fit into the first-level cache.
            for (eight, (tables, bins)) in
                tables.chunks(LANES).zip(tile.chunks_mut(LANES)).enumerate()
            {
                values.transpose(rows, eight * LANES, &mut transposed);
                for ((table, values), bins) in tables.iter().zip(&transposed).zip(bins) {
                    table.look_up(values, bins);
                }
            }
            for (column, bins) in bins.iter_mut().zip(&tile) {
                column.copy_from_slice(&bins[..rows.len()]);
            }
            for (number, block) in self.layout.blocks().enumerate() {
                let bytes = bytes(block, &tile);
                let of_block = words[number..].iter_mut().step_by(stride);
                for (at, word) in of_block.enumerate().take(rows.len()) {
                    *word = u64::from_le_bytes(std::array::from_fn(|lane| bytes[lane][at]));
                }
            }
        });
    }
}

/// Returns the bytes of a block for a tile of rows, column by column, from the bins of all
/// features.
fn bytes(block: &[Column], tile: &[[u8; TILE]]) -> [[u8; TILE]; LANES] {
    let mut bytes = [[0; TILE]; LANES];
    for (bytes, column) in bytes.iter_mut().zip(block) {
        for digit in column {
            let bins = &tile[digit.feature];
            // A column has at most 256 values, so no byte overflows.
            bytes.iter_mut().zip(bins).for_each(|(byte, bin)| *byte += bin * digit.stride as u8);
        }
    }
    bytes
}

/// The number of rows in a tile, which is also the unit of parallel work.
pub(super) const TILE: usize = 512;

/// The values of eight features in a tile, feature by feature.
type Columns = [[f32; TILE]; LANES];

/// Values of features, row by row.
#[derive(Clone, Copy)]
pub(super) struct Values<'v> {
    pub(super) values: &'v [f32],
    pub(super) width: usize,
}

impl<'v> Values<'v> {
    /// Those of data in memory.
    fn of(data: &'v Dataset) -> Self {
        Values { values: data.features().values(), width: data.features().width() }
    }

    /// The values of a row.
    #[inline]
    pub(super) fn row(&self, row: u32) -> &'v [f32] {
        &self.values[row as usize * self.width..][..self.width]
    }

    /// Transposes up to `TILE` rows of the eight features from `first` on.
    fn transpose(self, rows: &[u32], first: usize, columns: &mut Columns) {
        for (at, &row) in rows.iter().enumerate() {
            let values = &self.row(row)[first..];
            let mut put = |values: &[f32]| {
                columns.iter_mut().zip(values).for_each(|(column, &value)| column[at] = value);
            };
            // With the number of values known, the loop is unrolled; the last block may have fewer.
            match values.first_chunk::<LANES>() {
                Some(values) => put(values),
                None => put(values),
            }
        }
    }
}

/// Samples the rows from which cuts are chosen: a random one of every few consecutive rows, since
/// rows at equal distances may have something in common (the first item of every list).
pub(super) fn sample(rows: usize) -> Vec<usize> {
    let (step, sampled) = (sample_step(rows), sampled_from(rows));
    (0..rows).step_by(step).map(sampled).collect()
}

/// How many consecutive rows one is sampled from.
pub(super) fn sample_step(rows: usize) -> usize {
    rows.div_ceil(MAX_SAMPLED).max(1)
}

/// The row that is sampled of those that begin with a row, of so many in all.
pub(super) fn sampled_from(rows: usize) -> impl Fn(usize) -> usize {
    let (step, draws) = (sample_step(rows), Stream::new(0, 0));
    // Fewer rows than there are is what an exchange says that has failed.
    move |start| start + draws.below(start as u64, step.min(rows.saturating_sub(start)).max(1))
}

/// Returns the most common categories, ordered by name. The rest are treated as missing.
fn categories(mut values: Vec<(f32, f64)>, names: &[String], bins: usize) -> FeatureBins {
    let name = |value: f32| &names[value as usize];
    values.sort_by(|a, b| b.1.total_cmp(&a.1).then_with(|| name(a.0).cmp(name(b.0))));
    values.truncate(bins);
    values.sort_by(|a, b| name(a.0).cmp(name(b.0)));
    FeatureBins::Categories(values.iter().map(|v| v.0 as u32).collect())
}

/// Returns the bin of each category code; empty for a numeric feature.
pub(crate) fn code_bins(feature: &FeatureBins) -> Vec<u8> {
    let FeatureBins::Categories(codes) = feature else { return Vec::new() };
    let present = || codes.iter().enumerate().filter(|(_, code)| **code != ABSENT);
    let mut bins = vec![0; present().map(|(_, &code)| code as usize + 1).max().unwrap_or(0)];
    for (place, &code) in present() {
        bins[code as usize] = 1 + place as u8;
    }
    bins
}

#[cfg(test)]
pub(super) mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use stakes_core::data::{Columns as Names, DatasetBuilder, Row};

    /// Numbers of few and of many values, some missing, and a categorical feature at the end.
    pub(in super::super) fn some_data(rows: usize, width: usize) -> Dataset {
        let draws = Stream::new(7, 0);
        let names = ["c", "a", "d", "b"].map(String::from).to_vec();
        let mut features: Vec<Feature> =
            (1..width).map(|i| Feature::numeric(format!("f{i}"))).collect();
        features.push(Feature::categorical("kind", names));
        let columns = Names::of_features(features);
        let mut builder = DatasetBuilder::new("some", columns).unwrap();
        for row in 0..rows {
            let value = |feature: usize| {
                let draw = draws.below((row * width + feature) as u64, 40_000);
                match draw % 9 {
                    0 => f32::NAN,
                    _ if feature + 1 == width => (draw % 4) as f32,
                    1 => -0.0,
                    _ => (draw % (2 << (2 * (feature % 8)))) as f32 - 1.0,
                }
            };
            let features: Vec<f32> = (0..width).map(value).collect();
            let row = Row { line: row as u64 + 1, features: &features, ..Row::default() };
            builder.push(row).unwrap();
        }
        builder.finish().unwrap()
    }

    #[test]
    fn every_row_lies_in_the_bins_of_its_values() {
        for (rows, width) in [(1, 1), (TILE, 8), (3 * TILE + 17, 19)] {
            let data = some_data(rows, width);
            // Not in order, and some of them twice.
            let rows: Vec<u32> = (0..rows as u32 + 5).map(|at| at * 7 % rows as u32).collect();
            let binning = Binning::of(&data, &rows, None, 255, None);
            let matrix = binning.apply(&data, &rows);
            assert_eq!(matrix.rows(), rows.len());
            for (at, &row) in rows.iter().enumerate() {
                for (feature, bins) in binning.features().iter().enumerate() {
                    let value = data.features().row(row as usize)[feature];
                    let bin = match bins {
                        _ if value.is_nan() => 0,
                        FeatureBins::Cuts(cuts) => 1 + cuts.partition_point(|cut| *cut < value),
                        FeatureBins::Categories(codes) => {
                            1 + codes.iter().position(|code| *code == value as u32).unwrap()
                        }
                    };
                    assert_eq!(usize::from(matrix.bin(at, feature)), bin);
                }
                for (word, block) in matrix.row(at as u32).iter().zip(binning.layout().blocks()) {
                    for (byte, column) in word.to_le_bytes().iter().zip(block) {
                        for digit in column {
                            let bin = usize::from(*byte) / digit.stride % digit.bins;
                            assert_eq!(bin, usize::from(matrix.bin(at, digit.feature)));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn cuts_are_chosen_by_every_sampled_value() {
        let data = some_data(2 * TILE + 100, 11);
        let rows: Vec<u32> = (0..data.len() as u32).rev().collect();
        let weight: Vec<f64> = rows.iter().map(|row| f64::from(row % 3)).collect();
        for weight in [None, Some(&weight[..])] {
            let binning = Binning::of(&data, &rows, weight, 100, None);
            for (feature, bins) in binning.features().iter().enumerate().take(10) {
                let value = |&row: &u32| data.features().row(row as usize)[feature];
                let column: Vec<f32> = rows.iter().map(value).collect();
                let cuts = sketch::cuts(&sketch::distinct(&column, weight), 100);
                assert_eq!(*bins, FeatureBins::Cuts(cuts));
            }
        }
    }

    #[test]
    fn a_sample_has_a_row_of_every_stretch_and_no_rhythm() {
        assert_eq!(sample(5), [0, 1, 2, 3, 4]);
        let rows = 10 * MAX_SAMPLED;
        let sample = sample(rows);
        assert_eq!(sample.len(), MAX_SAMPLED);
        assert!(sample.iter().enumerate().all(|(stretch, at)| at / 10 == stretch));
        // Every place within lists of five is seen about as often.
        for place in 0..5 {
            let seen = sample.iter().filter(|at| **at % 5 == place).count();
            assert!(seen.abs_diff(MAX_SAMPLED / 5) < MAX_SAMPLED / 50, "{place}: {seen}");
        }
    }
}
