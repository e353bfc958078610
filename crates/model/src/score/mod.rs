//! Scoring of one row, of many rows, or of a data set.
//!
//! [`Scorer::score`] is the definition: tree after tree, node after node. [`Scorer::prepare`] lays the
//! trees out for repeated use, so that many rows are scored at a time, and one row within
//! microseconds. Either way the trees of a row are added in their order, so the scores are the same to
//! the bit, on any number of threads.

mod prepared;
mod ranks;
mod search;
mod sweep;
mod vectors;
mod walk;

use rayon::prelude::*;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Reach;
use stakes_core::metric::per_price;
use stakes_core::shards::Shards;

use super::calibration::CalibrationError;
use super::{Calibration, Factor, MatchedColumns, Model, ModelError, Scorer};

pub use prepared::PreparedScorer;

/// The number of rows that one thread scores at a time.
const CHUNK_ROWS: usize = 8 * sweep::ROWS;

/// Preparing takes about as long as scoring this many rows node by node.
const MIN_ROWS_TO_PREPARE: usize = 256;

impl Scorer {
    /// The score of one row of features, in the model's order and codes. It is finite.
    pub fn score(&self, features: &[f32]) -> f64 {
        let factor = |f: &Factor| f.link.apply_to_power(f.sum(features), f.power);
        self.factors.iter().fold(self.unit, |product, f| finite_product(product, factor(f)))
    }

    /// The scores of rows of `width` features each, side by side in memory. Rows may be wider
    /// than the model's features.
    ///
    /// # Panics
    /// If there are fewer features than `width` x the length of `out`.
    pub fn score_rows(&self, rows: &[f32], width: usize, out: &mut [f64]) {
        if out.len() >= MIN_ROWS_TO_PREPARE {
            return self.prepare().score_rows(rows, width, out);
        }
        for (i, score) in out.iter_mut().enumerate() {
            *score = self.score(&rows[i * width..][..width]);
        }
    }

    /// Prepares for faster scoring, of many rows or of single rows repeatedly. The scores are the
    /// same.
    pub fn prepare(&self) -> PreparedScorer {
        PreparedScorer::new(self)
    }
}

/// A product that is clamped to finite numbers, so that a later factor 0 does not make it NaN.
pub fn finite_product(a: f64, b: f64) -> f64 {
    (a * b).clamp(f64::MIN, f64::MAX)
}

impl Model {
    /// The score of every item. Columns are found by name; [`Model::match_columns`] reports columns
    /// that are not read and unknown categories.
    pub fn score(&self, data: &Dataset) -> Result<Vec<f64>, ModelError> {
        let matched = self.match_columns(data)?;
        match data.features().is_stored() {
            true => self.score_stored(data, &matched),
            false => Ok(self.score_matched(data, &matched)),
        }
    }

    /// The score of every item, some rows of features after the others.
    fn score_stored(
        &self,
        data: &Dataset,
        matched: &MatchedColumns,
    ) -> Result<Vec<f64>, ModelError> {
        let (prepared, width) = (self.scorer.prepare(), self.features.len());
        let mut scores = vec![0.0; data.len()];
        data.features().visit(|piece| {
            let items: Vec<(usize, &[f32])> = piece.iter().collect();
            let mut found = vec![0.0; items.len()];
            let chunks = found.par_chunks_mut(CHUNK_ROWS).zip(items.par_chunks(CHUNK_ROWS));
            chunks.for_each(|(out, items)| {
                let row = |&(item, row): &(usize, &'_ [f32])| {
                    matched.of_row(data, item, row).collect::<Vec<f32>>()
                };
                let rows: Vec<f32> = items.iter().flat_map(row).collect();
                prepared.score_rows(&rows, width, out);
            });
            items.iter().zip(found).for_each(|(&(item, _), score)| scores[item] = score);
        })?;
        Ok(self.second_scores(data, matched, scores))
    }

    /// The score of every item of the data that `matched` was made for.
    pub fn score_matched(&self, data: &Dataset, matched: &MatchedColumns) -> Vec<f64> {
        if data.len() >= MIN_ROWS_TO_PREPARE {
            return self.score_prepared(&self.scorer.prepare(), data, matched);
        }
        let mut scores = vec![0.0; data.len()];
        score_chunk(data, self, matched, 0, &mut scores, |rows, width, out| {
            self.scorer.score_rows(rows, width, out);
        });
        self.second_scores(data, matched, scores)
    }

    /// The same by the model's scorer, prepared ([`Scorer::prepare`]) for many calls.
    pub fn score_prepared(
        &self,
        prepared: &PreparedScorer,
        data: &Dataset,
        matched: &MatchedColumns,
    ) -> Vec<f64> {
        let mut scores = vec![0.0; data.len()];
        scores.par_chunks_mut(CHUNK_ROWS).enumerate().for_each(|(chunk, out)| {
            score_chunk(data, self, matched, chunk * CHUNK_ROWS, out, |rows, width, out| {
                prepared.score_rows(rows, width, out);
            });
        });
        self.second_scores(data, matched, scores)
    }

    /// The scores after the second stage, if there is one.
    fn second_scores(
        &self,
        data: &Dataset,
        matched: &MatchedColumns,
        mut scores: Vec<f64>,
    ) -> Vec<f64> {
        if let Some(rerank) = &self.rerank {
            rerank.apply(data, matched, &mut scores);
        }
        scores
    }

    /// What items are ranked by where actions reach so far: their scores, or, where money is spent and scores
    /// are in proportion to costs, their scores per price. All orders by models are made of these: those
    /// that are judged, and those that are acted on.
    pub fn priorities(&self, mut scores: Vec<f64>, data: &Dataset, reach: Reach) -> Vec<f64> {
        let money = matches!(reach, Reach::Money(_)) && self.scores_costs;
        if let Some(price) = data.price().filter(|_| money) {
            scores.iter_mut().zip(price).for_each(|(score, &p)| *score = per_price(*score, p));
        }
        scores
    }

    /// Fits expected costs ([`Calibration`]) on lists that the model was not trained on; returns
    /// whether there were enough data.
    pub fn calibrate(&mut self, held_out: &Problem<'_>) -> Result<bool, CalibrationError> {
        let scores = self.score(held_out.data()).map_err(|e| CalibrationError(e.to_string()))?;
        self.calibration = Calibration::of_scores(held_out, &scores)?;
        Ok(self.calibration.is_some())
    }

    /// The same with lists of which other shards have more.
    pub fn calibrate_among(
        &mut self,
        held_out: &Problem<'_>,
        shards: &Shards,
    ) -> Result<(), CalibrationError> {
        let scores = self.score(held_out.data()).map_err(|e| CalibrationError(e.to_string()))?;
        self.calibration = Calibration::among(held_out, &scores, shards)?;
        Ok(())
    }
}

/// Scores the rows from `first` on, in the model's order and codes.
fn score_chunk(
    data: &Dataset,
    model: &Model,
    matched: &MatchedColumns,
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
