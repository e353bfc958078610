//! Errors of exports.

/// A model that a format cannot hold, or an option that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
#[allow(missing_docs)] // The messages say it.
pub enum ExportError {
    #[error("there is no format `{met}`{hint}; formats are {all}")]
    UnknownTarget { met: String, hint: String, all: String },
    #[error("{target} cannot hold this model: {}; {}", reasons.join("; "), advice(able))]
    Refused { target: &'static str, reasons: Vec<String>, able: Vec<&'static str> },
    #[error(
        "`no_missing` is for formats that treat missing values in their own way; {target} treats them as the model \
         does, so leave it out"
    )]
    NoMissing { target: &'static str },
}

/// What to do instead.
fn advice(able: &[&'static str]) -> String {
    match able {
        [] => {
            "no other format can, either: score with `stakes rank`, `stakes serve` or the library"
                .into()
        }
        [one] => format!("{one} can"),
        [most @ .., last] => format!("{} and {last} can", most.join(", ")),
    }
}
