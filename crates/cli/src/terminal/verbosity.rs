//! How much is said on stderr beside the result: nothing (--quiet), notes, or details, too (--verbose).

use std::sync::atomic::{AtomicU8, Ordering};

const QUIET: u8 = 0;
const NORMAL: u8 = 1;
const VERBOSE: u8 = 2;

static LEVEL: AtomicU8 = AtomicU8::new(NORMAL);

/// Takes over what flags say, once, at the beginning.
pub(crate) fn set(quiet: bool, verbose: bool) {
    let level = match (quiet, verbose) {
        (true, _) => QUIET,
        (false, true) => VERBOSE,
        (false, false) => NORMAL,
    };
    LEVEL.store(level, Ordering::Relaxed);
}

/// Whether notes and progress are unwanted.
pub(crate) fn is_quiet() -> bool {
    LEVEL.load(Ordering::Relaxed) == QUIET
}

/// Whether details are wanted.
pub(crate) fn is_verbose() -> bool {
    LEVEL.load(Ordering::Relaxed) == VERBOSE
}
