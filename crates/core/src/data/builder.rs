//! The builder: the only way to make a [`Dataset`], and the place of every check on data.

mod matrix;
mod room;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use super::error::{DataError, DataProblem, Place};
use super::permute::{compact, grouping_order, permute_rows, restride};
use super::{
    Categories, Columns, Dataset, Feature, FeatureKind, FeatureMatrix, Row, TextColumn, TimeColumn,
    time,
};

/// Row numbers are 32 bits wide in sorted orders.
const MAX_ROWS: u64 = u32::MAX as u64;
/// More features than this are taken for a mistake in the file.
const MAX_FEATURES: u64 = 1 << 20;

/// Collects rows, checks them, and makes a [`Dataset`]. A clone of an empty builder is the quick way to further data of the
/// same columns.
///
/// ```
/// use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};
/// let columns = Columns {
///     list: Some("storm".into()),
///     impact: Some("customers".into()),
///     ..Columns::of_features(vec![Feature::numeric("wind")])
/// };
/// let mut builder = DatasetBuilder::new("storms.csv", columns)?;
/// builder.push(Row { line: 2, list: "a", impact: Some(100.0), features: &[14.0], ..Row::default() })?;
/// builder.push(Row { line: 3, list: "b", impact: Some(0.0), features: &[9.0], ..Row::default() })?;
/// let data = builder.finish()?;
/// assert_eq!((data.len(), data.n_lists()), (2, 2));
/// # Ok::<(), stakes_core::data::DataError>(())
/// ```
#[derive(Debug, Clone)]
pub struct DatasetBuilder {
    data: Dataset,
    lists: Categories,
    list_of_row: Vec<u32>,
    stride: usize,
}

impl DatasetBuilder {
    /// Starts a data set with these columns. Names must differ, except that an extra may repeat a
    /// role, and that a list may be named by its time.
    pub fn new(source: impl Into<String>, columns: Columns) -> Result<Self, DataError> {
        let source = source.into();
        check_names(&source, &columns)?;
        let stride = columns.features.len();
        let extras = vec![Vec::new(); columns.extras.len()];
        let data = Dataset {
            source,
            columns: Arc::new(columns),
            list_ids: Vec::new(),
            offsets: Vec::new(),
            lines: Vec::new(),
            features: FeatureMatrix::new(Vec::new(), stride),
            impact: Vec::new(),
            ids: TextColumn::default(),
            weight: Vec::new(),
            price: Vec::new(),
            groups: Categories::default(),
            group_of: Vec::new(),
            time: TimeColumn::default(),
            extras,
            column_order: Vec::new(),
            dropped_rows: 0,
            notes: Vec::new(),
            rounded: BTreeSet::new(),
        };
        let builder =
            DatasetBuilder { data, lists: Categories::default(), list_of_row: Vec::new(), stride };
        builder.check_size("features", stride as u64, MAX_FEATURES)?;
        Ok(builder)
    }

    /// The source of the rows, for messages.
    pub fn source(&self) -> &str {
        &self.data.source
    }

    /// Renames the source: rows may come from several files, one after the other.
    pub fn set_source(&mut self, source: impl Into<String>) {
        self.data.source = source.into();
    }

    /// The columns.
    pub fn columns(&self) -> &Columns {
        &self.data.columns
    }

    /// The number of rows so far.
    pub fn len(&self) -> usize {
        self.list_of_row.len()
    }

    /// Whether no row has been added yet.
    pub fn is_empty(&self) -> bool {
        self.list_of_row.is_empty()
    }

    /// Adds an item, or returns what is wrong with it.
    pub fn push(&mut self, row: Row<'_>) -> Result<(), DataError> {
        let width = self.data.columns.features.len();
        if row.features.len() != width {
            let problem = DataProblem::RowWidth { met: row.features.len(), expected: width };
            return Err(self.error(&row, problem));
        }
        self.push_with(row, |features| features.copy_from_slice(row.features))
    }

    /// Adds an item whose features are written in place: `fill` gets them as zeros, one for
    /// each declared feature. (`row.features` is ignored.) For sparse formats.
    pub fn push_with(
        &mut self,
        row: Row<'_>,
        fill: impl FnOnce(&mut [f32]),
    ) -> Result<(), DataError> {
        debug_assert_eq!(row.extras.len(), self.data.extras.len(), "extras of a row");
        if let Some(j) = row.extras.iter().position(|v| v.is_infinite()) {
            let column = self.data.columns.extras[j].clone();
            return Err(self.error(&row, DataProblem::NotFinite { column, met: row.extras[j] }));
        }
        self.make_room()?;
        let start = self.data.features.values.len();
        self.data.features.values.resize(start + self.stride, 0.0);
        let features = &mut self.data.features.values[start..][..self.data.columns.features.len()];
        fill(features);
        // Without an early exit the search is vectorised; almost no row has an infinite value.
        let infinite = features.iter().fold(false, |any, v| any | v.is_infinite());
        let checked =
            match infinite.then(|| features.iter().position(|v| v.is_infinite())).flatten() {
                None => self.push_roles(&row),
                Some(j) => {
                    let column = self.data.columns.features[j].name.clone();
                    Err(self.error(&row, DataProblem::InfiniteFeature { column }))
                }
            };
        if checked.is_err() {
            self.data.features.values.truncate(start);
            return checked;
        }
        for (column, &value) in self.data.extras.iter_mut().zip(row.extras) {
            column.push(value);
        }
        self.data.lines.push(row.line);
        let list = match self.list_of_row.last() {
            Some(&last) if self.lists.names()[last as usize] == row.list => last,
            _ => self.lists.code(row.list),
        };
        self.list_of_row.push(list);
        self.check_size("rows", self.len() as u64, MAX_ROWS)
    }

    /// Adds features to those declared, which sparse formats discover while reading. Rows so far
    /// get `0.0` there, which is what an absent feature means in those formats.
    pub fn widen(&mut self, features: Vec<Feature>) -> Result<(), DataError> {
        let old = self.data.columns.features.len();
        let new = old + features.len();
        self.check_size("features", new as u64, MAX_FEATURES)?;
        if new > self.stride {
            // Spare capacity, so that rows that get longer one by one are not copied each time.
            let stride = if self.is_empty() { new } else { new.max(self.stride + self.stride / 4) };
            self.make_room_for(stride)?;
            let rows = self.len();
            restride(&mut self.data.features.values, rows, self.stride, old, stride);
            self.stride = stride;
        }
        Arc::make_mut(&mut self.data.columns).features.extend(features);
        Ok(())
    }

    /// Sets the kind of a feature, for formats that know it only after all rows.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn set_kind(&mut self, feature: usize, kind: FeatureKind) {
        Arc::make_mut(&mut self.data.columns).features[feature].kind = kind;
    }

    /// Replaces every value of one feature, for codes whose final order is known only at the end.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn map_feature(&mut self, feature: usize, mut f: impl FnMut(f32) -> f32) {
        assert!(feature < self.data.columns.features.len(), "feature {feature}");
        for value in self.data.features.values.iter_mut().skip(feature).step_by(self.stride) {
            *value = f(*value);
        }
    }

    /// Overwrites one feature in rows already added, from `first` on, for formats that are read
    /// column by column.
    ///
    /// # Panics
    /// If there is no such feature or there are too few rows.
    pub fn fill_feature(
        &mut self,
        feature: usize,
        first: usize,
        values: impl IntoIterator<Item = f32>,
    ) -> Result<(), DataError> {
        assert!(feature < self.data.columns.features.len(), "feature {feature}");
        let mut at = first * self.stride + feature;
        for (row, value) in (first..).zip(values) {
            if value.is_infinite() {
                let column = self.data.columns.features[feature].name.clone();
                let problem = DataProblem::InfiniteFeature { column };
                return Err(DataError::new(self.place(row), problem));
            }
            self.data.features.values[at] = value;
            at += self.stride;
        }
        Ok(())
    }

    /// Returns the place that row `row` came from.
    pub fn place(&self, row: usize) -> Place {
        let data = &self.data;
        let list = &self.lists.names()[self.list_of_row[row] as usize];
        Place {
            source: data.source.clone(),
            line: data.lines[row],
            list: data.columns.list.is_some().then(|| list.clone()),
            item: data.columns.id.is_some().then(|| data.ids.get(row).to_owned()),
        }
    }

    /// Rounds `value` to a feature's 32 bits. An integer that changes is recorded
    /// ([`Dataset::rounded_features`]).
    pub fn round_feature(&mut self, feature: usize, value: f64) -> f32 {
        const MAX_EXACT: f64 = (1 << f32::MANTISSA_DIGITS) as f64;
        let rounded = value as f32;
        if value.abs() > MAX_EXACT && f64::from(rounded) != value && value.trunc() == value {
            self.data.rounded.insert(feature);
        }
        rounded
    }

    /// Notes a feature, by name, that was rounded when it was read ([`Dataset::rounded_features`]).
    pub(super) fn note_rounded(&mut self, name: &str) {
        let features = &self.data.columns.features;
        self.data.rounded.extend(features.iter().position(|feature| feature.name == name));
    }

    /// Counts a row that is left out ([`Dataset::dropped_rows`]).
    pub fn count_dropped(&mut self) {
        self.data.dropped_rows += 1;
    }

    /// Records how the source was read ([`Dataset::notes`]).
    pub fn set_notes(&mut self, notes: Vec<String>) {
        self.data.notes = notes;
    }

    /// Records the order of the source's columns, for writers.
    pub fn set_column_order(&mut self, names: Vec<String>) {
        self.data.column_order = names;
    }

    /// Drops the ids: some formats carry them in comments, and a row without a comment shows that
    /// the comments are not ids.
    pub fn forget_ids(&mut self) {
        Arc::make_mut(&mut self.data.columns).id = None;
        self.data.ids = TextColumn::default();
    }

    /// Groups the rows of each list, makes the checks that need all rows, and returns the data.
    pub fn finish(mut self) -> Result<Dataset, DataError> {
        if self.is_empty() {
            return Err(DataError::new(Place::source(&self.data.source), DataProblem::Empty));
        }
        let width = self.data.columns.features.len();
        let rows = self.len();
        if self.data.features.shared.is_none() && !self.data.features.is_stored() {
            compact(&mut self.data.features.values, rows, self.stride, width);
        }
        self.data.features.width = width;
        if let Some(order) = grouping_order(&self.list_of_row, self.lists.names().len()) {
            self.data.permute(&order);
            permute_rows(&mut self.list_of_row, 1, &order);
        }
        let mut offsets = vec![0; self.lists.names().len() + 1];
        self.list_of_row.iter().for_each(|&list| offsets[list as usize + 1] += 1);
        (1..offsets.len()).for_each(|i| offsets[i] += offsets[i - 1]);
        self.data.offsets = offsets;
        self.data.list_ids = self.lists.into_names();
        self.data.check_ids()?;
        Ok(self.data)
    }

    fn push_roles(&mut self, row: &Row<'_>) -> Result<(), DataError> {
        let columns = &self.data.columns;
        let cost = |name: &Option<String>, value: Option<f64>| match (name, value) {
            (None, _) => Ok(None),
            (Some(_), Some(v)) if v.is_finite() && v >= 0.0 => Ok(Some(v)),
            (Some(name), Some(v)) if !v.is_nan() => {
                Err(self.error(row, DataProblem::NotACost { column: name.clone(), met: v }))
            }
            (Some(name), _) => Err(self.missing(row, name)),
        };
        let text = |name: &Option<String>, value: Option<&'_ str>| match (name, value) {
            (Some(name), None) => Err(self.missing(row, name)),
            _ => Ok(()),
        };
        let impact = cost(&columns.impact, row.impact)?;
        let weight = cost(&columns.weight, row.weight)?;
        let price = cost(&columns.price, row.price)?;
        text(&columns.id, row.id)?;
        text(&columns.group, row.group)?;
        text(&columns.time, row.time)?;
        let time_key = match (&columns.time, row.time) {
            (Some(_), Some(time)) => Some(self.time_key(row, time)?),
            _ => None,
        };
        let (has_id, has_group) = (columns.id.is_some(), columns.group.is_some());
        let data = &mut self.data;
        data.impact.extend(impact);
        data.weight.extend(weight);
        data.price.extend(price);
        if let (true, Some(id)) = (has_id, row.id) {
            data.ids.push(id);
        }
        if let (true, Some(group)) = (has_group, row.group) {
            data.group_of.push(data.groups.code(group));
        }
        if let (Some(key), Some(text)) = (time_key, row.time) {
            data.time.keys.push(key);
            data.time.text.push(text);
        }
        Ok(())
    }

    /// The key of a time. Numbers and dates are not on one scale: all times are of one kind.
    fn time_key(&self, row: &Row<'_>, text: &str) -> Result<f64, DataError> {
        let Some(key) = time::key(text) else {
            return Err(self.error(row, DataProblem::BadTime(text.to_owned())));
        };
        let times = &self.data.time.text;
        if times.is_empty() || time::is_number(times.get(0)) == time::is_number(text) {
            return Ok(key);
        }
        let (first, at) = (times.get(0).to_owned(), Box::new(self.place(0)));
        Err(self.error(row, DataProblem::MixedTimes { met: text.to_owned(), first, at }))
    }

    fn missing(&self, row: &Row<'_>, name: &str) -> DataError {
        self.error(row, DataProblem::MissingValue { column: name.to_owned() })
    }

    fn error(&self, row: &Row<'_>, problem: DataProblem) -> DataError {
        let place = Place {
            source: self.data.source.clone(),
            line: row.line,
            list: self.data.columns.list.is_some().then(|| row.list.to_owned()),
            item: row.id.map(str::to_owned),
        };
        DataError::new(place, problem)
    }

    fn check_size(&self, what: &'static str, met: u64, allowed: u64) -> Result<(), DataError> {
        if met <= allowed {
            return Ok(());
        }
        let problem = DataProblem::TooLarge { what, met, allowed };
        Err(DataError::new(Place::source(&self.data.source), problem))
    }
}

impl Dataset {
    fn check_ids(&self) -> Result<(), DataError> {
        if self.columns.id.is_none() {
            return Ok(());
        }
        let mut first_seen: HashMap<&str, usize> = HashMap::new();
        for items in self.lists() {
            make_empty(&mut first_seen, items.len());
            for item in items {
                if let Some(first) = first_seen.insert(self.ids.get(item), item) {
                    let problem = DataProblem::DuplicateItem { first: self.lines[first] };
                    return Err(DataError::new(self.place(item), problem));
                }
            }
        }
        Ok(())
    }
}

/// Refuses names that occur twice.
fn check_names(source: &str, columns: &Columns) -> Result<(), DataError> {
    let mut seen = HashSet::new();
    match columns.roles_and_features().find(|name| !seen.insert(*name)) {
        None => Ok(()),
        Some(name) => {
            let problem = DataProblem::DuplicateColumn(name.to_owned());
            Err(DataError::new(Place::source(source), problem))
        }
    }
}

/// Empties a map that is to take `n` entries. Clearing takes time in proportion to the capacity:
/// a map that served a huge list is replaced rather than cleared for each small one.
fn make_empty<K, V>(map: &mut HashMap<K, V>, n: usize) {
    const MAX_OVERSIZE: usize = 8;
    if map.capacity() / MAX_OVERSIZE > n {
        *map = HashMap::new();
    } else {
        map.clear();
    }
}

#[cfg(test)]
mod tests;
