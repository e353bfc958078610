//! The gain that tells which leaves will be split.

use std::sync::atomic::{AtomicU64, Ordering};

use stakes_model::tree::Node;

/// The gain of the split that was the last one of the tree before (of that which ended last, where several are grown at once), which
/// is about that of the last one of the next tree: leaves of smaller gains are not divided ahead, as their turn will hardly come.
#[derive(Debug)]
pub(in super::super) struct LastGain(AtomicU64);

impl Default for LastGain {
    /// Before the first tree nothing is known.
    fn default() -> Self {
        LastGain(AtomicU64::new(f64::INFINITY.to_bits()))
    }
}

impl LastGain {
    pub(super) fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Remembers the splits of a tree; if it has as many leaves as it may have, one of them was the last.
    pub(super) fn note(&self, nodes: &[Node], is_full: bool) {
        let last = nodes.last().filter(|_| is_full).map_or(0.0, |node| node.gain);
        self.0.store(last.to_bits(), Ordering::Relaxed);
    }
}
