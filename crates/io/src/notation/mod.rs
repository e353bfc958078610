//! Columns of numbers and dates as offices write them.
//!
//! A column is read as numbers or dates only if every value can be read so, and in one way alone: in
//! `1,234` and `950` the comma may separate decimals or thousands, and `7/1/2011` may be in January or in July.
//! One value settles it for the whole column: `12,5`, or a day above 12. Amounts of one column have one currency,
//! and all or none of them are percentages.

mod column;
mod date;
mod notes;
mod number;

pub(crate) use column::{Sniffer, Verdict};
pub(crate) use notes::{ReadAs, unknown};

use crate::{DateOrder, Decimal};

/// How the values of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Notation {
    Number(Decimal),
    /// A date; a year may have two digits if somebody chose the order.
    Date(DateOrder, bool),
}

impl Notation {
    /// A value in plain form: a number, or an ISO date.
    pub(crate) fn plain(self, text: &str) -> Option<String> {
        match self {
            Notation::Number(decimal) => number::Amount::of(text)?.plain(decimal),
            Notation::Date(order, short_years) => date::iso(text, order, short_years),
        }
    }
}
