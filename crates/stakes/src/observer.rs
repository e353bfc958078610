//! Following and stopping long workflows.

use stakes_learn::{Flow, Observer as RunObserver};

use crate::Note;

/// Follows a long workflow, for instance to show its progress: it hears of every stage and every round, may
/// stop the workflow ([`RunObserver`]), and gets notes as soon as they are known. Workflows take an observer
/// or `None`.
pub trait Observer: RunObserver {
    /// A note on the data or the training.
    fn note(&mut self, _note: &Note) {}

    /// So many trainings of an experiment are finished; [`Flow::Stop`] ends it here.
    fn finished(&mut self, _done: usize, _of: usize) -> Flow {
        Flow::Continue
    }
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
