//! Growing a tree by several threads, each of which divides leaves of its own.
//!
//! A leaf of few rows is divided in less time than threads need to share it. So a thread takes the leaf whose turn it is or, while
//! another divides that one, a leaf that comes later as far as gains are known (`frontier.rs`), and goes on with the next as soon as
//! it has finished. Which splits are made does not change by that (`best_first.rs`); a division that is not needed in the end is
//! dropped.
//!
//! **No thread waits for long.** While a thread waits for others within rayon, it may be given any other work of the pool, on top of
//! what it was doing: a leaf that it waited for could lie below on its own stack. So a thread without a leaf helps others for a
//! moment, which is quicker than falling asleep and being woken up, and then leaves. One that takes a leaf calls in another if
//! there is something to do for it; the last one always finds the leaf whose turn it is.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use rayon::Scope;

use super::best_first::BestFirst;
use super::divider::Divider;
use super::frontier::{Frontier, LeafRows, Next, Task};
use super::{OpenLeaf, TreeBuilder, TreeContext};

/// The work (rows x blocks) of a tree below which one thread is faster than several.
const MIN_WORK: usize = 1 << 12;
/// How often in a row a thread without a leaf looks for something to do in vain before it leaves.
const PATIENCE: usize = 256;

/// The threads that grow a tree, and what they share.
struct Team<'t> {
    tree: &'t TreeContext<'t>,
    frontier: Mutex<Frontier<'t>>,
    /// How many divisions have ended: threads without a leaf look whether it changes.
    ended: AtomicUsize,
}

impl TreeBuilder<'_> {
    /// Makes all splits.
    pub(super) fn grow_alone(&mut self, mut root: OpenLeaf) -> BestFirst {
        if self.tree.may_split(&root) {
            self.divider().open_alone(&mut root);
        }
        let work = self.rows.len().saturating_mul(self.tree.grower.matrix.blocks());
        let threads = if work < MIN_WORK { 1 } else { rayon::current_num_threads() };
        let rows = LeafRows { rows: &mut self.rows, words: &mut self.words };
        let frontier = Mutex::new(Frontier::of_root(root, rows, threads));
        let team = Team { tree: &self.tree, frontier, ended: AtomicUsize::new(0) };
        rayon::scope(|scope| team.work(scope));
        team.frontier.into_inner().unwrap_or_else(PoisonError::into_inner).splits
    }
}

impl<'t> Team<'t> {
    fn frontier(&self) -> MutexGuard<'_, Frontier<'t>> {
        self.frontier.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Divides one leaf after the other, as long as there are some.
    fn work<'s>(&'s self, scope: &Scope<'s>) {
        loop {
            let ended = self.ended.load(Ordering::Acquire);
            let next = self.frontier().next(self.tree);
            match next {
                Next::Divide(task) => {
                    if task.calls_another {
                        scope.spawn(|scope| self.work(scope));
                    }
                    self.divide(*task);
                }
                Next::Wait if self.has_waited(ended) => {}
                Next::Wait | Next::End => break,
            }
        }
        self.frontier().members -= 1;
    }

    fn divide(&self, task: Task<'t>) {
        let Task { mut leaf, rows: LeafRows { rows, words }, threads, is_last, .. } = task;
        let mut divider = Divider::new(self.tree, leaf.rows.start, rows, words, threads);
        let children = divider.divide(&mut leaf, is_last);
        drop(divider);
        self.frontier().put_back(leaf, LeafRows { rows, words }, children);
        self.ended.fetch_add(1, Ordering::Release);
    }

    /// Helps other threads with their leaves until a division has ended, and says whether one has before patience did.
    fn has_waited(&self, ended: usize) -> bool {
        let mut looks = 0;
        while self.ended.load(Ordering::Acquire) == ended {
            if rayon::yield_now() == Some(rayon::Yield::Executed) {
                looks = 0;
                continue;
            }
            if looks == PATIENCE {
                return false;
            }
            looks += 1;
            std::thread::yield_now();
        }
        true
    }
}
