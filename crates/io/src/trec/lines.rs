//! Lines of words separated by blanks.

use std::collections::HashMap;

use stakes_core::display::counted;

use crate::ReadError;
use crate::input::check_utf8;

/// Calls `f` with the number and the first `N` words of each line that is neither empty nor
/// a comment. Lines with fewer words are refused; `form` is the expected form of a line.
pub(super) fn each<'t, const N: usize>(
    source: &str,
    bytes: &'t [u8],
    form: &str,
    mut f: impl FnMut(u64, [&'t str; N]) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    check_utf8(source, bytes)?;
    let text = std::str::from_utf8(bytes).unwrap_or_default();
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    for (i, line) in text.lines().enumerate() {
        let number = i as u64 + 1;
        if line.starts_with('#') || line.trim().is_empty() {
            continue;
        }
        let mut words = [""; N];
        let mut met = 0;
        for (slot, word) in words.iter_mut().zip(line.split_ascii_whitespace()) {
            *slot = word;
            met += 1;
        }
        if met < N {
            let met = counted(met, "word");
            let what = format!("the line has {met}; it must have the form `{form}`");
            return Err(ReadError::at(source, number, what));
        }
        f(number, words)?;
    }
    Ok(())
}

/// Refuses a document that occurs twice in a topic.
pub(super) fn check_unique<'a>(
    source: &str,
    rows: impl Iterator<Item = (u64, &'a str, &'a str)>,
) -> Result<(), ReadError> {
    let mut seen = HashMap::new();
    for (line, topic, docno) in rows {
        if let Some(first) = seen.insert((topic, docno), line) {
            let what = format!(
                "document {docno} occurs twice in topic {topic} (first in line {first}); it may \
                 occur once"
            );
            return Err(ReadError::at(source, line, what));
        }
    }
    Ok(())
}

/// Parses a finite number.
pub(super) fn finite(source: &str, line: u64, name: &str, word: &str) -> Result<f64, ReadError> {
    let value = crate::number::parse(word.as_bytes()).filter(|value| value.is_finite());
    value.ok_or_else(|| {
        let shown: String = word.chars().take(60).collect();
        let what = format!("the {name} is `{shown}`; it must be a finite number");
        ReadError::at(source, line, what)
    })
}
