//! The calls of HiGHS, with their statuses checked.

use std::ffi::{CStr, c_void};
use std::marker::PhantomData;
use std::ptr::{NonNull, null, null_mut};

use highs_sys::{
    HighsInt, MATRIX_FORMAT_ROW_WISE, OBJECTIVE_SENSE_MAXIMIZE, OBJECTIVE_SENSE_MINIMIZE,
    SOLUTION_STATUS_FEASIBLE, STATUS_ERROR, VAR_TYPE_CONTINUOUS, VAR_TYPE_INTEGER,
};

use crate::callback::{EVENTS, Listener, called};
use crate::model::{Model, Sense};
use crate::solution::Error;

/// An instance of HiGHS with a model; `'l` is the lifetime of the listener that it may call.
pub(crate) struct Handle<'l> {
    highs: NonNull<c_void>,
    columns: usize,
    rows: usize,
    listener: PhantomData<&'l ()>,
}

impl Drop for Handle<'_> {
    fn drop(&mut self) {
        // SAFETY: made by `Highs_create`, destroyed once, not used afterwards.
        unsafe { highs_sys::Highs_destroy(self.highs.as_ptr()) }
    }
}

fn checked(status: HighsInt, call: &'static str) -> Result<(), Error> {
    if status == STATUS_ERROR { Err(Error::Call(call)) } else { Ok(()) }
}

/// Converts to HiGHS's integers; `Model::fault` has checked that they are large enough.
fn to_highs_int(number: usize) -> HighsInt {
    HighsInt::try_from(number).unwrap_or(HighsInt::MAX)
}

impl<'l> Handle<'l> {
    /// Creates an instance with this model.
    pub(crate) fn new(model: &Model) -> Result<Self, Error> {
        if let Some(fault) = model.fault() {
            return Err(Error::Model(fault));
        }
        // SAFETY: no condition.
        let highs = NonNull::new(unsafe { highs_sys::Highs_create() });
        let highs = highs.ok_or(Error::Call("Highs_create"))?;
        let (columns, rows) = (model.columns(), model.rows());
        let mut handle = Handle { highs, columns, rows, listener: PhantomData };
        // Before the model is passed, so that HiGHS prints nothing about it.
        handle.set_bool(c"output_flag", false)?;
        let starts: Vec<HighsInt> = model.starts.iter().map(|start| to_highs_int(*start)).collect();
        let indices: Vec<HighsInt> =
            model.indices.iter().map(|column| to_highs_int(*column)).collect();
        let kind = |integer: &bool| if *integer { VAR_TYPE_INTEGER } else { VAR_TYPE_CONTINUOUS };
        let kinds: Vec<HighsInt> = model.integer.iter().map(kind).collect();
        let sense = match model.sense {
            Sense::Minimise => OBJECTIVE_SENSE_MINIMIZE,
            Sense::Maximise => OBJECTIVE_SENSE_MAXIMIZE,
        };
        // SAFETY: `Model` keeps its vectors at the lengths that HiGHS reads: columns, rows, rows + 1 starts, and
        // as many indices (all of them valid columns, by `fault`) and values as the last start says. HiGHS copies
        // them.
        let status = unsafe {
            highs_sys::Highs_passMip(
                highs.as_ptr(),
                to_highs_int(columns),
                to_highs_int(rows),
                to_highs_int(indices.len()),
                MATRIX_FORMAT_ROW_WISE,
                sense,
                model.offset,
                model.objective.as_ptr(),
                model.lower.as_ptr(),
                model.upper.as_ptr(),
                model.row_lower.as_ptr(),
                model.row_upper.as_ptr(),
                starts.as_ptr(),
                indices.as_ptr(),
                model.values.as_ptr(),
                // Null makes it a linear program.
                if model.mixed_integer() { kinds.as_ptr() } else { null() },
            )
        };
        checked(status, "Highs_passMip")?;
        Ok(handle)
    }

    pub(crate) fn set_bool(&mut self, name: &CStr, value: bool) -> Result<(), Error> {
        let (highs, value) = (self.highs.as_ptr(), HighsInt::from(value));
        // SAFETY: a live instance and a null-terminated string.
        let status = unsafe { highs_sys::Highs_setBoolOptionValue(highs, name.as_ptr(), value) };
        checked(status, "Highs_setBoolOptionValue")
    }

    pub(crate) fn set_int(&mut self, name: &CStr, value: HighsInt) -> Result<(), Error> {
        // SAFETY: a live instance and a null-terminated string.
        let status = unsafe {
            highs_sys::Highs_setIntOptionValue(self.highs.as_ptr(), name.as_ptr(), value)
        };
        checked(status, "Highs_setIntOptionValue")
    }

    pub(crate) fn set_f64(&mut self, name: &CStr, value: f64) -> Result<(), Error> {
        // SAFETY: a live instance and a null-terminated string.
        let status = unsafe {
            highs_sys::Highs_setDoubleOptionValue(self.highs.as_ptr(), name.as_ptr(), value)
        };
        checked(status, "Highs_setDoubleOptionValue")
    }

    pub(crate) fn set_text(&mut self, name: &CStr, value: &CStr) -> Result<(), Error> {
        let highs = self.highs.as_ptr();
        // SAFETY: a live instance and two null-terminated strings.
        let status =
            unsafe { highs_sys::Highs_setStringOptionValue(highs, name.as_ptr(), value.as_ptr()) };
        checked(status, "Highs_setStringOptionValue")
    }

    /// Sets the values to start from.
    pub(crate) fn start(&mut self, values: &[f64]) -> Result<(), Error> {
        if values.len() != self.columns {
            return Err(Error::Start { values: values.len(), columns: self.columns });
        }
        let highs = self.highs.as_ptr();
        // SAFETY: a live instance, and a value for each column, which it copies. Null is allowed for the others.
        let status =
            unsafe { highs_sys::Highs_setSolution(highs, values.as_ptr(), null(), null(), null()) };
        checked(status, "Highs_setSolution")
    }

    /// Registers a listener, which the handle cannot outlive.
    pub(crate) fn listen(&mut self, listener: &'l Listener<'_>) -> Result<(), Error> {
        let highs = self.highs.as_ptr();
        let data = std::ptr::from_ref(listener).cast_mut().cast::<c_void>();
        // SAFETY: `called` expects such a pointer, and only reads through it.
        let status = unsafe { highs_sys::Highs_setCallback(highs, Some(called), data) };
        checked(status, "Highs_setCallback")?;
        for event in EVENTS {
            // SAFETY: a live instance and an event from its header.
            let status = unsafe { highs_sys::Highs_startCallback(highs, event) };
            checked(status, "Highs_startCallback")?;
        }
        Ok(())
    }

    /// Solves the model and returns its status (`MODEL_STATUS_...`).
    pub(crate) fn run(&mut self) -> Result<HighsInt, Error> {
        // SAFETY: a live instance with a model, used by this thread only.
        checked(unsafe { highs_sys::Highs_run(self.highs.as_ptr()) }, "Highs_run")?;
        // SAFETY: a live instance.
        Ok(unsafe { highs_sys::Highs_getModelStatus(self.highs.as_ptr()) })
    }

    /// The values of the columns, if they are feasible.
    pub(crate) fn values(&self) -> Result<Option<Vec<f64>>, Error> {
        if self.columns == 0 {
            return Ok(Some(Vec::new()));
        }
        let highs = self.highs.as_ptr();
        let mut solution: HighsInt = 0;
        let name = c"primal_solution_status".as_ptr();
        // SAFETY: a live instance, a null-terminated string, and a number to write to.
        let status = unsafe { highs_sys::Highs_getIntInfoValue(highs, name, &mut solution) };
        checked(status, "Highs_getIntInfoValue")?;
        if solution != SOLUTION_STATUS_FEASIBLE {
            return Ok(None);
        }
        let mut values = vec![0.0; self.columns];
        let at = values.as_mut_ptr();
        // SAFETY: HiGHS writes a value for each column, and nothing where the pointer is null.
        let status =
            unsafe { highs_sys::Highs_getSolution(highs, at, null_mut(), null_mut(), null_mut()) };
        checked(status, "Highs_getSolution")?;
        Ok(Some(values))
    }

    /// The dual values (prices) of the rows; zeros if there are none.
    pub(crate) fn prices(&self) -> Result<Vec<f64>, Error> {
        let mut prices = vec![0.0; self.rows];
        let (highs, at) = (self.highs.as_ptr(), prices.as_mut_ptr());
        // SAFETY: HiGHS writes a price for each row or none at all, and nothing where the pointer is null.
        let status =
            unsafe { highs_sys::Highs_getSolution(highs, null_mut(), null_mut(), null_mut(), at) };
        checked(status, "Highs_getSolution")?;
        Ok(prices)
    }

    /// A real number about the last run.
    pub(crate) fn info_f64(&self, name: &CStr) -> Result<f64, Error> {
        let mut value = 0.0;
        let highs = self.highs.as_ptr();
        // SAFETY: a live instance, a null-terminated string, and a number to write to.
        let status =
            unsafe { highs_sys::Highs_getDoubleInfoValue(highs, name.as_ptr(), &mut value) };
        checked(status, "Highs_getDoubleInfoValue")?;
        Ok(value)
    }

    /// An integer about the last run.
    pub(crate) fn info_i64(&self, name: &CStr) -> Result<i64, Error> {
        let mut value = 0;
        let highs = self.highs.as_ptr();
        // SAFETY: a live instance, a null-terminated string, and a number to write to.
        let status =
            unsafe { highs_sys::Highs_getInt64InfoValue(highs, name.as_ptr(), &mut value) };
        checked(status, "Highs_getInt64InfoValue")?;
        Ok(value)
    }
}
