//! What time adds to a comparison, as a page.

use stakes_core::display::{counted, nice_number};

use super::super::contestant::CURRENT;
use super::super::verdict::LEVEL;
use super::{Backtested, Choices, Compared, Drift, Period};
use crate::text::{Cell, Page, Table, Tone, short};

/// Of what changed in a period at most this much is shown.
const MAX_DRIFTS: usize = 3;
/// So many learners are shown as if each had always been chosen.
const MAX_ALWAYS: usize = 3;
/// Rules of fewer periods can hardly be told apart.
const FEW_PERIODS: usize = 10;

pub(super) fn write(page: &mut Page, found: &Backtested) {
    periods(page, found);
    if let Some(choices) = &found.choices {
        rules(page, choices);
    }
    churn(page, found);
    drift(page, found);
}

/// Which rule to follow, and whom it picks now.
pub(super) fn advice(compared: &Compared, choices: &Choices) -> Option<String> {
    let rule = choices.rules.first()?;
    let few = match choices.periods.len() {
        ..FEW_PERIODS => "; of so few periods rules can hardly be told apart",
        _ => "",
    };
    Some(format!(
        "Over {}, choosing by {} ({}) would have lost least against the best learner of each period: {} on \
         average{few}. Now it picks {}.",
        counted(choices.periods.len(), "period"),
        rule.rule,
        rule.title,
        short(rule.mean_regret),
        compared.shown(&rule.next)
    ))
}

fn periods(page: &mut Page, found: &Backtested) {
    let compared = &found.compared;
    page.heading("Saved cost by period");
    let has_current = compared.contestants.iter().any(|entrant| entrant.name == CURRENT);
    let mut titles = vec!["as of".to_owned(), "lists".to_owned(), compared.best.clone()];
    if has_current {
        titles.push("current".to_owned());
    }
    titles.extend(["best of period".to_owned(), "ideal".to_owned()]);
    let mut table = Table::new(titles);
    for period in &found.periods {
        let Period { as_of, lists, ideal, saved, best } = period;
        let amount = |name: &str| saved.get(name).copied().flatten();
        let cell = |value: Option<f64>| Cell::from(value.map_or("-".to_owned(), nice_number));
        let own = amount(&compared.best);
        let is_ahead = own.zip(amount(CURRENT)).is_some_and(|(own, current)| own > current);
        let mut row = vec![Cell::from(as_of.as_str()), lists.to_string().into()];
        row.push(match own {
            Some(value) if is_ahead => Cell::toned(nice_number(value), Tone::Good),
            value => cell(value),
        });
        if has_current {
            row.push(cell(amount(CURRENT)));
        }
        row.extend([best.as_deref().unwrap_or("-").into(), cell(*ideal)]);
        table.row(row);
    }
    page.table(&table);
}

fn rules(page: &mut Page, choices: &Choices) {
    page.heading("Choosing a learner by the periods before");
    let mut table = Table::new(["rule", "mean regret", "saved cost lost", "picks now"]);
    let row = |rule: &super::RuleRecord| {
        [rule.rule.clone(), short(rule.mean_regret), nice_number(rule.lost), rule.next.clone()]
    };
    choices.rules.iter().for_each(|rule| table.row(row(rule)));
    table.gap();
    choices.always.iter().take(MAX_ALWAYS).for_each(|rule| table.row(row(rule)));
    page.table(&table);
    page.gap();
    page.text(&format!(
        "regret: the best figure of each period minus that of the pick; {}; near-best: within {}; always: \
         known only afterwards",
        counted(choices.periods.len(), "period"),
        short(choices.distance)
    ));
}

/// A line for each learner: the mean overlap, and what the newer models saved more.
fn churn(page: &mut Page, found: &Backtested) {
    if found.churn.is_empty() {
        return;
    }
    page.heading("From one date to the next");
    let mut table = Table::new(["learner", "same items", "saved more by retraining"]);
    for entrant in &found.compared.contestants {
        let own: Vec<_> = found.churn.iter().filter(|c| c.contestant == entrant.name).collect();
        if own.is_empty() {
            continue;
        }
        let overlap = own.iter().map(|churn| churn.overlap).sum::<f64>() / own.len() as f64;
        let gain: Option<f64> =
            own.iter().map(|churn| Some(churn.saved? - churn.saved_by_previous?)).sum();
        let gain = gain.map_or("-".to_owned(), nice_number);
        table.row([entrant.shown.clone(), format!("{:.0} %", 100.0 * overlap), gain]);
    }
    page.table(&table);
    page.gap();
    page.text(
        "same items: the mean share of the items to act on that the model of the date before would have named, \
         too",
    );
}

fn drift(page: &mut Page, found: &Backtested) {
    page.heading("What changed in the data");
    let mut table = Table::new(["as of", "cost", "features", "most"]);
    for period in &found.periods {
        let own: Vec<&Drift> = found.drift.iter().filter(|d| d.period == period.as_of).collect();
        let cost = own.iter().find(|drift| drift.is_cost);
        let changed: Vec<&Drift> =
            own.iter().copied().filter(|d| !d.is_cost && d.p_adjusted < LEVEL).collect();
        let mut most = changed.clone();
        most.sort_by(|a, b| size(b).total_cmp(&size(a)));
        let names: Vec<String> = most
            .iter()
            .take(MAX_DRIFTS)
            .map(|drift| format!("{} {}", drift.what, short(drift.effect)))
            .collect();
        let cost = cost.map_or(Cell::from("-"), |drift| match drift.p_adjusted < LEVEL {
            true => Cell::toned(short(drift.effect), Tone::Warning),
            false => short(drift.effect).into(),
        });
        let features = own.iter().filter(|drift| !drift.is_cost).count();
        let share = format!("{} of {features}", changed.len());
        table.row([period.as_of.as_str().into(), cost, share.into(), names.join(", ").into()]);
    }
    page.table(&table);
    page.gap();
    let how = match page.has_statistics() {
        true => format!("Welch's test over lists, p < {LEVEL} after Holm's correction"),
        false => format!("p < {LEVEL}, adjusted for their number"),
    };
    page.text(&format!(
        "cost: the probability that an item of the period costs more than one before (0.5: no change); \
         features: how many changed ({how}); most: \
         the same probability, for categories the share of items that changed theirs"
    ));
}

/// How far from no change, from 0 to 1.
fn size(drift: &Drift) -> f64 {
    if drift.is_category { drift.effect } else { 2.0 * (drift.effect - 0.5).abs() }
}
