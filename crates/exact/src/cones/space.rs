//! Whitening: coordinates for weights in which scores have the same spread in all directions.
//!
//! Features have units and are correlated; a cone that is narrow in one unit is wide in another. Here the items
//! are transformed so that their covariance within lists is the identity, and the weights inversely, so that
//! scores do not change: w.x = u.y with y = E^(-1/2) Q' x, w = Q E^(-1/2) u for the covariance Q E Q'. Features that
//! are redundant within lists (constant, or linear combinations of others) add no dimension: the number of dimensions
//! is the rank of the covariance.

use nalgebra::{DMatrix, SymmetricEigen};

use crate::problem::{Problem, dot};

/// Eigenvalues below this share of the largest one are due to rounding.
const NEGLIGIBLE: f64 = 1e-10;

/// The whitened space of some features of a problem.
pub(crate) struct Space {
    width: usize,
    dims: usize,
    /// For each dimension the weights of all features.
    back: Vec<f64>,
    /// The items in the given order, `dims` numbers each.
    rows: Vec<f64>,
}

impl Space {
    /// The space of these features, with the items in this order.
    pub(crate) fn new(problem: &Problem, features: &[usize], items: &[usize]) -> Self {
        if features.is_empty() {
            return Space { width: problem.width(), dims: 0, back: Vec::new(), rows: Vec::new() };
        }
        let centred = centred(problem, features);
        let spread: Vec<f64> = (0..features.len())
            .map(|f| centred.chunks_exact(features.len()).map(|row| row[f] * row[f]).sum::<f64>())
            .map(|squares| (squares / problem.items() as f64).sqrt())
            .collect();
        let mut covariance = DMatrix::<f64>::zeros(features.len(), features.len());
        for row in centred.chunks_exact(features.len()) {
            for a in 0..features.len() {
                for b in 0..features.len() {
                    // The correlation: whether an eigenvalue is negligible must not depend on units.
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

    /// The number of dimensions.
    pub(crate) fn dims(&self) -> usize {
        self.dims
    }

    /// The coordinates of an item, by its position in the given order.
    pub(crate) fn row(&self, place: usize) -> &[f64] {
        &self.rows[place * self.dims..][..self.dims]
    }

    /// Computes the score of every item.
    pub(crate) fn scores(&self, direction: &[f64], scores: &mut Vec<f64>) {
        scores.clear();
        scores.extend(self.rows.chunks_exact(self.dims).map(|row| dot(row, direction)));
    }

    /// The weights of all features that correspond to a direction.
    pub(crate) fn weights(&self, direction: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.width];
        for (by, dimension) in direction.iter().zip(self.back.chunks_exact(self.width)) {
            weights.iter_mut().zip(dimension).for_each(|(weight, part)| *weight += by * part);
        }
        weights
    }

    /// The vector whose dot product with a direction is the weight of a feature.
    pub(crate) fn weight_of(&self, feature: usize) -> Vec<f64> {
        self.back.chunks_exact(self.width).map(|dimension| dimension[feature]).collect()
    }
}

/// The features of all items, minus their mean in the item's list.
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

/// A centred item with all features, 0 for unused ones.
fn centred_row(centred: &[f64], features: &[usize], item: usize, width: usize) -> Vec<f64> {
    let mut row = vec![0.0; width];
    for (feature, value) in features.iter().zip(&centred[item * features.len()..]) {
        row[*feature] = *value;
    }
    row
}
