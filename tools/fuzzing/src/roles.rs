//! Roles of columns as they are named by people, beside data that have these columns or not.

use stakes_core::data::Role;
use stakes_io::{MissingImpact, Roles, parse_csv_bytes, parse_letor_bytes};

use crate::accepted;
use crate::data::check;

/// Lines such as `list=storm` or `drop=notes`, a blank line, and data that are read as CSV and as LETOR.
pub fn roles(data: &[u8]) {
    let (lines, data) = crate::at_blank_line(data);
    let Ok(lines) = std::str::from_utf8(lines) else { return };
    let mut roles = Roles::new();
    for line in lines.lines() {
        let (key, column) = line.split_once('=').unwrap_or((line, ""));
        roles = match key {
            "drop" => roles.drop([column]),
            "categorical" => roles.categorical([column]),
            "numeric" => roles.numeric([column]),
            "extra" => roles.extras([column]),
            "outcome" => roles.outcomes([column]),
            "exact" => roles.exact(),
            "missing" => match accepted(column.parse::<MissingImpact>()) {
                Some(treatment) => roles.missing_impact(treatment),
                None => roles,
            },
            role => match accepted(role.parse::<Role>()) {
                Some(role) => roles.with_role(role, column),
                None => roles,
            },
        };
    }
    check(parse_csv_bytes(data, roles.clone()));
    check(parse_letor_bytes(data, roles));
}
