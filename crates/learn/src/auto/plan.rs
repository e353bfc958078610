//! What is tried, and how much work that is.
//!
//! The members and their parameters were chosen on data sets that differ as much as possible
//! (`docs/study.md`): few and many lists, costs that are mostly 0 and costs that never are.
//! Shallow trees on samples of rows and features, small leaves and a low rate are good
//! everywhere; early stopping by a noisy figure of few lists is not, so all rounds are made, and
//! the choice is only between a quarter, half and all of them.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;

use super::{Auto, Effort, cross_validation_seconds};
use crate::boosted::{
    Boosting, CsListNetMart, CsMart, LambdaMart, Levels, OrderStage, RankNetMart, Start, Trees,
    TweedieMart, TwoPart,
};
use crate::forest::{Forest, RandomForest};
use crate::goal_metric::CostScale;
use crate::learner::{Learner, Work, training_seconds};

/// A learner with its parameters.
pub(super) struct Planned {
    pub(super) learner: Box<dyn Learner>,
    /// Whether each round builds on those before it; the trees of a forest do not.
    boosted: bool,
}

/// What a portfolio will do.
pub(super) struct Plan {
    pub(super) members: Vec<Planned>,
    pub(super) folds: usize,
    pub(super) seeds: usize,
}

impl Plan {
    /// The portfolio of an effort, for these data and their goal.
    pub(super) fn new(auto: &Auto, problem: &Problem<'_>) -> Self {
        let (members, folds, seeds) = match auto.effort.effort {
            Effort::Low => (2, 3, 1),
            Effort::Medium => (4, 5, 3),
            Effort::High => (6, 5, 8),
        };
        // A goal of graded relevance has a lambda of its own.
        let graded = problem.goal().metric.info().graded;
        let members = auto.portfolio(graded).into_iter().take(members).collect();
        Plan { members, folds, seeds }
    }

    /// The amount of work.
    pub(super) fn work(&self, data: &Dataset) -> Work {
        let (members, folds, refits) = (self.members.len(), self.folds, self.seeds);
        Work { members, folds, refits, seconds: self.seconds(data, folds) }
    }

    /// The estimated seconds on one core with this many folds (0 if there are too few lists).
    pub(super) fn seconds(&self, data: &Dataset, folds: usize) -> f64 {
        let refits = if folds == 0 { 1 } else { self.seeds };
        let of_member = |member: &Planned| {
            let folds = cross_validation_seconds(&*member.learner, data, folds);
            folds + refits as f64 * member.seconds(data, 1.0)
        };
        self.members.iter().map(of_member).sum()
    }
}

impl Auto {
    /// The members, the most useful first.
    fn portfolio(&self, graded: bool) -> Vec<Planned> {
        let sampled = |leaves: usize| Trees {
            leaves,
            min_rows: 5,
            rows: 0.7,
            features: 0.8,
            ..self.constrained(Trees::default())
        };
        let boosting =
            |rounds: usize| Boosting { rounds: self.capped(rounds), rate: 0.04, patience: 0 };
        let boosted = |learner: Box<dyn Learner>| Planned { learner, boosted: true };
        let lambda: Box<dyn Learner> = match graded {
            true => Box::new(LambdaMart {
                trees: sampled(7),
                boosting: boosting(500),
                ..LambdaMart::default()
            }),
            false => Box::new(CsMart {
                trees: sampled(7),
                boosting: boosting(500),
                order: OrderStage { start: Start::None, ..OrderStage::default() },
                ..CsMart::default()
            }),
        };
        let two_part = TwoPart {
            trees: sampled(15),
            boosting: boosting(300),
            levels: Levels { levels: 10.0 },
        };
        let pairs =
            RankNetMart { trees: sampled(15), boosting: boosting(300), ..RankNetMart::default() };
        let tweedie =
            TweedieMart { trees: sampled(7), boosting: boosting(500), ..TweedieMart::default() };
        let shares = CsListNetMart {
            trees: sampled(7),
            boosting: boosting(500),
            ..CsListNetMart::default()
        };
        vec![
            boosted(Box::new(two_part)),
            boosted(lambda),
            boosted(Box::new(pairs)),
            self.forest(),
            boosted(Box::new(tweedie)),
            boosted(Box::new(shares)),
        ]
    }

    /// A forest, which draws its own samples.
    fn forest(&self) -> Planned {
        let usual = RandomForest::default();
        let trees = Trees { leaves: 256, min_rows: 5, ..self.constrained(usual.trees.clone()) };
        let forest = Forest { rounds: self.capped(100), scale: CostScale::Log };
        Planned { learner: Box::new(RandomForest { trees, forest, ..usual }), boosted: false }
    }

    /// Trees under the constraints that hold for all members.
    fn constrained(&self, trees: Trees) -> Trees {
        Trees {
            monotone: self.effort.monotone.clone(),
            interactions: self.effort.interactions.clone(),
            ..trees
        }
    }

    /// Limits rounds to the number that was given, if one was.
    fn capped(&self, rounds: usize) -> usize {
        match self.effort.rounds {
            0 => rounds,
            most => rounds.min(most),
        }
    }
}

impl Planned {
    /// The estimated seconds on one core of a share of its rounds.
    pub(super) fn seconds(&self, data: &Dataset, share: f64) -> f64 {
        training_seconds(&*self.with_share(share), data.features().width(), data.len())
    }

    /// The shares of rounds to choose from.
    pub(super) fn shares(&self) -> &'static [f64] {
        if self.boosted { &[0.25, 0.5, 1.0] } else { &[1.0] }
    }

    /// The learner with a share of its rounds.
    pub(super) fn with_share(&self, share: f64) -> Box<dyn Learner> {
        let mut learner = self.learner.clone();
        // What corrects an order after the main stage keeps its own number of rounds.
        if let Some((_, rounds)) = learner.pace().rounds.into_iter().next() {
            *rounds = (share * *rounds as f64).ceil() as usize;
        }
        learner
    }
}
