//! Values of a model's features in the data's own units.

use std::fmt;

use serde::Serialize;
use stakes_core::display::nice_number;
use stakes_model::ModelFeature;

/// The value of a feature. As JSON it is a number, a text, or null where it is missing.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(untagged)]
pub enum FeatureValue {
    /// A number.
    Number(f64),
    /// The name of a category.
    Category(String),
    /// There is none.
    Missing,
}

impl FeatureValue {
    /// The value that a model has as a number: a category has a code, and what is missing is NaN.
    pub fn new(feature: &ModelFeature, value: f32) -> Self {
        match &feature.categories {
            _ if !value.is_finite() => FeatureValue::Missing,
            Some(names) => match names.get(value as usize) {
                Some(name) => FeatureValue::Category(name.clone()),
                None => FeatureValue::Missing,
            },
            // By its digits: 31.2 and not the nearest number of 64 bits, 31.200000762939453.
            None => value.to_string().parse().map_or(FeatureValue::Missing, FeatureValue::Number),
        }
    }
}

impl fmt::Display for FeatureValue {
    /// Whole numbers as they are (years, codes), others by their first digits.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FeatureValue::Number(number) if number.fract() != 0.0 => f.pad(&nice_number(*number)),
            // And not -0.
            FeatureValue::Number(number) => f.pad(&(number + 0.0).to_string()),
            FeatureValue::Category(name) => f.pad(name),
            FeatureValue::Missing => f.pad("missing"),
        }
    }
}
