//! Partial dependence: how scores change with one feature, and with two (Friedman 2001).
//!
//! A sample of items is drawn. All get the same value of a feature, and the mean of their scores is
//! computed; then the next value. Values are quantiles of the items' own, or their categories.
//!
//! For two features the mean score is computed at every pair of values. The residual after the best sum
//! of one curve for each feature is their interaction; its share of the variance is H^2 (Friedman and
//! Popescu 2008), here over all pairs of values, weighted by how often the values occur.
//!
//! Example: the score x + z has no interaction; the score x z, with x and z each -1 or 1, is nothing but
//! interaction.

use rayon::prelude::*;
use stakes_core::data::Dataset;
use stakes_core::random::{Stream, purpose};

use super::Rows;
use crate::{Model, ModelError, PreparedScorer};

/// The number of items drawn.
pub const SAMPLE_SIZE: usize = 500;
/// The maximum number of values of a single feature.
const MAX_POINTS: usize = 20;
/// The maximum number of values of each of two features.
const MAX_PAIR_POINTS: usize = 8;

/// A sample of items whose scores are computed for changed features.
#[derive(Debug)]
pub struct Sample<'m> {
    model: &'m Model,
    scorer: PreparedScorer,
    rows: Rows,
}

/// The mean score by the value of one feature.
#[derive(Debug, Clone, PartialEq)]
pub struct Dependence {
    /// The number of the feature in the model.
    pub feature: usize,
    /// Numbers in ascending order, or categories by descending frequency; missing last.
    pub points: Vec<DependencePoint>,
}

/// The scores at one value.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DependencePoint {
    /// The value, or the code of the category; NaN for missing.
    pub value: f32,
    /// The share of items that the value represents.
    pub share: f64,
    /// The mean score.
    pub mean: f64,
    /// The lower end of the middle 80 % of the items, each item's curve shifted to the common mean.
    /// The ends are far apart if the effect depends on other features.
    pub low: f64,
    /// The upper end of the middle 80 %.
    pub high: f64,
}

/// The mean score by the values of two features.
#[derive(Debug, Clone, PartialEq)]
pub struct JointDependence {
    /// The numbers of the features in the model.
    pub features: [usize; 2],
    /// Their values, each with the share of items that it represents.
    pub values: [Vec<(f32, f64)>; 2],
    /// Mean scores: by value of the first feature, then by value of the second.
    pub means: Vec<Vec<f64>>,
    /// The root mean square of the interaction, in units of the score.
    pub size: f64,
    /// The interaction's share of the variance of the means, from 0 to 1.
    pub share: f64,
}

impl<'m> Sample<'m> {
    /// Draws up to [`SAMPLE_SIZE`] items of a data set.
    pub fn draw(model: &'m Model, data: &Dataset, seed: u64) -> Result<Self, ModelError> {
        let draws = Stream::new(purpose(seed, b"depends "), 0);
        let mut items: Vec<usize> = (0..data.len()).collect();
        if items.len() > SAMPLE_SIZE {
            items.sort_by_key(|&item| draws.word(item as u64));
            items.truncate(SAMPLE_SIZE);
            items.sort_unstable();
        }
        let rows = Rows::of_items(model, data, items)?;
        Ok(Sample { model, scorer: model.scorer.prepare(), rows })
    }

    /// The number of items.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Never true: a data set has at least one item.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Computes the mean score by the value of one feature.
    pub fn dependence(&self, feature: usize) -> Dependence {
        let grid = self.grid(feature, MAX_POINTS);
        let curves: Vec<Vec<f64>> =
            grid.par_iter().map(|&(value, _)| self.scores(&[(feature, value)])).collect();
        let n = self.rows.len();
        let means: Vec<f64> = curves.iter().map(|scores| mean(scores)).collect();
        let middle: f64 = means.iter().zip(&grid).map(|(mean, (_, share))| mean * share).sum();
        let own = |item: usize| -> f64 {
            curves.iter().zip(&grid).map(|(scores, (_, share))| scores[item] * share).sum()
        };
        let moves: Vec<f64> = (0..n).map(|item| middle - own(item)).collect();
        let points = grid.iter().zip(&curves).zip(means);
        let point = |((&(value, share), scores), mean): ((&(f32, f64), &Vec<f64>), f64)| {
            let mut moved: Vec<f64> = scores.iter().zip(&moves).map(|(s, m)| s + m).collect();
            moved.sort_by(f64::total_cmp);
            let at = |p: f64| moved[(p * (n - 1) as f64).round() as usize];
            DependencePoint { value, share, mean, low: at(0.1), high: at(0.9) }
        };
        Dependence { feature, points: points.map(point).collect() }
    }

    /// Computes the mean score by the values of two features.
    pub fn joint(&self, features: [usize; 2]) -> JointDependence {
        let values = features.map(|feature| self.grid(feature, MAX_PAIR_POINTS));
        let cell = |a: f32, b: f32| mean(&self.scores(&[(features[0], a), (features[1], b)]));
        let means: Vec<Vec<f64>> = (values[0].par_iter())
            .map(|&(a, _)| values[1].iter().map(|&(b, _)| cell(a, b)).collect())
            .collect();
        let (size, share) = interaction(&means, &values);
        JointDependence { features, values, means, size, share }
    }

    /// The scores of all items with these values instead of their own.
    fn scores(&self, changes: &[(usize, f32)]) -> Vec<f64> {
        let mut rows = self.rows.clone();
        for item in 0..rows.len() {
            changes.iter().for_each(|&(feature, value)| *rows.value_mut(item, feature) = value);
        }
        let mut scores = vec![0.0; rows.len()];
        rows.score(&self.scorer, &mut scores);
        scores
    }

    /// Values of a feature, each with the share of items that it represents; the shares sum to 1.
    fn grid(&self, feature: usize, max: usize) -> Vec<(f32, f64)> {
        let (missing, mut there): (Vec<f32>, Vec<f32>) =
            self.rows.column(feature).into_iter().partition(|value| value.is_nan());
        there.sort_by(f32::total_cmp);
        let all = self.rows.len() as f64;
        let mut grid: Vec<(f32, f64)> = Vec::new();
        if self.model.features[feature].categories.is_some() {
            grid.extend(there.chunk_by(|a, b| a == b).map(|c| (c[0], c.len() as f64 / all)));
            grid.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.total_cmp(&b.0)));
            grid.truncate(max);
        } else if !there.is_empty() {
            // The medians of equal parts; a value that many items share occurs several times.
            let share = there.len() as f64 / all / max as f64;
            for part in 0..max {
                let value = there[(2 * part + 1) * there.len() / (2 * max)];
                match grid.last_mut() {
                    Some(last) if last.0 == value => last.1 += share,
                    _ => grid.push((value, share)),
                }
            }
        }
        if !missing.is_empty() {
            grid.push((f32::NAN, missing.len() as f64 / all));
        }
        // Categories beyond the maximum are left out.
        let total: f64 = grid.iter().map(|value| value.1).sum();
        grid.iter_mut().for_each(|value| value.1 /= total);
        grid
    }
}

/// The residual of a table after the best additive fit of rows and columns: its root mean square, and
/// its share of the table's variance.
fn interaction(means: &[Vec<f64>], values: &[Vec<(f32, f64)>; 2]) -> (f64, f64) {
    let weighted = |numbers: &mut dyn Iterator<Item = f64>, side: usize| -> f64 {
        numbers.zip(&values[side]).map(|(number, (_, share))| number * share).sum()
    };
    let rows: Vec<f64> = means.iter().map(|row| weighted(&mut row.iter().copied(), 1)).collect();
    let columns: Vec<f64> =
        (0..values[1].len()).map(|b| weighted(&mut means.iter().map(|row| row[b]), 0)).collect();
    let middle = weighted(&mut rows.iter().copied(), 0);
    let (mut rest, mut all) = (0.0, 0.0);
    for (a, row) in means.iter().enumerate() {
        for (b, mean) in row.iter().enumerate() {
            let share = values[0][a].1 * values[1][b].1;
            rest += share * (mean - rows[a] - columns[b] + middle).powi(2);
            all += share * (mean - middle).powi(2);
        }
    }
    (rest.sqrt(), if all > 0.0 { (rest / all).min(1.0) } else { 0.0 })
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

#[cfg(test)]
mod tests;
