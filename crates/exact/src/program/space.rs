//! The weights of a program: scaled features, the box, signs, and which of them are used.
//!
//! Inside a program every feature is taken from its least to its greatest value over all items as 0 to
//! 1, and weights are from -1 to 1, so that one margin suits all data. An order does not change if all
//! weights are multiplied by the same number: the box loses nothing. A weight of u inside is u / range
//! per unit of the feature. A feature that never changes has the weight 0.
//!
//! Points of a scorecard have a scale: there features are only shifted, weights are whole numbers.

use super::draft::{Draft, Meaning};
use super::{Column, Row};
use crate::problem::{Problem, dot};
use crate::rules::{Rules, Sign};

/// Weights as a program has them. The first columns of the program are the weights.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Space {
    /// Greatest less least value of each feature; 1 for points.
    pub(super) ranges: Vec<f64>,
    /// What each weight inside may be.
    pub(super) bounds: Vec<(f64, f64)>,
    /// By how much scores inside must differ.
    pub(super) margin: f64,
    /// The features of all items inside, row-major.
    scaled: Vec<f64>,
}

impl Space {
    /// Scales, bounds and the margin.
    pub(super) fn new(problem: &Problem, rules: &Rules, margin: f64) -> Space {
        let width = problem.width();
        let column = |j: usize| (0..problem.items()).map(move |item| problem.row(item)[j]);
        let least: Vec<f64> = (0..width).map(|j| column(j).fold(f64::INFINITY, f64::min)).collect();
        let widths: Vec<f64> =
            (0..width).map(|j| column(j).fold(f64::NEG_INFINITY, f64::max) - least[j]).collect();
        let bounds = (0..width).map(|j| {
            let limit = rules.points.map_or(1.0, f64::from);
            match rules.sign(j) {
                _ if widths[j] == 0.0 => (0.0, 0.0),
                Sign::Free => (-limit, limit),
                Sign::NotNegative => (0.0, limit),
                Sign::NotPositive => (-limit, 0.0),
            }
        });
        let bounds = bounds.collect();
        let (ranges, margin) = match rules.points {
            None => {
                let usable = |width: &f64| if *width == 0.0 { 1.0 } else { *width };
                (widths.iter().map(usable).collect(), margin)
            }
            Some(points) => {
                let scale = f64::from(points) * widths.iter().copied().fold(0.0, f64::max);
                (vec![1.0; width], points_margin(problem, margin, scale))
            }
        };
        let ranges: Vec<f64> = ranges;
        let items = 0..problem.items();
        let scaled = items.flat_map(|item| {
            let (ranges, least) = (&ranges, &least);
            problem.row(item).iter().enumerate().map(move |(j, x)| (x - least[j]) / ranges[j])
        });
        let scaled = scaled.collect();
        Space { ranges, bounds, margin, scaled }
    }

    /// The columns of weights, the columns that say which are used where that matters, and their rows.
    pub(super) fn lay(&self, rules: &Rules, draft: &mut Draft) {
        for (j, &(lower, upper)) in self.bounds.iter().enumerate() {
            let integer = rules.points.is_some();
            draft.column(Column { lower, upper, objective: 0.0, integer }, Meaning::Weight(j));
        }
        let limited = rules.at_most.is_some_and(|most| most < self.bounds.len());
        if !limited && rules.penalty <= 0.0 {
            return;
        }
        let mut used = Vec::new();
        for (j, &(lower, upper)) in self.bounds.iter().enumerate().filter(|(_, b)| b.0 < b.1) {
            let column = draft.binary(-rules.penalty, Meaning::Used(j));
            draft.at_most(vec![(j, 1.0), (column, -upper)], 0.0);
            draft.at_most(vec![(j, -1.0), (column, lower)], 0.0);
            used.push((column, 1.0));
        }
        if let Some(most) = rules.at_most {
            draft.program.rows.push(Row { lower: 0.0, upper: most as f64, terms: used });
        }
    }

    /// The features of one item less those of another, inside.
    pub(super) fn difference(&self, above: usize, below: usize) -> Vec<f64> {
        let width = self.ranges.len();
        let row = |item: usize| &self.scaled[item * width..][..width];
        row(above).iter().zip(row(below)).map(|(a, b)| a - b).collect()
    }

    /// The least and the greatest w.difference over all allowed w.
    pub(super) fn reach(&self, difference: &[f64]) -> (f64, f64) {
        let sides = difference.iter().zip(&self.bounds).map(|(x, (low, high))| {
            let (a, b) = (x * low, x * high);
            (a.min(b), a.max(b))
        });
        sides.fold((0.0, 0.0), |sum, side| (sum.0 + side.0, sum.1 + side.1))
    }

    /// Weights inside from weights per unit of the features, as large as the box allows.
    pub(super) fn inside(&self, weights: &[f64], rules: &Rules) -> Vec<f64> {
        let varies = |j: usize| self.bounds[j].0 < self.bounds[j].1;
        let inside = weights.iter().zip(&self.ranges).enumerate();
        let mut inside: Vec<f64> =
            inside.map(|(j, (w, range))| if varies(j) { w * range } else { 0.0 }).collect();
        let largest = inside.iter().fold(0.0, |most: f64, w| most.max(w.abs()));
        if rules.points.is_none() && largest > 0.0 {
            inside.iter_mut().for_each(|w| *w /= largest);
        }
        inside
    }

    /// The score of one item less that of another, with weights inside.
    pub(super) fn ahead(&self, inside: &[f64], above: usize, below: usize) -> f64 {
        dot(inside, &self.difference(above, below))
    }
}

/// With whole weights, scores of features of a few decimals differ by a whole number of the last
/// decimal or not at all: half of it parts all that differ. But no less than what a solver's tolerances
/// can tell from nothing, on the scale of the scores.
fn points_margin(problem: &Problem, margin: f64, scale: f64) -> f64 {
    let whole = |unit: f64| {
        let mut rows = (0..problem.items()).flat_map(|item| problem.row(item));
        rows.all(|x| ((x / unit).round() * unit - x).abs() <= 1e-9 * unit.max(x.abs()))
    };
    let unit = [1.0, 0.1, 0.01, 0.001].into_iter().find(|unit| whole(*unit)).unwrap_or(0.0);
    (margin * scale).min(f64::max(unit / 2.0, 1e-5 * scale))
}
