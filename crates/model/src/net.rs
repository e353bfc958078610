//! A score that is a smooth function of the features: a linear one, or a small net.
//!
//! Features become **inputs**: a number its distance from the mean in standard deviations (0
//! where it is missing), a category 1 for its own and 0 for others, a missing value 1 if missing
//! values were there to learn from. Then layer after layer out = activation(bias + weights x in);
//! the last layer has one output. Without hidden layers that is a linear model.
//!
//! Example: wind of mean 20 and deviation 10 with weight 3: at a wind of 30 the sum is 3.

use serde::{Deserialize, Serialize};
use stakes_core::random::{GAMMA, Stream, mix};

/// Inputs and what is made of them.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// What the first layer sees.
    pub inputs: Vec<Input>,
    /// Hidden layers, if any, and the one output.
    pub layers: Vec<Layer>,
}

/// A number that the first layer sees.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", rename_all_fields = "kebab-case", deny_unknown_fields)]
pub enum Input {
    /// (x - mean) / deviation; 0 where x is missing.
    Number {
        /// Of the model's features.
        feature: u32,
        /// Of the items that were learnt from.
        mean: f64,
        /// Of the items that were learnt from.
        deviation: f64,
    },
    /// 1 where the feature is missing, else 0.
    Missing {
        /// Of the model's features.
        feature: u32,
    },
    /// 1 where the feature has this category, else 0.
    Category {
        /// Of the model's features.
        feature: u32,
        /// Of the feature's categories.
        code: u32,
    },
    /// Between -1 and 1, at random, the same whenever the features are.
    Draw {
        /// How many of the model's features count: all.
        features: u32,
        /// Of the draws.
        #[serde(with = "as_text")]
        seed: u64,
    },
}

/// Outputs of weighted sums.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// What is done with a sum.
    pub activation: Activation,
    /// One for each output.
    pub biases: Vec<f64>,
    /// For each output one for each input, output after output.
    pub weights: Vec<f64>,
}

/// From a sum to an output.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Activation {
    /// The sum itself.
    Identity,
    /// The sum, or 0 if it is negative.
    Relu,
    /// The hyperbolic tangent of the sum.
    Tanh,
}

impl Activation {
    /// Applies it.
    #[inline]
    pub fn apply(self, sum: f64) -> f64 {
        match self {
            Activation::Identity => sum,
            Activation::Relu => sum.max(0.0),
            Activation::Tanh => sum.tanh(),
        }
    }

    /// Its slope where it gives `output`.
    #[inline]
    pub fn slope(self, output: f64) -> f64 {
        match self {
            Activation::Identity => 1.0,
            Activation::Relu => f64::from(u8::from(output > 0.0)),
            Activation::Tanh => 1.0 - output * output,
        }
    }
}

impl Input {
    /// The feature it reads; `None` if it is all of them.
    pub fn feature(&self) -> Option<usize> {
        match *self {
            Input::Number { feature, .. }
            | Input::Missing { feature }
            | Input::Category { feature, .. } => Some(feature as usize),
            Input::Draw { .. } => None,
        }
    }

    /// Its value for a row of features, in the model's order and codes.
    #[inline]
    pub fn value(&self, features: &[f32]) -> f64 {
        match *self {
            Input::Number { feature, mean, deviation } => {
                // Whatever is asked, scores are finite.
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

/// A number between -1 and 1 that any change of a feature changes.
fn draw(seed: u64, features: &[f32]) -> f64 {
    // All missing values are the same, and so are 0 and -0.
    let bits = |x: &f32| if x.is_nan() { u32::MAX } else { (x + 0.0).to_bits() };
    let add = |so_far: u64, x: &f32| mix(so_far.wrapping_add(GAMMA) ^ u64::from(bits(x)));
    2.0 * Stream::new(features.iter().fold(seed, add), 0).unit(0) - 1.0
}

/// a . b, added up in eight lanes: always in the same order, and in wide registers.
///
/// # Panics
/// If b is shorter than a.
#[inline]
pub fn dot(a: &[f64], b: &[f64]) -> f64 {
    const LANES: usize = 8;
    let (a_chunks, a_rest) = a.as_chunks::<LANES>();
    let (b_chunks, b_rest) = b[..a.len()].as_chunks::<LANES>();
    let mut sums = [0.0; LANES];
    for (a, b) in a_chunks.iter().zip(b_chunks) {
        (0..LANES).for_each(|lane| sums[lane] += a[lane] * b[lane]);
    }
    let rest: f64 = a_rest.iter().zip(b_rest).map(|(a, b)| a * b).sum();
    let [a, b, c, d, e, f, g, h] = sums;
    ((a + b) + (c + d)) + ((e + f) + (g + h)) + rest
}

impl Layer {
    /// A layer of these sizes that gives 0 for everything.
    pub fn zeros(inputs: usize, outputs: usize, activation: Activation) -> Self {
        Layer { activation, biases: vec![0.0; outputs], weights: vec![0.0; inputs * outputs] }
    }

    /// How many numbers it gives.
    pub fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// The sums, before the activation.
    pub(crate) fn sums(&self, inputs: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.biases.iter().enumerate().map(|(output, bias)| {
            bias + dot(inputs, &self.weights[output * inputs.len()..][..inputs.len()])
        }));
    }
}

impl Net {
    /// A linear model: one weight for each input.
    pub fn linear(inputs: Vec<Input>, weights: Vec<f64>) -> Self {
        let layer = Layer { activation: Activation::Identity, biases: vec![0.0], weights };
        Net { inputs, layers: vec![layer] }
    }

    /// Its value for a row of features, in the model's order and codes.
    pub fn value(&self, features: &[f32]) -> f64 {
        let mut scratch = Scratch::default();
        self.value_with(features, &mut scratch)
    }

    /// The same, with memory that is used again.
    pub(crate) fn value_with(&self, features: &[f32], scratch: &mut Scratch) -> f64 {
        scratch.inputs.clear();
        scratch.inputs.extend(self.inputs.iter().map(|input| input.value(features)));
        let inputs = std::mem::take(&mut scratch.inputs);
        let value = self.value_of(&inputs, scratch);
        scratch.inputs = inputs;
        value
    }

    /// Its value where the inputs are these.
    pub fn value_of(&self, inputs: &[f64], scratch: &mut Scratch) -> f64 {
        let Scratch { before, after, .. } = scratch;
        for (number, layer) in self.layers.iter().enumerate() {
            match number {
                0 => layer.sums(inputs, after),
                _ => layer.sums(before, after),
            }
            after.iter_mut().for_each(|sum| *sum = layer.activation.apply(*sum));
            std::mem::swap(before, after);
        }
        before[0]
    }
}

/// Memory of [`Net::value_of`].
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    inputs: Vec<f64>,
    before: Vec<f64>,
    after: Vec<f64>,
}

/// Seeds as texts: many programs read JSON's numbers as `f64`, which lose some.
mod as_text {
    use serde::{Deserialize, Deserializer, Serializer};

    pub(super) fn serialize<S: Serializer>(seed: &u64, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(seed)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<u64, D::Error> {
        let text = String::deserialize(from)?;
        text.parse().map_err(|_| serde::de::Error::custom("a seed is a whole number below 2^64"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_linear_model_is_a_weighted_sum() {
        let inputs = vec![
            Input::Number { feature: 0, mean: 20.0, deviation: 10.0 },
            Input::Missing { feature: 0 },
            Input::Category { feature: 1, code: 2 },
        ];
        let net = Net::linear(inputs, vec![3.0, 5.0, 7.0]);
        assert_eq!(net.value(&[30.0, 0.0]), 3.0);
        assert_eq!(net.value(&[f32::NAN, 2.0]), 12.0);
        assert_eq!(net.value(&[20.0, f32::NAN]), 0.0);
    }

    #[test]
    fn layers_follow_one_another() {
        let inputs = vec![Input::Number { feature: 0, mean: 0.0, deviation: 1.0 }];
        let hidden = Layer {
            activation: Activation::Relu,
            biases: vec![0.0, 1.0],
            weights: vec![1.0, -1.0],
        };
        let last =
            Layer { activation: Activation::Identity, biases: vec![0.5], weights: vec![2.0, 3.0] };
        let net = Net { inputs, layers: vec![hidden, last] };
        assert_eq!(net.value(&[4.0]), 8.5);
        assert_eq!(net.value(&[-4.0]), 15.5);
    }

    #[test]
    fn draws_are_spread_and_repeat() {
        let input = Input::Draw { seed: 7, features: 2 };
        let values: Vec<f64> = (0..1000).map(|x| input.value(&[x as f32, 1.0])).collect();
        let mean = values.iter().sum::<f64>() / 1000.0;
        assert!(mean.abs() < 0.06 && values.iter().all(|v| (-1.0..1.0).contains(v)), "{mean}");
        assert_eq!(values[3], input.value(&[3.0, 1.0]));
        assert_ne!(values[3], input.value(&[3.0, 1.5]));
        assert_eq!(input.value(&[0.0, 1.0]), input.value(&[-0.0, 1.0, 7.0]));
    }

    #[test]
    fn dots_add_up() {
        let a: Vec<f64> = (0..21).map(f64::from).collect();
        assert_eq!(dot(&a, &a), 2870.0);
        assert_eq!(dot(&[], &a), 0.0);
    }
}
