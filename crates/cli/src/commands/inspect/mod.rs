//! What `stakes inspect` prints: an [`Inspection`] as text for people. Its other form is
//! `serde_json` of the same value.

mod command;
mod cost;
mod data;
mod features;
mod findings;
#[cfg(test)]
mod tests;

use stakes::inspect::Inspection;
use stakes::text::Page;

pub(crate) use command::Inspect;

/// Writes the whole page.
pub(crate) fn write(page: &mut Page, seen: &Inspection) {
    data::write(page, seen);
    if let Some(cost) = &seen.cost {
        cost::write(page, cost, &seen.lists);
    }
    features::write(page, seen);
    findings::write(page, &seen.findings);
}
