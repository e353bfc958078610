//! The part of one list in a figure over many lists: every figure is a ratio of sums.
//!
//! `figure = finish( sum_i num_i / sum_i den_i )`
//!
//! | figure                   | num     | den     | finish   |
//! |--------------------------|---------|---------|----------|
//! | mean of lists (NDCG)     | value   | 1       | identity |
//! | ratio of sums (`R_CS`)   | A       | Ideal   | identity |
//! | weighted mean (`R_CR`)   | w value | w       | identity |
//! | RMSE                     | sum e^2 | n items | root     |
//! | a list without a value   | 0       | 0       |          |
//!
//! By hand: two storms with A = 10050 and 0.5 and Ideal = 10050 and 100.5 give
//! R_CS = 10050.5 / 10150.5 = 0.990148.
//!
//! ```
//! use stakes_core::metric::{Part, ratio};
//! let parts = [Part::new(10050.0, 10050.0), Part::new(0.5, 100.5)];
//! assert!((ratio(parts).unwrap() - 0.9901483).abs() < 1e-7);
//! assert_eq!(ratio([Part::EMPTY]), None);
//! ```

/// What one list adds to the numerator and to the denominator of a figure.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Part {
    /// Added to the numerator.
    pub num: f64,
    /// Added to the denominator; 0 if the list has no value (then `num` is 0 as well).
    pub den: f64,
}

impl Part {
    /// The part of a list without a value: it adds to neither sum.
    pub const EMPTY: Self = Self { num: 0.0, den: 0.0 };

    /// Makes a part from its two numbers.
    #[must_use]
    pub const fn new(num: f64, den: f64) -> Self {
        Self { num, den }
    }

    /// The part of a list in a plain mean of lists; `None` is a list without a value.
    #[must_use]
    pub fn mean(value: Option<f64>) -> Self {
        value.map_or(Self::EMPTY, |v| Self::new(v, 1.0))
    }

    /// The part of a list in a mean weighted by `weight`; `None` is a list without a value.
    #[must_use]
    pub fn weighted(value: Option<f64>, weight: f64) -> Self {
        value.map_or(Self::EMPTY, |v| Self::new(weight * v, weight))
    }

    /// Whether the list has a value.
    #[must_use]
    pub fn has_value(&self) -> bool {
        self.den > 0.0
    }
}

/// Returns the sums of numerators and denominators.
pub fn totals(parts: impl IntoIterator<Item = Part>) -> Part {
    parts.into_iter().fold(Part::EMPTY, |sum, p| Part::new(sum.num + p.num, sum.den + p.den))
}

/// Returns the ratio of the sums, or `None` if the denominator is 0.
#[must_use]
pub fn ratio(parts: impl IntoIterator<Item = Part>) -> Option<f64> {
    let sum = totals(parts);
    sum.has_value().then(|| sum.num / sum.den)
}

/// The function that turns the ratio into the figure. Both are increasing, so they keep order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Finish {
    /// The ratio itself.
    #[default]
    Identity,
    /// The root of the ratio, as in RMSE.
    SquareRoot,
}

impl Finish {
    /// Applies the function.
    #[must_use]
    pub fn apply(self, ratio: f64) -> f64 {
        match self {
            Self::Identity => ratio,
            Self::SquareRoot => ratio.sqrt(),
        }
    }

    /// The change of the figure per change of the ratio.
    #[must_use]
    pub fn slope(self, ratio: f64) -> f64 {
        match self {
            Self::Identity => 1.0,
            Self::SquareRoot => 0.5 / ratio.sqrt(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_two_storms_of_the_paper() {
        // Ranking by wind: A = 50 of 10050 and 100.5 of 100.5.
        let wind = [Part::new(50.0, 10050.0), Part::new(100.5, 100.5)];
        assert!((ratio(wind).unwrap_or(f64::NAN) - 0.014_826_9).abs() < 1e-7);
    }

    #[test]
    fn a_list_without_value_changes_nothing() {
        let parts = [Part::mean(Some(0.5)), Part::mean(None), Part::mean(Some(1.0))];
        assert_eq!(ratio(parts), Some(0.75));
        assert_eq!(ratio([]), None);
        assert_eq!(Part::weighted(Some(0.5), 4.0), Part::new(2.0, 4.0));
    }
}
