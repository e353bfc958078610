//! The pairs of items that should be ordered: within each list, higher impact above lower.
//!
//! Items that are in pairs are stored list by list, by falling impact. The position in that order
//! is an item's **place**: the worse partners of an item are all places from some place on to the
//! end of its list, so that pairs have numbers without being stored. Items of weight 0 are in no
//! pair, nor are those of lists whose impacts are all equal.
//!
//! Example: impacts 1, 3, 1, 0 are stored as 3, 1, 1, 0; the 3 has three worse partners, each 1 has
//! one.

use std::ops::Range;

use rayon::prelude::*;

use crate::Lists;

/// The minimum number of pairs of a parallel task. Tasks depend on the data alone, so that sums do
/// not depend on threads.
const PIECE: usize = 1 << 14;

/// The pairs of all lists.
#[derive(Debug)]
pub(crate) struct Feedback {
    /// The item of each place.
    pub(crate) items: Vec<u32>,
    /// The places of each list.
    pub(crate) lists: Vec<Range<usize>>,
    /// For each place the first place of its list with a worse item; the list's end if there is
    /// none.
    pub(crate) worse: Vec<usize>,
    /// The weight of the item of each place.
    pub(crate) weight: Vec<f64>,
    /// For each place the number of its first pair; at the end the number of pairs.
    pub(crate) first_pair: Vec<usize>,
    /// Lists that are processed together.
    pub(crate) pieces: Vec<Range<usize>>,
    /// The number of items, in pairs or not.
    pub(crate) n_items: usize,
}

impl Feedback {
    /// The pairs of lists. `weighted`: whether pairs are weighted by the product of their items'
    /// weights.
    pub(crate) fn new(lists: &Lists, weighted: bool) -> Self {
        let mut feedback = Feedback {
            items: Vec::new(),
            lists: Vec::new(),
            worse: Vec::new(),
            weight: Vec::new(),
            first_pair: vec![0],
            pieces: Vec::new(),
            n_items: lists.n_items(),
        };
        let weight = lists.weight().filter(|_| weighted);
        for list in 0..lists.len() {
            feedback.add(lists, list, weight);
        }
        feedback.divide();
        feedback
    }

    fn add(&mut self, lists: &Lists, list: usize, weight: Option<&[f64]>) {
        let items = lists.items(list);
        let impact = lists.list(list).impact;
        // `+ 0.0` turns -0 into 0.
        let impact = |item: u32| impact[item as usize - items.start] + 0.0;
        let weight = |item: u32| weight.map_or(1.0, |w| w[item as usize]);
        let has_weight = |item: &u32| weight(*item) > 0.0;
        let mut order: Vec<u32> =
            items.clone().map(|item| item as u32).filter(has_weight).collect();
        order.sort_by(|&a, &b| impact(b).total_cmp(&impact(a)));
        let levels = || order.chunk_by(|&a, &b| impact(a) == impact(b));
        if levels().nth(1).is_none() {
            return;
        }
        let (start, mut end) = (self.items.len(), self.items.len());
        for level in levels() {
            end += level.len();
            self.worse.extend(level.iter().map(|_| end));
        }
        for place in start..end {
            self.first_pair.push(self.first_pair[place] + end - self.worse[place]);
        }
        self.weight.extend(order.iter().map(|&item| weight(item)));
        self.items.extend(order);
        self.lists.push(start..end);
    }

    fn divide(&mut self) {
        let mut first = 0;
        for list in 0..self.lists.len() {
            let pairs = self.first_pair[self.lists[list].end];
            let before = self.first_pair[self.lists[first].start];
            let items = self.lists[list].end - self.lists[first].start;
            if (pairs - before).max(8 * items) >= PIECE || list + 1 == self.lists.len() {
                self.pieces.push(first..list + 1);
                first = list + 1;
            }
        }
    }

    /// The number of places.
    pub(crate) fn len(&self) -> usize {
        self.items.len()
    }

    /// The number of pairs.
    pub(crate) fn pairs(&self) -> usize {
        self.first_pair[self.len()]
    }

    /// The list of a place.
    pub(crate) fn list_of(&self, place: usize) -> usize {
        self.lists.partition_point(|list| list.end <= place)
    }

    /// The worse partners of a place.
    pub(crate) fn worse_than(&self, place: usize, list: &Range<usize>) -> Range<usize> {
        self.worse[place]..list.end
    }

    /// Returns the values of items by place.
    pub(crate) fn by_place<T: Copy>(&self, column: &[T]) -> Vec<T> {
        self.items.iter().map(|&item| column[item as usize]).collect()
    }

    /// Runs `work` for the lists of every piece in parallel; the results are in the order of lists.
    pub(crate) fn map_pieces<R: Send>(&self, work: impl Fn(Range<usize>) -> R + Sync) -> Vec<R> {
        self.pieces.par_iter().map(|piece| work(piece.clone())).collect()
    }

    /// Runs `work` for every piece in parallel, each with the part of `out` for its places; the
    /// results are in the order of lists.
    pub(crate) fn for_pieces<T: Send, R: Send>(
        &self,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T]) -> R + Sync,
    ) -> Vec<R> {
        self.for_parts(out, |list| list.len(), work)
    }

    /// As [`Feedback::for_pieces`], where `out` has an entry for every pair.
    pub(crate) fn for_pairs<T: Send, R: Send>(
        &self,
        out: &mut [T],
        work: impl Fn(Range<usize>, &mut [T]) -> R + Sync,
    ) -> Vec<R> {
        let pairs = |list: &Range<usize>| self.first_pair[list.end] - self.first_pair[list.start];
        self.for_parts(out, pairs, work)
    }

    fn for_parts<T: Send, R: Send>(
        &self,
        mut out: &mut [T],
        size: impl Fn(&Range<usize>) -> usize,
        work: impl Fn(Range<usize>, &mut [T]) -> R + Sync,
    ) -> Vec<R> {
        let mut parts = Vec::with_capacity(self.pieces.len());
        for piece in &self.pieces {
            let size = self.lists[piece.clone()].iter().map(&size).sum();
            let (own, rest) = out.split_at_mut(size);
            parts.push((piece.clone(), own));
            out = rest;
        }
        parts.into_par_iter().map(|(piece, own)| work(piece, own)).collect()
    }
}
