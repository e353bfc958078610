//! A lambda loss with a term for the pairs of a group and the rest.
//!
//! Over the pairs of a member a and another item b of a list of n items with m members, with s the scores:
//!
//! - **Penalty**: strength x S x D^2, S the weight of all pairs of the list in the lambda loss (in the mean over its
//!   orders), so that strengths mean the same for all lists and metrics; D = sum of w_ab / (1 + exp(-sigma (s_a - s_b))) - t. For *parity* all w_ab are
//!   1/(m(n-m)) and t = 1/2: D is rank parity less 1/2, made smooth. For *equality* w_ab is that where the impacts of the
//!   two differ, else 0, and t the share of the pairs in which the member has the higher one: D is the difference of the rank
//!   equality errors of the group and the rest (Kuhlman, VanValkenburg and Rundensteiner 2019), made smooth. After Beutel et al. 2019, who
//!   penalise differences of pairwise accuracy.
//! - **Costs**: pairs whose costlier item is (or is not) a member count some times more in the lambda loss itself: the
//!   cost-sensitive problems that a bound on unequal errors is reduced to (Agarwal et al. 2018).
//!
//! The penalty couples all items, while trees see the second derivatives of single items. They get, with u_i the
//! derivative of D, 2 strength |u_i| x the sum of all |u|, which bounds the matrix u u': if all items move by
//! their own step, D changes by what is left of it and not by m times that.
//!
//! Example: two items, scores 0, the first in the group: D = 0 for parity. Scores (2, 0), sigma 1: D = 0.3808, and the
//! penalty of strength 1 is 0.1450 S. The time grows with the square of a list's length.

use stakes_core::data::ListView;

use super::lambda::Lambda;
use super::logistic::sigmoid;
use super::{GradHess, ListLoss, Loss};
use crate::Lists;

/// What the penalty keeps even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Balance {
    /// How often members stand above others.
    Parity,
    /// How often members stand wrongly above others, and wrongly below.
    Equality,
}

/// The term of the pairs across groups.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum GroupTerm {
    /// A penalty on a difference, of this strength.
    Penalty(Balance, f64),
    /// A factor of the pairs whose costlier item is a member (or with `false` is not).
    Costs(f64, bool),
}

/// A lambda loss with a term for a group.
#[derive(Debug)]
pub struct GroupedLambda {
    lambda: Lambda,
    /// Whether each item of the training lists is a member.
    members: Vec<bool>,
    term: GroupTerm,
}

impl GroupedLambda {
    /// `members` are in the order of the lists that it is prepared for.
    pub fn new(lambda: Lambda, members: Vec<bool>, term: GroupTerm) -> Self {
        GroupedLambda { lambda, members, term }
    }
}

impl Loss for GroupedLambda {
    fn prepare<'l>(&'l self, list: &ListView<'l>, weight: f64) -> Box<dyn ListLoss + 'l> {
        self.lambda.prepare(list, weight)
    }

    fn prepare_of<'l>(
        &'l self,
        lists: &'l Lists,
        list: usize,
        weight: f64,
    ) -> Box<dyn ListLoss + 'l> {
        let view = lists.list(list);
        let members = &self.members[lists.items(list)];
        let extra: Box<dyn ListLoss + 'l> = match self.term {
            GroupTerm::Penalty(balance, strength) => {
                let strength = strength * weight * self.lambda.size(&view);
                let scale = (strength, self.lambda.steepness());
                Box::new(Penalty::new(view.impact, members, balance, scale))
            }
            GroupTerm::Costs(factor, of_members) => {
                let counts = move |high: usize, low: usize| {
                    members[high] != members[low] && members[high] == of_members
                };
                self.lambda.some_pairs(&view, weight * (factor - 1.0), Box::new(counts))
            }
        };
        Box::new(Both(self.lambda.prepare(&view, weight), extra))
    }

    fn list_weights(&self, lists: &Lists) -> Vec<f64> {
        self.lambda.list_weights(lists)
    }

    fn check(&self, lists: &Lists) -> Result<(), String> {
        self.lambda.check(lists)
    }
}

/// The sum of two losses.
struct Both<'l>(Box<dyn ListLoss + 'l>, Box<dyn ListLoss + 'l>);

impl ListLoss for Both<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        self.0.gradients(scores, out);
        let mut more = vec![GradHess::default(); out.len()];
        self.1.gradients(scores, &mut more);
        for (out, more) in out.iter_mut().zip(more) {
            out.grad += more.grad;
            // A factor below 1 takes away from pairs; the loss stays convex.
            out.hess = (out.hess + more.hess).max(0.0);
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        Some(self.0.value(scores)? + self.1.value(scores)?)
    }
}

/// The penalty of one list.
struct Penalty<'l> {
    /// The true order is that of what was observed, whatever it costs.
    impact: &'l [f64],
    /// The members and the others.
    sides: [Vec<usize>; 2],
    balance: Balance,
    strength: f64,
    sigma: f64,
    /// t.
    target: f64,
}

impl<'l> Penalty<'l> {
    fn new(
        impact: &'l [f64],
        members: &[bool],
        balance: Balance,
        (strength, sigma): (f64, f64),
    ) -> Self {
        let side = |own: bool| (0..impact.len()).filter(|&i| members[i] == own).collect();
        let sides: [Vec<usize>; 2] = [side(true), side(false)];
        let pairs = (sides[0].len() * sides[1].len()).max(1) as f64;
        let above = |a: &usize| sides[1].iter().filter(|&&b| impact[*a] > impact[b]).count() as f64;
        let target = match balance {
            Balance::Parity => 0.5,
            Balance::Equality => sides[0].iter().map(above).sum::<f64>() / pairs,
        };
        Penalty { impact, sides, balance, strength, sigma, target }
    }

    /// Calls `take` with every pair that counts, the chance that the member stands above, and the share of a pair.
    fn each(&self, scores: &[f64], mut take: impl FnMut(usize, usize, f64, f64)) {
        let share = 1.0 / (self.sides[0].len() * self.sides[1].len()).max(1) as f64;
        for &a in &self.sides[0] {
            for &b in &self.sides[1] {
                if self.balance == Balance::Parity || self.impact[a] != self.impact[b] {
                    take(a, b, sigmoid(self.sigma * (scores[a] - scores[b])), share);
                }
            }
        }
    }

    /// D; 0 for a list without members or others.
    fn difference(&self, scores: &[f64]) -> f64 {
        if self.sides.iter().any(Vec::is_empty) {
            return 0.0;
        }
        let mut sum = 0.0;
        self.each(scores, |_, _, above, share| sum += share * above);
        sum - self.target
    }
}

impl ListLoss for Penalty<'_> {
    fn gradients(&self, scores: &[f64], out: &mut [GradHess]) {
        out.fill(GradHess::default());
        let difference = self.difference(scores);
        // The derivatives of D, and the size of its second ones.
        let (mut slope, mut bend) = (vec![0.0; out.len()], vec![0.0; out.len()]);
        self.each(scores, |a, b, above, share| {
            let first = share * self.sigma * above * (1.0 - above);
            let second = self.sigma * first * (1.0 - 2.0 * above).abs();
            slope[a] += first;
            slope[b] -= first;
            bend[a] += second;
            bend[b] += second;
        });
        let all: f64 = slope.iter().map(|slope| slope.abs()).sum();
        for ((out, slope), bend) in out.iter_mut().zip(slope).zip(bend) {
            let size = slope.abs() * all + difference.abs() * bend;
            *out = GradHess {
                grad: 2.0 * self.strength * difference * slope,
                hess: 2.0 * self.strength * size,
            };
        }
    }

    fn value(&self, scores: &[f64]) -> Option<f64> {
        Some(self.strength * self.difference(scores).powi(2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use stakes_core::metric::{Metric, Scale};

    #[test]
    fn the_example_at_the_head() {
        let (cost, members) = ([1.0, 0.0], [true, false]);
        let of = |balance| Penalty::new(&cost, &members, balance, (1.0, 1.0));
        assert!((of(Balance::Parity).difference(&[2.0, 0.0]) - 0.380_797).abs() < 1e-6);
        assert!(
            (of(Balance::Parity).value(&[2.0, 0.0]).expect("a value") - 0.145_006).abs() < 1e-6
        );
        assert_eq!(of(Balance::Parity).difference(&[0.0, 0.0]), 0.0);
        // The member should be above: it is wrongly below with probability 0.1192, and never wrongly above.
        assert!((of(Balance::Equality).difference(&[2.0, 0.0]) + 0.119_203).abs() < 1e-6);
        let alone = Penalty::new(&cost, &[true, true], Balance::Parity, (1.0, 1.0));
        let mut out = [GradHess { grad: 1.0, hess: 1.0 }; 2];
        alone.gradients(&[2.0, 0.0], &mut out);
        assert_eq!((alone.value(&[2.0, 0.0]), out), (Some(0.0), [GradHess::default(); 2]));
    }

    /// D by far scores is what the audit counts: the share of pairs in which a member stands above, less 1/2, and the
    /// difference of the two errors.
    #[test]
    fn far_scores_count_pairs() {
        let cost = [5.0, 4.0, 4.0, 2.0, 1.0];
        let members = [true, false, true, false, true];
        let scores = [300.0, 500.0, 400.0, 100.0, 200.0];
        let [mut above, mut over, mut under] = [0.0; 3];
        for a in [0, 2, 4] {
            for b in [1, 3] {
                above += f64::from(u8::from(scores[a] > scores[b]));
                over += f64::from(u8::from(scores[a] > scores[b] && cost[a] < cost[b]));
                under += f64::from(u8::from(scores[a] < scores[b] && cost[a] > cost[b]));
            }
        }
        let of = |balance| Penalty::new(&cost, &members, balance, (1.0, 1.0)).difference(&scores);
        assert!((of(Balance::Parity) - (above / 6.0 - 0.5)).abs() < 1e-12);
        assert!((of(Balance::Equality) - (over - under) / 6.0).abs() < 1e-12);
    }

    /// Pairs that count more are those that the definition names.
    #[test]
    fn costs_by_a_double_loop() {
        let metric = Metric::parse("rcs@2", Scale::default()).expect("a metric");
        let lambda =
            || Lambda::new(metric.clone()).expect("a sum").sigma(1.3).expect("a steepness");
        let cost = [0.0, 8.0, 3.0, 5.0, 1.0];
        let scores = [0.3, -0.4, 1.1, 0.2, 0.25];
        let members = [true, false, true, true, false];
        let lists = one_list(&cost);
        let gradients = |term| {
            let loss = GroupedLambda::new(lambda(), members.to_vec(), term);
            let mut out = vec![GradHess::default(); cost.len()];
            loss.prepare_of(&lists, 0, 2.0).gradients(&scores, &mut out);
            out
        };
        let ideal = 8.0 + 5.0 * 0.5;
        let discount = |i: usize| -> f64 {
            let rank = scores.iter().filter(|s| **s > scores[i]).count();
            [1.0, 0.5].get(rank).copied().unwrap_or(0.0)
        };
        for of_members in [true, false] {
            let (factor, mut expected) = (3.0, vec![0.0; cost.len()]);
            for high in 0..cost.len() {
                for low in (0..cost.len()).filter(|&low| cost[low] < cost[high]) {
                    let raised = members[high] != members[low] && members[high] == of_members;
                    let delta = (cost[high] - cost[low]) / ideal
                        * (discount(high) - discount(low)).abs()
                        * if raised { factor } else { 1.0 };
                    let rho = 1.0 / (1.0 + (1.3 * (scores[high] - scores[low])).exp());
                    expected[high] -= 2.0 * 1.3 * delta * rho;
                    expected[low] += 2.0 * 1.3 * delta * rho;
                }
            }
            let found = gradients(GroupTerm::Costs(factor, of_members));
            for (found, expected) in found.iter().zip(&expected) {
                assert!((found.grad - expected).abs() < 1e-12, "{} {expected}", found.grad);
                assert!(found.hess >= 0.0);
            }
        }
    }

    fn one_list(cost: &[f64]) -> Lists {
        use stakes_core::cost::{CostModel, Problem};
        use stakes_core::data::{Columns, DatasetBuilder, Row};
        let columns = Columns { impact: Some("y".into()), ..Columns::default() };
        let mut builder = DatasetBuilder::new("one", columns).expect("columns");
        for &impact in cost {
            builder.push(Row { impact: Some(impact), ..Row::default() }).expect("a row");
        }
        let data = builder.finish().expect("data");
        Lists::new(&Problem::new(&data, &CostModel::Impact).expect("a problem"))
    }

    proptest! {
        #[test]
        fn derivatives_are_finite_differences(
            rows in prop::collection::vec((0u8..4, any::<bool>(), -3.0..3.0f64), 2..9),
            sigma in 0.5..2.0f64,
        ) {
            let cost: Vec<f64> = rows.iter().map(|row| f64::from(row.0)).collect();
            let members: Vec<bool> = rows.iter().map(|row| row.1).collect();
            let scores: Vec<f64> = rows.iter().map(|row| row.2).collect();
            for balance in [Balance::Parity, Balance::Equality] {
                let penalty = Penalty::new(&cost, &members, balance, (1.7, sigma));
                let mut out = vec![GradHess::default(); cost.len()];
                penalty.gradients(&scores, &mut out);
                for item in 0..cost.len() {
                    let at = |step: f64| {
                        let mut moved = scores.clone();
                        moved[item] += step;
                        penalty.value(&moved).unwrap_or(f64::NAN)
                    };
                    let slope = (at(1e-5) - at(-1e-5)) / 2e-5;
                    prop_assert!((out[item].grad - slope).abs() < 1e-7, "{} {slope}", out[item].grad);
                    // The second derivative is a bound.
                    let bend = (at(1e-4) - 2.0 * at(0.0) + at(-1e-4)) / 1e-8;
                    prop_assert!(out[item].hess >= bend - 1e-5, "{} {bend}", out[item].hess);
                }
            }
        }
    }
}
