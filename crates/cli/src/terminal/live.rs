//! The last line of the terminal while something goes on: drawn again and again, and gone without
//! a trace when it is over, whatever ended it.
//!
//! It is short enough for what a terminal itself writes behind it when somebody presses Ctrl-C: a
//! line that wraps cannot be taken away as one.

use std::io::{self, IsTerminal};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use console::Term;
use stakes::text::cut;

use super::verbosity::is_quiet;
use super::{interrupt, screen};

const TICK: Duration = Duration::from_millis(100);
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
/// The columns of the spinner and a space, and of `^C` and a space.
const AROUND: usize = 5;
/// The columns of the time so far.
const TIME: usize = " (10h00m)".len();

/// The line that is shown, if there is one.
static SHOWN: Mutex<Option<Shown>> = Mutex::new(None);

struct Shown {
    text: String,
    begun: Instant,
    /// Whether the time so far stands behind the text.
    is_timed: bool,
    /// Whether it is on the screen now.
    is_drawn: bool,
}

/// A line on stderr, if that is a terminal. There is one at a time.
pub(crate) struct LiveLine {
    is_shown: bool,
}

impl LiveLine {
    /// A line that is nowhere if stderr is not a terminal, or notes are unwanted.
    pub(crate) fn new() -> Self {
        Self::begin(false)
    }

    /// A line that ends with the time so far.
    pub(crate) fn timed() -> Self {
        Self::begin(true)
    }

    fn begin(is_timed: bool) -> Self {
        let is_shown = io::stderr().is_terminal() && !is_quiet();
        if is_shown {
            // A signal must take the line away, too.
            interrupt::listen();
            let begun = Instant::now();
            *shown() = Some(Shown { text: String::new(), begun, is_timed, is_drawn: false });
            thread::spawn(move || tick(begun));
        }
        LiveLine { is_shown }
    }

    /// Shows what `text` makes of the columns that there are.
    pub(crate) fn show(&self, text: impl FnOnce(usize) -> String) {
        if !self.is_shown {
            return;
        }
        let room = screen::note_columns().unwrap_or(80).saturating_sub(AROUND);
        if let Some(shown) = &mut *shown() {
            let room = room.saturating_sub(if shown.is_timed { TIME } else { 0 });
            shown.text = cut(&text(room), room);
        }
    }
}

impl Drop for LiveLine {
    fn drop(&mut self) {
        if self.is_shown {
            clear();
        }
    }
}

/// Takes the line away.
pub(crate) fn clear() {
    if let Some(mut shown) = shown().take() {
        shown.erase();
    }
}

/// Writes something on stderr that stays, above the line.
pub(crate) fn above(write: impl FnOnce()) {
    let mut shown = shown();
    if let Some(shown) = &mut *shown {
        shown.erase();
    }
    write();
}

/// Draws the line that began at this time until it is taken away.
fn tick(begun: Instant) {
    for &spinner in SPINNER.iter().cycle() {
        thread::sleep(TICK);
        match &mut *shown() {
            Some(shown) if shown.begun == begun => shown.draw(spinner),
            _ => return,
        }
    }
}

impl Shown {
    // A terminal that cannot be written to shows nothing; that is no reason to end the work.
    fn draw(&mut self, spinner: char) {
        let term = Term::buffered_stderr();
        let mut line = format!("{spinner} {}", self.text);
        if self.is_timed {
            line += &format!(" ({})", time(self.begun.elapsed().as_secs_f64()));
        }
        let drawn = term.clear_line().and_then(|()| term.write_str(&line));
        self.is_drawn = drawn.and_then(|()| term.flush()).is_ok();
    }

    fn erase(&mut self) {
        if std::mem::take(&mut self.is_drawn) {
            let _ = Term::stderr().clear_line();
        }
    }
}

fn shown() -> MutexGuard<'static, Option<Shown>> {
    SHOWN.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `45s`, `1m20s`, `12m`, `2h05m`.
pub(crate) fn time(seconds: f64) -> String {
    let seconds = seconds.ceil() as u64;
    let (hours, minutes, rest) = (seconds / 3600, seconds / 60 % 60, seconds % 60);
    match (hours, minutes) {
        (0, 0) => format!("{rest}s"),
        (0, 1..10) => format!("{minutes}m{rest:02}s"),
        (0, _) => format!("{minutes}m"),
        _ => format!("{hours}h{minutes:02}m"),
    }
}

#[cfg(test)]
mod tests {
    use super::time;

    #[test]
    fn times_are_short() {
        let times = [0.2, 59.5, 80.0, 599.0, 725.0, 7500.0].map(time);
        assert_eq!(times, ["1s", "1m00s", "1m20s", "9m59s", "12m", "2h05m"]);
    }
}
