//! Regressions of the cost: MART, and the Tweedie deviance.

use std::collections::BTreeMap;

use stakes_model::{Link, Scorer};

use super::{Boosting, Trees, boosting_pace};
use crate::error::FitError;
use crate::goal_metric::ListModes;
use crate::learner::{About, Learner, grows_trees};
use crate::loss::{Pointwise, Quantile, Squared, Tweedie};
use crate::params::{Choice, ParamGroup, Signs};
use crate::run::Run;
use crate::{choice, params};

choice! {
    /// What a regression predicts.
    pub enum RegressionLoss {
        /// The mean.
        Squared = "squared",
        /// A quantile.
        Quantile = "quantile",
    }
}

params! {
    /// What a regression predicts.
    pub struct Regression {
        /// squared: the mean of the cost; quantile: a quantile of it
        loss: RegressionLoss = RegressionLoss::Squared, RegressionLoss::KIND;
        /// which quantile
        alpha: f64 = 0.5, Above0(0.999_999);
    }
}

params! {
    /// The variance of a Tweedie distribution.
    pub struct TweediePower {
        /// the variance grows with this power of the mean: 1 Poisson, 2 gamma
        power: f64 = 1.5, Number(1.0, 2.0), alias ["tweedie-variance-power"], try ["1.1", "1.3", "1.5", "1.7"];
    }
}

/// Boosted regression trees.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Mart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// What is predicted.
    pub regression: Regression,
    /// The weights of lists.
    pub mode: ListModes,
}

/// Boosted trees for costs that are often 0 and sometimes huge.
#[derive(Debug, Clone, PartialEq)]
pub struct TweedieMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// The variance.
    pub tweedie: TweediePower,
    /// The weights of lists.
    pub mode: ListModes,
}

impl Default for TweedieMart {
    fn default() -> Self {
        TweedieMart {
            // Leaves of few items are shrunk: a single huge cost is no pattern.
            trees: Trees { l2: 5.0, ..Trees::studied() },
            boosting: Boosting::studied(),
            tweedie: TweediePower::default(),
            mode: ListModes::default(),
        }
    }
}

impl Mart {
    /// Whether a learner with these parameters makes a plain regression of the cost: it is this one,
    /// for the mean, with lists of equal weight.
    pub fn is_plain_regression(name: &str, parameters: &BTreeMap<String, String>) -> bool {
        let plain = Mart::default();
        let mut params = plain.regression.infos().into_iter().chain(plain.mode.infos());
        name == plain.name() && params.all(|param| parameters.get(&param.key) == Some(&param.value))
    }
}

const MART: About = About {
    name: "mart",
    aliases: &["gbdt", "gbrt", "regression"],
    title: "boosted regression trees",
    optimises: "squared error of the cost (or a quantile of it)",
    citation: "Friedman 2001, Greedy Function Approximation",
    cost_mode: "none, or cr (mode)",
    random: true,
};

const TWEEDIE: About = About {
    name: "tweedie-mart",
    aliases: &["tweedie"],
    title: "boosted trees for costs that are often 0 and sometimes huge",
    optimises: "Tweedie deviance of the cost",
    citation: "Jørgensen 1987, Exponential Dispersion Models",
    cost_mode: "none, or cr (mode)",
    random: true,
};

impl Learner for Mart {
    fn about(&self) -> &About {
        &MART
    }

    crate::parameters!(trees, boosting, regression, mode);
    grows_trees!(Costs);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let lists = self.mode.mode.weighting(run)?;
        let unit = run.unit();
        match self.regression.loss {
            // Directions are kept in steps of the derivatives, which a quantile does not take.
            RegressionLoss::Quantile if self.trees.monotone != Signs::default() => {
                Err(self.refuse("monotone", "none with loss=quantile").into())
            }
            RegressionLoss::Quantile => {
                let loss = Pointwise::new(Quantile::new(self.regression.alpha)?).lists(lists);
                self.boosting.fit(run, Link::Identity, unit, &loss)
            }
            RegressionLoss::Squared => {
                let loss = Pointwise::new(Squared).lists(lists);
                self.boosting.fit(run, Link::Identity, unit, &loss)
            }
        }
    }
}

impl Learner for TweedieMart {
    fn about(&self) -> &About {
        &TWEEDIE
    }

    crate::parameters!(trees, boosting, tweedie, mode);
    grows_trees!(Costs);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = Pointwise::new(Tweedie::new(self.tweedie.power)?);
        let loss = loss.lists(self.mode.mode.weighting(run)?);
        let unit = run.unit();
        self.boosting.fit(run, Link::Exp, unit, &loss)
    }
}
