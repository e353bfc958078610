//! What the inspection has to say, one thing at a time.

use serde::Serialize;

/// How much a finding matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Severity {
    /// Figures may mislead until it is looked at.
    Warning,
    /// Good to know.
    Note,
}

/// What kind of thing was found. The names are stable, for scripts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum FindingKind {
    /// Every cost is 0, or all costs are equal within each list.
    NothingToOrder,
    /// One list holds most of the cost.
    OneListDominates,
    /// Too few lists to say how sure a figure is.
    FewLists,
    /// Lists of one item.
    ListsOfOne,
    /// Lists in which every cost is 0.
    ListsWithoutCost,
    /// A column orders the cost almost perfectly.
    Leak,
    /// A column alone is nearly as good as the ideal order, without being a copy of the cost.
    StrongColumn,
    /// A column's values are missing where the cost is low or high.
    MissingTells,
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
    /// Columns with the same values as another.
    SameColumns,
    /// Rows of a list with the same features as another.
    SameRows,
    /// Numeric columns with few different values.
    FewValues,
    /// Whole numbers that do not fit 32 bits.
    RoundedColumns,
    /// There are no features.
    NoFeatures,
}

/// One thing that was found.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Finding {
    /// How much it matters.
    pub severity: Severity,
    /// What kind of thing it is.
    pub kind: FindingKind,
    /// The columns it is about, if it is about columns.
    pub columns: Vec<String>,
    /// The lists it is about, if it is about some lists.
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
