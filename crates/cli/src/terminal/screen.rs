//! How large the terminal is, and how text is laid out for it.

use std::io;

use stakes::text::{Layout, Words};
use terminal_size::{Height, Width, terminal_size_of};

use super::style;

/// Text is laid out for at least and at most so many columns, whatever the terminal has.
const WIDTHS: (usize, usize) = (60, 160);

/// The layout of results: as wide as `COLUMNS` says, or else as the terminal, or else a page.
pub(crate) fn layout() -> Layout {
    let (min, max) = WIDTHS;
    let size = terminal_size_of(io::stdout());
    let width = columns(size).map_or(Layout::default().width, |width| width.clamp(min, max));
    Layout { width, paint: style::on_stdout(), words: Words::EXACT }
}

/// The lines of the terminal that results go to, if they go to one.
pub(crate) fn lines() -> Option<usize> {
    terminal_size_of(io::stdout()).map(|(_, Height(lines))| lines.into())
}

/// The columns of the terminal that notes go to; elsewhere a note is one line, unless `COLUMNS` says
/// otherwise.
pub(crate) fn note_columns() -> Option<usize> {
    columns(terminal_size_of(io::stderr()))
}

fn columns(size: Option<(Width, Height)>) -> Option<usize> {
    let asked = std::env::var("COLUMNS").ok().and_then(|text| text.parse().ok());
    let asked = asked.filter(|&columns: &usize| columns > 0);
    asked.or(size.map(|(Width(columns), _)| columns.into()))
}
