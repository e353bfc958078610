//! Nets in model files: one line for each input, and for each layer.

use super::layout::{Bracket, Page};
use super::shape::NetFile;
use super::{Bad, bad};
use crate::{Activation, Input, ModelFeature, Net};

/// A linear model or a net of two hidden layers has no more.
const MOST_LAYERS: usize = 3;
/// Inputs of a net, or outputs of a layer.
const MOST_WIDTH: usize = 1 << 24;
/// What three layers make of the largest features still is finite.
const MOST_WEIGHT: f64 = 1e50;
/// No mean of features is larger.
const MOST_MEAN: f64 = 1e39;
/// No two features are nearer to each other.
const LEAST_DEVIATION: f64 = 1e-46;

pub(super) fn write(page: &mut Page, net: &Net) {
    page.spread("net", Bracket::Object, |page| {
        page.spread("inputs", Bracket::Array, |page| {
            net.inputs.iter().for_each(|input| page.item(input));
        });
        page.spread("layers", Bracket::Array, |page| {
            net.layers.iter().for_each(|layer| page.item(layer));
        });
    });
}

impl NetFile {
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Net, Bad> {
        for (i, input) in self.inputs.iter().enumerate() {
            check_input(input, features).map_err(|what| bad(format!("inputs[{i}]"), what))?;
        }
        super::check::few("layers", self.layers.len(), MOST_LAYERS)?;
        super::check::few("inputs", self.inputs.len(), MOST_WIDTH)?;
        let mut width = self.inputs.len();
        for (i, layer) in self.layers.iter().enumerate() {
            let refuse = |field: &str, what: String| Err(bad(format!("layers[{i}]{field}"), what));
            let outputs = layer.biases.len();
            super::check::few("biases", outputs, MOST_WIDTH)
                .map_err(|bad| bad.under(format!("layers[{i}]")))?;
            // Neither is beyond 2^24: their product is a number.
            if layer.weights.len() != outputs * width {
                let met = layer.weights.len();
                let what = format!(
                    "there are {met}; {outputs} outputs of {width} inputs need {}",
                    outputs * width
                );
                return refuse(".weights", what);
            }
            let mut numbers = layer.biases.iter().chain(&layer.weights);
            if let Some(met) = numbers.find(|w| w.is_nan() || w.abs() > MOST_WEIGHT) {
                return refuse("", format!("has {met}; at most {MOST_WEIGHT:e} is read"));
            }
            width = outputs;
        }
        match (width, self.layers.last()) {
            (1, Some(last)) if last.activation == Activation::Identity => {
                Ok(Net { inputs: self.inputs, layers: self.layers })
            }
            _ => {
                Err(bad("layers", "the last one must have one output and the activation identity"))
            }
        }
    }
}

fn check_input(input: &Input, features: &[ModelFeature]) -> Result<(), String> {
    if let Some(number) = input.feature()
        && number >= features.len()
    {
        return Err(format!("reads feature {number}; there are {}", features.len()));
    }
    match *input {
        Input::Number { mean, deviation, .. }
            if !(mean.abs() <= MOST_MEAN && (LEAST_DEVIATION..=MOST_MEAN).contains(&deviation)) =>
        {
            Err(format!(
                "has the mean {mean} and the deviation {deviation}; the mean is at most {MOST_MEAN:e}, the deviation above 0"
            ))
        }
        Input::Draw { features: count, .. } if count as usize > features.len() => {
            Err(format!("draws by {count} features; there are {}", features.len()))
        }
        _ => Ok(()),
    }
}
