//! The cost that k actions per list reach, in the ideal and in a random order.

use serde::Serialize;
use stakes_core::cost::{Capacity, Policy, Problem};
use stakes_core::data::Dataset;
use stakes_core::metric::Scale;

/// The cost that k actions in every list reach.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Captured {
    /// The number of items of a list that are acted on: a number, or a range such as `10..40`.
    pub k: String,
    /// The share of the total cost in the k costliest items of every list.
    pub ideal_share: f64,
    /// The expected share of the total cost in k random items of every list.
    pub random_share: f64,
    /// The R_CS@k of a random order with the default policy (linear; step for a range).
    pub r_cs_random: f64,
}

/// k as a number or a range: percentages refer to the mean list length, `all` to the longest list.
pub(super) fn resolve(k: Capacity, data: &Dataset) -> Capacity {
    match k.resolve(data.mean_list_length()) {
        Capacity::All => Capacity::Items(Scale::of(data).longest_list.max(1)),
        resolved => resolved,
    }
}

pub(super) fn describe(problem: &Problem<'_>, k: Capacity) -> Captured {
    let longest = Scale::of(problem.data()).longest_list;
    let step = Policy::Step.probabilities(k, longest);
    let policy = if let Capacity::Range(..) = k { &Policy::Step } else { &Policy::Linear };
    let policy = policy.probabilities(k, longest);
    let largest = problem.cost().iter().copied().fold(0.0, f64::max);
    let [mut total, mut best, mut random, mut ideal_a, mut random_a] = [0.0; 5];
    for items in problem.data().lists() {
        let mut costs: Vec<f64> = problem.cost()[items].iter().map(|c| c / largest).collect();
        costs.sort_unstable_by(|a, b| b.total_cmp(a));
        let sum: f64 = costs.iter().sum();
        let mean = sum / costs.len() as f64;
        let dot = |pr: &[f64]| costs.iter().zip(pr).map(|(c, p)| c * p).sum::<f64>();
        let mass = |pr: &[f64]| pr[..pr.len().min(costs.len())].iter().sum::<f64>();
        total += sum;
        best += dot(&step);
        random += mean * mass(&step);
        ideal_a += dot(&policy);
        random_a += mean * mass(&policy);
    }
    // Without any cost the shares are 0.
    let over = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
    Captured {
        k: k.to_string(),
        ideal_share: over(best, total),
        random_share: over(random, total),
        r_cs_random: over(random_a, ideal_a),
    }
}
