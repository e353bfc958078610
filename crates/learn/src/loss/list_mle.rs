//! ListMLE: the negative log-likelihood that items are drawn one after another in the order of
//! their costs, each with a probability given by the softmax of the scores of the remaining items
//! (Xia et al. 2008; the Plackett-Luce model).
//!
//! loss(list) = sum_p w_p (L_p - s_p),  L_p = log sum over c_l <= c_p of w_l exp(s_l)
//!
//! Items of the same cost are drawn at the same time, each from all items of that cost or less
//! (Breslow 1974, for the same likelihood), and items of the lowest cost are not drawn: their order
//! does not matter. This is the function that `listmle` minimises by Newton's method on a linear
//! score.
//!
//! With levels of equal cost numbered from the highest down, L_v and W_v the log sum and weight of
//! a level, and q_p = exp(s_p - L_v) for an item of level v,
//!
//! gradient_p = w_p q_p R_v - (w_p, but 0 in the lowest level),  R_v = sum over u <= v of W_u
//! exp(L_v - L_u), hessian_p = w_p q_p R_v - (w_p q_p)^2 Q_v,  Q_v = sum over u <= v of W_u exp(2
//! (L_v - L_u)),
//!
//! where the lowest level has W = 0. L falls from level to level, so no exponent is positive and
//! nothing overflows; each sum follows from the one before, so that a list takes O(n) after
//! sorting.
//!
//! Modes: lists have equal weight, or are weighted by their savable cost (`cr`). Within L, weights
//! are relative to the largest weight of the list; items of weight 0 are left out.
//!
//! Example: costs (3, 1) at scores (0, 0): L = (log 2, 0), value log 2, gradients -1/2 and 1/2,
//! hessians 1/4.

use stakes_core::data::ListView;

use super::logistic::softplus;
use super::{GradHess, ListLoss, ListWeighting, Loss};
use crate::Lists;

/// The minimum hessian, relative to R_v: where one item has all the probability, leaves must not
/// divide by 0.
const MIN_HESSIAN: f64 = 1e-16;

/// The likelihood of the order of costs.
#[derive(Debug, Default)]
pub struct ListMle {
    lists: ListWeighting,
}

impl ListMle {
    /// Creates the loss with these list weights.
    pub fn new(lists: ListWeighting) -> Self {
        ListMle { lists }
    }
}

impl Loss for ListMle {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        let own = |item: &u32| list.weight.map_or(1.0, |w| w[*item as usize]);
        let cost = |item: &u32| list.cost[*item as usize];
        let mut order: Vec<u32> = (0..list.len() as u32).filter(|item| own(item) > 0.0).collect();
        order.sort_by(|a, b| cost(b).total_cmp(&cost(a)));
        let largest = order.iter().map(own).fold(0.0, f64::max);
        let shares: Vec<f64> = order.iter().map(|item| own(item) / largest).collect();
        let ends = order.chunk_by(|a, b| cost(a) == cost(b)).scan(0, |end, level| {
            *end += level.len();
            Some(*end)
        });
        Box::new(ListMleList { ends: ends.collect(), order, shares, weight: weight * largest })
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lists.of(lists)
    }
}

struct ListMleList {
    /// Items by falling cost.
    order: Vec<u32>,
    /// Their weights relative to the largest, in that order.
    shares: Vec<f64>,
    /// The end of each level of equal cost in that order.
    ends: Vec<usize>,
    weight: f64,
}

/// Items of equal cost.
struct Level {
    places: std::ops::Range<usize>,
    /// The log of the sum of share x exp(score) over this level and those below.
    log_sum: f64,
    /// The sum of the shares of the items drawn at this level.
    drawn: f64,
}

impl ListMleList {
    /// Returns the levels from the highest cost down.
    fn levels(&self, scores: &[f64]) -> Vec<Level> {
        let begins = [0].into_iter().chain(self.ends.iter().copied());
        let mut levels: Vec<Level> = begins
            .zip(&self.ends)
            .map(|(begin, &end)| Level { places: begin..end, log_sum: 0.0, drawn: 0.0 })
            .collect();
        let lowest = levels.len().saturating_sub(1);
        let mut below = f64::NEG_INFINITY;
        for (number, level) in levels.iter_mut().enumerate().rev() {
            for place in level.places.clone() {
                let score = scores[self.order[place] as usize] + self.shares[place].ln();
                // log(e^a + e^b) = the larger + log(1 + e^(smaller - larger)).
                let (low, high) = if score < below { (score, below) } else { (below, score) };
                below = high + softplus(low - high);
            }
            level.log_sum = below;
            if number < lowest {
                level.drawn = self.shares[level.places.clone()].iter().sum();
            }
        }
        levels
    }
}

impl ListLoss for ListMleList {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        let (mut first, mut second, mut before) = (0.0, 0.0, f64::INFINITY);
        for level in self.levels(scores) {
            let fall = (level.log_sum - before).exp();
            first = first * fall + level.drawn;
            second = second * (fall * fall) + level.drawn;
            before = level.log_sum;
            for place in level.places {
                let (item, share) = (self.order[place] as usize, self.shares[place]);
                let q = (share * (scores[item] - level.log_sum).exp()).min(1.0);
                let drawn = if level.drawn > 0.0 { share } else { 0.0 };
                out[item] = GradHess {
                    grad: self.weight * (q * first - drawn),
                    hess: self.weight * (q * (first - q * second)).max(MIN_HESSIAN * first),
                };
            }
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        let mut sum = 0.0;
        for level in self.levels(scores).iter().filter(|level| level.drawn > 0.0) {
            for place in level.places.clone() {
                sum += self.shares[place] * (level.log_sum - scores[self.order[place] as usize]);
            }
        }
        Some(self.weight * sum)
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
        assert!(near(out[0].grad, -0.5) && near(out[1].grad, 0.5), "{out:?}");
        assert!(near(out[0].hess, 0.25) && near(out[1].hess, 0.25), "{out:?}");
        let loss = ListMle::default();
        let value = loss.prepare(&ListView::of_impact(&[3.0, 1.0]), 1.0).value(&[0.0, 0.0]);
        assert!(near(value.unwrap_or(f64::NAN), 2f64.ln()));
    }

    /// Draw by draw, with every sum taken afresh.
    #[test]
    fn as_the_formula_says_it() {
        let costs = [0.0, 7.0, 2.0, 2.0, 0.5, 1e250, 0.0];
        let scores = [0.3, -1.0, 2.0, 0.1, 5.0, 0.7, -0.4];
        let mut expected = [0.0; 7];
        for item in 0..costs.len() {
            let left: Vec<usize> = (0..7).filter(|&other| costs[other] <= costs[item]).collect();
            if costs[item] > 0.0 {
                let sum: f64 = left.iter().map(|&item| f64::exp(scores[item])).sum();
                expected[item] -= 1.0;
                left.iter().for_each(|&item| expected[item] += f64::exp(scores[item]) / sum);
            }
        }
        for (found, expected) in gradients(&costs, &scores).iter().zip(expected) {
            assert!((found.grad - expected).abs() < 1e-14, "{found:?} and {expected}");
        }
    }

    #[test]
    fn scores_far_apart_are_no_trouble() {
        // The best item last by a distance of which exp is no number: its pull is whole.
        let out = gradients(&[3.0, 2.0, 1.0], &[-1e4, 0.0, 1e4]);
        let grads: Vec<f64> = out.iter().map(|g| g.grad).collect();
        assert_eq!(grads, [-1.0, -1.0, 2.0]);
        assert!(out.iter().all(|g| g.hess > 0.0));
        let best = gradients(&[3.0, 2.0, 1.0], &[1e4, 0.0, -1e4]);
        assert!(best.iter().all(|g| g.grad.abs() < 1e-12), "{best:?}");
    }
}
