//! Scores: of one row, of many, of a data set.
//!
//! [`Scorer::score`] is the definition: tree after tree, node after node. Whoever scores often
//! prepares once ([`Scorer::prepare`]): the same trees, laid out so that many rows are scored
//! at a time, and one row within microseconds. A row's trees are added in their order either
//! way, so the scores are the same to the bit, and on any number of threads.

mod prepared;
mod ranks;
mod search;
mod sweep;
mod walk;

use rayon::prelude::*;
use stakes_core::data::Dataset;

use super::{Factor, Matched, Model, ModelError, Scorer};

pub use prepared::PreparedScorer;

/// Rows of a data set that one thread takes at a time.
const PIECE: usize = 8 * sweep::ROWS;

/// Preparing takes as long as scoring a few hundred rows node by node.
const WORTH_PREPARING: usize = 256;

impl Scorer {
    /// The score of one row of features, in the model's order and codes. It is finite.
    pub fn score(&self, features: &[f32]) -> f64 {
        let factor = |f: &Factor| f.link.apply_to_power(f.sum(features), f.power);
        self.factors.iter().fold(self.unit, |product, f| times(product, factor(f)))
    }

    /// The scores of rows of `width` features each, side by side in memory. Rows may be wider
    /// than the model's features.
    ///
    /// # Panics
    /// If there are fewer features than `width` x the length of `out`.
    pub fn score_rows(&self, rows: &[f32], width: usize, out: &mut [f64]) {
        if out.len() >= WORTH_PREPARING {
            return self.prepare().score_rows(rows, width, out);
        }
        for (i, score) in out.iter_mut().enumerate() {
            *score = self.score(&rows[i * width..][..width]);
        }
    }

    /// The same scores, faster: for whoever scores more than once, or one row at a time.
    pub fn prepare(&self) -> PreparedScorer {
        PreparedScorer::new(self)
    }
}

/// A product that stays finite, so that no later factor 0 makes it `NaN`.
pub fn times(a: f64, b: f64) -> f64 {
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
        let mut scores = vec![0.0; data.len()];
        if data.len() < WORTH_PREPARING {
            score_piece(data, self, matched, 0, &mut scores, |rows, width, out| {
                self.scorer.score_rows(rows, width, out);
            });
        } else {
            let prepared = self.scorer.prepare();
            scores.par_chunks_mut(PIECE).enumerate().for_each(|(piece, out)| {
                score_piece(data, self, matched, piece * PIECE, out, |rows, width, out| {
                    prepared.score_rows(rows, width, out);
                });
            });
        }
        if let Some(rerank) = &self.rerank {
            rerank.apply(data, matched, &mut scores);
        }
        scores
    }
}

/// Scores the rows from `first` on, brought into the model's order if need be.
fn score_piece(
    data: &Dataset,
    model: &Model,
    matched: &Matched,
    first: usize,
    out: &mut [f64],
    score_rows: impl Fn(&[f32], usize, &mut [f64]),
) {
    if matched.in_order() {
        let width = data.features().width();
        return score_rows(&data.features().values()[first * width..], width, out);
    }
    let width = model.features.len();
    let mut rows = Vec::with_capacity(width * out.len());
    for item in (first..).take(out.len()) {
        rows.extend(matched.row(data, item));
    }
    score_rows(&rows, width, out);
}
