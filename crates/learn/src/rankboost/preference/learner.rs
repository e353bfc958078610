//! The learner.

use stakes_model::Scorer;

use super::super::alpha::Ties;
use super::super::costs::PairCosts;
use super::super::feedback::Feedback;
use super::super::params::Stumps;
use super::{Plan, Preference};
use crate::error::FitError;
use crate::learner::{About, Kind, Learner, Pace, TreeUnit};
use crate::params::Choice;
use crate::run::{Run, Sum};
use crate::{choice, params};

/// The largest number of groups: each takes a weak ranker in every round.
const MAX_GROUPS: usize = 20;

choice! {
    /// The weights of the weak rankers of a round.
    pub enum Together {
        /// One weight for all of them.
        Together = "together",
        /// To each its own.
        Own = "own",
    }
}

choice! {
    /// Pairs that weak rankers leave tied.
    pub enum TiedPairs {
        /// Count as half right and half wrong, as in RankBoost+.
        Half = "half",
        /// Do not count, as in RankBoost.
        Stay = "stay",
    }
}

params! {
    /// How groups choose weak rankers.
    pub struct Preferences {
        /// how far groups have their way: each takes the weak ranker of most benefit to it among those that lower the
        /// loss by at least 1 - preference of what the best one does; 0: all take the best one
        preference: f64 = 0.5, Number(0.0, 1.0);
        /// the weights of the weak rankers that groups take in a round: together: one for all; own: to each its own
        weights: Together = Together::Together, Together::KIND;
        /// pairs that weak rankers leave tied: half: count as half right and half wrong (RankBoost+); stay: do not
        /// count (RankBoost)
        ties: TiedPairs = TiedPairs::Half, TiedPairs::KIND;
    }
}

/// Stumps that groups prefer, for pairs in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct PreferenceRankBoost {
    /// Weak rankers and rounds.
    pub stumps: Stumps,
    /// How groups choose.
    pub preferences: Preferences,
}

impl Learner for PreferenceRankBoost {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "preference-rankboost",
            aliases: &["preference-rank-boost"],
            title: "RankBoost in which every group takes the stump that it prefers",
            optimises: "exponential loss of pairs, ties by cosh (E2)",
            citation: "Salomon 2020, Bias Mitigation Techniques and a Cost-Aware Framework for Boosted \
                       Ranking Algorithms, section 2.2.5",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(stumps, preferences);

    fn kind(&self) -> Kind {
        Kind::Trees(TreeUnit::Differences)
    }

    fn bins(&self) -> usize {
        self.stumps.bins
    }

    fn pace(&mut self) -> Pace<'_> {
        self.stumps.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let prepared = run.prepared;
        let groups = prepared.training.data.groups().map_or(0, |(_, names)| names.len());
        if groups > MAX_GROUPS {
            return Err(FitError::Data(format!(
                "there are {groups} groups, and each would take a weak ranker in every round; at most {MAX_GROUPS} are \
                 allowed: put the small ones into one"
            )));
        }
        let feedback = Feedback::new(&prepared.training.unit_lists, true);
        let costs = PairCosts::uniform();
        let Preferences { preference, weights, ties } = self.preferences;
        let mut booster = Preference::new(Plan {
            prepared,
            feedback: &feedback,
            costs: &costs,
            ties: if ties == TiedPairs::Half { Ties::Half } else { Ties::Stay },
            preference,
            together: weights == Together::Together,
        })?;
        let sum = Sum::of_trees(self.stumps.rounds, self.stumps.patience);
        let staged = run.sum(&sum, &mut booster)?;
        Ok(Scorer { unit: 1.0, factors: vec![staged.factor] })
    }
}
