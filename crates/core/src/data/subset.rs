//! Some of the lists of a data set, and a data set with the features of another: for splitting
//! data into training and validation lists.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use super::permute::restride;
use super::{DataError, DataProblem, Dataset, Feature, FeatureKind, Place, TextColumn};
use crate::random::draw_for;
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
        self.take_lists_of_shard(lists)
    }

    /// The same for one of several [shards](crate::shards), which may have none of the lists.
    ///
    /// # Panics
    /// If `lists` names a list twice, or one that does not exist.
    #[must_use]
    pub fn take_lists_of_shard(&self, lists: &[usize]) -> Dataset {
        let mut taken = vec![false; self.n_lists()];
        for &list in lists {
            assert!(!std::mem::replace(&mut taken[list], true), "list {list} is named twice");
        }
        let items: Vec<usize> = lists.iter().flat_map(|&list| self.items(list)).collect();
        let names = lists.iter().map(|&list| self.list_ids[list].clone());
        let lengths = lists.iter().map(|&list| self.items(list).len());
        self.select_items(&items, names.zip(lengths))
    }

    /// Returns a data set in which the items of the only list are dealt to so many lists of equal length, at
    /// random: by the seed and their ids (or lines), so that the order of the file does not matter.
    ///
    /// # Errors
    /// If there are several lists, or fewer items than parts.
    pub fn dealt(&self, parts: usize, seed: u64) -> Result<Dataset, String> {
        if self.n_lists() > 1 || parts < 2 || self.len() < parts {
            return Err(format!(
                "{}: one list of at least as many items as parts can be dealt into 2 parts or more; there are {} items \
                 in {} and {parts} parts",
                self.source,
                self.len(),
                crate::display::counted(self.n_lists(), "list")
            ));
        }
        let name = |item: usize| {
            self.item_id(item).map_or_else(|| self.line(item).to_string(), str::to_owned)
        };
        let mut drawn: Vec<(f64, usize)> =
            (0..self.len()).map(|item| (draw_for(seed, &name(item)), item)).collect();
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| name(a.1).cmp(&name(b.1))));
        let mut lists = vec![Vec::new(); parts];
        for (place, (_, item)) in drawn.into_iter().enumerate() {
            lists[place % parts].push(item);
        }
        lists.iter_mut().for_each(|list| list.sort_unstable());
        let named = (1..).zip(&lists).map(|(number, list)| (format!("{number}"), list.len()));
        let mut data = self.select_items(&lists.concat(), named);
        Arc::make_mut(&mut data.columns).list = Some("part".to_owned());
        Ok(data)
    }

    /// Returns the same items with these weights, one per item, finite and not negative.
    ///
    /// # Panics
    /// If there are more or fewer.
    #[must_use]
    pub fn with_weight(mut self, weight: Vec<f64>) -> Dataset {
        assert_eq!(weight.len(), self.len(), "one weight per item");
        self.weight = weight;
        Arc::make_mut(&mut self.columns).weight.get_or_insert_with(|| "weight".to_owned());
        self
    }

    /// These items, in lists of these names and lengths.
    fn select_items(
        &self,
        items: &[usize],
        lists: impl IntoIterator<Item = (String, usize)>,
    ) -> Dataset {
        let width = self.features.width;
        let (mut list_ids, mut offsets) = (Vec::new(), vec![0]);
        for (name, length) in lists {
            list_ids.push(name);
            offsets.push(offsets[offsets.len() - 1] + length);
        }
        let mut data = Dataset {
            source: self.source.clone(),
            columns: self.columns.clone(),
            list_ids,
            lines: select(&self.lines, items),
            features: super::FeatureMatrix::new(Vec::new(), width),
            impact: select(&self.impact, items),
            ids: select_text(&self.ids, items),
            weight: select(&self.weight, items),
            price: select(&self.price, items),
            groups: self.groups.clone(),
            group_of: select(&self.group_of, items),
            time: super::TimeColumn {
                text: select_text(&self.time.text, items),
                keys: select(&self.time.keys, items),
            },
            extras: self.extras.iter().map(|column| select(column, items)).collect(),
            column_order: self.column_order.clone(),
            dropped_rows: self.dropped_rows,
            notes: self.notes.clone(),
            rounded: self.rounded.clone(),
            offsets,
        };
        if let Some(stored) = &self.features.stored {
            data.features.stored = Some(stored.of_items(items));
            return data;
        }
        data.features.values.reserve_exact(items.len() * width);
        for &item in items {
            data.features.values.extend_from_slice(self.features.row(item));
        }
        data
    }

    /// Returns the same items with the features of `other`, matched by name: in its order, with its
    /// codes of categories. Features that `other` does not have are left out, and categories that
    /// it does not have become missing.
    ///
    /// # Errors
    /// If features of `other` are missing or of another kind.
    pub fn with_features_of(mut self, other: &Dataset) -> Result<Dataset, DataError> {
        let wanted = other.feature_info();
        if self.features.is_stored() {
            if wanted == self.feature_info() {
                return Ok(self);
            }
            self = self.loaded()?;
        }
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
        Arc::make_mut(&mut self.columns).features = wanted.to_vec();
        self.features = super::FeatureMatrix::new(values, wanted.len());
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
        self.features.values_mut().retain(|_| at.next().is_some_and(|at| at % width != left_out));
        self.features.width -= 1;
        Arc::make_mut(&mut self.columns).features.remove(left_out);
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
        Arc::make_mut(&mut self.columns).features.extend(new);
        let width = self.columns.features.len();
        if width > old {
            let rows = self.len();
            restride(self.features.values_mut(), rows, old, old, width);
            self.features.width = width;
        }
        self
    }
}

/// Returns these rows of a column; a role that the data lacks stays empty.
fn select<T: Copy>(column: &[T], items: &[usize]) -> Vec<T> {
    if column.is_empty() {
        return Vec::new();
    }
    items.iter().map(|&item| column[item]).collect()
}

fn select_text(column: &TextColumn, items: &[usize]) -> TextColumn {
    let mut selected = TextColumn::default();
    if !column.is_empty() {
        items.iter().for_each(|&item| selected.push(column.get(item)));
    }
    selected
}

/// Returns for each code of `from` the code of the same name in `to`; missing if there is none.
fn translation(from: &[String], to: &[String]) -> Vec<f32> {
    let codes: HashMap<&String, usize> = to.iter().zip(0..).collect();
    from.iter().map(|name| codes.get(name).map_or(f32::NAN, |&code| code as f32)).collect()
}

#[cfg(test)]
mod tests;
