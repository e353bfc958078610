//! Growing a tree by several threads, each of which divides leaves of its own.
//!
//! A leaf of few rows is divided in less time than threads need to share it. So a thread takes the leaf whose turn it is or, while
//! another divides that one, a leaf that comes later as far as gains are known (`frontier.rs`), and goes on with the next as soon as
//! it has finished: no thread waits for others. Which splits are made does not change by that (`best_first.rs`); a division that is
//! not needed in the end is dropped.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::best_first::BestFirst;
use super::divider::Divider;
use super::frontier::{Frontier, Next, Part, Task};
use super::{OpenLeaf, TreeBuilder, TreeContext};

/// The work (rows x blocks) of a tree below which one thread is faster than several.
const MIN_WORK: usize = 1 << 12;

/// The maximum number of threads that divide leaves of their own: few more leaves can be divided at the same time.
const MAX_TEAM: usize = 8;

/// The threads that grow a tree, and what they share.
struct Team<'t> {
    tree: &'t TreeContext<'t>,
    threads: usize,
    frontier: Mutex<Frontier<'t>>,
    /// How often a leaf was divided: threads without a leaf wait for it to change.
    divided: AtomicUsize,
    /// Whether a thread has panicked, and its leaf will not be divided.
    has_failed: AtomicBool,
}

thread_local! {
    /// Whether this thread is dividing a leaf. While it waits there for others that help it, it may be given anything to do;
    /// waiting for that very leaf would be for ever.
    static IS_DIVIDING: Cell<bool> = const { Cell::new(false) };
}

/// While a thread divides a leaf. Ends also if it panics, so that nobody waits for it.
struct Dividing<'a, 't> {
    team: &'a Team<'t>,
    before: bool,
}

impl Drop for Dividing<'_, '_> {
    fn drop(&mut self) {
        IS_DIVIDING.set(self.before);
        if std::thread::panicking() {
            self.team.has_failed.store(true, Ordering::Relaxed);
        }
        self.team.divided.fetch_add(1, Ordering::Release);
    }
}

impl TreeBuilder<'_> {
    /// Makes all splits.
    pub(super) fn grow_alone(&mut self, mut root: OpenLeaf) -> BestFirst {
        if self.tree.may_split(&root) {
            self.divider().open_alone(&mut root);
        }
        let work = self.rows.len().saturating_mul(self.tree.grower.matrix.blocks());
        let threads = if work < MIN_WORK { 1 } else { rayon::current_num_threads() };
        let part = Part { rows: &mut self.rows, words: &mut self.words };
        let frontier = Mutex::new(Frontier::of_root(root, part));
        let (divided, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let team = Team { tree: &self.tree, threads, frontier, divided, has_failed };
        rayon::scope(|scope| {
            (1..threads.min(MAX_TEAM)).for_each(|_| scope.spawn(|_| team.work()));
            team.work();
        });
        team.frontier.into_inner().unwrap_or_else(PoisonError::into_inner).splits
    }
}

impl<'t> Team<'t> {
    fn frontier(&self) -> MutexGuard<'_, Frontier<'t>> {
        self.frontier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Divides one leaf after the other until the tree is finished.
    fn work(&self) {
        loop {
            let divided = self.divided.load(Ordering::Acquire);
            let next = self.frontier().next(self.tree, self.threads);
            match next {
                Next::Divide(task) => self.divide(*task),
                Next::Wait if IS_DIVIDING.get() || self.has_failed.load(Ordering::Relaxed) => break,
                Next::Wait => self.wait(divided),
                Next::End => break,
            }
        }
    }

    fn divide(&self, task: Task<'t>) {
        let _dividing = Dividing { team: self, before: IS_DIVIDING.replace(true) };
        let Task { mut leaf, part: Part { rows, words }, threads, is_last } = task;
        let mut divider = Divider::new(self.tree, leaf.rows.start, rows, words, threads);
        let children = divider.divide(&mut leaf, is_last);
        drop(divider);
        self.frontier().put_back(leaf, Part { rows, words }, children);
    }

    /// Helps other threads with their leaves until one is divided. A thread that sleeps meanwhile would take longer to wake up
    /// than much of the work takes.
    fn wait(&self, divided: usize) {
        while self.divided.load(Ordering::Acquire) == divided {
            if rayon::yield_now() != Some(rayon::Yield::Executed) {
                std::thread::yield_now();
            }
        }
    }
}
