//! The learners: nets that differ in their loss.

use stakes_core::Lists;
use stakes_model::{Activation, Link, Scorer};

use super::{Epochs, NetTraining};
use crate::boosted::{Gains, Pairs, by_savable_cost, cost_cutoff, goal_metric, lambda, ndcg};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::learner::{About, Family, Learner, Pace, reads_inputs};
use crate::loss::{ListWeighting, Loss, RankNet, Shares, Softmax};
use crate::params;
use crate::params::{Choice, Hidden};
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
        || Box::new(CsLambdaRank::default()),
    ],
};

impl Choice for Activation {
    const VALUES: &'static [Self] = &[Activation::Relu, Activation::Tanh];
    const NAMES: &'static [&'static str] = &["relu", "tanh"];
}

params! {
    /// The layers of a net, and how it is trained.
    pub struct NetParams {
        /// 0: a linear score; else the numbers of units of hidden layers
        hidden: Hidden = Hidden(vec![16]), Text("0, or 1 to 1024 units of one or two hidden layers such as 16 or 32,16"), try ["0", "16", "32,16"];
        /// the function of hidden units
        activation: Activation = Activation::Relu, Activation::KIND;
        /// number of nets whose scores are averaged, each with draws of its own; a linear score is always one
        nets: usize = 6, Whole(1, 100);
        /// maximum number of epochs: passes over all lists
        rounds: usize = 100, Whole(1, 100_000), alias ["epochs", "n-estimators"];
        /// learning rate: the length of Adam's steps
        rate: f64 = 0.01, Above0(1.0), alias ["learning-rate"], try ["0.001", "0.003", "0.01", "0.03"];
        /// number of lists of a step; 0: a 500th of them, 32 at most
        batch: usize = 0, Whole(0, 1 << 32), alias ["batch-size"];
        /// penalty on the square of weights
        l2: f64 = 0.003, Number(0.0, 1e6), alias ["weight-decay"], try ["0", "0.001", "0.003", "0.01", "0.03"];
        /// early stopping: stop after so many epochs without improvement on validation lists; 0: never
        patience: usize = 20, Whole(0, 100_000), alias ["early-stopping-rounds"];
    }
}

params! {
    /// The target shares of ListNet.
    pub struct Temperature {
        /// target shares are softmax(cost / deviation of costs / temperature): above 1 flattens them
        temperature: f64 = 1.0, Above0(1e6), try ["0.5", "1", "2", "4"];
    }
}

params! {
    /// The steepness of pairs.
    pub struct Sigma {
        /// steepness of the pairwise logistic
        sigma: f64 = 1.0, Above0(100.0), try ["0.5", "1", "2"];
    }
}

params! {
    /// How costs and lists count in the loss of the cost captured.
    pub struct CostWeights {
        /// costs count to this power: below 1 the largest count for less
        temper: f64 = 1.0, Above0(2.0), try ["0.5", "0.7", "1"];
        /// lists are weighted by their savable cost to this power; 0: equal weights
        list_weight_power: f64 = 1.0, Number(0.0, 2.0), try ["0", "0.5", "1"];
    }
}

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
        let data = DenseData::new(prepared, inputs.within)?;
        let learning = NetTraining {
            hidden: self.hidden.0.clone(),
            activation: self.activation,
            nets: self.nets,
            rate: self.rate,
            l2: self.l2,
            batch: self.batch,
            seed: run.seed(),
        };
        let mut epochs = Epochs::new(learning, &data.training, lists, loss);
        let iteration = Iteration {
            name: "score",
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

/// Declares a learner whose score is a net: its fields, and all that nets share.
macro_rules! net_learner {
    ($(#[$doc:meta])* $name:ident { $($field:ident: $group:ty),* } $about:expr, $fit:expr) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            /// The layers, and how they are trained.
            pub net: NetParams,
            $(
                /// The loss.
                pub $field: $group,
            )*
            /// How features become inputs.
            pub inputs: Inputs,
        }

        impl Learner for $name {
            fn about(&self) -> &About {
                const ABOUT: About = $about;
                &ABOUT
            }

            crate::parameters!(net, $($field,)* inputs);

            reads_inputs!();

            fn pace(&mut self) -> Pace<'_> {
                self.net.pace()
            }

            fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
                let loss = $fit(self, &*run)?;
                self.net.fit(&self.inputs, run, &loss)
            }
        }
    };
}

net_learner! {
    /// A net for pairs in order.
    RankNetNet { pairs: Sigma }
    About {
        name: "ranknet",
        title: "a net for pairs in order",
        optimises: "logistic loss of pairs in order",
        citation: "Burges et al., Learning to rank using gradient descent, 2005",
        random: true,
        ..About::PLAIN
    },
    |net: &RankNetNet, _: &Run<'_, '_>| Ok::<_, FitError>(RankNet::insensitive().sigma(net.pairs.sigma)?)
}

net_learner! {
    /// A net for pairs in order, with lists weighted by their savable cost.
    CrRankNet { pairs: Sigma }
    About {
        name: "cr-ranknet",
        title: "a net for pairs in order, with lists weighted by their savable cost",
        optimises: "logistic loss of pairs in order, with lists weighted by their savable cost",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-RankNet)",
        cost_mode: "cr: lists are weighted by their savable cost",
        random: true,
        ..About::PLAIN
    },
    |net: &CrRankNet, run: &Run<'_, '_>| {
        let loss = RankNet::cr(goal_metric(run, "rcs", None)?);
        Ok::<_, FitError>(loss.sigma(net.pairs.sigma)?)
    }
}

net_learner! {
    /// A net for the item that comes first.
    ListNet { shares: Temperature }
    About {
        name: "listnet",
        title: "a net for the item that comes first",
        optimises: "cross entropy of softmax of costs and softmax of scores",
        citation: "Cao et al., Learning to rank: from pairwise approach to listwise approach, 2007",
        random: true,
        ..About::PLAIN
    },
    |net: &ListNet, run: &Run<'_, '_>| softmax(&net.shares, run, ListWeighting::Equal)
}

net_learner! {
    /// A net for the item that comes first, with lists weighted by their savable cost.
    CrListNet { shares: Temperature }
    About {
        name: "cr-listnet",
        title: "a net for the item that comes first, with lists weighted by their savable cost",
        optimises: "cross entropy of softmax of costs and of scores, with lists weighted by their savable cost",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (CR-ListNet)",
        cost_mode: "cr: lists are weighted by their savable cost",
        random: true,
        ..About::PLAIN
    },
    |net: &CrListNet, run: &Run<'_, '_>| softmax(&net.shares, run, by_savable_cost(run)?)
}

net_learner! {
    /// A net for NDCG.
    LambdaRank { pairs: Pairs, gains: Gains }
    About {
        name: "lambdarank",
        aliases: &["lambda-rank"],
        title: "a net for NDCG",
        optimises: "NDCG@k",
        citation: "Burges et al., Learning to rank with nonsmooth cost functions, 2006",
        random: true,
        ..About::PLAIN
    },
    |net: &LambdaRank, run: &Run<'_, '_>| {
        let metric = ndcg(net, net.pairs.cutoff, net.gains.gain, run)?;
        lambda(&net.pairs, goal_metric(run, &metric, None)?)
    }
}

net_learner! {
    /// A net for the cost captured.
    CsLambdaRank { pairs: Pairs, costs: CostWeights }
    About {
        name: "cs-lambdarank",
        aliases: &["cs-lambda-rank"],
        title: "a net for the cost captured",
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: "McBride et al., Cost-Sensitive Learning to Rank (the lambdas of CS-MART)",
        cost_mode: "cs: what exchanging two items would save",
        random: true,
    },
    |net: &CsLambdaRank, run: &Run<'_, '_>| {
        let cutoff = cost_cutoff(net, net.pairs.cutoff)?;
        let loss = lambda(&net.pairs, goal_metric(run, "rcs", cutoff)?)?;
        let loss = loss.temper(net.costs.temper).list_weight_power(net.costs.list_weight_power);
        Ok::<_, FitError>(loss)
    }
}

/// Returns ListNet's loss. Costs are divided by their standard deviation: otherwise the softmax would
/// put all weight on the largest where a few are many times the mean, and would be nearly uniform
/// where all are near the mean.
fn softmax(
    shares: &Temperature,
    run: &Run<'_, '_>,
    lists: ListWeighting,
) -> Result<Softmax, FitError> {
    let temperature = shares.temperature * deviation(&run.prepared.training.unit_lists);
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
