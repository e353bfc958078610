//! Paired tests over lists: is one score significantly better than another?
//!
//! Both scores are over the same lists, so the differences list by list are tested.
//! [`paired_differences`] computes one number per list whose mean is the difference of the two figures,
//! for any kind of figure; the tests use only these numbers.
//!
//! | test                            | assumption under the null hypothesis                       |
//! |---------------------------------|------------------------------------------------------------|
//! | [`t_test`]                      | the mean difference is nearly normal (many lists)          |
//! | [`wilcoxon`]                    | differences are symmetric about 0; uses only their ranks   |
//! | [`randomisation`]               | the two scores are exchangeable in each list               |
//!
//! For cost-sensitive figures the randomisation test is preferable: a few lists have most of the cost, so
//! the mean is not normal, and Wilcoxon's test treats a storm of 10,000 customers much like one of 100.
//! (Smucker, Allan and Carterette 2007 recommend it for rankings in general.)
//!
//! For all tests: fewer than two differences give no result (`None`), differences that are all zero give p =
//! 1, and a p value is never NaN.
//!
//! ```
//! use stakes_stats::{PairedTest, Part, TestOptions, paired_differences};
//! let a: Vec<Part> = [0.9, 0.8, 0.7].map(|v| Part::mean(Some(v))).to_vec();
//! let b: Vec<Part> = [0.8, 0.6, 0.4].map(|v| Part::mean(Some(v))).to_vec();
//! let differences = paired_differences(&a, &b).unwrap();
//! let test = PairedTest::Randomisation.run(&differences, &TestOptions::default());
//! // Of the 8 ways to sign three differences, two are as extreme: all + and all -.
//! assert_eq!(test.unwrap().unwrap().p_value, 0.25);
//! ```

pub mod correction;
mod differences;
pub mod randomisation;
pub mod t_test;
pub mod wilcoxon;

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use crate::error::StatsError;

pub use correction::Correction;
pub use differences::paired_differences;

/// The alternative hypothesis.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Alternative {
    /// The first score is better or worse.
    #[default]
    TwoSided,
    /// The first score is higher.
    Greater,
    /// The first score is lower.
    Less,
}

impl Alternative {
    /// The p value from the probabilities of a statistic at most and at least as large as the observed one.
    fn p_value(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            // Twice the smaller tail. For discrete statistics both tails include the observed value, so
            // this may exceed 1.
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least.min(1.0),
            Self::Less => at_most.min(1.0),
        }
    }
}

/// The result of a test.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The statistic, as documented for each test. May be infinite (t of equal differences), never NaN.
    pub statistic: f64,
    /// The probability of a statistic at least as extreme if the scores were equally good, from 0 to 1.
    pub p_value: f64,
    /// The number of differences used.
    pub n: usize,
    /// The test, and how its p value was computed.
    pub method: String,
}

/// Options of the tests; each test uses those that apply to it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestOptions {
    /// The alternative hypothesis.
    pub alternative: Alternative,
    /// The distribution for the p value of Wilcoxon's test.
    pub wilcoxon: wilcoxon::Distribution,
    /// The number of random sign patterns if there are too many to enumerate.
    pub resamples: usize,
    /// The seed of the random sign patterns.
    pub seed: u64,
}

impl Default for TestOptions {
    fn default() -> Self {
        Self {
            alternative: Alternative::TwoSided,
            wilcoxon: wilcoxon::Distribution::Auto,
            // One less than a round number, so that the p values (1 + hits) / (1 + resamples) are round.
            resamples: 9999,
            seed: 0,
        }
    }
}

/// The paired tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairedTest {
    /// Randomisation of the mean difference by sign flips.
    #[default]
    Randomisation,
    /// Student's paired t test.
    T,
    /// Wilcoxon's signed-rank test.
    Wilcoxon,
}

impl PairedTest {
    /// All tests.
    pub const ALL: [Self; 3] = [Self::Randomisation, Self::T, Self::Wilcoxon];

    /// The name in options and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Randomisation => "randomisation",
            Self::T => "t",
            Self::Wilcoxon => "wilcoxon",
        }
    }

    /// Tests whether the differences are centred on zero; `None` for fewer than two.
    ///
    /// # Errors
    /// If a difference is not finite, or random patterns are needed and `resamples` is 0.
    pub fn run(
        self,
        differences: &[f64],
        options: &TestOptions,
    ) -> Result<Option<TestResult>, StatsError> {
        match self {
            Self::Randomisation => randomisation::test(differences, options),
            Self::T => t_test::test(differences, options),
            Self::Wilcoxon => wilcoxon::test(differences, options),
        }
    }
}

impl fmt::Display for PairedTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for PairedTest {
    type Err = StatsError;

    fn from_str(name: &str) -> Result<Self, StatsError> {
        named("paired test", name, &Self::ALL, Self::name)
    }
}

/// Finds the value with this name.
fn named<T: Copy>(
    kind: &'static str,
    met: &str,
    all: &[T],
    name: fn(T) -> &'static str,
) -> Result<T, StatsError> {
    let found = all.iter().copied().find(|&x| name(x) == met);
    found.ok_or_else(|| StatsError::Name {
        kind,
        met: met.to_owned(),
        allowed: all.iter().map(|&x| name(x)).collect::<Vec<_>>().join(", "),
    })
}

/// Refuses differences that are not finite.
fn check(differences: &[f64]) -> Result<(), StatsError> {
    match differences.iter().position(|d| !d.is_finite()) {
        Some(index) => {
            let value = differences[index];
            Err(StatsError::Difference { index, value })
        }
        None => Ok(()),
    }
}

#[cfg(test)]
mod tests;
