//! Splits of a tree whose rows are dealt to several shards.
//!
//! Every shard sums up its own rows; an exchange adds these sums, and all shards find the same splits in them. An
//! exchange takes time however little is said, so one serves several leaves: beside the leaf whose turn it is, those
//! that come next as far as is known are divided ahead, also children of leaves that were divided ahead themselves. Which
//! splits are made does not change by that; what is not used is dropped. Of two children the lighter one is summed up, and
//! the other is what is left of their parent.

use rayon::prelude::*;

use super::super::histogram::Histogram;
use super::super::quantise::unpack;
use super::super::split::{Candidate, better};
use super::best_first::{BestFirst, best_leaf};
use super::divider::Divider;
use super::sums::Sums;
use super::{OpenLeaf, TreeBuilder};

/// The maximum number of leaves that one exchange serves.
const MAX_SERVED: usize = 8;

/// A leaf of the tree as it would be: an open leaf, or one below it that was divided ahead.
#[derive(Debug, Clone, PartialEq)]
struct Place {
    open: usize,
    /// The way down from there.
    sides: Vec<usize>,
}

impl Place {
    fn of<'l>(&self, open: &'l mut [OpenLeaf]) -> &'l mut OpenLeaf {
        self.sides.iter().fold(&mut open[self.open], |leaf, &side| {
            let children = leaf.ahead.as_mut().expect("places below a leaf are of its children");
            &mut children[side]
        })
    }
}

/// What an exchange finds for a leaf.
enum Service {
    /// The sums of its children.
    Division(Box<Division>),
    /// Another split, by the number of rows in each bin; its sums are known or not.
    Counts { sums_known: bool },
}

/// A leaf that is divided, and what is to be summed up for its children.
struct Division {
    children: [OpenLeaf; 2],
    /// The children that are summed up; the other one, if it is wanted, is what is left of the parent.
    summed: Vec<usize>,
    /// The children that may be split.
    wanted: [bool; 2],
}

impl TreeBuilder<'_> {
    /// Makes all splits.
    pub(super) fn grow_shared(&mut self, mut root: OpenLeaf) -> BestFirst {
        self.open_shared_root(&mut root);
        let mut splits = BestFirst::of_root(root);
        // The leaf whose turn it is gets divided, or another split if a side had too few rows.
        while splits.advance(&self.tree).is_some() {
            let left = splits.splits_left(&self.tree);
            self.look_ahead(&mut splits.open, left);
        }
        splits
    }

    /// Sums up all rows of all shards and searches them.
    fn open_shared_root(&mut self, root: &mut OpenLeaf) {
        let mut sums = [self.divider().summed(root)];
        let mut totals = [root.total, root.count as i64];
        self.exchange(&mut sums, &mut totals);
        (root.total, root.count) = (totals[0], totals[1] as usize);
        let [sums] = sums;
        match self.tree.may_split(root) {
            true => self.search(root, sums),
            false => self.tree.grower.pool.give(sums),
        }
    }

    /// Divides the leaves that come next, in one exchange. Where a side has too few rows, another split of the leaf is
    /// found when it is asked for again.
    fn look_ahead(&mut self, open: &mut [OpenLeaf], left: usize) {
        let places = next_places(open, left, self.tree.grower.params.trees.min_gain);
        let (mut sums, mut counts) = (Vec::new(), Vec::new());
        let mut services = Vec::with_capacity(places.len());
        for place in &places {
            let leaf = place.of(open);
            if leaf.too_few {
                let sums_known = leaf.histogram.is_some();
                let ones = vec![1; leaf.rows.len()];
                let divider = self.divider();
                sums.push(divider.filled(&divider.sums(leaf, &ones)));
                sums.extend((!sums_known).then(|| divider.summed(leaf)));
                services.push(Service::Counts { sums_known });
                continue;
            }
            let division = self.division(leaf, left == 1);
            let Division { children, summed, .. } = &division;
            let divider = self.divider();
            sums.extend(summed.iter().map(|&side| divider.summed(&children[side])));
            counts.extend(children.each_ref().map(|child| child.rows.len() as i64));
            services.push(Service::Division(Box::new(division)));
        }
        self.exchange(&mut sums, &mut counts);
        let (mut sums, mut counts) = (sums.into_iter(), counts.as_chunks::<2>().0.iter());
        for (place, service) in places.iter().zip(services) {
            let leaf = place.of(open);
            match service {
                Service::Division(division) => {
                    let own: Vec<Histogram> = sums.by_ref().take(division.summed.len()).collect();
                    let counts = counts.next().map_or([0; 2], |c| c.map(|count| count as usize));
                    leaf.ahead = self.settled(leaf, *division, counts, own);
                }
                Service::Counts { sums_known } => {
                    let Some(counts) = sums.next() else { break };
                    let own = if sums_known { leaf.histogram.take() } else { sums.next() };
                    let Some(own) = own else { break };
                    leaf.best = self.best_of(leaf, &own, Some(&counts));
                    leaf.too_few = false;
                    self.tree.grower.pool.give(counts);
                    leaf.histogram = self.tree.keep(leaf, own);
                }
            }
        }
    }

    /// Parts the rows of a leaf, and says which sums its children need: none if they are the last.
    fn division(&mut self, leaf: &OpenLeaf, last: bool) -> Division {
        let split = leaf.best.clone().expect("only leaves with a split are divided");
        let mut divider = self.divider();
        let left = divider.mark(leaf, &split);
        let children = divider.part(leaf, &split, left);
        drop(divider);
        let wanted = [0, 1].map(|side: usize| !last && self.tree.may_weigh_enough(&children[side]));
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
    /// `None` if one has too few rows.
    fn settled(
        &self,
        leaf: &mut OpenLeaf,
        division: Division,
        counts: [usize; 2],
        sums: Vec<Histogram>,
    ) -> Option<Box<[OpenLeaf; 2]>> {
        let Division { mut children, summed, wanted } = division;
        if leaf.best.as_ref().is_some_and(|split| self.tree.has_too_few(split, counts)) {
            sums.into_iter().for_each(|sums| self.tree.grower.pool.give(sums));
            leaf.too_few = true;
            return None;
        }
        let mut of_side = [None, None];
        for (&side, sums) in summed.iter().zip(sums) {
            if let Some(mut rest) = leaf.histogram.take() {
                rest.subtract(&sums, self.tree.grower.pool.block_bins());
                of_side[1 - side] = Some(rest);
            }
            of_side[side] = Some(sums);
        }
        leaf.histogram.take().into_iter().for_each(|unused| self.tree.grower.pool.give(unused));
        for (side, child) in children.iter_mut().enumerate() {
            child.count = counts[side];
            let Some(sums) = of_side[side].take() else { continue };
            match wanted[side] && self.tree.may_split(child) {
                true => self.search(child, sums),
                false => self.tree.grower.pool.give(sums),
            }
        }
        Some(Box::new(children))
    }

    /// Finds the best split of a leaf in the sums of its rows, and keeps them if they are worth it.
    fn search(&self, open: &mut OpenLeaf, sums: Histogram) {
        open.best = self.best_of(open, &sums, None);
        open.histogram = self.tree.keep(open, sums);
    }

    fn best_of(
        &self,
        open: &OpenLeaf,
        sums: &Histogram,
        counts: Option<&Histogram>,
    ) -> Option<Candidate> {
        let blocks = self.tree.grower.matrix.blocks();
        let (node, size) =
            (self.tree.node(open), blocks.div_ceil(rayon::current_num_threads()).max(1));
        let groups = sums.blocks().par_chunks(size).enumerate().map(|(group, cells)| {
            let first = group * size;
            let counts = counts.map(|counts| &counts.blocks()[first..][..cells.len()]);
            node.best(first, cells, counts)
        });
        groups.collect::<Vec<_>>().into_iter().fold(None, better)
    }

    /// Replaces sums and counts by those of all shards.
    fn exchange(&self, sums: &mut [Histogram], counts: &mut [i64]) {
        let bins = self.tree.grower.pool.block_bins();
        let mut numbers =
            Vec::with_capacity(sums.len() * self.tree.grower.pool.cells() + counts.len());
        numbers.extend_from_slice(counts);
        sums.iter()
            .flat_map(|sums| sums.used(bins))
            .for_each(|cells| numbers.extend_from_slice(cells));
        self.tree.grower.shards.sum(&mut numbers);
        let (of_counts, mut of_sums) = numbers.split_at(counts.len());
        counts.copy_from_slice(of_counts);
        for sums in sums {
            let (own, rest) = of_sums.split_at(self.tree.grower.pool.cells());
            sums.set_used(bins, own);
            of_sums = rest;
        }
    }
}

impl Divider<'_> {
    /// The sums of the rows of a leaf that are here.
    fn summed(&self, open: &OpenLeaf) -> Histogram {
        self.filled(&self.sums_of(open))
    }

    fn filled(&self, sums: &Sums<'_>) -> Histogram {
        let mut histogram = self.tree.grower.pool.take();
        let groups = histogram.groups(&self.groups_to_sum(sums));
        groups.for_each(|(first, cells)| sums.fill(cells, first));
        histogram
    }
}

/// The leaves that are not divided yet and whose turn comes next, if at most `splits` are made, as far as gains are known.
fn next_places(open: &[OpenLeaf], splits: usize, min_gain: f64) -> Vec<Place> {
    let mut frontier: Vec<(&OpenLeaf, Place)> =
        (0..).zip(open).map(|(open, leaf)| (leaf, Place { open, sides: Vec::new() })).collect();
    let mut next = Vec::new();
    for _ in 0..splits {
        let Some(best) = best_leaf(frontier.iter().map(|(leaf, _)| *leaf), min_gain) else { break };
        let (leaf, place) = frontier.swap_remove(best);
        match &leaf.ahead {
            Some(children) => frontier.extend(children.iter().enumerate().map(|(side, child)| {
                let sides = place.sides.iter().copied().chain([side]).collect();
                (child, Place { open: place.open, sides })
            })),
            None => next.push(place),
        }
        if next.len() == MAX_SERVED {
            break;
        }
    }
    next
}
