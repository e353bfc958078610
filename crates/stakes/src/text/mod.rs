//! Text for people: figures, tables and pages that keep to a width.
//!
//! Names come from outside. They are shown on one line, with control characters as escapes, and
//! widths are those of a terminal, where some characters take two columns and some none.

mod page;
mod table;
mod words;

use std::borrow::Cow;

use stakes_core::display::{nice_number, printable};
use unicode_width::{UnicodeWidthChar, UnicodeWidthStr};

pub use page::Page;
pub use table::{Cell, Table};
pub use words::Words;

/// The role of a piece of text, for programs that show it in colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// What stands above other text.
    Heading,
    /// The best of several figures, or a yes.
    Good,
    /// What should be looked at.
    Warning,
    /// What went wrong.
    Error,
}

/// How text is laid out.
#[derive(Debug, Clone, Copy)]
pub struct Layout {
    /// The maximum width of a line.
    pub width: usize,
    /// Shows a piece of text in its tone; its width must stay the same.
    pub paint: fn(Tone, &str) -> String,
    /// Which words are used.
    pub words: Words,
}

impl Default for Layout {
    /// A page of 80 columns without colours.
    fn default() -> Self {
        Layout { width: 80, paint: |_, text| text.to_owned(), words: Words::EXACT }
    }
}

/// The columns that a text takes.
pub fn width(text: &str) -> usize {
    text.width()
}

/// Text as it is shown within a line: without control characters, line breaks or tabs.
pub fn inline(text: &str) -> Cow<'_, str> {
    match printable(text) {
        shown if shown.contains(['\n', '\t']) => {
            shown.replace('\n', "\\n").replace('\t', "\\t").into()
        }
        shown => shown,
    }
}

/// A name in at most `width` columns: one that is longer loses its middle, since names often begin
/// or end alike.
///
/// ```
/// assert_eq!(stakes::text::cut("vegetation_density_mean", 11), "veget…_mean");
/// ```
pub fn cut(name: &str, width: usize) -> String {
    let name = inline(name);
    if name.width() <= width {
        return name.into_owned();
    }
    let room = width.saturating_sub(1);
    let (head, rest) = split_at_width(&name, room.div_ceil(2));
    let mut tail = rest;
    while tail.width() > room - room.div_ceil(2) {
        tail = &tail[tail.chars().next().map_or(0, char::len_utf8)..];
    }
    format!("{head}…{tail}")
}

/// Text with spaces up to `width` columns.
pub fn pad(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(text.width())))
}

/// Breaks text into lines of at most `width` columns, at spaces where there are any.
///
/// ```
/// assert_eq!(stakes::text::wrap("one two three", 7), ["one two", "three"]);
/// ```
pub fn wrap(text: &str, width: usize) -> Vec<String> {
    wrap_words(text, width).iter().flat_map(|line| chunks(line, width)).map(str::to_owned).collect()
}

/// Breaks text into lines at spaces alone: a word that is longer than `width`, such as a path that
/// somebody may want to copy, stays whole.
pub fn wrap_words(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.width() + 1 + word.width() <= width => *line += &format!(" {word}"),
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

/// Pieces of at most `width` columns.
fn chunks(text: &str, width: usize) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        // One character at least, and some take two columns.
        let first = rest.chars().next()?.width().unwrap_or(0);
        let (head, tail) = split_at_width(rest, width.max(first));
        rest = tail;
        Some(head)
    })
}

/// The longest beginning of at most `width` columns, and the rest.
fn split_at_width(text: &str, width: usize) -> (&str, &str) {
    let mut used = 0;
    let too_far = |(_, c): &(usize, char)| {
        used += c.width().unwrap_or(0);
        used > width
    };
    let end = text.char_indices().find(too_far).map_or(text.len(), |(at, _)| at);
    text.split_at(end)
}

/// A figure with four decimals where it is a share, with four digits elsewhere.
pub fn short(value: f64) -> String {
    match value.abs() {
        size if size < 0.5e-4 => "0.0000".into(), // and not -0.0000
        size if size <= 10.0 => format!("{value:.4}"),
        _ => nice_number(value),
    }
}

/// `37 %`, `0.2 %`; never 0 or 100 for what is not.
pub fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        p if p > 99.0 && p < 100.0 => format!("{:.1} %", (10.0 * p).floor() / 10.0),
        p if p >= 9.95 => format!("{p:.0} %"),
        p if p >= 0.05 => format!("{p:.1} %"),
        _ => "< 0.1 %".to_owned(),
    }
}

/// A p value to three digits.
pub fn p_value(p: f64) -> String {
    if p < 0.001 { "<0.001".to_owned() } else { format!("{p:.3}") }
}

/// The level at which a p value counts as a difference from chance, in words and marks.
pub const DIFFERS: f64 = 0.05;

/// A p value in a sentence: `p = 0.023`, `p < 0.001`.
pub fn p_words(p: f64) -> String {
    if p < 0.001 { "p < 0.001".to_owned() } else { format!("p = {p:.3}") }
}

/// A cell of a CSV file.
pub fn csv_cell(text: &str) -> Cow<'_, str> {
    match text.contains([',', '"', '\n', '\r']) {
        true => format!("\"{}\"", text.replace('"', "\"\"")).into(),
        false => text.into(),
    }
}

/// Text in a LaTeX document.
///
/// ```
/// assert_eq!(stakes::text::latex("50 % of a_b"), "50 \\% of a\\_b");
/// ```
pub fn latex(text: &str) -> String {
    text.chars()
        .flat_map(|c| match c {
            '\\' => "\\textbackslash{}".chars().collect(),
            '~' => "\\textasciitilde{}".chars().collect(),
            '^' => "\\textasciicircum{}".chars().collect(),
            '_' | '%' | '&' | '#' | '$' | '{' | '}' => vec!['\\', c],
            c => vec![c],
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_broken_at_spaces_and_long_words_within() {
        assert_eq!(wrap("one two three", 7), ["one two", "three"]);
        assert_eq!(wrap("abcdefgh ij", 3), ["abc", "def", "gh", "ij"]);
        assert_eq!(wrap("風力発電 風", 4), ["風力", "発電", "風"]);
        assert_eq!(wrap("風力", 1), ["風", "力"]);
        assert!(wrap("", 5).is_empty());
        assert_eq!(wrap_words("see /a/long/path for it", 5), ["see", "/a/long/path", "for", "it"]);
    }

    #[test]
    fn names_lose_their_middle() {
        assert_eq!(cut("short", 5), "short");
        assert_eq!(cut("customers_out", 7), "cus…out");
        assert_eq!(cut("customers_out", 8), "cust…out");
        assert_eq!(cut("風力発電所", 6), "風…所");
        assert_eq!(cut("ab", 1), "…");
        assert_eq!(cut("two\nlines\u{1b}", 30), "two\\nlines\\u{1b}");
    }
}
