//! `LinearRegressor` and `LinearClassifier` of two classes.

use stakes_model::{Input, Link, Net};

use super::attributes::Attributes;
use super::graph::Steps;
use super::trees::{Sum, link};
use crate::import::error::Fault;

pub(super) fn read(steps: &Steps<'_>) -> Result<Sum, Fault> {
    let attributes = Attributes::of(steps.operator);
    let coefficients = attributes.floats("coefficients");
    let intercepts = attributes.floats("intercepts");
    let is_classifier = steps.operator.op_type() == "LinearClassifier";
    let outputs = match is_classifier {
        true => {
            attributes.ints("classlabels_ints").len()
                + attributes.strings("classlabels_strings").len()
        }
        false => usize::try_from(attributes.int("targets").unwrap_or(1)).unwrap_or(usize::MAX),
    };
    let wanted = if is_classifier { 2 } else { 1 };
    if outputs != wanted {
        let what = format!("it has {outputs} outputs; models of one score can be imported");
        return Err(Fault::refused(what));
    }
    let width = coefficients.len() / wanted;
    attributes.check("coefficients", coefficients.len(), width * wanted)?;
    if !intercepts.is_empty() {
        attributes.check("intercepts", intercepts.len(), wanted)?;
    }
    let link = match link(&attributes)? {
        Link::Identity if is_classifier => {
            return Err(Fault::refused("its classes have no probabilities (post_transform NONE)"));
        }
        link => link,
    };
    // Of two classes the second is the one whose chance is asked for.
    let weights = &coefficients[width * (wanted - 1)..];
    let start = intercepts.last().map_or(0.0, |&constant| f64::from(constant));
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(Fault::new("coefficients", format!("one is {weight}; it must be finite")));
    }
    let input = |feature: usize| {
        let (offset, scale) = match &steps.scaler {
            Some(scaler) => scaler.of_feature(feature)?,
            None => (0.0, 1.0),
        };
        let (mean, deviation) = (f64::from(offset), 1.0 / f64::from(scale));
        Ok(Input::Number { feature: feature as u32, mean, deviation })
    };
    let inputs = (0..width).map(input).collect::<Result<Vec<_>, Fault>>()?;
    let net = Net::linear(inputs, weights.iter().copied().map(f64::from).collect());
    let missing = "a missing value is as the mean of its feature here; ONNX Runtime gives no score for such rows";
    Ok(Sum {
        width,
        link,
        start,
        trees: Vec::new(),
        net: Some(net),
        notes: vec![missing.to_owned()],
    })
}
