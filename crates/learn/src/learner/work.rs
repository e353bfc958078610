//! Estimates of how long a training takes, for people who wait. Nothing else depends on them.

use super::Learner;

/// The estimated seconds of a round on one core of a usual processor, for this many items.
pub fn round_seconds<L: Learner + ?Sized>(learner: &L, features: usize, items: usize) -> f64 {
    const PER_CELL: f64 = 1.2e-9;
    const PER_LEAF_AND_FEATURE: f64 = 8e-7;
    const PER_INPUT: f64 = 1e-8;
    let (items, width) = (items as f64, features as f64);
    let Some(trees) = learner.trees() else {
        return PER_INPUT * items * width;
    };
    let leaves = (trees.leaves as f64).min(items / 5.0).max(2.0);
    let cells = items * width * leaves.log2() * trees.rows * trees.lists;
    PER_CELL * cells + PER_LEAF_AND_FEATURE * leaves * width
}

/// The estimated seconds of the maximum number of rounds.
pub fn training_seconds<L: Learner + ?Sized>(learner: &L, features: usize, items: usize) -> f64 {
    let rounds: usize = learner.stage_rounds().iter().sum();
    rounds as f64 * round_seconds(learner, features, items)
}
