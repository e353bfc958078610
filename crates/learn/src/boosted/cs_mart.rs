//! CS-MART (McBride et al. 2019, section 4): the lambda loss of R_CS, alone or on top of an expected cost.
//!
//! Where a few items cost more than all others, the lambdas of R_CS follow those few, noise and
//! all; a model of the expected cost sees every item. With `start`, that model comes first and
//! the lambda rounds only correct its order:
//!
//! score = expected cost^b x exp(sum of trees),
//!
//! and the loss sees the logarithm of the whole. b brings the logarithm of the expected cost to
//! the scale of the loss, on which a difference of 1 / sigma makes an order e times as likely as
//! the other: with costs that are mostly noise b is well below 1. It is found where the loss is
//! lowest, which is where its derivative, the sum of gradient x score, crosses 0.
//!
//! A protected group may have a term of its own in the loss of the order (`loss/grouped.rs`).

use stakes_core::cost::Capacity;
use stakes_core::goal::Goal;
use stakes_model::{Link, Scorer, StageSummary};

use super::two_part::{Expected, expected_cost};
use super::{Boosting, Levels, SizeLoss, Trees};
use crate::Lists;
use crate::error::FitError;
use crate::goal_metric::{Pairs, cost_cutoff, lambda, saved_cost};
use crate::learner::{About, Learner, Pace, grows_trees};
use crate::loss::{Balance, GradHess, GroupTerm, GroupedLambda, Lambda, Loss, Pointwise, Tweedie};
use crate::members::members;
use crate::params::Choice;
use crate::run::{Objective, Run};
use crate::{choice, params};

choice! {
    /// The model of the expected cost whose order is corrected.
    pub enum Start {
        /// None: the lambda loss alone.
        None = "none",
        /// A two-part model.
        TwoPart = "two-part",
        /// A Tweedie regression.
        Tweedie = "tweedie",
    }
}

choice! {
    /// What exchanging two items changes.
    pub enum Discounts {
        /// By their positions.
        Positions = "positions",
        /// By how far they are apart.
        Neighbours = "neighbours",
    }
}

params! {
    /// What CS-MART begins with, and how costs and lists count in its loss.
    pub struct OrderStage {
        /// the model of the expected cost whose order is corrected; none: no such model
        start: Start = Start::TwoPart, Start::KIND;
        /// with a start: maximum number of trees that correct the order
        order_rounds: usize = 50, Whole(1, 100_000);
        /// costs count to this power: below 1 the largest count for less
        temper: f64 = 1.0, Above0(2.0), try ["0.5", "0.7", "1"];
        /// lists are weighted by their savable cost to this power; 0: equal weights
        list_weight_power: f64 = 1.0, Number(0.0, 2.0), try ["0", "0.5", "1"];
        /// what exchanging two items changes: by their positions, or by how far they are apart
        discounts: Discounts = Discounts::Positions, Discounts::KIND;
        /// Gumbel noise of this scale is added to scores before pairs are weighted
        noise: f64 = 0.0, Number(0.0, 100.0);
    }
}

choice! {
    /// What the penalty keeps even.
    pub enum PenaltyOn {
        /// How often members stand above others.
        Parity = "parity",
        /// How often members stand wrongly above others, and wrongly below.
        Equality = "equality",
    }
}

choice! {
    /// Pairs across groups.
    pub enum AcrossPairs {
        /// Whose costlier item is a member.
        MemberBetter = "member-better",
        /// Whose costlier item is not.
        MemberWorse = "member-worse",
    }
}

params! {
    /// How the pairs of a group and the rest count in the loss.
    pub struct GroupPairs {
        /// strength of a penalty on unequal places of the protected group and the rest; all order-rounds are then
        /// kept, as the metric does not see what it is for
        penalty: f64 = 0.0, Number(0.0, 1e6);
        /// what the penalty keeps even: parity: how often members stand above others; equality: how often members
        /// stand wrongly above others, and wrongly below
        penalty_on: PenaltyOn = PenaltyOn::Parity, PenaltyOn::KIND;
        /// how many times more some pairs across the groups count
        group_cost: f64 = 1.0, Number(0.0, 1e6);
        /// which: those whose costlier item is a member of the protected group, or those whose costlier item is not
        group_pairs: AcrossPairs = AcrossPairs::MemberBetter, AcrossPairs::KIND;
        /// the protected group, for penalty and group-cost; the data name their groups (stakes train --group)
        protected: Option<String> = None, Text("none, or a value of the group column");
    }
}

/// Boosted trees for the cost captured.
#[derive(Debug, Clone, PartialEq)]
pub struct CsMart {
    /// How trees are grown.
    pub trees: Trees,
    /// How they are added up.
    pub boosting: Boosting,
    /// How pairs are chosen and weighted.
    pub pairs: Pairs,
    /// What it begins with, and how costs and lists count.
    pub order: OrderStage,
    /// Per-list offsets of the start.
    pub levels: Levels,
    /// How the pairs of a group and the rest count.
    pub group: GroupPairs,
}

impl Default for CsMart {
    fn default() -> Self {
        CsMart {
            trees: Trees::studied(),
            boosting: Boosting::studied(),
            pairs: Pairs::default(),
            order: OrderStage::default(),
            levels: Levels { levels: 10.0 },
            group: GroupPairs::default(),
        }
    }
}

const ABOUT: About = About {
    name: "cs-mart",
    aliases: &["csmart", "cs-lambdamart"],
    title: "boosted trees for the cost captured",
    optimises: "R_CS@k: the share of all savable cost that is saved",
    citation: "McBride et al. 2019, Cost-Sensitive Learning to Rank (CS-MART)",
    cost_mode: "cs: the metric is the cost captured",
    random: true,
};

impl Learner for CsMart {
    fn about(&self) -> &About {
        &ABOUT
    }

    crate::parameters!(trees, boosting, pairs, order, levels, group);
    grows_trees!(Differences);

    fn cross_fits(&self) -> bool {
        true
    }

    fn scores_costs(&self, goal: &Goal) -> bool {
        goal.budget().is_some()
    }

    fn pace(&mut self) -> Pace<'_> {
        let Boosting { rounds, rate, patience } = &mut self.boosting;
        Pace {
            rounds: vec![("rounds", rounds), ("order-rounds", &mut self.order.order_rounds)],
            rate: Some(rate),
            patience: Some(patience),
        }
    }

    fn stage_rounds(&self) -> Vec<usize> {
        let (rounds, order) = (self.boosting.rounds, self.order.order_rounds);
        match self.order.start {
            Start::None => vec![rounds],
            Start::Tweedie => vec![rounds, order],
            Start::TwoPart => vec![rounds, rounds, order],
        }
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let order = &self.order;
        let cutoff = cost_cutoff(self, self.pairs.cutoff)?;
        if run.goal().budget().is_some() {
            self.check_money(run)?;
        }
        let loss = self.loss(run, cutoff)?;
        let grouped = self.grouped(run, cutoff)?;
        // Of the metric's loss alone if there is nothing to balance.
        let whole: &dyn Loss = grouped.as_ref().map_or(&loss, |grouped| grouped);
        if order.start != Start::None && run.continues() {
            return Err(FitError::Data(
                "training cannot continue from a cs-mart that begins with an expected cost: the \
                 scale of that cost was settled by the trees after it; train from the start, or \
                 with start=none"
                    .into(),
            ));
        }
        let first = match order.start {
            Start::TwoPart => {
                Some(expected_cost(&self.boosting, &self.levels, SizeLoss::Log, run)?)
            }
            Start::Tweedie => Some(tweedie(&self.boosting, run)?),
            Start::None => None,
        };
        // Where money is spent, the loss sees the logarithm of the score per price.
        let by_price = run.goal().budget().map(|_| run.prepared.of_items(minus_log_price));
        let Some(Expected { mut factors, mut log }) = first else {
            let link = if by_price.is_some() { Link::Exp } else { Link::Identity };
            let mut score = self.boosting.stage(StageSummary::SCORE, link, whole);
            score.noise = order.noise;
            score.offset = by_price.as_ref();
            score.priced = by_price.is_some();
            score.all_rounds = grouped.is_some();
            return Ok(Scorer { unit: 1.0, factors: vec![run.stage(&score)?.factor] });
        };
        if let Some(by_price) = &by_price {
            log.add(by_price);
        }
        let objective = Objective::new(&loss, &run.prepared.training.unit_lists);
        let power = likeliest_power(&objective, run.prepared.of_training(&log));
        // Neither the unit nor the smearing factor matters to an order: constants are left out.
        factors.retain(|factor| !factor.trees.is_empty() || factor.link != Link::Identity);
        let log = log.map(|log| power * log);
        let mut stage = self.boosting.stage("order", Link::Exp, whole);
        stage.noise = order.noise;
        stage.all_rounds = grouped.is_some();
        stage.rounds = order.order_rounds;
        // Where an order is certain, its derivatives are next to nothing and their ratio is noise.
        stage.longest = 2.0;
        stage.offset = Some(&log);
        stage.priced = by_price.is_some();
        let mut correction = run.stage(&stage)?.factor;
        match by_price {
            None => factors.iter_mut().for_each(|factor| factor.raise(power)),
            // Prices are not raised to a power: the same order by a score in proportion to costs.
            Some(_) => correction.raise(1.0 / power),
        }
        factors.push(correction);
        Ok(Scorer { unit: 1.0, factors })
    }
}

impl CsMart {
    /// Refuses what has no meaning where money is spent, and data without prices.
    fn check_money(&self, run: &Run<'_, '_>) -> Result<(), FitError> {
        if self.pairs.cutoff.0.is_some() {
            return Err(self
                .refuse("cutoff", "auto under a budget, which has no positions")
                .into());
        }
        if self.order.discounts != Discounts::Positions {
            return Err(self.refuse("discounts", "positions under a budget").into());
        }
        if self.group != GroupPairs::default() {
            return Err(self.refuse("protected", "none under a budget").into());
        }
        saved_cost(run, None)?.check(&run.prepared.training.lists.list(0)).map_err(FitError::Data)
    }

    fn loss(&self, run: &Run<'_, '_>, cutoff: Option<Capacity>) -> Result<Lambda, FitError> {
        let order = &self.order;
        Ok(lambda(&self.pairs, saved_cost(run, cutoff)?)?
            .temper(order.temper)
            .list_weight_power(order.list_weight_power)
            .rank_distance(order.discounts == Discounts::Neighbours))
    }

    /// The loss with its term for the protected group, if there is one.
    fn grouped(
        &self,
        run: &Run<'_, '_>,
        cutoff: Option<Capacity>,
    ) -> Result<Option<GroupedLambda>, FitError> {
        let GroupPairs { penalty, penalty_on, group_cost, group_pairs, protected } = &self.group;
        let Some(protected) = protected else {
            return match self.group == GroupPairs::default() {
                true => Ok(None),
                false => Err(self.refuse("protected", "a value of the group column").into()),
            };
        };
        let term = match (*penalty > 0.0, *group_cost != 1.0) {
            (false, false) => return Ok(None),
            (true, true) => {
                return Err(self
                    .refuse("group-cost", "1 beside a penalty, as one of the two")
                    .into());
            }
            (false, true) if self.pairs.normalise => {
                return Err(self.refuse("normalise", "no where pairs of groups have costs").into());
            }
            (true, false) => {
                let balance = match penalty_on {
                    PenaltyOn::Parity => Balance::Parity,
                    PenaltyOn::Equality => Balance::Equality,
                };
                GroupTerm::Penalty(balance, *penalty)
            }
            (false, true) => {
                GroupTerm::Costs(*group_cost, *group_pairs == AcrossPairs::MemberBetter)
            }
        };
        let members = members(self, run.prepared, protected)?;
        Ok(Some(GroupedLambda::new(self.loss(run, cutoff)?, members, term)))
    }
}

/// What the price of an item adds to the logarithm of its score per price; the free come first.
fn minus_log_price(lists: &Lists) -> Vec<f64> {
    let price = lists.price().unwrap_or(&[]);
    price.iter().map(|price| -price.max(f64::MIN_POSITIVE).ln()).collect()
}

/// An expected cost in one part, for costs that are often 0 and sometimes huge.
fn tweedie(boosting: &Boosting, run: &mut Run<'_, '_>) -> Result<Expected, FitError> {
    let loss = Pointwise::new(Tweedie::new(1.5)?);
    let mut cost = boosting.stage("cost", Link::Exp, &loss);
    cost.unit = run.unit();
    let result = run.stage(&cost)?;
    Ok(Expected { factors: vec![result.factor], log: result.raw })
}

/// The power of all scores at which the loss is lowest, between 1/16 and 16. Powers keep the
/// order, so the pairs and what they weigh stay the same and the loss is convex in the power.
fn likeliest_power(objective: &Objective<'_>, log: &[f64]) -> f64 {
    let mut derivatives = vec![GradHess::default(); log.len()];
    let mut slope = |power: f64| -> f64 {
        let scores: Vec<f64> = log.iter().map(|log| power * log).collect();
        objective.derivatives(&scores, &mut derivatives);
        let slopes = derivatives.iter().zip(log).map(|(d, log)| d.grad * log);
        objective.shards().exact_sum(slopes)
    };
    let (mut low, mut high): (f64, f64) = (1.0 / 16.0, 16.0);
    // 24 halvings on a logarithmic scale find it to a millionth.
    for _ in 0..24 {
        let middle = (low * high).sqrt();
        if slope(middle) < 0.0 { low = middle } else { high = middle }
    }
    (low * high).sqrt()
}
