//! Features and pairs as tables.

use stakes::display::nice_number;
use stakes::explain::Explanation;
use stakes::model::Model;
use stakes::model::explain::{FeatureLoss, GoalFigure, PermutationImportance};
use stakes::text::{Page, Table, cut, percent, short};

use super::Explain;
use crate::terminal::model::{cost_name, shares_of, size};
use crate::terminal::output::counted;

/// Names are cut to this.
const NAME: usize = 32;
/// What the share of a feature is a share of.
fn shares(model: &Model) -> &'static str {
    match shares_of(model).0 {
        "gain" => "gain: share of the total loss reduction",
        _ => "weight: share of all absolute weights, with inputs in standard deviations",
    }
}
/// The maximum number of pairs that are shown.
const MAX_PAIRS: usize = 5;

pub(crate) fn write(
    page: &mut Page,
    path: &str,
    model: &Model,
    found: Option<&Explanation>,
    asked: &Explain,
) {
    head(page, path, model);
    let Some(found) = found else {
        by_gain(page, model, asked.top);
        page.text(&format!("to see what each feature is worth: stakes explain {path} DATA"));
        return;
    };
    let data = &found.data;
    let (items, lists) = (counted(data.items, "item"), counted(data.lists, "list"));
    let size = format!("{}: {items} in {lists}", data.source);
    match &found.worth {
        Some((metric, worth)) => {
            let [saved, ideal] = [worth.saved, worth.ideal].map(nice_number);
            let share = if worth.ideal > 0.0 { worth.saved / worth.ideal } else { 0.0 };
            let cost = cost_name(model);
            page.text(&match &worth.figure {
                Some(GoalFigure { metric, value }) => format!("{size}; {metric} {}", short(*value)),
                None => format!("{size}; {saved} of {ideal} {cost} saved ({metric} {share:.4})"),
            });
            by_worth(page, model, worth, asked);
        }
        None => {
            page.text(&size);
            by_gain(page, model, asked.top);
        }
    }
    pairs(page, model, found);
}

fn head(page: &mut Page, path: &str, model: &Model) {
    let asked = model.importance().iter().filter(|row| row.2 > 0).count();
    let features = counted(model.features.len(), "feature");
    let what = match model.nets().next() {
        Some(_) => size(model),
        None => counted(model.size().trees, "tree"),
    };
    page.text(&format!(
        "{path}: {}, {what} using {asked} of {features}; trained for {} of {}",
        model.learner,
        model.goal.spec(),
        cost_name(model)
    ));
}

fn by_gain(page: &mut Page, model: &Model, most: usize) {
    let (share, count) = shares_of(model);
    let mut table = Table::new(["feature".into(), share.to_owned(), format!("{count}s")]);
    let used: Vec<_> = model.importance().into_iter().filter(|row| row.2 > 0).collect();
    for &(feature, gain, splits) in used.iter().take(most) {
        table.row([name(model, feature), percent(gain), nice_number(splits as f64)]);
    }
    let rest = used.get(most..).unwrap_or(&[]);
    if !rest.is_empty() {
        let (gain, splits) = rest.iter().fold((0.0, 0), |sum, row| (sum.0 + row.1, sum.1 + row.2));
        table.row([others(rest.len()), percent(gain), nice_number(splits as f64)]);
    }
    page.gap();
    page.table(&table);
    page.gap();
    page.text(shares(model));
}

fn by_worth(page: &mut Page, model: &Model, worth: &PermutationImportance, asked: &Explain) {
    let (share, count) = shares_of(model);
    let counts = format!("{count}s");
    let (unit, of) = match &worth.figure {
        Some(figure) => (figure.metric.as_str(), "of it"),
        None => ("cost", "of saved"),
    };
    let lost = format!("{unit} lost");
    let mut table = Table::new(["feature", &lost, "±", of, share, &counts]);
    let whole = worth.figure.as_ref().map_or(worth.saved, |figure| figure.value);
    let number = |value| if worth.figure.is_some() { short(value) } else { nice_number(value) };
    let gains = model.importance();
    let row = |loss: &FeatureLoss| {
        let gain = gains.iter().find(|row| row.0 == loss.feature);
        let (lost, spread) = loss.of_figure.unwrap_or((loss.cost, loss.spread));
        let share = if whole > 0.0 { lost / whole } else { 0.0 };
        let mark = if loss.between_lists { " *" } else { "" };
        [
            name(model, loss.feature) + mark,
            number(lost),
            number(spread),
            signed_percent(share),
            gain.map_or(String::new(), |row| percent(row.1)),
            gain.map_or(String::new(), |row| nice_number(row.2 as f64)),
        ]
    };
    let shown = &worth.losses[..asked.top.min(worth.losses.len())];
    shown.iter().for_each(|loss| table.row(row(loss)));
    if worth.losses.len() > shown.len() {
        let first = others(worth.losses.len() - shown.len());
        table.row([first.as_str(), "", "", "", "", ""]);
    }
    page.gap();
    page.table(&table);
    page.gap();
    let times = match asked.repeats {
        1 => "once".to_owned(),
        n => format!("{n} times; ± is the standard deviation"),
    };
    let what = match &worth.figure {
        Some(_) => "how much worse the figure is",
        None => "savings lost",
    };
    page.text(&format!(
        "{lost}: {what} when this feature is shuffled within each list (permutation importance, \
         {times})"
    ));
    if shown.iter().any(|loss| loss.between_lists) {
        page.text("*: almost the same for all items of a list, so shuffled among lists");
    }
    page.text(shares(model));
}

fn pairs(page: &mut Page, model: &Model, found: &Explanation) {
    let felt: Vec<_> = found.pairs.iter().filter(|pair| pair.size > 0.0).take(MAX_PAIRS).collect();
    if felt.is_empty() {
        return;
    }
    let mut table = Table::new(["interaction", "effect", "of both"]);
    for pair in felt {
        let [a, b] = pair.features.map(|feature| name(model, feature));
        table.row([format!("{a} with {b}"), short(pair.size), percent(pair.share)]);
    }
    page.gap();
    page.table(&table);
    page.gap();
    page.text(&format!(
        "effect: the effect of both on the mean score beyond the sum of their single effects (root \
         mean square over {}); of both: its share of their joint effect (H squared)",
        counted(found.sampled, "item")
    ));
}

fn name(model: &Model, feature: usize) -> String {
    cut(&model.features[feature].name, NAME)
}

fn others(n: usize) -> String {
    if n == 1 { "1 other".into() } else { format!("{n} others") }
}

fn signed_percent(share: f64) -> String {
    if share < 0.0 { format!("-{}", percent(-share)) } else { percent(share) }
}
