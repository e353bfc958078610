//! A program in the making: columns that remember what they mean, so that weights can be completed to a
//! whole solution and read back from one.
//!
//! Everything about ranks is made of one piece, the staircase: 0/1 columns x_1 >= x_2 >= ... that say
//! whether a count of other columns reaches a_1 < a_2 < ... The paper asks a_m x_m <= count for each of
//! them; the one row sum over m of (a_m - a_(m-1)) x_m <= count says the same of whole numbers and is
//! sharper for parts, for it holds all of them together.
//!
//! Example: a count of 3 with steps at 1, 2 and 5 has x = 1, 1, 0, and 1 + 1 + 0 <= 3.

use super::{Column, Program, Row};

/// What a column stands for.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// The weight of a feature.
    Weight(usize),
    /// Whether the weight of a feature differs from 0.
    Used(usize),
    /// Whether an item's score is above another's by so much.
    Above(usize, usize, f64),
    /// Whether a count is so large.
    AtLeast(usize, usize),
}

/// A number that is a sum of 0/1 columns: constant + sum of +-1 x column.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Count {
    pub(super) constant: f64,
    pub(super) terms: Vec<(usize, f64)>,
}

impl Count {
    /// One where a column is 1.
    pub(super) fn column(column: usize) -> Count {
        Count { constant: 0.0, terms: vec![(column, 1.0)] }
    }

    /// One more that is counted.
    pub(super) fn add(&mut self, one: &Count) {
        self.constant += one.constant;
        self.terms.extend(&one.terms);
    }

    /// The largest it can be.
    fn most(&self) -> f64 {
        self.constant + self.terms.iter().map(|term| term.1.max(0.0)).sum::<f64>()
    }

    /// What it is for these values of the columns.
    pub(super) fn of(&self, values: &[f64]) -> f64 {
        self.constant + self.terms.iter().map(|(column, by)| by * values[*column]).sum::<f64>()
    }
}

/// A program, and what its columns mean.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Draft {
    pub(super) program: Program,
    pub(super) meanings: Vec<Meaning>,
    pub(super) counts: Vec<Count>,
    /// What an order is worth at best if a column is 0, and if it is 1.
    pub(super) promises: Vec<(usize, f64, f64)>,
}

impl Draft {
    /// A new column.
    pub(super) fn column(&mut self, column: Column, meaning: Meaning) -> usize {
        self.program.columns.push(column);
        self.meanings.push(meaning);
        self.meanings.len() - 1
    }

    /// A new column that is 0 or 1.
    pub(super) fn binary(&mut self, objective: f64, meaning: Meaning) -> usize {
        self.column(Column { lower: 0.0, upper: 1.0, objective, integer: true }, meaning)
    }

    /// A new condition: the sum is no more than this.
    pub(super) fn at_most(&mut self, terms: Vec<(usize, f64)>, upper: f64) {
        self.program.rows.push(Row { lower: f64::NEG_INFINITY, upper, terms });
    }

    /// Columns that say whether the count reaches each step (number, what reaching it adds to the
    /// objective), numbers rising from 1. Steps that cannot be reached are left out.
    pub(super) fn staircase(&mut self, count: Count, steps: &[(usize, f64)]) -> Vec<Step> {
        let most = count.most();
        let terms: Vec<(usize, f64)> = count.terms.iter().map(|(c, by)| (*c, -by)).collect();
        let constant = count.constant;
        self.counts.push(count);
        let number = self.counts.len() - 1;
        let (mut made, mut sum, mut last) = (Vec::new(), Vec::new(), 0);
        for &(reached, objective) in steps.iter().filter(|step| step.0 as f64 <= most) {
            let column = self.binary(objective, Meaning::AtLeast(number, reached));
            if let Some(&(before, _)) = sum.last() {
                self.at_most(vec![(column, 1.0), (before, -1.0)], 0.0);
            }
            sum.push((column, (reached - last) as f64));
            last = reached;
            made.push(Step { reached, column });
        }
        if !sum.is_empty() {
            sum.extend(terms);
            self.at_most(sum, constant);
        }
        made
    }
}

/// A step of a staircase: the number, and the column that says whether it is reached.
pub(super) struct Step {
    pub(super) reached: usize,
    pub(super) column: usize,
}
