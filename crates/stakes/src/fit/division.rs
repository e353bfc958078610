//! Training lists and validation lists.

use std::borrow::Cow;
use std::collections::HashSet;
use std::fmt;

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, FeatureKind};
use stakes_core::goal::Goal;
use stakes_core::metric::Scale;
use stakes_core::shards::Shards;
use stakes_core::split::{HeldOut, HoldOut, HoldOutOptions};
use stakes_inspect::{looks_like_outcome, reads_as_dates};
use stakes_learn::multiclass::Classes;
use stakes_learn::{GivenCosts, Kind};
use stakes_model::{Fingerprint, MAX_CATEGORIES, RoleColumns};

use super::{Fit, Validation};
use crate::task::TaskLists;
use crate::{Error, Note, data};

/// The part that is held out by default, or the number of folds, and the number of lists that this
/// takes.
const DEFAULT_PART: HoldOut = HoldOut::Share(0.2);
const DEFAULT_FOLDS: usize = 5;
const MIN_LISTS: usize = 5;
/// The maximum number of values of features for folds by default: with more of them the lists that are
/// held out are enough to decide by, and four times the work is long.
const MAX_CELLS_IN_FOLDS: usize = 20_000_000;

/// Data prepared for training by [`Fit::divide`] or [`Fit::validate_with`]: training lists, validation lists
/// and the goal.
#[derive(Debug, Clone)]
pub struct Division<'d> {
    /// The goal. Percentages have become numbers of items, by the mean length of all lists, training and
    /// validation.
    pub goal: Goal,
    /// The training lists.
    pub training: Cow<'d, Dataset>,
    /// The validation lists, if there are any.
    pub validation: Option<Dataset>,
    /// Where they come from.
    pub origin: Origin,
    /// The classes, if each list is a row whose items are its candidate classes.
    pub classes: Option<Classes>,
    /// Costs of pairs of items or of classes, for learners that use them.
    pub costs: Option<GivenCosts>,
    /// The columns that a model of these data records.
    pub columns: RoleColumns,
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
    /// Each list is left out once, in one of this many folds.
    Folds(usize),
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::None => f.write_str("none"),
            Origin::Given => f.write_str("given"),
            Origin::Drawn => f.write_str("held out, drawn by list id"),
            Origin::Latest => f.write_str("held out, the latest"),
            Origin::Folds(folds) => write!(f, "cross-validated in {folds} folds"),
        }
    }
}

impl Division<'_> {
    /// The training lists with their goal.
    pub fn problem(&self) -> Result<Problem<'_>, Error> {
        Ok(Problem::new(&self.training, &self.goal)?)
    }

    /// The validation lists with their goal, if there are any.
    pub fn validation_problem(&self) -> Result<Option<Problem<'_>>, Error> {
        let problem = self.validation.as_ref().map(|data| Problem::new(data, &self.goal));
        Ok(problem.transpose()?)
    }
}

impl Fit<'_> {
    /// Splits data into training and validation lists by the options of this fit. For classes, each row
    /// becomes a list.
    pub fn divide<'d>(
        &self,
        data: impl Into<Cow<'d, Dataset>>,
        goal: &Goal,
    ) -> Result<Division<'d>, Error> {
        let mut division = self.whole(data.into(), goal)?;
        let savable = division.problem()?.savable();
        let lists = savable.iter().filter(|&&savable| savable).count();
        let lists = self.shards.sum_of(lists as i64) as usize;
        let is_blend = self.configured.learner.kind() == Kind::Blend;
        let part = match self.validation {
            Validation::HoldOut(part) => part,
            Validation::Folds(folds) if lists >= 2 => {
                division.origin = Origin::Folds(folds.min(lists));
                HoldOut::None
            }
            // The learner will say what is wrong, or has folds of the lists.
            Validation::Auto if lists == 0 || is_blend => HoldOut::None,
            Validation::Auto if lists >= MIN_LISTS && self.has_folds_by_default(&division) => {
                division.origin = Origin::Folds(DEFAULT_FOLDS);
                HoldOut::None
            }
            Validation::Auto if lists >= MIN_LISTS => DEFAULT_PART,
            Validation::Auto | Validation::Folds(_) => {
                division.notes.push(Note::FewLists { lists });
                HoldOut::None
            }
        };
        if part != HoldOut::None {
            let options = HoldOutOptions { part, seed: self.seed, savable: Some(&savable) };
            let HeldOut { kept, held_out, by_time } =
                division.training.hold_out_among(&options, &self.shards)?;
            division.training = Cow::Owned(kept);
            division.validation = Some(held_out);
            division.origin = if by_time { Origin::Latest } else { Origin::Drawn };
        }
        Ok(division)
    }

    /// Whether lists are left out fold by fold unless something else is asked for. Where times are known,
    /// the latest lists are held out instead: a figure must not come from models of later lists.
    fn has_folds_by_default(&self, division: &Division<'_>) -> bool {
        let data = &division.training;
        self.configured.learner.cross_fits()
            && data.time().is_none()
            && self.trials.is_none()
            && self.init_model.is_none()
            && !matches!(division.costs, Some(GivenCosts::Pairs(..)))
            && self.shards.sum_of(data.len() as i64) as usize * data.features().width()
                <= MAX_CELLS_IN_FOLDS
    }

    /// All lists to train on, and none to validate with.
    fn whole<'d>(&self, data: Cow<'d, Dataset>, goal: &Goal) -> Result<Division<'d>, Error> {
        let costs = match &self.costs {
            Some(costs) => Some(costs.clone()),
            None => self.task.read_costs(&*self.configured.learner)?,
        };
        if let (Validation::Folds(_), Some(GivenCosts::Pairs(..))) = (self.validation, &costs) {
            let why = "costs of pairs are of lists that a fold leaves out; hold lists out instead";
            return Err(Error::Folds(why.to_owned()));
        }
        let TaskLists { data, classes, columns } = self.task.lists(data)?;
        let mut notes = match self.init_model {
            Some(model) => data::unused(model, &model.match_columns(&data)?),
            None => odd_features(&data),
        };
        // Also of lists that are held out now.
        let first = self.init_model.or(self.base).filter(|model| !model.data.is_known());
        notes.extend(first.map(|_| Note::TrainedElsewhere {
            name: "the model that it begins with".to_owned(),
            source: data.source().to_owned(),
        }));
        Ok(Division {
            goal: goal.clone().resolve(Scale::among(&data, &self.shards).mean_list_length),
            training: data,
            validation: None,
            origin: Origin::None,
            classes,
            costs,
            columns,
            notes,
        })
    }

    /// Validates with other data instead of holding lists out. Their features are matched to those of the
    /// training data.
    pub fn validate_with<'d>(
        &self,
        data: impl Into<Cow<'d, Dataset>>,
        other: Dataset,
        goal: &Goal,
    ) -> Result<Division<'d>, Error> {
        let mut division = self.whole(data.into(), goal)?;
        let training = &division.training;
        let other = match &division.classes {
            Some(classes) => classes.candidates(&other, true)?,
            None => other,
        };
        division.notes.extend(shared_lists(training, &other));
        let (validation, notes) = data::validation_of(training, other)?;
        division.notes.extend(notes);
        division.validation = Some(validation);
        division.origin = Origin::Given;
        Ok(division)
    }
}

/// Features that are of little use to trees, and those that new lists will not have.
fn odd_features(data: &Dataset) -> Vec<Note> {
    let class = data.columns().class.as_ref();
    let named = data.feature_info().iter().map(|feature| &feature.name);
    let outcomes = named.filter(|name| looks_like_outcome(name) && Some(*name) != class);
    let features: Vec<String> = outcomes.cloned().collect();
    let outcomes = (!features.is_empty()).then_some(Note::Outcomes { features });
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
    outcomes.into_iter().chain(categorical.filter_map(note)).collect()
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
pub(super) fn check_unseen(
    training: &Problem<'_>,
    validation: &Problem<'_>,
    shards: &Shards,
) -> Result<(), Error> {
    let known: HashSet<&str> = ids(training.data()).collect();
    // A list of one shard may have been trained on by another.
    if shards.are_one() && !ids(validation.data()).all(|id| known.contains(id)) {
        return Ok(());
    }
    // Lists of other data may have the same names.
    let hashes = Fingerprint::of_lists(training)?.into_iter().flat_map(u64::to_le_bytes);
    let known = shards.gather(hashes.collect());
    let known: HashSet<[u8; 8]> =
        known.iter().flat_map(|bytes| bytes.as_chunks().0.iter().copied()).collect();
    let is_new = |list: &u64| !known.contains(&list.to_le_bytes());
    let some_new = Fingerprint::of_lists(validation)?.iter().any(is_new);
    match !shards.any(some_new) {
        true => Err(Error::TrainingLists { data: validation.data().source().to_owned() }),
        false => Ok(()),
    }
}
