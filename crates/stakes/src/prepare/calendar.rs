//! Periods of the calendar as lists. Their ids sort in time: `2011-07-04`, `2011-W27`, `2011-07`, `2011-Q3`, `2011`.

use std::fmt;
use std::str::FromStr;

use stakes_core::data::TimeColumn;
use stakes_core::data::calendar::{civil_from_days, week_of};
use stakes_core::suggest;

/// A unit of the calendar. Weeks are ISO weeks, which begin on Monday.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // The names say it.
pub enum Unit {
    Day,
    Week,
    Month,
    Quarter,
    Year,
}

impl Unit {
    const ALL: [Unit; 5] = [Unit::Day, Unit::Week, Unit::Month, Unit::Quarter, Unit::Year];

    /// The name, also that of the list column.
    pub const fn name(self) -> &'static str {
        match self {
            Unit::Day => "day",
            Unit::Week => "week",
            Unit::Month => "month",
            Unit::Quarter => "quarter",
            Unit::Year => "year",
        }
    }

    /// The number of the period that a date lies in; neighbouring periods have neighbouring numbers. `None` if the
    /// text is no date (or, for years, no year).
    pub(super) fn number(self, text: &str) -> Option<i64> {
        let key = TimeColumn::key_of(text)?;
        if text.trim().parse::<f64>().is_ok() {
            let is_year = self == Unit::Year && key.fract() == 0.0 && (1.0..=9999.0).contains(&key);
            return is_year.then_some(key as i64);
        }
        let days = key.floor() as i64;
        let (year, month, _) = civil_from_days(days);
        Some(match self {
            Unit::Day => days,
            // 1970-01-01 was a Thursday.
            Unit::Week => (days + 3).div_euclid(7),
            Unit::Month => 12 * year + month - 1,
            Unit::Quarter => 4 * year + (month - 1) / 3,
            Unit::Year => year,
        })
    }

    /// The id of a period.
    pub(super) fn id(self, number: i64) -> String {
        match self {
            Unit::Day => {
                let (year, month, day) = civil_from_days(number);
                format!("{year:04}-{month:02}-{day:02}")
            }
            Unit::Week => {
                let (year, week) = week_of(7 * number - 3);
                format!("{year:04}-W{week:02}")
            }
            Unit::Month => format!("{:04}-{:02}", number.div_euclid(12), number.rem_euclid(12) + 1),
            Unit::Quarter => format!("{:04}-Q{}", number.div_euclid(4), number.rem_euclid(4) + 1),
            Unit::Year => format!("{number:04}"),
        }
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Unit {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Unit::ALL.into_iter().find(|unit| unit.name() == text).ok_or_else(|| {
            format!("there is no unit `{text}`; {}", suggest::hint(text, Unit::ALL.map(Unit::name)))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_those_of_the_period_and_can_be_read_again() {
        for (unit, id) in [
            (Unit::Day, "2011-07-09"),
            (Unit::Week, "2011-W27"),
            (Unit::Month, "2011-07"),
            (Unit::Quarter, "2011-Q3"),
            (Unit::Year, "2011"),
        ] {
            let number = unit.number("2011-07-09T17:00:00").expect("a date");
            assert_eq!(unit.id(number), id);
            assert_eq!(unit.number(id), Some(number), "{id}");
            for step in 1..800 {
                assert_eq!(unit.number(&unit.id(number + step)), Some(number + step));
                assert!(unit.id(number + step) > unit.id(number + step - 1));
            }
        }
        assert_eq!(Unit::Month.number("17"), None);
        assert_eq!(Unit::Month.number("soon"), None);
    }
}
