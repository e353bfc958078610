//! What it costs to get a pair wrong (Salomon, 2020, section 3.2; SPEC 3.6).
//!
//! | rule | cost of the pair (i above j) |
//! |---|---|
//! | uniform | 1 |
//! | product | c_i c_j |
//! | mean | (c_i + c_j) / 2 |
//! | max | max(c_i, c_j) |
//! | difference | abs(c_i - c_j) |
//! | given | as somebody said; 0 for pairs that were not named |
//!
//! Only shares matter, so costs are not divided by their mean. Costs that are all the same are
//! uniform: the same model, bit for bit, as without costs.
//!
//! A rule **factorises** if the cost is t_i t_j (p_i + q_j): then sums over pairs follow from sums
//! over items (`factored.rs`). Maximum and difference do where the better item of every pair costs
//! at least as much as the worse, as it does when the cost is the impact.
//!
//! Example: costs 4, 2, 1 by difference: p = 4, 2, 1 and q = -4, -2, -1.

use super::feedback::Feedback;

/// How the costs of two items make the cost of their pair.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rule {
    /// All pairs cost the same.
    Uniform,
    /// The product of the two costs.
    Product,
    /// Their mean.
    Mean,
    /// The larger one.
    Max,
    /// Their difference.
    Difference,
}

/// The costs of all pairs, weights apart.
#[derive(Debug)]
pub(crate) enum PairCosts {
    /// From the costs of items, by place.
    Items(Rule, Vec<f64>),
    /// By number of the pair.
    Given(Vec<f64>),
}

/// A pair cost as t_i t_j (p_i + q_j), by place.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    /// t: with the items' weights in it.
    pub(crate) times: Vec<f64>,
    /// p and q; `None` where the sum is 1.
    pub(crate) sides: Option<(Vec<f64>, Vec<f64>)>,
}

impl PairCosts {
    /// All pairs cost the same.
    pub(crate) fn uniform() -> Self {
        PairCosts::Items(Rule::Uniform, Vec::new())
    }

    /// From the costs of items, in the order of places.
    pub(crate) fn of_items(rule: Rule, cost: Vec<f64>) -> Self {
        let alike = cost.iter().all(|c| *c == cost[0] && *c > 0.0);
        match rule {
            Rule::Uniform => PairCosts::uniform(),
            Rule::Product | Rule::Mean | Rule::Max if alike => PairCosts::uniform(),
            rule => PairCosts::Items(rule, cost),
        }
    }

    /// As they are given, in the order of pairs.
    pub(crate) fn given(costs: Vec<f64>) -> Self {
        let alike = costs.iter().all(|c| *c == costs[0] && *c > 0.0);
        if alike { PairCosts::uniform() } else { PairCosts::Given(costs) }
    }

    /// Whether all pairs cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        matches!(self, PairCosts::Items(Rule::Uniform, _))
    }

    /// The costs of the pairs of a place with those from `worse` on.
    pub(crate) fn of_row(&self, feedback: &Feedback, place: usize, out: &mut [f64]) {
        let first = feedback.worse[place];
        match self {
            PairCosts::Given(costs) => {
                let pairs = feedback.first_pair[place]..feedback.first_pair[place + 1];
                out.copy_from_slice(&costs[pairs]);
            }
            PairCosts::Items(Rule::Uniform, _) => out.fill(1.0),
            PairCosts::Items(rule, cost) => {
                let own = cost[place];
                let of = |other: f64| match rule {
                    Rule::Uniform => 1.0,
                    Rule::Product => own * other,
                    Rule::Mean => (own + other) / 2.0,
                    Rule::Max => own.max(other),
                    Rule::Difference => (own - other).abs(),
                };
                out.iter_mut().zip(&cost[first..]).for_each(|(out, &other)| *out = of(other));
            }
        }
    }

    /// The factor of each place in the costs' root of a degree, if that is a product of them.
    pub(crate) fn roots(&self, feedback: &Feedback, degree: usize) -> Option<Vec<f64>> {
        let root = |cost: &f64| cost.powf(1.0 / degree as f64);
        match self {
            PairCosts::Items(Rule::Uniform, _) => Some(vec![1.0; feedback.len()]),
            PairCosts::Items(Rule::Product, cost) => Some(cost.iter().map(root).collect()),
            _ => None,
        }
    }

    /// The same as factors, if it is a product of them.
    pub(crate) fn factors(&self, feedback: &Feedback) -> Option<Factors> {
        let PairCosts::Items(rule, cost) = self else { return None };
        let times = feedback.weight.clone();
        let map = |side: &dyn Fn(f64) -> f64| cost.iter().map(|&c| side(c)).collect();
        let sides = match rule {
            Rule::Uniform => None,
            Rule::Product => {
                let times = times.iter().zip(cost).map(|(weight, cost)| weight * cost).collect();
                return Some(Factors { times, sides: None });
            }
            Rule::Mean => Some((map(&|c| 0.5 * c), map(&|c| 0.5 * c))),
            Rule::Max | Rule::Difference if !rises(feedback, cost) => return None,
            Rule::Max => Some((cost.clone(), map(&|_| 0.0))),
            Rule::Difference => Some((cost.clone(), map(&|c| -c))),
        };
        Some(Factors { times, sides })
    }
}

/// Whether in every pair the better item costs at least as much as the worse.
fn rises(feedback: &Feedback, cost: &[f64]) -> bool {
    feedback.lists.iter().all(|list| {
        let (mut largest, mut seen) = (0.0_f64, list.end);
        list.clone().rev().all(|place| {
            while seen > feedback.worse[place] {
                seen -= 1;
                largest = largest.max(cost[seen]);
            }
            cost[place] >= largest
        })
    })
}
