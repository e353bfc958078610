//! Features of CatBoost: numbers and categories are counted apart, and `flat_feature_index` is the place in the data.

use std::collections::BTreeMap;

use stakes_model::{MAX_CATEGORIES, ModelFeature};

use super::file::Features;
use crate::import::error::Fault;

/// Far above the widest data, and small enough to allocate.
const MAX_FEATURES: u32 = 1 << 20;
/// What CatBoost calls a missing category.
const MISSING: &str = "nan";

pub(super) struct AllFeatures {
    features: Vec<ModelFeature>,
    named: bool,
    /// By number: the place, and whether a missing value is above all borders.
    floats: BTreeMap<u32, (u32, bool)>,
    /// By number: the place, and our code of each hash.
    categories: BTreeMap<u32, (u32, BTreeMap<u32, u8>)>,
}

impl AllFeatures {
    pub(super) fn new(file: &Features) -> Result<Self, Fault> {
        if !file.text_features.is_empty() || !file.embedding_features.is_empty() {
            return Err(Fault::refused(
                "it has texts or embeddings as features; numbers and categories are read",
            ));
        }
        let places = file.float_features.iter().map(|f| (f.flat_feature_index, &f.feature_id));
        let others =
            file.categorical_features.iter().map(|f| (f.flat_feature_index, &f.feature_id));
        let names: BTreeMap<u32, &String> = places.chain(others).collect();
        if names.len() != file.float_features.len() + file.categorical_features.len() {
            return Err(Fault::new(
                "features_info",
                "two features have the same flat_feature_index",
            ));
        }
        let width = names.keys().next_back().map_or(0, |&last| last.saturating_add(1));
        if width > MAX_FEATURES {
            let what = format!("it has {width} features; at most {MAX_FEATURES} are read");
            return Err(Fault::refused(what));
        }
        let named =
            names.iter().any(|(place, name)| !name.is_empty() && **name != place.to_string());
        let name = |place: u32| match names.get(&place) {
            Some(name) if !name.is_empty() => (*name).clone(),
            _ => place.to_string(),
        };
        let feature = |place| ModelFeature { name: name(place), categories: None };
        let mut all = AllFeatures {
            features: (0..width).map(feature).collect(),
            named,
            floats: BTreeMap::new(),
            categories: BTreeMap::new(),
        };
        for float in &file.float_features {
            let missing_above = match float.nan_value_treatment.as_str() {
                "AsTrue" => true,
                "AsFalse" | "AsIs" | "" => false,
                other => {
                    let what = format!("nan_value_treatment is `{other}`, which is not known");
                    return Err(Fault::new("float_features", what));
                }
            };
            all.floats.insert(float.feature_index, (float.flat_feature_index, missing_above));
        }
        all.add_categories(file)?;
        Ok(all)
    }

    /// Only categories that are tested need a code: all others fail every test, as missing values do.
    fn add_categories(&mut self, file: &Features) -> Result<(), Fault> {
        // A hash has 32 bits, and is written with a sign or without.
        let known = file.cat_features_hash.as_deref().unwrap_or_default().iter();
        let names: BTreeMap<u32, &String> =
            known.map(|known| (known.hash as u32, &known.value)).collect();
        for categorical in &file.categorical_features {
            let place = categorical.flat_feature_index;
            let hashes: Vec<u32> = categorical.values.iter().map(|&hash| hash as u32).collect();
            let feature = &mut self.features[place as usize];
            if hashes.len() > MAX_CATEGORIES {
                return Err(Fault::refused(format!(
                    "its trees tell {} categories of `{}` apart; models of stakes tell {MAX_CATEGORIES}",
                    hashes.len(),
                    feature.name
                )));
            }
            let name = |hash: &u32| {
                names.get(hash).map(|name| (*name).clone()).ok_or_else(|| {
                    Fault::refused(format!(
                        "the names of the categories of `{}` are not in the file; save it with the data: \
                         model.save_model(..., format=\"json\", pool=pool)",
                        feature.name
                    ))
                })
            };
            feature.categories = Some(hashes.iter().map(name).collect::<Result<_, _>>()?);
            let codes = hashes.into_iter().zip(0..=u8::MAX).collect();
            self.categories.insert(categorical.feature_index, (place, codes));
        }
        Ok(())
    }

    /// The place of a number, and whether a missing value is above all borders.
    pub(super) fn float(&self, index: u32) -> Result<(u32, bool), Fault> {
        self.floats.get(&index).copied().ok_or_else(|| {
            Fault::new("float_feature_index", format!("is {index}; there is no such feature"))
        })
    }

    /// The place of a category, its code, and whether a missing value is this category.
    pub(super) fn category(&self, index: u32, value: i64) -> Result<(u32, u8, bool), Fault> {
        let found = self.categories.get(&index);
        let code = found.and_then(|(place, codes)| Some((*place, *codes.get(&(value as u32))?)));
        let Some((place, code)) = code else {
            let what = format!("feature {index} has no category {value}");
            return Err(Fault::new("cat_feature_index", what));
        };
        let names = self.features[place as usize].categories.as_deref().unwrap_or_default();
        Ok((place, code, names.get(usize::from(code)).is_some_and(|name| name == MISSING)))
    }

    pub(super) fn into_features(self) -> (Vec<ModelFeature>, bool) {
        (self.features, self.named)
    }
}
