//! Numbers and names as people read them.

use std::borrow::Cow;

/// A number rounded to so many significant digits.
pub fn significant(value: f64, digits: usize) -> f64 {
    format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value)
}

/// A number with at most four significant digits and thousands separators.
pub fn nice_number(value: f64) -> String {
    let size = value.abs();
    if value == 0.0 {
        return "0".into();
    }
    if !(1e-4..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    if size >= 1000.0 {
        return with_separators(value.round() as i64);
    }
    let digits = (3 - size.log10().floor() as i32).max(0) as usize;
    let text = format!("{value:.digits$}");
    match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text,
    }
}

/// A number with its noun: `1 list`, `1,204 lists`.
pub fn counted(count: usize, noun: &str) -> String {
    let noun = if count == 1 { noun.to_owned() } else { plural(noun) };
    format!("{} {noun}", with_separators(count as i64))
}

/// A noun of several things: `lists`, `categories`.
pub fn plural(noun: &str) -> String {
    match noun.strip_suffix("ry") {
        Some(start) => format!("{start}ries"),
        None if noun.ends_with("ty") || noun.ends_with("cy") => {
            format!("{}ies", &noun[..noun.len() - 1])
        }
        None if noun == "leaf" => "leaves".to_owned(),
        None if noun.ends_with('s') => format!("{noun}es"),
        None => format!("{noun}s"),
    }
}

/// Text from outside with its control characters as escapes (`\\u{1b}`), but for line breaks and
/// tabs: a name in a file must not give orders to a terminal.
pub fn printable(text: &str) -> Cow<'_, str> {
    let is_safe = |c: char| !c.is_control() || c == '\n' || c == '\t';
    if text.chars().all(is_safe) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 8);
    for c in text.chars() {
        match is_safe(c) {
            true => shown.push(c),
            false => shown.extend(c.escape_unicode()),
        }
    }
    Cow::Owned(shown)
}

fn with_separators(value: i64) -> String {
    let digits = value.unsigned_abs().to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    if value < 0 { format!("-{text}") } else { text }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1234567.0, 12.5, 0.014_826_9, 1e-9, -42.0].map(nice_number);
        assert_eq!(shown, ["0", "1,234,567", "12.5", "0.01483", "1.000e-9", "-42"]);
    }

    #[test]
    fn nouns_agree_with_their_number() {
        assert_eq!([counted(1, "item"), counted(0, "item")], ["1 item", "0 items"]);
        assert_eq!(counted(1234, "category"), "1,234 categories");
        assert_eq!([counted(2, "class"), counted(2, "leaf")], ["2 classes", "2 leaves"]);
    }

    #[test]
    fn control_characters_are_shown_and_not_sent() {
        assert_eq!(printable("a\tb\né"), "a\tb\né");
        assert_eq!(printable("\u{1b}]0;x\u{7}\u{9b}y\r"), "\\u{1b}]0;x\\u{7}\\u{9b}y\\u{d}");
    }
}
