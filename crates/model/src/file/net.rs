//! Nets in model files: one line for each input and for each layer.

use stakes_core::display::counted;

use super::header::at_most;
use super::layout::{Bracket, Page};
use super::shape::NetFile;
use super::{Invalid, invalid};
use crate::{Activation, Input, ModelFeature, Net};

/// Two hidden layers and the output.
const MAX_LAYERS: usize = 3;
/// The limit of inputs of a net and of outputs of a layer.
const MAX_WIDTH: usize = 1 << 24;
/// With it, three layers applied to the largest features still give a finite sum.
const MAX_WEIGHT: f64 = 1e50;
/// Above any mean of 32-bit features.
const MAX_MEAN: f64 = 1e39;
/// Below any deviation of 32-bit features.
const MIN_DEVIATION: f64 = 1e-46;

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
    pub(super) fn check(self, features: &[ModelFeature]) -> Result<Net, Invalid> {
        for (i, input) in self.inputs.iter().enumerate() {
            check_input(input, features).map_err(|what| invalid(format!("inputs[{i}]"), what))?;
        }
        at_most("layers", self.layers.len(), MAX_LAYERS)?;
        at_most("inputs", self.inputs.len(), MAX_WIDTH)?;
        let mut width = self.inputs.len();
        for (i, layer) in self.layers.iter().enumerate() {
            let refuse =
                |field: &str, what: String| Err(invalid(format!("layers[{i}]{field}"), what));
            let outputs = layer.biases.len();
            at_most("biases", outputs, MAX_WIDTH)
                .map_err(|invalid| invalid.under(format!("layers[{i}]")))?;
            // Neither is above 2^24, so their product does not overflow.
            if layer.weights.len() != outputs * width {
                let met = layer.weights.len();
                let what = format!(
                    "has {}; {} of {} need {}",
                    counted(met, "entry"),
                    counted(outputs, "output"),
                    counted(width, "input"),
                    outputs * width
                );
                return refuse(".weights", what);
            }
            let mut numbers = layer.biases.iter().chain(&layer.weights);
            if let Some(met) = numbers.find(|w| w.is_nan() || w.abs() > MAX_WEIGHT) {
                return refuse(
                    "",
                    format!("has the value {met}; at most {MAX_WEIGHT:e} is allowed"),
                );
            }
            width = outputs;
        }
        match (width, self.layers.last()) {
            (1, Some(last)) if last.activation == Activation::Identity => {
                Ok(Net { inputs: self.inputs, layers: self.layers })
            }
            _ => Err(invalid(
                "layers",
                "the last layer must have one output and the activation identity",
            )),
        }
    }
}

fn check_input(input: &Input, features: &[ModelFeature]) -> Result<(), String> {
    if let Some(number) = input.feature()
        && number >= features.len()
    {
        let all = counted(features.len(), "feature");
        return Err(format!("reads feature {number}; the model has {all}"));
    }
    match *input {
        Input::Number { mean, deviation, .. }
            if !(mean.abs() <= MAX_MEAN && (MIN_DEVIATION..=MAX_MEAN).contains(&deviation)) =>
        {
            Err(format!(
                "has mean {mean} and deviation {deviation}; the mean must be at most {MAX_MEAN:e}, the \
                 deviation greater than 0"
            ))
        }
        Input::Draw { features: count, .. } if count as usize > features.len() => {
            let count = counted(count as usize, "feature");
            Err(format!("draws by {count}; the model has {}", features.len()))
        }
        _ => Ok(()),
    }
}
