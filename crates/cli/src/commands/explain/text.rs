//! Features and pairs as tables for people.

use std::fmt::Write;

use stakes::display::nice_number;
use stakes::explain::Explanation;
use stakes::model::Model;
use stakes::model::explain::{FeatureLoss, PermutationImportance};
use stakes::text::short;

use super::Explain;
use crate::terminal::draw::wrap;
use crate::terminal::model::{cost_name, shares_of, size};
use crate::terminal::output::{counted, table, width};
use crate::terminal::page::{cut, percent};

/// Names are cut to this.
const NAME: usize = 32;
/// What shares of features are shares of.
fn shares(model: &Model) -> &'static str {
    match shares_of(model).0 {
        "gain" => "gain: share of what all splits improved in the loss",
        _ => "weight: share of all absolute weights, inputs counting in standard deviations",
    }
}
/// Pairs that are shown.
const PAIRS: usize = 5;

pub(crate) fn render(
    path: &str,
    model: &Model,
    found: Option<&Explanation>,
    asked: &Explain,
) -> String {
    let mut text = head(path, model);
    let Some(found) = found else {
        text += &by_gain(model, asked.top);
        text +=
            &remark(&format!("to see what features are worth in cost: stakes explain {path} DATA"));
        return text;
    };
    let data = &found.data;
    let (items, lists) = (counted(data.items, "item"), counted(data.lists, "list"));
    let _ = write!(text, "{}: {items} in {lists}", data.source);
    match &found.worth {
        Some((metric, worth)) => {
            let [saved, ideal] = [worth.saved, worth.ideal].map(nice_number);
            let share = if worth.ideal > 0.0 { worth.saved / worth.ideal } else { 0.0 };
            let cost = cost_name(model);
            let _ = writeln!(text, "; {saved} of {ideal} {cost} saved ({metric} {share:.4})");
            text += &by_worth(model, worth, asked);
        }
        None => {
            text.push('\n');
            text += &by_gain(model, asked.top);
        }
    }
    text += &pairs(model, found);
    text
}

fn head(path: &str, model: &Model) -> String {
    let asked = model.importance().iter().filter(|row| row.2 > 0).count();
    let features = counted(model.features.len(), "feature");
    let what = match model.nets().next() {
        Some(_) => size(model),
        None => counted(model.size().trees, "tree"),
    };
    format!(
        "{path}: {}, {what} asking for {asked} of {features}; learnt for {} of {}\n",
        model.learner,
        model.goal.spec(),
        cost_name(model)
    )
}

fn by_gain(model: &Model, most: usize) -> String {
    let (share, count) = shares_of(model);
    let header = ["feature".into(), share.into(), format!("{count}s")];
    let used: Vec<_> = model.importance().into_iter().filter(|row| row.2 > 0).collect();
    let mut rows: Vec<Vec<String>> = (used.iter().take(most))
        .map(|&(feature, gain, splits)| {
            vec![name(model, feature), percent(gain), nice_number(splits as f64)]
        })
        .collect();
    let rest = used.get(most..).unwrap_or(&[]);
    if !rest.is_empty() {
        let (gain, splits) = rest.iter().fold((0.0, 0), |sum, row| (sum.0 + row.1, sum.1 + row.2));
        rows.push(vec![others(rest.len()), percent(gain), nice_number(splits as f64)]);
    }
    format!("\n{}\n{}", table(&header, &rows), remark(shares(model)))
}

fn by_worth(model: &Model, worth: &PermutationImportance, asked: &Explain) -> String {
    let (share, count) = shares_of(model);
    let counts = format!("{count}s");
    let header =
        ["feature", "cost lost", "±", "of saved", share, counts.as_str()].map(str::to_owned);
    let gains = model.importance();
    let row = |loss: &FeatureLoss| {
        let gain = gains.iter().find(|row| row.0 == loss.feature);
        let share = if worth.saved > 0.0 { loss.cost / worth.saved } else { 0.0 };
        let mark = if loss.between_lists { " *" } else { "" };
        vec![
            name(model, loss.feature) + mark,
            nice_number(loss.cost),
            nice_number(loss.spread),
            signed_percent(share),
            gain.map_or(String::new(), |row| percent(row.1)),
            gain.map_or(String::new(), |row| nice_number(row.2 as f64)),
        ]
    };
    let shown = &worth.losses[..asked.top.min(worth.losses.len())];
    let mut rows: Vec<Vec<String>> = shown.iter().map(row).collect();
    if worth.losses.len() > shown.len() {
        let mut row = vec![String::new(); header.len()];
        row[0] = others(worth.losses.len() - shown.len());
        rows.push(row);
    }
    let mut text = format!("\n{}\n", table(&header, &rows));
    let times = match asked.repeats {
        1 => "once".to_owned(),
        n => format!("{n} times; ± is the standard deviation"),
    };
    text += &remark(&format!(
        "cost lost: what is no longer saved when the values of the feature are exchanged among \
         the items of a list ({times})"
    ));
    if shown.iter().any(|loss| loss.between_lists) {
        text += &remark("*: almost the same for all items of a list, so exchanged among lists");
    }
    text + &remark(shares(model))
}

fn pairs(model: &Model, found: &Explanation) -> String {
    let felt: Vec<_> = found.pairs.iter().filter(|pair| pair.size > 0.0).take(PAIRS).collect();
    if felt.is_empty() {
        return String::new();
    }
    let header = ["working together", "effect", "of both"].map(str::to_owned);
    let rows: Vec<Vec<String>> = (felt.iter())
        .map(|pair| {
            let [a, b] = pair.features.map(|feature| name(model, feature));
            vec![format!("{a} with {b}"), short(pair.size), percent(pair.share)]
        })
        .collect();
    let items = counted(found.sampled, "item");
    let what = format!(
        "effect: what the two do to the mean score beyond the sum of what each does (root mean \
         square over {items}); of both: its share of all they do (H squared)"
    );
    format!("\n{}\n{}", table(&header, &rows), remark(&what))
}

/// A line below a table, broken where it is too long.
fn remark(text: &str) -> String {
    wrap(text, width()).join("\n") + "\n"
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
