//! What has changed, as a page.

use stakes_core::display::{counted, nice_number};

use super::{Drift, FeatureDrift, Monitored, Outcomes};
use crate::evaluate::with_interval;
use crate::text::{Cell, Page, Table, Tone, percent, short};

/// So many features are shown, and all that are past the limit.
const MAX_FEATURES: usize = 10;

pub(super) fn write(page: &mut Page, found: &Monitored) {
    page.unbroken(&found.headline);
    if !found.alarms.is_empty() {
        page.heading("What has changed");
        for alarm in &found.alarms {
            page.hanging("  ", &alarm.what);
            page.hanging("    -> ", &alarm.todo);
        }
    }
    lists(page, found);
    drift(page, found);
    if let Some(outcomes) = &found.outcomes {
        self::outcomes(page, found, outcomes);
    }
    churn(page, found);
}

fn lists(page: &mut Page, found: &Monitored) {
    page.heading("Lists");
    let size = |items: usize, lists: usize| {
        let mean = items as f64 / lists.max(1) as f64;
        format!("{} of {} items on average", counted(lists, "list"), nice_number(mean))
    };
    page.line("now", &size(found.data.items, found.data.lists));
    let then = size(found.reference.items as usize, found.reference.lists as usize);
    match &found.reference.source {
        Some(source) => page.line("compared with", &format!("{then} ({source})")),
        None => page.line("in training", &then),
    }
}

fn drift(page: &mut Page, found: &Monitored) {
    page.heading("Drift");
    let mut table =
        Table::new(["", "PSI", "chance", "distance", "chance", "missing", "was", "importance"]);
    let shown = |(place, one): &(usize, &FeatureDrift)| *place < MAX_FEATURES || one.drift.past;
    let features: Vec<_> = found.features.iter().enumerate().filter(shown).collect();
    for (_, feature) in &features {
        table.row(row(&feature.name, &feature.drift, &percent(feature.importance)));
    }
    if let Some(scores) = &found.scores {
        table.gap();
        table.row(row("scores", scores, ""));
    }
    page.table(&table);
    page.gap();
    let rest = found.features.len() - features.len();
    if rest > 0 {
        page.text(&format!("and {} that matter less to the model", counted(rest, "feature")));
    }
    page.text(&format!(
        "PSI: population stability index, past its limit above {} if it or the distance is beyond chance; \
         distance: Kolmogorov-Smirnov, for categories total variation; chance: what both stay below with so many \
         lists if nothing has changed",
        nice_number(found.limits.psi)
    ));
}

fn row(name: &str, drift: &Drift, importance: &str) -> Vec<Cell> {
    let by_chance = |value: Option<f64>| Cell::from(value.map_or("-".to_owned(), short));
    let psi = match drift.past {
        true => Cell::toned(short(drift.psi), Tone::Warning),
        false => short(drift.psi).into(),
    };
    vec![
        name.into(),
        psi,
        by_chance(drift.psi_by_chance),
        short(drift.distance).into(),
        by_chance(drift.distance_by_chance),
        percent(drift.missing.now).into(),
        percent(drift.missing.then).into(),
        importance.into(),
    ]
}

fn outcomes(page: &mut Page, found: &Monitored, outcomes: &Outcomes) {
    page.heading("Outcomes");
    if let Some(calibration) = &outcomes.calibration {
        let now = &calibration.now;
        let (expected, observed) = (nice_number(now.expected), nice_number(now.observed));
        let ratio = now.ratio.map(|ratio| with_interval(ratio, now.low, now.high));
        let ratio = ratio.map_or_else(String::new, |ratio| format!(": {ratio} times"));
        line(
            page,
            calibration.past,
            "expected",
            &format!("{expected} and observed {observed}{ratio}"),
        );
    }
    if let Some(saved) = &outcomes.saved {
        let now = with_interval(saved.now, Some(saved.low), Some(saved.high));
        let then = saved.then.map_or_else(String::new, |then| {
            let then = with_interval(then.value, Some(then.low), Some(then.high));
            format!("; training promised {then}")
        });
        let name = page.metric(&saved.metric).to_owned();
        line(page, saved.past, &name, &format!("{now}{then}"));
    }
    if let Some(held) = &outcomes.intervals {
        let text = format!(
            "{} of {} came to a total within the interval of {}",
            held.held,
            counted(held.lists, "list"),
            percent(held.level)
        );
        page.line("intervals", &text);
    }
    let limits = &found.limits;
    page.gap();
    page.text(&format!(
        "past their limits: expected costs of more than {0} times the observed ones, or less than 1/{0}; a figure \
         {1} below what training promised; both only beyond chance",
        nice_number(limits.calibration),
        nice_number(limits.drop)
    ));
}

fn line(page: &mut Page, past: bool, label: &str, text: &str) {
    match past {
        true => page.toned_line(Tone::Warning, label, text),
        false => page.line(label, text),
    }
}

fn churn(page: &mut Page, found: &Monitored) {
    let churn = &found.churn;
    if churn.between_lists.is_none() && churn.between_models.is_none() {
        return;
    }
    page.heading("Churn");
    if let Some(share) = churn.between_models {
        let text =
            format!("{} of the items to act on are not the previous model's", percent(share));
        line(page, churn.past, "models", &text);
    }
    if let Some(share) = churn.between_lists {
        let pairs = counted(churn.pairs, "pair");
        let text = format!(
            "{} of the items to act on change from one to the next ({pairs})",
            percent(share)
        );
        line(page, churn.past && churn.between_models.is_none(), "lists", &text);
    }
}
