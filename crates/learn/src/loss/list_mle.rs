//! ListMLE: the likelihood that items are drawn one after another in the order of their costs,
//! each by the softmax of the scores of those that are left (Xia et al., Listwise approach to
//! learning to rank: theory and algorithm, 2008; the model of Plackett and Luce).
//!
//! loss(list) = 1/T sum_p w_p (L_p - s_p),  L_p = log sum over l >= p of exp(s_l),
//!
//! p going through the items by falling cost, those of equal cost as they stand in the list,
//! and T = sum w / largest w, the number of draws: long lists count as much as short ones.
//! With q = exp(s_p - L_p), the share of item p among those left when its turn comes,
//!
//! gradient_p = (q R_p - w_p) / T,  R_p = sum over j <= p of w_j exp(L_p - L_j),
//! hessian_p = (q R_p - q^2 Q_p) / T,  Q_p = sum over j <= p of w_j exp(2 (L_p - L_j)).
//!
//! L falls along the order, so no exponent is above 0 and nothing overflows; each of the sums
//! follows from the one before, so that a list takes O(n).
//!
//! Modes: lists count alike, or by what can be saved in them (`cr`). An item of weight 0 is
//! not there.
//!
//! Example: costs (3, 1) at scores (0, 0): L = (log 2, 0), value log 2 / 2, gradients -1/4 and
//! 1/4, hessians 1/8.

use stakes_core::data::ListView;

use super::logistic::softplus;
use super::{GradHess, ListLoss, ListWeighting, Loss};
use crate::Lists;

/// Hessians are at least this much of the weight that an item was left with: where one item
/// has all the chance, leaves must not divide by 0.
const LEAST_HESSIAN: f64 = 1e-16;

/// The likelihood of the order of costs.
#[derive(Debug, Default)]
pub struct ListMle {
    lists: ListWeighting,
}

impl ListMle {
    /// With these weights of lists.
    pub fn new(lists: ListWeighting) -> Self {
        ListMle { lists }
    }
}

impl Loss for ListMle {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let own = |item: u32| list.weight.map_or(1.0, |w| w[item as usize]);
        let mut order: Vec<u32> = (0..list.len() as u32).filter(|item| own(*item) > 0.0).collect();
        order.sort_by(|&a, &b| list.cost[b as usize].total_cmp(&list.cost[a as usize]));
        let largest = order.iter().map(|&item| own(item)).fold(0.0, f64::max);
        let draws: f64 = order.iter().map(|&item| own(item) / largest).sum();
        // A list of equal costs has an order only by accident.
        let differ = order.windows(2).any(|w| list.cost[w[0] as usize] != list.cost[w[1] as usize]);
        if !differ {
            order.clear();
        }
        let weights = order.iter().map(|&item| weight * own(item) / draws).collect();
        Box::new(ListMleList { order, weights })
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lists.of(lists)
    }
}

struct ListMleList {
    /// Items by falling cost.
    order: Vec<u32>,
    /// How much their draws count, in that order.
    weights: Vec<f64>,
}

impl ListMleList {
    /// For each place of the order, log of the sum of exp(score) from there on.
    fn log_sums(&self, scores: &[f64]) -> Vec<f64> {
        let mut sums = vec![0.0; self.order.len()];
        let mut below = f64::NEG_INFINITY;
        for (sum, &item) in sums.iter_mut().zip(&self.order).rev() {
            let score = scores[item as usize];
            // log(e^a + e^b) = the larger + log(1 + e^(smaller - larger)).
            let (low, high) = if score < below { (score, below) } else { (below, score) };
            below = high + softplus(low - high);
            *sum = below;
        }
        sums
    }
}

impl ListLoss for ListMleList {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        let (mut first, mut second, mut before) = (0.0, 0.0, f64::INFINITY);
        let places = self.order.iter().zip(&self.weights).zip(self.log_sums(scores));
        for ((&item, &weight), log_sum) in places {
            let fall = (log_sum - before).exp();
            first = first * fall + weight;
            second = second * (fall * fall) + weight;
            before = log_sum;
            let share = (scores[item as usize] - log_sum).exp().min(1.0);
            out[item as usize] = GradHess {
                grad: share * first - weight,
                hess: (share * (first - share * second)).max(LEAST_HESSIAN * first),
            };
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        let places = self.order.iter().zip(&self.weights).zip(self.log_sums(scores));
        let terms =
            places.map(|((&item, &weight), log_sum)| weight * (log_sum - scores[item as usize]));
        Some(terms.sum())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn gradients(costs: &[f64], scores: &[f64]) -> Vec<GradHess> {
        let (loss, mut out) = (ListMle::default(), vec![GradHess::default(); costs.len()]);
        loss.prepare(&ListView::of_impact(costs), 1.0).gradients(scores, &mut out);
        out
    }

    #[test]
    fn the_example_of_the_head() {
        let out = gradients(&[3.0, 1.0], &[0.0, 0.0]);
        let near = |found: f64, expected: f64| (found - expected).abs() < 1e-15;
        assert!(near(out[0].grad, -0.25) && near(out[1].grad, 0.25), "{out:?}");
        assert!(near(out[0].hess, 0.125) && near(out[1].hess, 0.125), "{out:?}");
        let loss = ListMle::default();
        let value = loss.prepare(&ListView::of_impact(&[3.0, 1.0]), 1.0).value(&[0.0, 0.0]);
        assert!(near(value.unwrap_or(f64::NAN), 2f64.ln() / 2.0));
    }

    /// Draw by draw, with every sum taken afresh.
    #[test]
    fn as_the_formula_says_it() {
        let costs = [0.0, 7.0, 2.0, 2.0, 0.5, 1e250];
        let scores = [0.3, -1.0, 2.0, 0.1, 5.0, 0.7];
        let order = [5_usize, 1, 2, 3, 4, 0];
        let n = order.len() as f64;
        let mut expected = [0.0; 6];
        for place in 0..order.len() {
            let left = &order[place..];
            let sum: f64 = left.iter().map(|&item| f64::exp(scores[item])).sum();
            expected[order[place]] -= 1.0 / n;
            left.iter().for_each(|&item| expected[item] += f64::exp(scores[item]) / sum / n);
        }
        for (found, expected) in gradients(&costs, &scores).iter().zip(expected) {
            assert!((found.grad - expected).abs() < 1e-15, "{found:?} and {expected}");
        }
    }

    #[test]
    fn scores_far_apart_are_no_trouble() {
        // The best item last by a distance of which exp is no number: its pull is whole.
        let out = gradients(&[3.0, 2.0, 1.0], &[-1e4, 0.0, 1e4]);
        let grads: Vec<f64> = out.iter().map(|g| g.grad * 3.0).collect();
        assert_eq!(grads, [-1.0, -1.0, 2.0]);
        assert!(out.iter().all(|g| g.hess > 0.0));
        let best = gradients(&[3.0, 2.0, 1.0], &[1e4, 0.0, -1e4]);
        assert!(best.iter().all(|g| g.grad.abs() < 1e-12), "{best:?}");
    }
}
