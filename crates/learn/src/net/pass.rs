//! The forward pass from inputs to scores, and the backward pass from derivatives by score to
//! derivatives by parameter.
//!
//! For a layer with inputs a (one row for each item), weights W and biases b:
//! forwards, z = a W + b and output = activation(z);
//! backwards, with d the derivatives by z, the derivatives by W are a' d, those by b the sum of d
//! over items, and those by a are d W', which times the activation's slope is the d of the previous
//! layer.
//!
//! Example: one input 2 with weight 3: score 6; a derivative of 1 by the score is 2 by the weight.

use super::product::{add_product, rows, transposed};
use super::shape::{LayerRange, Shape, transpose};
use stakes_model::dot;

/// A net with given parameters.
pub(super) struct Pass<'p> {
    shape: &'p Shape,
    parts: &'p [LayerRange],
    numbers: &'p [f64],
    /// The weights of the layers after the first, transposed: output by output.
    across: Vec<Vec<f64>>,
}

/// The outputs of the hidden layers, item by item.
#[derive(Debug, Clone, Default)]
pub(super) struct Hidden(Vec<Vec<f64>>);

impl<'p> Pass<'p> {
    pub(super) fn new(shape: &'p Shape, parts: &'p [LayerRange], numbers: &'p [f64]) -> Self {
        let later = parts.iter().skip(1);
        let across = later.map(|part| transpose(&numbers[part.weights.clone()], part.outputs));
        Pass { shape, parts, numbers, across: across.collect() }
    }

    /// Computes the scores of items from rows of inputs; returns the outputs of the hidden layers.
    pub(super) fn forwards(&self, inputs: &[f64], scores: &mut [f64]) -> Hidden {
        let mut hidden: Vec<Vec<f64>> = Vec::with_capacity(self.across.len());
        let activation = self.shape.activation();
        for part in &self.parts[..self.across.len()] {
            let before = hidden.last().map_or(inputs, |outputs| outputs);
            let mut sums = self.numbers[part.biases.clone()].repeat(scores.len());
            let weights = &self.numbers[part.weights.clone()];
            add_product(rows(before, part.inputs), part.inputs, weights, part.outputs, &mut sums);
            sums.iter_mut().for_each(|sum| *sum = activation.apply(*sum));
            hidden.push(sums);
        }
        let last = &self.parts[self.across.len()];
        let weights = &self.numbers[last.weights.clone()];
        let before = hidden.last().map_or(inputs, |outputs| outputs).chunks_exact(last.inputs);
        scores.iter_mut().zip(before).for_each(|(score, row)| *score = dot(row, weights));
        Hidden(hidden)
    }

    /// Adds the derivatives by parameter of a loss with these derivatives by score.
    pub(super) fn backwards(
        &self,
        inputs: &[f64],
        hidden: &Hidden,
        by_score: &[f64],
        by_number: &mut [f64],
    ) {
        let items = by_score.len();
        let activation = self.shape.activation();
        let mut later = by_score.to_vec();
        for (number, part) in self.parts.iter().enumerate().rev() {
            let before = number.checked_sub(1).map_or(inputs, |n| &hidden.0[n]);
            let by_weight = &mut by_number[part.weights.clone()];
            if part.outputs == 1 {
                // The same sums, vectorised over inputs.
                add_product(rows(&later, items), items, before, part.inputs, by_weight);
            } else {
                add_product(
                    transposed(before, part.inputs),
                    items,
                    &later,
                    part.outputs,
                    by_weight,
                );
            }
            let by_bias = &mut by_number[part.biases.clone()];
            if !by_bias.is_empty() {
                for row in later.chunks_exact(part.outputs) {
                    by_bias.iter_mut().zip(row).for_each(|(sum, d)| *sum += d);
                }
            }
            if number > 0 {
                let mut earlier = vec![0.0; items * part.inputs];
                let across = &self.across[number - 1];
                add_product(
                    rows(&later, part.outputs),
                    part.outputs,
                    across,
                    part.inputs,
                    &mut earlier,
                );
                for (d, output) in earlier.iter_mut().zip(before) {
                    *d *= activation.slope(*output);
                }
                later = earlier;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dense::Dense;
    use stakes_model::{Activation, Input};

    fn number(i: usize) -> f64 {
        ((i * 7919 + 13) % 1009) as f64 / 504.5 - 1.0
    }

    #[test]
    fn scores_are_those_of_the_finished_net() {
        let width = 5;
        let dense = Dense::new((0..width * 9).map(number).collect(), width);
        let inputs: Vec<Input> = (0..5).map(|feature| Input::Missing { feature }).collect();
        for hidden in [&[][..], &[7], &[16, 3]] {
            for activation in [Activation::Relu, Activation::Tanh] {
                let shape = Shape::new(width, hidden, activation);
                let numbers: Vec<f64> = (0..shape.len()).map(|i| number(3 * i + 5)).collect();
                let parts = shape.parts();
                let mut scores = vec![0.0; dense.rows()];
                Pass::new(&shape, &parts, &numbers).forwards(dense.values(), &mut scores);
                let finished = dense.through(&shape.net(&inputs, &numbers));
                for (score, finished) in scores.iter().zip(finished) {
                    assert!((score - finished).abs() < 1e-13, "{score} and {finished}");
                }
            }
        }
    }

    /// Of any function of the scores; here the sum of weight x score.
    #[test]
    fn derivatives_are_differences() {
        let (width, items) = (4, 11);
        let inputs: Vec<f64> = (0..width * items).map(number).collect();
        let by_score: Vec<f64> = (0..items).map(|i| number(i + 400)).collect();
        for hidden in [&[][..], &[6], &[5, 3]] {
            for activation in [Activation::Relu, Activation::Tanh] {
                let shape = Shape::new(width, hidden, activation);
                let parts = shape.parts();
                let numbers: Vec<f64> = (0..shape.len()).map(|i| number(7 * i + 2)).collect();
                let value = |numbers: &[f64]| -> f64 {
                    let mut scores = vec![0.0; items];
                    Pass::new(&shape, &parts, numbers).forwards(&inputs, &mut scores);
                    scores.iter().zip(&by_score).map(|(s, d)| s * d).sum()
                };
                let pass = Pass::new(&shape, &parts, &numbers);
                let kept = pass.forwards(&inputs, &mut vec![0.0; items]);
                let mut found = vec![0.0; shape.len()];
                pass.backwards(&inputs, &kept, &by_score, &mut found);
                for (at, found) in found.iter().enumerate() {
                    let moved = |by: f64| {
                        let mut numbers = numbers.clone();
                        numbers[at] += by;
                        value(&numbers)
                    };
                    let expected = (moved(1e-6) - moved(-1e-6)) / 2e-6;
                    assert!((found - expected).abs() < 1e-7, "{at}: {found} and {expected}");
                }
            }
        }
    }
}
