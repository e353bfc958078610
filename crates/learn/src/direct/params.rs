//! The parameters of direct search.

use stakes_core::metric::Spec;

use super::Reading;
use crate::params::{AutoOr, Choice, Cutoff};
use crate::{choice, params};

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
        l2: f64 = 0.0, Number(0.0, 1e6), alias ["lambda-l2", "reg-lambda"], try ["0", "0.01", "0.1", "0.3"];
    }
}

params! {
    /// How inputs are boosted.
    pub struct AdaRankParams {
        /// maximum number of inputs, counting repetitions
        rounds: usize = 500, Whole(1, 100_000), alias ["n-estimators"];
        /// minimum improvement of the metric on training lists by `patience` rounds
        tolerance: f64 = 0.0001, Number(0.0, 1.0);
        /// stop after N rounds without improvement on training or on validation lists
        patience: usize = 50, Whole(1, 100_000), alias ["early-stopping-rounds"];
        /// rounds in a row that the same input may be taken
        selections: usize = 5, Whole(1, 100_000), try ["1", "5"];
        /// lists are weighted by exp(-sharpness x their value): above 1 the badly ordered count for more
        sharpness: f64 = 1.0, Above0(1000.0), try ["1", "3", "5"];
    }
}

choice! {
    /// When the costs of lists are used (after Salomon 2020, section 3.3.3, for pairs).
    pub enum ListCosts {
        /// Never.
        None = "none",
        /// Lists begin with them.
        Before = "before",
        /// A root of them in each round.
        During = "during",
        /// Inputs are chosen without them and weighted with them.
        After = "after",
    }
}

params! {
    /// What lists cost.
    pub struct ListCostParams {
        /// when the savable costs of lists weight them: none: never; before: from the first round on; during: by
        /// a root of them more in each round; after: inputs are chosen without them and weighted with them
        cost: ListCosts = ListCosts::None, ListCosts::KIND, try ["none", "before"];
    }
}

params! {
    /// The metric that is searched for.
    pub struct SearchMetric {
        /// the metric that is maximised on the training lists
        metric: AutoOr<Spec> = AutoOr::Auto, Auto(&Text("a metric"), "auto (NDCG@k), or a metric of orders such as map or rcs@10");
    }
}

params! {
    /// The positions that training counts.
    pub struct SearchCutoff {
        /// positions that training counts; may be more than can be acted on
        cutoff: Cutoff = Cutoff(None), Text("auto (the capacity of the goal), a number of positions, or all (NDCG)");
    }
}

impl Choice for Reading {
    const VALUES: &'static [Self] = &[Reading::Corrected, Reading::Share, Reading::Printed];
    const NAMES: &'static [&'static str] = &["corrected", "share", "printed"];
    const ALIASES: &'static [(&'static str, Self)] = &[("literal", Reading::Share)];
}

params! {
    /// The reading of CS-AdaRank's objective (McBride et al. 2019, section 4).
    pub struct ReadingParams {
        /// a list's value, and the weights of lists: corrected: R, weighted by savable cost; share: A over all
        /// savable cost, equal weights; printed: R over all savable cost, equal weights, as the paper prints it
        reading: Reading = Reading::Corrected, Reading::KIND;
    }
}
