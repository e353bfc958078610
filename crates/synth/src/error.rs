//! Errors of generators, and the check of their parameters.

/// The reason why a data set cannot be generated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SynthError {
    /// A parameter is outside its range.
    #[error("{generator}: {name} is {value}, allowed is {allowed}")]
    Parameter {
        /// The generator.
        generator: &'static str,
        /// The parameter.
        name: &'static str,
        /// The given value.
        value: String,
        /// The allowed values.
        allowed: String,
    },
    /// The generated data set is invalid: a bug of the generator.
    #[error(transparent)]
    Data(#[from] stakes_core::data::DataError),
}

/// Returns an error if `value` is not in `low..=high` (NaN is in no range).
pub(crate) fn check<T: PartialOrd + std::fmt::Display>(
    generator: &'static str,
    name: &'static str,
    value: T,
    (low, high): (T, T),
) -> Result<(), SynthError> {
    if value >= low && value <= high {
        return Ok(());
    }
    Err(SynthError::Parameter {
        generator,
        name,
        value: value.to_string(),
        allowed: format!("{low} to {high}"),
    })
}

/// The maximum number of rows of any generator; a larger number is probably a typing error.
pub(crate) const MAX_ROWS: usize = 20_000_000;
