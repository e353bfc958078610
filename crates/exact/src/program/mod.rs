//! Mixed-integer linear programs as plain data.

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

/// Which of the two programs of paper 004.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Formulation {
    /// Ranks count who is strictly below. Much the smaller program, with the same best weights where no two
    /// items have the same features.
    #[default]
    Subrank,
    /// Every item has a rank of its own, ties resolved against the order.
    ResolvedRank,
}
