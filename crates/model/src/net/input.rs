//! The inputs of a net: features as numbers that the first layer can weight.

use serde::{Deserialize, Serialize};
use stakes_core::random::{GAMMA, Stream, mix};

/// A number that the first layer reads.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Input {
    /// (x - mean) / deviation; 0 if x is missing.
    Number {
        /// The number of the feature.
        feature: u32,
        /// The mean over the training items.
        mean: f64,
        /// The standard deviation over the training items.
        deviation: f64,
    },
    /// 1 if the feature is missing, else 0.
    Missing {
        /// The number of the feature.
        feature: u32,
    },
    /// 1 if the feature has this category, else 0.
    Category {
        /// The number of the feature.
        feature: u32,
        /// The code of the category.
        code: u32,
    },
    /// A pseudo-random number from -1 to 1 that depends on the features only.
    Draw {
        /// The number of features that it depends on: all of the model.
        features: u32,
        /// The seed of the draws.
        #[serde(with = "as_text")]
        seed: u64,
    },
}

impl Input {
    /// The number of the feature that is read; `None` for a draw, which reads all.
    pub fn feature(&self) -> Option<usize> {
        match *self {
            Input::Number { feature, .. }
            | Input::Missing { feature }
            | Input::Category { feature, .. } => Some(feature as usize),
            Input::Draw { .. } => None,
        }
    }

    /// The value for a row of features, in the model's order and codes.
    #[inline]
    pub fn value(&self, features: &[f32]) -> f64 {
        match *self {
            Input::Number { feature, mean, deviation } => {
                // Scores are finite for infinite features, too.
                let x = features[feature as usize].clamp(f32::MIN, f32::MAX);
                if x.is_nan() { 0.0 } else { (f64::from(x) - mean) / deviation }
            }
            Input::Missing { feature } => f64::from(u8::from(features[feature as usize].is_nan())),
            Input::Category { feature, code } => {
                f64::from(u8::from(features[feature as usize] == code as f32))
            }
            Input::Draw { seed, features: count } => draw(seed, &features[..count as usize]),
        }
    }
}

/// A pseudo-random number from -1 to 1 that changes with every feature.
fn draw(seed: u64, features: &[f32]) -> f64 {
    // All missing values are equal, and so are 0 and -0.
    let bits = |x: &f32| if x.is_nan() { u32::MAX } else { (x + 0.0).to_bits() };
    let add = |so_far: u64, x: &f32| mix(so_far.wrapping_add(GAMMA) ^ u64::from(bits(x)));
    2.0 * Stream::new(features.iter().fold(seed, add), 0).unit(0) - 1.0
}

/// Seeds as text: many programs read JSON numbers as `f64` and lose digits.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| serde::de::Error::custom("a seed must be an integer below 2^64"))
    }
}
