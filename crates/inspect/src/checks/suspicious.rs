//! Possible leaks of the cost: columns, missing values, the order of rows, ids and dates.
//!
//! Random columns do not reach the thresholds: `MIN_Z` is in standard deviations of the concordance under
//! random orders, and about one column of noise in two million exceeds 5 (normal approximation). The other
//! thresholds were chosen by looking at a dozen public data sets (LETOR, crime, fires, concrete, outages,
//! COMPAS) and the generators. They are a judgement, not a proof: a leak with noise, or one hidden in
//! categories, is not detected.

use super::super::guess::looks_like_outcome;
use super::super::names::{LooksLike, looks_like};
use stakes_core::rank::ColumnDirection;

use super::super::{ColumnFacts, ColumnRanking, Finding, FindingKind, Inspection, Severity};
use super::{listed, percent};

/// The minimum number of standard deviations from a random order.
const MIN_Z: f64 = 5.0;
/// The concordance from which a column may be computed from the cost. (Public data without a leak stay
/// below 0.85; `is_recid` for `two_year_recid` in COMPAS has 0.97.)
const COPY: f64 = 0.95;
/// The skill from which a single column is questioned.
const STRONG: f64 = 0.95;
/// A lower skill is enough
const STANDS_OUT: f64 = 0.75;
/// if its distance from the ideal is less than this part of the next column's distance.
const OF_NEXT: f64 = 0.4;
/// The minimum concordance of a strong column, which must order more than one dominant item.
const ORDERS: f64 = 0.7;
/// The concordance from which rows are sorted (or, subtracted from 1, sorted in descending order),
const SORTED: f64 = 0.95;
/// or clearly follow the cost.
const FOLLOWS: f64 = 0.75;

pub(super) fn run(inspection: &Inspection) -> Vec<Finding> {
    let mut findings = leaks(inspection);
    findings.extend(row_order(inspection));
    findings.extend(missing_tells(inspection));
    findings.extend(outcomes(inspection));
    for like in [LooksLike::RowNumber, LooksLike::Id, LooksLike::Date] {
        findings.extend(looks(inspection, like));
    }
    findings
}

fn is_copy(alone: &ColumnRanking) -> bool {
    alone.concordance.is_some_and(|c| c.value >= COPY && c.z >= MIN_Z)
}

fn leaks(inspection: &Inspection) -> Vec<Finding> {
    let Some(cost) = &inspection.cost else { return Vec::new() };
    let best = inspection.best_columns();
    let (copies, others): (Vec<_>, Vec<_>) = best.into_iter().partition(|(_, a)| is_copy(a));
    let apart = stand_out(&others);
    let orders =
        |a: &ColumnRanking| a.concordance.is_some_and(|c| c.value >= ORDERS && c.z >= MIN_Z);
    let (strong, rest): (Vec<_>, Vec<_>) = others
        .into_iter()
        .enumerate()
        .partition(|(at, (_, alone))| (alone.skill >= STRONG || *at < apart) && orders(alone));
    let figure = format!("R_CS@{}", cost.captured.k);
    let finding = |severity, kind, what: String, names: Vec<String>| {
        let remedy = format!(
            "If not known before acting, leave out {}; otherwise use as a baseline to beat.",
            listed(&names)
        );
        let it = if names.len() == 1 { "it is" } else { "one of them is" };
        Finding::new(severity, kind, what)
            .columns(names)
            .why(format!(
                "If {it} only known together with `{}` or later, figures on this data are too \
                 good, and the model will fail on new data.",
                cost.name
            ))
            .remedy(remedy)
    };
    let mut findings: Vec<Finding> = copies
        .iter()
        .map(|(column, alone)| {
            let what = format!(
                "Is `{}` computed from `{}`? Sorted {}, it puts {} of the pairs in order ({figure} \
                 {:.3}).",
                column.name,
                cost.name,
                order(alone.direction),
                percent(alone.concordance.map_or(0.0, |c| c.value)),
                alone.r_cs
            );
            finding(Severity::Warning, FindingKind::Leak, what, vec![column.name.clone()])
        })
        .collect();
    if let Some((_, (column, alone))) = strong.first() {
        let mut what = format!(
            "Is `{}` known before acting? On its own, sorted {}, it reaches {figure} {:.3} of 1",
            column.name,
            order(alone.direction),
            alone.r_cs,
        );
        match strong.len() - 1 {
            0 => {}
            1 => what.push_str("; one more is close"),
            n => what.push_str(&format!("; {n} more are close")),
        }
        if let Some((_, (next, alone))) = rest.first() {
            what.push_str(&format!("; the best of the others, {}, {:.3}", next.name, alone.r_cs));
        }
        what.push('.');
        let names = strong.iter().map(|(_, (column, _))| column.name.clone()).collect();
        findings.push(finding(Severity::Note, FindingKind::StrongColumn, what, names));
    }
    findings
}

/// The number of columns, best first, before a wide gap.
fn stand_out(best: &[(&ColumnFacts, &ColumnRanking)]) -> usize {
    let near = best.iter().take_while(|(_, alone)| alone.skill >= STANDS_OUT).count();
    let left = |at: usize| 1.0 - best.get(at).map_or(0.0, |(_, alone)| alone.skill.max(0.0));
    (0..near).find(|&at| left(at) < OF_NEXT * left(at + 1)).map_or(0, |at| at + 1)
}

fn order(direction: ColumnDirection) -> &'static str {
    match direction {
        ColumnDirection::HighFirst => "descending",
        ColumnDirection::LowFirst => "ascending",
    }
}

fn row_order(inspection: &Inspection) -> Option<Finding> {
    let order = inspection.row_order.filter(|order| order.z.abs() >= MIN_Z)?;
    let (agree, way) = if order.value > 0.5 {
        (order.value, "increases")
    } else {
        (1.0 - order.value, "decreases")
    };
    let severity = match agree {
        a if a >= SORTED => Severity::Warning,
        a if a >= FOLLOWS => Severity::Note,
        _ => return None,
    };
    let pairs = percent(agree);
    let what =
        format!("Within lists the cost {way} with the row number, for {pairs} of the pairs.");
    Some(
        Finding::new(severity, FindingKind::SortedRows, what)
            .why(
                "Anything that keeps the order of the rows looks good: ties broken by row, a row \
                 number, a constant model.",
            )
            .remedy("Use `ties=expected` (the default) and no row number, or shuffle the rows."),
    )
}

fn missing_tells(inspection: &Inspection) -> Option<Finding> {
    // (share of pairs, whether items without a value cost less)
    let tells = |column: &ColumnFacts| {
        let decided = column.present.filter(|p| p.z.abs() >= MIN_Z)?.decided()?;
        let (agree, less) = (decided.max(1.0 - decided), decided > 0.5);
        (agree >= SORTED).then_some((agree, less))
    };
    let mut found: Vec<(&ColumnFacts, f64, bool)> = inspection
        .columns
        .iter()
        .filter_map(|c| tells(c).map(|(agree, less)| (c, agree, less)))
        .collect();
    found.sort_by(|a, b| b.1.total_cmp(&a.1));
    let &(column, agree, less) = found.first()?;
    let (side, pairs) = (if less { "less" } else { "more" }, percent(agree));
    let mut what = format!(
        "Is `{}` filled in after the fact? Items without it cost {side} than items with it in \
         {pairs} of the pairs within lists.",
        column.name
    );
    if found.len() > 1 {
        what.push_str(&format!(" The same holds for {} more.", found.len() - 1));
    }
    let names: Vec<String> = found.iter().map(|(column, ..)| column.name.clone()).collect();
    let remedy =
        format!("Find out when they are recorded. If afterwards, leave out {}.", listed(&names));
    Some(
        Finding::new(Severity::Warning, FindingKind::MissingTells, what)
            .columns(names)
            .why(
                "A model would use the missing values themselves, which are not known in new data.",
            )
            .remedy(remedy),
    )
}

/// The rule by which `guess_roles` leaves columns out.
fn outcomes(inspection: &Inspection) -> Option<Finding> {
    let named = inspection.columns.iter().map(|column| &column.name);
    let names: Vec<String> = named.filter(|name| looks_like_outcome(name)).cloned().collect();
    let what = match &names[..] {
        [] => return None,
        [name] => format!("By its name `{name}` is known only afterwards."),
        _ => format!("By their names {} columns are known only afterwards.", names.len()),
    };
    let remedy = format!("Unless known before acting, leave out {}.", listed(&names));
    Some(
        Finding::new(Severity::Warning, FindingKind::OutcomeColumn, what)
            .columns(names)
            .why("New lists do not have outcomes yet: a model of them looks good and fails.")
            .remedy(remedy),
    )
}

fn looks(inspection: &Inspection, like: LooksLike) -> Option<Finding> {
    let alike = |c: &&ColumnFacts| looks_like(c, inspection.data.rows) == Some(like);
    let names: Vec<String> =
        inspection.columns.iter().filter(alike).map(|column| column.name.clone()).collect();
    let name = names.first()?;
    let others = match names.len() - 1 {
        0 => String::new(),
        1 => " So does one more column.".to_owned(),
        n => format!(" So do {n} more columns."),
    };
    let (severity, kind, what, why, role) = match like {
        LooksLike::RowNumber => (
            Severity::Warning,
            FindingKind::IdColumn,
            format!(
                "`{name}` holds integers that increase from row to row: is it a row number?{others}"
            ),
            "It is the position of a row in this file, which means nothing for new data.",
            "id",
        ),
        LooksLike::Id => (
            Severity::Note,
            FindingKind::IdColumn,
            format!("`{name}` looks like an id.{others}"),
            "A model can memorise items by it, which does not help with new ones.",
            "id",
        ),
        LooksLike::Date => (
            Severity::Note,
            FindingKind::DateColumn,
            format!("`{name}` looks like a date.{others}"),
            "Future dates are outside the range of the training data; folds that mix times hide this.",
            "time",
        ),
    };
    let remedy = format!(
        "Give it the role {role}, or leave out {}; keep it only if it describes the items.",
        listed(&names)
    );
    Some(Finding::new(severity, kind, what).columns(names).why(why).remedy(remedy))
}
