//! Dividing several leaves at once.
//!
//! A leaf of few rows is divided in less time than threads need to share it. So each thread divides a leaf of its own: that
//! whose turn it is, and those that come next as far as gains are known. Which splits are made does not change by that; a
//! division that is not needed in the end is dropped.

use rayon::prelude::*;

use super::super::partition::RowPartition;
use super::divider::Divider;
use super::{OpenLeaf, TreeBuilder};

/// A leaf is divided ahead only if its gain is at least this share of that of the leaf whose turn it is: children of the
/// latter often come first where it is far ahead.
const MIN_SHARE_OF_GAIN: f64 = 0.1;
/// The number of splits that are left to make from which on leaves are divided ahead: the last ones often are not needed.
const MIN_SPLITS_LEFT: usize = 4;

impl TreeBuilder<'_> {
    /// Divides the leaf `at`, whose turn it is, and leaves that come after it, as many as there are threads.
    pub(super) fn divide_next(&mut self, open: &mut [OpenLeaf], at: usize) {
        let splits_left = self.tree.grower.params.trees.leaves - open.len();
        let others = match splits_left < MIN_SPLITS_LEFT {
            true => 0,
            false => rayon::current_num_threads() - 1,
        };
        let chosen = self.next_leaves(open, at, others);
        if let [at] = chosen[..] {
            let children = self.divider().divide(&mut open[at], splits_left == 1);
            open[at].ahead = children.map(Box::new);
            return;
        }
        self.partitions.resize_with(self.partitions.len().max(chosen.len()), RowPartition::default);
        let mut leaves: Vec<&mut OpenLeaf> = open
            .iter_mut()
            .enumerate()
            .filter_map(|(place, leaf)| chosen.contains(&place).then_some(leaf))
            .collect();
        leaves.sort_by_key(|leaf| leaf.rows.start);
        let (mut rows, mut words, mut first) = (&mut self.rows[..], &mut self.words[..], 0);
        let mut dividers = Vec::with_capacity(leaves.len());
        for (leaf, partition) in leaves.iter().zip(&mut self.partitions) {
            let (_, from_leaf) = rows.split_at_mut(leaf.rows.start - first);
            let (own_rows, later_rows) = from_leaf.split_at_mut(leaf.rows.len());
            let (_, from_leaf) = words.split_at_mut(leaf.rows.start - first);
            let (own_words, later_words) = from_leaf.split_at_mut(leaf.rows.len());
            (rows, words, first) = (later_rows, later_words, leaf.rows.end);
            dividers.push(Divider {
                tree: &self.tree,
                first: leaf.rows.start,
                rows: own_rows,
                words: own_words,
                partition,
            });
        }
        let tasks = dividers.into_par_iter().zip(leaves).with_max_len(1);
        tasks.for_each(|(mut divider, leaf)| {
            leaf.ahead = divider.divide(leaf, false).map(Box::new);
        });
    }

    /// The leaf `at` and up to so many others that are not divided yet, those of the largest gains.
    fn next_leaves(&self, open: &[OpenLeaf], at: usize, others: usize) -> Vec<usize> {
        let gain = |place: usize| open[place].best.as_ref().map_or(0.0, |best| best.gain);
        let least = gain(at) * MIN_SHARE_OF_GAIN;
        let least = least.max(self.tree.grower.params.trees.min_gain);
        let mut next: Vec<usize> = (0..open.len())
            .filter(|&place| place != at && open[place].ahead.is_none() && gain(place) > least)
            .collect();
        next.sort_by(|&a, &b| gain(b).total_cmp(&gain(a)));
        next.truncate(others);
        next.push(at);
        next
    }
}
