//! Columns that are useless, or may not be what they seem.

use super::super::{ColumnFacts, ColumnKind, Finding, FindingKind, Inspection, Severity, Varies};
use super::{listed, percent};
use stakes_core::display::counted;

/// Columns with a larger share of missing values are reported.
const MANY_MISSING: f64 = 0.2;
/// Numeric columns with at most this many values may be codes.
const FEW_VALUES: usize = 10;
/// A larger share of repeated rows is a warning.
const MANY_REPEATS: f64 = 0.25;

pub(super) fn run(inspection: &Inspection) -> Vec<Finding> {
    if inspection.columns.is_empty() {
        return vec![
            Finding::new(Severity::Warning, FindingKind::NoFeatures, "There are no features.")
                .why("Items cannot be distinguished.")
                .remedy("Name the feature columns, or check which columns were left out."),
        ];
    }
    let found = [
        rounded(inspection),
        constant(inspection),
        in_lists(inspection),
        missing(inspection),
        same(inspection),
        rows(inspection),
        few_values(inspection),
    ];
    found.into_iter().flatten().collect()
}

fn named(inspection: &Inspection, wanted: impl Fn(&ColumnFacts) -> bool) -> Vec<String> {
    inspection.columns.iter().filter(|c| wanted(c)).map(|c| c.name.clone()).collect()
}

fn rounded(inspection: &Inspection) -> Option<Finding> {
    let names = inspection.rounded_columns.clone();
    let holds = match names.len() {
        0 => return None,
        1 => "holds",
        _ => "hold",
    };
    let columns = counted(names.len(), "column");
    let what = format!("{columns} {holds} integers above 16,777,216, which are rounded.");
    let remedy = format!(
        "If they are amounts, nothing. An id or a time should have its role; otherwise leave out {}.",
        listed(&names)
    );
    Some(
        Finding::new(Severity::Note, FindingKind::RoundedColumns, what)
            .columns(names)
            .why("Harmless for amounts, not for ids: different ids may become equal.")
            .remedy(remedy),
    )
}

fn constant(inspection: &Inspection) -> Option<Finding> {
    let names = named(inspection, |c| c.varies == Varies::Never);
    let (have, are) = match names.len() {
        0 => return None,
        1 => ("has", "It is"),
        _ => ("have", "They are"),
    };
    let what = format!("{} {have} the same value in every row.", counted(names.len(), "column"));
    let remedy = format!("Leave out {}.", listed(&names));
    Some(
        Finding::new(Severity::Note, FindingKind::ConstantColumns, what)
            .columns(names)
            .why(format!("{are} useless for any model."))
            .remedy(remedy),
    )
}

fn in_lists(inspection: &Inspection) -> Option<Finding> {
    if inspection.lists.count == inspection.lists.of_one || inspection.lists.count == 1 {
        return None;
    }
    let names = named(inspection, |c| c.varies == Varies::BetweenLists);
    let differ = match names.len() {
        0 => return None,
        1 => "differs",
        _ => "differ",
    };
    let columns = counted(names.len(), "column");
    let what = format!("{columns} {differ} only between lists, never within one.");
    let remedy = format!("Keep for trees; for linear models leave out {}.", listed(&names));
    Some(
        Finding::new(Severity::Note, FindingKind::ConstantInLists, what)
            .columns(names)
            .why(
                "Items are compared within their list, so such a column cannot order them on its \
                 own. Trees can combine it with other columns; a linear score cannot.",
            )
            .remedy(remedy),
    )
}

fn missing(inspection: &Inspection) -> Option<Finding> {
    let many = |c: &&ColumnFacts| c.missing_share > MANY_MISSING && c.varies != Varies::Never;
    let mut columns: Vec<&ColumnFacts> = inspection.columns.iter().filter(many).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.missing));
    let worst = columns.first()?;
    let lack = if columns.len() == 1 { "lacks" } else { "lack" };
    let (columns_text, limit) = (counted(columns.len(), "column"), percent(MANY_MISSING));
    let most = percent(worst.missing_share);
    let what = format!(
        "{columns_text} {lack} more than {limit} of the values, up to {most} ({}).",
        worst.name
    );
    Some(
        Finding::new(Severity::Note, FindingKind::MissingValues, what)
            .columns(columns.iter().map(|c| &c.name))
            .why(
                "Trees send missing values to the better side; other models replace them by the \
                 mean.",
            )
            .remedy("Find out why they are missing, and whether they will be missing in new data."),
    )
}

fn same(inspection: &Inspection) -> Option<Finding> {
    let spare: Vec<String> =
        inspection.same_columns.iter().flat_map(|group| group[1..].iter().cloned()).collect();
    let first = inspection.same_columns.first()?;
    let repeats = if spare.len() == 1 { "repeats" } else { "repeat" };
    let what = format!(
        "{} {repeats} another in every row, such as {} and {}.",
        counted(spare.len(), "column"),
        first[0],
        first[1]
    );
    let remedy = format!("Keep one of each: leave out {}.", listed(&spare));
    Some(
        Finding::new(Severity::Note, FindingKind::SameColumns, what)
            .columns(spare)
            .why("Importances are split between them, and linear weights are not determined.")
            .remedy(remedy),
    )
}

fn rows(inspection: &Inspection) -> Option<Finding> {
    let repeats = &inspection.repeated_rows;
    let example = repeats.example.as_ref()?;
    let share = repeats.rows as f64 / inspection.data.rows as f64;
    let severity = if share > MANY_REPEATS { Severity::Warning } else { Severity::Note };
    let verb = if repeats.rows == 1 { "has" } else { "have" };
    let mut what = format!(
        "{} ({}) {verb} the same features as an earlier row of the list, such as {example}.",
        counted(repeats.rows, "row"),
        percent(share)
    );
    if repeats.with_other_cost > 0 {
        what.push_str(&format!(" {} of them have another cost.", repeats.with_other_cost));
    }
    Some(
        Finding::new(severity, FindingKind::SameRows, what)
            .why("No model can distinguish them: their scores are tied.")
            .remedy(
                "If an item occurs twice, keep one row; otherwise a column that distinguishes them is missing.",
            ),
    )
}

fn few_values(inspection: &Inspection) -> Option<Finding> {
    let few = |c: &ColumnFacts| {
        c.kind == ColumnKind::Numeric && c.whole && (3..=FEW_VALUES).contains(&c.distinct)
    };
    let names = named(inspection, few);
    if names.is_empty() || inspection.data.rows < 10 * FEW_VALUES {
        return None;
    }
    let verb = if names.len() == 1 { "takes" } else { "take" };
    let columns = counted(names.len(), "numeric column");
    let what = format!("{columns} {verb} 3 to {FEW_VALUES} different integers.");
    Some(
        Finding::new(Severity::Note, FindingKind::FewValues, what)
            .columns(names)
            .why("If these are codes and not amounts, their order means nothing.")
            .remedy("If they are counts or grades, nothing; codes should be read as categories."),
    )
}
