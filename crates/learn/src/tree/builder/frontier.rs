//! The leaves that may be divided next, among which threads choose.

use std::collections::BTreeMap;
use std::ops::Range;

use super::super::quantise::unpack;
use super::best_first::BestFirst;
use super::{OpenLeaf, TreeContext};

/// Threads are dealt to a leaf by its share of all work, in which that of other leaves counts so many times: sharing a leaf has a
/// price.
const WEIGHT_OF_OTHERS: u64 = 2;
/// The maximum number of threads that divide leaves of their own: more leaves can seldom be divided at the same time.
const MAX_TEAM: usize = 8;
/// The number of rows that are summed up in the time in which a histogram is subtracted from another and both are searched.
const ROWS_PER_SEARCH: u64 = 1024;
/// The number of rows that are parted in the time in which one is summed up.
const PARTED_PER_SUMMED: u64 = 16;

/// A tree as far as it is split, and leaves that may be divided.
pub(super) struct Frontier<'t> {
    pub(super) splits: BestFirst,
    /// The rows of each leaf that is not divided, but for those that a thread is dividing, by the place of the first row.
    free_rows: BTreeMap<usize, LeafRows<'t>>,
    /// The number of threads of the pool.
    threads: usize,
    /// The number of threads that divide leaves or look for some.
    pub(super) members: usize,
}

/// The rows of a leaf and their words.
pub(super) struct LeafRows<'t> {
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
    pub(super) rows: LeafRows<'t>,
    /// The number of threads that share it.
    pub(super) threads: usize,
    /// Whether it is the last split of the tree, so that its children need not be searched.
    pub(super) is_last: bool,
    /// Whether there is something to do for one more thread, which is counted as a member already.
    pub(super) calls_another: bool,
}

impl<'t> Frontier<'t> {
    /// The root alone, for the thread that asks first.
    pub(super) fn of_root(root: OpenLeaf, rows: LeafRows<'t>, threads: usize) -> Self {
        let free_rows = BTreeMap::from([(root.rows.start, rows)]);
        Frontier { splits: BestFirst::of_root(root), free_rows, threads, members: 1 }
    }

    /// What a thread that asks is to do.
    pub(super) fn next(&mut self, tree: &TreeContext<'_>) -> Next<'t> {
        let Some(turn) = self.splits.advance(tree) else { return Next::End };
        let splits_left = self.splits.splits_left(tree);
        let chosen = match self.threads {
            1 => {
                let rows = self.splits.open[turn].rows.clone();
                Some(Choice { rows, threads: 1, calls_another: false })
            }
            _ => self.choose(turn, splits_left, tree),
        };
        match chosen {
            Some(chosen) => Next::Divide(Box::new(self.take(chosen, splits_left == 1))),
            None => Next::Wait,
        }
    }

    fn take(&mut self, chosen: Choice, is_last: bool) -> Task<'t> {
        let Choice { rows, threads, calls_another } = chosen;
        self.members += usize::from(calls_another);
        let slot = self.leaf(&rows);
        // Before the rest is copied, so that no histogram is.
        let histogram = slot.histogram.take();
        let leaf = OpenLeaf { histogram, ..slot.clone() };
        slot.is_busy = true;
        let rows = self.free_rows.remove(&rows.start).expect("nobody divides this leaf");
        Task { leaf, rows, threads, is_last, calls_another }
    }

    /// Chooses the leaf whose turn it is; if another thread divides it, the one of those that come later whose gain is largest,
    /// if its turn will probably come. Deals threads to it.
    fn choose(&self, turn: usize, splits_left: usize, tree: &TreeContext<'_>) -> Option<Choice> {
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
        let share = (self.threads as u64 * own).div_ceil(own + WEIGHT_OF_OTHERS * work_of_others);
        let threads = (share as usize).max(self.threads / MAX_TEAM);
        let has_more = threads > 1 || waiting.len() > 1 && taken + 1 < splits_left;
        let calls_another = has_more && self.members < self.threads.min(MAX_TEAM);
        Some(Choice { rows: chosen.rows.clone(), threads, calls_another })
    }

    /// A leaf that is not divided, by its rows.
    fn leaf(&mut self, rows: &Range<usize>) -> &mut OpenLeaf {
        let has = |leaf: &&mut OpenLeaf| leaf.rows.start <= rows.start && rows.end <= leaf.rows.end;
        let mut leaf = self.splits.open.iter_mut().find(has).expect("all rows are of a leaf");
        while leaf.ahead.is_some() {
            let child = leaf.ahead.as_mut().and_then(|children| children.iter_mut().find(has));
            leaf = child.expect("children have the rows of their parent");
        }
        leaf
    }

    /// Takes a leaf back that a thread has divided; if a side had too few rows, it has another split now.
    pub(super) fn put_back(
        &mut self,
        leaf: OpenLeaf,
        rows: LeafRows<'t>,
        children: Option<[OpenLeaf; 2]>,
    ) {
        let LeafRows { rows, words } = rows;
        let start = leaf.rows.start;
        if let Some([left, _]) = &children {
            let (left_rows, right_rows) = rows.split_at_mut(left.rows.len());
            let (left_words, right_words) = words.split_at_mut(left.rows.len());
            let [own, right] = [(left_rows, left_words), (right_rows, right_words)]
                .map(|(rows, words)| LeafRows { rows, words });
            self.free_rows.insert(start, own);
            self.free_rows.insert(left.rows.end, right);
        } else {
            self.free_rows.insert(start, LeafRows { rows, words });
        }
        let slot = self.leaf(&leaf.rows);
        slot.is_busy = false;
        (slot.best, slot.histogram) = (leaf.best, leaf.histogram);
        slot.ahead = children.map(Box::new);
    }
}

/// A leaf to divide, by its rows; see [`Task`].
struct Choice {
    rows: Range<usize>,
    threads: usize,
    calls_another: bool,
}

/// The work of dividing a leaf, in rows to sum up: those of its lighter child, by the second derivatives, and what parting its rows
/// and searching its children take.
fn work(leaf: &OpenLeaf) -> u64 {
    let weight = |sum: i64| u64::from(unpack(sum).1);
    let left = leaf.best.as_ref().map_or(0, |split| weight(split.left));
    let (all, rows) = (weight(leaf.total).max(1), leaf.rows.len() as u64);
    let summed = rows * left.min(all.saturating_sub(left)) / all;
    summed + rows / PARTED_PER_SUMMED + ROWS_PER_SEARCH
}
