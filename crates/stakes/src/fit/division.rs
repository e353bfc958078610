//! Lists to train on and lists to validate with.

use std::collections::HashSet;
use std::fmt;

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::goal::Goal;
use stakes_core::split::{HoldOut, Sides};
use stakes_inspect::reads_as_dates;
use stakes_learn::Kind;
use stakes_model::{Fingerprint, MAX_CATEGORIES};

use super::{Fit, Validation};
use crate::{Error, Note, data};

/// The part that is held out by default, and the number of lists that this takes.
const DEFAULT_PART: HoldOut = HoldOut::Share(0.2);
const MIN_LISTS: usize = 5;

/// Data divided into lists to train on and lists to validate with.
#[derive(Debug, Clone)]
pub struct Division {
    /// The lists to train on.
    pub training: Dataset,
    /// The lists to validate with, if there are any.
    pub validation: Option<Dataset>,
    /// Where they come from.
    pub origin: Origin,
    /// What should be known about the data before a model is trained.
    pub notes: Vec<Note>,
}

/// Where validation lists come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Origin {
    /// There are none.
    None,
    /// They were given.
    Given,
    /// Drawn by list id.
    Drawn,
    /// The latest lists.
    Latest,
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::None => "none",
            Origin::Given => "given",
            Origin::Drawn => "held out, drawn by list id",
            Origin::Latest => "held out, the latest",
        })
    }
}

impl Fit<'_> {
    /// Divides data as this fit needs them.
    pub fn divide(&self, data: Dataset, goal: &Goal) -> Result<Division, Error> {
        let mut notes = self.notes(&data)?;
        let (sides, more) = self.choose(&data, goal)?;
        notes.extend(more);
        if sides.held_out.is_empty() {
            return Ok(Division { training: data, validation: None, origin: Origin::None, notes });
        }
        Ok(Division {
            training: data.take_lists(&sides.kept),
            validation: Some(data.take_lists(&sides.held_out)),
            origin: if sides.by_time { Origin::Latest } else { Origin::Drawn },
            notes,
        })
    }

    /// Takes other data to validate with. They get the features of the training data.
    pub fn validate_with(&self, data: Dataset, other: Dataset) -> Result<Division, Error> {
        let mut notes = self.notes(&data)?;
        notes.extend(shared_lists(&data, &other));
        let (validation, more) = data::validation_of(&data, other)?;
        notes.extend(more);
        let validation = Some(validation);
        Ok(Division { training: data, validation, origin: Origin::Given, notes })
    }

    fn notes(&self, data: &Dataset) -> Result<Vec<Note>, Error> {
        match self.init_model {
            Some(model) => data::unused(model, data),
            None => Ok(odd_features(data)),
        }
    }

    /// Chooses the lists to hold out.
    pub(super) fn choose(&self, data: &Dataset, goal: &Goal) -> Result<(Sides, Vec<Note>), Error> {
        let savable = Problem::new(data, goal)?.savable();
        let lists = savable.iter().filter(|&&savable| savable).count();
        let mut notes = Vec::new();
        let part = match self.validation {
            Validation::HoldOut(part) => part,
            // The learner will say what is wrong, or has folds of the lists.
            Validation::Auto if lists == 0 || self.configured.learner.kind() == Kind::Blend => {
                HoldOut::None
            }
            Validation::Auto if lists < MIN_LISTS => {
                notes.push(Note::FewLists { lists });
                HoldOut::None
            }
            Validation::Auto => DEFAULT_PART,
        };
        Ok((part.divide(data, &savable, self.seed)?, notes))
    }
}

/// Features that trees can make little of.
fn odd_features(data: &Dataset) -> Vec<Note> {
    let note = |(feature, names): (&String, &Vec<String>)| {
        let (feature, categories) = (feature.clone(), names.len());
        if reads_as_dates(names) {
            Some(Note::Dates { feature, categories })
        } else if categories > MAX_CATEGORIES {
            Some(Note::ManyCategories { feature, categories })
        } else {
            None
        }
    };
    let categorical = data.feature_info().iter().filter_map(|feature| match &feature.kind {
        FeatureKind::Categorical(names) => Some((&feature.name, names)),
        FeatureKind::Numeric => None,
    });
    categorical.filter_map(note).collect()
}

/// Lists that seem to be on both sides: figures on training lists are worthless.
fn shared_lists(training: &Dataset, validation: &Dataset) -> Option<Note> {
    // Rows of classes have no names that could be the same.
    if training.columns().list.is_none() || training.columns().class.is_some() {
        return None;
    }
    let known: HashSet<&str> = ids(training).collect();
    let shared = ids(validation).filter(|id| known.contains(id));
    let lists: Vec<String> = shared.map(str::to_owned).collect();
    let source = validation.source().to_owned();
    (!lists.is_empty()).then_some(Note::SharedLists { source, lists })
}

fn ids(data: &Dataset) -> impl Iterator<Item = &str> {
    (0..data.n_lists()).map(|list| data.list_id(list))
}

/// Refuses to validate with nothing but training lists: a copy of the training data, or a part of
/// them.
pub(super) fn check_unseen(training: &Problem<'_>, validation: &Problem<'_>) -> Result<(), Error> {
    let known: HashSet<&str> = ids(training.data()).collect();
    if !ids(validation.data()).all(|id| known.contains(id)) {
        return Ok(());
    }
    // Lists of other data may have the same names.
    let known: HashSet<u64> = Fingerprint::of_lists(training).into_iter().collect();
    match Fingerprint::of_lists(validation).iter().all(|list| known.contains(list)) {
        true => Err(Error::TrainingLists { data: validation.data().source().to_owned() }),
        false => Ok(()),
    }
}
