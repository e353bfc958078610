//! How one feature of a model is read from a column, and the translation of category codes.

use std::collections::HashMap;

use stakes_core::data::{Dataset, FeatureKind};

use crate::{ModelError, ModelFeature};

/// The maximum number of unknown categories that are named.
const MAX_SHOWN: usize = 5;

/// Categories of one feature that a model does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCategories {
    /// The name of the feature.
    pub feature: String,
    /// The number of items with an unknown category.
    pub items: usize,
    /// The number of unknown categories.
    pub categories: usize,
    /// The first few of them, in the order of their codes.
    pub examples: Vec<String>,
}

/// The column that a feature is read from, and how.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Source {
    /// The column unchanged.
    AsIs(usize),
    /// A column of codes, and the model's value for each code.
    Codes(usize, Vec<f32>),
    /// A column of numbers that the model has as categories, and its code for the bits of each.
    Numbers(usize, HashMap<u32, f32>),
}

impl Source {
    /// Chooses how a feature is read from a column; reports unknown categories to `unknown`.
    pub(super) fn new(
        feature: &ModelFeature,
        data: &Dataset,
        column: usize,
        unknown: &mut Vec<UnknownCategories>,
    ) -> Result<Source, ModelError> {
        match (&feature.categories, &data.feature_info()[column].kind) {
            (None, FeatureKind::Numeric) => Ok(Source::AsIs(column)),
            (None, FeatureKind::Categorical(names)) => {
                let number =
                    |name: &String| name.trim().parse().ok().filter(|n: &f32| n.is_finite());
                let numbers: Result<Vec<f32>, _> =
                    names.iter().map(|name| number(name).ok_or_else(|| name.clone())).collect();
                numbers.map(|numbers| Source::Codes(column, numbers)).map_err(|met| {
                    let (file, column) = (data.source().to_owned(), feature.name.clone());
                    ModelError::NotNumbers { file, column, met }
                })
            }
            (Some(known), FeatureKind::Categorical(names)) if known == names => {
                Ok(Source::AsIs(column))
            }
            (Some(known), FeatureKind::Categorical(names)) => {
                let codes: HashMap<&str, f32> = (known.iter().enumerate())
                    .map(|(code, name)| (name.as_str(), code as f32))
                    .collect();
                let to: Vec<f32> =
                    names.iter().map(|n| *codes.get(n.as_str()).unwrap_or(&f32::NAN)).collect();
                let is_unknown = |v: f32| v >= 0.0 && recode(v, &to).is_nan();
                unknown.extend(unknown_categories(feature, data, column, is_unknown));
                let same = to.iter().enumerate().all(|(code, &to)| to == code as f32);
                Ok(if same { Source::AsIs(column) } else { Source::Codes(column, to) })
            }
            (Some(known), FeatureKind::Numeric) => {
                let to = codes_by_number(known);
                let is_unknown = |v: f32| !v.is_nan() && !to.contains_key(&bits(v));
                unknown.extend(unknown_categories(feature, data, column, is_unknown));
                Ok(Source::Numbers(column, to))
            }
        }
    }

    /// The model's value for a row of the data.
    #[inline]
    pub(super) fn value(&self, row: &[f32]) -> f32 {
        match self {
            Source::AsIs(column) => row[*column],
            Source::Codes(column, to) => recode(row[*column], to),
            Source::Numbers(column, to) => *to.get(&bits(row[*column])).unwrap_or(&f32::NAN),
        }
    }
}

/// The value for a code; NaN for a missing one.
fn recode(code: f32, to: &[f32]) -> f32 {
    if code >= 0.0 { *to.get(code as usize).unwrap_or(&f32::NAN) } else { f32::NAN }
}

/// The bits of a number, the same for 0 and -0.
fn bits(number: f32) -> u32 {
    (number + 0.0).to_bits()
}

/// The codes of categories whose names are numbers. If both `3` and `03` are names, the number 3
/// stands for the first.
fn codes_by_number(names: &[String]) -> HashMap<u32, f32> {
    let mut codes = HashMap::new();
    for (code, name) in names.iter().enumerate() {
        let Ok(number) = name.trim().parse::<f32>() else { continue };
        if number.to_string() == *name {
            codes.insert(bits(number), code as f32);
        } else {
            codes.entry(bits(number)).or_insert(code as f32);
        }
    }
    codes
}

/// The unknown categories of a column; `None` if there are none. Stored features are not searched for them: they are
/// trained on, and what a model leaves out of its own training data is no news.
fn unknown_categories(
    feature: &ModelFeature,
    data: &Dataset,
    column: usize,
    is_unknown: impl Fn(f32) -> bool,
) -> Option<UnknownCategories> {
    if data.features().is_stored() {
        return None;
    }
    let mut items = 0;
    let mut seen: HashMap<u32, f32> = HashMap::new();
    for value in data.features().column(column).filter(|&v| is_unknown(v)) {
        items += 1;
        seen.insert(bits(value), value + 0.0);
    }
    if items == 0 {
        return None;
    }
    let mut values: Vec<f32> = seen.into_values().collect();
    values.sort_by(f32::total_cmp);
    let info = &data.feature_info()[column];
    let name = |&v: &f32| info.category(v).map_or_else(|| v.to_string(), str::to_owned);
    Some(UnknownCategories {
        feature: feature.name.clone(),
        items,
        categories: values.len(),
        examples: values.iter().take(MAX_SHOWN).map(name).collect(),
    })
}
