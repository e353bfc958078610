//! Weights of some features, seen so that scores spread alike in all directions.
//!
//! Features have units and go together; a cone that is narrow in one unit is wide in another. Here items
//! are turned and stretched until their covariance within lists is the identity, and weights the other way
//! round, so that scores stay what they are: w.x = u.y with y = E^(-1/2) Q' x, w = Q E^(-1/2) u for the
//! covariance Q E Q'. Features that say nothing of their own within lists (constant, or a sum of others) fall
//! out: there are as many dimensions as there are different things to say.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::problem::{Problem, dot};

/// Parts of the largest variance below this are rounding.
const NEGLIGIBLE: f64 = 1e-10;

/// Some features of a problem as directions of equal spread.
pub(crate) struct Space {
    width: usize,
    dims: usize,
    /// Of each dimension, the weights of all features.
    back: Vec<f64>,
    /// Items in the order that was given, `dims` numbers to each.
    rows: Vec<f64>,
}

impl Space {
    /// These features, with the items in this order.
    pub(crate) fn new(problem: &Problem, features: &[usize], items: &[usize]) -> Self {
        let centred = centred(problem, features);
        let spread: Vec<f64> = (0..features.len())
            .map(|f| centred.chunks_exact(features.len()).map(|row| row[f] * row[f]).sum::<f64>())
            .map(|squares| (squares / problem.items() as f64).sqrt())
            .collect();
        let mut covariance = DMatrix::<f64>::zeros(features.len(), features.len());
        for row in centred.chunks_exact(features.len().max(1)) {
            for a in 0..features.len() {
                for b in 0..features.len() {
                    // In units of the spread: whether a part is negligible must not depend on units.
                    let spread = spread[a] * spread[b] * problem.items() as f64;
                    if spread > 0.0 {
                        covariance[(a, b)] += row[a] * row[b] / spread;
                    }
                }
            }
        }
        let eigen = SymmetricEigen::new(covariance);
        let largest = eigen.eigenvalues.iter().copied().fold(0.0, f64::max);
        let mut back = Vec::new();
        for (value, vector) in eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter()) {
            if *value > NEGLIGIBLE * largest {
                let mut weights = vec![0.0; problem.width()];
                for ((feature, part), spread) in features.iter().zip(vector.iter()).zip(&spread) {
                    weights[*feature] =
                        if *spread > 0.0 { part / (spread * value.sqrt()) } else { 0.0 };
                }
                back.extend(weights);
            }
        }
        let dims = back.len() / problem.width();
        let directions = || back.chunks_exact(problem.width());
        let row = |item: &usize| {
            let row: Vec<f64> = centred_row(&centred, features, *item, problem.width());
            directions().map(move |weights| dot(&row, weights)).collect::<Vec<f64>>()
        };
        let rows = items.iter().flat_map(row).collect();
        Space { width: problem.width(), dims, back, rows }
    }

    /// Number of dimensions.
    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// An item, by its place in the order that was given.
    pub(crate) fn row(&self, place: usize) -> &[f64] {
        &self.rows[place * self.dims..][..self.dims]
    }

    /// The score of every item.
    pub(crate) fn scores(&self, direction: &[f64], scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend(self.rows.chunks_exact(self.dims).map(|row| dot(row, direction)));
    }

    /// The weights of all features that a direction stands for.
    pub(crate) fn weights(&self, direction: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.width];
        for (by, dimension) in direction.iter().zip(self.back.chunks_exact(self.width)) {
            weights.iter_mut().zip(dimension).for_each(|(weight, part)| *weight += by * part);
        }
        weights
    }

    /// The direction's part that is the weight of a feature.
    pub(crate) fn weight_of(&self, feature: usize) -> Vec<f64> {
        self.back.chunks_exact(self.width).map(|dimension| dimension[feature]).collect()
    }
}

/// The features of all items, less their mean in the item's list.
fn centred(problem: &Problem, features: &[usize]) -> Vec<f64> {
    let mut rows = Vec::with_capacity(problem.items() * features.len());
    for list in 0..problem.lists() {
        let items = problem.list(list);
        let mean = |f: &usize| {
            items.clone().map(|item| problem.row(item)[*f]).sum::<f64>() / items.len() as f64
        };
        let means: Vec<f64> = features.iter().map(mean).collect();
        for item in items.clone() {
            let row = problem.row(item);
            rows.extend(features.iter().zip(&means).map(|(f, mean)| row[*f] - mean));
        }
    }
    rows
}

/// A centred item with all features, 0 for those that are not used.
fn centred_row(centred: &[f64], features: &[usize], item: usize, width: usize) -> Vec<f64> {
    let mut row = vec![0.0; width];
    for (feature, value) in features.iter().zip(&centred[item * features.len()..]) {
        row[*feature] = *value;
    }
    row
}
