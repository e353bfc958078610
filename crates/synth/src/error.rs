//! What can be wrong with the parameters of a generator.

/// A data set that cannot be generated.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SynthError {
    /// A parameter is outside of what the generator can do.
    #[error("{generator}: {name} is {value}, allowed is {allowed}")]
    Parameter {
        /// The generator.
        generator: &'static str,
        /// The parameter.
        name: &'static str,
        /// The value that was given.
        value: String,
        /// What is allowed.
        allowed: String,
    },
    /// The data set was refused at the door: a fault of the generator.
    #[error(transparent)]
    Data(#[from] stakes_core::data::DataError),
}

/// Refuses `value` when it is not in `low..=high` (NaN is in no range).
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

/// No generator makes more rows than this: larger is a slip of the keyboard.
pub(crate) const MOST_ROWS: usize = 20_000_000;
