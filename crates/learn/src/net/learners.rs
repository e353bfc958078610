//! The learners: nets that differ in their loss.

use stakes_core::Lists;
use stakes_core::metric::Spec;
use stakes_model::{Link, Scorer, StageSummary};

use super::params::{CostWeights, ListLoss, NetParams, Sigma, Temperature};
use super::{Epochs, NetTraining};
use crate::dense::{DenseData, Inputs, Unit};
use crate::error::FitError;
use crate::goal_metric::{
    Gains, Pairs, by_savable_cost, cost_cutoff, goal_metric, lambda, ndcg, saved_cost,
};
use crate::learner::{About, Family, Learner, Pace, reads_inputs};
use crate::loss::{ListWeighting, Loss, RankNet, Shares, Softmax};
use crate::run::{Iteration, Keep, Run};

/// The learners of this family.
pub const FAMILY: Family = Family {
    title: "nets",
    learners: &[
        || Box::new(RankNetNet::default()),
        || Box::new(CrRankNet::default()),
        || Box::new(ListNet::default()),
        || Box::new(CrListNet::default()),
        || Box::new(LambdaRank::default()),
        || Box::new(CrLambdaRank::default()),
        || Box::new(CsLambdaRank::default()),
    ],
};

impl NetParams {
    /// A net that is trained by this loss.
    pub(crate) fn fit(
        &self,
        inputs: &Inputs,
        run: &mut Run<'_, '_>,
        loss: &dyn Loss,
    ) -> Result<Scorer, FitError> {
        let prepared = run.prepared;
        let lists = &prepared.training.unit_lists;
        loss.check(lists).map_err(FitError::Data)?;
        let data = DenseData::new(prepared, inputs)?;
        let learning = NetTraining {
            hidden: self.hidden.0.clone(),
            activation: self.activation,
            nets: self.nets,
            optimiser: self.optimiser,
            rate: self.rate,
            l2: self.l2,
            batch: self.batch,
            seed: run.seed(),
        };
        let mut epochs = Epochs::new(learning, &data.training, lists, loss);
        let iteration = Iteration {
            name: StageSummary::SCORE,
            link: Link::Identity,
            unit: 1.0,
            rounds: self.rounds,
            patience: self.patience,
            keep: Keep::BestValidated,
        };
        let factor = run.iterate(&iteration, &data, &mut epochs)?;
        Ok(Scorer { unit: 1.0, factors: vec![factor] })
    }

    /// How long it trains.
    pub(crate) fn pace(&mut self) -> Pace<'_> {
        Pace {
            rounds: vec![("rounds", &mut self.rounds)],
            rate: Some(&mut self.rate),
            patience: Some(&mut self.patience),
        }
    }
}

impl Sigma {
    fn apply(&self, loss: RankNet) -> Result<RankNet, FitError> {
        let loss = loss.sigma(self.sigma)?;
        Ok(if self.list_loss == ListLoss::Sum { loss.summed() } else { loss })
    }
}

/// A net for pairs in order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct RankNetNet {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub pairs: Sigma,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for RankNetNet {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "ranknet",
            title: "a net for pairs in order",
            optimises: "logistic loss of pairs in order",
            citation: "Burges et al. 2005, Learning to Rank Using Gradient Descent",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(net, pairs, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = self.pairs.apply(RankNet::insensitive())?;
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// A net for pairs in order, with lists weighted by their savable cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrRankNet {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub pairs: Sigma,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CrRankNet {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cr-ranknet",
            title: "a net for pairs in order, with lists weighted by their savable cost",
            optimises: "logistic loss of pairs in order, with lists weighted by their savable cost",
            citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-RankNet)",
            cost_mode: "cr: lists are weighted by their savable cost",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(net, pairs, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = self.pairs.apply(RankNet::cr(saved_cost(run, None)?))?;
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// A net for the item that comes first.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ListNet {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub shares: Temperature,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for ListNet {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "listnet",
            title: "a net for the item that comes first",
            optimises: "cross entropy of softmax of costs and softmax of scores",
            citation: "Cao et al. 2007, Learning to Rank: From Pairwise Approach to Listwise Approach",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(net, shares, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = softmax(&self.shares, run, ListWeighting::Equal)?;
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// A net for the item that comes first, with lists weighted by their savable cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrListNet {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub shares: Temperature,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CrListNet {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cr-listnet",
            title: "a net for the item that comes first, with lists weighted by their savable cost",
            optimises: "cross entropy of softmax of costs and of scores, with lists weighted by their savable cost",
            citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (CR-ListNet)",
            cost_mode: "cr: lists are weighted by their savable cost",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(net, shares, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let loss = softmax(&self.shares, run, by_savable_cost(run)?)?;
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// A net for NDCG.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct LambdaRank {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub pairs: Pairs,
    /// The gain of a cost.
    pub gains: Gains,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for LambdaRank {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "lambdarank",
            aliases: &["lambda-rank"],
            title: "a net for NDCG",
            optimises: "NDCG@k",
            citation: "Burges et al. 2006, Learning to Rank with Nonsmooth Cost Functions",
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(net, pairs, gains, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let metric = ndcg(self, self.pairs.cutoff, self.gains.gain, run)?;
        let loss = lambda(&self.pairs, goal_metric(run, metric, None)?)?;
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// A net for NDCG, with lists weighted by their savable cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrLambdaRank {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub pairs: Pairs,
    /// The gain of a cost.
    pub gains: Gains,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CrLambdaRank {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cr-lambdarank",
            aliases: &["cr-lambda-rank"],
            title: "a net for NDCG, with lists weighted by their savable cost",
            optimises: "R_CR@k(NDCG@k)",
            citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (LambdaRank, reweighted)",
            cost_mode: "cr: lists are weighted by their savable cost",
            random: true,
        };
        &ABOUT
    }

    crate::parameters!(net, pairs, gains, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        // Lists are weighted by what the goal can save in them, whatever positions training counts.
        let inner = ndcg(self, self.pairs.cutoff, self.gains.gain, run)?;
        let metric = goal_metric(run, Spec::named("rcr").around(inner), None)?;
        self.net.fit(&self.inputs, run, &lambda(&self.pairs, metric)?)
    }
}

/// A net for the cost captured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsLambdaRank {
    /// The layers, and how they are trained.
    pub net: NetParams,
    /// The loss.
    pub pairs: Pairs,
    /// How costs count.
    pub costs: CostWeights,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CsLambdaRank {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-lambdarank",
            aliases: &["cs-lambda-rank"],
            title: "a net for the cost captured",
            optimises: "R_CS@k: the share of all savable cost that is saved",
            citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (the lambdas of CS-MART)",
            cost_mode: "cs: what exchanging two items would save",
            random: true,
        };
        &ABOUT
    }

    crate::parameters!(net, pairs, costs, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.net.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let cutoff = cost_cutoff(self, self.pairs.cutoff)?;
        let loss = lambda(&self.pairs, saved_cost(run, cutoff)?)?;
        let loss = loss.temper(self.costs.temper).list_weight_power(self.costs.list_weight_power);
        self.net.fit(&self.inputs, run, &loss)
    }
}

/// Returns ListNet's loss. By default costs are divided by their standard deviation: otherwise the
/// softmax would put all weight on the largest where a few are many times the mean, and would be
/// nearly uniform where all are near the mean.
fn softmax(
    shares: &Temperature,
    run: &Run<'_, '_>,
    lists: ListWeighting,
) -> Result<Softmax, FitError> {
    // The loss sees costs in units of their mean.
    let unit = match shares.cost_unit {
        Unit::Deviation => deviation(&run.prepared.training.unit_lists),
        Unit::Raw => run.unit().recip(),
    };
    let temperature = shares.temperature * unit;
    Ok(Softmax::new(Shares::Softmax, temperature, lists)?)
}

/// Returns the standard deviation of costs in units of their mean; 1 if it is 0.
fn deviation(lists: &Lists) -> f64 {
    let weight = |item: usize| lists.weight().map_or(1.0, |w| w[item]);
    let all: f64 = (0..lists.n_items()).map(weight).sum();
    let mean_of = |of: &dyn Fn(f64) -> f64| -> f64 {
        lists.cost().iter().enumerate().map(|(item, &cost)| weight(item) / all * of(cost)).sum()
    };
    let mean = mean_of(&|cost| cost);
    let deviation = mean_of(&|cost| (cost - mean) * (cost - mean)).sqrt();
    if deviation > 0.0 { deviation } else { 1.0 }
}
