//! Categories of XGBoost: codes, and from version 3.1 on their names.
//!
//! A test sends a set of codes to the right and all others, seen or not, to the left; only missing values follow
//! the default. So, unlike elsewhere, codes that no test names are no missing values: all that can occur need
//! a code of ours.

use std::collections::{BTreeMap, BTreeSet};

use stakes_model::tree::CategorySet;
use stakes_model::{MAX_CATEGORIES, ModelFeature};

use super::file::{Cats, Encoding, Tree};
use crate::import::error::Fault;

/// A small file could ask for much memory otherwise.
const MAX_UNNAMED: usize = 4096;

/// The categories of all features that have some, by number.
pub(super) struct AllCategories<'f> {
    cats: Option<&'f Cats>,
    /// The codes that tests name.
    tested: BTreeMap<u32, BTreeSet<u32>>,
    /// Whether missing values and unknown categories go to different sides somewhere.
    default_right: bool,
}

impl<'f> AllCategories<'f> {
    pub(super) fn new(feature_types: &[String], cats: Option<&'f Cats>) -> Self {
        let categorical = (0..).zip(feature_types).filter(|(_, kind)| *kind == "c");
        let tested = categorical.map(|(feature, _)| (feature, BTreeSet::new())).collect();
        AllCategories { cats, tested, default_right: false }
    }

    /// Notes what the tests of a tree name. Trees that are damaged are refused when they are made.
    pub(super) fn note(&mut self, tree: &Tree) {
        for (node, codes) in sets(tree).unwrap_or_default() {
            if let Some(&feature) = tree.split_indices.get(node) {
                self.tested.entry(feature).or_default().extend(codes);
                self.default_right |=
                    tree.default_left.get(node).is_some_and(|left| !left.is_set());
            }
        }
    }

    /// Makes features categorical, and says what cannot be the same.
    pub(super) fn finish(&self, features: &mut [ModelFeature]) -> Result<Option<String>, Fault> {
        let mut unnamed = Vec::new();
        for (&number, tested) in &self.tested {
            let Some(feature) = features.get_mut(number as usize) else { continue };
            let names = self.cats.and_then(|cats| cats.enc.get(number as usize)).map(names);
            let names = match names.transpose()?.filter(|names| !names.is_empty()) {
                Some(names) => names,
                None => {
                    unnamed.push(feature.name.clone());
                    if unnamed.len() > MAX_UNNAMED {
                        return Err(Fault::refused(format!(
                            "more than {MAX_UNNAMED} features have categories without names; so many are read"
                        )));
                    }
                    // Any code that a model of ours can tell.
                    (0..MAX_CATEGORIES).map(|code| code.to_string()).collect()
                }
            };
            let highest = tested.last().map_or(0, |&code| code as usize + 1);
            if names.len().max(highest) > MAX_CATEGORIES {
                return Err(Fault::refused(format!(
                    "`{}` has {} categories; models of stakes tell {MAX_CATEGORIES} apart",
                    feature.name,
                    names.len().max(highest)
                )));
            }
            if highest > names.len() {
                let what =
                    format!("`{}` has {} names for {highest} codes", feature.name, names.len());
                return Err(Fault::new("cats", what));
            }
            feature.categories = Some(names);
        }
        Ok((self.default_right && !unnamed.is_empty()).then(|| {
            format!(
                "the categories of {} have no names in the file: they are called by their codes 0, 1, ...; codes \
                 from {MAX_CATEGORIES} on count as missing",
                unnamed.join(", ")
            )
        }))
    }

    pub(super) fn has(&self, feature: u32) -> bool {
        self.tested.contains_key(&feature)
    }
}

/// Our codes are theirs, all of which are below 255.
pub(super) fn set(codes: &[u32]) -> CategorySet {
    codes.iter().filter_map(|&code| u8::try_from(code).ok()).collect()
}

/// The sets of codes of a tree, by node.
pub(super) fn sets(tree: &Tree) -> Result<BTreeMap<usize, Vec<u32>>, Fault> {
    let mut sets = BTreeMap::new();
    let ends = tree.categories_segments.iter().zip(&tree.categories_sizes);
    for (&node, (&first, &size)) in tree.categories_nodes.iter().zip(ends) {
        let codes = first.checked_add(size).and_then(|end| tree.categories.get(first..end));
        let codes = codes.ok_or_else(|| {
            Fault::new("categories_segments", format!("node {node} has {size} codes from {first}"))
        })?;
        sets.insert(usize::try_from(node).unwrap_or(usize::MAX), codes.to_vec());
    }
    let typed = tree.split_type.iter().enumerate().filter(|(_, kind)| **kind == 1);
    match typed.map(|(node, _)| node).find(|node| !sets.contains_key(node)) {
        Some(node) => {
            Err(Fault::new("categories_nodes", format!("the set of node {node} is missing")))
        }
        None => Ok(sets),
    }
}

/// The names of a feature's categories.
fn names(encoding: &Encoding) -> Result<Vec<String>, Fault> {
    let Some(offsets) = &encoding.offsets else {
        return Ok(encoding.values.iter().map(i64::to_string).collect());
    };
    let bytes: Vec<u8> = encoding.values.iter().map(|&byte| byte as u8).collect();
    let name = |ends: &[usize]| {
        let bytes = bytes.get(ends[0]..ends[1]).and_then(|bytes| std::str::from_utf8(bytes).ok());
        bytes.map(str::to_owned).ok_or_else(|| Fault::new("cats", "a name is no UTF-8 text"))
    };
    offsets.windows(2).map(name).collect()
}
