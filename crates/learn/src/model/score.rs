//! Scores: of one row, of many, of a data set.
//!
//! Many rows are scored block by block, every tree over a whole block before the next tree:
//! the tree then stays in the cache. A row's trees are added in their order either way, so
//! the scores are the same to the bit, and on any number of threads.

use rayon::prelude::*;
use stakes_core::data::Dataset;

use super::columns::Taken;
use super::{Factor, Matched, Model, ModelError, Scorer};

/// Rows that are scored together: a few hundred kilobytes of features at most.
const BLOCK: usize = 128;

impl Scorer {
    /// The score of one row of features, in the model's order and codes. It is finite.
    pub fn score(&self, features: &[f32]) -> f64 {
        let sum =
            |f: &Factor| f.trees.iter().fold(f.start, |sum, tree| sum + tree.value_of(features));
        self.factors.iter().fold(self.unit, |product, f| times(product, f.link.apply(sum(f))))
    }

    /// The scores of rows of `width` features each, side by side in memory. Rows may be wider
    /// than the model's features.
    ///
    /// # Panics
    /// If there are fewer features than `width` x the length of `out`.
    pub fn score_rows(&self, rows: &[f32], width: usize, out: &mut [f64]) {
        let mut sums = [0.0; BLOCK];
        for (block, out) in out.chunks_mut(BLOCK).enumerate() {
            let row = |i: usize| &rows[(block * BLOCK + i) * width..][..width];
            let sums = &mut sums[..out.len()];
            out.fill(self.unit);
            for factor in &self.factors {
                sums.fill(factor.start);
                for tree in &factor.trees {
                    sums.iter_mut().enumerate().for_each(|(i, sum)| *sum += tree.value_of(row(i)));
                }
                for (score, &sum) in out.iter_mut().zip(&*sums) {
                    *score = times(*score, factor.link.apply(sum));
                }
            }
        }
    }
}

/// A product that stays finite, so that no later factor 0 makes it `NaN`.
pub(crate) fn times(a: f64, b: f64) -> f64 {
    (a * b).clamp(f64::MIN, f64::MAX)
}

impl Model {
    /// The score of every item. Columns are found by name; what is odd but no obstacle (new
    /// columns, unknown categories) is told by [`Model::match_columns`].
    pub fn score(&self, data: &Dataset) -> Result<Vec<f64>, ModelError> {
        Ok(self.score_matched(data, &self.match_columns(data)?))
    }

    /// The score of every item of the data that `matched` was made for.
    pub fn score_matched(&self, data: &Dataset, matched: &Matched) -> Vec<f64> {
        let width = data.features().width();
        let mut scores = vec![0.0; data.len()];
        let blocks = scores.par_chunks_mut(BLOCK).enumerate();
        if matched.in_order() {
            blocks.for_each(|(block, out)| {
                let rows = &data.features().values()[block * BLOCK * width..];
                self.scorer.score_rows(rows, width, out);
            });
        } else {
            let width = self.features.len();
            blocks.for_each_init(Vec::new, |buffer: &mut Vec<f32>, (block, out)| {
                buffer.clear();
                for item in (block * BLOCK..).take(out.len()) {
                    let row = data.features().row(item);
                    buffer.extend(matched.taken.iter().map(|taken: &Taken| taken.value(row)));
                }
                self.scorer.score_rows(buffer, width, out);
            });
        }
        scores
    }
}
