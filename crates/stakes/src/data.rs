//! Data sets, and reading them for a model ([`read_for`]) or for validation ([`read_like`]) with the
//! roles and the kinds of features of the training data.

use std::collections::HashSet;

pub use stakes_core::data::*;
use stakes_core::goal::Goal;
use stakes_io::{Content, Format, KnownRows, ReadOptions, Roles};
use stakes_model::{MatchedColumns, Model, ModelFeature};

use crate::{Error, Note, Task};

/// What data are read for, which decides which columns [`read_for`] needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Ranking. Outcomes (the impact, the inputs of the cost) are left out if the file has them.
    Rank {
        /// Whether prices are needed, as they are under a budget.
        prices: bool,
    },
    /// Evaluation: outcomes are read.
    Measure,
    /// A report: outcomes, times and prices are read where the file has them.
    Report,
}

/// Roles of training that are not read otherwise.
const UNREAD: [Role; 4] = [Role::Impact, Role::Weight, Role::Group, Role::Time];

/// Adds `read` to models: for new lists that are to be ranked.
pub trait ReadLists {
    /// Reads lists to rank, with the roles that columns had in training. [`read_for`] has options.
    fn read(&self, path: &str) -> Result<Dataset, Error>;
}

impl ReadLists for Model {
    fn read(&self, path: &str) -> Result<Dataset, Error> {
        let purpose = Purpose::Rank { prices: self.goal.budget().is_some() };
        read_for(self, path, &ReadOptions::default(), purpose)
    }
}

/// Reads data to rank or evaluate with a model.
///
/// Columns have the roles that they had in training unless `options` name others. Columns that the
/// model does not use are ignored, whatever they contain.
pub fn read_for(
    model: &Model,
    path: &str,
    options: &ReadOptions,
    purpose: Purpose,
) -> Result<Dataset, Error> {
    let mut options = options.clone();
    let roles = &mut options.roles;
    let of_model = |role: Role| column_of(model, role).cloned();
    let measured = purpose == Purpose::Measure;
    let prices = match purpose {
        Purpose::Rank { prices } => prices,
        Purpose::Measure | Purpose::Report => model.goal.budget().is_some(),
    };
    let outcomes = if measured { model.goal.cost.columns() } else { Vec::new() };
    roles.extras.clone_from(&outcomes);
    roles.outcomes.clone_from(&outcomes);
    if path == "-" {
        // Stdin can be read only once: what is needed must be there.
        roles.list = roles.list.take().or_else(|| of_model(Role::List));
        roles.id = roles.id.take().or_else(|| of_model(Role::Id));
        roles.price = roles.price.take().or_else(|| of_model(Role::Price).filter(|_| prices));
        let impact = roles.impact.take().or_else(|| of_model(Role::Impact));
        roles.impact = impact.filter(|_| measured);
        return Ok(stakes_io::read(path, &options)?);
    }
    let there = stakes_io::columns(path, &options.file)?;
    if is_letor(path, options.file.format, &there) {
        let numeric = model.features.iter().filter(|f| f.categories.is_none());
        let data = stakes_io::read(path, &options)?;
        return Ok(data.with_zero_features(numeric.map(|f| f.name.as_str())));
    }
    use_roles_of(model, &there, &mut options.roles, purpose);
    Ok(stakes_io::read(path, &options)?)
}

/// Reads data in memory, such as the body of a request, to rank or evaluate with a model: as [`read_for`] reads a file
/// of the same content.
pub fn read_content_for(
    model: &Model,
    content: Content,
    options: &ReadOptions,
    purpose: Purpose,
) -> Result<Dataset, Error> {
    let mut options = options.clone();
    let there = content.columns(&options.file)?;
    use_roles_of(model, &there, &mut options.roles, purpose);
    Ok(content.read(&options)?)
}

/// The columns that rows for a model have, to read rows as JSON at once; `None` if the model's are too unusual for that, or it
/// is one of classes.
///
/// Rows that it reads are ranked as those of [`read_content_for`] are, to the bit, although the data have their features in the
/// model's order.
pub fn known_rows_for(model: &Model, source: &str) -> Option<KnownRows> {
    if Task::of(model) != Task::Rank {
        return None;
    }
    let of_model = |role: Role| column_of(model, role).cloned();
    let feature = |feature: &ModelFeature| match &feature.categories {
        None => Feature::numeric(&feature.name),
        Some(names) => Feature::categorical(&feature.name, names.clone()),
    };
    let columns = Columns {
        list: of_model(Role::List),
        id: of_model(Role::Id),
        price: of_model(Role::Price),
        ..Columns::of_features(model.features.iter().map(feature).collect())
    };
    // Outcomes that are there are not read.
    let mut unread = model.goal.cost.columns();
    unread.extend(UNREAD.into_iter().filter_map(of_model));
    unread.retain(|name| columns.names().all(|read| read != name));
    unread.sort();
    unread.dedup();
    KnownRows::new(source, columns, unread.iter().map(String::as_str))
}

/// Completes the roles of columns by those that they had when a model was trained, where there are such
/// columns, and leaves out what the model does not need.
pub fn use_roles_of(model: &Model, there: &[String], roles: &mut Roles, purpose: Purpose) {
    let of_model = |role: Role| column_of(model, role).cloned();
    let measured = match purpose {
        Purpose::Rank { .. } => false,
        Purpose::Measure => true,
        // A column that was named must be there: the reader says so.
        Purpose::Report => roles.impact.is_some() || absent_outcome(model, there, roles).is_none(),
    };
    let outcomes = if measured { model.goal.cost.columns() } else { Vec::new() };
    roles.extras.clone_from(&outcomes);
    roles.outcomes.clone_from(&outcomes);
    let is_there = |name: &String| there.contains(name);
    let fill = |column: &mut Option<String>, role: Role| {
        *column = column.take().or_else(|| of_model(role).filter(is_there));
    };
    fill(&mut roles.list, Role::List);
    fill(&mut roles.id, Role::Id);
    fill(&mut roles.price, Role::Price);
    if measured {
        fill(&mut roles.impact, Role::Impact);
    }
    let time = match purpose {
        Purpose::Report => {
            fill(&mut roles.time, Role::Time);
            roles.time.take()
        }
        Purpose::Rank { .. } | Purpose::Measure => None,
    };
    let impact = roles.impact.take();
    // Categories that look like numbers in this file alone are still categories.
    let names = model.features.iter().filter(|f| f.categories.is_some()).map(|f| &f.name);
    roles.categorical.extend(names.filter(|name| is_there(name)).cloned());
    roles.categorical.sort();
    roles.categorical.dedup();
    let mut unread: Vec<String> = model.goal.cost.columns();
    unread.extend(UNREAD.into_iter().filter_map(of_model));
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
    roles.time = time;
    let used = [&roles.list, &roles.id, &roles.price, &roles.impact, &roles.time];
    let feature = |name: &String| model.features.iter().any(|f| f.name == *name);
    unread.retain(|name| is_there(name) && !feature(name) && !used.contains(&&Some(name.clone())));
    roles.drop.extend(unread);
    roles.drop.sort();
    roles.drop.dedup();
}

/// Returns a column that the cost of a model's goal needs and the file lacks, if there is one. Such
/// data can be ranked, but not evaluated.
pub fn missing_outcome(
    model: &Model,
    path: &str,
    options: &ReadOptions,
) -> Result<Option<String>, Error> {
    // Stdin can be read only once: what is needed must be there.
    if path == "-" {
        return Ok(None);
    }
    let there = stakes_io::columns(path, &options.file)?;
    if is_letor(path, options.file.format, &there) {
        return Ok(None);
    }
    Ok(absent_outcome(model, &there, &options.roles))
}

/// A column that the cost of a model's goal needs and that is not there, if there is one.
fn absent_outcome(model: &Model, there: &[String], roles: &Roles) -> Option<String> {
    let impact = roles.impact.clone().or_else(|| model.columns.get(&Role::Impact).cloned());
    let mut needed = impact.into_iter().chain(model.goal.cost.columns());
    needed.find(|column| !there.contains(column))
}

/// Whether data have all that the cost of a goal is computed from.
pub fn has_outcomes(goal: &Goal, data: &Dataset) -> bool {
    let needed = goal.cost.columns();
    let has = |name: &String| data.extras().any(|(extra, _)| extra == name);
    match needed.is_empty() {
        true => data.impact().is_some(),
        false => needed.iter().all(has),
    }
}

/// Reads validation data as the training data were read: the same roles, the same kinds of
/// features. [`validation_of`] then matches their columns.
pub fn read_like(data: &Dataset, path: &str, options: &ReadOptions) -> Result<Dataset, Error> {
    let mut options = options.clone();
    let (numeric, categorical): (Vec<_>, Vec<_>) =
        data.feature_info().iter().partition(|f| f.kind == FeatureKind::Numeric);
    let there = stakes_io::columns(path, &options.file).unwrap_or_default();
    // A column to drop may be missing.
    options.roles.drop.retain(|name| there.is_empty() || there.contains(name));
    // Categories that look like numbers in this file alone are still categories.
    for name in categorical.iter().map(|f| &f.name).filter(|name| there.contains(name)) {
        if !options.roles.categorical.contains(name) {
            options.roles.categorical.push(name.clone());
        }
    }
    let other = stakes_io::read(path, &options)?;
    Ok(match is_letor(path, options.file.format, &there) {
        true => other.with_zero_features(numeric.iter().map(|f| f.name.as_str())),
        false => other,
    })
}

/// Matches the features of validation data to those of the training data: the same columns, the same
/// codes of categories. The notes say what was left out.
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

/// The column that had a role in training. (The lists of a model of classes are the rows themselves.)
fn column_of(model: &Model, role: Role) -> Option<&String> {
    let is_row = role == Role::List && model.columns.contains_key(&Role::Class);
    model.columns.get(&role).filter(|_| !is_row)
}

/// Returns what should be known before a model scores data: columns that they lack, columns and
/// categories that the model does not use.
pub fn notes_on(model: &Model, data: &Dataset) -> Result<Vec<Note>, Error> {
    Ok(notes_on_matched(model, data, &model.match_columns(data)?))
}

/// The same for the data that `matched` was made for.
pub fn notes_on_matched(model: &Model, data: &Dataset, matched: &MatchedColumns) -> Vec<Note> {
    let mut notes = missing_columns(model, data);
    notes.extend(unused(model, matched));
    notes
}

/// Columns that identified lists and items in training, and that the data do not have.
pub(crate) fn missing_columns(model: &Model, data: &Dataset) -> Vec<Note> {
    let missing = |role: Role| {
        column_of(model, role).filter(|_| data.columns().role(role).is_none()).cloned()
    };
    let list = missing(Role::List).map(|column| Note::NoListColumn { column });
    let id = missing(Role::Id).map(|column| Note::NoIdColumn { column });
    list.into_iter().chain(id).collect()
}

/// Columns and categories of the data that a model does not use.
pub(crate) fn unused(model: &Model, matched: &MatchedColumns) -> Vec<Note> {
    // Columns that had a role in training are expected.
    let had_a_role = |name: &&String| model.columns.values().any(|column| column == *name);
    let columns: Vec<String> =
        matched.extra.iter().filter(|name| !had_a_role(name)).cloned().collect();
    let mut notes = Vec::new();
    if !columns.is_empty() {
        notes.push(Note::UnreadColumns { columns });
    }
    notes.extend(matched.unknown.iter().cloned().map(|unknown| Note::UnknownCategories {
        feature: unknown.feature,
        categories: unknown.categories,
        items: unknown.items,
        first: unknown.examples,
    }));
    notes
}

/// Returns what is lost when data are written in a format, if anything: LETOR has no names of
/// categories.
pub fn lost_by_writing(data: &Dataset, format: Format) -> Option<Note> {
    let categorical = data.feature_info().iter().filter(|f| f.kind != FeatureKind::Numeric);
    let features: Vec<String> = categorical.map(|feature| feature.name.clone()).collect();
    (format == Format::Letor && !features.is_empty()).then_some(Note::LostNames { features })
}

/// Whether data are LETOR, whose columns have fixed names and whose missing features are 0.
/// `there` are the columns, as far as they are known.
pub(crate) fn is_letor(path: &str, format: Option<Format>, there: &[String]) -> bool {
    match format.or_else(|| Format::from_path(path)) {
        Some(format) => format == Format::Letor,
        None => there.starts_with(&["label", "qid", "docid"].map(str::to_owned)),
    }
}
