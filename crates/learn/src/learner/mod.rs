//! What a learner is: a value with typed parameters that makes a model of a problem.
//!
//! Most learners make their score in one or several stages ([`Learner::fit_run`]): a [`Run`] gives
//! them data in bins or as inputs, rounds with early stopping, checkpoints and resuming. Those that
//! are made of other learners replace [`Learner::fit_problem`] as a whole.

mod fit;
mod work;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use stakes_core::cost::Problem;
use stakes_core::data::Feature;
use stakes_core::suggest;
use stakes_model::{ListScaling, Scorer};

use crate::error::FitError;
use crate::params::{ParamError, ParamGroup, ParamInfo, canonical_key};
use crate::run::{FitContext, Fitted, Run, Sampling};
use crate::tree::TreeParams;

pub use fit::train;
pub use work::{round_seconds, training_seconds};

pub(crate) use fit::{check_data, check_same_run, fit_prepared, fit_stages, header, prepare};

/// Learners that belong together.
#[derive(Clone, Copy)]
pub struct Family {
    /// A heading.
    pub title: &'static str,
    /// Makes each learner with its default parameters.
    pub learners: &'static [fn() -> Box<dyn Learner>],
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
    /// How cost comes in: not at all, as the weight of lists (cr), or in what is optimised (cs).
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

/// The parameters that set how long training takes, for those who change them: tuning and blending.
#[derive(Debug, Default)]
pub struct Pace<'l> {
    /// Numbers of rounds, by key.
    pub rounds: Vec<(&'static str, &'l mut usize)>,
    /// The learning rate.
    pub rate: Option<&'l mut f64>,
    /// Rounds without improvement before training stops.
    pub patience: Option<&'l mut usize>,
}

/// How much a learner that trains others is going to do, for people who wonder whether to wait.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Work {
    /// The number of learners.
    pub members: usize,
    /// The number of folds that they are cross-validated on.
    pub folds: usize,
    /// How many times the best are refitted on all lists.
    pub refits: usize,
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

    /// Makes the score, stage by stage. Learners that are made of others have no stages of their own,
    /// and replace [`Learner::fit_problem`] instead.
    fn fit_run(&self, _run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        Err(FitError::Data(format!("{} has no stages of its own", self.name())))
    }

    /// Makes a model of a problem: by stages, unless this is replaced.
    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<Fitted, FitError> {
        fit_stages(self, problem, cx, None)
    }

    /// How it grows trees of these features; `None` if it grows none, or stumps of its own.
    fn tree_params(&self, _features: &[Feature]) -> Result<Option<TreeParams>, FitError> {
        Ok(None)
    }

    /// Which rows a tree is grown on.
    fn sampling(&self) -> Sampling {
        Sampling::ALL
    }

    /// The maximum number of bins of a feature. Learners without trees have no use for bins, but
    /// distinguish as many categories as have one.
    fn bins(&self) -> usize {
        255
    }

    /// How numbers are scaled within their list before they become inputs.
    fn list_scaling(&self) -> ListScaling {
        ListScaling::None
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
        let text = text.trim();
        let learner = self.name().to_owned();
        let refused = |allowed| ParamError::Value {
            learner: learner.clone(),
            key: canonical_key(key),
            met: text.to_owned(),
            allowed,
        };
        for group in self.groups_mut() {
            if let Some(done) = group.set(key, text) {
                return done.map_err(refused);
            }
        }
        let keys = self.params().into_iter().map(|info| info.key).collect::<Vec<_>>();
        let key = canonical_key(key);
        let hint = suggest::hint(&key, keys.iter().map(String::as_str));
        Err(ParamError::Unknown { learner, key, hint })
    }

    /// A complaint about a value that only the data, or another parameter, rules out.
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

/// What every `impl Learner` repeats: its groups of parameters, by field, and how it is copied.
#[macro_export]
macro_rules! parameters {
    ($($field:ident),* $(,)?) => {
        fn groups(&self) -> Vec<&dyn $crate::params::ParamGroup> {
            vec![$( &self.$field ),*]
        }

        fn groups_mut(&mut self) -> Vec<&mut dyn $crate::params::ParamGroup> {
            vec![$( &mut self.$field ),*]
        }

        fn boxed(&self) -> Box<dyn $crate::Learner> {
            Box::new(self.clone())
        }
    };
}

/// What every `impl Learner` of a linear score or a net repeats, given its field `inputs`.
macro_rules! reads_inputs {
    () => {
        fn kind(&self) -> $crate::Kind {
            $crate::Kind::Weights
        }

        fn list_scaling(&self) -> stakes_model::ListScaling {
            self.inputs.within
        }
    };
}
pub(crate) use reads_inputs;

/// A learner whose parameters were given as texts.
#[derive(Debug, Clone)]
pub struct Configured {
    /// The learner, with what was given in place of its defaults.
    pub learner: Box<dyn Learner>,
    /// The keys of the parameters that were given: these are not tuned.
    pub given: BTreeSet<String>,
}

impl Configured {
    /// Sets the given parameters of a learner, none of them twice.
    pub fn new<'t>(
        mut learner: Box<dyn Learner>,
        pairs: impl IntoIterator<Item = (&'t str, &'t str)>,
    ) -> Result<Self, ParamError> {
        let mut given = BTreeSet::new();
        for (key, text) in pairs {
            let key = learner.set(key, text)?;
            if !given.insert(key.clone()) {
                return Err(ParamError::Twice(key));
            }
        }
        Ok(Configured { learner, given })
    }
}
