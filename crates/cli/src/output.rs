//! What goes to the terminal.

use std::io::{self, IsTerminal, Write};
use std::sync::atomic::{AtomicBool, Ordering};

use indicatif::{ProgressBar, ProgressStyle};
use stakes::cost::CostError;
use stakes::data::DataProblem;
pub(crate) use stakes::display::counted;
use stakes::metric::SpecError;

/// Prints to stdout; a reader that went away is an error to be recognised, not a panic.
pub(crate) fn print(text: &str) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes())?;
    Ok(out.flush()?)
}

/// Whether an error only says that nobody reads any more.
pub(crate) fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error.chain().any(|cause| {
        cause.downcast_ref::<io::Error>().is_some_and(|e| e.kind() == io::ErrorKind::BrokenPipe)
    })
}

/// An error with its causes. Our own errors have already put the system's words into better
/// ones, so those are not repeated.
pub(crate) fn explain(error: &anyhow::Error) -> String {
    let mut causes = error.chain();
    let mut text = causes.next().map(ToString::to_string).unwrap_or_default();
    for cause in causes.filter(|cause| !cause.is::<io::Error>()) {
        text += &format!(": {cause}");
    }
    text + error.chain().find_map(flag_for).unwrap_or_default()
}

/// The flag or command that helps with an error of the library, which does not know of them.
fn flag_for(cause: &(dyn std::error::Error + 'static)) -> Option<&'static str> {
    if let Some(SpecError::UnknownMetric { .. }) = cause.downcast_ref() {
        return Some(" (all metrics: stakes metrics)");
    }
    match cause.downcast_ref::<CostError>() {
        Some(CostError::Data(data)) if data.problem == DataProblem::NoImpact => {
            Some(" (--impact COLUMN)")
        }
        _ => None,
    }
}

/// Whether remarks are unwanted (--quiet).
static QUIET: AtomicBool = AtomicBool::new(false);

/// From now on no remarks.
pub(crate) fn be_quiet() {
    QUIET.store(true, Ordering::Relaxed);
}

/// A remark beside the result, on stderr.
pub(crate) fn note(text: impl std::fmt::Display) {
    if !QUIET.load(Ordering::Relaxed) {
        eprintln!("note: {text}");
    }
}

/// The terminal's width, or a page's.
pub(crate) fn width() -> usize {
    const PAGE: usize = 100;
    terminal_size::terminal_size().map_or(PAGE, |(width, _)| usize::from(width.0).clamp(40, 160))
}

/// A spinner on stderr while `work` runs, if somebody watches.
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

/// A table with light lines, numbers to the right.
pub(crate) fn table(header: &[String], rows: &[Vec<String>]) -> String {
    use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Disabled)
        .set_header(header);
    rows.iter().for_each(|row| {
        table.add_row(row);
    });
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
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
