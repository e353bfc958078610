//! The RankBoost family (Freund, Iyer, Schapire and Singer, An efficient boosting algorithm for
//! combining preferences, 2003; Connamacher, Pancha, Liu and Ray, RankBoost+, 2020; their
//! cost-sensitive forms: Salomon, 2020, chapter 3).
//!
//! Pairs (i should be above j) have a distribution D. In each round the weak ranker h (`weak.rs`)
//! that tells most of D in one direction (`search.rs`) is taken with the weight alpha that makes the
//! loss smallest (`alpha.rs`); pairs that it gets right shrink, wrong ones grow, and the score is
//! the sum of alpha h. Costs of pairs (`costs.rs`) come in
//!
//! - `before`: D begins with them;
//! - `during`: each of T rounds multiplies D by their T-th root;
//! - `after`: weak rankers are chosen without costs, and their weights are those that the
//!   distribution with costs asks for, one after the other.
//!
//! All three minimise the same loss, sum of c~ x the factors of all rounds; they choose differently.
//! RankBoost's distribution never lists pairs (`factored.rs`) where costs allow it; RankBoost+ does
//! (`listed.rs`), keeps its weak rankers independent of each other (`independent.rs`), and may take
//! one again.

mod alpha;
mod booster;
mod bound;
mod costs;
mod distribution;
mod factored;
mod feedback;
mod given;
mod independent;
mod learners;
mod listed;
mod losses;
mod search;
mod weak;

use alpha::Ties;
use booster::{Booster, Costing, Plan};
pub use costs::Rule as PairCostRule;
pub use learners::{
    AlphaRule, AlphaRules, CostTime, Costs, CsRankBoost, CsRankBoostPlus, FAMILY, ItemCost,
    RankBoost, RankBoostPlus, Stumps,
};

#[cfg(test)]
mod tests;
