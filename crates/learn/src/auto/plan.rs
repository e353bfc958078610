//! What is tried, and how much work that is.
//!
//! The members and their parameters were chosen on development sets that differ as much as possible
//! (`docs/study.md`): few and many lists, costs that are mostly 0 and costs that never are. They
//! differ in what they model and in how closely they follow the data. Shallow trees on samples of
//! rows and features, small leaves and a low rate are good everywhere.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::split::Folds;

use super::{Auto, Effort};
use crate::boosted::{
    Boosting, CsListNetMart, CsMart, LambdaMart, OrderStage, RankNetMart, SizeLoss, Sizes, Start,
    Trees, TweedieMart, TwoPart,
};
use crate::current_feature::CurrentFeature;
use crate::forest::{Forest, RandomForest};
use crate::goal_metric::CostScale;
use crate::learner::{Learner, Work, training_seconds};
use crate::linear::BestFeature;

/// What a portfolio is to do.
pub(super) struct Plan {
    pub(super) members: Vec<Box<dyn Learner>>,
    /// The number of members that are blended; the others are simple orders that anybody could follow,
    /// which take the place of the blend where they are better.
    pub(super) blended: usize,
    pub(super) folds: usize,
}

/// The maximum number of values of features for which simple orders are tried: with more data the others
/// are better.
pub(super) const MAX_SIMPLE_CELLS: usize = 5_000_000;

impl Plan {
    /// The portfolio of an effort, for these data and their goal.
    pub(super) fn new(
        auto: &Auto,
        problem: &Problem<'_>,
        current: Option<&CurrentFeature>,
    ) -> Self {
        let (members, folds) = match auto.effort.effort {
            Effort::Low => (2, 5),
            Effort::Medium => (4, 5),
            Effort::High => (8, 10),
        };
        let graded = problem.goal().metric.info().graded;
        let mut members: Vec<Box<dyn Learner>> =
            auto.portfolio(graded).into_iter().take(members).collect();
        let blended = members.len();
        let data = problem.data();
        if data.len() * data.features().width() <= MAX_SIMPLE_CELLS {
            members.push(Box::new(BestFeature));
            members
                .extend(current.map(|current| -> Box<dyn Learner> { Box::new(current.clone()) }));
        }
        Plan { members, blended, folds }
    }

    /// The members.
    pub(super) fn learners(&self) -> impl Iterator<Item = &dyn Learner> {
        self.members.iter().map(|member| &**member)
    }

    /// The amount of work.
    pub(super) fn work(&self, data: &Dataset) -> Work {
        let (members, folds) = (self.blended, self.folds);
        let trainings = Folds::trainings_of(folds, data.time().is_some());
        Work { members, folds, seconds: self.seconds(data, trainings) }
    }

    /// The estimated seconds on one core, if each member takes so many trainings with all lists; simple
    /// orders take twice as many, as their folds are not part of the model.
    pub(super) fn seconds(&self, data: &Dataset, trainings: f64) -> f64 {
        let seconds = |(number, member): (usize, &dyn Learner)| {
            let times = if number < self.blended { 1.0 } else { 2.0 };
            times * trainings * training_seconds(member, data.features().width(), data.len())
        };
        self.learners().enumerate().map(seconds).sum()
    }
}

impl Auto {
    /// The members, the most useful first.
    fn portfolio(&self, graded: bool) -> Vec<Box<dyn Learner>> {
        let sampled = |leaves: usize| Trees { leaves, ..self.constrained(Trees::studied()) };
        let boosting = Boosting { rounds: self.capped(500), ..Boosting::studied() };
        let cs_mart = |start: Start| CsMart {
            trees: sampled(7),
            boosting: boosting.clone(),
            order: OrderStage { start, ..OrderStage::default() },
            ..CsMart::default()
        };
        let lambda =
            LambdaMart { trees: sampled(7), boosting: boosting.clone(), ..LambdaMart::default() };
        let two_part = |leaves: usize, size: SizeLoss| TwoPart {
            trees: sampled(leaves),
            boosting: boosting.clone(),
            sizes: Sizes { size },
            ..TwoPart::default()
        };
        let usual = TweedieMart::default();
        let trees = self.constrained(usual.trees.clone());
        let tweedie = TweedieMart { trees, boosting: boosting.clone(), ..usual };
        let pairs =
            RankNetMart { trees: sampled(7), boosting: boosting.clone(), ..RankNetMart::default() };
        let shares = CsListNetMart {
            trees: sampled(7),
            boosting: boosting.clone(),
            ..CsListNetMart::default()
        };
        let tweedie: Box<dyn Learner> = Box::new(tweedie);
        let gamma: Box<dyn Learner> = Box::new(two_part(7, SizeLoss::Gamma));
        // A goal of graded relevance has a lambda of its own, and sizes of few values have no tail.
        let first: [Box<dyn Learner>; 5] = match graded {
            true => {
                let log = two_part(7, SizeLoss::Log);
                [Box::new(log), tweedie, Box::new(lambda), self.forest(), gamma]
            }
            false => {
                let (of_two_parts, of_tweedie) = (cs_mart(Start::TwoPart), cs_mart(Start::Tweedie));
                [Box::new(of_two_parts), tweedie, gamma, self.forest(), Box::new(of_tweedie)]
            }
        };
        let large = two_part(31, SizeLoss::Log);
        let others: [Box<dyn Learner>; 3] = [Box::new(pairs), Box::new(large), Box::new(shares)];
        first.into_iter().chain(others).collect()
    }

    /// A forest draws samples of its own.
    fn forest(&self) -> Box<dyn Learner> {
        let usual = RandomForest::default();
        let trees = Trees { leaves: 256, min_rows: 5, ..self.constrained(usual.trees.clone()) };
        let forest = Forest { rounds: self.capped(100), scale: CostScale::Log };
        Box::new(RandomForest { trees, forest, ..usual })
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
