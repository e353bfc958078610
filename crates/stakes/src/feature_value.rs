//! Values of a model's features in the data's own units.

use serde_json::Value;
use stakes_core::display::nice_number;
use stakes_model::ModelFeature;

/// A number, the name of a category, or null where it is missing.
pub fn value(feature: &ModelFeature, value: f32) -> Value {
    match &feature.categories {
        _ if value.is_nan() => Value::Null,
        Some(names) => names.get(value as usize).map_or(Value::Null, |name| name.clone().into()),
        // By its digits: 31.2 and not the nearest number of 64 bits, 31.200000762939453.
        None => value.to_string().parse::<f64>().map_or(Value::Null, Value::from),
    }
}

/// A value as text: whole numbers as they are (years, codes), others by their first digits.
pub fn value_text(value: &Value) -> String {
    match value {
        Value::String(name) => name.clone(),
        Value::Number(number) => match number.as_f64() {
            Some(number) if number.fract() != 0.0 => nice_number(number),
            Some(number) => number.to_string(),
            None => String::new(),
        },
        _ => "missing".to_owned(),
    }
}
