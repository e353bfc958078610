//! Feature matrices of numpy. One of 32-bit numbers, row by row, is used where it is.
#![allow(unsafe_code)] // To read an array of Python without a copy.

use std::sync::Arc;

use numpy::{PyArray2, PyArrayMethods, PyUntypedArrayMethods};
use pyo3::prelude::*;
use stakes::data::SharedValues;

/// An array of numpy that is kept alive.
struct Kept {
    _array: Py<PyArray2<f32>>,
    start: *const f32,
    len: usize,
}

// SAFETY: the array is only read, and Python's object is only dropped (which takes Python's lock).
unsafe impl Send for Kept {}
unsafe impl Sync for Kept {}

impl AsRef<[f32]> for Kept {
    fn as_ref(&self) -> &[f32] {
        // SAFETY: the memory belongs to the array, which lives as long as this, and numpy never moves or
        // shrinks it while it is referred to. That nobody writes to it meanwhile is asked of callers in the
        // documentation of the package, as by all libraries that read arrays without a copy.
        unsafe { std::slice::from_raw_parts(self.start, self.len) }
    }
}

/// The values of an array that has its rows one after the other; `None` for any other array.
pub(crate) fn shared(array: &Bound<'_, PyArray2<f32>>) -> Option<SharedValues> {
    if !array.is_c_contiguous() {
        return None;
    }
    let start =
        if array.len() == 0 { std::ptr::NonNull::dangling().as_ptr() } else { array.data() };
    let kept = Kept { _array: array.clone().unbind(), start, len: array.len() };
    Some(SharedValues(Arc::new(kept)))
}
