//! Columns that cannot help, or might not be what they seem.

use super::super::{ColumnFacts, Finding, FindingKind, Inspection, Kind, Severity, Varies};
use super::{drop_option, percent};
use stakes_core::display::counted;

/// A column is worth a word if more than this share of it is missing.
const MUCH_MISSING: f64 = 0.2;
/// Numeric columns of at most this many values may be codes.
const FEW_VALUES: usize = 10;
/// Rows that repeat others are a warning above this share.
const MANY_REPEATS: f64 = 0.25;

pub(super) fn judge(seen: &Inspection) -> Vec<Finding> {
    if seen.columns.is_empty() {
        return vec![
            Finding::new(Severity::Warning, FindingKind::NoFeatures, "There are no features.")
                .why("Nothing tells items apart.")
                .remedy("Name the feature columns, or check which columns were left out."),
        ];
    }
    let found = [
        rounded(seen),
        constant(seen),
        in_lists(seen),
        missing(seen),
        same(seen),
        rows(seen),
        few_values(seen),
    ];
    found.into_iter().flatten().collect()
}

fn named(seen: &Inspection, wanted: impl Fn(&ColumnFacts) -> bool) -> Vec<String> {
    seen.columns.iter().filter(|c| wanted(c)).map(|c| c.name.clone()).collect()
}

fn rounded(seen: &Inspection) -> Option<Finding> {
    let names = seen.rounded_columns.clone();
    let hold = match names.len() {
        0 => return None,
        1 => "holds",
        _ => "hold",
    };
    let columns = counted(names.len(), "column");
    let what = format!("{columns} {hold} whole numbers that a 32-bit feature rounds.");
    let drop = drop_option(&names);
    Some(
        Finding::new(Severity::Note, FindingKind::RoundedColumns, what)
            .columns(names)
            .why(
                "Beyond 16,777,216 neighbours become equal, and what is said of such a column \
                 may be untrue.",
            )
            .remedy(format!("Amounts are fine. Name an id or a time (--id, --time), or {drop}.")),
    )
}

fn constant(seen: &Inspection) -> Option<Finding> {
    let names = named(seen, |c| c.varies == Varies::Never);
    let (have, are) = match names.len() {
        0 => return None,
        1 => ("has", "It is"),
        _ => ("have", "They are"),
    };
    let what = format!("{} {have} the same value in every row.", counted(names.len(), "column"));
    let remedy = format!("Leave out ({}).", drop_option(&names));
    Some(
        Finding::new(Severity::Note, FindingKind::ConstantColumns, what)
            .columns(names)
            .why(format!("{are} of no use to any model."))
            .remedy(remedy),
    )
}

fn in_lists(seen: &Inspection) -> Option<Finding> {
    if seen.lists.count == seen.lists.of_one || seen.lists.count == 1 {
        return None;
    }
    let names = named(seen, |c| c.varies == Varies::BetweenLists);
    let differ = match names.len() {
        0 => return None,
        1 => "differs",
        _ => "differ",
    };
    let columns = counted(names.len(), "column");
    let what = format!("{columns} {differ} only from list to list, never within one.");
    let remedy = format!("Keep for trees; leave out for linear models ({}).", drop_option(&names));
    Some(
        Finding::new(Severity::Note, FindingKind::ConstantInLists, what)
            .columns(names)
            .why(
                "Items are compared within their list, so such a column orders nothing by \
                 itself. Trees can use it to choose between other columns; a linear score cannot.",
            )
            .remedy(remedy),
    )
}

fn missing(seen: &Inspection) -> Option<Finding> {
    let much = |c: &&ColumnFacts| c.missing_share > MUCH_MISSING && c.varies != Varies::Never;
    let mut columns: Vec<&ColumnFacts> = seen.columns.iter().filter(much).collect();
    columns.sort_by_key(|column| std::cmp::Reverse(column.missing));
    let worst = columns.first()?;
    let lack = if columns.len() == 1 { "lacks" } else { "lack" };
    let (columns_text, limit) = (counted(columns.len(), "column"), percent(MUCH_MISSING));
    let most = percent(worst.missing_share);
    let what = format!(
        "{columns_text} {lack} more than {limit} of the values, at worst {most} ({}).",
        worst.name
    );
    Some(
        Finding::new(Severity::Note, FindingKind::MissingValues, what)
            .columns(columns.iter().map(|c| &c.name))
            .why(
                "Trees send missing values to the better side; other models need a value put in \
                 their place.",
            )
            .remedy("Find out why they are missing, and whether they will be when it counts."),
    )
}

fn same(seen: &Inspection) -> Option<Finding> {
    let spare: Vec<String> =
        seen.same_columns.iter().flat_map(|group| group[1..].iter().cloned()).collect();
    let first = seen.same_columns.first()?;
    let repeat = if spare.len() == 1 { "repeats" } else { "repeat" };
    let what = format!(
        "{} {repeat} another in every row, such as {} and {}.",
        counted(spare.len(), "column"),
        first[0],
        first[1]
    );
    let remedy = format!("Keep one of each ({}).", drop_option(&spare));
    Some(
        Finding::new(Severity::Note, FindingKind::SameColumns, what)
            .columns(spare)
            .why("Importances are split between them, and linear weights are not determined.")
            .remedy(remedy),
    )
}

fn rows(seen: &Inspection) -> Option<Finding> {
    let repeats = &seen.repeated_rows;
    let example = repeats.example.as_ref()?;
    let share = repeats.rows as f64 / seen.data.rows as f64;
    let severity = if share > MANY_REPEATS { Severity::Warning } else { Severity::Note };
    let verb = if repeats.rows == 1 { "has" } else { "have" };
    let mut what = format!(
        "{} ({}) {verb} the same features as an earlier row of the list, such as {example}.",
        counted(repeats.rows, "row"),
        percent(share)
    );
    if repeats.with_other_cost > 0 {
        what.push_str(&format!(" {} of them at another cost.", repeats.with_other_cost));
    }
    Some(
        Finding::new(severity, FindingKind::SameRows, what)
            .why("No model can tell them apart: they tie, whatever is learnt.")
            .remedy(
                "If it is one item twice, keep one; otherwise a column that differs is missing.",
            ),
    )
}

fn few_values(seen: &Inspection) -> Option<Finding> {
    let few = |c: &ColumnFacts| {
        c.kind == Kind::Numeric && c.whole && (3..=FEW_VALUES).contains(&c.distinct)
    };
    let names = named(seen, few);
    if names.is_empty() || seen.data.rows < 10 * FEW_VALUES {
        return None;
    }
    let verb = if names.len() == 1 { "takes" } else { "take" };
    let columns = counted(names.len(), "numeric column");
    let what = format!("{columns} {verb} 3 to {FEW_VALUES} different whole numbers.");
    Some(
        Finding::new(Severity::Note, FindingKind::FewValues, what)
            .columns(names)
            .why("If these are codes and not amounts, their order means nothing.")
            .remedy("Nothing if they are counts or grades; codes are better read as names (--categorical)."),
    )
}
