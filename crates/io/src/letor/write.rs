//! Writing a data set as LETOR lines.

use std::io::Write;

use stakes_core::data::{Dataset, Role};

use crate::number;
use crate::table;

/// Returns why LETOR cannot represent the data set, and what to do.
pub(crate) fn objection(data: &Dataset) -> Option<String> {
    let c = data.columns();
    if c.impact.is_none() {
        return Some(
            "LETOR needs an impact in every line, and the data has none; choose csv".into(),
        );
    }
    // A class is one of the features.
    let written = [Role::List, Role::Impact, Role::Id, Role::Class];
    let lost = c.roles().filter(|(role, _)| !written.contains(role)).map(|(_, name)| name);
    let extras =
        c.extras.iter().map(String::as_str).filter(|name| c.role(Role::Impact) != Some(name));
    if let Some(name) = lost.chain(extras).next() {
        return Some(format!(
            "LETOR cannot hold the column `{name}`; drop it when reading, or choose csv, \
             parquet or arrow"
        ));
    }
    let lists = (0..data.n_lists()).map(|list| data.list_id(list));
    let lists = lists.filter(|_| c.list.is_some()).find(|id| !is_word(id));
    let id = (0..data.len()).filter_map(|item| data.item_id(item)).find(|id| !is_word(id));
    lists.or(id).map(|name| {
        format!(
            "the id `{name}` has a blank or `#`, or is empty, which LETOR does not allow; rename \
             it, or choose csv, parquet or arrow"
        )
    })
}

fn is_word(id: &str) -> bool {
    !id.is_empty() && !id.contains(|c: char| c.is_ascii_whitespace() || c == '#')
}

/// Returns the feature indices: the names if they are ascending numbers, else 1, 2, ...
fn indices(data: &Dataset) -> Vec<u32> {
    let features = data.feature_info();
    let named: Option<Vec<u32>> = features
        .iter()
        .map(|f| f.name.parse::<u32>().ok().filter(|i| i.to_string() == f.name))
        .collect();
    match named {
        Some(named)
            if named.is_sorted_by(|a, b| a < b)
                && named.last().is_none_or(|&i| i <= super::parse::MAX_INDEX) =>
        {
            named
        }
        _ => (1..=features.len() as u32).collect(),
    }
}

/// Writes every item with all its features (including zeros, to keep the number of features).
/// Missing values are written as `nan`, categories as their code.
pub(crate) fn write(data: &Dataset, out: &mut dyn Write) -> std::io::Result<()> {
    let names: Vec<String> = indices(data).iter().map(|i| format!(" {i}:")).collect();
    let impact = data.impact().unwrap_or_default();
    let has_list = data.columns().list.is_some();
    let mut line = String::new();
    for (item, list) in table::rows(data) {
        line.clear();
        number::push_f64(&mut line, impact[item]);
        if has_list {
            line.push_str(" qid:");
            line.push_str(data.list_id(list));
        }
        for (name, &value) in names.iter().zip(data.features().row(item)) {
            line.push_str(name);
            if value.is_nan() {
                line.push_str("nan");
            } else {
                number::push_f32(&mut line, value);
            }
        }
        if let Some(id) = data.item_id(item) {
            line.push_str(" #docid = ");
            line.push_str(id);
        }
        line.push('\n');
        out.write_all(line.as_bytes())?;
    }
    Ok(())
}
