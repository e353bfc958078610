//! The last line of the terminal while something goes on: drawn again and again, and gone without
//! a trace when it is over, whatever ended it.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};
use stakes::text::cut;

use super::{interrupt, output, screen};

/// The line that is shown, if there is one: notes go above it.
static SHOWN: Mutex<Option<ProgressBar>> = Mutex::new(None);

/// A line on stderr, if that is a terminal. There is one at a time.
pub(crate) struct LiveLine {
    bar: Option<ProgressBar>,
    /// The columns that the text does not have: the spinner's, and those of what a terminal writes
    /// when somebody presses Ctrl-C.
    around: usize,
}

impl LiveLine {
    /// A line that is nowhere if stderr is not a terminal, or notes are unwanted.
    pub(crate) fn new() -> Self {
        Self::of("{spinner} {msg}", 5)
    }

    /// A line that ends with the time so far.
    pub(crate) fn timed() -> Self {
        Self::of("{spinner} {msg} ({elapsed})", 12)
    }

    fn of(template: &str, around: usize) -> Self {
        if !io::stderr().is_terminal() || output::is_quiet() {
            return LiveLine { bar: None, around };
        }
        // A signal must take the line away, too.
        interrupt::listen();
        let bar = ProgressBar::new_spinner();
        if let Ok(style) = ProgressStyle::with_template(template) {
            bar.set_style(style);
        }
        bar.enable_steady_tick(Duration::from_millis(100));
        *shown() = Some(bar.clone());
        LiveLine { bar: Some(bar), around }
    }

    /// Shows what `text` makes of the columns that there are.
    pub(crate) fn show(&self, text: impl FnOnce(usize) -> String) {
        if let Some(bar) = &self.bar {
            let room = screen::note_columns().unwrap_or(80).saturating_sub(self.around);
            bar.set_message(cut(&text(room), room));
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        clear();
    }
}

/// Takes the line away.
pub(crate) fn clear() {
    if let Some(bar) = shown().take() {
        bar.finish_and_clear();
    }
}

/// Writes something on stderr that stays, above the line.
pub(crate) fn above(write: impl FnOnce()) {
    match &*shown() {
        Some(bar) => bar.suspend(write),
        None => write(),
    }
}

fn shown() -> std::sync::MutexGuard<'static, Option<ProgressBar>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}
