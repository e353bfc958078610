//! Is one score really better than another? Paired tests over lists.
//!
//! Both scores are over the same lists, so what is tested is the difference list by list:
//! [`paired_differences`] makes one number per list whose mean is the difference of the two
//! figures, whatever kind of figure it is; the tests know nothing but these numbers.
//!
//! | test                            | supposes, if the scores are equally good              |
//! |---------------------------------|--------------------------------------------------------|
//! | [`t_test`]                      | the mean difference is near normal (many lists)        |
//! | [`wilcoxon`]                    | differences are symmetric about 0; deaf to their size  |
//! | [`randomisation`]               | in each list the two scores could be exchanged         |
//!
//! For cost-sensitive figures prefer the randomisation test: a few lists hold most of the cost,
//! so the mean is not normal, and Wilcoxon counts a storm of 10,000 customers much like one of
//! 100. (Smucker, Allan and Carterette, "A comparison of statistical significance tests for
//! information retrieval evaluation", CIKM 2007, recommend it for rankings in general.)
//!
//! What all share: fewer than two differences have no test (`None`); differences that are all
//! zero have p = 1; a p value is never NaN.
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

/// Which departures from "equally good" count.
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
    /// The p value from the chances of a statistic at most and at least as large as the one met.
    fn p_value(self, at_most: f64, at_least: f64) -> f64 {
        match self {
            // Twice the smaller tail. Where the statistic is discrete both tails hold the
            // value met, so that this may pass 1.
            Self::TwoSided => (2.0 * at_most.min(at_least)).min(1.0),
            Self::Greater => at_least.min(1.0),
            Self::Less => at_most.min(1.0),
        }
    }
}

/// What a test says.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TestResult {
    /// The statistic; each test says which. May be infinite (t of equal differences), never NaN.
    pub statistic: f64,
    /// Chance of a statistic at least as extreme if the scores were equally good; 0 to 1.
    pub p_value: f64,
    /// Number of differences used.
    pub n: usize,
    /// Which test, and which way it was computed.
    pub method: String,
}

/// What the tests can be told; each reads what concerns it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct TestOptions {
    /// Which departures count.
    pub alternative: Alternative,
    /// How the Wilcoxon test gets its p value.
    pub wilcoxon: wilcoxon::Distribution,
    /// Random sign patterns when there are too many to try all.
    pub resamples: usize,
    /// Seed of the random sign patterns.
    pub seed: u64,
}

impl Default for TestOptions {
    fn default() -> Self {
        Self {
            alternative: Alternative::TwoSided,
            wilcoxon: wilcoxon::Distribution::Auto,
            // One less than a round number, so that the p values, (1 + hits) / (1 + resamples),
            // are round ones.
            resamples: 9999,
            seed: 0,
        }
    }
}

/// The tests there are: the table that programs and documents walk.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PairedTest {
    /// Sign-flip randomisation of the mean difference.
    #[default]
    Randomisation,
    /// Student's paired t.
    T,
    /// Wilcoxon's signed ranks.
    Wilcoxon,
}

impl PairedTest {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::Randomisation, Self::T, Self::Wilcoxon];

    /// The name it is asked for by.
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
    /// When a difference is not finite or there are no resamples to make.
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

/// The member of a table that has this name.
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

/// The door of every test.
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
