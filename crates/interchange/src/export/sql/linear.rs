//! Linear scores.

use stakes_model::{Activation, Input, ModelFeature, Net};

use super::{exponent, identifier, number, text};

/// A linear score, added up in the order of [`stakes_model::dot`].
pub(super) fn net_text(net: &Net, features: &[ModelFeature]) -> String {
    let layer = &net.layers[0];
    debug_assert_eq!(layer.activation, Activation::Identity);
    let terms: Vec<String> = (net.inputs.iter().zip(&layer.weights))
        .map(|(input, weight)| match *weight {
            0.0 => String::new(),
            weight => format!("{} * {}", input_text(input, features), number(weight)),
        })
        .collect();
    let whole = terms.len() / 8 * 8;
    let sum = |terms: &mut dyn Iterator<Item = &String>| {
        let terms: Vec<&str> = terms.map(String::as_str).filter(|term| !term.is_empty()).collect();
        if terms.is_empty() { "0e0".to_owned() } else { format!("({})", terms.join("\n    + ")) }
    };
    let lane = |lane: usize| sum(&mut terms[..whole].iter().skip(lane).step_by(8));
    let rest = sum(&mut terms[whole..].iter());
    let product = match whole {
        0 => rest,
        _ => {
            let [a, b, c, d, e, f, g, h] = std::array::from_fn(lane);
            format!("((({a} + {b}) + ({c} + {d})) + (({e} + {f}) + ({g} + {h})) + {rest})")
        }
    };
    format!("({} + {product})", number(layer.biases[0]))
}

fn input_text(input: &Input, features: &[ModelFeature]) -> String {
    let column = |feature: u32| identifier(&features[feature as usize].name);
    match *input {
        Input::Number { feature, mean, deviation } => {
            let column = column(feature);
            let most = exponent(f64::from(f32::MAX));
            let [low, high] =
                [f32::MIN, f32::MAX].map(|x| exponent((f64::from(x) - mean) / deviation));
            format!(
                "CASE WHEN {column} < -{most} THEN {low} WHEN 0e0 - {column} < -{most} THEN {high} WHEN {column} <= {most} \
                 THEN (CAST({column} AS DOUBLE PRECISION) - {}) / {} ELSE 0e0 END",
                number(mean),
                number(deviation)
            )
        }
        Input::Missing { feature } => {
            let known = match &features[feature as usize].categories {
                None => format!("{0} <= 0e0 OR 0e0 - {0} < 0e0", column(feature)),
                Some(names) if names.is_empty() => return "1e0".into(),
                Some(names) => {
                    let names: Vec<String> = names.iter().map(|name| text(name)).collect();
                    format!("{} IN ({})", column(feature), names.join(", "))
                }
            };
            format!("CASE WHEN {known} THEN 0e0 ELSE 1e0 END")
        }
        Input::Category { feature, code } => {
            let known = features[feature as usize].categories.as_ref();
            match known.and_then(|names| names.get(code as usize)) {
                None => "0e0".into(),
                Some(name) => {
                    format!("CASE WHEN {} = {} THEN 1e0 ELSE 0e0 END", column(feature), text(name))
                }
            }
        }
        Input::Draw { .. } => unreachable!("draws are refused"),
    }
}
