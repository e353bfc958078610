//! Linear scores and small neural nets.
//!
//! Features become **inputs**: a number is standardised (0 if it is missing), a category is coded as 0
//! or 1, and a missing value is an input of its own if the training data had missing values. Each
//! layer computes out = activation(bias + weights x in); the last layer has one output. Without hidden
//! layers the net is a linear model.
//!
//! Example: wind with mean 20, deviation 10 and weight 3 adds 3 to the sum at a wind of 30.

mod input;

use serde::{Deserialize, Serialize};

pub use input::Input;

/// A net: its inputs and layers.
#[derive(Debug, Clone, PartialEq)]
pub struct Net {
    /// The inputs of the first layer.
    pub inputs: Vec<Input>,
    /// The hidden layers, if any, and the output layer.
    pub layers: Vec<Layer>,
}

/// A layer of weighted sums.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Layer {
    /// The function that is applied to each sum.
    pub activation: Activation,
    /// One bias for each output.
    pub biases: Vec<f64>,
    /// The weights of all inputs for the first output, then for the second, and so on.
    pub weights: Vec<f64>,
}

/// The function from a sum to an output.
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
    /// Applies the function.
    #[inline]
    pub fn apply(self, sum: f64) -> f64 {
        match self {
            Activation::Identity => sum,
            Activation::Relu => sum.max(0.0),
            Activation::Tanh => sum.tanh(),
        }
    }

    /// The derivative where the function has the value `output`.
    #[inline]
    pub fn slope(self, output: f64) -> f64 {
        match self {
            Activation::Identity => 1.0,
            Activation::Relu => f64::from(u8::from(output > 0.0)),
            Activation::Tanh => 1.0 - output * output,
        }
    }
}

/// The dot product a . b, summed in eight lanes: always in the same order, and with vector instructions.
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
    /// A layer with all weights and biases 0.
    pub fn zeros(inputs: usize, outputs: usize, activation: Activation) -> Self {
        Layer { activation, biases: vec![0.0; outputs], weights: vec![0.0; inputs * outputs] }
    }

    /// The number of outputs.
    pub fn outputs(&self) -> usize {
        self.biases.len()
    }

    /// Computes the sums before the activation.
    pub(crate) fn sums(&self, inputs: &[f64], out: &mut Vec<f64>) {
        out.clear();
        out.extend(self.biases.iter().enumerate().map(|(output, bias)| {
            bias + dot(inputs, &self.weights[output * inputs.len()..][..inputs.len()])
        }));
    }
}

impl Net {
    /// A linear model with one weight for each input.
    pub fn linear(inputs: Vec<Input>, weights: Vec<f64>) -> Self {
        let layer = Layer { activation: Activation::Identity, biases: vec![0.0], weights };
        Net { inputs, layers: vec![layer] }
    }

    /// The value for a row of features, in the model's order and codes.
    pub fn value(&self, features: &[f32]) -> f64 {
        let mut scratch = Scratch::default();
        self.value_with(features, &mut scratch)
    }

    /// The same, reusing memory.
    pub(crate) fn value_with(&self, features: &[f32], scratch: &mut Scratch) -> f64 {
        scratch.inputs.clear();
        scratch.inputs.extend(self.inputs.iter().map(|input| input.value(features)));
        let inputs = std::mem::take(&mut scratch.inputs);
        let value = self.value_of(&inputs, scratch);
        scratch.inputs = inputs;
        value
    }

    /// The value for given inputs.
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

/// Reusable memory for [`Net::value_of`].
#[derive(Debug, Clone, Default)]
pub struct Scratch {
    inputs: Vec<f64>,
    before: Vec<f64>,
    after: Vec<f64>,
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
