//! Rows of a piece of a table, parsed but not yet checked and coded, which must be done in order.

use std::borrow::Cow;
use std::ops::Range;

/// Rows, one after the other. What follows the last whole row is of one that was refused.
#[derive(Default)]
pub(super) struct Rows {
    pub(super) lines: Vec<u64>,
    /// The features of all rows; 0 for a category.
    pub(super) features: Vec<f64>,
    pub(super) extras: Vec<f64>,
    /// The impact, the weight and the price of each row.
    pub(super) numbers: Vec<[Option<f64>; 3]>,
    /// The categories of each row, then its [`NAMES`].
    texts: Vec<Option<Range<usize>>>,
    text: String,
    /// The column in which text stands instead of a number.
    pub(super) not_plain: Option<usize>,
}

/// The number of names in each row: list, id, group and time.
pub(super) const NAMES: usize = 4;

impl Rows {
    /// Adds the next text of a row.
    pub(super) fn push_text(&mut self, text: Option<Cow<'_, str>>) {
        let start = self.text.len();
        let range = text.map(|text| {
            self.text.push_str(&text);
            start..self.text.len()
        });
        self.texts.push(range);
    }

    /// The texts of a row that has so many.
    pub(super) fn texts(&self, row: usize, count: usize) -> impl Iterator<Item = Option<&str>> {
        let texts = &self.texts[row * count..][..count];
        texts.iter().map(|range| range.clone().map(|range| &self.text[range]))
    }
}
