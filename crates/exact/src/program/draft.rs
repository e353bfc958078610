//! A program under construction, with the meaning of each column, so that weights can be completed to a
//! solution and read back from one.
//!
//! Everything about ranks is built from one element, the staircase: 0/1 columns x_1 >= x_2 >= ... that indicate
//! whether a count of other columns reaches a_1 < a_2 < ... Rudin and Wang (2018, constraint 12) require a_m x_m <=
//! count for each of them. The single row sum over m of (a_m - a_(m-1)) x_m <= count is equivalent for
//! integers and stronger in the relaxation, as it constrains all of them together.
//!
//! Example: a count of 3 with steps at 1, 2 and 5 has x = 1, 1, 0, and 1 + 1 + 0 <= 3.

use super::{Column, Program, Row};

/// The meaning of a column.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Meaning {
    /// The weight of a feature.
    Weight(usize),
    /// Whether the weight of a feature is non-zero.
    Used(usize),
    /// Whether the first item's score is above the second's by this margin.
    Above(usize, usize, f64),
    /// Whether a count, by its index, reaches a number.
    AtLeast(usize, usize),
}

/// A count as a sum of 0/1 columns: constant + sum of +-1 x column.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Count {
    pub(super) constant: f64,
    pub(super) terms: Vec<(usize, f64)>,
}

impl Count {
    /// The count of a single column.
    pub(super) fn column(column: usize) -> Count {
        Count { constant: 0.0, terms: vec![(column, 1.0)] }
    }

    /// Adds another count.
    pub(super) fn add(&mut self, other: &Count) {
        self.constant += other.constant;
        self.terms.extend(&other.terms);
    }

    /// The largest possible value.
    fn max(&self) -> f64 {
        self.constant + self.terms.iter().map(|term| term.1.max(0.0)).sum::<f64>()
    }

    /// The value for these values of the columns.
    pub(super) fn value(&self, values: &[f64]) -> f64 {
        self.constant + self.terms.iter().map(|(column, by)| by * values[*column]).sum::<f64>()
    }
}

/// A program, and the meaning of its columns.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Draft {
    pub(super) program: Program,
    pub(super) meanings: Vec<Meaning>,
    pub(super) counts: Vec<Count>,
    /// Columns with upper bounds on the value of an order if the column is 0, and if it is 1.
    pub(super) value_bounds: Vec<(usize, f64, f64)>,
}

impl Draft {
    /// Adds a column and returns its index.
    pub(super) fn column(&mut self, column: Column, meaning: Meaning) -> usize {
        self.program.columns.push(column);
        self.meanings.push(meaning);
        self.meanings.len() - 1
    }

    /// Adds a column that is 0 or 1.
    pub(super) fn binary(&mut self, objective: f64, meaning: Meaning) -> usize {
        self.column(Column { lower: 0.0, upper: 1.0, objective, integer: true }, meaning)
    }

    /// Adds a row: the sum of these terms is at most `upper`.
    pub(super) fn at_most(&mut self, terms: Vec<(usize, f64)>, upper: f64) {
        self.program.rows.push(Row { lower: f64::NEG_INFINITY, upper, terms });
    }

    /// Adds columns that indicate whether the count reaches each step, given as (number, coefficient in the objective)
    /// with increasing numbers from 1. Steps that cannot be reached are left out.
    pub(super) fn staircase(&mut self, count: Count, steps: &[(usize, f64)]) -> Vec<Step> {
        let max = count.max();
        let terms: Vec<(usize, f64)> = count.terms.iter().map(|(c, by)| (*c, -by)).collect();
        let constant = count.constant;
        self.counts.push(count);
        let index = self.counts.len() - 1;
        let (mut made, mut sum, mut last) = (Vec::new(), Vec::new(), 0);
        for &(reached, objective) in steps.iter().filter(|step| step.0 as f64 <= max) {
            let column = self.binary(objective, Meaning::AtLeast(index, reached));
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

/// A step of a staircase: the number, and the column that indicates whether it is reached.
pub(super) struct Step {
    pub(super) reached: usize,
    pub(super) column: usize,
}
