//! The part of each feature in the value of a net, relative to an item whose inputs are all 0: numbers
//! at their means, no category, nothing missing.
//!
//! In a linear model the part is weight x input, which is the Shapley value. Through a hidden layer the
//! change of an output is attributed to its causes in proportion (the rescale rule of Shrikumar et al.
//! 2017): a unit has the slope (change of its output) / (change of its sum). The parts sum to the whole
//! change for any activation.
//!
//! A random draw depends on all features alike, so each feature gets the same share of it, which is
//! again its Shapley value.

use crate::{Input, Layer, Net};

/// Relative changes below this are too small to compute a slope from.
const MIN_CHANGE: f64 = 1e-9;

/// The value of the net where all inputs are 0.
pub(super) fn expected(net: &Net) -> f64 {
    let zeros = vec![0.0; net.inputs.len()];
    net.value_of(&zeros, &mut Default::default())
}

/// Adds the part of each feature to `values`.
pub(super) fn add(net: &Net, features: &[f32], values: &mut [f64]) {
    let inputs: Vec<f64> = net.inputs.iter().map(|input| input.value(features)).collect();
    let slopes = slopes(net, &inputs);
    for ((input, value), slope) in net.inputs.iter().zip(&inputs).zip(slopes) {
        match (input, input.feature()) {
            (Input::Draw { features, .. }, _) => {
                let share = slope * value / f64::from(*features);
                values[..*features as usize].iter_mut().for_each(|v| *v += share);
            }
            (_, Some(feature)) => values[feature] += slope * value,
            (_, None) => {}
        }
    }
}

/// For each input, the mean slope of the value on the way from 0.
fn slopes(net: &Net, inputs: &[f64]) -> Vec<f64> {
    let mut here = inputs.to_vec();
    let mut at_zero = vec![0.0; inputs.len()];
    let mut units = Vec::with_capacity(net.layers.len());
    for layer in &net.layers {
        let (outputs, slopes) = through(layer, &here, &at_zero);
        units.push(slopes);
        (here, at_zero) = outputs;
    }
    // From the output back to the inputs.
    let mut slopes = vec![1.0];
    for (layer, units) in net.layers.iter().zip(&units).rev() {
        let width = layer.weights.len() / units.len();
        let mut before = vec![0.0; width];
        for (output, (slope, unit)) in slopes.iter().zip(units).enumerate() {
            let weights = &layer.weights[output * width..][..width];
            before.iter_mut().zip(weights).for_each(|(sum, w)| *sum += slope * unit * w);
        }
        slopes = before;
    }
    slopes
}

/// The outputs of a layer for both inputs, and the mean slope of each unit between them.
fn through(layer: &Layer, here: &[f64], at_zero: &[f64]) -> ((Vec<f64>, Vec<f64>), Vec<f64>) {
    let (mut sums, mut others) = (Vec::new(), Vec::new());
    layer.sums(here, &mut sums);
    layer.sums(at_zero, &mut others);
    let activation = layer.activation;
    let slope = |(&a, &b): (&f64, &f64)| match (a - b).abs() > MIN_CHANGE * (1.0 + a.abs()) {
        true => (activation.apply(a) - activation.apply(b)) / (a - b),
        false => activation.slope(activation.apply(a)),
    };
    let slopes = sums.iter().zip(&others).map(slope).collect();
    let apply = |sums: Vec<f64>| sums.into_iter().map(|sum| activation.apply(sum)).collect();
    ((apply(sums), apply(others)), slopes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Activation;

    #[test]
    fn parts_of_a_linear_model_are_weights_times_inputs() {
        let inputs = vec![
            Input::Number { feature: 0, mean: 20.0, deviation: 10.0 },
            Input::Missing { feature: 0 },
            Input::Category { feature: 1, code: 2 },
        ];
        let net = Net::linear(inputs, vec![3.0, 5.0, 7.0]);
        let mut values = vec![0.0; 2];
        add(&net, &[40.0, 2.0], &mut values);
        assert_eq!(values, [6.0, 7.0]);
    }

    #[test]
    fn parts_of_deep_nets_add_up() {
        for activation in [Activation::Relu, Activation::Tanh] {
            let number = |feature| Input::Number { feature, mean: 1.0, deviation: 2.0 };
            let weight = |i: usize| ((i * 37 + 11) % 23) as f64 / 11.0 - 1.0;
            let layer = |inputs: usize, outputs: usize, activation| Layer {
                activation,
                biases: (0..outputs).map(|i| weight(i + 5)).collect(),
                weights: (0..inputs * outputs).map(weight).collect(),
            };
            let layers = vec![
                layer(3, 4, activation),
                layer(4, 3, activation),
                layer(3, 1, Activation::Identity),
            ];
            let mut inputs: Vec<Input> = (0..2).map(number).collect();
            inputs.push(Input::Draw { features: 2, seed: 3 });
            let net = Net { inputs, layers };
            for row in [[1.0, 1.0], [5.0, -3.0], [0.1, 9.0], [f32::NAN, 2.0]] {
                let mut values = vec![0.0; 2];
                add(&net, &row, &mut values);
                let gap = net.value(&row) - expected(&net) - values.iter().sum::<f64>();
                assert!(gap.abs() < 1e-9, "{gap}");
            }
        }
    }

    #[test]
    fn draws_belong_to_all_alike() {
        let net = Net::linear(vec![Input::Draw { features: 4, seed: 1 }], vec![2.0]);
        let mut values = vec![0.0; 4];
        let row = [1.0, 2.0, 3.0, 4.0];
        add(&net, &row, &mut values);
        assert!(values.iter().all(|v| *v == net.value(&row) / 4.0));
    }
}
