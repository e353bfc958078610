//! The learners: coordinate ascent and AdaRank for the cost captured, for NDCG, for any metric.

use stakes_core::WeightedLists;
use stakes_core::metric::{Direction, Metric, Reads};
use stakes_model::{Link, Scorer};

use super::{AdaRank, Ascent, Climb, Reading, Rules, Target, inputs_of};
use crate::boosted::{Gain, Gains, cost_cutoff, goal_metric, ndcg};
use crate::dense::{DenseData, Inputs};
use crate::error::FitError;
use crate::learner::{About, Family, Learner, Pace, reads_inputs};
use crate::params;
use crate::params::{Choice, Cutoff, Words};
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

params! {
    /// How weights are searched for.
    pub struct AscentParams {
        /// maximum number of passes over all inputs
        rounds: usize = 25, Whole(1, 100_000);
        /// number of starts: all inputs with equal weights, the best input alone, then random weights; 0: from 5 to
        /// 100, more for small data
        restarts: usize = 0, Whole(0, 1000);
        /// minimum improvement of the metric by a pass for a start to be followed further
        tolerance: f64 = 0.0001, Number(0.0, 1.0);
        /// penalty on the sum of squares of weights whose sizes add up to 1, in units of the metric
        l2: f64 = 0.0, Number(0.0, 1e6), try ["0", "0.01", "0.1", "0.3"];
    }
}

params! {
    /// How inputs are boosted.
    pub struct AdaRankParams {
        /// maximum number of inputs, counting repetitions
        rounds: usize = 500, Whole(1, 100_000), alias ["n-estimators"];
        /// minimum improvement of the metric on training lists by `patience` rounds
        tolerance: f64 = 0.0001, Number(0.0, 1.0);
        /// stop after so many rounds without improvement on training or on validation lists
        patience: usize = 50, Whole(1, 100_000), alias ["early-stopping-rounds"];
        /// rounds in a row that the same input may be taken
        selections: usize = 5, Whole(1, 100_000), try ["1", "5"];
        /// lists are weighted by exp(-sharpness x their value): above 1 the badly ordered count for more
        sharpness: f64 = 1.0, Above0(1000.0), try ["1", "3", "5"];
    }
}

params! {
    /// The metric that is searched for.
    pub struct SearchMetric {
        /// the metric that is maximised on the training lists
        metric: Words = Words::new("auto"), Text("auto (NDCG@k), or a metric of orders such as map or rcs@10");
    }
}

params! {
    /// The positions that training counts.
    pub struct SearchCutoff {
        /// positions that training counts; may be more than can be acted on
        cutoff: Cutoff = Cutoff(None), Text("auto (as many as can be acted on), a number of positions, or all (NDCG)");
    }
}

impl Choice for Reading {
    const VALUES: &'static [Self] = &[Reading::Corrected, Reading::Literal];
    const NAMES: &'static [&'static str] = &["corrected", "literal"];
}

params! {
    /// The reading of CS-AdaRank's objective (McBride et al. 2019, section 4).
    pub struct ReadingParams {
        /// corrected: a list's value is R, lists weighted by their savable cost; literal: A over all
        /// savable cost, lists of equal weight
        reading: Reading = Reading::Corrected, Reading::KIND;
    }
}

impl AscentParams {
    fn fit(
        &self,
        inputs: &Inputs,
        run: &mut Run<'_, '_>,
        metric: &Metric,
    ) -> Result<Scorer, FitError> {
        let data = DenseData::new(run.prepared, inputs.within)?;
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
    fn fit(
        &self,
        inputs: &Inputs,
        run: &mut Run<'_, '_>,
        metric: &Metric,
        reading: Reading,
    ) -> Result<Scorer, FitError> {
        let data = DenseData::new(run.prepared, inputs.within)?;
        let lists = WeightedLists::new(&run.prepared.training.unit_lists);
        let inputs = inputs_of(&lists, &data.training);
        let target = Target::new(metric, &lists)?;
        let rules = Rules {
            patience: self.patience,
            tolerance: self.tolerance,
            selections: self.selections,
            sharpness: self.sharpness,
            reading,
            validated: data.validation.is_some(),
        };
        let mut adarank = AdaRank::new(&target, &inputs, rules)?;
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
        name: "score",
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
    if &*metric.metric == "auto" {
        return goal_metric(run, &ndcg(learner, cutoff.cutoff, gain, run)?, None);
    }
    let metric = Metric::parse(&metric.metric, run.scale())
        .map_err(|error| learner.refuse("metric", &format!("a metric: {error}")))?;
    if metric.reads() == Reads::Values {
        let allowed = "a metric of orders; this one depends on the values of scores";
        return Err(learner.refuse("metric", allowed).into());
    }
    Ok(metric)
}

/// Declares a learner by direct search: its fields, and all that these learners share.
macro_rules! search_learner {
    (
        $(#[$doc:meta])* $name:ident { $search:ident: $params:ty $(, $field:ident: $group:ty)* }
        $about:expr, $fit:expr
    ) => {
        $(#[$doc])*
        #[derive(Debug, Clone, PartialEq, Default)]
        pub struct $name {
            /// The search.
            pub $search: $params,
            $(
                #[allow(missing_docs)]
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

            crate::parameters!($search, $($field,)* inputs);

            reads_inputs!();

            fn pace(&mut self) -> Pace<'_> {
                Pace { rounds: vec![("rounds", &mut self.$search.rounds)], ..Pace::default() }
            }

            fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
                $fit(self, run)
            }
        }
    };
}

const METZLER: &str =
    "Metzler and Croft, Linear feature-based models for information retrieval, 2007";
const MCBRIDE: &str = "McBride et al., Cost-sensitive learning to rank, 2019";

search_learner! {
    /// Weights that are best for the cost captured.
    CsCoordinateAscent { ascent: AscentParams, cutoff: SearchCutoff }
    About {
        name: "cs-coordinate-ascent",
        aliases: &["cs-c-ascent"],
        title: "weights that are best for the cost captured, one at a time",
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: MCBRIDE,
        cost_mode: "cs: R_CS itself is searched for",
        random: true,
    },
    |learner: &CsCoordinateAscent, run: &mut Run<'_, '_>| {
        let metric = goal_metric(run, "rcs", cost_cutoff(learner, learner.cutoff.cutoff)?)?;
        learner.ascent.fit(&learner.inputs, run, &metric)
    }
}

search_learner! {
    /// Weights that are best for NDCG, with lists weighted by their savable cost.
    CrCoordinateAscent { ascent: AscentParams, cutoff: SearchCutoff, gains: Gains }
    About {
        name: "cr-coordinate-ascent",
        aliases: &["cr-c-ascent"],
        title: "weights that are best for NDCG, with lists weighted by their savable cost",
        optimises: "R_CR@k(NDCG@k)",
        citation: MCBRIDE,
        cost_mode: "cr: lists are weighted by their savable cost",
        random: true,
    },
    |learner: &CrCoordinateAscent, run: &mut Run<'_, '_>| {
        // Lists are weighted by what the goal can save in them, whatever positions training counts.
        let inner = ndcg(learner, learner.cutoff.cutoff, learner.gains.gain, run)?;
        let metric = goal_metric(run, &format!("rcr({inner})"), None)?;
        learner.ascent.fit(&learner.inputs, run, &metric)
    }
}

search_learner! {
    /// Weights that are best for NDCG, or for any metric of orders.
    CoordinateAscent {
        ascent: AscentParams, metric: SearchMetric, cutoff: SearchCutoff, gains: Gains
    }
    About {
        name: "coordinate-ascent",
        aliases: &["c-ascent"],
        title: "weights that are best for NDCG, one at a time",
        optimises: "NDCG@k, or any metric of orders",
        citation: METZLER,
        random: true,
        ..About::PLAIN
    },
    |learner: &CoordinateAscent, run: &mut Run<'_, '_>| {
        let chosen = (&learner.metric, &learner.cutoff, learner.gains.gain);
        let metric = chosen_metric(learner, chosen, run)?;
        learner.ascent.fit(&learner.inputs, run, &metric)
    }
}

search_learner! {
    /// Single inputs, boosted on lists that save little yet.
    CsAdaRank { boosting: AdaRankParams, cutoff: SearchCutoff, reading: ReadingParams }
    About {
        name: "cs-adarank",
        aliases: &["csadarank"],
        title: "single inputs, boosted on lists that save little yet",
        optimises: "R_CS@k: the share of all savable cost that is saved",
        citation: MCBRIDE,
        cost_mode: "cs: lists are weighted by their savable cost, and by R of each",
        ..About::PLAIN
    },
    |learner: &CsAdaRank, run: &mut Run<'_, '_>| {
        let metric = goal_metric(run, "rcs", cost_cutoff(learner, learner.cutoff.cutoff)?)?;
        learner.boosting.fit(&learner.inputs, run, &metric, learner.reading.reading)
    }
}

search_learner! {
    /// Single inputs, boosted on lists in bad order.
    AdaRankLearner {
        boosting: AdaRankParams, metric: SearchMetric, cutoff: SearchCutoff, gains: Gains
    }
    About {
        name: "adarank",
        aliases: &["ada-rank"],
        title: "single inputs, boosted on lists in bad order",
        optimises: "NDCG@k, or any metric of orders from -1 to 1",
        citation: "Xu and Li, AdaRank: a boosting algorithm for information retrieval, 2007",
        ..About::PLAIN
    },
    |learner: &AdaRankLearner, run: &mut Run<'_, '_>| {
        let chosen = (&learner.metric, &learner.cutoff, learner.gains.gain);
        let metric = chosen_metric(learner, chosen, run)?;
        let (least, most) = metric.range();
        if least < -1.0 || most > 1.0 || metric.direction() == Direction::Lower {
            let allowed = "a metric from -1 to 1 of which more is better, such as ndcg@10 or map";
            return Err(learner.refuse("metric", allowed).into());
        }
        learner.boosting.fit(&learner.inputs, run, &metric, Reading::Corrected)
    }
}
