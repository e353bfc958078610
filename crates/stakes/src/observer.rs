//! How long workflows are observed, and stopped.

use stakes_learn::Observer as RunObserver;

use crate::Note;

/// Observes a long workflow: it is told what begins and of every round, and may stop the workflow
/// ([`RunObserver`]); notes arrive when they are known. Workflows take an observer or `None`.
pub trait Observer: RunObserver {
    /// There is something to know.
    fn note(&mut self, _note: &Note) {}
}

/// Observes nothing.
pub(crate) struct Silent;

impl RunObserver for Silent {}

impl Observer for Silent {}

/// The observer, or one that observes nothing.
pub(crate) fn or_silent<'o>(
    observer: Option<&'o mut (dyn Observer + '_)>,
    silent: &'o mut Silent,
) -> &'o mut (dyn Observer + 'o) {
    match observer {
        Some(observer) => observer,
        None => silent,
    }
}
