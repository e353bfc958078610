//! Matching of a model's features to the columns of a data set: by name, in any order, with the data's
//! own codes of categories.
//!
//! Example: the model has `pole` with wood = 0 and steel = 1; the data have steel = 0 and iron = 1.
//! Then code 0 becomes 1, code 1 becomes missing, and [`MatchedColumns::unknown`] reports iron.

mod source;

use std::collections::{HashMap, HashSet};

use rayon::prelude::*;
use stakes_core::data::Dataset;
use stakes_core::suggest;

use super::error::MAX_SHOWN;
use super::list_scaling::Scale;
use super::{ListScaling, ModelError, ModelFeature};
use source::Source;

pub use source::UnknownCategories;

/// The columns of a data set that a model reads.
#[derive(Debug, Clone, PartialEq)]
pub struct MatchedColumns {
    /// One for each feature of the model.
    sources: Vec<Source>,
    /// By list and feature; empty if numbers are not scaled within lists.
    scales: Vec<Scale>,
    /// The columns that the model does not read.
    pub extra: Vec<String>,
    /// Categories that the model does not know, by feature; they are treated as missing.
    pub unknown: Vec<UnknownCategories>,
}

impl MatchedColumns {
    /// Finds features in the data.
    pub fn new(
        features: &[ModelFeature],
        scaling: ListScaling,
        data: &Dataset,
    ) -> Result<MatchedColumns, ModelError> {
        let (places, extra) = match are_in_order(features, data) {
            true => ((0..features.len()).collect(), Vec::new()),
            false => {
                let extra = not_read(features, data).map(str::to_owned).collect();
                (places(features, data)?, extra)
            }
        };
        let mut unknown = Vec::new();
        let mut sources = Vec::with_capacity(places.len());
        for (feature, column) in features.iter().zip(places) {
            sources.push(Source::new(feature, data, column, &mut unknown)?);
        }
        let scales = match scaling {
            ListScaling::None => Vec::new(),
            scaling => scales(scaling, features, &sources, data),
        };
        Ok(MatchedColumns { sources, scales, extra, unknown })
    }

    /// The features of an item in the model's order and codes.
    pub fn row<'d>(&'d self, data: &'d Dataset, item: usize) -> impl Iterator<Item = f32> + 'd {
        self.of_row(data, item, data.features().row(item))
    }

    /// The same where the features of the item are at hand.
    pub(super) fn of_row<'d>(
        &'d self,
        data: &Dataset,
        item: usize,
        row: &'d [f32],
    ) -> impl Iterator<Item = f32> + 'd {
        let width = self.sources.len();
        let scales = match self.scales.is_empty() {
            true => &[][..],
            false => &self.scales[data.list_of(item) * width..][..width],
        };
        self.sources.iter().enumerate().map(move |(feature, source)| {
            let value = source.value(row);
            scales.get(feature).map_or(value, |scale| scale.apply(value))
        })
    }

    /// One feature of a row of the data, by its number in the model, before it is scaled within the list.
    pub(super) fn value(&self, row: &[f32], feature: usize) -> f64 {
        f64::from(self.sources[feature].value(row))
    }

    /// Whether the rows of the data can be scored as they are.
    pub(super) fn in_order(&self) -> bool {
        let mut places = self.sources.iter().enumerate();
        self.scales.is_empty()
            && places.all(|(i, source)| matches!(source, Source::AsIs(column) if *column == i))
    }
}

/// Whether the data have the features of a model, all of them in its order and no others.
fn are_in_order(features: &[ModelFeature], data: &Dataset) -> bool {
    let columns = data.feature_info();
    columns.len() == features.len() && columns.iter().zip(features).all(|(a, b)| a.name == b.name)
}

/// The column of each feature.
fn places(features: &[ModelFeature], data: &Dataset) -> Result<Vec<usize>, ModelError> {
    let columns: HashMap<&str, usize> =
        data.feature_info().iter().enumerate().map(|(j, f)| (f.name.as_str(), j)).collect();
    let mut places = Vec::with_capacity(features.len());
    let mut missing = Vec::new();
    for feature in features {
        match columns.get(feature.name.as_str()) {
            Some(&column) => places.push(column),
            // Only the first are shown, and a hint takes a look at every column.
            None if missing.len() < MAX_SHOWN => {
                missing.push((feature.name.clone(), hint(features, &feature.name, data)));
            }
            None => missing.push((feature.name.clone(), String::new())),
        }
    }
    match missing.is_empty() {
        true => Ok(places),
        false => Err(ModelError::MissingColumns { file: data.source().to_owned(), missing }),
    }
}

/// The scales by list and feature; categories are not scaled.
fn scales(
    scaling: ListScaling,
    features: &[ModelFeature],
    sources: &[Source],
    data: &Dataset,
) -> Vec<Scale> {
    let of_list = |list: usize| {
        let items = data.items(list);
        features.iter().zip(sources).map(move |(feature, source)| match feature.categories {
            Some(_) => Scale::IDENTITY,
            None => {
                let value = |item| source.value(data.features().row(item));
                Scale::of(scaling, items.clone().map(value))
            }
        })
    };
    let lists = (0..data.n_lists()).into_par_iter();
    lists.flat_map_iter(of_list).collect()
}

/// The features of the data that a model does not read.
fn not_read<'d>(features: &'d [ModelFeature], data: &'d Dataset) -> impl Iterator<Item = &'d str> {
    let known: HashSet<&str> = features.iter().map(|f| f.name.as_str()).collect();
    let names = data.feature_info().iter().map(|f| f.name.as_str());
    names.filter(move |name| !known.contains(name))
}

/// A hint at where a missing column may be.
fn hint(features: &[ModelFeature], name: &str, data: &Dataset) -> String {
    if data.columns().names().any(|other| other == name) {
        return "the data has it, but not as a feature".into();
    }
    match suggest::nearest(name, not_read(features, data)) {
        Some(near) => format!("did you mean `{near}`?"),
        None => String::new(),
    }
}
