//! What goes to the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use serde::Serialize;
pub(crate) use stakes::display::counted;
use stakes::display::printable;
pub(crate) use stakes::text::table;

use super::hints;

/// Prints text for people to stdout. A reader that went away is an error, not a panic.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    send(&printable(text))
}

/// Prints a document as JSON, which has escapes of its own for control characters.
pub(crate) fn print_json(document: &impl Serialize) -> anyhow::Result<()> {
    let mut text = String::new();
    for c in serde_json::to_string_pretty(document)?.chars() {
        match c.is_control() && c != '\n' {
            true => text += &format!("\\u{:04x}", u32::from(c)),
            false => text.push(c),
        }
    }
    send(&(text + "\n"))
}

/// Writes a result to a file, or to stdout for `-`: there as text for people if that is a terminal.
pub(crate) fn write_result(path: &str, text: &str) -> anyhow::Result<()> {
    match path == "-" && io::stdout().is_terminal() {
        true => print(text),
        false => Ok(stakes::io::write_text(path, text)?),
    }
}

fn send(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Writes a line to stderr. If that cannot be (a full disk, a closed terminal), there is no other
/// place to say so, and no reason to end hours of work.
pub(crate) fn say(text: impl std::fmt::Display) {
    // A damaged file may hold a name of megabytes.
    const MAX_MESSAGE: usize = 4000;
    let text = text.to_string();
    let text = match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}… (cut)", &text[..end]),
        None => text,
    };
    let _ = writeln!(io::stderr(), "{}", printable(&text));
}

/// Whether an error only means that the reader of the output went away.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// An error with its causes and the flag that has to do with it. Our own errors have already put
/// the system's words into better ones, so those are not repeated.
pub(crate) fn explain(error: &anyhow::Error) -> String {
    let mut causes = error.chain();
    let mut text = causes.next().map(ToString::to_string).unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is::<io::Error>()) {
        text += &format!(": {cause}");
    }
    text + error.chain().find_map(hints::hint).unwrap_or_default()
}

/// Whether notes are unwanted (--quiet).
static QUIET: AtomicBool = AtomicBool::new(false);

/// Shows no notes from now on.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// A note beside the result, on stderr.
pub(crate) fn note(text: impl std::fmt::Display) {
    if !QUIET.load(Ordering::Relaxed) {
        say(format_args!("note: {text}"));
    }
}

/// The terminal's width, or a page's.
pub(crate) fn width() -> usize {
    const PAGE: usize = 100;
    terminal_size::terminal_size().map_or(PAGE, |(width, _)| usize::from(width.0).clamp(40, 160))
}

/// Shows a spinner on stderr while `work` runs, if stderr is a terminal.
pub(crate) fn watched<R>(work: impl FnOnce(&dyn Fn(&str)) -> R) -> R {
    if !io::stderr().is_terminal() || QUIET.load(Ordering::Relaxed) {
        return work(&|_| {});
    }
    let style = ProgressStyle::with_template("{spinner} {msg} ({elapsed})");
    let spinner = ProgressBar::new_spinner();
    if let Ok(style) = style {
        spinner.set_style(style);
    }
    spinner.enable_steady_tick(std::time::Duration::from_millis(100));
    let result = work(&|what| spinner.set_message(what.to_owned()));
    spinner.finish_and_clear();
    result
}

/// Why a model that re-ranks is not explained as a whole.
pub(crate) fn two_stages(path: &str) -> String {
    format!(
        "the model re-ranks what another puts first, so an item has one of two scores with \
         reasons of their own; look at one (stakes explain {path} --stage base, or --stage \
         re-rank), or at the weights (stakes model info {path})"
    )
}

/// The size of a data set in words.
pub(crate) fn shape(data: &stakes::data::Dataset) -> String {
    let [items, lists, features] = [
        counted(data.len(), "item"),
        counted(data.n_lists(), "list"),
        counted(data.features().width(), "feature"),
    ];
    format!("{items} in {lists}, {features}")
}
