//! What the items to act on may come to together, list by list.

use std::fmt;

use stakes_core::display::{counted, nice_number};

use super::{Ranked, RankedItem};

/// The items of a list to act on, together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ListTotal<'a> {
    /// The id of the list.
    pub list: &'a str,
    /// How many there are.
    pub items: usize,
    /// What they are expected to cost.
    pub expected: f64,
    /// The lower end of what they cost in 8 of 10 lists.
    pub low: f64,
    /// The upper end of what they cost in 8 of 10 lists.
    pub high: f64,
}

impl<'a> Ranked<'a> {
    /// What the items to act on may come to together, of the lists for which it is known.
    pub fn totals(&self) -> Vec<ListTotal<'a>> {
        let total = |items: &[RankedItem<'a>]| {
            let last = items.iter().rfind(|item| item.act)?;
            Some(ListTotal {
                list: last.list,
                items: last.rank,
                expected: last.running_total.value()?,
                low: last.total_low.value()?,
                high: last.total_high.value()?,
            })
        };
        self.items.chunk_by(|a, b| a.list == b.list).filter_map(total).collect()
    }
}

impl fmt::Display for ListTotal<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = if self.list.is_empty() { String::new() } else { format!("{}: ", self.list) };
        write!(
            f,
            "{name}{} to act on, expected to cost {} in all; in 8 of 10 such lists {} to {}",
            counted(self.items, "item"),
            nice_number(self.expected),
            nice_number(self.low),
            nice_number(self.high)
        )
    }
}
