//! What lists and costs say about the figures to come.

use super::super::{CostFacts, Finding, FindingKind, Inspection, Severity};
use super::percent;
use stakes_core::display::counted;

/// Below this many lists with something to order, intervals say little.
const FEW_LISTS: usize = 10;
/// A list that holds more than this share of the cost decides every sum over lists.
const DOMINATES: f64 = 0.5;
/// Lists of one item are worth a word above this share.
const MANY_OF_ONE: f64 = 0.05;

pub(super) fn judge(seen: &Inspection) -> Vec<Finding> {
    let mut findings: Vec<Finding> = of_one(seen).into_iter().collect();
    if let Some(cost) = &seen.cost {
        let nothing = nothing(cost);
        if nothing.is_none() {
            findings
                .extend([dominated(cost), few(cost), without(cost, seen)].into_iter().flatten());
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
            .remedy(
                "Check that this is the impact column, and that the list column is the one meant.",
            ),
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
            "R_CS and every other sum over lists rests on this one list, and intervals over \
             lists cannot tell how the next such list would go.",
        )
        .remedy(
            "Read R@k and the lists' own values beside R_CS, and see what remains without \
             this list.",
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
            .why("Lists are the unit of chance: intervals and tests over so few say little.")
            .remedy("Take differences between models as hints, or find more lists."),
    )
}

fn of_one(seen: &Inspection) -> Option<Finding> {
    let (ones, all) = (seen.lists.of_one, seen.lists.count);
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
                "There is nothing to order in them, so any order is ideal there: they lift means \
                 over lists and teach nothing.",
            )
            .remedy("Check the list column; a coarser one would compare more items."),
    )
}

fn without(cost: &CostFacts, seen: &Inspection) -> Option<Finding> {
    let (empty, all) = (cost.lists_without_cost, seen.lists.count);
    if empty == 0 {
        return None;
    }
    let share = percent(empty as f64 / all as f64);
    let verb = if empty == 1 { "has" } else { "have" };
    let what = format!("{} of {all} {verb} nothing to save ({share}).", counted(empty, "list"));
    Some(
        Finding::new(Severity::Note, FindingKind::ListsWithoutCost, what)
            .why("They have no R@k: means over lists leave them out, and sums gain nothing.")
            .remedy(
                "Nothing, unless other tools are compared: they may count such lists as 0 or 1 \
                 (`empty=zero`, `empty=one`).",
            ),
    )
}
