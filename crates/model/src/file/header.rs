//! Checks of what all kinds of files begin with: learner, seed, data and features.

use std::collections::HashSet;

use super::shape::{DataFile, FeatureFile, FeatureFileKind};
use super::{Invalid, invalid};
use crate::{Fingerprint, MAX_CATEGORIES, ModelFeature};

/// Also the limit of data sets.
const MAX_FEATURES: usize = 1 << 20;

/// Accepts any name: models of a learner that no longer exists can still score.
pub(super) fn learner(name: String) -> Result<String, Invalid> {
    if name.is_empty() { Err(invalid("learner", "is empty")) } else { Ok(name) }
}

pub(super) fn seed(text: &str) -> Result<u64, Invalid> {
    let number = text.parse::<u64>().ok().filter(|n| n.to_string() == text);
    number.ok_or_else(|| invalid("seed", format!("is `{text}`; must be an integer below 2^64")))
}

pub(super) fn data(file: &DataFile) -> Result<Fingerprint, Invalid> {
    Ok(Fingerprint { items: file.items, lists: file.lists, hash: hash(&file.hash)? })
}

pub(super) fn hash(text: &str) -> Result<u64, Invalid> {
    let digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
    let plain = text.len() == 16 && text.bytes().all(digit);
    match u64::from_str_radix(text, 16) {
        Ok(hash) if plain => Ok(hash),
        _ => Err(invalid("hash", format!("is `{text}`; must be 16 digits of 0-9 and a-f"))),
    }
}

pub(super) fn features(files: Vec<FeatureFile>) -> Result<Vec<ModelFeature>, Invalid> {
    at_most("features", files.len(), MAX_FEATURES)?;
    if let Some((i, name)) = repeated(files.iter().map(|f| f.name.as_str())) {
        let what = format!("the name `{name}` is repeated; names must differ");
        return Err(invalid(format!("features[{i}]"), what));
    }
    let one = |(i, file): (usize, FeatureFile)| {
        let refuse = |what: String| Err(invalid(format!("features[{i}]"), what));
        match (&file.categories, file.kind) {
            (Some(_), FeatureFileKind::Numeric) => refuse("is numeric, but has categories".into()),
            (None, FeatureFileKind::Categorical) => {
                refuse("is categorical, but has no categories".into())
            }
            (Some(names), _) if names.len() > MAX_CATEGORIES => refuse(format!(
                "has {} categories; at most {MAX_CATEGORIES} are allowed",
                names.len()
            )),
            (Some(names), _) => match repeated(names.iter().map(String::as_str)) {
                Some((_, name)) => refuse(format!("has the category `{name}` twice")),
                None => Ok(ModelFeature { name: file.name, categories: file.categories }),
            },
            (None, _) => Ok(ModelFeature { name: file.name, categories: None }),
        }
    };
    files.into_iter().enumerate().map(one).collect()
}

/// Refuses more than `max` entries of the field `name`.
pub(super) fn at_most(name: &str, count: usize, max: usize) -> Result<(), Invalid> {
    match count <= max {
        true => Ok(()),
        false => Err(invalid(name, format!("has {count} entries; at most {max} are allowed"))),
    }
}

/// The first name that occurred before, and its place.
pub(super) fn repeated<'n>(names: impl Iterator<Item = &'n str>) -> Option<(usize, &'n str)> {
    let mut seen = HashSet::new();
    names.enumerate().find(|(_, name)| !seen.insert(*name))
}
