//! Days and dates of the proleptic Gregorian calendar.

/// The number of days of a month.
pub fn days_of_month(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

/// Returns days since 1970-01-01 in the proleptic Gregorian calendar (Howard Hinnant's algorithm).
pub fn days_from_civil(year: i64, month: i64, day: i64) -> i64 {
    let y = if month <= 2 { year - 1 } else { year };
    let era = y.div_euclid(400);
    let year_of_era = y.rem_euclid(400);
    let day_of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    era * 146_097 + year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year - 719_468
}

/// The inverse of [`days_from_civil`]: year, month and day.
pub fn civil_from_days(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let day_of_era = days.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let shifted = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 { shifted + 3 } else { shifted - 9 };
    (year_of_era + 400 * era + i64::from(month <= 2), month, day)
}

/// The Monday of an ISO week, in days since 1970-01-01; `None` if the year has no such week. Week 1 holds
/// January 4.
pub fn monday_of_week(year: i64, week: i64) -> Option<i64> {
    let first = |year| {
        let fourth = days_from_civil(year, 1, 4);
        fourth - weekday(fourth)
    };
    let monday = first(year) + 7 * (week - 1);
    (week >= 1 && monday < first(year + 1)).then_some(monday)
}

/// The ISO year and week of a day.
pub fn week_of(days: i64) -> (i64, i64) {
    // The year of a week is that of its Thursday.
    let thursday = days - weekday(days) + 3;
    let (year, ..) = civil_from_days(thursday);
    (year, (thursday - days_from_civil(year, 1, 1)) / 7 + 1)
}

/// The day of the week, from 0 for Monday; 1970-01-01 was a Thursday.
fn weekday(days: i64) -> i64 {
    (days + 3).rem_euclid(7)
}

#[cfg(test)]
mod tests {
    use super::{civil_from_days, days_from_civil, monday_of_week, week_of};

    #[test]
    fn days_and_dates_are_inverse() {
        for days in (-800_000..800_000).step_by(13) {
            let (year, month, day) = civil_from_days(days);
            assert_eq!(days_from_civil(year, month, day), days);
        }
        assert_eq!(civil_from_days(11_017), (2000, 3, 1));
    }

    #[test]
    fn weeks_begin_on_monday_and_the_first_holds_january_4() {
        for (date, week) in [
            ((2011, 7, 4), (2011, 27)),
            ((2011, 7, 10), (2011, 27)),
            ((2012, 1, 1), (2011, 52)),
            ((2009, 12, 31), (2009, 53)),
            ((2010, 1, 3), (2009, 53)),
            ((2010, 1, 4), (2010, 1)),
        ] {
            assert_eq!(week_of(days_from_civil(date.0, date.1, date.2)), week, "{date:?}");
        }
        for days in (-800_000..800_000).step_by(7) {
            let (year, week) = week_of(days);
            let monday = monday_of_week(year, week).expect("a week");
            assert!(monday <= days && days < monday + 7, "{days}");
        }
        assert_eq!((monday_of_week(2011, 53), monday_of_week(2011, 0)), (None, None));
    }
}
