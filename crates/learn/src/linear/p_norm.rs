//! The P-Norm Push: items of low cost are pushed below costlier items, with the emphasis on the top
//! of the list (Rudin 2009).
//!
//! loss(w) = 1/m sum over lists of 1/n sum over items j of
//!           ( 1/U sum over costlier items i of u_i exp(-(s_i - s_j)) )^p
//!
//! For two levels of cost and one list this is, up to a constant, Rudin's sum over negatives of
//! (sum over positives of exp(-(s_i - s_j)))^p. Here an item is pushed down by all costlier items,
//! which covers any number of levels and real costs. n is the number of items that have costlier
//! ones, U the sum of u over the items that have cheaper ones: a list's loss is at most 1 where all
//! scores are equal, and exactly 1 for two levels. u_i = 1, or the item's cost ([`Push::ByCost`]).
//! Item weights multiply u_i and the term of item j. Lists may have weights; m is the number of
//! lists that have pairs.
//!
//! With A_j = sum u_i exp(-s_i) the term is T_j = (A_j exp(s_j) / U)^p, and all sums are over the
//! levels by falling cost: O(n) for the value, O(n D^2) with the Hessian,
//! sum over j of p T_j ( p (x_j - m_j)(x_j - m_j)' + E_j[x x'] - m_j m_j' ), E_j and m_j being
//! means over costlier items, weighted by their shares of A_j. All computations use logarithms; a
//! value that overflows is infinite, and the line search of Newton's method rejects it.
//!
//! Example: costs (1, 0), inputs (1), (0), p = 2: exp(-2 w), at w = 0 with gradient -2 and second
//! derivative 4.

use std::ops::Range;

use stakes_core::data::ListView;

use crate::Lists;
use crate::dense::Dense;
use crate::newton::{CostLevels, Derivatives, Smooth, Sums, log_add, sum_over, value_over};
use stakes_model::dot;

/// The weights u of the costlier items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Push {
    /// All equal.
    Equal,
    /// By their cost.
    ByCost,
}

/// The P-Norm Push loss.
pub(crate) struct PNormPush<'d> {
    data: &'d Dense,
    offsets: &'d [usize],
    power: f64,
    lists: Vec<List>,
}

/// A list prepared for the loss.
struct List {
    levels: CostLevels,
    /// The row of its first item.
    start: usize,
    /// The logarithms of u / U times the item's weight, by position in the order of `levels`.
    log_push: Vec<f64>,
    /// The list weight / (m n) times the item's weight, by position.
    term_weights: Vec<f64>,
}

impl<'d> PNormPush<'d> {
    /// Creates the loss of these lists, whose items are the rows of the data, with these list
    /// weights.
    pub(crate) fn new(
        data: &'d Dense,
        lists: &'d Lists,
        power: f64,
        push: Push,
        list_weights: &[f64],
    ) -> Self {
        let of_list = |list: usize| List::new(&lists.list(list), lists.items(list).start, push);
        let mut all: Vec<List> = (0..lists.len()).map(of_list).collect();
        let with_pairs = all.iter().filter(|list| list.has_pairs()).count().max(1) as f64;
        for (list, weight) in all.iter_mut().zip(list_weights) {
            list.term_weights.iter_mut().for_each(|term| *term *= weight / with_pairs);
        }
        PNormPush { data, offsets: lists.offsets(), power, lists: all }
    }

    fn scores(&self, list: &List, weights: &[f64]) -> Vec<f64> {
        let of = |item: &usize| dot(self.data.row(list.start + item), weights);
        list.levels.order.iter().map(of).collect()
    }
}

impl Smooth for PNormPush<'_> {
    fn width(&self) -> usize {
        self.data.width()
    }

    fn value(&self, weights: &[f64]) -> f64 {
        value_over(self.lists.len(), |list| {
            let list = &self.lists[list];
            list.value(&self.scores(list, weights), self.power)
        })
    }

    fn derivatives(&self, weights: &[f64]) -> Derivatives {
        sum_over(self.offsets, self.width(), |list, sums| {
            let list = &self.lists[list];
            list.add(self.data, &self.scores(list, weights), self.power, sums);
        })
    }
}

impl List {
    fn new(list: &ListView<'_>, start: usize, push: Push) -> Self {
        let levels = CostLevels::new(list);
        let weight = |item: usize| list.weight.map_or(1.0, |w| w[item]);
        let pushes =
            |&item: &usize| weight(item) * if push == Push::ByCost { list.cost[item] } else { 1.0 };
        let u: Vec<f64> = levels.order.iter().map(pushes).collect();
        // The first level has no costlier items, the last no cheaper ones.
        let first = levels.ranges().next().map_or(0, |level| level.end);
        let last = levels.ranges().last().map_or(0, |level| level.start);
        let all: f64 = u[..last].iter().sum();
        let pushed = (levels.order.len() - first) as f64;
        List {
            log_push: u.iter().map(|u| (u / all).ln()).collect(),
            term_weights: levels.order.iter().map(|&item| weight(item) / pushed).collect(),
            start,
            levels,
        }
    }

    fn has_pairs(&self) -> bool {
        self.levels.ranges().len() > 1
    }

    /// Returns log(u exp(-s) / U) of the item at a position.
    fn push(&self, scores: &[f64], place: usize) -> f64 {
        self.log_push[place] - scores[place]
    }

    /// Returns log(A / U) for each level, over all costlier items.
    fn log_above(&self, scores: &[f64]) -> Vec<f64> {
        let mut sum = f64::NEG_INFINITY;
        let of_level = |level: Range<usize>| {
            let above = sum;
            level.for_each(|place| sum = log_add(sum, self.push(scores, place)));
            above
        };
        self.levels.ranges().map(of_level).collect()
    }

    /// Returns the term of each position in the value.
    fn terms(&self, scores: &[f64], log_above: &[f64], power: f64) -> Vec<f64> {
        let levels = self.levels.ranges().zip(log_above);
        let terms = levels.flat_map(|(level, above)| {
            level.map(move |at| self.term_weights[at] * (power * (scores[at] + above)).exp())
        });
        terms.collect()
    }

    fn value(&self, scores: &[f64], power: f64) -> f64 {
        match self.has_pairs() {
            true => self.terms(scores, &self.log_above(scores), power).iter().sum(),
            false => 0.0,
        }
    }

    /// Adds value and derivatives.
    fn add(&self, data: &Dense, scores: &[f64], power: f64, sums: &mut Sums) {
        if !self.has_pairs() {
            return;
        }
        let above = self.log_above(scores);
        let terms = self.terms(scores, &above, power);
        sums.value += terms.iter().sum::<f64>();
        let levels: Vec<Range<usize>> = self.levels.ranges().collect();
        // Up: for each level the log of the sum over lower levels of p T / A.
        let mut pulls = vec![f64::NEG_INFINITY; levels.len()];
        for level in (1..levels.len()).rev() {
            let here: f64 = terms[levels[level].clone()].iter().sum();
            pulls[level - 1] = log_add(pulls[level], (power * here).ln() - above[level]);
        }
        // Down: the mean of the inputs over the levels above each level.
        let row = |place: usize| data.row(self.start + self.levels.order[place]);
        let mut mean = vec![0.0; data.width()];
        let mut away = mean.clone();
        let mut log_sum = f64::NEG_INFINITY;
        for (level, pull) in levels.iter().zip(pulls) {
            let mut pushed = 0.0;
            for place in level.clone() {
                let x = row(place);
                let part = (self.push(scores, place) + pull).exp();
                let term = power * terms[place];
                sums.gradient.iter_mut().zip(x).for_each(|(to, x)| *to += (term - part) * x);
                sums.outer.push(part, x, x);
                away.iter_mut().zip(x.iter().zip(&mean)).for_each(|(a, (x, m))| *a = x - m);
                sums.outer.push(power * term, &away, &away);
                pushed += term;
            }
            sums.outer.push(-pushed, &mean, &mean);
            // The last level is left out: there are no items below it, and its u may be 0.
            for place in level.clone().filter(|_| level.end < terms.len()) {
                let push = self.push(scores, place);
                let sum = log_add(log_sum, push);
                let (before, own) = ((log_sum - sum).exp(), (push - sum).exp());
                mean.iter_mut().zip(row(place)).for_each(|(m, x)| *m = before * *m + own * x);
                log_sum = sum;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::tests::{World, check_derivatives, check_minimum, lists, world};

    fn losses(world: &World) -> Vec<PNormPush<'_>> {
        let weights = vec![1.0; world.lists.len()];
        let of = |power, push| PNormPush::new(&world.data, &world.lists, power, push, &weights);
        vec![of(1.0, Push::Equal), of(2.0, Push::ByCost), of(4.0, Push::Equal)]
    }

    #[test]
    fn derivatives_and_minima() {
        for weighted in [false, true] {
            let world = world(21, weighted);
            for loss in losses(&world) {
                check_derivatives(&loss, &[0.0, 0.0, 0.0]);
                check_derivatives(&loss, &[0.6, -0.4, 0.1]);
                for c in [1e-3, 1.0, 100.0] {
                    check_minimum(&loss, c);
                }
            }
        }
    }

    #[test]
    fn two_levels_are_the_papers_sum() {
        let lists = lists(&[vec![1.0, 0.0, 1.0, 0.0, 0.0]], None);
        let x = [0.3, -1.0, 0.5, 0.8, 0.2];
        let data = Dense::new(x.to_vec(), 1);
        let (w, p) = (0.7, 3.0);
        let sum =
            |n: f64| [x[0], x[2]].iter().map(|xp| (-(w * xp - w * n)).exp()).sum::<f64>().powf(p);
        let paper: f64 = [x[1], x[3], x[4]].iter().map(|&n| sum(n)).sum();
        for push in [Push::Equal, Push::ByCost] {
            let value = PNormPush::new(&data, &lists, p, push, &[1.0]).value(&[w]);
            assert!((value - paper / (3.0 * 2.0_f64.powf(p))).abs() < 1e-14);
        }
    }

    #[test]
    fn a_pair_by_hand() {
        let lists = lists(&[vec![1.0, 0.0]], None);
        let data = Dense::new(vec![1.0, 0.0], 1);
        let at_0 = PNormPush::new(&data, &lists, 2.0, Push::Equal, &[1.0]).derivatives(&[0.0]);
        assert_eq!((at_0.value, at_0.gradient[0], at_0.hessian[0]), (1.0, -2.0, 4.0));
    }

    #[test]
    fn large_scores_and_lists_without_pairs() {
        let lists = lists(&[vec![3e5, 2.0, 0.0], vec![0.0, 0.0], vec![1.0]], None);
        let data = Dense::new(vec![1.0, -1.0, 0.5, 7.0, 8.0, 9.0], 1);
        for push in [Push::Equal, Push::ByCost] {
            let loss = PNormPush::new(&data, &lists, 8.0, push, &[1.0; 3]);
            assert_eq!(loss.value(&[-1e4]), f64::INFINITY);
            assert!(loss.value(&[0.0]) <= 1.0);
            let minimum = check_minimum(&loss, 100.0);
            assert!(minimum.weights[0].is_finite());
        }
    }
}
