//! Data sets, and how they are read for a model or beside other data: with the same roles, the
//! same kinds of features.

use std::collections::HashSet;

pub use stakes_core::data::*;
use stakes_io::{Format, ReadOptions};
use stakes_model::Model;

use crate::{Error, Note};

/// What data are read for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// To be ranked. Outcomes (the impact, the inputs of the cost) are left out if they are there.
    Rank {
        /// Whether prices are needed, as they are under a budget.
        prices: bool,
    },
    /// To be measured: outcomes are read.
    Measure,
}

/// Reads data for a model.
///
/// Columns have the roles that they had in training, where they are there, unless `options` name
/// others. Columns that the model does not read are not looked at, whatever they hold.
pub fn read_for(
    model: &Model,
    path: &str,
    options: &ReadOptions,
    purpose: Purpose,
) -> Result<(Dataset, Vec<Note>), Error> {
    let mut options = options.clone();
    let roles = &mut options.roles;
    // The lists of a model of classes are the rows themselves.
    let is_list = |role: &str| role == "list" && model.columns.contains_key("class");
    let of_model = |role: &str| model.columns.get(role).filter(|_| !is_list(role)).cloned();
    let measured = purpose == Purpose::Measure;
    let prices = match purpose {
        Purpose::Rank { prices } => prices,
        Purpose::Measure => model.goal.budget().is_some(),
    };
    let outcomes = if measured { model.goal.cost.columns() } else { Vec::new() };
    roles.extras.clone_from(&outcomes);
    roles.outcomes.clone_from(&outcomes);
    if path == "-" {
        // Stdin can be read only once: what is needed must be there.
        roles.list = roles.list.take().or_else(|| of_model("list"));
        roles.id = roles.id.take().or_else(|| of_model("id"));
        roles.price = roles.price.take().or_else(|| of_model("price").filter(|_| prices));
        let impact = roles.impact.take().or_else(|| of_model("impact"));
        roles.impact = impact.filter(|_| measured);
        return Ok((stakes_io::read(path, &options)?, Vec::new()));
    }
    let there = stakes_io::columns(path, options.format)?;
    if is_letor(path, options.format, &there) {
        let numeric = model.features.iter().filter(|f| f.categories.is_none());
        let data = stakes_io::read(path, &options)?;
        return Ok((data.with_zero_features(numeric.map(|f| f.name.as_str())), Vec::new()));
    }
    let mut notes = Vec::new();
    let is_there = |name: &String| there.contains(name);
    let fill = |role: &mut Option<String>, name: &str| {
        *role = role.take().or_else(|| of_model(name).filter(is_there));
    };
    fill(&mut roles.list, "list");
    fill(&mut roles.id, "id");
    let gone = |role: &Option<String>, name: &str| of_model(name).filter(|_| role.is_none());
    notes.extend(gone(&roles.list, "list").map(|column| Note::NoListColumn { column }));
    notes.extend(gone(&roles.id, "id").map(|column| Note::NoIdColumn { column }));
    fill(&mut roles.price, "price");
    if measured {
        fill(&mut roles.impact, "impact");
    }
    let impact = roles.impact.take();
    // Categories that look like numbers in this file alone are still categories.
    let names = model.features.iter().filter(|f| f.categories.is_some()).map(|f| &f.name);
    roles.categorical.extend(names.filter(|name| is_there(name)).cloned());
    roles.categorical.sort();
    roles.categorical.dedup();
    let mut unread: Vec<String> = model.goal.cost.columns();
    unread.extend(["impact", "weight", "group", "time"].iter().filter_map(|role| of_model(role)));
    unread.extend(
        [&mut roles.weight, &mut roles.group, &mut roles.time].into_iter().filter_map(Option::take),
    );
    match measured {
        true => {
            roles.impact = impact;
            unread.retain(|name| !outcomes.contains(name));
        }
        false => unread.extend(impact),
    }
    let used = [&roles.list, &roles.id, &roles.price, &roles.impact];
    let feature = |name: &String| model.features.iter().any(|f| f.name == *name);
    unread.retain(|name| is_there(name) && !feature(name) && !used.contains(&&Some(name.clone())));
    roles.drop.extend(unread);
    roles.drop.sort();
    roles.drop.dedup();
    Ok((stakes_io::read(path, &options)?, notes))
}

/// The column that the cost of a model's goal needs and the data do not have, if there is one.
pub fn missing_outcome(
    model: &Model,
    path: &str,
    options: &ReadOptions,
) -> Result<Option<String>, Error> {
    // Stdin can be read only once: what is needed must be there.
    if path == "-" {
        return Ok(None);
    }
    let there = stakes_io::columns(path, options.format)?;
    if is_letor(path, options.format, &there) {
        return Ok(None);
    }
    let impact = options.roles.impact.clone().or_else(|| model.columns.get("impact").cloned());
    let mut needed = impact.into_iter().chain(model.goal.cost.columns());
    Ok(needed.find(|column| !there.contains(column)))
}

/// Reads validation data as the training data were read: the same roles, the same kinds of
/// features. Their features are not yet those of the training data ([`validation_of`]).
pub fn read_like(data: &Dataset, path: &str, options: &ReadOptions) -> Result<Dataset, Error> {
    let mut options = options.clone();
    let (numeric, categorical): (Vec<_>, Vec<_>) =
        data.feature_info().iter().partition(|f| f.kind == FeatureKind::Numeric);
    let there = stakes_io::columns(path, options.format).unwrap_or_default();
    // What is to be left out need not be there.
    options.roles.drop.retain(|name| there.is_empty() || there.contains(name));
    // Categories that look like numbers in this file alone are still categories.
    for name in categorical.iter().map(|f| &f.name).filter(|name| there.contains(name)) {
        if !options.roles.categorical.contains(name) {
            options.roles.categorical.push(name.clone());
        }
    }
    let other = stakes_io::read(path, &options)?;
    Ok(match is_letor(path, options.format, &there) {
        true => other.with_zero_features(numeric.iter().map(|f| f.name.as_str())),
        false => other,
    })
}

/// Validation data with the features of the training data: the same columns, the same codes.
pub fn validation_of(data: &Dataset, other: Dataset) -> Result<(Dataset, Vec<Note>), Error> {
    let mut notes = Vec::new();
    let known = |name: &str| data.feature_info().iter().any(|f| f.name == name);
    let new = other.feature_info().iter().filter(|f| !known(&f.name)).count();
    let names = || (other.source().to_owned(), data.source().to_owned());
    if new > 0 {
        let (source, training) = names();
        notes.push(Note::NewColumns { source, training, columns: new });
    }
    for feature in data.feature_info() {
        let FeatureKind::Categorical(known) = &feature.kind else { continue };
        let there = other.feature_info().iter().find(|f| f.name == feature.name);
        let Some(FeatureKind::Categorical(there)) = there.map(|f| &f.kind) else { continue };
        let known: HashSet<&String> = known.iter().collect();
        let new: Vec<String> = there.iter().filter(|name| !known.contains(name)).cloned().collect();
        if !new.is_empty() {
            let (source, training) = names();
            let feature = feature.name.clone();
            notes.push(Note::NewCategories { source, training, feature, categories: new });
        }
    }
    Ok((other.with_features_of(data)?, notes))
}

/// What of the data a model does not use.
pub fn unused(model: &Model, data: &Dataset) -> Result<Vec<Note>, Error> {
    let matched = model.match_columns(data)?;
    // Columns that had a role in training are expected.
    let had_a_role = |name: &String| model.columns.values().any(|column| column == name);
    let columns: Vec<String> = matched.extra.into_iter().filter(|name| !had_a_role(name)).collect();
    let mut notes = Vec::new();
    if !columns.is_empty() {
        notes.push(Note::UnreadColumns { columns });
    }
    notes.extend(matched.unknown.into_iter().map(|unknown| Note::UnknownCategories {
        feature: unknown.feature,
        categories: unknown.categories,
        items: unknown.items,
        first: unknown.examples,
    }));
    Ok(notes)
}

/// What is lost when data are written in a format.
pub fn lost_by_writing(data: &Dataset, format: Format) -> Option<Note> {
    let categorical = data.feature_info().iter().filter(|f| f.kind != FeatureKind::Numeric);
    let features: Vec<String> = categorical.map(|feature| feature.name.clone()).collect();
    (format == Format::Letor && !features.is_empty()).then_some(Note::LostNames { features })
}

/// Whether data are LETOR, which names its columns itself and means 0 by a feature that is not
/// there. `there` are the columns, as far as they are known.
fn is_letor(path: &str, format: Option<Format>, there: &[String]) -> bool {
    match format.or_else(|| Format::from_path(path)) {
        Some(format) => format == Format::Letor,
        None => there.starts_with(&["label", "qid", "docid"].map(str::to_owned)),
    }
}
