//! Findings: single results of an inspection that a user should look at.

use serde::Serialize;

/// The severity of a finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Figures may be misleading until it is resolved.
    Warning,
    /// For information.
    Note,
}

/// The kind of a finding. The names are stable, so scripts can rely on them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Every cost is 0, or all costs are equal within each list.
    NothingToOrder,
    /// One list has most of the cost.
    OneListDominates,
    /// Too few lists for intervals and tests.
    FewLists,
    /// Lists of one item.
    ListsOfOne,
    /// Lists in which every cost is 0.
    ListsWithoutCost,
    /// Nearly every item has a cost: those without one seem to be absent.
    NoZeros,
    /// A column ranks the cost almost perfectly.
    Leak,
    /// A single column is nearly as good as the ideal order, without being a copy of the cost.
    StrongColumn,
    /// Missing values of a column indicate a low or a high cost.
    MissingTells,
    /// A column looks like an outcome by its name.
    OutcomeColumn,
    /// The rows of lists are sorted by cost.
    SortedRows,
    /// A column looks like an id or a row number.
    IdColumn,
    /// A column looks like a date.
    DateColumn,
    /// Columns with one value in all rows.
    ConstantColumns,
    /// Columns with one value in all rows of every list.
    ConstantInLists,
    /// Columns with many missing values.
    MissingValues,
    /// Columns with the same values as another column.
    SameColumns,
    /// Rows with the same features as another row of their list.
    SameRows,
    /// Numeric columns with few different values.
    FewValues,
    /// Integers that 32-bit floats cannot represent.
    RoundedColumns,
    /// There are no features.
    NoFeatures,
}

/// A finding.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// The severity.
    pub severity: Severity,
    /// The kind.
    pub kind: FindingKind,
    /// The columns concerned, if any.
    pub columns: Vec<String>,
    /// The lists concerned, if any.
    pub lists: Vec<String>,
    /// What was found, in one sentence.
    pub what: String,
    /// Why it matters.
    pub why: String,
    /// What can be done about it.
    pub remedy: String,
}

impl Finding {
    pub(super) fn new(severity: Severity, kind: FindingKind, what: impl Into<String>) -> Self {
        Finding {
            severity,
            kind,
            columns: Vec::new(),
            lists: Vec::new(),
            what: what.into(),
            why: String::new(),
            remedy: String::new(),
        }
    }

    pub(super) fn columns<S: Into<String>>(mut self, names: impl IntoIterator<Item = S>) -> Self {
        self.columns = names.into_iter().map(Into::into).collect();
        self
    }

    pub(super) fn why(mut self, why: impl Into<String>) -> Self {
        self.why = why.into();
        self
    }

    pub(super) fn remedy(mut self, remedy: impl Into<String>) -> Self {
        self.remedy = remedy.into();
        self
    }
}
