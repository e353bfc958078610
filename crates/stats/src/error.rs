//! What the statistics refuse, said with what was met and what is allowed.

/// Why an interval or a test could not be computed from what was given.
///
/// "There is no answer" (one list, nothing to save) is not an error but `None`: a caller prints
/// a dash. An error means that the question itself was malformed.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum StatsError {
    /// Two scores that should be over the same lists have different numbers of lists.
    #[error(
        "score {column} has {met} lists but score 0 has {expected}; \
         scores are compared list by list, so both must be over the same lists"
    )]
    Lengths {
        /// Which score, counted from 0.
        column: usize,
        /// Its number of lists.
        met: usize,
        /// The number of lists of score 0.
        expected: usize,
    },
    /// A part that no list can have.
    #[error(
        "list {list} has num = {num}, den = {den}; allowed are finite numbers with den > 0, \
         or num = den = 0 for a list without a value"
    )]
    Part {
        /// Which list, counted from 0.
        list: usize,
        /// What it adds above the line.
        num: f64,
        /// What it adds below the line.
        den: f64,
    },
    /// A negative part where the figure is a square root.
    #[error("list {list} has num = {num}; a figure under a square root needs num >= 0")]
    NegativeUnderRoot {
        /// Which list, counted from 0.
        list: usize,
        /// What it adds above the line.
        num: f64,
    },
    /// A difference that is not a number.
    #[error("difference {index} is {value}; allowed are finite numbers")]
    Difference {
        /// Which difference, counted from 0.
        index: usize,
        /// What was met.
        value: f64,
    },
    /// A confidence level outside (0, 1).
    #[error("the confidence level is {0}; allowed is anything between 0 and 1, for example 0.95")]
    Level(f64),
    /// Too few resamples for the level, or more than memory should hold.
    #[error("{met} resamples; allowed are {least} to {most} (2000 is a good number)")]
    Resamples {
        /// What was asked for.
        met: usize,
        /// The least that makes sense.
        least: usize,
        /// The most that are made.
        most: usize,
    },
    /// A p value outside [0, 1].
    #[error("p value {index} is {value}; allowed is 0 to 1")]
    PValue {
        /// Which p value, counted from 0.
        index: usize,
        /// What was met.
        value: f64,
    },
    /// A name that is none of the known ones.
    #[error("unknown {kind} \"{met}\"; allowed: {allowed}")]
    Name {
        /// What the name should name.
        kind: &'static str,
        /// What was met.
        met: String,
        /// The known names, separated by commas.
        allowed: String,
    },
}
