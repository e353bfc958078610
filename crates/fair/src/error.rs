//! Why an audit cannot be made.

use stakes_core::display::counted;

/// Why an audit cannot be made.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[allow(missing_docs)] // The messages say it.
#[non_exhaustive]
pub enum AuditError {
    #[error("the offsets of the lists must rise from 0 to {items}, the number of items")]
    Offsets { items: usize },
    #[error("{what}: {met} values for {}", counted(*items, "item"))]
    Length { what: &'static str, met: usize, items: usize },
    #[error(
        "the {what} of item {item} is {value}; it must be a finite number{}",
        if *positive { " of at least 0" } else { "" }
    )]
    Value { what: &'static str, item: usize, value: f64, positive: bool },
    #[error("there is no group column; name at least one")]
    NoColumn,
    #[error("the group column `{column}` is given twice")]
    ColumnTwice { column: String },
    #[error("{columns} group columns: at most {max} can be combined")]
    ManyColumns { columns: usize, max: usize },
    #[error(
        "all {} have the same value in `{column}`: `{value}`; a group can only be compared with others",
        counted(*items, "item")
    )]
    OneGroup { column: String, value: String, items: usize },
    #[error("no item has the value `{value}` in {columns}; {hint}")]
    UnknownGroup { value: String, columns: String, hint: String },
    #[error(
        "the group `{group}` of `{column}` has one member; one item says nothing of a group, it needs at \
         least 2"
    )]
    OneMember { column: String, group: String },
    #[error("no list has both members of `{group}` and others, so there is nothing to compare")]
    Apart { group: String },
    #[error(
        "`{column}` has {groups} values in {}: it looks like a measurement, not like groups; make classes \
         of it first (such as under 30, 30 to 50, above 50)",
        counted(*items, "item")
    )]
    Continuous { column: String, groups: usize, items: usize },
    #[error(
        "`{column}` has {groups} values, and at most {max} groups are compared in turn; name the one to look \
         at, or make larger groups of them"
    )]
    ManyGroups { column: String, groups: usize, max: usize },
    #[error("every group of {columns} has fewer than 2 members; there is nothing to compare")]
    SmallGroups { columns: String },
    #[error("there is no measure `{name}`; {hint}")]
    UnknownMeasure { name: String, hint: String },
    #[error("`{name}` needs a cut-off: {name}@10")]
    NoCutoff { name: String },
    #[error("`{name}` has no cut-off; write it without @")]
    Cutoff { name: String },
    #[error("the cut-off of `{text}` must be a whole number above 0")]
    BadCutoff { text: String },
    #[error("the measure `{name}` is given twice")]
    MeasureTwice { name: String },
    #[error("`{name}` needs {needs}")]
    Needs { name: String, needs: &'static str },
    #[error("{what} is {met}; allowed are {low} to {high}")]
    Option { what: &'static str, met: f64, low: f64, high: f64 },
}
