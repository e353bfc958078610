//! Numbers and names as people read them.

use std::borrow::Cow;

/// A number rounded to so many significant digits: the nearest `f64` to the nearest such decimal.
pub fn significant(value: f64, digits: usize) -> f64 {
    let by_text = || format!("{value:.*e}", digits.saturating_sub(1)).parse().unwrap_or(value);
    by_scaling(value, digits).unwrap_or_else(by_text)
}

/// The same without text. `None` where that is not certain: close to the middle of two decimals, and for numbers that
/// are very small, very large, or have many digits.
fn by_scaling(value: f64, digits: usize) -> Option<f64> {
    // These are exact, so the number that is rounded is off by less than 1e-7, and the last step, of two exact numbers,
    // gives the nearest `f64`.
    const POWERS: [f64; 21] = [
        1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
        1e17, 1e18, 1e19, 1e20,
    ];
    let power = |exponent: i32| POWERS[exponent.unsigned_abs() as usize];
    let size = value.abs();
    if !(1e-12..1e12).contains(&size) || !(1..=9).contains(&digits) {
        return None;
    }
    let digits = digits as i32;
    let places = digits - 1 - size.log10().floor() as i32;
    let scaled = if places >= 0 { size * power(places) } else { size / power(places) };
    let whole = scaled.round();
    let is_clear = (scaled - scaled.floor() - 0.5).abs() > 1e-6;
    let has_digits =
        (power(digits - 1)..power(digits)).contains(&whole) && scaled >= power(digits - 1);
    if !is_clear || !has_digits {
        return None;
    }
    let rounded = if places >= 0 { whole / power(places) } else { whole * power(places) };
    Some(rounded.copysign(value))
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
    use crate::random::Stream;

    #[test]
    fn numbers_are_short() {
        let shown = [0.0, 1234567.0, 12.5, 0.014_826_9, 1e-9, -42.0].map(nice_number);
        assert_eq!(shown, ["0", "1,234,567", "12.5", "0.01483", "1.000e-9", "-42"]);
    }

    #[test]
    fn numbers_are_rounded_as_text_is() {
        let by_text = |value: f64, digits: usize| -> f64 {
            format!("{value:.*e}", digits - 1).parse().unwrap_or(f64::NAN)
        };
        let draw = Stream::new(3, 0);
        let mut without_text = 0;
        for i in 0..200_000 {
            let digits = 1 + draw.word(3 * i) as usize % 9;
            let number = draw.word(3 * i + 1) as f64;
            let exponent = (draw.word(3 * i + 2) % 36) as i32 - 34;
            // Of random bits, of few digits, in the middle of two decimals, and powers of ten.
            let value = match i % 4 {
                0 => number * 10_f64.powi(exponent),
                1 => (number % 1e4) * 10_f64.powi(exponent % 9),
                2 => ((number % 1e6).floor() + 0.5) * 10_f64.powi(exponent % 7),
                _ => 10_f64.powi(exponent).next_down() * if i % 8 < 4 { 1.0 } else { -1.0 },
            };
            let met = significant(value, digits);
            assert_eq!(met.to_bits(), by_text(value, digits).to_bits(), "{value:e} {digits}");
            without_text += u32::from(by_scaling(value, digits).is_some());
        }
        assert!(without_text > 60_000, "{without_text}");
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
