//! Learners whose loss is the lambda loss of a metric: LambdaMART and CR-MART.

use stakes_core::cost::Capacity;
use stakes_core::goal::DEFAULT_ITEMS;
use stakes_core::metric::{Metric, Spec};
use stakes_model::{Link, Scorer};

use super::{Boosting, Gain, Gains, Pairs, Trees, boosting_pace, goal_metric, grows_trees};
use crate::error::FitError;
use crate::learner::{About, Learner};
use crate::loss::Lambda;
use crate::params::Cutoff;
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
    citation: "Burges, From RankNet to LambdaRank to LambdaMART, 2010",
    random: true,
    ..About::PLAIN
};

const CR_MART: About = About {
    name: "cr-mart",
    aliases: &["crmart"],
    title: "boosted trees for NDCG, with lists weighted by their savable cost",
    optimises: "R_CR@k(NDCG@k)",
    citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-MART)",
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

/// The lambda loss of a metric.
pub(crate) fn lambda(pairs: &Pairs, metric: Metric) -> Result<Lambda, FitError> {
    let lambda = Lambda::new(metric)?.sigma(pairs.sigma)?.norm(pairs.normalise);
    Ok(match pairs.pairs.given() {
        None => lambda,
        Some(ranks) => lambda.truncation(ranks),
    })
}

/// The positions that training of R_CS counts; `None` for as many as the goal says. The probability
/// that a position is acted on ends somewhere, so that `all` means nothing here.
pub(crate) fn cost_cutoff(
    learner: &dyn Learner,
    cutoff: Cutoff,
) -> Result<Option<Capacity>, FitError> {
    match cutoff.0 {
        Some(Capacity::All) => {
            Err(learner.refuse("cutoff", "auto, or a number of positions").into())
        }
        cutoff => Ok(cutoff),
    }
}

/// NDCG in the convention that suits the data.
pub(crate) fn ndcg(
    learner: &dyn Learner,
    cutoff: Cutoff,
    gain: Gain,
    run: &Run<'_, '_>,
) -> Result<Spec, FitError> {
    let ndcg = Spec::named("ndcg");
    let ndcg = match cutoff.0.or(run.goal().capacity()) {
        Some(Capacity::All) => ndcg,
        Some(Capacity::Items(k) | Capacity::Range(_, k)) => ndcg.at(Capacity::Items(k)),
        Some(Capacity::Percent(_)) | None => ndcg.at(Capacity::Items(DEFAULT_ITEMS)),
    };
    let on_cost = !run.goal().cost.is_of_impact();
    let gain = match gain {
        Gain::Auto if !on_cost && run.has_grades() => Gain::Exp2,
        Gain::Auto => Gain::Linear,
        gain => gain,
    };
    if gain == Gain::Exp2 && on_cost {
        return Err(learner.refuse("gain", "linear where the cost is not the impact").into());
    }
    let ndcg = ndcg.with("gain", if gain == Gain::Exp2 { "exp2" } else { "linear" });
    Ok(ndcg.with("on", if on_cost { "cost" } else { "impact" }))
}
