//! Times of observation: numbers or ISO dates, kept as written, with keys to compare them.

use super::TextColumn;
use super::calendar::{civil_from_days, days_from_civil, days_of_month, monday_of_week};

/// Times as written and as comparable keys (numbers as they are, dates as days since 1970).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimeColumn {
    pub(super) text: TextColumn,
    pub(super) keys: Vec<f64>,
}

impl TimeColumn {
    /// Returns the time as written in row `i`.
    pub fn text(&self, i: usize) -> &str {
        self.text.get(i)
    }

    /// The keys, which order rows in time.
    pub fn keys(&self) -> &[f64] {
        &self.keys
    }

    /// Whether times are dates, and not numbers.
    pub fn has_dates(&self) -> bool {
        !self.text.is_empty() && !is_number(self.text(0))
    }

    /// The key of a time as it is written; `None` if it is neither a number nor an ISO date.
    pub fn key_of(text: &str) -> Option<f64> {
        key(text)
    }

    /// Whether a time is written as a date.
    pub(crate) fn is_date(text: &str) -> bool {
        !is_number(text)
    }

    /// The day of a key, as an ISO date.
    pub(crate) fn date_of(key: f64) -> String {
        let (year, month, day) = civil_from_days(key.floor() as i64);
        format!("{year:04}-{month:02}-{day:02}")
    }

    /// The key a number of months after another (before it, if negative): on the same day of the month,
    /// or on the last one where there are fewer.
    pub(crate) fn months_after(key: f64, months: i64) -> f64 {
        let (year, month, day) = civil_from_days(key.floor() as i64);
        let month = 12 * year + month - 1 + months;
        let (year, month) = (month.div_euclid(12), month.rem_euclid(12) + 1);
        let day = day.min(days_of_month(year, month));
        days_from_civil(year, month, day) as f64 + (key - key.floor())
    }
}

/// Returns the key of a time, or `None` if it is neither a number nor an ISO date. A time of day
/// may have a `Z` or an offset (`+02:00`, `-0530`); without one it is taken as UTC.
pub(super) fn key(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let (date, clock) = match text.split_once(['T', ' ']) {
        Some((date, clock)) => (date, Some(clock)),
        None => (text, None),
    };
    if let (Some(first_day), None) = (first_day(date), clock) {
        return Some(first_day as f64);
    }
    let mut parts = date.splitn(3, '-').map(whole);
    let (year, month) = (parts.next()??, parts.next()??);
    let day = parts.next().unwrap_or(Some(1))?;
    let sane = year <= 9999
        && (1..=12).contains(&month)
        && (1..=days_of_month(year, month)).contains(&day);
    let seconds = clock.map_or(Some(0.0), seconds_of_day)?;
    sane.then(|| days_from_civil(year, month, day) as f64 + seconds / 86_400.0)
}

/// The first day of a quarter (`2011-Q3`) or of an ISO week (`2011-W27`).
fn first_day(text: &str) -> Option<i64> {
    let (year, part) = text.split_once('-')?;
    let year = whole(year).filter(|_| year.len() == 4)?;
    if let Some(quarter) = part.strip_prefix('Q') {
        let quarter = whole(quarter).filter(|q| (1..=4).contains(q))?;
        return Some(days_from_civil(year, 3 * quarter - 2, 1));
    }
    let week = part.strip_prefix('W').filter(|week| week.len() == 2)?;
    monday_of_week(year, whole(week)?)
}

/// Whether a time is a number, and not a date.
pub(super) fn is_number(text: &str) -> bool {
    text.trim().parse::<f64>().is_ok()
}

/// Parses a number that consists of digits only: `parse` alone would accept a sign.
fn whole(text: &str) -> Option<i64> {
    text.bytes().all(|b| b.is_ascii_digit()).then(|| text.parse().ok())?
}

/// Returns seconds since midnight UTC, which an offset may put below 0 or beyond the day.
fn seconds_of_day(clock: &str) -> Option<f64> {
    let (clock, offset) = match clock.find(['+', '-']) {
        Some(at) => (clock[..at].trim_end(), offset(&clock[at..])?),
        None => (clock.strip_suffix('Z').unwrap_or(clock), 0),
    };
    let mut parts = clock.splitn(3, ':');
    let hour = whole(parts.next()?).filter(|h| *h < 24)?;
    let minute = parts.next().map_or(Some(0), whole).filter(|m| *m < 60)?;
    let second = match parts.next() {
        Some(text) if text.bytes().all(|b| b.is_ascii_digit() || b == b'.') => text.parse().ok()?,
        Some(_) => return None,
        None => 0.0,
    };
    // 60 is a leap second.
    (second < 61.0).then(|| (hour * 3600 + minute * 60 - offset) as f64 + second)
}

/// Parses an offset as seconds east of UTC.
fn offset(text: &str) -> Option<i64> {
    let (sign, digits) = (if text.starts_with('-') { -1 } else { 1 }, text.get(1..)?);
    let (hour, minute) = match (digits.split_once(':'), digits.len()) {
        (Some((hour, minute)), 5) => (hour, minute),
        (None, 4) => digits.split_at_checked(2)?,
        (None, 2) => (digits, "0"),
        _ => return None,
    };
    let (hour, minute) = (whole(hour)?, whole(minute)?);
    (hour < 24 && minute < 60).then_some(sign * (hour * 3600 + minute * 60))
}

#[cfg(test)]
mod tests {
    use super::key;

    #[test]
    fn dates_and_numbers_have_keys_and_the_rest_has_none() {
        assert_eq!(key("1970-01-01"), Some(0.0));
        assert_eq!(key("2000-03-01"), Some(11_017.0));
        assert_eq!(key("1970-01-02T12:00:00"), Some(1.5));
        assert_eq!(key("1970-02"), Some(31.0));
        assert_eq!(key("17.5"), Some(17.5));
        assert_eq!(key("2011-Q3"), key("2011-07-01"));
        assert_eq!(key("2011-W27"), key("2011-07-04"));
        for bad in ["2011-Q5", "2011-Q", "2011-W60", "2011-W1", "11-Q1", "2011-Q3T10:00"] {
            assert_eq!(key(bad), None, "{bad}");
        }
        for bad in ["", "yesterday", "2000-13-01", "2000-01-01T99:00", "NaN"] {
            assert_eq!(key(bad), None, "{bad}");
        }
    }

    #[test]
    fn days_and_clocks_have_limits() {
        for good in
            ["2020-02-29", "2000-02-29", "2020-01-31", "2020-01-01T23:59:60.9", "2020-04-30 00"]
        {
            assert!(key(good).is_some(), "{good}");
        }
        for bad in [
            "2020-02-31",
            "2021-02-29",
            "1900-02-29",
            "2020-04-31",
            "2020-01-00",
            "2020-00-01",
            "2020-01-01T24:00",
            "2020-01-01T55:00",
            "2020-01-01T10:60",
            "2020-01-01T10:00:61",
            "2020-01-01T",
            "2020-01-01T10:",
            "2020-+1-01",
            "2020-01-01T1e1:00",
            "2020-01-01T10:00:inf",
            "2020-01-01T10:00:00.0.0",
            "2020-01-01-05",
            "2020-01-é",
        ] {
            assert_eq!(key(bad), None, "{bad}");
        }
    }

    #[test]
    fn offsets_lead_to_the_same_instant() {
        let instant = key("2020-03-01T00:30:00Z").expect("a time");
        for same in [
            "2020-03-01T00:30",
            "2020-03-01 00:30:00",
            "2020-03-01T02:30:00+02:00",
            "2020-03-01T02:30:00.0 +0200",
            "2020-02-29T19:00:00-0530",
            "2020-02-29T19:30-05",
        ] {
            assert_eq!(key(same), Some(instant), "{same}");
        }
        for bad in [
            "2020-03-01T10:00+2",
            "2020-03-01T10:00+25:00",
            "2020-03-01T10:00+02:60",
            "2020-03-01T10:00+02:00Z",
            "2020-03-01T10:00ZZ",
            "2020-03-01T10:00+aé",
            "2020-03-01T+02:00",
            "2020-03-01TZ",
        ] {
            assert_eq!(key(bad), None, "{bad}");
        }
    }
}
