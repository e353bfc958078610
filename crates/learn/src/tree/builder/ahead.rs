//! Dividing several leaves at once.
//!
//! A leaf of few rows is divided in less time than threads need to share it. So each thread divides a leaf of its own: that
//! whose turn it is, and those that come next as far as gains are known. Which splits are made does not change by that; a
//! division that is not needed in the end is dropped.

use std::sync::atomic::{AtomicU64, Ordering};

use rayon::prelude::*;
use stakes_model::tree::Node;

use super::super::partition::RowPartition;
use super::super::quantise::unpack;
use super::super::split::Candidate;
use super::divider::Divider;
use super::{OpenLeaf, TreeBuilder};

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

/// Leaves are alike if the work on one is not more than so many times that on another.
const ALIKE: u64 = 2;

fn are_alike(leaves: &[&mut OpenLeaf]) -> bool {
    let work = |leaf: &&mut OpenLeaf| leaf.best.as_ref().map_or(0, |best| smaller_side(leaf, best));
    let largest = leaves.iter().map(work).max().unwrap_or(0);
    leaves.iter().map(work).all(|work| work * ALIKE >= largest)
}

/// About how many rows of a leaf are summed up: those of its lighter child, by the second derivatives.
fn smaller_side(leaf: &OpenLeaf, split: &Candidate) -> u64 {
    let weight = |sum: i64| u64::from(unpack(sum).1);
    let (all, left) = (weight(leaf.total).max(1), weight(split.left));
    leaf.rows.len() as u64 * left.min(all.saturating_sub(left)) / all
}

impl TreeBuilder<'_> {
    /// Divides the leaf `at`, whose turn it is, and leaves that come after it, as many as there are threads.
    pub(super) fn divide_next(&mut self, open: &mut [OpenLeaf], at: usize) {
        let splits_left = self.tree.grower.params.trees.leaves - open.len();
        let others = (rayon::current_num_threads() - 1).min(splits_left - 1);
        let chosen = self.next_leaves(open, at, others);
        if let [at] = chosen[..] {
            let children = self.divider().divide(&mut open[at], splits_left == 1);
            open[at].ahead = children.map(Box::new);
            return;
        }
        let mut leaves: Vec<&mut OpenLeaf> = open
            .iter_mut()
            .enumerate()
            .filter_map(|(place, leaf)| chosen.contains(&place).then_some(leaf))
            .collect();
        leaves.sort_by_key(|leaf| leaf.rows.start);
        let tasks = self.dividers(&leaves).into_par_iter().zip(leaves).with_max_len(1);
        tasks.for_each(|(mut divider, leaf)| {
            leaf.ahead = divider.divide(leaf, false).map(Box::new);
        });
    }

    /// One for each of these leaves, which are in the order of their rows.
    fn dividers(&mut self, leaves: &[&mut OpenLeaf]) -> Vec<Divider<'_>> {
        let threads = match are_alike(leaves) {
            true => rayon::current_num_threads().div_ceil(leaves.len()),
            // Threads that have finished theirs help with the largest.
            false => rayon::current_num_threads(),
        };
        self.partitions.resize_with(self.partitions.len().max(leaves.len()), RowPartition::default);
        let (mut rows, mut words, mut first) = (&mut self.rows[..], &mut self.words[..], 0);
        let mut dividers = Vec::with_capacity(leaves.len());
        for (leaf, partition) in leaves.iter().zip(&mut self.partitions) {
            let before = leaf.rows.start - first;
            let (own_rows, later_rows) = rows[before..].split_at_mut(leaf.rows.len());
            let (own_words, later_words) = words[before..].split_at_mut(leaf.rows.len());
            (rows, words) = (later_rows, later_words);
            first = leaf.rows.end;
            dividers.push(Divider {
                tree: &self.tree,
                first: leaf.rows.start,
                rows: own_rows,
                words: own_words,
                partition,
                threads,
            });
        }
        dividers
    }

    /// The leaf `at` and up to so many others that are not divided yet, those of the largest gains.
    fn next_leaves(&self, open: &[OpenLeaf], at: usize, others: usize) -> Vec<usize> {
        let gain = |place: usize| open[place].best.as_ref().map_or(0.0, |best| best.gain);
        let least = self.tree.grower.last_gain.get();
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
