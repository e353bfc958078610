//! Ctrl-C and termination while a model is learnt: the first asks for a good end, the second
//! ends at once.
//!
//! `ctrlc` is taken for it: the standard library hears no signals, to hear them by oneself
//! needs unsafe code, and this is the small crate that most programs use, the same on every
//! system.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

/// Whether a signal would be the first one while something can be stopped well.
static LISTENING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The exit code of a program that Ctrl-C ended.
const ENDED_BY_CTRL_C: i32 = 130;

/// Runs `work`, in which [`asked`] tells whether somebody wants it to stop. Before and
/// afterwards a signal ends the program as usual. Where signals cannot be heard they do so
/// all the time.
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
