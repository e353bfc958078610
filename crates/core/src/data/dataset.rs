//! The checked data set: columns and list boundaries.

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::Arc;

use super::error::{DataError, DataProblem, Place};
use super::{Categories, Columns, Feature, FeatureMatrix, Piece, TextColumn, TimeColumn};
use crate::suggest;

/// Lists of items, checked once by the [`super::DatasetBuilder`], immutable afterwards.
///
/// The rows of a list are adjacent, in the order of the file; lists are in order of first
/// appearance.
#[derive(Debug, Clone, PartialEq)]
pub struct Dataset {
    pub(super) source: String,
    /// Shared by all data sets that were made of one another.
    pub(super) columns: Arc<Columns>,
    pub(super) list_ids: Vec<String>,
    pub(super) offsets: Vec<usize>,
    pub(super) lines: Vec<u64>,
    pub(super) features: FeatureMatrix,
    pub(super) impact: Vec<f64>,
    pub(super) ids: TextColumn,
    pub(super) weight: Vec<f64>,
    pub(super) price: Vec<f64>,
    pub(super) groups: Categories,
    pub(super) group_of: Vec<u32>,
    pub(super) time: TimeColumn,
    /// One vector per name in `columns.extras`.
    pub(super) extras: Vec<Vec<f64>>,
    pub(super) column_order: Vec<String>,
    pub(super) dropped_rows: usize,
    /// How the source was read, where that is not plain.
    pub(super) notes: Vec<String>,
    /// Features that hold integers which `f32` rounds, in ascending order.
    pub(super) rounded: BTreeSet<usize>,
}

impl From<Dataset> for Cow<'_, Dataset> {
    fn from(data: Dataset) -> Self {
        Cow::Owned(data)
    }
}

impl<'d> From<&'d Dataset> for Cow<'d, Dataset> {
    fn from(data: &'d Dataset) -> Self {
        Cow::Borrowed(data)
    }
}

impl Dataset {
    /// The number of items.
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// Never true: the builder refuses empty data.
    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// The number of lists.
    pub fn n_lists(&self) -> usize {
        self.list_ids.len()
    }

    /// The items of list `list`.
    pub fn items(&self, list: usize) -> Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// The items of every list, in order.
    pub fn lists(&self) -> impl ExactSizeIterator<Item = Range<usize>> + '_ {
        (0..self.n_lists()).map(|list| self.items(list))
    }

    /// The index of the first item of each list, and the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The name of list `list`.
    pub fn list_id(&self, list: usize) -> &str {
        &self.list_ids[list]
    }

    /// The list that holds `item`.
    pub fn list_of(&self, item: usize) -> usize {
        self.offsets.partition_point(|&start| start <= item) - 1
    }

    /// The mean number of items per list.
    pub fn mean_list_length(&self) -> f64 {
        self.len() as f64 / self.n_lists() as f64
    }

    /// The names of the columns, and the features.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    /// The names of features with integers so large that 32 bits rounded them: different values
    /// may have become equal, which matters for ids and times.
    pub fn rounded_features(&self) -> impl Iterator<Item = &str> {
        self.rounded.iter().map(|&j| self.columns.features[j].name.as_str())
    }

    /// The names and kinds of the features.
    pub fn feature_info(&self) -> &[Feature] {
        &self.columns.features
    }

    /// The feature values.
    #[inline]
    pub fn features(&self) -> &FeatureMatrix {
        &self.features
    }

    /// The observed impacts, if the data has them.
    pub fn impact(&self) -> Option<&[f64]> {
        self.columns.impact.is_some().then_some(&*self.impact)
    }

    /// The id of an item, if the data has ids.
    pub fn item_id(&self, item: usize) -> Option<&str> {
        self.columns.id.is_some().then(|| self.ids.get(item))
    }

    /// The item weights, if given.
    pub fn weight(&self) -> Option<&[f64]> {
        self.columns.weight.is_some().then_some(&*self.weight)
    }

    /// The prices of acting on items, if given.
    pub fn price(&self) -> Option<&[f64]> {
        self.columns.price.is_some().then_some(&*self.price)
    }

    /// The group codes of the items and the groups' names, if given.
    pub fn groups(&self) -> Option<(&[u32], &[String])> {
        self.columns.group.is_some().then(|| (&*self.group_of, self.groups.names()))
    }

    /// The times, if given.
    pub fn time(&self) -> Option<&TimeColumn> {
        self.columns.time.is_some().then_some(&self.time)
    }

    /// The earliest time of a list, as [`Dataset::last_time`].
    pub fn first_time(&self, list: usize) -> Option<f64> {
        let keys = &self.time()?.keys()[self.items(list)];
        Some(keys.iter().copied().fold(f64::INFINITY, f64::min))
    }

    /// The latest time of a list, as a number that later times are above; `None` if times are not
    /// known.
    pub fn last_time(&self, list: usize) -> Option<f64> {
        let keys = &self.time()?.keys()[self.items(list)];
        Some(keys.iter().copied().fold(f64::NEG_INFINITY, f64::max))
    }

    /// The extra columns, in the order of [`Columns::extras`]; `NaN` where missing.
    pub fn extras(&self) -> impl ExactSizeIterator<Item = (&str, &[f64])> {
        self.columns.extras.iter().map(String::as_str).zip(self.extras.iter().map(Vec::as_slice))
    }

    /// The names of columns in the order of the source, if the reader recorded it, else empty.
    /// Columns that were left out may be among them.
    pub fn column_order(&self) -> &[String] {
        &self.column_order
    }

    /// The number of rows of the source that were left out because a value was missing.
    pub fn dropped_rows(&self) -> usize {
        self.dropped_rows
    }

    /// What should be known of how the source was read: rows above the header that were left out, numbers
    /// with decimal commas, and the like.
    pub fn notes(&self) -> &[String] {
        &self.notes
    }

    /// The source of the data: a file, `stdin`, or the name of a generator.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the place that an item came from, for messages.
    pub fn place(&self, item: usize) -> Place {
        Place {
            source: self.source.clone(),
            line: self.lines[item],
            list: self.columns.list.is_some().then(|| self.list_id(self.list_of(item)).to_owned()),
            item: self.item_id(item).map(str::to_owned),
        }
    }

    /// The line (or row) of the source that an item came from.
    pub fn line(&self, item: usize) -> u64 {
        self.lines[item]
    }

    /// Returns the names of the columns that hold numbers: roles, extras, numeric features.
    pub fn numeric_names(&self) -> Vec<&str> {
        let c = &self.columns;
        let roles = [&c.impact, &c.weight, &c.price].into_iter().flatten().map(String::as_str);
        let numeric = c.features.iter().filter(|f| f.kind == super::FeatureKind::Numeric);
        roles
            .chain(c.extras.iter().map(String::as_str))
            .chain(numeric.map(|f| f.name.as_str()))
            .collect()
    }

    /// Returns a numeric column by name, in full precision if that was requested when reading.
    pub fn numbers(&self, name: &str) -> Result<Vec<f64>, DataError> {
        let c = &self.columns;
        if let Some(i) = c.extras.iter().position(|n| n == name) {
            return Ok(self.extras[i].clone());
        }
        for (role, values) in
            [(&c.impact, &self.impact), (&c.weight, &self.weight), (&c.price, &self.price)]
        {
            if role.as_deref() == Some(name) {
                return Ok(values.clone());
            }
        }
        let problem = match c.features.iter().position(|f| f.name == name) {
            Some(j) if c.features[j].kind == super::FeatureKind::Numeric => {
                let mut column = vec![0.0; self.len()];
                let see = |piece: Piece<'_>| {
                    piece.iter().for_each(|(item, row)| column[item] = f64::from(row[j]));
                };
                self.features.visit(see)?;
                return Ok(column);
            }
            Some(_) => DataProblem::NotNumeric(name.to_owned()),
            None => DataProblem::UnknownColumn {
                name: name.to_owned(),
                hint: suggest::hint(name, self.numeric_names()),
            },
        };
        Err(DataError::new(Place::source(&self.source), problem))
    }
}
