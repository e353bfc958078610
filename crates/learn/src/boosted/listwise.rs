//! Trees for losses over lists or over all pairs: ListNet and RankNet.

use stakes_model::{Link, Scorer};

use super::{Boosting, Trees, boosting_pace};
use crate::error::FitError;
use crate::goal_metric::{CostMode, by_savable_cost, saved_cost};
use crate::learner::{About, Learner, grows_trees};
use crate::loss::{ListWeighting, RankNet, Shares, Softmax};
use crate::params;
use crate::params::Choice;
use crate::run::Run;

params! {
    /// The loss over shares of a list's cost.
    pub struct ShareLoss {
        /// above 1 flattens, below 1 sharpens the target shares
        temperature: f64 = 1.0, Above0(1e6), try ["0.5", "1", "2"];
        /// insensitive: softmax of costs, lists of equal weight (ListNet); cr: lists weighted by their
        /// savable cost; cs: also shares of cost
        mode: CostMode = CostMode::Cs, CostMode::KIND;
    }
}

params! {
    /// The loss over pairs.
    pub struct PairLoss {
        /// steepness of the pairwise logistic
        sigma: f64 = 1.0, Above0(100.0), try ["0.5", "1", "2"];
        /// insensitive: pairs of equal weight; cr: lists weighted by their savable cost; cs: pairs
        /// weighted by their difference in cost
        mode: CostMode = CostMode::Cs, CostMode::KIND;
    }
}

/// Boosted trees for the shares of a list's cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsListNetMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// The loss.
    pub shares: ShareLoss,
}

/// Boosted trees for pairs in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankNetMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// The loss.
    pub pairs: PairLoss,
}

const LISTNET: About = About {
    name: "cs-listnet-mart",
    aliases: &["listnet-mart", "xe-mart"],
    title: "boosted trees for the shares of a list's cost",
    optimises: "cross entropy of cost shares and softmax of scores",
    citation: "Cao et al. 2007 (ListNet); Bruch 2021 (XE); McBride et al. 2019 (CR-ListNet)",
    cost_mode: "cs, cr or none (mode)",
    random: true,
};

const RANKNET: About = About {
    name: "ranknet-mart",
    aliases: &["pairwise-mart"],
    title: "boosted trees for pairs in order",
    optimises: "logistic loss of pairs (cs: weighted by their difference in cost)",
    citation: "Burges et al. 2005 (RankNet); McBride et al. 2019 (CR-RankNet)",
    cost_mode: "cs, cr or none (mode)",
    random: true,
};

impl Learner for CsListNetMart {
    fn about(&self) -> &About {
        &LISTNET
    }

    crate::parameters!(trees, boosting, shares);
    grows_trees!(Differences);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let shares = match self.shares.mode {
            CostMode::Cs => Shares::Cost,
            CostMode::Insensitive | CostMode::Cr => Shares::Softmax,
        };
        let lists = match self.shares.mode {
            CostMode::Insensitive => ListWeighting::Equal,
            CostMode::Cr | CostMode::Cs => by_savable_cost(run)?,
        };
        let loss = Softmax::new(shares, self.shares.temperature, lists)?;
        self.boosting.fit(run, Link::Identity, 1.0, &loss)
    }
}

impl Learner for RankNetMart {
    fn about(&self) -> &About {
        &RANKNET
    }

    crate::parameters!(trees, boosting, pairs);
    grows_trees!(Differences);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = match self.pairs.mode {
            CostMode::Insensitive => RankNet::insensitive(),
            CostMode::Cr => RankNet::cr(saved_cost(run, None)?),
            CostMode::Cs => RankNet::cs(),
        };
        self.boosting.fit(run, Link::Identity, 1.0, &loss.sigma(self.pairs.sigma)?)
    }
}
