//! A scorer that is laid out for speed.
//!
//! Blocks of rows are swept ([`super::sweep`]): each tree over the whole block before the next tree.
//! Single rows, and trees that are too large for a sweep, are walked ([`super::walk`]).
//!
//! The code for blocks is compiled for several vector widths and chosen at run time. It compares
//! numbers and adds leaf values in a fixed order, so the width does not change the scores.

use std::ops::Range;

use pulp::{Arch, NullaryFnOnce, Scalar};
use stakes_core::processor::arch;

use super::finite_product;
use super::sweep::{Block, ROWS, Sweep, SweptTree, TOGETHER};
use super::vectors::Vectors;
use super::walk::{WALKS_IN_STEP, Walk};
use crate::{Link, Net, Scorer, Scratch};

/// Fewer rows are walked: a sweep of a few rows takes as long as that of a whole block.
const MIN_ROWS_TO_SWEEP: usize = 32;

/// A [`Scorer`] that is prepared for many calls. The scores are the same to the bit.
///
/// ```
/// use stakes_model::{Factor, Link, Scorer};
/// use stakes_model::tree::Tree;
///
/// let trees = vec![Tree::constant(0.5, 1), Tree::constant(0.25, 1)];
/// let factor = Factor::new("score", Link::Identity, 1.0, trees);
/// let prepared = Scorer { unit: 2.0, factors: vec![factor] }.prepare();
/// assert_eq!(prepared.score(&[]), 3.5);
/// ```
#[derive(Debug, Clone)]
pub struct PreparedScorer {
    unit: f64,
    factors: Vec<PreparedFactor>,
    trees: Vec<PreparedTree>,
    walk: Walk,
    sweep: Sweep,
}

#[derive(Debug, Clone)]
struct PreparedFactor {
    link: Link,
    power: f64,
    start: f64,
    trees: Range<usize>,
    net: Option<Net>,
}

#[derive(Debug, Clone)]
struct PreparedTree {
    root: usize,
    /// `None` if the tree is too large.
    swept: Option<SweptTree>,
}

impl PreparedScorer {
    /// Lays out the trees.
    ///
    /// # Panics
    /// If a tree has children that do not exist. Trees from model files and learners do not.
    pub fn new(scorer: &Scorer) -> Self {
        let (mut walk, mut sweep) = (Walk::default(), Sweep::default());
        let trees = scorer.factors.iter().flat_map(|f| &f.trees);
        let can_sweep: Vec<bool> = trees.clone().map(|tree| sweep.add_thresholds(tree)).collect();
        sweep.finish_thresholds();
        let trees = trees.zip(can_sweep).map(|(tree, swept)| PreparedTree {
            root: walk.add(tree),
            swept: swept.then(|| sweep.add(tree)),
        });
        let trees = trees.collect();
        let mut first = 0;
        let factors = scorer.factors.iter().map(|f| {
            let trees = first..first + f.trees.len();
            first = trees.end;
            let net = f.net.clone();
            PreparedFactor { link: f.link, power: f.power, start: f.start, trees, net }
        });
        PreparedScorer { unit: scorer.unit, factors: factors.collect(), trees, walk, sweep }
    }

    /// The score of one row of features, in the model's order and codes. It is finite.
    pub fn score(&self, features: &[f32]) -> f64 {
        self.factors.iter().fold(self.unit, |product, factor| {
            let (groups, rest) = self.trees[factor.trees.clone()].as_chunks::<WALKS_IN_STEP>();
            let mut sum = factor.start;
            for group in groups {
                let roots = group.each_ref().map(|tree| tree.root);
                let values = self.walk.values(roots, |_| features);
                values.iter().for_each(|value| sum += value);
            }
            for tree in rest {
                let [value] = self.walk.values([tree.root], |_| features);
                sum += value;
            }
            if let Some(net) = &factor.net {
                sum += net.value(features);
            }
            finite_product(product, factor.link.apply_to_power(sum, factor.power))
        })
    }

    /// The scores of rows of `width` features each, side by side in memory. Rows may be wider
    /// than the model's features.
    ///
    /// # Panics
    /// If there are fewer features than `width` x the length of `out`.
    pub fn score_rows(&self, rows: &[f32], width: usize, out: &mut [f64]) {
        self.score_rows_on(arch(), rows, width, out);
    }

    fn score_rows_on(&self, arch: Arch, rows: &[f32], width: usize, out: &mut [f64]) {
        let rows = &rows[..width * out.len()];
        let mut block = None;
        for (number, out) in out.chunks_mut(ROWS).enumerate() {
            let rows = &rows[number * ROWS * width..][..width * out.len()];
            if out.len() < MIN_ROWS_TO_SWEEP {
                for (i, score) in out.iter_mut().enumerate() {
                    *score = self.score(&rows[i * width..][..width]);
                }
            } else {
                let block = block.get_or_insert_with(|| self.sweep.block());
                Work { scorer: self, rows, width, out, block }.on(arch);
            }
        }
    }

    #[inline(always)]
    fn score_block<V: Vectors>(&self, vectors: V, work: Work) {
        let Work { rows, width, out, block, .. } = work;
        let mut sums = [0.0; ROWS];
        let sums = &mut sums[..out.len()];
        self.sweep.load(vectors, rows, width, out.len(), block);
        out.fill(self.unit);
        for factor in &self.factors {
            sums.fill(factor.start);
            for trees in self.trees[factor.trees.clone()].chunks(TOGETHER) {
                if let [a, b, c, d] = trees
                    && let (Some(a), Some(b), Some(c), Some(d)) =
                        (&a.swept, &b.swept, &c.swept, &d.swept)
                {
                    self.sweep.add_to(vectors, [a, b, c, d], block, sums);
                    continue;
                }
                for tree in trees {
                    match &tree.swept {
                        Some(swept) => self.sweep.add_one(vectors, swept, block, sums),
                        None => self.walk_block(tree.root, rows, width, sums),
                    }
                }
            }
            if let Some(net) = &factor.net {
                add_net(net, rows, width, sums);
            }
            for (score, &sum) in out.iter_mut().zip(&*sums) {
                *score = finite_product(*score, factor.link.apply_to_power(sum, factor.power));
            }
        }
    }

    /// Adds the value of one tree to the sum of each row.
    #[inline(never)]
    fn walk_block(&self, root: usize, rows: &[f32], width: usize, sums: &mut [f64]) {
        for (group, sums) in sums.chunks_mut(WALKS_IN_STEP).enumerate() {
            // If there are too few rows, the last one is walked more than once.
            let row = |i: usize| {
                let row = group * WALKS_IN_STEP + i.min(sums.len() - 1);
                &rows[row * width..][..width]
            };
            let values = self.walk.values([root; WALKS_IN_STEP], row);
            sums.iter_mut().zip(values).for_each(|(sum, value)| *sum += value);
        }
    }
}

/// Adds the value of a net to the sum of each row.
#[inline(never)]
fn add_net(net: &Net, rows: &[f32], width: usize, sums: &mut [f64]) {
    let mut scratch = Scratch::default();
    for (row, sum) in sums.iter_mut().enumerate() {
        *sum += net.value_with(&rows[row * width..][..width], &mut scratch);
    }
}

/// The arguments of [`PreparedScorer::score_block`].
struct Work<'a> {
    scorer: &'a PreparedScorer,
    rows: &'a [f32],
    width: usize,
    out: &'a mut [f64],
    block: &'a mut Block,
}

impl Work<'_> {
    /// Calls the code compiled for an architecture.
    fn on(self, arch: Arch) {
        match arch {
            #[cfg(target_arch = "x86_64")]
            Arch::V4(vectors) => vectors.vectorize(On { vectors, work: self }),
            #[cfg(target_arch = "x86_64")]
            Arch::V3(vectors) => vectors.vectorize(On { vectors, work: self }),
            _ => On { vectors: Scalar, work: self }.call(),
        }
    }
}

/// The call as `pulp` needs it; everything it calls must be inlined to use the same instructions.
struct On<'a, V> {
    vectors: V,
    work: Work<'a>,
}

impl<V: Vectors> NullaryFnOnce for On<'_, V> {
    type Output = ();

    #[inline(always)]
    fn call(self) {
        self.work.scorer.score_block(self.vectors, self.work);
    }
}

#[cfg(test)]
#[path = "processors.rs"]
mod processors;
