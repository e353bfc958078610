//! What is tried, and how much work that is.
//!
//! The members and their parameters were chosen on data sets that differ as much as possible
//! (`docs/study.md`): few and many lists, costs that are mostly 0 and costs that never are.
//! Shallow trees on samples of rows and features, small leaves and a low rate are good
//! everywhere; early stopping by a noisy figure of few lists is not, so all rounds are made and
//! only a quarter, half or all of them are chosen between.

use stakes_core::cost::Problem;

use super::{Auto, Effort};
use crate::boosted::{
    Boosting, CsListNetMart, CsMart, LambdaMart, Levels, OrderStage, RankNetMart, Start, Trees,
    TweedieMart, TwoPart,
};
use crate::forest::{Forest, RandomForest};
use crate::goal_metric::CostScale;
use crate::learner::{Learner, Work};

/// A learner with its parameters, and the work that it makes.
pub(super) struct Planned {
    pub(super) learner: Box<dyn Learner>,
    /// Whether each round builds on those before it; the trees of a forest do not.
    boosted: bool,
    /// Sums of trees in each round.
    stages: usize,
    trees: Trees,
    rounds: usize,
}

/// What a portfolio is to do.
pub(super) struct Plan {
    pub(super) members: Vec<Planned>,
    pub(super) folds: usize,
    pub(super) seeds: usize,
    items: usize,
    features: usize,
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
        let data = problem.data();
        let (items, features) = (data.len(), data.features().width());
        let members = auto.portfolio(graded).into_iter().take(members).collect();
        Plan { members, folds, seeds, items, features }
    }

    /// How much that is.
    pub(super) fn work(&self) -> Work {
        let (members, folds, refits) = (self.members.len(), self.folds, self.seeds);
        Work { members, folds, refits, seconds: self.seconds() }
    }

    /// An estimate: trees x (items x features x depth) at the speed of a usual processor.
    fn seconds(&self) -> f64 {
        const PER_CELL: f64 = 1.2e-9;
        const PER_LEAF_AND_FEATURE: f64 = 8e-7;
        let fits = (self.folds + self.seeds) as f64;
        let (items, features) = (self.items as f64, self.features as f64);
        let seconds = |member: &Planned| {
            let leaves = (member.trees.leaves as f64).min(items / 5.0).max(2.0);
            let cells = items * features * leaves.log2() * member.trees.rows;
            let trees = member.stages as f64 * member.rounds as f64;
            trees * (PER_CELL * cells + PER_LEAF_AND_FEATURE * leaves * features)
        };
        fits * self.members.iter().map(seconds).sum::<f64>()
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
        let boosted = |learner: Box<dyn Learner>, trees: Trees, rounds: usize, stages: usize| {
            Planned { learner, boosted: true, stages, trees, rounds: self.capped(rounds) }
        };
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
            boosted(Box::new(two_part), sampled(15), 300, 2),
            boosted(lambda, sampled(7), 500, 1),
            boosted(Box::new(pairs), sampled(15), 300, 1),
            self.forest(),
            boosted(Box::new(tweedie), sampled(7), 500, 1),
            boosted(Box::new(shares), sampled(7), 500, 1),
        ]
    }

    /// A forest draws samples of its own.
    fn forest(&self) -> Planned {
        let usual = RandomForest::default();
        let trees = Trees { leaves: 256, min_rows: 5, ..self.constrained(usual.trees.clone()) };
        let rounds = self.capped(100);
        let forest = Forest { rounds, scale: CostScale::Log };
        let learner = Box::new(RandomForest { trees: trees.clone(), forest, ..usual });
        Planned { learner, boosted: false, stages: 1, trees, rounds }
    }

    /// Trees under the constraints that hold for all members.
    fn constrained(&self, trees: Trees) -> Trees {
        Trees {
            monotone: self.effort.monotone.clone(),
            interactions: self.effort.interactions.clone(),
            ..trees
        }
    }

    /// At most as many rounds as were asked for.
    fn capped(&self, rounds: usize) -> usize {
        match self.effort.rounds {
            0 => rounds,
            most => rounds.min(most),
        }
    }
}

impl Planned {
    /// The shares of rounds that are chosen between.
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
