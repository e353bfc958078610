//! Checks of a program without solving it.

use crate::program::Program;

/// The tolerance of solutions for bounds, rows and integers: solvers' own tolerances, and rounding.
pub(super) const TOLERANCE: f64 = 1e-6;

/// The upper bound on the objective that follows from the bounds of the columns alone.
pub(super) fn box_bound(program: &Program) -> f64 {
    let best = program.columns.iter().map(|column| match column.objective {
        0.0 => 0.0,
        objective => (objective * column.lower).max(objective * column.upper),
    });
    let bound = program.constant + best.sum::<f64>();
    if bound.is_nan() { f64::INFINITY } else { bound }
}

/// The first fault of an invalid program.
pub(super) fn fault(program: &Program) -> Option<String> {
    for (at, column) in program.columns.iter().enumerate() {
        if !column.objective.is_finite() || column.lower.is_nan() || column.upper.is_nan() {
            return Some(format!(
                "column {at} of the program is {column:?}, but its objective must be finite and its bounds not NaN"
            ));
        }
    }
    let mut last_row = vec![usize::MAX; program.columns.len()];
    for (at, row) in program.rows.iter().enumerate() {
        if row.lower.is_nan() || row.upper.is_nan() {
            return Some(format!(
                "row {at} of the program has the bounds {} and {}",
                row.lower, row.upper
            ));
        }
        for (column, factor) in &row.terms {
            let seen = last_row.get_mut(*column).map(|last| std::mem::replace(last, at));
            if !factor.is_finite() || seen.is_none_or(|last| last == at) {
                return Some(format!(
                    "row {at} of the program has the term {factor} x column {column}; coefficients must be finite, \
                     columns below {} and at most once in a row",
                    program.columns.len()
                ));
            }
        }
    }
    None
}
