//! What should make one stop and ask before a model is learnt.

use std::collections::HashSet;

use stakes::data::{Dataset, FeatureKind};
use stakes::inspect::reads_as_dates;
use stakes::model::MAX_CATEGORIES;

use crate::output::{counted, note};
use crate::rank::{counted_categories, tell};

/// Says which features are names that a tree can make little of.
pub(super) fn features(data: &Dataset) {
    for feature in data.feature_info() {
        let FeatureKind::Categorical(names) = &feature.kind else { continue };
        let name = &feature.name;
        if reads_as_dates(names) {
            note(format!(
                "{name} holds dates, and is learnt from as {}, which say nothing of later ones: \
                 leave it out (--drop {name}), or have the latest lists held out (--time {name})",
                counted_categories(names.len())
            ));
        } else if names.len() > MAX_CATEGORIES {
            note(format!(
                "{name} has {}: the {MAX_CATEGORIES} most frequent are told apart, the others \
                 count as missing",
                counted_categories(names.len())
            ));
        }
    }
}

/// Says which lists seem to be on both sides: a figure on what was learnt from is worthless.
pub(super) fn shared_lists(train: &Dataset, valid: &Dataset) {
    if train.columns().list.is_none() {
        return;
    }
    let learnt: HashSet<&str> = (0..train.n_lists()).map(|list| train.list_id(list)).collect();
    let ids = (0..valid.n_lists()).map(|list| valid.list_id(list));
    let shared: Vec<String> = ids.filter(|id| learnt.contains(id)).map(str::to_owned).collect();
    let what = format!(
        "{} of {} with the name of a list that is learnt from (if they are the same, the figures \
         are worthless)",
        counted(shared.len(), "list"),
        valid.source()
    );
    tell(&what, &shared);
}

/// Says which names of features the training data do not know.
pub(super) fn unknown_categories(train: &Dataset, valid: &Dataset) {
    for feature in train.feature_info() {
        let FeatureKind::Categorical(known) = &feature.kind else { continue };
        let there = valid.feature_info().iter().find(|f| f.name == feature.name);
        let Some(FeatureKind::Categorical(there)) = there.map(|f| &f.kind) else { continue };
        let known: HashSet<&String> = known.iter().collect();
        let new: Vec<String> = there.iter().filter(|name| !known.contains(name)).cloned().collect();
        let what = format!(
            "{}: {} of {} that {} does not have, treated as missing",
            valid.source(),
            counted_categories(new.len()),
            feature.name,
            train.source()
        );
        tell(&what, &new);
    }
}
