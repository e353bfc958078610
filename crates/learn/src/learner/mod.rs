//! What a learner is: a value with typed parameters that makes a model of a problem.
//!
//! Most learners make their score in one or several stages ([`Learner::fit_run`]): a [`Run`] gives
//! them data in bins or as inputs, rounds with early stopping, checkpoints and resuming. Those that
//! are made of other learners, or are algorithms without rounds ([`Fitted::of_scorer`]), replace
//! [`Learner::fit_problem`] as a whole.

mod checks;
mod configured;
mod fit;
mod macros;
mod own;
mod work;

use std::collections::BTreeMap;
use std::fmt::Debug;

use stakes_core::cost::Problem;
use stakes_core::goal::Goal;
use stakes_core::suggest;
use stakes_model::{ListScaling, MAX_CATEGORIES, Scorer};

use crate::error::FitError;
use crate::foreign;
use crate::given_costs::CostFiles;
use crate::params::{ParamError, ParamGroup, ParamInfo, canonical_key};
use crate::run::{FitContext, Fitted, Run};
use crate::tree::Trees;

pub(crate) use checks::{check_data, check_same_features, check_same_run};
pub use configured::Configured;
pub use fit::train;
pub(crate) use fit::{fit_prepared, fit_stages, header, prepare};
pub(crate) use macros::{grows_trees, reads_inputs};
pub(crate) use own::measured_stage;
pub use work::{round_seconds, training_seconds};

/// Learners that belong together.
#[derive(Clone, Copy)]
pub struct Family {
    /// A heading.
    pub title: &'static str,
    /// Makes each learner with its default parameters.
    pub learners: &'static [fn() -> Box<dyn Learner>],
}

impl Family {
    /// Its learners, with their default parameters.
    pub fn learners(&self) -> impl Iterator<Item = Box<dyn Learner>> + Clone + use<> {
        self.learners.iter().map(|make| make())
    }
}

/// What a learner is, in words: for tables and help.
#[derive(Debug, Clone, Copy)]
pub struct About {
    /// The name.
    pub name: &'static str,
    /// Other names people use.
    pub aliases: &'static [&'static str],
    /// In a few words.
    pub title: &'static str,
    /// What it optimises.
    pub optimises: &'static str,
    /// Where it comes from.
    pub citation: &'static str,
    /// How cost is used: not at all, as the weight of lists (cr), or in what is optimised (cs).
    pub cost_mode: &'static str,
    /// Whether the seed matters.
    pub random: bool,
}

impl About {
    /// A learner that ignores costs and the seed, but for what sets it apart from others.
    pub const PLAIN: About = About {
        name: "",
        aliases: &[],
        title: "",
        optimises: "",
        citation: "",
        cost_mode: "none",
        random: false,
    };
}

/// What the score of a learner is made of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// A sum of trees.
    Trees(TreeUnit),
    /// Weights: a linear score or a net.
    Weights,
    /// The scores of other learners ([`crate::auto`]).
    Blend,
    /// Another learner's score, and a second one for the items it ranks first ([`crate::rerank`]).
    Rerank,
}

/// The unit of the values in the leaves of trees, which matters when training continues from a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TreeUnit {
    /// Costs or their logarithms, in [`Scorer::unit`]: new trees must use the same unit.
    Costs,
    /// Differences of scores, which have no unit.
    Differences,
}

/// The parameters that set how long training takes, which tuning and blending change.
#[derive(Debug, Default)]
pub struct Pace<'l> {
    /// Numbers of rounds, by key; that of the main stage first.
    pub rounds: Vec<(&'static str, &'l mut usize)>,
    /// The learning rate.
    pub rate: Option<&'l mut f64>,
    /// Rounds without improvement before training stops.
    pub patience: Option<&'l mut usize>,
}

/// How much a learner that trains others is going to do, shown before training starts.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// The number of learners.
    pub members: usize,
    /// The number of folds that each is trained in.
    pub folds: usize,
    /// A rough estimate of the seconds that it takes on one core; nothing depends on it.
    pub seconds: f64,
}

/// A way to make a model of a problem.
pub trait Learner: Debug + Send + Sync {
    /// What it is, in words.
    fn about(&self) -> &About;

    /// Its parameters, group by group.
    fn groups(&self) -> Vec<&dyn ParamGroup>;

    /// The same, to be changed.
    fn groups_mut(&mut self) -> Vec<&mut dyn ParamGroup>;

    /// A copy.
    fn boxed(&self) -> Box<dyn Learner>;

    /// What its score is made of.
    fn kind(&self) -> Kind;

    /// Makes the score, stage by stage. Learners that are made of others have no stages,
    /// and replace [`Learner::fit_problem`] instead.
    fn fit_run(&self, _run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        Err(FitError::Data(format!("{} has no stages", self.name())))
    }

    /// Makes a model of a problem: by stages, unless this is replaced.
    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        // A copy of unknown type, so that this is compiled once and not per learner.
        fit_stages(&*self.boxed(), problem, cx, None)
    }

    /// How it grows trees; `None` if it grows none, or only stumps.
    fn trees(&self) -> Option<&Trees> {
        None
    }

    /// The maximum number of bins of a feature. Learners without trees do not use bins, but
    /// distinguish only this many categories.
    fn bins(&self) -> usize {
        self.trees().map_or(MAX_CATEGORIES, |trees| trees.bins)
    }

    /// How numbers are scaled within their list before they become inputs.
    fn list_scaling(&self) -> ListScaling {
        ListScaling::None
    }

    /// Whether its scores are in proportion to expected costs, so that money is best spent by score per price
    /// ([`Model::priorities`](stakes_model::Model::priorities)).
    fn scores_costs(&self, _goal: &Goal) -> bool {
        self.kind() == Kind::Trees(TreeUnit::Costs)
    }

    /// The files of costs that its parameters name.
    fn cost_files(&self) -> CostFiles<'_> {
        CostFiles::default()
    }

    /// Whether it can be trained in folds as one model ([`FitContext::folds`]).
    fn cross_fits(&self) -> bool {
        false
    }

    /// Whether it can be trained with lists that are dealt to several shards ([`FitContext::shards`]).
    fn takes_shards(&self) -> bool {
        self.cross_fits()
    }

    /// With more values of features than this, they need not be in memory
    /// ([`FeatureSource`](stakes_core::data::FeatureSource)); `None` if they always must.
    fn streams_above(&self) -> Option<usize> {
        self.takes_shards().then_some(0)
    }

    /// Whether it can distinguish classes ([`crate::multiclass`]).
    fn takes_classes(&self) -> bool {
        false
    }

    /// How long it trains.
    fn pace(&mut self) -> Pace<'_> {
        Pace::default()
    }

    /// The maximum number of rounds of each stage, as far as they are known before it begins.
    fn stage_rounds(&self) -> Vec<usize> {
        self.boxed().pace().rounds.into_iter().map(|(_, rounds)| *rounds).collect()
    }

    /// How much it is going to do, if it trains other learners.
    fn work(&self, _problem: &Problem<'_>) -> Option<Work> {
        None
    }

    /// Values of a parameter that tuning tries instead of those declared with it.
    fn own_tries(&self, _key: &str) -> Option<&'static [&'static str]> {
        None
    }

    /// The name.
    fn name(&self) -> &'static str {
        self.about().name
    }

    /// All parameters with their values.
    fn params(&self) -> Vec<ParamInfo> {
        let mut infos: Vec<ParamInfo> =
            self.groups().into_iter().flat_map(|group| group.infos()).collect();
        for info in &mut infos {
            info.tries = self.own_tries(&info.key).unwrap_or(info.tries);
        }
        infos
    }

    /// All parameters as texts, for the model file.
    fn texts(&self) -> BTreeMap<String, String> {
        self.params().into_iter().map(|info| (info.key, info.value)).collect()
    }

    /// Sets a parameter by its key or an alias, and returns its key.
    fn set(&mut self, key: &str, text: &str) -> Result<String, ParamError> {
        let learner = self.name();
        match set_in(self.groups_mut(), learner, key, text) {
            Some(done) => done,
            None => Err(self.unknown_param(&canonical_key(key))),
        }
    }

    /// The error for a key that is none of its parameters.
    fn unknown_param(&self, key: &str) -> ParamError {
        if let Some(what) = foreign::not_a_parameter(key) {
            return ParamError::Elsewhere { key: key.to_owned(), what };
        }
        let (learner, key) = (self.name().to_owned(), key.to_owned());
        if let Some((member, here)) = self.member_with(&key) {
            return ParamError::OfMember { learner, key, here, member: member.to_owned() };
        }
        let hint = hint_among(&self.params(), &key);
        ParamError::Unknown { learner, key, hint }
    }

    /// The key that a name has among its parameters: its own, an alias, or a name of another library.
    fn key_of(&self, name: &str) -> Option<String> {
        key_among(&self.params(), name)
    }

    /// A learner that has a parameter which this one leaves to its members, and the key there.
    fn member_with(&self, _name: &str) -> Option<(&'static str, String)> {
        None
    }

    /// Checks values that were set in code as texts are checked.
    fn check_params(&self) -> Result<(), ParamError> {
        let mut copy = self.boxed();
        self.params().iter().try_for_each(|param| copy.set(&param.key, &param.value).map(drop))
    }

    /// The error for a value that the data or another parameter do not allow.
    fn refuse(&self, key: &str, allowed: &str) -> ParamError {
        let met = self.texts().remove(key).unwrap_or_default();
        let learner = self.name().to_owned();
        ParamError::Value { learner, key: key.to_owned(), met, allowed: allowed.to_owned() }
    }
}

impl Clone for Box<dyn Learner> {
    fn clone(&self) -> Self {
        self.boxed()
    }
}

// What the provided methods do, apart from them: there it would be compiled once per learner.

/// Sets a parameter of one of these groups; `None` if none of them has it.
fn set_in(
    mut groups: Vec<&mut dyn ParamGroup>,
    learner: &str,
    key: &str,
    text: &str,
) -> Option<Result<String, ParamError>> {
    let text = text.trim();
    let refused = |allowed| ParamError::Value {
        learner: learner.to_owned(),
        key: canonical_key(key),
        met: text.to_owned(),
        allowed,
    };
    // Its own names first: a name of another library may be one of them.
    let names = [Some(key), foreign::key_here(&canonical_key(key))];
    let done = names
        .into_iter()
        .flatten()
        .find_map(|name| groups.iter_mut().find_map(|group| group.set(name, text)));
    done.map(|done| done.map_err(refused))
}

/// The key that a name has among parameters.
fn key_among(params: &[ParamInfo], name: &str) -> Option<String> {
    let name = canonical_key(name);
    let known = |name: &str| {
        let has = |info: &&ParamInfo| info.key == name || info.aliases.contains(&name);
        params.iter().find(has).map(|info| info.key.clone())
    };
    known(&name).or_else(|| known(foreign::key_here(&name)?))
}

/// What to put after "there is no parameter of this key".
fn hint_among(params: &[ParamInfo], key: &str) -> String {
    let names = params
        .iter()
        .flat_map(|info| std::iter::once(info.key.as_str()).chain(info.aliases.iter().copied()));
    suggest::hint(key, names)
}
