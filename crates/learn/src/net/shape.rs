//! The layout of the parameters of a net, and their initial values.
//!
//! Parameters are stored layer by layer: for each input of a layer one weight for each output, then
//! one bias for each output. (A finished [`Layer`] has its weights output by output.) The score at
//! the end has no bias: it would not change any order.
//!
//! Example: 2 inputs and a hidden layer of 3: 6 weights, 3 biases, 3 weights.

use stakes_core::random::{Stream, purpose};

use stakes_model::{Activation, Input, Layer, Net};

/// The sizes of a net.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Shape {
    /// Inputs, hidden units layer by layer, and the one output.
    sizes: Vec<usize>,
    activation: Activation,
}

/// The parameters of a layer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct LayerRange {
    pub(super) inputs: usize,
    pub(super) outputs: usize,
    pub(super) weights: std::ops::Range<usize>,
    /// Empty for the last layer.
    pub(super) biases: std::ops::Range<usize>,
}

impl Shape {
    /// The shape with these hidden layers; none for a linear score.
    pub(crate) fn new(inputs: usize, hidden: &[usize], activation: Activation) -> Self {
        let sizes = [&[inputs], hidden, &[1]].concat();
        Shape { sizes, activation }
    }

    pub(super) fn activation(&self) -> Activation {
        self.activation
    }

    /// The layers, from inputs to score.
    pub(super) fn parts(&self) -> Vec<LayerRange> {
        let mut at = 0;
        let last = self.sizes.len() - 2;
        let layers = self.sizes.windows(2).enumerate().map(|(number, sizes)| {
            let (inputs, outputs) = (sizes[0], sizes[1]);
            let weights = at..at + inputs * outputs;
            at = weights.end + if number < last { outputs } else { 0 };
            LayerRange { inputs, outputs, biases: weights.end..at, weights }
        });
        layers.collect()
    }

    /// The number of parameters.
    pub(crate) fn len(&self) -> usize {
        self.parts().last().map_or(0, |part| part.biases.end)
    }

    /// Returns the initial parameters. A linear score starts at 0; hidden units must differ, or
    /// they would stay equal: their weights are uniform in +-sqrt(a / inputs), a = 6 for relu (He
    /// et al. 2015) and 3 otherwise, so that outputs have the same standard deviation as inputs.
    pub(crate) fn initial(&self, seed: u64) -> Vec<f64> {
        let mut numbers = vec![0.0; self.len()];
        let parts = self.parts();
        let hidden = parts.len() - 1;
        let seed = purpose(seed, b"net-init");
        for (layer, part) in parts.into_iter().enumerate().filter(|_| hidden > 0) {
            let relu = layer < hidden && self.activation == Activation::Relu;
            let bound = f64::sqrt(if relu { 6.0 } else { 3.0 } / part.inputs as f64);
            let draws = Stream::new(seed, layer as u64);
            for (number, draw) in numbers[part.weights].iter_mut().zip(0..) {
                *number = bound * (2.0 * draws.unit(draw) - 1.0);
            }
        }
        numbers
    }

    /// Returns the mean of the nets whose parameters follow one another, as a single net: it has
    /// the hidden units of all, and a unit has non-zero weights only for the units of its own net.
    pub(crate) fn net(&self, inputs: &[Input], numbers: &[f64]) -> Net {
        let nets: Vec<&[f64]> = numbers.chunks(self.len()).collect();
        let parts = self.parts();
        let last = parts.len() - 1;
        let layer = |(number, part): (usize, &LayerRange)| {
            let share = if number < last { 1.0 } else { (nets.len() as f64).recip() };
            let mut layer = Layer {
                activation: if number < last { self.activation } else { Activation::Identity },
                biases: nets.iter().flat_map(|net| net[part.biases.clone()].to_vec()).collect(),
                weights: Vec::new(),
            };
            let mut rows: Vec<Vec<f64>> = Vec::new();
            for (own, net) in nets.iter().enumerate() {
                let weights = transpose(&net[part.weights.clone()], part.outputs);
                for row in weights.chunks(part.inputs) {
                    let row = row.iter().map(|weight| share * weight);
                    // In the first layer all nets have the same inputs.
                    let others =
                        |count: usize| vec![0.0; if number > 0 { count } else { 0 } * part.inputs];
                    let before = others(own).into_iter();
                    rows.push(before.chain(row).chain(others(nets.len() - 1 - own)).collect());
                }
            }
            if number == last {
                // The scores of the nets are added.
                let sum = |a: Vec<f64>, b: Vec<f64>| a.iter().zip(b).map(|(a, b)| a + b).collect();
                rows = rows.into_iter().reduce(sum).into_iter().collect();
                layer.biases = vec![0.0];
            }
            layer.weights = rows.concat();
            layer
        };
        Net { inputs: inputs.to_vec(), layers: parts.iter().enumerate().map(layer).collect() }
    }
}

/// Transposes rows of this width.
pub(super) fn transpose(values: &[f64], width: usize) -> Vec<f64> {
    (0..width).flat_map(|column| values[column..].iter().step_by(width).copied()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_their_places() {
        let shape = Shape::new(2, &[3], Activation::Relu);
        assert_eq!(shape.len(), 12);
        let parts = shape.parts();
        assert_eq!((parts[0].weights.clone(), parts[0].biases.clone()), (0..6, 6..9));
        assert_eq!((parts[1].weights.clone(), parts[1].biases.clone()), (9..12, 12..12));
        let numbers: Vec<f64> = (0..12).map(f64::from).collect();
        let inputs = [Input::Missing { feature: 0 }, Input::Missing { feature: 1 }];
        let net = shape.net(&inputs, &numbers);
        assert_eq!(net.layers[0].weights, [0.0, 3.0, 1.0, 4.0, 2.0, 5.0]);
        assert_eq!(net.layers[0].biases, [6.0, 7.0, 8.0]);
        assert_eq!(net.layers[1].weights, [9.0, 10.0, 11.0]);
        assert_eq!(net.layers[1].biases, [0.0]);
    }

    #[test]
    fn the_mean_of_nets_is_one_net() {
        let inputs: Vec<Input> = (0..3).map(|feature| Input::Missing { feature }).collect();
        let features = [f32::NAN, 0.0, f32::NAN];
        for hidden in [&[][..], &[4], &[4, 3]] {
            let shape = Shape::new(3, hidden, Activation::Tanh);
            let number = |i: usize| ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0;
            let numbers: Vec<f64> = (0..3 * shape.len()).map(number).collect();
            let each = numbers.chunks(shape.len());
            let mean = each.map(|own| shape.net(&inputs, own).value(&features)).sum::<f64>() / 3.0;
            let found = shape.net(&inputs, &numbers).value(&features);
            assert!((found - mean).abs() < 1e-14, "{found} and {mean}");
        }
    }

    #[test]
    fn hidden_units_begin_apart_and_linear_scores_at_0() {
        let linear = Shape::new(4, &[], Activation::Relu);
        assert_eq!(linear.initial(7), [0.0; 4]);
        let shape = Shape::new(600, &[20], Activation::Relu);
        let begin = shape.initial(7);
        let part = &shape.parts()[0];
        let weights = &begin[part.weights.clone()];
        let squares = weights.iter().map(|w| w * w).sum::<f64>() / weights.len() as f64;
        assert!((squares * 600.0 / 2.0 - 1.0).abs() < 0.05, "{squares}");
        assert!(begin[part.biases.clone()].iter().all(|b| *b == 0.0));
        assert_ne!(begin, shape.initial(8));
        assert_eq!(begin, shape.initial(7));
    }
}
