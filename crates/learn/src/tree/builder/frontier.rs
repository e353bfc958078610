//! The leaves that may be divided next, among which threads choose.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::quantise::unpack;
use super::best_first::BestFirst;
use super::{OpenLeaf, TreeContext};

/// A leaf is left to one thread unless it is so many times the work of all others that may be divided meanwhile.
const ALIKE: u64 = 2;
/// The number of rows that are summed up in the time in which a histogram is subtracted from another and both are searched.
const ROWS_PER_SEARCH: u64 = 1024;
/// The number of rows that are parted in the time in which one is summed up.
const PARTED_PER_SUMMED: u64 = 16;

/// A tree as far as it is split, and leaves that may be divided.
pub(super) struct Frontier<'t> {
    pub(super) splits: BestFirst,
    /// The rows of each leaf that is not divided, but for those that a thread is dividing, by the place of the first row.
    parts: BTreeMap<usize, Part<'t>>,
}

/// The rows of a leaf and their words.
pub(super) struct Part<'t> {
    pub(super) rows: &'t mut [u32],
    pub(super) words: &'t mut [i64],
}

/// What a thread does next.
pub(super) enum Next<'t> {
    Divide(Box<Task<'t>>),
    /// There may be a leaf for it when another is divided.
    Wait,
    /// The tree is finished.
    End,
}

/// A leaf for one thread to divide.
pub(super) struct Task<'t> {
    pub(super) leaf: OpenLeaf,
    pub(super) part: Part<'t>,
    /// The number of threads that share it.
    pub(super) threads: usize,
    /// Whether it is the last split of the tree, so that its children need not be searched.
    pub(super) is_last: bool,
}

impl<'t> Frontier<'t> {
    pub(super) fn of_root(root: OpenLeaf, part: Part<'t>) -> Self {
        let parts = BTreeMap::from([(root.rows.start, part)]);
        Frontier { splits: BestFirst::of_root(root), parts }
    }

    /// What a thread that asks is to do.
    pub(super) fn next(&mut self, tree: &TreeContext<'_>, threads: usize) -> Next<'t> {
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
    pub(super) fn put_back(
        &mut self,
        leaf: OpenLeaf,
        part: Part<'t>,
        children: Option<[OpenLeaf; 2]>,
    ) {
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
