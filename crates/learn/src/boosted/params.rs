//! The parameters that boosted trees share.

use crate::params::Choice;
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

impl Boosting {
    /// The rate that studies found good for shallow trees (docs/study.md).
    pub fn studied() -> Self {
        Boosting { rate: 0.04, ..Boosting::default() }
    }
}

params! {
    /// Per-list offsets.
    pub struct Levels {
        /// per-list offsets during training, shrunk by this many pseudo-items; 0: none
        levels: f64 = 0.0, Number(0.0, 1e9);
    }
}

choice! {
    /// How the cost of an item is learned if it has one.
    pub enum SizeLoss {
        /// Squared error of its logarithm.
        Log = "log",
        /// Its gamma deviance.
        Gamma = "gamma",
    }
}

params! {
    /// The part of a two-part model that is about sizes.
    pub struct Sizes {
        /// how the cost of an item is learned if it has one: log: squared error of its logarithm; gamma: gamma deviance
        size: SizeLoss = SizeLoss::Log, SizeLoss::KIND;
    }
}
