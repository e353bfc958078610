//! Which of two items is above the other: a 0/1 column z with z = 1 only if w.(x_i - x_k) >= margin.
//!
//! Written as M z - w.(x_i - x_k) <= M - margin, where M is the most by which any allowed w can miss the
//! margin: the least M that forbids no w where z = 0. The paper's z <= w.(x_i - x_k) + 1 - eps has M = 1
//! for all pairs and forbids score differences below -(1 - eps).
//!
//! Where no allowed w reaches the margin there is no column: equal rows (even if there is no margin because
//! no feature ever changes), and rows whose every difference
//! goes the way that the signs forbid.

use super::draft::{Count, Draft, Meaning};
use super::space::Space;

/// A column z that says who is strictly above whom: (column, above, below).
pub(super) type Strict = (usize, usize, usize);

/// Columns of pairs, made as they are asked for.
pub(super) struct Pairs<'a> {
    space: &'a Space,
    /// All columns that can only be 1 if the first item's score is above the second's by the margin.
    pub(super) strict: Vec<Strict>,
}

impl<'a> Pairs<'a> {
    /// None yet.
    pub(super) fn new(space: &'a Space) -> Self {
        Pairs { space, strict: Vec::new() }
    }

    /// A new column that is 1 only if an item is above another by the margin.
    pub(super) fn strictly(&mut self, draft: &mut Draft, above: usize, below: usize) -> Count {
        let margin = self.space.margin;
        let difference = self.space.difference(above, below);
        let (least, most) = self.space.reach(&difference);
        if most < margin || most <= 0.0 {
            return Count::default();
        }
        let column = draft.binary(0.0, Meaning::Above(above, below, margin));
        self.if_one(draft, column, &difference, margin, margin - least);
        self.strict.push((column, above, below));
        Count::column(column)
    }

    /// A new column that is 1 only if an item is above another, of lesser worth, by the margin, and 0 only if
    /// not even by a quarter of it: what is between is forbidden. Without that, of three items near each
    /// other each could be held to be above the next, all of them with a good rank: two steps of a quarter
    /// are less than one of the whole.
    pub(super) fn exactly(&mut self, draft: &mut Draft, above: usize, below: usize) -> Count {
        let margin = self.space.margin;
        let known = draft.meanings.len();
        let count = self.strictly(draft, above, below);
        if draft.meanings.len() > known {
            let difference = self.space.difference(above, below);
            self.if_zero(draft, known, &difference, margin / 4.0);
        }
        count
    }

    /// z = 0 only if w.difference <= margin.
    fn if_zero(&self, draft: &mut Draft, column: usize, difference: &[f64], margin: f64) {
        let mut terms = terms(difference, 1.0);
        terms.push((column, margin - self.space.reach(difference).1));
        draft.at_most(terms, margin);
    }

    /// z = 1 only if w.difference >= margin, which w misses by `miss` at most.
    fn if_one(&self, draft: &mut Draft, column: usize, difference: &[f64], margin: f64, miss: f64) {
        if miss <= 0.0 {
            return;
        }
        let mut terms = terms(difference, -1.0);
        terms.push((column, miss));
        draft.at_most(terms, miss - margin);
    }
}

/// by x w.difference; the first columns of a program are its weights.
fn terms(difference: &[f64], by: f64) -> Vec<(usize, f64)> {
    let terms = difference.iter().enumerate().filter(|(_, x)| **x != 0.0);
    terms.map(|(j, x)| (j, by * x)).collect()
}
