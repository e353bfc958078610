//! Models in words: their size, their parts, their most important features.

use stakes::cost::CostModel;
use stakes::data::Role;
use stakes::display::nice_number;
use stakes::learn::{Ended, learner_of};
use stakes::model::{Input, Member, Model, Net};
use stakes::text::{cut, pad, percent, width as columns};

use super::draw::bar;
use super::output::counted;

/// What the cost is called: the impact's column, or the expression.
pub(crate) fn cost_name(model: &Model) -> String {
    match (&model.goal.cost, model.columns.get(&Role::Impact)) {
        (CostModel::Impact, Some(impact)) => impact.clone(),
        (cost, _) => cost.to_string(),
    }
}

/// The members of a blend, a line for each.
pub(crate) fn members(model: &Model) -> Vec<String> {
    let names: Vec<String> = model.members.iter().map(|member| name(member, model)).collect();
    let width = names.iter().map(String::len).max().unwrap_or(0);
    let line = |(member, name): (&Member, &String)| {
        let weight = match 100.0 * member.weight {
            0.0 => "    -".to_owned(),
            percent => format!("{percent:3.0} %"),
        };
        let figure = member.figure.map_or_else(String::new, |figure| format!("   {figure:.4}"));
        format!("{weight}  {name:width$}{figure}")
    };
    model.members.iter().zip(&names).map(line).collect()
}

/// The learner of a member, and what sets it apart from other members of the same learner.
fn name(member: &Member, model: &Model) -> String {
    let alike = || model.members.iter().filter(|other| other.learner == member.learner);
    let differs = |(key, value): &(&String, &String)| {
        alike().any(|other| other.parameters.get(*key).is_some_and(|text| text != *value))
    };
    let own = member.parameters.iter().filter(differs);
    let own: Vec<String> = own.map(|(key, value)| format!("{key}={value}")).collect();
    match own.is_empty() {
        true => member.learner.clone(),
        false => format!("{} ({})", member.learner, own.join(", ")),
    }
}

/// Why a stage ended, in words.
pub(crate) fn ended(ended: Ended, model: &Model) -> String {
    let patience = learner_of(model).and_then(|mut learner| learner.pace().patience.copied());
    match (ended, patience) {
        (Ended::AllRounds, _) => "all rounds completed".into(),
        (Ended::NoImprovement, Some(n)) => {
            format!("no improvement for {}", counted(n, "round"))
        }
        (Ended::NoImprovement, None) => "no further improvement".into(),
        (Ended::NothingLeft, _) => "nothing left to learn".into(),
        (Ended::Interrupted, _) => "interrupted".into(),
    }
}

/// How large a model is, in words.
pub(crate) fn size(model: &Model) -> String {
    let size = model.size();
    let mut parts: Vec<String> = model.nets().map(net_words).collect();
    if size.trees > 0 || parts.is_empty() {
        let (trees, leaves) = (counted(size.trees, "tree"), counted(size.leaves, "leaf"));
        parts.insert(0, format!("{trees} with {leaves}"));
    }
    parts.join(" and ")
}

fn net_words(net: &Net) -> String {
    let inputs = counted(net.inputs.len(), "input");
    let [hidden @ .., _] = &net.layers[..] else { return format!("a net of {inputs}") };
    let units: Vec<String> = hidden.iter().map(|layer| layer.outputs().to_string()).collect();
    match units[..] {
        [] => format!("a weighted sum of {inputs}"),
        _ => format!("a net of {inputs} and {} hidden units", units.join(" and ")),
    }
}

/// The quantity that a feature has a share of, and what is counted beside it.
pub(crate) fn shares_of(model: &Model) -> (&'static str, &'static str) {
    match model.size().trees {
        0 if model.nets().next().is_some() => ("weight", "input"),
        _ => ("gain", "split"),
    }
}

/// The weight of a feature that is one input of a linear model, per `unit` of it.
fn weight(model: &Model, feature: usize, unit: &str) -> Option<String> {
    let mut nets = model.nets();
    let (Some(net), None) = (nets.next(), nets.next()) else { return None };
    let [layer] = &net.layers[..] else { return None };
    let mut own =
        net.inputs.iter().zip(&layer.weights).filter(|(i, _)| i.feature() == Some(feature));
    match (own.next(), own.next()) {
        (Some((Input::Number { .. }, weight)), None) => {
            let sign = if *weight > 0.0 { "+" } else { "" };
            Some(format!("{sign}{} per {unit}", nice_number(*weight)))
        }
        _ => None,
    }
}

/// The features that mattered most, a line each.
pub(crate) fn importance(model: &Model, most: usize, width: usize) -> Vec<String> {
    let rows = model.importance();
    let used: Vec<_> = rows.iter().filter(|row| row.2 > 0).take(most).collect();
    let name = |&&(feature, ..): &&(usize, f64, usize)| model.features[feature].name.as_str();
    let unit = if width < 70 { "SD" } else { "standard deviation" };
    let remark = |row: &&(usize, f64, usize)| {
        weight(model, row.0, unit).unwrap_or_else(|| counted(row.2, shares_of(model).1))
    };
    let wide = used.iter().map(|row| columns(name(row))).max().unwrap_or(0).min(width / 3);
    let remarks = used.iter().map(|row| columns(&remark(row))).max().unwrap_or(0);
    let cells = width.saturating_sub(wide + remarks + 11).clamp(4, 30);
    let line = |row: &&(usize, f64, usize)| {
        let (name, bar) = (pad(&cut(name(row), wide), wide), bar(row.1, cells));
        format!("{name} {bar} {:>7}  {}", percent(row.1), remark(row))
    };
    used.iter().map(line).collect()
}
