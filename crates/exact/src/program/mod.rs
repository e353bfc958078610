//! Mixed-integer linear programs as plain data, and those of paper 004 (SPEC section 4) for a problem.
//!
//! - [`Program`], [`Column`], [`Row`]: what solvers get. [`build`] makes one, [`Built`] completes weights to
//!   a solution of it and reads weights back; [`by_program`] does all that is needed for an answer.
//! - `space`: weights. `pairs`: who is above whom. `ranks`, `levels`: what places are worth. `draft`: what all
//!   of them write to. `centre`: weights with room around them. `ideal`: what better weights cannot do. `cuts`: orders that no weights can produce.

mod built;
mod by_program;
mod centre;
mod cuts;
mod draft;
mod ideal;
mod levels;
mod pairs;
mod ranks;
mod run;
mod space;

pub use built::{Built, build};
pub use by_program::{by_program, honest};

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// It is no less than this; may be minus infinity.
    pub lower: f64,
    /// It is no more than this; may be infinity.
    pub upper: f64,
    /// What a unit of it adds to the objective.
    pub objective: f64,
    /// Whether it is a whole number.
    pub integer: bool,
}

/// A condition: lower <= sum of coefficient x column <= upper.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// May be minus infinity.
    pub lower: f64,
    /// May be infinity.
    pub upper: f64,
    /// Columns with their coefficients, each column once.
    pub terms: Vec<(usize, f64)>,
}

/// What is to be maximised, and what must hold.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// The variables.
    pub columns: Vec<Column>,
    /// The conditions.
    pub rows: Vec<Row>,
    /// Added to the objective.
    pub constant: f64,
}

impl Program {
    /// Whether these values are a solution, but for so small a violation of rows and bounds.
    pub fn admits(&self, values: &[f64], tolerance: f64) -> bool {
        let within = |value: f64, lower: f64, upper: f64| {
            value >= lower - tolerance && value <= upper + tolerance
        };
        let column = |(column, value): (&Column, &f64)| {
            let whole = !column.integer || (value - value.round()).abs() <= tolerance;
            whole && within(*value, column.lower, column.upper)
        };
        let row = |row: &Row| {
            let sum = row.terms.iter().map(|(column, by)| by * values[*column]).sum();
            within(sum, row.lower, row.upper)
        };
        values.len() == self.columns.len()
            && self.columns.iter().zip(values).all(column)
            && self.rows.iter().all(row)
    }

    /// What these values are worth.
    pub fn objective(&self, values: &[f64]) -> f64 {
        let columns = self.columns.iter().zip(values);
        self.constant + columns.map(|(column, value)| column.objective * value).sum::<f64>()
    }
}

/// Which program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulation {
    /// Paper 004: ranks count who is strictly below. The same best weights as ResolvedRank where no two
    /// items have the same features and all weights are free.
    Subrank,
    /// Paper 004: every item has a rank of its own, ties resolved against the order.
    ResolvedRank,
    /// ResolvedRank again, by the places that all items of at least some gain have together: much the
    /// strongest where few gains differ, as with labels of 0 and 1.
    #[default]
    Levels,
}

impl Formulation {
    /// What suits a problem: Levels unless gains are so many that ResolvedRank is much the smaller.
    pub fn fitting(problem: &crate::Problem) -> Formulation {
        let columns = |list: usize| {
            let gains = &problem.sum().gains[problem.list(list)];
            let cutoff = problem.sum().discounts[list].len();
            let level = |level: &f64| {
                let good = gains.iter().filter(|gain| *gain >= level).count();
                (gains.len() - good) * good.min(cutoff) + good.min(cutoff) * cutoff.min(gains.len())
            };
            let by_levels: usize = levels::levels(problem, list).iter().map(level).sum();
            let good = gains.iter().filter(|gain| **gain > 0.0).count();
            (by_levels, good * (gains.len() + cutoff))
        };
        let lists = (0..problem.lists()).map(columns);
        let (levels, ranks) = lists.fold((0, 0), |sum, list| (sum.0 + list.0, sum.1 + list.1));
        if levels <= 3 * ranks { Formulation::Levels } else { Formulation::ResolvedRank }
    }
}
