//! Dates as people write them: `7/1/2011`, `01.07.2011`, `2011/07/01`, `1-Jul-2011`, `July 1, 2011 5:00 PM`.

use stakes_core::data::TimeColumn;

use crate::DateOrder;

const MONTHS: [&str; 12] = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
];

/// A date in ISO form, if it is written in this order. A year has four digits, or two where somebody chose
/// the order (`short_years`): 70 to 99 are of the last century.
pub(super) fn iso(text: &str, order: DateOrder, short_years: bool) -> Option<String> {
    let (a, between, rest) = token(text.trim())?;
    let (b, second, rest) = token(rest)?;
    let (c, _, clock) = token(rest)?;
    let named = [a, b].iter().any(|part| month_of(part).is_some());
    if !named && (between != second || !matches!(between, "/" | "." | "-")) {
        return None;
    }
    let (year, month, day) = match (month_of(a), month_of(b)) {
        (Some(month), None) => (c, month, b),
        (None, Some(month)) if a.len() == 4 => (a, month, c),
        (None, Some(month)) => (c, month, a),
        _ if a.len() == 4 => (a, digits(b)?, c),
        _ => match order {
            DateOrder::Dmy => (c, digits(b)?, a),
            DateOrder::Mdy => (c, digits(a)?, b),
            DateOrder::Ymd => (a, digits(b)?, c),
        },
    };
    let year = match (year.len(), digits(year)?) {
        (4, year) => year,
        (2, year @ 70..) if short_years => 1900 + year,
        (2, year) if short_years => 2000 + year,
        _ => return None,
    };
    let date = format!("{year:04}-{month:02}-{:02}", digits(day).filter(|_| day.len() <= 2)?);
    let text = match clock.trim_start_matches([' ', ',', 'T', '\u{202f}']) {
        "" if clock.trim().is_empty() => date,
        "" => return None,
        clock => format!("{date}T{}", time_of_day(clock)?),
    };
    TimeColumn::key_of(&text).map(|_| text)
}

/// Whether a text is an ISO date already, with or without a time of day.
pub(super) fn is_iso(text: &str) -> bool {
    let bytes = text.trim().as_bytes();
    bytes.len() >= 10 && bytes[4] == b'-' && bytes[7] == b'-' && TimeColumn::key_of(text).is_some()
}

/// Digits or letters at the beginning, what separates them from the rest, and the rest.
fn token(text: &str) -> Option<(&str, &str, &str)> {
    let is_digit = text.starts_with(|c: char| c.is_ascii_digit());
    let of_kind = |c: char| if is_digit { c.is_ascii_digit() } else { c.is_ascii_alphabetic() };
    let end = text.find(|c| !of_kind(c)).unwrap_or(text.len());
    let (word, rest) = text.split_at(end);
    let separators = rest.find(|c| !matches!(c, '/' | '.' | '-' | ' ' | ',')).unwrap_or(rest.len());
    // What follows the year separates the time of day.
    let (between, rest) = rest.split_at(separators);
    (!word.is_empty()).then_some((word, between, rest))
}

fn month_of(word: &str) -> Option<i64> {
    let word = word.to_ascii_lowercase();
    let at = MONTHS.iter().position(|name| {
        *name == word
            || word.len() == 3 && name.starts_with(&word)
            || *name == "september" && word == "sept"
    });
    at.map(|at| at as i64 + 1)
}

fn digits(text: &str) -> Option<i64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// `17:00`, `5:00:30 PM` as `17:00:00`, `17:00:30`.
fn time_of_day(text: &str) -> Option<String> {
    let lower = text.trim().to_ascii_lowercase();
    let (clock, half) = match (lower.strip_suffix("am"), lower.strip_suffix("pm")) {
        (Some(clock), _) => (clock.trim_end(), Some(0)),
        (_, Some(clock)) => (clock.trim_end(), Some(12)),
        _ => (lower.as_str(), None),
    };
    let mut parts = clock.splitn(3, ':');
    let hour = digits(parts.next()?).filter(|hour| *hour < 24)?;
    let hour = match half {
        None => hour,
        Some(half) if (1..=12).contains(&hour) => hour % 12 + half,
        Some(_) => return None,
    };
    let minute = digits(parts.next()?).filter(|minute| *minute < 60)?;
    let second = match parts.next() {
        None => "00".to_owned(),
        Some(second) if second.len() == 1 => format!("0{second}"),
        Some(second) => second.to_owned(),
    };
    Some(format!("{hour:02}:{minute:02}:{second}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use DateOrder::{Dmy, Mdy, Ymd};

    #[test]
    fn dates_become_iso_dates() {
        for (text, order, expected) in [
            ("7/1/2011", Mdy, "2011-07-01"),
            ("7/1/2011", Dmy, "2011-01-07"),
            ("01.07.2011", Dmy, "2011-07-01"),
            ("31.12.2011 17:30", Dmy, "2011-12-31T17:30:00"),
            ("2011/07/01", Ymd, "2011-07-01"),
            ("2011/07/01", Dmy, "2011-07-01"),
            ("1-Jul-2011", Ymd, "2011-07-01"),
            ("July 1, 2011", Dmy, "2011-07-01"),
            ("1 sept 2011 12:05:09 AM", Dmy, "2011-09-01T00:05:09"),
            ("7/1/2011 5:00:00 PM", Mdy, "2011-07-01T17:00:00"),
            ("2011-07-01", Ymd, "2011-07-01"),
        ] {
            assert_eq!(iso(text, order, false).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(iso("7/1/11", Mdy, true).as_deref(), Some("2011-07-01"));
        assert_eq!(iso("7/1/71", Mdy, true).as_deref(), Some("1971-07-01"));
        for (text, order) in [
            ("7/1/11", Mdy),
            ("13/13/2011", Mdy),
            ("31/12/2011", Mdy),
            ("29.02.2011", Dmy),
            ("7/1-2011", Mdy),
            ("7 1 2011", Mdy),
            ("1.2.3", Ymd),
            ("north 1 2", Dmy),
            ("7/1/2011 25:00", Mdy),
            ("7/1/2011 13:00 PM", Mdy),
            ("7/1/2011 x", Mdy),
            ("7/1/2011T", Mdy),
            ("", Dmy),
            ("é/1/2011", Dmy),
        ] {
            assert_eq!(iso(text, order, false), None, "{text}");
        }
    }
}
