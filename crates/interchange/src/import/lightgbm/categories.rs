//! Categories of LightGBM: codes of 32 bits in the file, names if the model was trained with pandas.
//!
//! A test sends a set of codes to the left; missing values, unknown codes and all others go to the right. So codes
//! that no test names behave as missing values do, and need no code of ours: models with thousands of
//! categories fit as long as their tests name at most 255 of a feature.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use stakes_model::tree::CategorySet;
use stakes_model::{MAX_CATEGORIES, ModelFeature};

use super::text::Text;
use crate::import::error::Fault;

/// The categories of one feature.
#[derive(Default)]
pub(super) struct Categories {
    /// Codes that some test names.
    tested: BTreeSet<u32>,
    /// All codes that the file lists.
    listed: BTreeSet<u32>,
    names: Option<Vec<String>>,
    /// Our code for each of theirs.
    codes: BTreeMap<u32, u8>,
}

/// The categories of all features that have some, by number.
pub(super) struct AllCategories(BTreeMap<u32, Categories>);

impl AllCategories {
    /// What the header says: `feature_infos` has `-1:0:3:7` for a feature with categories 0, 3 and 7.
    pub(super) fn of(text: &Text<'_>) -> Result<Self, Fault> {
        let mut all = BTreeMap::new();
        let infos = text.header.text("feature_infos").unwrap_or_default();
        for (feature, info) in (0..).zip(infos.split_ascii_whitespace()) {
            if info.contains(':') && !info.starts_with('[') {
                let listed = info.split(':').filter_map(|code| code.parse::<u32>().ok()).collect();
                all.insert(feature, Categories { listed, ..Categories::default() });
            }
        }
        Ok(AllCategories(all))
    }

    /// Notes a code that a test of the feature names.
    pub(super) fn add(&mut self, feature: u32, code: u32) {
        self.0.entry(feature).or_default().tested.insert(code);
    }

    /// Names the categories and gives them our codes; returns what to say about it.
    pub(super) fn finish(&mut self, text: &Text<'_>) -> Result<Option<String>, Fault> {
        let note = self.take_names(text)?;
        for categories in self.0.values_mut() {
            let Categories { tested, listed, names, .. } = categories;
            // All that are known, where there is room: then none of them is reported as unknown.
            let named = names.as_ref().map_or(0, |names| names.len() as u32);
            let all: BTreeSet<u32> =
                tested.iter().chain(&*listed).copied().chain(0..named).collect();
            let kept = if all.len() <= MAX_CATEGORIES { &all } else { &*tested };
            categories.codes = kept.iter().copied().zip(0..=u8::MAX).collect();
            if kept.len() > MAX_CATEGORIES {
                categories.codes.clear();
            }
        }
        Ok(note)
    }

    /// The names that pandas had for the codes 0, 1, ...
    fn take_names(&mut self, text: &Text<'_>) -> Result<Option<String>, Fault> {
        let Some((line, json)) = text.pandas_categorical else { return Ok(None) };
        let lists: Option<Vec<Vec<Value>>> = serde_json::from_str(json).map_err(|error| {
            Fault::at_line(
                line,
                format!("`pandas_categorical` is not as LightGBM writes it: {error}"),
            )
        })?;
        let Some(lists) = lists.filter(|lists| !lists.is_empty()) else { return Ok(None) };
        // Columns of the type category, in their order. Those that are ordered count as numbers.
        let asked = text.parameters.get("categorical_feature").copied().unwrap_or_default();
        let asked: BTreeSet<u32> = asked.split(',').filter_map(|one| one.parse().ok()).collect();
        let columns: Vec<u32> = match asked.len() == lists.len() {
            true => asked.into_iter().collect(),
            false => self.0.keys().copied().collect(),
        };
        if columns.len() != lists.len() {
            return Ok(Some(format!(
                "the file has names of categories for {} columns, and {} of the features have categories: which \
                 are meant is not known, so categories are called by their codes 0, 1, ...",
                lists.len(),
                columns.len()
            )));
        }
        for (column, values) in columns.into_iter().zip(lists) {
            let names = values.iter().map(name).collect();
            self.0.entry(column).or_default().names = Some(names);
        }
        Ok(None)
    }

    pub(super) fn has(&self, feature: u32) -> bool {
        self.0.contains_key(&feature)
    }

    /// The set of our codes for theirs.
    pub(super) fn set(&self, feature: u32, codes: impl Iterator<Item = u32>) -> CategorySet {
        let known = self.0.get(&feature);
        codes.filter_map(|code| known?.codes.get(&code).copied()).collect()
    }

    /// Makes the features with categories categorical.
    pub(super) fn apply(&self, features: &mut [ModelFeature]) -> Result<(), Fault> {
        for (&feature, categories) in &self.0 {
            let Some(feature) = features.get_mut(feature as usize) else { continue };
            if categories.tested.len() > MAX_CATEGORIES {
                return Err(Fault::refused(format!(
                    "its trees tell {} categories of `{}` apart; models of stakes tell {MAX_CATEGORIES}",
                    categories.tested.len(),
                    feature.name
                )));
            }
            let name = |code: &u32| {
                let names = categories.names.as_ref();
                let name = names.and_then(|names| names.get(*code as usize));
                name.cloned().unwrap_or_else(|| code.to_string())
            };
            feature.categories = Some(categories.codes.keys().map(name).collect());
        }
        Ok(())
    }
}

/// A category as it is written in data.
fn name(value: &Value) -> String {
    match value {
        Value::String(text) => text.clone(),
        Value::Bool(true) => "True".to_owned(),
        Value::Bool(false) => "False".to_owned(),
        other => other.to_string(),
    }
}
