//! Parameters of how costs, positions and lists count.

use stakes_core::WeightedLists;

use crate::params::{AutoOr, Choice, Cutoff};
use crate::prepared::Prepared;
use crate::{choice, params};

params! {
    /// How pairs are chosen and weighted.
    pub struct Pairs {
        /// positions that training counts; may be more than can be acted on
        cutoff: Cutoff = Cutoff(None), Text("auto (the capacity of the goal), a number of positions, or all (except for cs-mart)");
        /// only pairs with an item in the first N ranks are used
        pairs: AutoOr<usize> = AutoOr::Auto, Auto(&Whole(1, 100_000_000), "auto (those that the metric counts), or a number of ranks");
        /// steepness of the pairwise logistic
        sigma: f64 = 1.0, Above0(100.0), try ["0.5", "1", "2"];
        /// yes: weaken pairs whose scores differ much and lists of many pairs, as LightGBM does
        normalise: bool = false, OneOf(&["no", "yes"]), try ["no", "yes"];
    }
}

choice! {
    /// What an impact is worth to NDCG.
    pub enum Gain {
        /// exp2 if all impacts are whole and below 32, else linear.
        Auto = "auto",
        /// 2^y - 1.
        Exp2 = "exp2",
        /// y.
        Linear = "linear",
    }
}

params! {
    /// The gain of NDCG.
    pub struct Gains {
        /// exp2: 2^y - 1, for grades; linear: y; auto: exp2 if all impacts are whole and below 32
        gain: Gain = Gain::Auto, Gain::KIND;
    }
}

choice! {
    /// How cost is used where it can only weight lists.
    pub enum ListMode {
        /// Lists have equal weight.
        Insensitive = "insensitive",
        /// Lists are weighted by their savable cost.
        Cr = "cr",
    }
}

params! {
    /// The weights of lists.
    pub struct ListModes {
        /// insensitive: lists have equal weight; cr: lists are weighted by their savable cost
        mode: ListMode = ListMode::Insensitive, ListMode::KIND, try ["insensitive", "cr"];
    }
}

choice! {
    /// How cost is used.
    pub enum CostMode {
        /// Not at all.
        Insensitive = "insensitive",
        /// Lists are weighted by their savable cost.
        Cr = "cr",
        /// In the loss itself.
        Cs = "cs",
    }
}

choice! {
    /// On which scale costs are predicted.
    pub enum CostScale {
        /// Costs.
        Cost = "cost",
        /// log(1 + cost / mean cost); the score is exp of the mean.
        Log = "log",
    }
}

params! {
    /// The cost above which an item counts as costly.
    pub struct Threshold {
        /// cost above which an item counts as costly; auto: 0 if any item costs nothing, else the mean cost
        threshold: AutoOr<f64> = AutoOr::Auto, Auto(&Number(0.0, f64::MAX), "auto, or a cost of 0 or more");
    }
}

impl Threshold {
    /// Which training items are costly, in canonical order.
    pub(crate) fn costly(&self, prepared: &Prepared<'_>) -> Vec<bool> {
        let lists = &prepared.training.lists;
        let some_cost_nothing = || WeightedLists::new(lists).lists().cost().contains(&0.0);
        let threshold = match self.threshold {
            AutoOr::Auto if some_cost_nothing() => 0.0,
            AutoOr::Auto => prepared.unit,
            AutoOr::Given(threshold) => threshold,
        };
        lists.cost().iter().map(|cost| *cost > threshold).collect()
    }
}
