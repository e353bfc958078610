//! What each feature adds to what a net says, beside an item whose inputs are all 0: numbers at
//! their means, no category, nothing missing.
//!
//! For a linear model that is weight x input, which is Shapley's value. Through a hidden layer
//! the change of an output is passed on to what caused it in proportion (the rescale rule of
//! Shrikumar et al., "Learning important features through propagating activation differences",
//! 2017): a unit counts with (change of its output) / (change of its sum). The parts add up to
//! the whole, whatever the activations.
//!
//! A draw depends on all features alike: knowing all but one says nothing. By Shapley's value
//! each has the same share of it.

use crate::{Input, Layer, Net};

/// Below this a unit's change says nothing of its slope.
const NEAR: f64 = 1e-9;

/// What the net says where all inputs are 0.
pub(super) fn expected(net: &Net) -> f64 {
    let nothing = vec![0.0; net.inputs.len()];
    net.value_of(&nothing, &mut Default::default())
}

/// Adds what each feature adds to the net's value.
pub(super) fn add(net: &Net, features: &[f32], values: &mut [f64]) {
    let inputs: Vec<f64> = net.inputs.iter().map(|input| input.value(features)).collect();
    let rises = rises(net, &inputs);
    for ((input, value), rise) in net.inputs.iter().zip(&inputs).zip(rises) {
        match (input, input.feature()) {
            (Input::Draw { features, .. }, _) => {
                let share = rise * value / f64::from(*features);
                values[..*features as usize].iter_mut().for_each(|v| *v += share);
            }
            (_, Some(feature)) => values[feature] += rise * value,
            (_, None) => {}
        }
    }
}

/// For each input how much the value has risen with it on the way from 0.
fn rises(net: &Net, inputs: &[f64]) -> Vec<f64> {
    let mut here = inputs.to_vec();
    let mut there = vec![0.0; inputs.len()];
    let mut units = Vec::with_capacity(net.layers.len());
    for layer in &net.layers {
        let (outputs, rise) = through(layer, &here, &there);
        units.push(rise);
        (here, there) = outputs;
    }
    // From the output back to the inputs.
    let mut rises = vec![1.0];
    for (layer, units) in net.layers.iter().zip(&units).rev() {
        let width = layer.weights.len() / units.len();
        let mut before = vec![0.0; width];
        for (output, (rise, unit)) in rises.iter().zip(units).enumerate() {
            let weights = &layer.weights[output * width..][..width];
            before.iter_mut().zip(weights).for_each(|(sum, w)| *sum += rise * unit * w);
        }
        rises = before;
    }
    rises
}

/// A layer's outputs for both, and how much each has risen with its sum.
fn through(layer: &Layer, here: &[f64], there: &[f64]) -> ((Vec<f64>, Vec<f64>), Vec<f64>) {
    let (mut sums, mut others) = (Vec::new(), Vec::new());
    layer.sums(here, &mut sums);
    layer.sums(there, &mut others);
    let activation = layer.activation;
    let rise = |(&a, &b): (&f64, &f64)| match (a - b).abs() > NEAR * (1.0 + a.abs()) {
        true => (activation.apply(a) - activation.apply(b)) / (a - b),
        false => activation.slope(activation.apply(a)),
    };
    let rises = sums.iter().zip(&others).map(rise).collect();
    let apply = |sums: Vec<f64>| sums.into_iter().map(|sum| activation.apply(sum)).collect();
    ((apply(sums), apply(others)), rises)
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
