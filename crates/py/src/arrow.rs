//! Frames that speak Arrow's C stream interface (`__arrow_c_stream__`): pandas, polars, pyarrow, DuckDB and others.
#![allow(unsafe_code)] // To take over a stream of another library.

use arrow_array::ffi_stream::{FFI_ArrowArrayStream, RecordBatchStreamReader};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::PyCapsule;

/// Takes the stream of a frame.
pub(crate) fn stream(frame: &Bound<'_, PyAny>) -> PyResult<RecordBatchStreamReader> {
    let capsule = frame.call_method0("__arrow_c_stream__")?;
    let capsule = capsule
        .cast::<PyCapsule>()
        .map_err(|_| PyTypeError::new_err("__arrow_c_stream__ does not return a capsule"))?;
    let pointer = capsule.pointer_checked(Some(c"arrow_array_stream"))?;
    // SAFETY: a capsule of this name holds a stream by the specification of the interface; reading moves the
    // stream out of it and leaves a released one behind, so that it is released once.
    unsafe { RecordBatchStreamReader::from_raw(pointer.cast::<FFI_ArrowArrayStream>().as_ptr()) }
        .map_err(crate::error)
}
