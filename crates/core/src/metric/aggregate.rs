//! From the values of lists to one figure. Every aggregate is a ratio of sums of per-list
//! parts, on which confidence intervals and tests are computed.

use super::part::{Finish, Part, ratio};
use crate::ExactSum;
use crate::shards::Shards;

/// The value of one list, with its weight.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListValue {
    /// The value, or `None` if the list has none.
    pub value: Option<f64>,
    /// The weight of the list in a weighted mean.
    pub weight: f64,
}

/// How the values of lists become one figure.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Aggregate {
    /// The mean of the lists that have a value (NDCG, R@k).
    Mean,
    /// The mean weighted by the lists' weights: with value A/Ideal and weight Ideal this is
    /// the ratio of sums, R_CS (McBride et al. 2019, eq. 5).
    WeightedMean,
    /// The sum over lists.
    Sum,
    /// The root of the weighted mean of squares (RMSE over all items).
    RootMeanSquare,
}

impl Aggregate {
    /// Returns the parts of all lists, in order.
    pub fn parts(self, values: &[ListValue]) -> Vec<Part> {
        self.parts_of(values, values.len() as f64)
    }

    /// The parts of lists of which there are so many in all.
    fn parts_of(self, values: &[ListValue], count: f64) -> Vec<Part> {
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

    /// Returns the figure, or `None` if no list has a value.
    pub fn figure(self, parts: &[Part]) -> Option<f64> {
        ratio(parts.iter().copied()).map(|ratio| self.finish().apply(ratio))
    }

    /// Returns the parts of lists, of which other shards have more, and the figure over all.
    pub(super) fn among(self, values: &[ListValue], shards: &Shards) -> (Vec<Part>, Option<f64>) {
        let count = match self {
            Aggregate::Sum => shards.sum_of(values.len() as i64) as f64,
            _ => values.len() as f64,
        };
        let parts = self.parts_of(values, count);
        let num: ExactSum = parts.iter().map(|part| part.num).collect();
        let den: ExactSum = parts.iter().map(|part| part.den).collect();
        let [num, den] = shards.exact_sums([&num, &den]);
        let figure = self.figure(&[Part::new(num, den)]);
        (parts, figure)
    }

    /// Returns the last step from the ratio of sums to the figure.
    pub fn finish(self) -> Finish {
        match self {
            Aggregate::RootMeanSquare => Finish::SquareRoot,
            _ => Finish::Identity,
        }
    }

    /// Describes the aggregate in words, for tables.
    pub fn describe(self) -> &'static str {
        match self {
            Aggregate::Mean => "mean of lists",
            Aggregate::WeightedMean => "mean of lists weighted as in the formula",
            Aggregate::Sum => "sum over lists",
            Aggregate::RootMeanSquare => "root of the mean square over items",
        }
    }
}
