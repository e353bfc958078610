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

use crate::terminal::page::Page;
pub(crate) use command::Inspect;

/// The whole page, at most `width` characters wide (but never less than 60).
pub(crate) fn render(seen: &Inspection, width: usize) -> String {
    let mut page = Page::new(width);
    data::write(&mut page, seen);
    if let Some(cost) = &seen.cost {
        cost::write(&mut page, cost, &seen.lists);
    }
    features::write(&mut page, seen);
    findings::write(&mut page, &seen.findings);
    page.finish()
}
