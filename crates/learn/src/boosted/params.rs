//! The parameters that boosted trees share.

use crate::params::{AutoOr, Choice, Cutoff};
use crate::{choice, params};

params! {
    /// How trees are added up.
    pub struct Boosting {
        /// maximum number of trees
        rounds: usize = 500, Whole(1, 100_000), alias ["n-estimators", "num-rounds", "num-boost-round", "iterations", "trees"];
        /// learning rate: the share of each tree that is added
        rate: f64 = 0.05, Above0(1.0), alias ["learning-rate", "eta"], try ["0.02", "0.03", "0.05", "0.1", "0.2"];
        /// early stopping: stop after N rounds without improvement on validation lists; 0: never
        patience: usize = 50, Whole(0, 100_000), alias ["early-stopping-rounds"];
    }
}

params! {
    /// Per-list offsets.
    pub struct Levels {
        /// per-list offsets during training, shrunk by this many pseudo-items; 0: none
        levels: f64 = 0.0, Number(0.0, 1e9);
    }
}

params! {
    /// How pairs are chosen and weighted.
    pub struct Pairs {
        /// positions that training counts; may be more than can be acted on
        cutoff: Cutoff = Cutoff(None), Text("auto (as many as can be acted on), a number of positions, or all (but for cs-mart)");
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
    /// How cost comes in where it can only weight lists.
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
    /// How cost comes in.
    pub enum CostMode {
        /// Not at all.
        Insensitive = "insensitive",
        /// Lists are weighted by their savable cost.
        Cr = "cr",
        /// In the loss itself.
        Cs = "cs",
    }
}
