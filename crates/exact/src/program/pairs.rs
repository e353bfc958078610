//! The order of two items: a 0/1 column z with z = 1 only if w.(x_i - x_k) >= margin.
//!
//! The row is M z - w.(x_i - x_k) <= M - margin, where M is the maximum by which any allowed w can miss the
//! margin: the smallest M that excludes no w if z = 0. The constraint z <= w.(x_i - x_k) + 1 - eps of Rudin and Wang
//! (2018, constraint 4) has M = 1 for all pairs and excludes score differences below -(1 - eps).
//!
//! There is no column if no allowed w reaches the margin: for equal rows (even if the margin is 0 because
//! no feature varies), and for rows in which the sign constraints exclude every difference.

use super::draft::{Count, Draft, Meaning};
use super::space::Space;

/// A column that indicates that one item is strictly above another: (column, above, below).
pub(super) type Strict = (usize, usize, usize);

/// The columns of pairs, created on demand.
pub(super) struct Pairs<'a> {
    space: &'a Space,
    /// All columns that can only be 1 if the first item's score is above the second's by the margin.
    pub(super) strict: Vec<Strict>,
}

impl<'a> Pairs<'a> {
    /// No pairs yet.
    pub(super) fn new(space: &'a Space) -> Self {
        Pairs { space, strict: Vec::new() }
    }

    /// Adds a column that is 1 only if an item is above another by the margin.
    pub(super) fn strictly_above(
        &mut self,
        draft: &mut Draft,
        above: usize,
        below: usize,
    ) -> Count {
        let margin = self.space.margin;
        let difference = self.space.difference(above, below);
        let (min, max) = self.space.range(&difference);
        if max < margin || max <= 0.0 {
            return Count::default();
        }
        let column = draft.binary(0.0, Meaning::Above(above, below, margin));
        self.if_one(draft, column, &difference, margin, margin - min);
        self.strict.push((column, above, below));
        Count::column(column)
    }

    /// Adds a column that is 1 only if an item is above another, with a smaller gain, by the margin, and 0 only if
    /// it is above by at most a quarter of the margin; differences in between are excluded. Otherwise, of three items
    /// with close scores each could count as above the next, all of them with a good rank; two quarters of the margin
    /// are less than the whole.
    pub(super) fn exactly_above(&mut self, draft: &mut Draft, above: usize, below: usize) -> Count {
        let margin = self.space.margin;
        let known = draft.meanings.len();
        let count = self.strictly_above(draft, above, below);
        if draft.meanings.len() > known {
            let difference = self.space.difference(above, below);
            self.if_zero(draft, known, &difference, margin / 4.0);
        }
        count
    }

    /// Adds the row for: z = 0 only if w.difference <= margin.
    fn if_zero(&self, draft: &mut Draft, column: usize, difference: &[f64], margin: f64) {
        let mut terms = terms(difference, 1.0);
        terms.push((column, margin - self.space.range(difference).1));
        draft.at_most(terms, margin);
    }

    /// Adds the row for: z = 1 only if w.difference >= margin, which w misses by at most `miss`.
    fn if_one(&self, draft: &mut Draft, column: usize, difference: &[f64], margin: f64, miss: f64) {
        if miss <= 0.0 {
            return;
        }
        let mut terms = terms(difference, -1.0);
        terms.push((column, miss));
        draft.at_most(terms, miss - margin);
    }
}

/// The terms of by x w.difference; the first columns of a program are the weights.
fn terms(difference: &[f64], by: f64) -> Vec<(usize, f64)> {
    let terms = difference.iter().enumerate().filter(|(_, x)| **x != 0.0);
    terms.map(|(j, x)| (j, by * x)).collect()
}
