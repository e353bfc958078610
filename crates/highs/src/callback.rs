//! The callback by which HiGHS reports its progress and is stopped.
//!
//! HiGHS calls a C function, through which nothing may unwind. If the progress callback panics, the panic is caught,
//! HiGHS is stopped, and the panic is resumed once HiGHS has returned.

use std::any::Any;
use std::ffi::{c_char, c_int, c_void};
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use highs_sys::{
    HighsCallbackDataIn, HighsCallbackDataOut, HighsInt, kHighsCallbackIpmInterrupt as IPM_ASKS,
    kHighsCallbackMipImprovingSolution as MIP_IMPROVED, kHighsCallbackMipInterrupt as MIP_ASKS,
    kHighsCallbackMipLogging as MIP_LOGS, kHighsCallbackSimplexInterrupt as SIMPLEX_ASKS,
};

use crate::model::Sense;

/// The progress of a search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Progress<'p> {
    /// Seconds since [`crate::solve`] was called.
    pub seconds: f64,
    /// The best objective found so far; [`Sense::worst`] if there is none.
    pub incumbent: f64,
    /// The values of the columns, if a better solution has just been found.
    pub found: Option<&'p [f64]>,
    /// The bound on the objective; [`Sense::best`] as long as none is known.
    pub bound: f64,
    /// The number of nodes of the search tree.
    pub nodes: u64,
}

/// A callback that receives the progress of a search, many times a second, and may stop it.
pub type Watch<'w> = dyn FnMut(&Progress<'_>) -> ControlFlow<()> + Send + 'w;

/// The data of the callback. HiGHS may call from any of its threads.
pub(crate) struct Listener<'w>(Mutex<Inner<'w>>);

struct Inner<'w> {
    watch: &'w mut Watch<'w>,
    begun: Instant,
    sense: Sense,
    incumbent: f64,
    bound: f64,
    nodes: u64,
    stop: bool,
    panic: Option<Box<dyn Any + Send>>,
}

/// The events for which HiGHS calls back.
pub(crate) const EVENTS: [HighsInt; 5] = [SIMPLEX_ASKS, IPM_ASKS, MIP_IMPROVED, MIP_LOGS, MIP_ASKS];

impl<'w> Listener<'w> {
    pub(crate) fn new(watch: &'w mut Watch<'w>, begun: Instant, sense: Sense) -> Self {
        let (incumbent, bound) = (sense.worst(), sense.best());
        let (nodes, stop, panic) = (0, false, None);
        Listener(Mutex::new(Inner { watch, begun, sense, incumbent, bound, nodes, stop, panic }))
    }

    /// The panic of the progress callback, if it panicked.
    pub(crate) fn end(self) -> Option<Box<dyn Any + Send>> {
        self.0.into_inner().unwrap_or_else(PoisonError::into_inner).panic
    }
}

impl Inner<'_> {
    fn on_event(&mut self, event: HighsInt, data: &HighsCallbackDataOut, found: Option<&[f64]>) {
        if self.stop {
            return;
        }
        if matches!(event, MIP_IMPROVED | MIP_LOGS | MIP_ASKS) {
            if found.is_some() {
                self.incumbent = self.sense.better(self.incumbent, data.objective_function_value);
            }
            // It is infinite also when the tree is exhausted; what that means follows from the final status.
            if data.mip_dual_bound.is_finite() {
                self.bound = self.sense.worse(self.bound, data.mip_dual_bound);
            }
            self.nodes = u64::try_from(data.mip_node_count).unwrap_or(self.nodes).max(self.nodes);
        }
        let progress = Progress {
            seconds: self.begun.elapsed().as_secs_f64(),
            incumbent: self.incumbent,
            found,
            bound: self.sense.better(self.bound, self.incumbent),
            nodes: self.nodes,
        };
        match catch_unwind(AssertUnwindSafe(|| (self.watch)(&progress))) {
            Ok(flow) => self.stop = flow.is_break(),
            Err(panic) => (self.panic, self.stop) = (Some(panic), true),
        }
    }
}

/// The C function that HiGHS calls.
///
/// # Safety
/// `listener` points to a [`Listener`] that outlives the call; `out` and `input` are null or point to the data
/// of the event.
pub(crate) unsafe extern "C" fn called(
    event: c_int,
    _message: *const c_char,
    out: *const HighsCallbackDataOut,
    input: *mut HighsCallbackDataIn,
    listener: *mut c_void,
) {
    // SAFETY: `Handle::listen` passed a pointer to a `Listener` that lives as long as HiGHS can call. It is
    // only ever shared, and protects its data by a mutex.
    let listener = unsafe { &*listener.cast_const().cast::<Listener<'_>>() };
    // SAFETY: HiGHS passes null or a structure of its own that lives during the call.
    let Some(out) = (unsafe { out.as_ref() }) else { return };
    let length = usize::try_from(out.mip_solution_size).unwrap_or(0);
    let improved = event == MIP_IMPROVED && !out.mip_solution.is_null();
    let found = improved.then(|| {
        // SAFETY: not null, and `mip_solution_size` values long for the duration of the call.
        unsafe { std::slice::from_raw_parts(out.mip_solution.cast_const(), length) }
    });
    let stop = {
        let mut inner = listener.0.lock().unwrap_or_else(PoisonError::into_inner);
        inner.on_event(event, out, found);
        inner.stop
    };
    // Only these events can stop HiGHS; the next of them does.
    let can_stop = matches!(event, SIMPLEX_ASKS | IPM_ASKS | MIP_ASKS);
    // SAFETY: null, or a structure of HiGHS that lives during the call and that nothing else uses meanwhile.
    if let Some(input) = unsafe { input.as_mut() } {
        input.user_interrupt = c_int::from(stop && can_stop);
    }
}
