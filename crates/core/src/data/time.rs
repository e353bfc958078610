//! When an item was observed: a number, or an ISO date. Kept as written, with a key that
//! orders it.

use super::TextColumn;

/// Times as written and as comparable keys (numbers themselves; dates as days since 1970).
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TimeColumn {
    pub(super) text: TextColumn,
    pub(super) keys: Vec<f64>,
}

impl TimeColumn {
    /// As written in row `i`.
    pub fn text(&self, i: usize) -> &str {
        self.text.get(i)
    }

    /// Orders rows in time.
    pub fn keys(&self) -> &[f64] {
        &self.keys
    }
}

/// The key of a time, or `None` if it is neither a number nor an ISO date.
pub(super) fn key(text: &str) -> Option<f64> {
    let text = text.trim();
    if let Ok(number) = text.parse::<f64>() {
        return number.is_finite().then_some(number);
    }
    let (date, clock) = match text.split_once(['T', ' ']) {
        Some((date, clock)) => (date, clock.trim_end_matches('Z')),
        None => (text, ""),
    };
    let mut parts = date.splitn(3, '-').map(str::parse::<i64>);
    let (year, month) = (parts.next()?.ok()?, parts.next()?.ok()?);
    let day = parts.next().transpose().ok()?.unwrap_or(1);
    let sane =
        (-9999..=9999).contains(&year) && (1..=12).contains(&month) && (1..=31).contains(&day);
    sane.then_some(days_from_civil(year, month, day) as f64 + day_fraction(clock)?)
}

fn day_fraction(clock: &str) -> Option<f64> {
    if clock.is_empty() {
        return Some(0.0);
    }
    let mut seconds = 0.0;
    for (part, unit) in clock.splitn(3, ':').zip([3600.0, 60.0, 1.0]) {
        let value: f64 = part.parse().ok()?;
        if !(0.0..61.0).contains(&value) {
            return None;
        }
        seconds += value * unit;
    }
    Some(seconds / 86_400.0)
}

/// Days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant's algorithm).
fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
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
        for bad in ["", "yesterday", "2000-13-01", "2000-01-01T99:00", "NaN"] {
            assert_eq!(key(bad), None, "{bad}");
        }
    }
}
