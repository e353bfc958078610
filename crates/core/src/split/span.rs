//! Spans of time, in the terms of a time column: `90d`, `4w`, `6mo`, `1y`, or a plain number.
//!
//! Times are compared by their keys: numbers as they are, dates as days since 1970. Months and years are
//! those of the calendar: a month after 2024-01-31 is 2024-02-29.

use std::fmt;
use std::str::FromStr;

use super::FoldError;
use crate::data::{Dataset, TimeColumn};

/// A span of time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Span {
    /// In the unit of the time column; for dates in days.
    Number(f64),
    /// Days, for dates.
    Days(f64),
    /// Months of the calendar, for dates.
    Months(u32),
}

impl FromStr for Span {
    type Err = FoldError;

    fn from_str(text: &str) -> Result<Self, FoldError> {
        let bad = || FoldError::Span(text.to_owned());
        let text = text.trim();
        let end = text.find(|c: char| c.is_ascii_alphabetic()).unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let number: f64 = number.trim().parse().map_err(|_| bad())?;
        if !(0.0..=1e9).contains(&number) {
            return Err(bad());
        }
        let months = |each: f64| {
            let months = each * number;
            (months.fract() == 0.0 && months <= 12_000.0).then_some(Span::Months(months as u32))
        };
        match unit {
            "" => Ok(Span::Number(number)),
            "d" => Ok(Span::Days(number)),
            "w" => Ok(Span::Days(7.0 * number)),
            "mo" => months(1.0).ok_or_else(bad),
            "y" => months(12.0).ok_or_else(bad),
            _ => Err(bad()),
        }
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Span::Number(number) => write!(f, "{number}"),
            Span::Days(days) => write!(f, "{days}d"),
            Span::Months(months) if *months > 0 && months % 12 == 0 => {
                write!(f, "{}y", months / 12)
            }
            Span::Months(months) => write!(f, "{months}mo"),
        }
    }
}

/// Times of a data set, as keys.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    dates: bool,
}

impl Clock {
    /// The clock of data with times.
    pub(super) fn of(data: &Dataset) -> Option<Self> {
        data.time().map(|time| Clock { dates: time.has_dates() })
    }

    /// The key of a time as it is written.
    pub(super) fn key(self, text: &str) -> Result<f64, FoldError> {
        let key = TimeColumn::key_of(text).filter(|_| TimeColumn::is_date(text) == self.dates);
        key.ok_or_else(|| FoldError::Time {
            met: text.to_owned(),
            kind: if self.dates { "ISO dates such as 2026-03-01" } else { "numbers" },
        })
    }

    /// The key a number of spans after another (before it, if negative).
    pub(super) fn after(self, key: f64, span: Span, times: i32) -> Result<f64, FoldError> {
        match span {
            Span::Number(number) => Ok(key + f64::from(times) * number),
            _ if !self.dates => Err(FoldError::NotDates(span.to_string())),
            Span::Days(days) => Ok(key + f64::from(times) * days),
            Span::Months(months) => {
                Ok(TimeColumn::months_after(key, i64::from(times) * i64::from(months)))
            }
        }
    }

    /// A key as people write it.
    pub(super) fn text(self, key: f64) -> String {
        match self.dates {
            true => TimeColumn::date_of(key),
            false => key.to_string(),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn text_and_value_are_inverse() {
        for (text, written) in [
            ("90d", "90d"),
            ("2w", "14d"),
            ("6mo", "6mo"),
            ("1y", "1y"),
            ("24mo", "2y"),
            ("7", "7"),
        ] {
            let span: Span = text.parse().unwrap();
            assert_eq!(span.to_string(), written);
            assert_eq!(written.parse::<Span>().unwrap(), span);
        }
        for bad in ["", "d", "-1d", "1.5mo", "1h", "nan", "inf", "1e20", "1y2"] {
            assert!(bad.parse::<Span>().is_err(), "{bad}");
        }
    }

    #[test]
    fn months_are_those_of_the_calendar() {
        let clock = Clock { dates: true };
        let after = |date: &str, span: &str, times| {
            clock.text(clock.after(clock.key(date).unwrap(), span.parse().unwrap(), times).unwrap())
        };
        assert_eq!(after("2024-01-31", "1mo", 1), "2024-02-29");
        assert_eq!(after("2023-03-31", "1mo", -1), "2023-02-28");
        assert_eq!(after("2020-02-29", "1y", 3), "2023-02-28");
        assert_eq!(after("1969-12-31", "2d", 1), "1970-01-02");
        let numbers = Clock { dates: false };
        assert!(numbers.after(3.0, Span::Months(1), 1).is_err());
        assert_eq!(numbers.after(3.0, Span::Number(2.0), -1).unwrap(), 1.0);
        assert!(numbers.key("2020-01-01").is_err() && clock.key("17").is_err());
    }
}
