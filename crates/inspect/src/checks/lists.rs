//! Lists and costs that make figures unreliable.

use super::super::{CostFacts, Finding, FindingKind, Inspection, Severity};
use super::percent;
use stakes_core::display::counted;

/// With fewer lists of different costs, intervals are unreliable.
const FEW_LISTS: usize = 10;
/// A list with a larger share of the cost dominates every sum over lists.
const DOMINATES: f64 = 0.5;
/// Where a smaller share of the items has no cost, and lists differ in length, a log of events was taken for lists.
const FEW_ZEROS: f64 = 0.2;
/// A larger share of lists with one item is reported.
const MANY_OF_ONE: f64 = 0.05;

pub(super) fn run(inspection: &Inspection) -> Vec<Finding> {
    let mut findings: Vec<Finding> = of_one(inspection).into_iter().collect();
    if let Some(cost) = &inspection.cost {
        let nothing = nothing(cost);
        if nothing.is_none() {
            findings.extend(
                [dominated(cost), few(cost), without(cost, inspection), zeros(cost, inspection)]
                    .into_iter()
                    .flatten(),
            );
        }
        findings.extend(nothing);
    }
    findings
}

fn nothing(cost: &CostFacts) -> Option<Finding> {
    let what = match (cost.total > 0.0, cost.lists_with_order) {
        (false, _) => format!("`{}` is 0 for every item.", cost.name),
        (true, 0) => format!("`{}` is the same for all items of each list.", cost.name),
        _ => return None,
    };
    Some(
        Finding::new(Severity::Warning, FindingKind::NothingToOrder, what)
            .columns([&cost.name])
            .why("Every order is as good as any other, so there is nothing to learn or to measure.")
            .remedy("Check the impact column and the list column."),
    )
}

fn dominated(cost: &CostFacts) -> Option<Finding> {
    let top = cost.top_lists.first().filter(|top| top.share > DOMINATES)?;
    if cost.lists_with_order < 2 {
        return None;
    }
    let what = format!("List {} holds {} of all cost.", top.list, percent(top.share));
    let mut finding = Finding::new(Severity::Warning, FindingKind::OneListDominates, what)
        .why(
            "R_CS and every other sum over lists depends on this one list, and intervals over \
             lists cannot predict how the next such list will turn out.",
        )
        .remedy(
            "Look at R@k and at the values of single lists as well, and evaluate without this \
             list.",
        );
    finding.lists = vec![top.list.clone()];
    Some(finding)
}

fn few(cost: &CostFacts) -> Option<Finding> {
    if cost.lists_with_order >= FEW_LISTS {
        return None;
    }
    let what = match cost.lists_with_order {
        1 => "Only one list has items of different cost.".to_owned(),
        n => format!("Only {n} lists have items of different cost."),
    };
    Some(
        Finding::new(Severity::Note, FindingKind::FewLists, what)
            .why("Lists are the sampling unit: intervals and tests over so few are unreliable.")
            .remedy("Treat differences between models as hints, or collect more lists."),
    )
}

fn of_one(inspection: &Inspection) -> Option<Finding> {
    let (ones, all) = (inspection.lists.of_one, inspection.lists.count);
    let share = ones as f64 / all as f64;
    if share <= MANY_OF_ONE {
        return None;
    }
    let (severity, what) = if ones == all {
        (Severity::Warning, "Every list has one item.".to_owned())
    } else {
        let lists = counted(ones, "list");
        let verb = if ones == 1 { "has" } else { "have" };
        (Severity::Note, format!("{lists} of {all} {verb} one item ({}).", percent(share)))
    };
    Some(
        Finding::new(severity, FindingKind::ListsOfOne, what)
            .why(
                "There is nothing to order in them, so any order is ideal: they raise means over \
                 lists and do not help training.",
            )
            .remedy("Check the list column; a coarser one would compare more items."),
    )
}

fn without(cost: &CostFacts, inspection: &Inspection) -> Option<Finding> {
    let (empty, all) = (cost.lists_without_cost, inspection.lists.count);
    if empty == 0 {
        return None;
    }
    let share = percent(empty as f64 / all as f64);
    let verb = if empty == 1 { "has" } else { "have" };
    let what = format!("{} of {all} {verb} nothing to save ({share}).", counted(empty, "list"));
    Some(
        Finding::new(Severity::Note, FindingKind::ListsWithoutCost, what)
            .why("They have no R@k: means over lists leave them out, and sums do not change.")
            .remedy(
                "Nothing, unless you compare with other tools, which may count such lists as 0 or 1 \
                 (`empty=zero`, `empty=one`).",
            ),
    )
}

fn zeros(cost: &CostFacts, inspection: &Inspection) -> Option<Finding> {
    let sizes = &inspection.lists.sizes;
    // Of grades, every item has one.
    let is_graded = !cost.levels.is_empty();
    if cost.zeros_share > FEW_ZEROS || sizes.min == sizes.max || is_graded {
        return None;
    }
    let share = percent(1.0 - cost.zeros_share);
    let what =
        format!("`{}` is above 0 for {share} of the items, and lists differ in length.", cost.name);
    Some(
        Finding::new(Severity::Warning, FindingKind::NoZeros, what)
            .columns([&cost.name])
            .why(
                "Items without damage seem to be absent. Which items are hit can be learnt only from lists that hold \
                 all that could have been.",
            )
            .remedy(
                "If this is a log of events, make lists of it (stakes prepare --fill-zeros); if every item always has a \
                 cost, nothing.",
            ),
    )
}
