//! The weights of a program: scaled features, the box of allowed weights, signs, and the number of non-zero weights.
//!
//! In a program every feature is scaled to [0, 1] by its smallest and greatest value over all items, and weights are
//! in [-1, 1], so that one margin suits all data. An order does not change if all weights are multiplied by the same
//! positive number, so the box excludes no order. A scaled weight u is u / range per unit of the feature. A
//! feature that never varies has the weight 0.
//!
//! The points of a scorecard have a fixed scale: there features are only shifted, and weights are integers.

use super::draft::{Draft, Meaning};
use super::{Column, Row};
use crate::problem::{Problem, dot};
use crate::rules::{Rules, Sign};

/// The scaled features and the bounds of the scaled weights, which are the first columns of the program.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Space {
    /// Greatest minus smallest value of each feature; 1 for points.
    pub(super) ranges: Vec<f64>,
    /// The bounds of each scaled weight.
    pub(super) bounds: Vec<(f64, f64)>,
    /// The margin by which scaled scores must differ.
    pub(super) margin: f64,
    /// The scaled features of all items, row-major.
    rows: Vec<f64>,
}

impl Space {
    /// Scales the features of a problem, and derives bounds and margin.
    pub(super) fn new(problem: &Problem, rules: &Rules, margin: f64) -> Space {
        let width = problem.width();
        let column = |j: usize| (0..problem.items()).map(move |item| problem.row(item)[j]);
        let min: Vec<f64> = (0..width).map(|j| column(j).fold(f64::INFINITY, f64::min)).collect();
        let widths: Vec<f64> =
            (0..width).map(|j| column(j).fold(f64::NEG_INFINITY, f64::max) - min[j]).collect();
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
        let rows = items.flat_map(|item| {
            let (ranges, min) = (&ranges, &min);
            problem.row(item).iter().enumerate().map(move |(j, x)| (x - min[j]) / ranges[j])
        });
        let rows = rows.collect();
        Space { ranges, bounds, margin, rows }
    }

    /// Adds the columns of the weights and, if their number is limited or penalised, columns that indicate which are
    /// non-zero.
    pub(super) fn add_columns(&self, rules: &Rules, draft: &mut Draft) {
        for (j, &(lower, upper)) in self.bounds.iter().enumerate() {
            let integer = rules.points.is_some();
            draft.column(Column { lower, upper, objective: 0.0, integer }, Meaning::Weight(j));
        }
        let limited = rules.at_most.is_some_and(|max| max < self.bounds.len());
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
        if let Some(max) = rules.at_most {
            draft.program.rows.push(Row { lower: 0.0, upper: max as f64, terms: used });
        }
    }

    /// The scaled features of one item minus those of another.
    pub(super) fn difference(&self, above: usize, below: usize) -> Vec<f64> {
        let width = self.ranges.len();
        let row = |item: usize| &self.rows[item * width..][..width];
        row(above).iter().zip(row(below)).map(|(a, b)| a - b).collect()
    }

    /// The smallest and the greatest w.difference over all allowed w.
    pub(super) fn range(&self, difference: &[f64]) -> (f64, f64) {
        let sides = difference.iter().zip(&self.bounds).map(|(x, (low, high))| {
            let (a, b) = (x * low, x * high);
            (a.min(b), a.max(b))
        });
        sides.fold((0.0, 0.0), |sum, side| (sum.0 + side.0, sum.1 + side.1))
    }

    /// Scaled weights from weights per unit of the features, as large as the box allows.
    pub(super) fn scale(&self, weights: &[f64], rules: &Rules) -> Vec<f64> {
        let varies = |j: usize| self.bounds[j].0 < self.bounds[j].1;
        let scaled = weights.iter().zip(&self.ranges).enumerate();
        let mut scaled: Vec<f64> =
            scaled.map(|(j, (w, range))| if varies(j) { w * range } else { 0.0 }).collect();
        let largest = scaled.iter().fold(0.0, |max: f64, w| max.max(w.abs()));
        if rules.points.is_none() && largest > 0.0 {
            scaled.iter_mut().for_each(|w| *w /= largest);
        }
        scaled
    }

    /// The score of one item minus that of another, with scaled weights.
    pub(super) fn score_difference(&self, scaled: &[f64], above: usize, below: usize) -> f64 {
        dot(scaled, &self.difference(above, below))
    }
}

/// The margin for integer weights. Scores of features with few decimals then differ by a multiple of the last
/// decimal or not at all, so half of it separates all different scores. But the margin is at least as large as a
/// solver's tolerances can distinguish from 0, on the scale of the scores.
fn points_margin(problem: &Problem, margin: f64, scale: f64) -> f64 {
    let is_multiple = |unit: f64| {
        let mut rows = (0..problem.items()).flat_map(|item| problem.row(item));
        rows.all(|x| ((x / unit).round() * unit - x).abs() <= 1e-9 * unit.max(x.abs()))
    };
    let unit = [1.0, 0.1, 0.01, 0.001].into_iter().find(|unit| is_multiple(*unit)).unwrap_or(0.0);
    (margin * scale).min(f64::max(unit / 2.0, 1e-5 * scale))
}
