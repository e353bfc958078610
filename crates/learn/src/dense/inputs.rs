//! From the features of a model to the inputs of a net.
//!
//! A number is standardised by its weighted mean and deviation over the training items; where it is
//! missing it is 0, the mean, and if that happens in training there is a further input that is 1
//! there. A category is an input of its own. Features that are the same for all items are left out.

use rayon::prelude::*;

use stakes_model::{Input, ModelFeature};

/// Rows of features, in the model's order and codes, with their weights.
pub(super) struct Rows<'r> {
    pub(super) values: &'r [f32],
    pub(super) width: usize,
    pub(super) weight: Option<&'r [f64]>,
}

/// The inputs of features, in their order.
pub(super) fn inputs(features: &[ModelFeature], rows: &Rows<'_>) -> Vec<Input> {
    let of_feature = |(number, feature): (usize, &ModelFeature)| {
        let values = || {
            let column = rows.values[number..].iter().step_by(rows.width).enumerate();
            let weighed =
                column.map(|(item, &x)| (f64::from(x), rows.weight.map_or(1.0, |w| w[item])));
            weighed.filter(|(_, weight)| *weight > 0.0)
        };
        of_column(number as u32, feature, values)
    };
    let columns: Vec<Vec<Input>> = features.par_iter().enumerate().map(of_feature).collect();
    columns.concat()
}

fn of_column<V: Iterator<Item = (f64, f64)> + Clone>(
    feature: u32,
    info: &ModelFeature,
    values: impl Fn() -> V,
) -> Vec<Input> {
    let known = || values().filter(|(x, _)| !x.is_nan());
    let is_missing = values().any(|(x, _)| x.is_nan());
    let mut inputs = Vec::new();
    let Some((first, _)) = known().next() else { return inputs };
    let differs = known().any(|(x, _)| x != first);
    match &info.categories {
        Some(names) => {
            let mut present = vec![false; names.len()];
            known().for_each(|(code, _)| present[code as usize] = true);
            let codes = (0..names.len() as u32).filter(|&code| present[code as usize]);
            if differs || is_missing {
                inputs.extend(codes.map(|code| Input::Category { feature, code }));
            }
        }
        None => {
            if differs {
                let (mean, deviation) = moments(known());
                inputs.push(Input::Number { feature, mean, deviation });
            }
            if is_missing {
                inputs.push(Input::Missing { feature });
            }
        }
    }
    inputs
}

/// Mean and standard deviation of weighted values that differ.
fn moments(values: impl Iterator<Item = (f64, f64)> + Clone) -> (f64, f64) {
    let all: f64 = values.clone().map(|(_, w)| w).sum();
    let mean = values.clone().map(|(x, w)| w / all * x).sum::<f64>();
    let variance = values.map(|(x, w)| w / all * (x - mean).powi(2)).sum::<f64>();
    // Values may be so close to each other that the squares of differences underflow.
    (mean, variance.sqrt().max(f64::from(f32::MIN_POSITIVE) * f64::from(f32::EPSILON)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_categories_and_gaps() {
        let nan = f32::NAN;
        let names = Some(vec!["wood".into(), "steel".into(), "stone".into()]);
        let feature = |name: &str, categories| ModelFeature { name: name.into(), categories };
        let features = [
            feature("wind", None),
            feature("same", None),
            feature("pole", names),
            feature("gap", None),
        ];
        let values = [
            [1.0, 5.0, 0.0, 1.0],
            [3.0, 5.0, 2.0, nan],
            [100.0, 7.0, 1.0, 9.0], // This one does not count.
        ]
        .concat();
        let rows = Rows { values: &values, width: 4, weight: Some(&[1.0, 1.0, 0.0]) };
        let expected = [
            Input::Number { feature: 0, mean: 2.0, deviation: 1.0 },
            Input::Category { feature: 2, code: 0 },
            Input::Category { feature: 2, code: 2 },
            Input::Missing { feature: 3 },
        ];
        assert_eq!(inputs(&features, &rows), expected);
    }
}
