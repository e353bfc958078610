//! Learners whose loss is the lambda loss of a metric: LambdaMART and CR-MART.

use stakes_core::metric::Spec;
use stakes_model::{Link, Scorer};

use super::{Boosting, Trees, boosting_pace};
use crate::error::FitError;
use crate::goal_metric::{Gains, Pairs, goal_metric, lambda, ndcg};
use crate::learner::{About, Learner, grows_trees};
use crate::run::Run;

/// Boosted trees for NDCG.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LambdaMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// How pairs are chosen and weighted.
    pub pairs: Pairs,
    /// The gain of NDCG.
    pub gains: Gains,
}

/// Boosted trees for NDCG, with lists weighted by their savable cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// How pairs are chosen and weighted.
    pub pairs: Pairs,
    /// The gain of NDCG.
    pub gains: Gains,
}

const LAMBDAMART: About = About {
    name: "lambdamart",
    aliases: &["lambda-mart"],
    title: "boosted trees for NDCG",
    optimises: "NDCG@k",
    citation: "Burges 2010, From RankNet to LambdaRank to LambdaMART",
    random: true,
    ..About::PLAIN
};

const CR_MART: About = About {
    name: "cr-mart",
    aliases: &["crmart"],
    title: "boosted trees for NDCG, with lists weighted by their savable cost",
    optimises: "R_CR@k(NDCG@k)",
    citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-MART)",
    cost_mode: "cr: lists are weighted by their savable cost",
    random: true,
};

impl Learner for LambdaMart {
    fn about(&self) -> &About {
        &LAMBDAMART
    }

    crate::parameters!(trees, boosting, pairs, gains);
    grows_trees!(Differences);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let metric = ndcg(self, self.pairs.cutoff, self.gains.gain, run)?;
        let loss = lambda(&self.pairs, goal_metric(run, metric, None)?)?;
        self.boosting.fit(run, Link::Identity, 1.0, &loss)
    }
}

impl Learner for CrMart {
    fn about(&self) -> &About {
        &CR_MART
    }

    crate::parameters!(trees, boosting, pairs, gains);
    grows_trees!(Differences);
    boosting_pace!();

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        // Lists are weighted by what the goal can save in them, whatever positions training counts.
        let inner = ndcg(self, self.pairs.cutoff, self.gains.gain, run)?;
        let metric = goal_metric(run, Spec::named("rcr").around(inner), None)?;
        let loss = lambda(&self.pairs, metric)?;
        self.boosting.fit(run, Link::Identity, 1.0, &loss)
    }
}
