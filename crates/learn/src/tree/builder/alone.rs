//! Splits of a tree whose rows are all here.

use rayon::prelude::*;

use super::super::few_rows::FewRows;
use super::super::histogram::{self, Cells, Histogram};
use super::super::split::{Candidate, better};
use super::divider::Divider;
use super::sums::NodeSearch;
use super::{MAX_DROPPED_ROWS, OpenLeaf};

/// The number of cells of a histogram that are cleared and searched in the time that one row takes
/// for one feature where there are few rows.
const CELLS_PER_VALUE: usize = 4;

impl Divider<'_> {
    /// Divides the rows of a leaf by its best split, and finds those of its children unless this is the last split;
    /// `None` if a side had too few rows and the leaf was searched again.
    pub(super) fn divide(&mut self, open: &mut OpenLeaf, is_last: bool) -> Option<[OpenLeaf; 2]> {
        let split = open.best.clone()?;
        let left = self.mark(open, &split);
        if self.tree.has_too_few(&split, [left, open.rows.len() - left]) {
            self.search_with_counts(open);
            return None;
        }
        let mut children = self.part(open, &split, left);
        match open.histogram.take() {
            Some(unused) if is_last => self.tree.grower.pool.give(unused),
            _ if is_last => {}
            histogram => self.open_children(histogram, &mut children),
        }
        Some(children)
    }

    /// Searches a leaf again, with row counts by bin.
    fn search_with_counts(&self, open: &mut OpenLeaf) {
        let node = self.tree.node(open);
        if self.has_few_rows(open, &node) {
            open.best = self.best_of_few(open, &node, true);
            return;
        }
        let pool = &self.tree.grower.pool;
        let ones = vec![1; open.rows.len()];
        let counts = self.sums(open, &ones);
        let kept = open.histogram.take();
        let sums = kept.is_none().then(|| self.sums_of(open));
        let (mut counted, mut histogram) = (pool.take(), kept.unwrap_or_else(|| pool.take()));
        let shares = self.groups_to_sum(&counts);
        let groups = counted.groups(&shares).zip(histogram.groups(&shares));
        let found = groups.map(|((first, counted), (_, cells))| {
            counts.fill(counted, first);
            if let Some(sums) = &sums {
                sums.fill(cells, first);
            }
            node.best(first, cells, Some(counted))
        });
        open.best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        pool.give(counted);
        open.histogram = self.tree.keep(open, histogram);
    }

    /// Finds the best splits of both children.
    fn open_children(&self, parent: Option<Histogram>, children: &mut [OpenLeaf; 2]) {
        let wanted = [0, 1].map(|side: usize| self.tree.may_split(&children[side]));
        match parent {
            Some(parent) if wanted[0] || wanted[1] => self.open_both(parent, children, wanted),
            Some(parent) => self.tree.grower.pool.give(parent),
            None => {
                let [left, right] = children;
                let open = |child: &mut OpenLeaf, wanted: bool| {
                    if wanted {
                        self.open_alone(child);
                    }
                };
                match self.threads {
                    1 => (open(left, wanted[0]), open(right, wanted[1])),
                    _ => rayon::join(|| open(left, wanted[0]), || open(right, wanted[1])),
                };
            }
        }
    }

    /// Sums up the rows of a leaf and searches it.
    pub(super) fn open_alone(&self, open: &mut OpenLeaf) {
        let node = self.tree.node(open);
        if self.has_few_rows(open, &node) {
            open.best = self.best_of_few(open, &node, false);
            return;
        }
        let mut histogram = self.tree.grower.pool.take();
        let sums = self.sums_of(open);
        let groups = histogram.groups(&self.groups_to_sum(&sums));
        let found = groups.map(|(first, cells)| {
            sums.fill(cells, first);
            node.best(first, cells, None)
        });
        open.best = found.collect::<Vec<_>>().into_iter().fold(None, better);
        open.histogram = self.tree.keep(open, histogram);
    }

    /// Sums up the rows of the smaller child, subtracts them from the parent to get the larger
    /// child, and searches both.
    fn open_both(&self, parent: Histogram, children: &mut [OpenLeaf; 2], wanted: [bool; 2]) {
        let small = usize::from(children[1].rows.len() < children[0].rows.len());
        if self.has_few_rows(&children[small], &self.tree.node(&children[small])) {
            return self.open_beside_few(parent, children, small, wanted);
        }
        let (mut summed, mut rest) = (self.tree.grower.pool.take(), parent);
        let sums = self.sums_of(&children[small]);
        let nodes = [small, 1 - small].map(|side| self.tree.node(&children[side]));
        let wanted = [wanted[small], wanted[1 - small]];
        let shares = self.groups_to_sum(&sums);
        let bins = self.tree.grower.pool.block_bins();
        // All work on a group of blocks in one task: threads synchronise once per split.
        let groups = summed.groups(&shares).zip(rest.groups(&shares));
        let found = groups.map(|((first, summed), (_, rest))| {
            sums.fill(summed, first);
            for (block, (rest, summed)) in rest.iter_mut().zip(&*summed).enumerate() {
                histogram::subtract(rest, summed, bins[first + block]);
            }
            let best = |side: usize, cells: &[Cells]| nodes[side].best(first, cells, None);
            [wanted[0].then(|| best(0, summed)), wanted[1].then(|| best(1, rest))]
        });
        let found: Vec<_> = found.collect();
        for (at, histogram) in [summed, rest].into_iter().enumerate() {
            let child = &mut children[if at == 0 { small } else { 1 - small }];
            child.best = found.iter().cloned().filter_map(|f| f[at].clone()).fold(None, better);
            child.histogram = self.tree.keep(child, histogram);
        }
    }

    /// The same where the smaller child has few rows: they are taken out of the parent one by one.
    fn open_beside_few(
        &self,
        mut parent: Histogram,
        children: &mut [OpenLeaf; 2],
        small: usize,
        wanted: [bool; 2],
    ) {
        let (few, large) = (&children[small], &children[1 - small]);
        let search_few =
            || wanted[small].then(|| self.best_of_few(few, &self.tree.node(few), false)).flatten();
        let search_rest = || {
            let words: Vec<i64> = self.words[self.range(few)].iter().map(|word| -word).collect();
            let (out, node) = (self.sums(few, &words), self.tree.node(large));
            let groups = parent.groups(&self.groups_of(large.rows.len()));
            let found = groups.map(|(first, cells)| {
                out.add_to(cells, first);
                node.best(first, cells, None)
            });
            found.collect::<Vec<_>>().into_iter().fold(None, better)
        };
        let best = match wanted[1 - small] {
            true => rayon::join(search_few, search_rest),
            false => (search_few(), None),
        };
        (children[small].best, children[1 - small].best) = best;
        children[1 - small].histogram = self.tree.keep(&children[1 - small], parent);
    }

    /// Whether it takes longer to clear and search a histogram than to look at each row by itself.
    fn has_few_rows(&self, open: &OpenLeaf, node: &NodeSearch<'_>) -> bool {
        let work = open.rows.len() * node.mask.len() * CELLS_PER_VALUE;
        open.rows.len() <= MAX_DROPPED_ROWS && work < self.tree.grower.pool.cells()
    }

    /// Searches a leaf of few rows.
    fn best_of_few(
        &self,
        open: &OpenLeaf,
        node: &NodeSearch<'_>,
        counting: bool,
    ) -> Option<Candidate> {
        let (rows, words) = (&self.rows[self.range(open)], &self.words[self.range(open)]);
        let few = FewRows { matrix: self.tree.grower.matrix, rows, words, counting };
        few.best(&self.tree.grower.blocks, &node.node, &node.mask)
    }
}
