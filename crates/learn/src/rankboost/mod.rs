//! The RankBoost family: RankBoost (Freund et al. 2003), RankBoost+ (Connamacher et al. 2020) and
//! their cost-sensitive variants (Salomon 2020, chapter 3).
//!
//! D is a distribution over pairs (i should be above j). Each round selects the weak ranker h
//! (`weak.rs`) with the largest difference of correctly and wrongly ordered mass of D
//! (`search.rs`), with the weight alpha that minimises the loss (`alpha.rs`); the mass of correctly
//! ordered pairs shrinks, that of wrongly ordered ones grows, and the score is the sum of alpha h.
//! Pair costs (`costs.rs`) are used
//!
//! - `before`: the initial D is proportional to them;
//! - `during`: each of T rounds multiplies D by their T-th root;
//! - `after`: weak rankers are selected without costs, and their weights are then computed, one
//!   after the other, from the distribution with costs.
//!
//! All three minimise the same loss, the sum of c~ x the factors of all rounds; they select
//! different weak rankers. RankBoost's distribution never lists pairs (`factored.rs`) where costs
//! allow it; RankBoost+ does (`listed.rs`), requires its weak rankers to be linearly independent
//! (`independent.rs`), and may select one again. `preference` lets groups choose weak rankers.

mod alpha;
mod booster;
mod bound;
mod by_difference;
mod costs;
mod distribution;
mod factored;
mod features;
mod feedback;
mod given;
mod independent;
mod learners;
mod listed;
mod losses;
mod params;
mod preference;
mod search;
mod weak;

use alpha::Ties;
pub(crate) use booster::outputs;
use booster::{Booster, Costing, Plan};
pub use costs::Rule as PairCostRule;
pub use learners::{CsRankBoost, CsRankBoostPlus, FAMILY, RankBoost, RankBoostPlus};
pub use params::{
    AlphaRule, AlphaRules, CostTime, Costs, ItemCost, MissingRule, Stumps, WeakKind, WeakKinds,
};
pub use preference::{PreferenceRankBoost, Preferences, TiedPairs, Together};

pub(crate) use search::Search;
pub(crate) use weak::{Counts, StumpStats, WeakRanker, unweighted, weight_of};

#[cfg(test)]
mod tests;
