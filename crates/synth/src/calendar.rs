//! Dates without a clock.

/// The number of days from 1970-01-01 to 2010-01-01, when the storms of McBride et al. (2019, section 5) begin.
pub(crate) const DAY_2010: i64 = 14_610;

/// The ISO date `days` (at least 0) days after 1970-01-01, by Hinnant's `civil_from_days`.
pub(crate) fn iso_date(days: i64) -> String {
    let z = days + 719_468; // days since 0000-03-01
    let era = z / 146_097;
    let doe = z % 146_097;
    let yoe = (doe - doe / 1460 + doe / 36_524 - doe / 146_096) / 365;
    let doy = doe - (365 * yoe + yoe / 4 - yoe / 100);
    let mp = (5 * doy + 2) / 153; // months since March
    let day = doy - (153 * mp + 2) / 5 + 1;
    let month = if mp < 10 { mp + 3 } else { mp - 9 };
    let year = yoe + era * 400 + i64::from(month <= 2);
    format!("{year:04}-{month:02}-{day:02}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_dates() {
        for (days, date) in [
            (0, "1970-01-01"),
            (11_016, "2000-02-29"),
            (DAY_2010, "2010-01-01"),
            (DAY_2010 + 58, "2010-02-28"),
            (DAY_2010 + 59, "2010-03-01"),
            (16_800, "2015-12-31"),
        ] {
            assert_eq!(iso_date(days), date);
        }
    }
}
