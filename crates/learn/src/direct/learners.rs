//! The learners: coordinate ascent and AdaRank for the cost captured, for NDCG, for any metric.

use stakes_core::WeightedLists;
use stakes_core::metric::{Direction, Metric, Reads, Spec};
use stakes_model::{Link, Scorer, StageSummary};

use super::params::{
    AdaRankParams, AscentParams, ListCostParams, ListCosts, ReadingParams, SearchCutoff,
    SearchMetric,
};
use super::{AdaRank, Ascent, Climb, CostOfLists, Reading, Rules, Target, inputs_of};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::goal_metric::{
    Gain, Gains, by_savable_cost, cost_cutoff, goal_metric, ndcg, saved_cost,
};
use crate::learner::{About, Family, Learner, Pace, reads_inputs};
use crate::params::AutoOr;
use crate::run::{Iteration, Keep, Run, Steps};

/// The learners of this family.
pub const FAMILY: Family = Family {
    title: "direct search",
    learners: &[
        || Box::new(CsCoordinateAscent::default()),
        || Box::new(CrCoordinateAscent::default()),
        || Box::new(CoordinateAscent::default()),
        || Box::new(CsAdaRank::default()),
        || Box::new(AdaRankLearner::default()),
    ],
};

impl AscentParams {
    fn pace(&mut self) -> Pace<'_> {
        Pace { rounds: vec![("rounds", &mut self.rounds)], ..Pace::default() }
    }

    fn fit(
        &self,
        inputs: &Inputs,
        run: &mut Run<'_, '_>,
        metric: &Metric,
    ) -> Result<Scorer, FitError> {
        let data = DenseData::new(run.prepared, inputs)?;
        let lists = WeightedLists::new(&run.prepared.training.unit_lists);
        let inputs = inputs_of(&lists, &data.training);
        let target = Target::new(metric, &lists)?;
        let climb = Climb {
            restarts: match self.restarts {
                0 => usual_restarts(inputs.rows() * inputs.width()),
                given => given,
            },
            tolerance: self.tolerance,
            l2: self.l2,
            validated: data.validation.is_some(),
            seed: run.seed(),
        };
        let mut ascent = Ascent::new(&target, &inputs, climb)?;
        iterate(run, &data, (self.rounds, 0), &mut ascent)
    }
}

/// Returns a number of starts that takes some seconds: small data have many local optima.
fn usual_restarts(numbers: usize) -> usize {
    (4_000_000 / numbers.max(1)).clamp(5, 100)
}

impl AdaRankParams {
    fn pace(&mut self) -> Pace<'_> {
        Pace {
            rounds: vec![("rounds", &mut self.rounds)],
            rate: None,
            patience: Some(&mut self.patience),
        }
    }

    fn fit(
        &self,
        inputs: &Inputs,
        run: &mut Run<'_, '_>,
        metric: &Metric,
        reading: Reading,
        cost: ListCosts,
    ) -> Result<Scorer, FitError> {
        let data = DenseData::new(run.prepared, inputs)?;
        let lists = WeightedLists::new(&run.prepared.training.unit_lists);
        let inputs = inputs_of(&lists, &data.training);
        let target = Target::new(metric, &lists)?;
        let rules = Rules {
            patience: self.patience,
            tolerance: self.tolerance,
            selections: self.selections,
            sharpness: self.sharpness,
            reading,
            unit: run.unit(),
            validated: data.validation.is_some(),
        };
        let mut adarank = AdaRank::new(&target, &inputs, rules)?;
        if cost != ListCosts::None {
            let costs = by_savable_cost(run)?.of(lists.lists());
            let (when, rounds) = (cost, self.rounds);
            adarank = adarank.with_costs(CostOfLists { when, costs, rounds });
        }
        iterate(run, &data, (self.rounds, self.patience), &mut adarank)
    }
}

fn iterate(
    run: &mut Run<'_, '_>,
    data: &DenseData,
    (rounds, patience): (usize, usize),
    steps: &mut dyn Steps,
) -> Result<Scorer, FitError> {
    let iteration = Iteration {
        name: StageSummary::SCORE,
        link: Link::Identity,
        unit: 1.0,
        rounds,
        patience,
        keep: Keep::BestValidated,
    };
    let factor = run.iterate(&iteration, data, steps)?;
    Ok(Scorer { unit: 1.0, factors: vec![factor] })
}

/// The metric that is maximised: NDCG@k unless one is named.
fn chosen_metric(
    learner: &dyn Learner,
    (metric, cutoff, gain): (&SearchMetric, &SearchCutoff, Gain),
    run: &Run<'_, '_>,
) -> Result<Metric, FitError> {
    let AutoOr::Given(spec) = &metric.metric else {
        return goal_metric(run, ndcg(learner, cutoff.cutoff, gain, run)?, None);
    };
    let refuse = |error| learner.refuse("metric", &format!("a metric: {error}"));
    let metric = spec.clone().build(run.scale()).map_err(refuse)?;
    if metric.reads() == Reads::Values {
        let allowed = "a metric of orders; this one depends on the values of scores";
        return Err(learner.refuse("metric", allowed).into());
    }
    Ok(metric)
}

const METZLER: &str =
    "Metzler and Croft 2007, Linear Feature-Based Models for Information Retrieval";
const MCBRIDE: &str = "McBride et al. 2019, Cost-Sensitive Learning to Rank";

/// Weights that are best for the cost captured.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsCoordinateAscent {
    /// The search.
    pub ascent: AscentParams,
    /// The positions that count.
    pub cutoff: SearchCutoff,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CsCoordinateAscent {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-coordinate-ascent",
            aliases: &["cs-c-ascent"],
            title: "weights that are best for the cost captured, one at a time",
            optimises: "R_CS@k: the share of all savable cost that is saved",
            citation: MCBRIDE,
            cost_mode: "cs: R_CS itself is searched for",
            random: true,
        };
        &ABOUT
    }

    crate::parameters!(ascent, cutoff, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.ascent.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let metric = saved_cost(run, cost_cutoff(self, self.cutoff.cutoff)?)?;
        self.ascent.fit(&self.inputs, run, &metric)
    }
}

/// Weights that are best for NDCG, with lists weighted by their savable cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CrCoordinateAscent {
    /// The search.
    pub ascent: AscentParams,
    /// The positions that count.
    pub cutoff: SearchCutoff,
    /// The gain of a cost.
    pub gains: Gains,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CrCoordinateAscent {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cr-coordinate-ascent",
            aliases: &["cr-c-ascent"],
            title: "weights that are best for NDCG, with lists weighted by their savable cost",
            optimises: "R_CR@k(NDCG@k)",
            citation: MCBRIDE,
            cost_mode: "cr: lists are weighted by their savable cost",
            random: true,
        };
        &ABOUT
    }

    crate::parameters!(ascent, cutoff, gains, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.ascent.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        // Lists are weighted by what the goal can save in them, whatever positions training counts.
        let inner = ndcg(self, self.cutoff.cutoff, self.gains.gain, run)?;
        let metric = goal_metric(run, Spec::named("rcr").around(inner), None)?;
        self.ascent.fit(&self.inputs, run, &metric)
    }
}

/// Weights that are best for NDCG, or for any metric of orders.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CoordinateAscent {
    /// The search.
    pub ascent: AscentParams,
    /// The metric that is maximised.
    pub metric: SearchMetric,
    /// The positions that count.
    pub cutoff: SearchCutoff,
    /// The gain of a cost.
    pub gains: Gains,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CoordinateAscent {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "coordinate-ascent",
            aliases: &["c-ascent"],
            title: "weights that are best for NDCG, one at a time",
            optimises: "NDCG@k, or any metric of orders",
            citation: METZLER,
            random: true,
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(ascent, metric, cutoff, gains, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.ascent.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let chosen = (&self.metric, &self.cutoff, self.gains.gain);
        let metric = chosen_metric(self, chosen, run)?;
        self.ascent.fit(&self.inputs, run, &metric)
    }
}

/// Single inputs, boosted on lists that save little yet.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct CsAdaRank {
    /// The search.
    pub boosting: AdaRankParams,
    /// The positions that count.
    pub cutoff: SearchCutoff,
    /// The reading of the objective.
    pub reading: ReadingParams,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for CsAdaRank {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "cs-adarank",
            aliases: &["csadarank"],
            title: "single inputs, boosted on lists that save little yet",
            optimises: "R_CS@k: the share of all savable cost that is saved",
            citation: MCBRIDE,
            cost_mode: "cs: lists are weighted by their savable cost, and by R of each",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(boosting, cutoff, reading, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.boosting.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let metric = saved_cost(run, cost_cutoff(self, self.cutoff.cutoff)?)?;
        self.boosting.fit(&self.inputs, run, &metric, self.reading.reading, ListCosts::None)
    }
}

/// Single inputs, boosted on lists in bad order.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct AdaRankLearner {
    /// The search.
    pub boosting: AdaRankParams,
    /// The metric that is maximised.
    pub metric: SearchMetric,
    /// The positions that count.
    pub cutoff: SearchCutoff,
    /// The gain of a cost.
    pub gains: Gains,
    /// What lists cost.
    pub costs: ListCostParams,
    /// How features become inputs.
    pub inputs: Inputs,
}

impl Learner for AdaRankLearner {
    fn about(&self) -> &About {
        const ABOUT: About = About {
            name: "adarank",
            aliases: &["ada-rank"],
            title: "single inputs, boosted on lists in bad order",
            optimises: "NDCG@k, or any metric of orders from -1 to 1",
            citation: "Xu and Li 2007, AdaRank: A Boosting Algorithm for Information Retrieval",
            cost_mode: "none, or lists weighted by their savable cost: before, during or after (cost)",
            ..About::PLAIN
        };
        &ABOUT
    }

    crate::parameters!(boosting, metric, cutoff, gains, costs, inputs);
    reads_inputs!();

    fn pace(&mut self) -> Pace<'_> {
        self.boosting.pace()
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let chosen = (&self.metric, &self.cutoff, self.gains.gain);
        let metric = chosen_metric(self, chosen, run)?;
        let (least, most) = metric.range();
        if least < -1.0 || most > 1.0 || metric.direction() == Direction::Lower {
            let allowed = "a metric from -1 to 1 of which more is better, such as ndcg@10 or map";
            return Err(self.refuse("metric", allowed).into());
        }
        self.boosting.fit(&self.inputs, run, &metric, Reading::Corrected, self.costs.cost)
    }
}
