//! Boosted trees: a sum of trees, each grown on the derivatives of a loss at the scores so far
//! (Friedman 2001). The learners differ in their loss; [`BoostedTrees`] takes any.

mod cs_mart;
mod lambda;
mod listwise;
mod own;
mod params;
mod pointwise;
mod two_part;

pub use crate::tree::Trees;
pub use cs_mart::{AcrossPairs, CsMart, Discounts, GroupPairs, OrderStage, PenaltyOn, Start};
pub use lambda::{CrMart, LambdaMart};
pub use listwise::{CsListNetMart, PairLoss, RankNetMart, ShareLoss};
pub use own::BoostedTrees;
pub use params::{Boosting, Levels, SizeLoss, Sizes};
pub use pointwise::{Mart, Regression, RegressionLoss, TweedieMart, TweediePower};
pub use two_part::TwoPart;

use stakes_model::{Link, Scorer, StageSummary};

use crate::error::FitError;
use crate::learner::Family;
use crate::loss::Loss;
use crate::run::{Run, Shrink, Stage};

/// The learners of this family.
pub const FAMILY: Family = Family {
    title: "trees",
    learners: &[
        || Box::new(CsMart::default()),
        || Box::new(CrMart::default()),
        || Box::new(LambdaMart::default()),
        || Box::new(Mart::default()),
        || Box::new(CsListNetMart::default()),
        || Box::new(RankNetMart::default()),
        || Box::new(TweedieMart::default()),
        || Box::new(TwoPart::default()),
    ],
};

/// The pace of boosting, given a field `boosting`.
macro_rules! boosting_pace {
    () => {
        fn cross_fits(&self) -> bool {
            true
        }

        fn pace(&mut self) -> $crate::learner::Pace<'_> {
            let $crate::boosted::Boosting { rounds, rate, patience } = &mut self.boosting;
            $crate::learner::Pace {
                rounds: vec![("rounds", rounds)],
                rate: Some(rate),
                patience: Some(patience),
            }
        }
    };
}
pub(crate) use boosting_pace;

impl Boosting {
    /// A stage that is boosted so by a loss.
    pub(crate) fn stage<'s>(
        &self,
        name: &'static str,
        link: Link,
        loss: &'s dyn Loss,
    ) -> Stage<'s> {
        Stage {
            name,
            loss,
            link,
            shrink: Shrink::Rate(self.rate),
            rounds: self.rounds,
            patience: self.patience,
            active: None,
            others: None,
            unit: 1.0,
            offset: None,
            priced: false,
            noise: 0.0,
            longest: f64::INFINITY,
            smearing: None,
            all_rounds: false,
        }
    }

    /// Makes a score of one sum of trees, boosted by any loss: measured, stopped in time, recorded and
    /// resumed as those of this family. The run must be of a learner that grows trees
    /// ([`Learner::trees`](crate::Learner::trees)). `unit` is the cost that a score of 1 stands for:
    /// [`Run::unit`] for a loss of costs, 1 for a loss of orders.
    pub fn fit(
        &self,
        run: &mut Run<'_, '_>,
        link: Link,
        unit: f64,
        loss: &dyn Loss,
    ) -> Result<Scorer, FitError> {
        let mut stage = self.stage(StageSummary::SCORE, link, loss);
        stage.unit = unit;
        let factor = run.stage(&stage)?.factor;
        Ok(Scorer { unit, factors: vec![factor] })
    }
}
