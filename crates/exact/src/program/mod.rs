//! Mixed-integer linear programs as plain data, and the programs of Rudin and Wang (2018, section 4) for a problem.
//!
//! - [`Program`], [`Column`], [`Row`]: the input of solvers. [`build`] makes the program of a problem, [`BuiltProgram`]
//!   completes weights to a solution of it and reads weights back, [`solve_program`] does all of it and solves.
//! - `space`: columns for the weights. `pairs`: columns for the order of two items. `ranks`, `levels`: columns for
//!   ranks. `draft`: the program under construction. `centre`: weights with large score differences. `ideal`:
//!   columns that a known value fixes. `cuts`: rows against orders that no weights produce. `run`: the solution.

mod built;
mod centre;
mod cuts;
mod draft;
mod ideal;
mod levels;
mod pairs;
mod ranks;
mod run;
mod solve;
mod space;

pub use built::{BuiltProgram, build};
pub use solve::{solve_program, valid_formulation};

/// A variable.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Column {
    /// The lower bound; may be minus infinity.
    pub lower: f64,
    /// The upper bound; may be infinity.
    pub upper: f64,
    /// The coefficient in the objective.
    pub objective: f64,
    /// Whether it must be an integer.
    pub integer: bool,
}

/// A constraint: lower <= sum of coefficient x column <= upper.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    /// The lower bound; may be minus infinity.
    pub lower: f64,
    /// The upper bound; may be infinity.
    pub upper: f64,
    /// Columns with their coefficients, each column at most once.
    pub terms: Vec<(usize, f64)>,
}

/// A mixed-integer linear program, to be maximised.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Program {
    /// The variables.
    pub columns: Vec<Column>,
    /// The constraints.
    pub rows: Vec<Row>,
    /// The constant term of the objective.
    pub constant: f64,
}

impl Program {
    /// Whether these values satisfy all bounds, rows and integrality conditions up to the tolerance.
    pub fn admits(&self, values: &[f64], tolerance: f64) -> bool {
        let within = |value: f64, lower: f64, upper: f64| {
            value >= lower - tolerance && value <= upper + tolerance
        };
        let column = |(column, value): (&Column, &f64)| {
            let integral = !column.integer || (value - value.round()).abs() <= tolerance;
            integral && within(*value, column.lower, column.upper)
        };
        let row = |row: &Row| {
            let sum = row.terms.iter().map(|(column, by)| by * values[*column]).sum();
            within(sum, row.lower, row.upper)
        };
        values.len() == self.columns.len()
            && self.columns.iter().zip(values).all(column)
            && self.rows.iter().all(row)
    }

    /// The objective of these values.
    pub fn objective(&self, values: &[f64]) -> f64 {
        let columns = self.columns.iter().zip(values);
        self.constant + columns.map(|(column, value)| column.objective * value).sum::<f64>()
    }
}

/// The formulations of a ranking problem as a program.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulation {
    /// Subrank (Rudin and Wang 2018, sections 3.2 and 5): an item's rank is the number of items strictly below it. It
    /// has the same best weights as ResolvedRank if no two items have the same features and all weights are free.
    Subrank,
    /// ResolvedRank (Rudin and Wang 2018, section 4): all items have different ranks, with ties resolved against the
    /// order.
    ResolvedRank,
    /// ResolvedRank in terms of the set of ranks that all items with at least some gain have together: by far the
    /// strongest formulation if there are few different gains, as with labels 0 and 1.
    #[default]
    Levels,
}

impl Formulation {
    /// The name of the formulation.
    pub fn name(self) -> &'static str {
        match self {
            Formulation::Subrank => "subrank",
            Formulation::ResolvedRank => "resolved",
            Formulation::Levels => "levels",
        }
    }

    /// The formulation that suits a problem: Levels, unless there are so many different gains that ResolvedRank is much
    /// smaller.
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
