//! Growing a tree by several threads, each of which divides leaves of its own.
//!
//! A leaf of few rows is divided in less time than threads need to share it. So a thread takes the leaf whose turn it is or, while
//! another divides that one, a leaf that comes later as far as gains are known, and goes on with the next as soon as it has
//! finished: no thread waits for others. Which splits are made does not change by that (`best_first.rs`); a division that is not
//! needed in the end is dropped.

use std::cell::Cell;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use stakes_model::tree::Node;

use super::super::quantise::unpack;
use super::best_first::BestFirst;
use super::divider::Divider;
use super::{OpenLeaf, TreeBuilder, TreeContext};

/// The gain of the split that was the last one of the tree before, which is about that of the last one of the next tree:
/// leaves of smaller gains are not divided ahead, as their turn will hardly come.
#[derive(Debug)]
pub(in super::super) struct LastGain(AtomicU64);

impl Default for LastGain {
    /// Before the first tree nothing is known.
    fn default() -> Self {
        LastGain(AtomicU64::new(f64::INFINITY.to_bits()))
    }
}

impl LastGain {
    fn get(&self) -> f64 {
        f64::from_bits(self.0.load(Ordering::Relaxed))
    }

    /// Remembers the splits of a tree; if it has as many leaves as it may have, one of them was the last.
    pub(super) fn note(&self, nodes: &[Node], is_full: bool) {
        let last = nodes.last().filter(|_| is_full).map_or(0.0, |node| node.gain);
        self.0.store(last.to_bits(), Ordering::Relaxed);
    }
}

/// A leaf is left to one thread unless it is so many times the work of all others that may be divided meanwhile.
const ALIKE: u64 = 2;
/// The number of rows that are summed up in the time in which a histogram is subtracted from another and both are searched.
const ROWS_PER_SEARCH: u64 = 1024;
/// The number of rows that are parted in the time in which one is summed up.
const PARTED_PER_SUMMED: u64 = 16;
/// The work (rows x blocks) of a tree below which one thread is faster than several.
const MIN_WORK: usize = 1 << 12;

/// The threads that grow a tree, and what they share.
struct Team<'t> {
    tree: &'t TreeContext<'t>,
    threads: usize,
    state: Mutex<State<'t>>,
    /// How often a leaf was divided: threads without a leaf wait for it to change.
    divided: AtomicUsize,
    /// Whether a thread has panicked, and its leaf will not be divided.
    has_failed: AtomicBool,
}

struct State<'t> {
    splits: BestFirst,
    /// The rows of each leaf that is not divided, but for those that a thread is dividing, by the place of the first row.
    parts: BTreeMap<usize, Part<'t>>,
}

/// The rows of a leaf and their words.
struct Part<'t> {
    rows: &'t mut [u32],
    words: &'t mut [i64],
}

/// What a thread does next.
enum Next<'t> {
    Divide(Box<Task<'t>>),
    /// There may be a leaf for it when another is divided.
    Wait,
    /// The tree is finished.
    End,
}

/// A leaf for one thread to divide.
struct Task<'t> {
    leaf: OpenLeaf,
    part: Part<'t>,
    /// The number of threads that share it.
    threads: usize,
    /// Whether it is the last split of the tree, so that its children need not be searched.
    is_last: bool,
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
        let parts = BTreeMap::from([(root.rows.start, part)]);
        let state = Mutex::new(State { splits: BestFirst::of_root(root), parts });
        let (divided, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
        let team = Team { tree: &self.tree, threads, state, divided, has_failed };
        rayon::scope(|scope| {
            (1..threads).for_each(|_| scope.spawn(|_| team.work()));
            team.work();
        });
        team.state.into_inner().unwrap_or_else(PoisonError::into_inner).splits
    }
}

impl<'t> Team<'t> {
    fn state(&self) -> MutexGuard<'_, State<'t>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Divides one leaf after the other until the tree is finished.
    fn work(&self) {
        loop {
            let divided = self.divided.load(Ordering::Acquire);
            let next = self.state().next(self.tree, self.threads);
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
        self.state().put_back(leaf, Part { rows, words }, children);
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

impl<'t> State<'t> {
    /// What a thread that asks is to do.
    fn next(&mut self, tree: &TreeContext<'_>, threads: usize) -> Next<'t> {
        let Some(turn) = self.splits.advance(tree) else { return Next::End };
        let splits_left = self.splits.splits_left(tree);
        let chosen = match threads {
            1 => Some(Choice { rows: self.splits.open[turn].rows.clone(), threads }),
            _ => self.choose(turn, splits_left, tree, threads),
        };
        match chosen.and_then(|chosen| self.take(chosen, splits_left == 1)) {
            Some(task) => Next::Divide(Box::new(task)),
            None => Next::Wait,
        }
    }

    fn take(&mut self, chosen: Choice, is_last: bool) -> Option<Task<'t>> {
        let Choice { rows, threads } = chosen;
        let part = self.parts.remove(&rows.start)?;
        let slot = self.leaf(&rows)?;
        let leaf = OpenLeaf { histogram: slot.histogram.take(), ..slot.clone() };
        slot.is_busy = true;
        Some(Task { leaf, part, threads, is_last })
    }

    /// Chooses the leaf whose turn it is; if another thread divides it, the one of those that come later whose gain is largest.
    fn choose(
        &self,
        turn: usize,
        splits_left: usize,
        tree: &TreeContext<'_>,
        threads: usize,
    ) -> Option<Choice> {
        let turn = &self.splits.open[turn];
        let gain = |leaf: &OpenLeaf| leaf.best.as_ref().map_or(0.0, |best| best.gain);
        let least = tree.grower.last_gain.get().max(tree.grower.params.trees.min_gain);
        let (mut taken, mut work_of_others, mut waiting) = (0, 0, Vec::new());
        let mut leaves: Vec<&OpenLeaf> = self.splits.open.iter().collect();
        while let Some(leaf) = leaves.pop() {
            match &leaf.ahead {
                Some(children) => leaves.extend(&children[..]),
                None if leaf.is_busy => work_of_others += work(leaf),
                None if gain(leaf) > least || leaf.rows == turn.rows => waiting.push(leaf),
                None => {}
            }
            taken += usize::from(leaf.is_busy || leaf.ahead.is_some());
        }
        let chosen = match turn.is_busy {
            false => turn,
            true if taken < splits_left => {
                waiting.iter().copied().max_by(|a, b| gain(a).total_cmp(&gain(b)))?
            }
            true => return None,
        };
        let (own, of_waiting) = (work(chosen), waiting.iter().map(|leaf| work(leaf)).sum::<u64>());
        work_of_others += of_waiting - own;
        let share = (threads as u64 * own).div_ceil(own + ALIKE * work_of_others);
        Some(Choice { rows: chosen.rows.clone(), threads: share as usize })
    }

    /// A leaf that is not divided, by its rows.
    fn leaf(&mut self, rows: &Range<usize>) -> Option<&mut OpenLeaf> {
        let has = |leaf: &&mut OpenLeaf| leaf.rows.start <= rows.start && rows.end <= leaf.rows.end;
        let mut leaf = self.splits.open.iter_mut().find(has)?;
        while leaf.ahead.is_some() {
            leaf = leaf.ahead.as_mut()?.iter_mut().find(has)?;
        }
        Some(leaf)
    }

    /// Takes a leaf back that a thread has divided; if a side had too few rows, it has another split now.
    fn put_back(&mut self, leaf: OpenLeaf, part: Part<'t>, children: Option<[OpenLeaf; 2]>) {
        let Part { rows, words } = part;
        let start = leaf.rows.start;
        match &children {
            Some([left, _]) => {
                let (left_rows, right_rows) = rows.split_at_mut(left.rows.len());
                let (left_words, right_words) = words.split_at_mut(left.rows.len());
                self.parts.insert(start, Part { rows: left_rows, words: left_words });
                self.parts.insert(left.rows.end, Part { rows: right_rows, words: right_words });
            }
            None => {
                self.parts.insert(start, Part { rows, words });
            }
        }
        if let Some(slot) = self.leaf(&leaf.rows) {
            slot.is_busy = false;
            (slot.best, slot.histogram) = (leaf.best, leaf.histogram);
            slot.ahead = children.map(Box::new);
        }
    }
}

/// A leaf to divide, by its rows, and the number of threads that share it.
struct Choice {
    rows: Range<usize>,
    threads: usize,
}

/// The work of dividing a leaf, in rows to sum up: those of its lighter child, by the second derivatives.
fn work(leaf: &OpenLeaf) -> u64 {
    let weight = |sum: i64| u64::from(unpack(sum).1);
    let left = leaf.best.as_ref().map_or(0, |split| weight(split.left));
    let (all, rows) = (weight(leaf.total).max(1), leaf.rows.len() as u64);
    let summed = rows * left.min(all.saturating_sub(left)) / all;
    summed + rows / PARTED_PER_SUMMED + ROWS_PER_SEARCH
}
