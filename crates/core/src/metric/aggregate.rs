//! From lists to one figure. Every aggregate is a ratio of sums of per-list parts, which is
//! what intervals and tests work on.

use super::part::{Finish, Part, ratio};

/// What one list says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListValue {
    /// The value, or `None` where the list has none.
    pub value: Option<f64>,
    /// How much the list counts in a weighted mean.
    pub weight: f64,
}

/// How the values of lists become one figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The mean of the lists that have a value (NDCG, R@k).
    Mean,
    /// The mean weighted by what lists can save: with value A/Ideal and weight Ideal this
    /// is the ratio of sums, R_CS (paper 000, eq. 5).
    WeightedMean,
    /// The sum over lists.
    Sum,
    /// The root of the weighted mean of squares (RMSE over all items).
    RootMeanSquare,
}

impl Aggregate {
    /// The parts of all lists, in order.
    pub fn parts(self, values: &[ListValue]) -> Vec<Part> {
        let count = values.len() as f64;
        values
            .iter()
            .map(|list| match (self, list.value) {
                (Aggregate::Sum, value) => Part { num: value.unwrap_or(0.0), den: 1.0 / count },
                (Aggregate::Mean, value) => Part::mean(value),
                (Aggregate::WeightedMean, value) => Part::weighted(value, list.weight),
                (Aggregate::RootMeanSquare, value) => {
                    Part::weighted(value.map(|v| v * v), list.weight)
                }
            })
            .collect()
    }

    /// The figure, or `None` if no list counts.
    pub fn figure(self, parts: &[Part]) -> Option<f64> {
        ratio(parts.iter().copied()).map(|ratio| self.finish().apply(ratio))
    }

    /// The last step from the ratio of sums to the figure.
    pub fn finish(self) -> Finish {
        match self {
            Aggregate::RootMeanSquare => Finish::SquareRoot,
            _ => Finish::Identity,
        }
    }

    /// In words, for tables.
    pub fn describe(self) -> &'static str {
        match self {
            Aggregate::Mean => "mean of lists",
            Aggregate::WeightedMean => "mean of lists weighted by their stake",
            Aggregate::Sum => "sum over lists",
            Aggregate::RootMeanSquare => "root of the mean square over items",
        }
    }
}
