//! Splits of a tree whose rows are dealt to several shards.
//!
//! Every shard sums up its own rows; an exchange adds these sums, and all shards find the same splits in them. An
//! exchange takes time however little is said, so one serves several leaves: beside the leaf whose turn it is, those
//! with the next largest gains are divided ahead. Which splits are made does not change by that; what is not used is
//! dropped. Of two children the lighter one is summed up, and the other is what is left of their parent.

use rayon::prelude::*;

use super::super::histogram::Histogram;
use super::super::quantise::unpack;
use super::super::split::{Candidate, better};
use super::sums::Sums;
use super::{OpenLeaf, TreeBuilder};

/// The maximum number of leaves that are divided in one exchange.
const MAX_AHEAD: usize = 8;

/// A leaf that is divided, and what is to be summed up for its children.
struct Division {
    children: [OpenLeaf; 2],
    /// The children that are summed up; the other one, if it is wanted, is what is left of the parent.
    summed: Vec<usize>,
    /// The children that may be split.
    wanted: [bool; 2],
}

impl TreeBuilder<'_, '_> {
    /// Sums up all rows of all shards and searches them.
    pub(super) fn open_shared_root(&self, root: &mut OpenLeaf) {
        let mut sums = [self.summed_here(root)];
        let mut totals = [root.total, root.count as i64];
        self.exchange(&mut sums, &mut totals);
        (root.total, root.count) = (totals[0], totals[1] as usize);
        let [sums] = sums;
        match self.may_split(root) {
            true => self.search(root, sums),
            false => self.grower.pool.give(sums),
        }
    }

    /// Divides a leaf by its best split, and others ahead of their turn; `None` if a side had too few rows and the
    /// leaf was searched again.
    pub(super) fn divide_shared(
        &mut self,
        open: &mut [OpenLeaf],
        at: usize,
    ) -> Option<[OpenLeaf; 2]> {
        if open[at].ahead.is_none() {
            self.divide_ahead(open);
        }
        open[at].ahead.take().map(|children| *children)
    }

    /// Divides the leaves with the largest gains: as many as there can still be splits.
    fn divide_ahead(&mut self, open: &mut [OpenLeaf]) {
        let params = &self.grower.params.trees;
        let left = params.leaves - open.len();
        let gain = |at: usize| open[at].best.as_ref().map(|best| best.gain);
        let mut next: Vec<(usize, f64)> = (0..open.len())
            .filter(|&at| open[at].ahead.is_none())
            .filter_map(|at| Some((at, gain(at)?)))
            .filter(|(_, gain)| *gain > params.min_gain)
            .collect();
        next.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        next.truncate(left.min(MAX_AHEAD));
        let divisions: Vec<Division> =
            next.iter().map(|&(at, _)| self.division(&open[at], left == 1)).collect();
        let (mut sums, mut counts) = (Vec::new(), Vec::new());
        for Division { children, summed, .. } in &divisions {
            sums.extend(summed.iter().map(|&side| self.summed_here(&children[side])));
            counts.extend(children.each_ref().map(|child| child.rows.len() as i64));
        }
        self.exchange(&mut sums, &mut counts);
        let (mut sums, counts) = (sums.into_iter(), counts.as_chunks::<2>().0);
        for ((division, counts), (at, _)) in divisions.into_iter().zip(counts).zip(next) {
            let own: Vec<Histogram> = sums.by_ref().take(division.summed.len()).collect();
            let counts = counts.map(|count| count as usize);
            open[at].ahead = self.settled(&mut open[at], division, counts, own);
        }
    }

    /// Parts the rows of a leaf, and says which sums its children need: none if they are the last.
    fn division(&mut self, leaf: &OpenLeaf, last: bool) -> Division {
        let split = leaf.best.clone().expect("only leaves with a split are divided");
        let left = self.mark(leaf, &split);
        let children = self.part(leaf, &split, left);
        let wanted = [0, 1].map(|side: usize| !last && self.may_weigh_enough(&children[side]));
        // All shards must sum up the same child, and only the sums are known to all of them.
        let weight = |side: usize| unpack(children[side].total).1;
        let lighter = usize::from(weight(1) < weight(0));
        let summed = match leaf.histogram {
            Some(_) if wanted[0] || wanted[1] => vec![lighter],
            Some(_) => Vec::new(),
            None => (0..2).filter(|&side| wanted[side]).collect(),
        };
        Division { children, summed, wanted }
    }

    /// Finds the splits of the children of a leaf, now that their sums and numbers of rows in all shards are known;
    /// if one has too few rows, another split of the leaf instead.
    fn settled(
        &self,
        leaf: &mut OpenLeaf,
        division: Division,
        counts: [usize; 2],
        sums: Vec<Histogram>,
    ) -> Option<Box<[OpenLeaf; 2]>> {
        let Division { mut children, summed, wanted } = division;
        if leaf.best.as_ref().is_some_and(|split| self.has_too_few(split, counts)) {
            sums.into_iter().for_each(|sums| self.grower.pool.give(sums));
            self.search_shared_with_counts(leaf);
            return None;
        }
        let mut of_side = [None, None];
        for (&side, sums) in summed.iter().zip(sums) {
            if let Some(mut rest) = leaf.histogram.take() {
                rest.subtract(&sums, self.grower.pool.block_bins());
                of_side[1 - side] = Some(rest);
            }
            of_side[side] = Some(sums);
        }
        leaf.histogram.take().into_iter().for_each(|unused| self.grower.pool.give(unused));
        for (side, child) in children.iter_mut().enumerate() {
            child.count = counts[side];
            let Some(sums) = of_side[side].take() else { continue };
            match wanted[side] && self.may_split(child) {
                true => self.search(child, sums),
                false => self.grower.pool.give(sums),
            }
        }
        Some(Box::new(children))
    }

    /// Searches a leaf again, with row counts by bin.
    fn search_shared_with_counts(&self, open: &mut OpenLeaf) {
        let ones = vec![1; open.rows.len()];
        let mut sums = vec![self.filled(self.sums(&open.rows, &ones))];
        let kept = open.histogram.take();
        if kept.is_none() {
            sums.push(self.summed_here(open));
        }
        self.exchange(&mut sums, &mut []);
        let sums = kept.or_else(|| sums.pop()).zip(sums.pop());
        let Some((histogram, counts)) = sums else { return };
        open.best = self.best_of(open, &histogram, Some(&counts));
        self.grower.pool.give(counts);
        open.histogram = self.keep(open, histogram);
    }

    /// Finds the best split of a leaf in the sums of its rows, and keeps them if they are worth it.
    fn search(&self, open: &mut OpenLeaf, sums: Histogram) {
        open.best = self.best_of(open, &sums, None);
        open.histogram = self.keep(open, sums);
    }

    fn best_of(
        &self,
        open: &OpenLeaf,
        sums: &Histogram,
        counts: Option<&Histogram>,
    ) -> Option<Candidate> {
        let (node, size) = (self.node(open), self.group_size(usize::MAX));
        let groups = sums.blocks().par_chunks(size).enumerate().map(|(group, cells)| {
            let first = group * size;
            let counts = counts.map(|counts| &counts.blocks()[first..][..cells.len()]);
            node.best(first, cells, counts)
        });
        groups.collect::<Vec<_>>().into_iter().fold(None, better)
    }

    /// The sums of the rows of a leaf that are here.
    fn summed_here(&self, open: &OpenLeaf) -> Histogram {
        self.filled(self.sums_of(open))
    }

    fn filled(&self, sums: Sums<'_>) -> Histogram {
        let mut histogram = self.grower.pool.take();
        let groups = histogram.groups(self.group_size(usize::MAX));
        groups.for_each(|(first, cells)| sums.fill(cells, first));
        histogram
    }

    /// Replaces sums and counts by those of all shards.
    fn exchange(&self, sums: &mut [Histogram], counts: &mut [i64]) {
        let bins = self.grower.pool.block_bins();
        let mut numbers = Vec::with_capacity(sums.len() * self.grower.pool.cells() + counts.len());
        numbers.extend_from_slice(counts);
        sums.iter().for_each(|sums| numbers.extend(sums.used(bins)));
        self.grower.shards.sum(&mut numbers);
        let (of_counts, mut of_sums) = numbers.split_at(counts.len());
        counts.copy_from_slice(of_counts);
        for sums in sums {
            let (own, rest) = of_sums.split_at(self.grower.pool.cells());
            sums.set_used(bins, own);
            of_sums = rest;
        }
    }
}
