//! Decoders of other crates meet unchecked bytes: a damaged file must not end the program.

use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::ReadError;

/// Turns a panic of a decoder into an error.
pub(crate) fn guarded<T>(
    name: &str,
    f: impl FnOnce() -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    catch_unwind(AssertUnwindSafe(f)).unwrap_or_else(|_| Err(damaged(name, "the decoder panicked")))
}

pub(crate) fn damaged(name: &str, error: impl std::fmt::Display) -> ReadError {
    let what = format!("the file is damaged or truncated ({error}); copy or write it again");
    ReadError::at(name, 0, what)
}
