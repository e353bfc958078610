//! Ctrl-C and termination while a model is trained: the first signal asks for an orderly end, the
//! second ends the program at once.
//!
//! `ctrlc` handles them: the standard library has no signals, handling them needs unsafe code, and
//! this is the small crate that most programs use, the same on every system.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal would be the first one while there is something to stop in order.
static LISTENING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The exit code of a program that Ctrl-C ended.
const ENDED_BY_CTRL_C: i32 = 130;

/// Runs `work`, during which [`asked`] returns whether a signal asked it to stop. Before and
/// afterwards a signal ends the program as usual; where the handler cannot be set, it always
/// does.
pub(crate) fn during<R>(work: impl FnOnce() -> R) -> R {
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if !LISTENING.swap(false, Ordering::SeqCst) {
                std::process::exit(ENDED_BY_CTRL_C);
            }
            ASKED.store(true, Ordering::SeqCst);
        });
    });
    ASKED.store(false, Ordering::SeqCst);
    LISTENING.store(true, Ordering::SeqCst);
    let result = work();
    LISTENING.store(false, Ordering::SeqCst);
    result
}

/// Whether a stop was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}
