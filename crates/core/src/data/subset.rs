//! Some of the lists of a data set, and a data set with the features of another: for splitting
//! data into training and validation lists.

use std::collections::{HashMap, HashSet};

use super::permute::restride;
use super::{DataError, DataProblem, Dataset, Feature, FeatureKind, Place, TextColumn};
use crate::suggest;

impl Dataset {
    /// Returns a data set of these lists only, in this order, with all columns. Codes of
    /// categories and groups stay the same.
    ///
    /// # Panics
    /// If `lists` is empty, names a list twice, or names one that does not exist.
    #[must_use]
    pub fn take_lists(&self, lists: &[usize]) -> Dataset {
        assert!(!lists.is_empty(), "a data set has at least one list");
        let mut taken = vec![false; self.n_lists()];
        for &list in lists {
            assert!(!std::mem::replace(&mut taken[list], true), "list {list} is named twice");
        }
        let width = self.features.width;
        let mut offsets = vec![0];
        for &list in lists {
            offsets.push(offsets[offsets.len() - 1] + self.items(list).len());
        }
        let mut data = Dataset {
            source: self.source.clone(),
            columns: self.columns.clone(),
            list_ids: lists.iter().map(|&list| self.list_ids[list].clone()).collect(),
            lines: self.select(&self.lines, lists),
            features: super::FeatureMatrix { values: Vec::new(), width },
            impact: self.select(&self.impact, lists),
            ids: self.select_text(&self.ids, lists),
            weight: self.select(&self.weight, lists),
            price: self.select(&self.price, lists),
            groups: self.groups.clone(),
            group_of: self.select(&self.group_of, lists),
            time: super::TimeColumn {
                text: self.select_text(&self.time.text, lists),
                keys: self.select(&self.time.keys, lists),
            },
            extras: self.extras.iter().map(|column| self.select(column, lists)).collect(),
            column_order: self.column_order.clone(),
            dropped_rows: self.dropped_rows,
            notes: self.notes.clone(),
            rounded: self.rounded.clone(),
            offsets,
        };
        data.features.values.reserve_exact(data.len() * width);
        for &list in lists {
            let items = self.items(list);
            let rows = &self.features.values[items.start * width..items.end * width];
            data.features.values.extend_from_slice(rows);
        }
        data
    }

    /// Returns the rows of these lists in a column; a role that the data lacks stays empty.
    fn select<T: Copy>(&self, column: &[T], lists: &[usize]) -> Vec<T> {
        if column.is_empty() {
            return Vec::new();
        }
        lists.iter().flat_map(|&list| &column[self.items(list)]).copied().collect()
    }

    fn select_text(&self, column: &TextColumn, lists: &[usize]) -> TextColumn {
        let mut selected = TextColumn::default();
        if !column.is_empty() {
            let items = lists.iter().flat_map(|&list| self.items(list));
            items.for_each(|item| selected.push(column.get(item)));
        }
        selected
    }

    /// Returns the same items with the features of `other`, matched by name: in its order, with its
    /// codes of categories. Features that `other` does not have are left out, and categories that
    /// it does not have become missing.
    ///
    /// # Errors
    /// If features of `other` are missing or of another kind.
    pub fn with_features_of(mut self, other: &Dataset) -> Result<Dataset, DataError> {
        let wanted = other.feature_info();
        let refuse = |what| {
            let problem = DataProblem::Format(what);
            Err(DataError::new(Place::source(&self.source), problem))
        };
        let own: HashMap<&str, usize> =
            self.columns.features.iter().map(|f| f.name.as_str()).zip(0..).collect();
        let found: Vec<Option<usize>> =
            wanted.iter().map(|f| own.get(f.name.as_str()).copied()).collect();
        let missing: Vec<&Feature> =
            wanted.iter().zip(&found).filter(|(_, at)| at.is_none()).map(|(f, _)| f).collect();
        if let Some(first) = missing.first() {
            let names: Vec<String> = missing.iter().map(|f| format!("`{}`", f.name)).collect();
            let hint = suggest::hint(&first.name, self.columns.names().collect::<Vec<_>>());
            let names = names.join(", ");
            let source = other.source();
            return refuse(format!("features of {source} are missing: {names}; {hint}"));
        }
        let found: Vec<usize> = found.into_iter().flatten().collect();
        let mut codes = Vec::with_capacity(wanted.len());
        for (feature, &at) in wanted.iter().zip(&found) {
            let own = &self.columns.features[at];
            codes.push(match (&feature.kind, &own.kind) {
                (FeatureKind::Numeric, FeatureKind::Numeric) => None,
                (FeatureKind::Categorical(names), FeatureKind::Categorical(own)) => {
                    Some(translation(own, names))
                }
                // A column without any value is read as numeric.
                (FeatureKind::Categorical(_), FeatureKind::Numeric)
                    if self.features.column(at).all(f32::is_nan) =>
                {
                    None
                }
                (FeatureKind::Categorical(_), FeatureKind::Numeric) => {
                    return refuse(format!(
                        "feature {} holds numbers here and text in {}; read it as categorical",
                        feature.name,
                        other.source()
                    ));
                }
                (FeatureKind::Numeric, FeatureKind::Categorical(_)) => {
                    return refuse(format!(
                        "feature {} holds text here and numbers in {}; correct the column",
                        feature.name,
                        other.source()
                    ));
                }
            });
        }
        let mut values = Vec::with_capacity(self.len() * wanted.len());
        for item in 0..self.len() {
            let row = self.features.row(item);
            values.extend(found.iter().zip(&codes).map(|(&at, codes)| match codes {
                Some(codes) if !row[at].is_nan() => codes[row[at] as usize],
                _ => row[at],
            }));
        }
        self.rounded = (0..wanted.len()).filter(|&j| self.rounded.contains(&found[j])).collect();
        self.columns.features = wanted.to_vec();
        self.features = super::FeatureMatrix { values, width: wanted.len() };
        Ok(self)
    }

    /// Returns the same items without a feature; the same data if there is none of this name.
    #[must_use]
    pub fn without_feature(mut self, name: &str) -> Dataset {
        let Some(left_out) = self.columns.features.iter().position(|f| f.name == name) else {
            return self;
        };
        let width = self.features.width;
        let mut at = 0..;
        self.features.values.retain(|_| at.next().is_some_and(|at| at % width != left_out));
        self.features.width -= 1;
        self.columns.features.remove(left_out);
        let moved = |&j: &usize| (j != left_out).then_some(j - usize::from(j > left_out));
        self.rounded = self.rounded.iter().filter_map(moved).collect();
        self
    }

    /// Returns the same items with further numeric features that are 0 everywhere, the meaning in a
    /// sparse format of a feature that no row mentions. Existing names are skipped.
    #[must_use]
    pub fn with_zero_features<'n>(mut self, names: impl IntoIterator<Item = &'n str>) -> Dataset {
        let old = self.features.width;
        let known: HashSet<String> = self.columns.names().map(str::to_owned).collect();
        let new = names.into_iter().filter(|name| !known.contains(*name)).map(Feature::numeric);
        self.columns.features.extend(new);
        let width = self.columns.features.len();
        if width > old {
            let rows = self.len();
            restride(&mut self.features.values, rows, old, old, width);
            self.features.width = width;
        }
        self
    }
}

/// Returns for each code of `from` the code of the same name in `to`; missing if there is none.
fn translation(from: &[String], to: &[String]) -> Vec<f32> {
    let codes: HashMap<&String, usize> = to.iter().zip(0..).collect();
    from.iter().map(|name| codes.get(name).map_or(f32::NAN, |&code| code as f32)).collect()
}

#[cfg(test)]
mod tests;
