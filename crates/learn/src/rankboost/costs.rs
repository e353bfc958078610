//! The costs of ordering pairs wrongly (Salomon 2020, section 3.2).
//!
//! | rule | cost of the pair (i above j) |
//! |---|---|
//! | uniform | 1 |
//! | product | c_i c_j |
//! | mean | (c_i + c_j) / 2 |
//! | max | max(c_i, c_j) |
//! | difference | abs(c_i - c_j) |
//! | given | as given beside the data; 0 for pairs that are not given |
//!
//! Pairs of a protected group may cost some times more ([`PairCosts::times`]; Salomon 2020, section 4.3.3).
//!
//! Only shares matter, so costs are not divided by their mean. Costs that are all equal are treated
//! as uniform, so that the model is the same to the bit as without costs.
//!
//! A rule **factorises** if the cost is t_i t_j (p_i + q_j): then sums over pairs follow from sums
//! over items (`factored.rs`). Maximum and difference factorise if the better item of every pair
//! costs at least as much as the worse one, as it does if the cost is the impact.
//!
//! Example: costs 4, 2, 1 by difference: p = 4, 2, 1 and q = -4, -2, -1.

use super::feedback::Feedback;

/// The rule by which the cost of a pair follows from the costs of its items.
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

impl Rule {
    /// The cost of a pair of items with these costs.
    pub fn of(self, own: f64, other: f64) -> f64 {
        match self {
            Rule::Uniform => 1.0,
            Rule::Product => own * other,
            Rule::Mean => (own + other) / 2.0,
            Rule::Max => own.max(other),
            Rule::Difference => (own - other).abs(),
        }
    }
}

/// The costs of all pairs, without weights.
#[derive(Debug)]
pub(crate) enum PairCosts {
    /// A rule, and the costs of items by place.
    Items(Rule, Vec<f64>),
    /// Costs by pair number.
    Given(Vec<f64>),
}

/// A pair cost as t_i t_j (p_i + q_j), by place.
#[derive(Debug, Clone)]
pub(crate) struct Factors {
    /// t, including the weights of items.
    pub(crate) times: Vec<f64>,
    /// p and q; `None` if p + q is 1.
    pub(crate) sides: Option<(Vec<f64>, Vec<f64>)>,
}

impl PairCosts {
    /// Equal costs of all pairs.
    pub(crate) fn uniform() -> Self {
        PairCosts::Items(Rule::Uniform, Vec::new())
    }

    /// Pair costs from the costs of items by place.
    pub(crate) fn of_items(rule: Rule, cost: Vec<f64>) -> Self {
        let all_equal = cost.iter().all(|c| *c == cost[0] && *c > 0.0);
        match rule {
            Rule::Uniform => PairCosts::uniform(),
            Rule::Product | Rule::Mean | Rule::Max if all_equal => PairCosts::uniform(),
            rule => PairCosts::Items(rule, cost),
        }
    }

    /// Given pair costs by pair number.
    pub(crate) fn given(costs: Vec<f64>) -> Self {
        let all_equal = costs.iter().all(|c| *c == costs[0] && *c > 0.0);
        if all_equal { PairCosts::uniform() } else { PairCosts::Given(costs) }
    }

    /// The same costs, `factor` times as high for some pairs, given by the places of the better and the worse item.
    pub(crate) fn times(
        self,
        feedback: &Feedback,
        factor: f64,
        is_raised: impl Fn(usize, usize) -> bool,
    ) -> Self {
        if factor == 1.0 {
            return self;
        }
        let mut costs = vec![0.0; feedback.pairs()];
        for list in &feedback.lists {
            for place in list.clone() {
                let worse = feedback.worse_than(place, list);
                let row = feedback.first_pair[place]..feedback.first_pair[place + 1];
                let row = &mut costs[row];
                self.of_row(feedback, place, row);
                for (cost, other) in row.iter_mut().zip(worse) {
                    if is_raised(place, other) {
                        *cost *= factor;
                    }
                }
            }
        }
        PairCosts::given(costs)
    }

    /// Whether all pairs cost the same.
    pub(crate) fn is_uniform(&self) -> bool {
        matches!(self, PairCosts::Items(Rule::Uniform, _))
    }

    /// Writes the costs of the pairs in which the item at a place is the better one.
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
                let row = out.iter_mut().zip(&cost[first..]);
                row.for_each(|(out, &other)| *out = rule.of(own, other));
            }
        }
    }

    /// Returns the factor of each place in the root of the pair costs of this degree, if the root
    /// is a product of such factors.
    pub(crate) fn roots(&self, feedback: &Feedback, degree: usize) -> Option<Vec<f64>> {
        let root = |cost: &f64| cost.powf(1.0 / degree as f64);
        match self {
            PairCosts::Items(Rule::Uniform, _) => Some(vec![1.0; feedback.len()]),
            PairCosts::Items(Rule::Product, cost) => Some(cost.iter().map(root).collect()),
            _ => None,
        }
    }

    /// Returns the factors of the pair costs, if they factorise.
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

/// Whether the better item of every pair costs at least as much as the worse one.
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
