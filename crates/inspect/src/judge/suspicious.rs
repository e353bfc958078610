//! What may know the answer: columns, missing values, the order of rows, ids and dates.
//!
//! Chance does not reach the thresholds: `EVIDENCE` is in standard deviations of the
//! concordance under random orders; about one column of noise in two million goes beyond 5
//! (normal approximation). The others were chosen by looking at a dozen public data sets (LETOR, crime, fires,
//! concrete, outages, COMPAS) and the generators, so they are judgement, not proof: a leak that
//! is blurred, or hidden in categories, is not seen.

use super::super::names::{LooksLike, looks_like};
use stakes_core::rank::ColumnDirection;

use super::super::{Alone, ColumnFacts, Finding, FindingKind, Inspection, Severity};
use super::{drop_option, percent};

/// Standard deviations from chance below which nothing is suspected.
const EVIDENCE: f64 = 5.0;
/// Pairs in order, from which a column looks as if made from the cost. (Public data without a
/// leak stays below 0.85; `is_recid` beside `two_year_recid` in COMPAS has 0.97.)
const COPY: f64 = 0.95;
/// Part of the way from random to ideal, from which a column alone is worth a question.
const STRONG: f64 = 0.95;
/// Or from this part on, if
const STANDS_OUT: f64 = 0.75;
/// what is left to the ideal is less than this part of what the next best leaves.
const OF_NEXT: f64 = 0.4;
/// A strong column must order the other items too, not just one that holds all the cost.
const ORDERS: f64 = 0.7;
/// Pairs in order, from which rows are sorted (or, counted from 0, sorted downwards),
const SORTED: f64 = 0.95;
/// or follow the cost noticeably.
const FOLLOWS: f64 = 0.75;

pub(super) fn judge(seen: &Inspection) -> Vec<Finding> {
    let mut findings = leaks(seen);
    findings.extend(row_order(seen));
    findings.extend(missing_tells(seen));
    for like in [LooksLike::RowNumber, LooksLike::Id, LooksLike::Date] {
        findings.extend(looks(seen, like));
    }
    findings
}

fn is_copy(alone: &Alone) -> bool {
    alone.concordance.is_some_and(|c| c.value >= COPY && c.z >= EVIDENCE)
}

fn leaks(seen: &Inspection) -> Vec<Finding> {
    let Some(cost) = &seen.cost else { return Vec::new() };
    let best = seen.best_alone();
    let (copies, others): (Vec<_>, Vec<_>) = best.into_iter().partition(|(_, a)| is_copy(a));
    let apart = stand_out(&others);
    let orders = |a: &Alone| a.concordance.is_some_and(|c| c.value >= ORDERS && c.z >= EVIDENCE);
    let (strong, rest): (Vec<_>, Vec<_>) = others
        .into_iter()
        .enumerate()
        .partition(|(at, (_, alone))| (alone.skill >= STRONG || *at < apart) && orders(alone));
    let figure = format!("R_CS@{}", cost.captured.k);
    let finding = |severity, kind, what: String, names: Vec<String>| {
        let drop = drop_option(&names);
        let it = if names.len() == 1 { "it is" } else { "one of them is" };
        Finding::new(severity, kind, what)
            .columns(names)
            .why(format!(
                "If {it} found out together with `{}` or later, figures on this data are too \
                 good and the model will fail when it counts.",
                cost.name
            ))
            .remedy(format!(
                "What is not known before acting: {drop}. What is known is the baseline to beat."
            ))
    };
    let mut findings: Vec<Finding> = copies
        .iter()
        .map(|(column, alone)| {
            let what = format!(
                "Is `{}` made from `{}`? {} first, it puts {} of the pairs in order ({figure} {:.3}).",
                column.name,
                cost.name,
                first(alone.direction),
                percent(alone.concordance.map_or(0.0, |c| c.value)),
                alone.r_cs
            );
            finding(Severity::Warning, FindingKind::Leak, what, vec![column.name.clone()])
        })
        .collect();
    if let Some((_, (column, alone))) = strong.first() {
        let mut what = format!(
            "Is `{}` known before acting? Alone, {} first, it reaches {figure} {:.3} of 1",
            column.name,
            first(alone.direction).to_lowercase(),
            alone.r_cs,
        );
        match strong.len() - 1 {
            0 => {}
            1 => what.push_str("; one more comes near"),
            n => what.push_str(&format!("; {n} more come near")),
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

/// How many columns, best first, stand before a wide gap.
fn stand_out(best: &[(&ColumnFacts, &Alone)]) -> usize {
    let near = best.iter().take_while(|(_, alone)| alone.skill >= STANDS_OUT).count();
    let left = |at: usize| 1.0 - best.get(at).map_or(0.0, |(_, alone)| alone.skill.max(0.0));
    (0..near).find(|&at| left(at) < OF_NEXT * left(at + 1)).map_or(0, |at| at + 1)
}

fn first(direction: ColumnDirection) -> &'static str {
    match direction {
        ColumnDirection::HighFirst => "High",
        ColumnDirection::LowFirst => "Low",
    }
}

fn row_order(seen: &Inspection) -> Option<Finding> {
    let order = seen.row_order.filter(|order| order.z.abs() >= EVIDENCE)?;
    let (agree, way) =
        if order.value > 0.5 { (order.value, "rises") } else { (1.0 - order.value, "falls") };
    let severity = match agree {
        a if a >= SORTED => Severity::Warning,
        a if a >= FOLLOWS => Severity::Note,
        _ => return None,
    };
    let pairs = percent(agree);
    let what = format!("The cost {way} with the row within lists, for {pairs} of the pairs.");
    Some(
        Finding::new(severity, FindingKind::SortedRows, what)
            .why(
                "Whatever keeps the order of the rows looks good by it: ties broken as they \
                 stand, a row number, a model that learnt nothing.",
            )
            .remedy("Keep `ties=expected` (the default) and no row number, or shuffle the rows."),
    )
}

fn missing_tells(seen: &Inspection) -> Option<Finding> {
    // (share of pairs, whether items without a value cost less)
    let tells = |column: &ColumnFacts| {
        let decided = column.present.filter(|p| p.z.abs() >= EVIDENCE)?.decided()?;
        let (agree, less) = (decided.max(1.0 - decided), decided > 0.5);
        (agree >= SORTED).then_some((agree, less))
    };
    let mut found: Vec<(&ColumnFacts, f64, bool)> = seen
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
        what.push_str(&format!(" {} more columns are like it.", found.len() - 1));
    }
    let names: Vec<String> = found.iter().map(|(column, ..)| column.name.clone()).collect();
    let remedy = format!("Ask when they are written down. If afterwards: {}.", drop_option(&names));
    Some(
        Finding::new(Severity::Warning, FindingKind::MissingTells, what)
            .columns(names)
            .why("A model learns from the gap itself, which will not be there when it counts.")
            .remedy(remedy),
    )
}

fn looks(seen: &Inspection, like: LooksLike) -> Option<Finding> {
    let alike = |c: &&ColumnFacts| looks_like(c, seen.data.rows) == Some(like);
    let names: Vec<String> =
        seen.columns.iter().filter(alike).map(|column| column.name.clone()).collect();
    let name = names.first()?;
    let others = match names.len() - 1 {
        0 => String::new(),
        1 => " One more column does.".to_owned(),
        n => format!(" {n} more columns do."),
    };
    let (severity, kind, what, why, role) = match like {
        LooksLike::RowNumber => (
            Severity::Warning,
            FindingKind::IdColumn,
            format!("`{name}` rises by whole numbers from row to row: is it a row number?{others}"),
            "It says where a row stood in the file, which new data does not share.",
            "--id",
        ),
        LooksLike::Id => (
            Severity::Note,
            FindingKind::IdColumn,
            format!("`{name}` looks like an id.{others}"),
            "A model can learn items by heart from it and will not know new ones.",
            "--id",
        ),
        LooksLike::Date => (
            Severity::Note,
            FindingKind::DateColumn,
            format!("`{name}` looks like a date.{others}"),
            "Dates to come lie outside all that was learnt; folds that mix times hide it.",
            "--time",
        ),
    };
    let drop = drop_option(&names);
    let remedy =
        format!("Give it its role ({role}) or leave it out ({drop}); keep what describes items.");
    Some(Finding::new(severity, kind, what).columns(names).why(why).remedy(remedy))
}
