//! From lists to one figure. Every aggregate is a ratio of sums of per-list parts, which is
//! what intervals and tests work on.

/// What one list says.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListValue {
    /// The value, or `None` where the list has none.
    pub value: Option<f64>,
    /// How much the list counts in a weighted mean.
    pub weight: f64,
}

/// A list's share in the figure: the figure is sum(num) / sum(den).
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Part {
    /// Numerator.
    pub num: f64,
    /// Denominator; 0 for a list that does not count.
    pub den: f64,
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
                (_, None) => Part::default(),
                (Aggregate::Mean, Some(v)) => Part { num: v, den: 1.0 },
                (Aggregate::WeightedMean, Some(v)) => {
                    Part { num: list.weight * v, den: list.weight }
                }
                (Aggregate::RootMeanSquare, Some(v)) => {
                    Part { num: list.weight * v * v, den: list.weight }
                }
            })
            .collect()
    }

    /// The figure, or `None` if no list counts.
    pub fn figure(self, parts: &[Part]) -> Option<f64> {
        let num: f64 = parts.iter().map(|p| p.num).sum();
        let den: f64 = parts.iter().map(|p| p.den).sum();
        (den > 0.0).then(|| self.finish(num / den))
    }

    /// The last step from the ratio of sums to the figure.
    pub fn finish(self, ratio: f64) -> f64 {
        match self {
            Aggregate::RootMeanSquare => ratio.sqrt(),
            _ => ratio,
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
