//! Ctrl-C and termination while a model is trained: the first signal asks for an orderly end, the
//! second ends the program at once.
//!
//! `ctrlc` handles them: the standard library has no signals, handling them needs unsafe code, and
//! this is the small crate that most programs use, the same on every system.

use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use super::live;

/// Whether a signal would be the first one while there is something to stop in order.
static LISTENING: AtomicBool = AtomicBool::new(false);
static ASKED: AtomicBool = AtomicBool::new(false);
/// Whether a signal ended something early.
static HAPPENED: AtomicBool = AtomicBool::new(false);
static HANDLER: Once = Once::new();

/// The exit code of a program that a signal ended, at once or in order: what follows it in a
/// script must not take the result for a whole one. (It is that of Ctrl-C.)
pub(crate) const EXIT_CODE: u8 = 130;

/// Runs `work`, during which [`asked`] returns whether a signal asked it to stop. Before and
/// afterwards a signal ends the program as usual; where the handler cannot be set, it always
/// does.
pub(crate) fn during<R>(work: impl FnOnce() -> R) -> R {
    listen();
    ASKED.store(false, Ordering::SeqCst);
    LISTENING.store(true, Ordering::SeqCst);
    let result = work();
    LISTENING.store(false, Ordering::SeqCst);
    result
}

/// From now on a signal that ends the program takes the line of progress away first.
pub(crate) fn listen() {
    HANDLER.call_once(|| {
        let _ = ctrlc::set_handler(|| {
            if !LISTENING.swap(false, Ordering::SeqCst) {
                live::clear();
                std::process::exit(EXIT_CODE.into());
            }
            ASKED.store(true, Ordering::SeqCst);
            HAPPENED.store(true, Ordering::SeqCst);
        });
    });
}

/// Signals are left to the program that this one is a part of.
pub(crate) fn leave_to_host() {
    HANDLER.call_once(|| {});
}

/// Whether a stop was asked for.
pub(crate) fn asked() -> bool {
    ASKED.load(Ordering::SeqCst)
}

/// Whether a signal asked any work to stop.
pub(crate) fn happened() -> bool {
    HAPPENED.load(Ordering::SeqCst)
}
