//! What goes to the terminal.

use std::io::{self, IsTerminal, Write};

use serde::Serialize;
pub(crate) use stakes::display::counted;
use stakes::display::printable;
use stakes::learn::Observer as RunObserver;
use stakes::text::{Layout, Page, Tone, Words, wrap_words};
use stakes::{Note, Observer};

use super::live::{self, LiveLine};
use super::verbosity::{is_quiet, is_verbose};
use super::{hints, screen, style};

/// A page of results for people.
pub(crate) fn page() -> Page {
    Page::new(screen::layout())
}

/// A page of results in these words.
pub(crate) fn page_in(words: Words) -> Page {
    Page::new(Layout { words, ..screen::layout() })
}

/// Prints a page.
pub(crate) fn print_page(page: Page) -> anyhow::Result<()> {
    send(&page.finish())
}

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

/// Prints a report as JSON with its keys in alphabetical order: reports are made of parts, and the
/// order of the parts says nothing.
pub(crate) fn print_report(report: &impl Serialize) -> anyhow::Result<()> {
    print_json(&serde_json::to_value(report)?)
}

/// Writes a result to a file, or to stdout for `-`: there as text for people if that is a terminal.
pub(crate) fn write_result(path: &str, text: &str) -> anyhow::Result<()> {
    match path == "-" && io::stdout().is_terminal() {
        true => print(text),
        false => write_text(path, text),
    }
}

/// Writes text to a file, or to stdout for `-`.
pub(crate) fn write_text(path: &str, text: &str) -> anyhow::Result<()> {
    stakes::io::write_text(path, text)?;
    written(path);
    Ok(())
}

/// Says what was written, and how large it is, if details are wanted.
pub(crate) fn written(path: &str) {
    if path != "-"
        && let Ok(file) = std::fs::metadata(path)
    {
        detail(format!("{path}: {} written", bytes(file.len())));
    }
}

/// `12 bytes`, `3.4 kB`, `5.6 MB`.
fn bytes(size: u64) -> String {
    let size = size as f64;
    match size {
        ..1e3 => counted(size as usize, "byte"),
        ..1e6 => format!("{:.1} kB", size / 1e3),
        ..1e9 => format!("{:.1} MB", size / 1e6),
        _ => format!("{:.1} GB", size / 1e9),
    }
}

fn send(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// An error, on stderr.
pub(crate) fn error(text: impl std::fmt::Display) {
    say(Tone::Error, "error:", &text.to_string());
}

/// Writes a message to stderr. If that cannot be (a full disk, a closed terminal), there is no other
/// place to say so, and no reason to end hours of work.
fn say(tone: Tone, label: &str, text: &str) {
    // A damaged file may hold a name of megabytes.
    const MAX_MESSAGE: usize = 4000;
    let text = match text.char_indices().nth(MAX_MESSAGE) {
        Some((end, _)) => format!("{}… (cut)", &text[..end]),
        None => text.to_owned(),
    };
    let message = broken(&format!("{label} {}", printable(&text)), screen::note_columns());
    let message = message.replacen(label, &style::on_stderr()(tone, label), 1);
    live::above(|| drop(writeln!(io::stderr(), "{message}")));
}

/// A message in lines that fit a terminal; further lines are indented.
fn broken(message: &str, columns: Option<usize>) -> String {
    const INDENT: &str = "  ";
    match columns {
        Some(columns) => {
            let room = columns.saturating_sub(INDENT.len());
            let lines: Vec<String> =
                message.lines().flat_map(|line| wrap_words(line, room)).collect();
            lines.join(&format!("\n{INDENT}"))
        }
        None => message.to_owned(),
    }
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
    hints::with_flags(&text) + &error.chain().find_map(hints::hint).unwrap_or_default()
}

/// A note beside the result, on stderr.
pub(crate) fn note(text: impl std::fmt::Display) {
    if !is_quiet() {
        say(Tone::Warning, "note:", &text.to_string());
    }
}

/// A line of a log, on stderr, as it is.
pub(crate) fn log(line: &str) {
    if !is_quiet() {
        // One write, so that lines stay whole whoever else writes.
        drop(io::stderr().write_all(format!("{}\n", printable(line)).as_bytes()));
    }
}

/// What was done, on stderr.
pub(crate) fn report(page: Page) {
    if !is_quiet() {
        let text = page.finish();
        live::above(|| drop(write!(io::stderr(), "{text}")));
    }
}

/// A detail, on stderr, if details are wanted.
pub(crate) fn detail(text: impl std::fmt::Display) {
    if is_verbose() {
        say(Tone::Heading, "info:", &text.to_string());
    }
}

/// Shows what goes on while `work` runs, if stderr is a terminal.
pub(crate) fn watched<R>(work: impl FnOnce(&mut dyn Observer) -> R) -> R {
    work(&mut Stages(LiveLine::timed()))
}

/// Shows what begins.
struct Stages(LiveLine);

impl RunObserver for Stages {
    fn stage(&mut self, what: &str) {
        self.0.show(|_| what.to_owned());
    }
}

impl Observer for Stages {
    fn note(&mut self, note: &Note) {
        hints::note(note);
    }
}

/// Why a model has no expected costs.
pub(crate) fn not_calibrated(path: &str) -> String {
    format!(
        "{path}: the model is not calibrated, so its scores do not give expected costs; train it with lists held \
         out (--hold-out 20%, or --valid FILE)"
    )
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_of_files_have_units() {
        let sizes = [1, 999, 3_440, 5_600_000, 7_000_000_000].map(bytes);
        assert_eq!(sizes, ["1 byte", "999 bytes", "3.4 kB", "5.6 MB", "7.0 GB"]);
    }

    #[test]
    fn messages_are_broken_where_there_is_a_terminal() {
        let message = "note: three words more, and /a/path/that/somebody/may/want/to/copy";
        assert_eq!(broken(message, None), message);
        assert_eq!(
            broken(message, Some(22)),
            "note: three words\n  more, and\n  /a/path/that/somebody/may/want/to/copy"
        );
    }
}
