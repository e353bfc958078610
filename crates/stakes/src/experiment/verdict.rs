//! What a comparison comes to, in words and in the unit of the cost.

use stakes_core::display::{counted, nice_number};
use stakes_stats::IntervalOptions;

use super::versus::Versus;
use super::{Entrant, Part};

/// A difference with a corrected p at or above this cannot be told from chance.
pub(super) const LEVEL: f64 = 0.05;

/// With fewer test lists than this, intervals promise little.
const FEW_LISTS: usize = 20;

/// What the words are about.
pub(super) struct Facts<'f> {
    pub(super) entrants: &'f [Entrant],
    /// The contestant that saves most.
    pub(super) best: &'f str,
    /// The others against it, by saved cost.
    pub(super) against_best: &'f [Versus],
    /// All against the present order, by saved cost.
    pub(super) against_current: &'f [Versus],
    /// What the cost is called.
    pub(super) unit: &'f str,
    /// What saved costs are divided by: how often a list is tested.
    pub(super) repeats: f64,
    pub(super) lists: usize,
    pub(super) intervals: &'f IntervalOptions,
}

/// The verdict, a sentence at a time.
pub(super) fn sentences(facts: &Facts<'_>) -> Vec<String> {
    let best = facts.best;
    let of_best = |all: &[Versus]| all.iter().find(|versus| versus.contestant == best).cloned();
    let of_baseline = || {
        // Without a present order, the simplest one that anybody could follow.
        let name = facts.entrants.iter().find(|e| e.part == Part::Reference)?.name.as_str();
        let versus = facts.against_best.iter().find(|versus| versus.contestant == name)?;
        Some(turned(versus))
    };
    let mut words = Vec::new();
    if let Some(versus) = of_best(facts.against_current).or_else(of_baseline) {
        words.push(saves(facts, &versus));
    }
    words.extend(rivals(facts));
    words.extend(flattered(facts));
    if facts.lists < FEW_LISTS {
        let lists = counted(facts.lists, "test list");
        words.push(format!("There are only {lists}: intervals and tests promise little."));
    }
    words
}

/// The same seen from the other side.
fn turned(versus: &Versus) -> Versus {
    Versus {
        contestant: versus.against.clone(),
        against: versus.contestant.clone(),
        difference: -versus.difference,
        low: versus.high.map(|high| -high),
        high: versus.low.map(|low| -low),
        better: !versus.better,
        ..versus.clone()
    }
}

fn shown(facts: &Facts<'_>, name: &str) -> String {
    match facts.entrants.iter().find(|entrant| entrant.name == name) {
        Some(entrant) if entrant.part == Part::Reference => format!("the {}", entrant.shown),
        Some(entrant) => entrant.shown.clone(),
        None => name.to_owned(),
    }
}

fn saves(facts: &Facts<'_>, versus: &Versus) -> String {
    let cost = |value: f64| nice_number(value / facts.repeats);
    let more = if versus.difference < 0.0 { "less" } else { "more" };
    let sign = versus.difference.signum();
    let interval = versus.low.zip(versus.high).map(|(low, high)| {
        let (low, high) = if sign < 0.0 { (-high, -low) } else { (low, high) };
        let level = nice_number(100.0 * facts.intervals.level);
        format!(" ({level} % interval {} to {})", cost(low), cost(high))
    });
    let chance = match versus.p_adjusted < LEVEL {
        true => String::new(),
        false => format!("; that may be chance (p = {:.2})", versus.p_adjusted),
    };
    format!(
        "On {}, {} saves {} {} {more} than {}{}{chance}.",
        counted(facts.lists, "test list"),
        shown(facts, &versus.contestant),
        cost(versus.difference.abs()),
        unit(facts.unit),
        shown(facts, &versus.against),
        interval.unwrap_or_default()
    )
}

/// Who cannot be told apart from the best.
fn rivals(facts: &Facts<'_>) -> Option<String> {
    let best = shown(facts, facts.best);
    let mut equal: Vec<&Versus> =
        facts.against_best.iter().filter(|versus| versus.p_adjusted >= LEVEL).collect();
    equal.sort_by(|a, b| b.difference.total_cmp(&a.difference));
    let names: Vec<String> =
        equal.iter().take(MAX_NAMES).map(|versus| shown(facts, &versus.contestant)).collect();
    let more = equal.len() - names.len();
    match &names[..] {
        _ if facts.against_best.is_empty() => None,
        [] => Some(format!("{best} saves more than all others, beyond chance.")),
        names if more > 0 => {
            let others = counted(more, "other");
            Some(format!("{}, {others} and {best} cannot be told apart.", names.join(", ")))
        }
        names => Some(format!("{} and {best} cannot be told apart.", names.join(", "))),
    }
}

/// The best of many on the same lists owes a part of its figure to luck.
fn flattered(facts: &Facts<'_>) -> Option<String> {
    let can_be_chosen = |entrant: &&Entrant| matches!(entrant.part, Part::Learner | Part::Score);
    let chosen_from = facts.entrants.iter().filter(can_be_chosen).count();
    (chosen_from >= MANY).then(|| {
        format!(
            "{} is the best of {chosen_from} on these very lists, which flatters it: expect \
             somewhat less on others.",
            shown(facts, facts.best)
        )
    })
}

/// Of so many contestants the best is flattered by the choice.
const MANY: usize = 8;

/// More names than this are counted.
const MAX_NAMES: usize = 6;

/// `customers`; of an expression, in brackets.
fn unit(cost: &str) -> String {
    match cost.chars().all(|c| c.is_alphanumeric() || c == '_' || c == '-') && cost != "y" {
        true => cost.to_owned(),
        false => format!("({cost})"),
    }
}
