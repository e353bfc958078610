//! What is tried, and how much work that is.
//!
//! The members and their parameters were chosen on data sets that differ as much as possible
//! (`docs/study.md`): few and many lists, costs that are mostly 0 and costs that never are.
//! Shallow trees on samples of rows and features, small leaves and a low rate are good
//! everywhere; stopping early by a noisy figure of few lists is not, so all rounds are made and
//! only a quarter, half or all of them are chosen between.

use stakes_core::cost::Problem;

use crate::fit::FitError;
use crate::params::{ParamError, Settings};
use crate::{LearnerInfo, learner};

/// A learner with its parameters.
pub(super) struct Planned {
    pub(super) learner: &'static LearnerInfo,
    pub(super) settings: Settings,
}

/// What a portfolio is to do.
pub struct Plan {
    pub(super) members: Vec<Planned>,
    pub(super) folds: usize,
    pub(super) seeds: usize,
    items: usize,
    features: usize,
}

/// Name and parameters, the most useful first.
type Row = (&'static str, &'static [(&'static str, &'static str)]);

const SAMPLED: [(&str, &str); 5] =
    [("rate", "0.04"), ("rows", "0.7"), ("min-rows", "5"), ("patience", "0"), ("features", "0.8")];

const MEMBERS: &[Row] = &[
    ("two-part", &[("leaves", "15"), ("rounds", "300"), ("levels", "10")]),
    ("cs-mart", &[("leaves", "7"), ("rounds", "500"), ("start", "none")]),
    ("ranknet-mart", &[("leaves", "15"), ("rounds", "300")]),
    ("random-forest", &[("scale", "log"), ("rounds", "100"), ("leaves", "256"), ("min-rows", "5")]),
    ("tweedie-mart", &[("leaves", "7"), ("rounds", "500")]),
    ("cs-listnet-mart", &[("leaves", "7"), ("rounds", "500")]),
];

impl Plan {
    /// The portfolio of an effort, for this goal and these data.
    pub fn new(settings: &Settings, problem: &Problem<'_>) -> Result<Self, FitError> {
        let (members, folds, seeds) = match settings.text("effort") {
            "low" => (2, 3, 1),
            "high" => (6, 5, 8),
            _ => (4, 5, 3),
        };
        // A goal of graded relevance has a lambda of its own.
        let graded = problem.goal().metric.name.contains("ndcg");
        let member = |&(name, given): &Row| match graded && name == "cs-mart" {
            true => Planned::new("lambdamart", &given[..2], settings),
            false => Planned::new(name, given, settings),
        };
        let members =
            MEMBERS[..members].iter().map(member).collect::<Result<Vec<_>, FitError>>()?;
        let data = problem.data();
        let (items, features) = (data.len(), data.features().width());
        Ok(Plan { members, folds, seeds, items, features })
    }

    /// How many members there are, on how many folds they are judged, and how often what counts
    /// is learnt from all lists.
    pub fn shape(&self) -> (usize, usize, usize) {
        (self.members.len(), self.folds, self.seeds)
    }

    /// Seconds that it takes on one core, roughly: trees x (items x features x levels) at the
    /// speed of a usual processor. For people who wonder whether to wait; nothing depends on it.
    pub fn seconds(&self) -> f64 {
        const PER_CELL: f64 = 1.2e-9;
        const PER_LEAF_AND_FEATURE: f64 = 8e-7;
        let fits = (self.folds + self.seeds) as f64;
        let (items, features) = (self.items as f64, self.features as f64);
        let seconds = |member: &Planned| {
            let leaves = member.settings.number("leaves").min(items / 5.0).max(2.0);
            let cells = items * features * leaves.log2() * member.settings.number("rows");
            let stages = if member.learner.name == "two-part" { 2.0 } else { 1.0 };
            let trees = stages * member.settings.number("rounds");
            trees * (PER_CELL * cells + PER_LEAF_AND_FEATURE * leaves * features)
        };
        fits * self.members.iter().map(seconds).sum::<f64>()
    }
}

impl Planned {
    fn new(name: &str, given: &[(&str, &str)], of_all: &Settings) -> Result<Self, FitError> {
        let learner = learner(name).map_err(FitError::Data)?;
        // A forest has samples of its own.
        let boosted = learner.params().any(|(param, _)| param.key == "rate");
        let sampled = SAMPLED.iter().filter(|_| boosted);
        let constraints = ["monotone", "interactions"].map(|key| (key, of_all.text(key)));
        let pairs = given.iter().chain(sampled).copied().chain(constraints);
        let mut settings = Settings::new(learner, pairs)?;
        let most = of_all.whole("rounds");
        if most > 0 {
            settings.change("rounds", &settings.whole("rounds").min(most).to_string())?;
        }
        Ok(Planned { learner, settings })
    }

    /// The shares of rounds that are chosen between. A forest has no rounds that others build
    /// upon.
    pub(super) fn shares(&self) -> &'static [f64] {
        if self.learner.name == "random-forest" { &[1.0] } else { &[0.25, 0.5, 1.0] }
    }

    /// The settings with a share of the rounds.
    pub(super) fn with_share(&self, share: f64) -> Result<Settings, ParamError> {
        let mut settings = self.settings.clone();
        let rounds = (share * settings.number("rounds")).ceil();
        settings.change("rounds", &rounds.to_string())?;
        Ok(settings)
    }
}
