//! Errors of intervals and tests.

use stakes_core::display::counted;

/// Why an interval or a test could not be computed.
///
/// If there is no answer (one list, nothing to save), the result is `None`, not an error. An error means
/// invalid arguments.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// Two scores have different numbers of lists.
    #[error(
        "score {column} has {} but score 0 has {expected}; \
         scores are compared list by list, so both must be over the same lists",
        counted(*.met, "list")
    )]
    Lengths {
        /// The index of the score, from 0.
        column: usize,
        /// Its number of lists.
        met: usize,
        /// The number of lists of score 0.
        expected: usize,
    },
    /// An invalid part.
    #[error(
        "list {list} has num = {num}, den = {den}; allowed are finite numbers with den > 0, \
         or num = den = 0 for a list without a value"
    )]
    Part {
        /// The index of the list, from 0.
        list: usize,
        /// Its numerator.
        num: f64,
        /// Its denominator.
        den: f64,
    },
    /// A negative part where the figure is a square root.
    #[error("list {list} has num = {num}; a figure under a square root needs num >= 0")]
    NegativeUnderRoot {
        /// The index of the list, from 0.
        list: usize,
        /// Its numerator.
        num: f64,
    },
    /// A difference that is not a number.
    #[error("difference {index} is {value}; allowed are finite numbers")]
    Difference {
        /// The index of the difference, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// A confidence level that is not between 0 and 1, or too close to 1.
    #[error("the confidence level is {met}; allowed are shares above 0 up to {max}, such as 0.95")]
    Level {
        /// The level that was given.
        met: f64,
        /// The maximum.
        max: f64,
    },
    /// Too few resamples for the level, or too many for memory.
    #[error("{}; allowed are {min} to {max} (2000 is a good number)", counted(*.met, "resample"))]
    Resamples {
        /// The number that was given.
        met: usize,
        /// The minimum.
        min: usize,
        /// The maximum.
        max: usize,
    },
    /// A p value outside [0, 1].
    #[error("p value {index} is {value}; allowed is 0 to 1")]
    PValue {
        /// The index of the p value, from 0.
        index: usize,
        /// The value.
        value: f64,
    },
    /// An unknown name.
    #[error("unknown {kind} \"{met}\"; allowed: {allowed}")]
    Name {
        /// The kind of thing that is named.
        kind: &'static str,
        /// The value.
        met: String,
        /// The known names, separated by commas.
        allowed: String,
    },
}
