//! Buffers for reuse by whichever thread needs one next.

use std::sync::{Mutex, PoisonError};

/// Buffers that nobody uses now.
#[derive(Debug)]
pub(super) struct Spare<T>(Mutex<Vec<T>>);

impl<T> Default for Spare<T> {
    fn default() -> Self {
        Spare(Mutex::default())
    }
}

impl<T> Spare<T> {
    /// Takes a buffer with whatever it holds, if there is one.
    pub(super) fn take(&self) -> Option<T> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }

    pub(super) fn give(&self, buffer: T) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(buffer);
    }
}
