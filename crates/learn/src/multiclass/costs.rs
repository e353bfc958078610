//! The cost of predicting one class for another.
//!
//! Given by the user; or, as in Salomon 2020, section 4.3.2, symmetric and real-valued, "pairs of
//! similar elements that need to be classified differently" costing most:
//!
//!   c(a, b) = 1 / (1 + D), D = mean over features of (mean in a - mean in b)^2 / variance within classes,
//!
//! in units of their mean. (Categories count as one feature of zeros and ones each.) Two classes at
//! the same place cost the most, and classes far apart next to nothing. With such costs the loss of
//! the RankBoost family is the guess-averse exponential loss of Beijbom et al. 2014:
//! sum over b of c(a, b) exp(s_b - s_a).
//!
//! Example: three classes at 0, 1 and 3 of one feature with variance 1: D = 1, 9, 4; costs 1/2, 1/10
//! and 1/5, in units of their mean 1.875, 0.375 and 0.75.

use stakes_core::data::{Dataset, FeatureKind};

/// A cost for each true class and each class it may be taken for.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassCosts {
    /// The classes.
    pub names: Vec<String>,
    /// By true class and, within it, by the class it is taken for. The same class costs 0.
    pub costs: Vec<f64>,
}

impl ClassCosts {
    /// Costs as given: a row for each true class.
    pub fn given(names: Vec<String>, costs: Vec<f64>) -> Self {
        let mut given = ClassCosts { names, costs };
        let n = given.names.len();
        (0..n).for_each(|class| given.costs[class * n + class] = 0.0);
        given
    }

    /// Costs that are higher for classes that are more alike. `data` are candidates with their right class
    /// known; `class` is the feature that holds it.
    pub fn of_likeness(data: &Dataset, class: usize) -> Self {
        let names = match &data.feature_info()[class].kind {
            FeatureKind::Categorical(names) => names.clone(),
            FeatureKind::Numeric => Vec::new(),
        };
        let n = names.len();
        let rows = right_rows(data, class);
        let mut distance = vec![0.0; n * n];
        let mut told = 0.0;
        for (feature, info) in data.feature_info().iter().enumerate().filter(|(j, _)| *j != class) {
            let value = |item: usize| data.features().row(item)[feature];
            match &info.kind {
                FeatureKind::Numeric => {
                    let values =
                        rows.iter().map(|&(item, class, w)| (f64::from(value(item)), class, w));
                    told += add_distances(values, n, &mut distance);
                }
                FeatureKind::Categorical(names) => {
                    for code in 0..names.len() {
                        let is = |x: f32| {
                            if x.is_nan() {
                                f64::NAN
                            } else {
                                f64::from(u8::from(x as usize == code))
                            }
                        };
                        let values =
                            rows.iter().map(|&(item, class, w)| (is(value(item)), class, w));
                        told += add_distances(values, n, &mut distance);
                    }
                }
            }
        }
        let of = |d: &f64| if told > 0.0 { 1.0 / (1.0 + d / told) } else { 1.0 };
        let mut costs = ClassCosts::given(names, distance.iter().map(of).collect());
        let mean = costs.costs.iter().sum::<f64>() / (n * n.saturating_sub(1)) as f64;
        costs.costs.iter_mut().for_each(|cost| *cost /= mean);
        costs
    }

    /// The cost of predicting `taken` for a row of the class `right`, by their numbers.
    pub fn cost(&self, right: usize, taken: usize) -> f64 {
        self.costs[right * self.names.len() + taken]
    }

    /// The mean over all possible mistakes.
    pub fn mean(&self) -> f64 {
        let n = self.names.len();
        self.costs.iter().sum::<f64>() / (n * (n - 1)) as f64
    }

    /// The same for these classes in this order; the name of one that has no costs otherwise.
    pub fn in_order(&self, names: &[String]) -> Result<ClassCosts, String> {
        let find = |name: &String| self.names.iter().position(|n| n == name).ok_or(name.clone());
        let places = names.iter().map(find).collect::<Result<Vec<usize>, String>>()?;
        let row = |&right: &usize| places.iter().map(move |&taken| self.cost(right, taken));
        Ok(ClassCosts { names: names.to_vec(), costs: places.iter().flat_map(row).collect() })
    }
}

/// An item of every row, its class and its weight.
fn right_rows(data: &Dataset, class: usize) -> Vec<(usize, usize, f64)> {
    let right = |item: &usize| data.impact().is_some_and(|impact| impact[*item] > 0.0);
    let of = |item: usize| {
        let class = data.features().row(item)[class] as usize;
        (item, class, data.weight().map_or(1.0, |weight| weight[item]))
    };
    (0..data.len()).filter(right).map(of).collect()
}

/// Adds the squared distances between classes in one feature; 0 if it is constant within all of
/// them or has no values in some, and else 1.
fn add_distances(
    values: impl Iterator<Item = (f64, usize, f64)> + Clone,
    n: usize,
    distance: &mut [f64],
) -> f64 {
    let (mut weight, mut mean) = (vec![0.0; n], vec![0.0; n]);
    let there = || values.clone().filter(|(value, ..)| !value.is_nan());
    for (value, class, w) in there().filter(|(.., w)| *w > 0.0) {
        weight[class] += w;
        mean[class] += w / weight[class] * (value - mean[class]);
    }
    let squares: f64 = there().map(|(value, class, w)| w * (value - mean[class]).powi(2)).sum();
    let variance = squares / weight.iter().sum::<f64>();
    if !(variance > 0.0 && variance.is_finite()) || weight.contains(&0.0) {
        return 0.0;
    }
    for a in 0..n {
        for b in 0..n {
            distance[a * n + b] += (mean[a] - mean[b]).powi(2) / variance;
        }
    }
    1.0
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::super::Classes;
    use super::*;
    use stakes_core::data::{Columns, DatasetBuilder, Feature, Row};

    #[test]
    fn the_example_at_the_head() {
        let names = ["a", "b", "c"].map(String::from).to_vec();
        let features = vec![Feature::numeric("x"), Feature::categorical("kind", names)];
        let mut builder = DatasetBuilder::new("some", Columns::of_features(features)).unwrap();
        // Variance 1 in each class, about 0, 1 and 3.
        for (line, (x, class)) in
            [(-1.0, 0.0), (1.0, 0.0), (0.0, 1.0), (2.0, 1.0), (2.0, 2.0), (4.0, 2.0)]
                .iter()
                .enumerate()
        {
            let row = Row { line: line as u64 + 1, features: &[*x, *class], ..Row::default() };
            builder.push(row).unwrap();
        }
        let data = builder.finish().unwrap();
        let classes = Classes::of(&data, "kind").unwrap();
        let costs = ClassCosts::of_likeness(&classes.candidates(&data, true).unwrap(), 0);
        let expected = [0.0, 1.875, 0.375, 1.875, 0.0, 0.75, 0.375, 0.75, 0.0];
        assert!(costs.costs.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{costs:?}");
        assert!((costs.mean() - 1.0).abs() < 1e-12);
        let other = costs.in_order(&["c".into(), "a".into()]).unwrap();
        assert_eq!(other.costs, [0.0, costs.cost(2, 0), costs.cost(0, 2), 0.0]);
        assert_eq!(costs.in_order(&["d".into()]), Err("d".into()));
    }
}
