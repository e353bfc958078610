//! A model's features found in data: by name, whatever their order, with the data's own codes
//! of categories.
//!
//! Example: the model knows `pole` as wood = 0, steel = 1; the data has steel = 0, iron = 1.
//! Then 0 becomes 1, and 1 becomes missing, and somebody is told that iron is unknown.

use std::collections::HashMap;

use rayon::prelude::*;
use stakes_core::data::{Dataset, Feature, FeatureKind};
use stakes_core::suggest;

use super::within::Scale;
use super::{Model, ModelError, ModelFeature, Within};

/// How a model's features are taken from a data set.
#[derive(Debug, Clone, PartialEq)]
pub struct Matched {
    /// One for each feature of the model.
    pub(super) taken: Vec<Taken>,
    /// By list and feature, where numbers are changed within lists; else empty.
    scales: Vec<Scale>,
    /// Columns that the model does not read.
    pub extra: Vec<String>,
    /// Categories that the model does not know, by feature; their items count as missing
    /// there.
    pub unknown: Vec<UnknownCategories>,
}

/// Categories of one feature that a model does not know.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UnknownCategories {
    /// The feature.
    pub feature: String,
    /// Items that have one of them.
    pub items: usize,
    /// How many there are.
    pub categories: usize,
    /// The first few, in the order of their codes.
    pub first: Vec<String>,
}

/// How many names are shown.
const SHOWN: usize = 5;

/// Where a feature of the model comes from.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Taken {
    /// The column as it is.
    AsIs(usize),
    /// A column of codes, each of which stands for something else in the model.
    Codes(usize, Vec<f32>),
    /// A column of numbers (by their bits) that the model knows as categories.
    Numbers(usize, HashMap<u32, f32>),
}

impl Taken {
    #[inline]
    pub(super) fn value(&self, row: &[f32]) -> f32 {
        match self {
            Taken::AsIs(column) => row[*column],
            Taken::Codes(column, to) => recode(row[*column], to),
            Taken::Numbers(column, to) => *to.get(&bits(row[*column])).unwrap_or(&f32::NAN),
        }
    }
}

/// What a code stands for; nothing for what is missing.
fn recode(code: f32, to: &[f32]) -> f32 {
    if code >= 0.0 { *to.get(code as usize).unwrap_or(&f32::NAN) } else { f32::NAN }
}

/// The bits of a number, the same for 0 and -0.
fn bits(number: f32) -> u32 {
    (number + 0.0).to_bits()
}

impl Matched {
    /// The features of an item as the model reads them: in its order and codes.
    pub fn row<'d>(&'d self, data: &'d Dataset, item: usize) -> impl Iterator<Item = f32> + 'd {
        let row = data.features().row(item);
        let scales = match self.scales.is_empty() {
            true => &[][..],
            false => &self.scales[data.list_of(item) * self.taken.len()..][..self.taken.len()],
        };
        self.taken.iter().enumerate().map(move |(feature, taken)| {
            let value = taken.value(row);
            scales.get(feature).map_or(value, |scale| scale.apply(value))
        })
    }

    /// Whether the rows of the data can be scored as they are.
    pub(super) fn in_order(&self) -> bool {
        let mut places = self.taken.iter().enumerate();
        self.scales.is_empty()
            && places.all(|(i, taken)| matches!(taken, Taken::AsIs(column) if *column == i))
    }
}

impl Model {
    /// Finds the model's features in the data.
    pub fn match_columns(&self, data: &Dataset) -> Result<Matched, ModelError> {
        Matched::new(&self.features, self.within, data)
    }
}

impl Matched {
    /// Finds features in the data.
    pub fn new(
        features: &[ModelFeature],
        within: Within,
        data: &Dataset,
    ) -> Result<Matched, ModelError> {
        let columns: HashMap<&str, usize> =
            data.feature_info().iter().enumerate().map(|(j, f)| (f.name.as_str(), j)).collect();
        let mut places = Vec::with_capacity(features.len());
        let mut missing = Vec::new();
        for feature in features {
            match columns.get(feature.name.as_str()) {
                Some(&column) => places.push(column),
                None => missing.push((feature.name.clone(), hint(features, &feature.name, data))),
            }
        }
        if !missing.is_empty() {
            return Err(ModelError::MissingColumns { file: data.source().to_owned(), missing });
        }
        let mut unknown = Vec::new();
        let mut taken = Vec::with_capacity(places.len());
        for (feature, column) in features.iter().zip(places) {
            taken.push(take(feature, data, column, &mut unknown)?);
        }
        let extra = not_read(features, data).map(str::to_owned).collect();
        let scales = match within {
            Within::None => Vec::new(),
            within => scales(within, features, &taken, data),
        };
        Ok(Matched { taken, scales, extra, unknown })
    }
}

/// By list and feature; categories stay as they are.
fn scales(
    within: Within,
    features: &[ModelFeature],
    taken: &[Taken],
    data: &Dataset,
) -> Vec<Scale> {
    let of_list = |list: usize| {
        let items = data.items(list);
        features.iter().zip(taken).map(move |(feature, taken)| match feature.categories {
            Some(_) => Scale::SAME,
            None => {
                let value = |item| taken.value(data.features().row(item));
                Scale::of(within, items.clone().map(value))
            }
        })
    };
    let lists = (0..data.n_lists()).into_par_iter();
    lists.flat_map_iter(of_list).collect()
}

/// The features of the data that a model does not read.
fn not_read<'d>(features: &'d [ModelFeature], data: &'d Dataset) -> impl Iterator<Item = &'d str> {
    let known: std::collections::HashSet<&str> = features.iter().map(|f| f.name.as_str()).collect();
    let names = data.feature_info().iter().map(|f| f.name.as_str());
    names.filter(move |name| !known.contains(name))
}

/// Where a column that is not among the features may be.
fn hint(features: &[ModelFeature], name: &str, data: &Dataset) -> String {
    if data.columns().names().any(|other| other == name) {
        return "it is here, but not as a feature".into();
    }
    match suggest::nearest(name, not_read(features, data)) {
        Some(near) => format!("is it `{near}`?"),
        None => String::new(),
    }
}

fn take(
    feature: &ModelFeature,
    data: &Dataset,
    column: usize,
    unknown: &mut Vec<UnknownCategories>,
) -> Result<Taken, ModelError> {
    let here: &Feature = &data.feature_info()[column];
    match (&feature.categories, &here.kind) {
        (None, FeatureKind::Numeric) => Ok(Taken::AsIs(column)),
        (None, FeatureKind::Categorical(names)) => {
            let number = |name: &String| name.trim().parse().ok().filter(|n: &f32| n.is_finite());
            let numbers: Result<Vec<f32>, _> =
                names.iter().map(|name| number(name).ok_or_else(|| name.clone())).collect();
            numbers.map(|numbers| Taken::Codes(column, numbers)).map_err(|met| {
                let (file, column) = (data.source().to_owned(), feature.name.clone());
                ModelError::NotNumbers { file, column, met }
            })
        }
        (Some(known), FeatureKind::Categorical(names)) => {
            let codes: HashMap<&str, f32> =
                known.iter().enumerate().map(|(code, name)| (name.as_str(), code as f32)).collect();
            let to: Vec<f32> =
                names.iter().map(|n| *codes.get(n.as_str()).unwrap_or(&f32::NAN)).collect();
            let is_unknown = |v: f32| v >= 0.0 && recode(v, &to).is_nan();
            note_unknown(feature, data, column, is_unknown, unknown);
            let same = to.iter().enumerate().all(|(code, &to)| to == code as f32);
            Ok(if same { Taken::AsIs(column) } else { Taken::Codes(column, to) })
        }
        (Some(known), FeatureKind::Numeric) => {
            let to = by_number(known);
            let is_unknown = |v: f32| !v.is_nan() && !to.contains_key(&bits(v));
            note_unknown(feature, data, column, is_unknown, unknown);
            Ok(Taken::Numbers(column, to))
        }
    }
}

/// The codes of categories whose names are numbers. Of `3` and `03` the plain one is meant.
fn by_number(names: &[String]) -> HashMap<u32, f32> {
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

fn note_unknown(
    feature: &ModelFeature,
    data: &Dataset,
    column: usize,
    is_unknown: impl Fn(f32) -> bool,
    unknown: &mut Vec<UnknownCategories>,
) {
    let mut items = 0;
    let mut seen: HashMap<u32, f32> = HashMap::new();
    for value in data.features().column(column).filter(|&v| is_unknown(v)) {
        items += 1;
        seen.insert(bits(value), value + 0.0);
    }
    if items == 0 {
        return;
    }
    let mut values: Vec<f32> = seen.into_values().collect();
    values.sort_by(f32::total_cmp);
    let here = &data.feature_info()[column];
    let name = |&v: &f32| here.category(v).map_or_else(|| v.to_string(), str::to_owned);
    unknown.push(UnknownCategories {
        feature: feature.name.clone(),
        items,
        categories: values.len(),
        first: values.iter().take(SHOWN).map(name).collect(),
    });
}
