//! The door: the only way to a [`Dataset`], and the place of every check on data.

use std::collections::HashMap;

use super::error::{DataError, DataProblem, Place};
use super::permute::{grouping_order, permute_rows};
use super::{
    Categories, Dataset, Feature, FeatureKind, FeatureMatrix, TextColumn, TimeColumn, time,
};

/// Row numbers are 32 bits wide in the orders we sort.
const MAX_ROWS: u64 = u32::MAX as u64;
/// A matrix row of more features than this is a mistake in the file, not data.
const MAX_FEATURES: u64 = 1 << 20;

/// What columns there are. A role that has a name here must have a value in every row.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Columns {
    /// The list an item belongs to; without it all items form one list.
    pub list: Option<String>,
    /// The observed impact (or relevance label).
    pub impact: Option<String>,
    /// The item's id, unique within its list.
    pub id: Option<String>,
    /// Importance independent of the impact.
    pub weight: Option<String>,
    /// The protected group.
    pub group: Option<String>,
    /// What acting on the item costs.
    pub price: Option<String>,
    /// When the item was observed.
    pub time: Option<String>,
    /// The features, in order.
    pub features: Vec<Feature>,
    /// Numeric columns kept in full precision: scores, inputs of the cost.
    pub extras: Vec<String>,
}

impl Columns {
    /// Only features, no roles yet.
    pub fn of_features(features: Vec<Feature>) -> Self {
        Columns { features, ..Columns::default() }
    }

    /// Every name, roles first. (An extra may share its name with a role.)
    pub fn names(&self) -> impl Iterator<Item = &str> {
        [&self.list, &self.id, &self.impact, &self.weight, &self.group, &self.price, &self.time]
            .into_iter()
            .flatten()
            .map(String::as_str)
            .chain(self.features.iter().map(|f| f.name.as_str()))
            .chain(self.extras.iter().map(String::as_str))
    }
}

/// One item on its way in. Roles that [`Columns`] does not name are ignored.
#[derive(Debug, Clone, Copy, Default)]
pub struct Row<'a> {
    /// Line of the source, from 1.
    pub line: u64,
    /// The list's id.
    pub list: &'a str,
    /// Observed impact.
    pub impact: Option<f64>,
    /// The item's id.
    pub id: Option<&'a str>,
    /// Importance.
    pub weight: Option<f64>,
    /// Protected group.
    pub group: Option<&'a str>,
    /// Treatment price.
    pub price: Option<f64>,
    /// Time as written.
    pub time: Option<&'a str>,
    /// Feature values; `NaN` where missing.
    pub features: &'a [f32],
    /// Values of the extra columns; `NaN` where missing.
    pub extras: &'a [f64],
}

/// Collects rows, checks them, and gives a [`Dataset`].
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
#[derive(Debug)]
pub struct DatasetBuilder {
    data: Dataset,
    lists: Categories,
    list_of_row: Vec<u32>,
    stride: usize,
}

impl DatasetBuilder {
    /// Declares the columns. Names must differ, except that an extra may repeat a role.
    pub fn new(source: impl Into<String>, columns: Columns) -> Result<Self, DataError> {
        let source = source.into();
        let mut seen = HashMap::new();
        for name in columns.names() {
            *seen.entry(name).or_insert(0) += 1;
        }
        for extra in &columns.extras {
            if let Some(count) = seen.get_mut(extra.as_str()) {
                *count -= 1;
            }
        }
        if let Some((name, _)) = seen.iter().find(|(_, count)| **count > 1) {
            let problem = DataProblem::DuplicateColumn((*name).to_owned());
            return Err(DataError::new(Place::source(source), problem));
        }
        let stride = columns.features.len();
        let extras = vec![Vec::new(); columns.extras.len()];
        let data = Dataset {
            source,
            columns,
            list_ids: Vec::new(),
            offsets: Vec::new(),
            lines: Vec::new(),
            features: FeatureMatrix { values: Vec::new(), width: stride },
            impact: Vec::new(),
            ids: TextColumn::default(),
            weight: Vec::new(),
            price: Vec::new(),
            groups: Categories::default(),
            group_of: Vec::new(),
            time: TimeColumn::default(),
            extras,
        };
        let builder =
            DatasetBuilder { data, lists: Categories::default(), list_of_row: Vec::new(), stride };
        builder.check_size("features", stride as u64, MAX_FEATURES)?;
        Ok(builder)
    }

    /// Where the rows come from.
    pub fn source(&self) -> &str {
        &self.data.source
    }

    /// Number of rows so far.
    pub fn len(&self) -> usize {
        self.list_of_row.len()
    }

    /// Whether no row has come in yet.
    pub fn is_empty(&self) -> bool {
        self.list_of_row.is_empty()
    }

    /// Adds an item, or says what is wrong with it.
    pub fn push(&mut self, row: Row<'_>) -> Result<(), DataError> {
        let width = self.data.columns.features.len();
        if row.features.len() != width {
            let problem = DataProblem::RowWidth { met: row.features.len(), expected: width };
            return Err(self.error(&row, problem));
        }
        self.push_with(row, |features| features.copy_from_slice(row.features))
    }

    /// Adds an item whose features are written in place: `fill` gets them as zeros, one for
    /// each declared feature. (`row.features` is not looked at.) For sparse formats.
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
        let start = self.data.features.values.len();
        self.data.features.values.resize(start + self.stride, 0.0);
        let features = &mut self.data.features.values[start..][..self.data.columns.features.len()];
        fill(features);
        // Without an early exit the search becomes vector instructions; almost no row has any.
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

    /// More features than were declared, as sparse formats find out while reading. Rows so
    /// far get `0.0` there, which is what an absent feature means in those formats.
    pub fn widen(&mut self, features: Vec<Feature>) -> Result<(), DataError> {
        let old = self.data.columns.features.len();
        let new = old + features.len();
        self.check_size("features", new as u64, MAX_FEATURES)?;
        if new > self.stride {
            // Room to spare, so that a file whose rows grow one by one is not copied each time.
            let stride = if self.is_empty() { new } else { new.max(self.stride + self.stride / 4) };
            let rows = self.len();
            restride(&mut self.data.features.values, rows, self.stride, old, stride);
            self.stride = stride;
        }
        self.data.columns.features.extend(features);
        Ok(())
    }

    /// Says what kind of values a feature has, once all are known.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn set_kind(&mut self, feature: usize, kind: FeatureKind) {
        self.data.columns.features[feature].kind = kind;
    }

    /// Replaces every value of one feature: for codes whose final order is known late.
    ///
    /// # Panics
    /// If there is no such feature.
    pub fn map_feature(&mut self, feature: usize, mut f: impl FnMut(f32) -> f32) {
        assert!(feature < self.data.columns.features.len(), "feature {feature}");
        for value in self.data.features.values.iter_mut().skip(feature).step_by(self.stride) {
            *value = f(*value);
        }
    }

    /// Overwrites one feature in rows already added, from `first` on: for formats that give
    /// column after column.
    ///
    /// # Panics
    /// If there is no such feature or there are not so many rows.
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

    /// Where row `row` came from.
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

    /// Goes on without ids: some formats carry them in comments, and a row without one
    /// shows that they are none.
    pub fn forget_ids(&mut self) {
        self.data.columns.id = None;
        self.data.ids = TextColumn::default();
    }

    /// Groups the rows of each list and makes the checks that need all of them.
    pub fn finish(mut self) -> Result<Dataset, DataError> {
        if self.is_empty() {
            return Err(DataError::new(Place::source(&self.data.source), DataProblem::Empty));
        }
        let width = self.data.columns.features.len();
        let rows = self.len();
        compact(&mut self.data.features.values, rows, self.stride, width);
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
            (Some(_), Some(t)) => Some(
                time::key(t).ok_or_else(|| self.error(row, DataProblem::BadTime(t.to_owned())))?,
            ),
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
    fn permute(&mut self, order: &[u32]) {
        permute_rows(&mut self.features.values, self.features.width, order);
        permute_rows(&mut self.lines, 1, order);
        let columns = [&mut self.impact, &mut self.weight, &mut self.price, &mut self.time.keys];
        for column in columns.into_iter().chain(&mut self.extras) {
            if !column.is_empty() {
                permute_rows(column, 1, order);
            }
        }
        if !self.group_of.is_empty() {
            permute_rows(&mut self.group_of, 1, order);
        }
        for text in [&mut self.ids, &mut self.time.text] {
            if !text.is_empty() {
                *text = text.permuted(order);
            }
        }
    }

    fn check_ids(&self) -> Result<(), DataError> {
        if self.columns.id.is_none() {
            return Ok(());
        }
        let mut first_seen: HashMap<&str, usize> = HashMap::new();
        for items in self.lists() {
            first_seen.clear();
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

/// Moves rows of `used` values from `old` apart to `new` apart, in place, last row first.
fn restride(values: &mut Vec<f32>, rows: usize, old: usize, used: usize, new: usize) {
    values.resize(rows * new, 0.0);
    for row in (0..rows).rev() {
        values.copy_within(row * old..row * old + used, row * new);
        values[row * new + used..(row + 1) * new].fill(0.0);
    }
}

/// Moves rows together again and gives spare memory back.
fn compact(values: &mut Vec<f32>, rows: usize, stride: usize, width: usize) {
    if stride != width {
        for row in 1..rows {
            values.copy_within(row * stride..row * stride + width, row * width);
        }
        values.truncate(rows * width);
    }
    values.shrink_to_fit();
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn columns() -> Columns {
        Columns {
            list: Some("storm".into()),
            impact: Some("customers".into()),
            id: Some("network".into()),
            ..Columns::of_features(vec![Feature::numeric("wind")])
        }
    }

    fn row<'a>(line: u64, list: &'a str, id: &'a str, impact: f64, wind: &'a [f32]) -> Row<'a> {
        Row { line, list, id: Some(id), impact: Some(impact), features: wind, ..Row::default() }
    }

    #[test]
    fn unsorted_rows_are_grouped_and_keep_their_way_back() {
        let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
        for (line, list, wind) in [(2, "b", 1.0), (3, "a", 2.0), (4, "b", 3.0)] {
            b.push(row(line, list, &line.to_string(), line as f64, &[wind])).unwrap();
        }
        let data = b.finish().unwrap();
        assert_eq!(data.offsets(), [0, 2, 3]);
        assert_eq!(data.features().values(), [1.0, 3.0, 2.0]);
        assert_eq!(data.impact().unwrap(), [2.0, 4.0, 3.0]);
        assert_eq!(data.place(1).to_string(), "s.csv:4 (list b, item 4)");
    }

    #[test]
    fn wrong_values_are_refused_with_their_place() {
        let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
        let met = |b: &mut DatasetBuilder, impact, wind: &[f32]| {
            b.push(row(7, "a", "x", impact, wind)).unwrap_err().to_string()
        };
        let place = "s.csv:7 (list a, item x): ";
        let must = "it must be a finite number >= 0";
        assert_eq!(met(&mut b, -3.0, &[1.0]), format!("{place}customers is -3; {must}"));
        assert_eq!(met(&mut b, f64::INFINITY, &[1.0]), format!("{place}customers is inf; {must}"));
        assert!(met(&mut b, f64::NAN, &[1.0]).contains("customers is missing"));
        assert!(met(&mut b, 1.0, &[f32::INFINITY]).contains("feature wind is infinite"));
        assert!(met(&mut b, 1.0, &[]).contains("the row has 0 features, 1 were declared"));
        assert!(b.finish().unwrap_err().to_string().contains("no rows"));
    }

    #[test]
    fn an_item_may_not_stand_twice_in_a_list() {
        let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
        b.push(row(2, "a", "x", 1.0, &[1.0])).unwrap();
        b.push(row(3, "b", "x", 1.0, &[1.0])).unwrap();
        b.push(row(4, "a", "x", 1.0, &[1.0])).unwrap();
        let error = b.finish().unwrap_err().to_string();
        assert!(error.starts_with("s.csv:4 (list a, item x): the item occurs twice"), "{error}");
        assert!(error.contains("first in line 2"), "{error}");
    }

    #[test]
    fn features_may_come_column_by_column() {
        let mut b = DatasetBuilder::new("s.csv", columns()).unwrap();
        b.widen(vec![Feature::numeric("rain")]).unwrap();
        for (line, list) in [(2, "b"), (3, "a"), (4, "b")] {
            b.push(row(line, list, &line.to_string(), 1.0, &[0.0, 0.5])).unwrap();
        }
        b.fill_feature(0, 1, [5.0, 6.0]).unwrap();
        let error = b.fill_feature(1, 0, [1.0, f32::NEG_INFINITY]).unwrap_err().to_string();
        assert!(error.starts_with("s.csv:3 (list a, item 3): feature rain is infinite"), "{error}");
        let data = b.finish().unwrap();
        assert_eq!(data.features().values(), [0.0, 1.0, 6.0, 0.5, 5.0, 0.5]);
    }

    #[test]
    fn sparse_rows_may_widen_the_matrix() {
        let mut b = DatasetBuilder::new("s.txt", Columns::default()).unwrap();
        let mut expected = Vec::new();
        for n in 1..=9usize {
            b.widen(vec![Feature::numeric(n.to_string())]).unwrap();
            let features: Vec<f32> = (0..n).map(|j| (n * 10 + j) as f32).collect();
            b.push(Row { features: &features, ..Row::default() }).unwrap();
            expected.extend(features.iter().copied().chain(std::iter::repeat_n(0.0, 9 - n)));
        }
        let data = b.finish().unwrap();
        assert_eq!(data.features().values(), expected);
    }
}
