//! What a guess looks at: the words of a column's name, and its values.

use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::display::nice_number;

use crate::columns::reads_as_dates;
use crate::names::words;

/// A column of data that were read without roles.
pub(super) struct Column<'a> {
    pub(super) name: &'a str,
    pub(super) words: Vec<String>,
    values: Values<'a>,
    rows: usize,
    /// The number of rows without a value.
    pub(super) missing: usize,
    /// The number of different values, not counting missing ones.
    pub(super) distinct: usize,
    /// The smallest and the largest number; `None` for text, and where all values are missing.
    pub(super) range: Option<(f64, f64)>,
    /// Whether its values are integers.
    pub(super) is_whole: bool,
    /// Whether its values are dates such as `2016-02-29`.
    pub(super) has_dates: bool,
    /// Whether its numbers increase from every row to the next.
    rises: bool,
}

/// The values of a column, by row.
enum Values<'a> {
    Numbers(Vec<f64>),
    /// Codes of names, and the names.
    Names(Vec<f32>, &'a [String]),
}

/// The key of a missing value. (It is the bits of no number that data can hold.)
const MISSING: u64 = u64::MAX;

impl<'a> Column<'a> {
    /// All columns, in the order of the source.
    pub(super) fn all(data: &'a Dataset) -> Vec<Self> {
        let extras = data.extras().map(|(name, values)| (name, Values::Numbers(values.to_vec())));
        let features = data.feature_info().iter().enumerate().map(|(j, feature)| {
            let column = data.features().column(j);
            let values = match &feature.kind {
                FeatureKind::Numeric => Values::Numbers(column.map(f64::from).collect()),
                FeatureKind::Categorical(names) => Values::Names(column.collect(), names),
            };
            (feature.name.as_str(), values)
        });
        let all = extras.chain(features).map(|(name, values)| Column::new(name, values));
        let mut all: Vec<Column<'_>> = all.collect();
        let place = |name: &str| data.column_order().iter().position(|other| other == name);
        all.sort_by_key(|column| place(column.name));
        all
    }

    fn new(name: &'a str, values: Values<'a>) -> Self {
        let rows = match &values {
            Values::Numbers(numbers) => numbers.len(),
            Values::Names(codes, _) => codes.len(),
        };
        let mut column = Column {
            name,
            words: words(name),
            rows,
            missing: 0,
            distinct: 0,
            range: None,
            is_whole: false,
            has_dates: matches!(&values, Values::Names(_, names) if reads_as_dates(names)),
            rises: false,
            values,
        };
        let mut keys: Vec<u64> = (0..rows).map(|row| column.key(row)).collect();
        column.missing = keys.iter().filter(|key| **key == MISSING).count();
        keys.sort_unstable();
        keys.truncate(rows - column.missing);
        column.distinct = keys.chunk_by(|a, b| a == b).count();
        if let Values::Numbers(numbers) = &column.values {
            let known = || numbers.iter().copied().filter(|value| !value.is_nan());
            let wider = |range: Option<(f64, f64)>, value: f64| {
                let (low, high) = range.unwrap_or((value, value));
                Some((low.min(value), high.max(value)))
            };
            column.range = known().fold(None, wider);
            column.is_whole = known().all(|value| value.fract() == 0.0);
            column.rises = numbers.windows(2).all(|pair| pair[0] < pair[1]);
        }
        column
    }

    /// A key of the value in a row: equal for equal values.
    pub(super) fn key(&self, row: usize) -> u64 {
        match &self.values {
            Values::Numbers(numbers) if !numbers[row].is_nan() => (numbers[row] + 0.0).to_bits(),
            Values::Names(codes, _) if !codes[row].is_nan() => u64::from(codes[row].to_bits()),
            _ => MISSING,
        }
    }

    pub(super) fn is_text(&self) -> bool {
        matches!(self.values, Values::Names(..))
    }

    /// Whether its numbers count the rows: 1, 2, 3 or any integers that increase.
    pub(super) fn counts_rows(&self) -> bool {
        self.is_whole && self.rises && self.missing == 0 && self.rows > 1
    }

    /// Whether no two rows have the same value.
    pub(super) fn is_unique(&self) -> bool {
        self.missing == 0 && self.distinct == self.rows
    }

    /// Whether values repeat: no value is missing, and there are at least two rows for each on average.
    pub(super) fn repeats(&self) -> bool {
        self.missing == 0 && self.distinct > 1 && 2 * self.distinct <= self.rows
    }

    /// The number of different pairs of a value of this column and one of another.
    pub(super) fn pairs_with(&self, other: &Column<'_>) -> usize {
        let mut pairs: Vec<(u64, u64)> =
            (0..self.rows).map(|row| (self.key(row), other.key(row))).collect();
        pairs.sort_unstable();
        pairs.chunk_by(|a, b| a == b).count()
    }

    /// The range of its numbers, in words.
    pub(super) fn range_text(&self) -> String {
        let [low, high] =
            self.range.map_or([f64::NAN; 2], |(low, high)| [low, high]).map(nice_number);
        format!("{low} to {high}")
    }
}
