//! What can be said of a program, and of values of its columns, without solving it.

use crate::program::Program;

/// By how much values may miss bounds, rows and whole numbers and still be called possible: what solvers allow
/// themselves, and what rounding needs.
const TOLERANCE: f64 = 1e-6;

/// What values are worth.
pub(super) fn worth(program: &Program, values: &[f64]) -> f64 {
    let columns = program.columns.iter().zip(values);
    program.constant + columns.map(|(column, value)| column.objective * value).sum::<f64>()
}

/// Whether values are as the program demands, but for the tolerance.
pub(super) fn possible(program: &Program, values: &[f64]) -> bool {
    let within = |value: f64, lower: f64, upper: f64| {
        value >= lower - TOLERANCE && value <= upper + TOLERANCE
    };
    let columns = program.columns.iter().zip(values).all(|(column, value)| {
        let whole = !column.integer || (value - value.round()).abs() <= TOLERANCE;
        whole && within(*value, column.lower, column.upper)
    });
    values.len() == program.columns.len()
        && columns
        && program.rows.iter().all(|row| {
            let sum = row.terms.iter().map(|(column, factor)| factor * values[*column]).sum();
            within(sum, row.lower, row.upper)
        })
}

/// No values within the bounds of the columns are worth more, whatever the rows say.
pub(super) fn box_bound(program: &Program) -> f64 {
    let best = program.columns.iter().map(|column| match column.objective {
        0.0 => 0.0,
        objective => (objective * column.lower).max(objective * column.upper),
    });
    let bound = program.constant + best.sum::<f64>();
    if bound.is_nan() { f64::INFINITY } else { bound }
}

/// What makes no sense in a program.
pub(super) fn fault(program: &Program) -> Option<String> {
    for (at, column) in program.columns.iter().enumerate() {
        if !column.objective.is_finite() || column.lower.is_nan() || column.upper.is_nan() {
            return Some(format!("column {at} of the program is {column:?}"));
        }
    }
    let mut last_row = vec![usize::MAX; program.columns.len()];
    for (at, row) in program.rows.iter().enumerate() {
        if row.lower.is_nan() || row.upper.is_nan() {
            return Some(format!("row {at} of the program is from {} to {}", row.lower, row.upper));
        }
        for (column, factor) in &row.terms {
            let seen = last_row.get_mut(*column).map(|last| std::mem::replace(last, at));
            if !factor.is_finite() || seen.is_none_or(|last| last == at) {
                return Some(format!(
                    "row {at} of the program has {factor} x column {column}, of {} columns, each at most once",
                    program.columns.len()
                ));
            }
        }
    }
    None
}
