//! The exact optimum for one or two features.
//!
//! One feature has two orders. The orders of two features are those of x_1 + t x_2 and of -x_1 + t x_2 for all t, and
//! the best t along such a line is found exactly ([`crate::line`]).

use crate::incumbent::Incumbent;
use crate::line::{Direction, PermanentTies, best_step};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};

/// The best weights of one or two features, and an upper bound on the value of any.
pub(crate) fn sweep(problem: &Problem, rules: &Rules, features: &[usize]) -> (Incumbent, f64) {
    let mut best = Incumbent::none(problem.width());
    let mut bound = f64::NEG_INFINITY;
    let Some((&first, rest)) = features.split_first() else { return (best, bound) };
    for weight in [1.0, -1.0] {
        let mut weights = vec![0.0; problem.width()];
        weights[first] = weight;
        if !rules.allow(&weights) {
            // With a weight of 0 only the second feature orders the items: the border of the allowed half.
            weights[first] = 0.0;
        }
        if let Some(&second) = rest.first() {
            let step = along(problem, rules, &weights, second);
            weights[second] = step.by;
            bound = bound.max(step.value);
        }
        if rules.allow(&weights) {
            best.offer(&weights, problem.value(&weights));
        }
    }
    bound = bound.max(best.value);
    (best, bound)
}

/// The best step along the weight of a feature.
fn along(problem: &Problem, rules: &Rules, weights: &[f64], feature: usize) -> crate::line::Step {
    let scores = problem.scores(weights);
    let slopes: Vec<f64> = (0..problem.items()).map(|item| problem.row(item)[feature]).collect();
    let order = problem.order(&scores);
    let direction = Direction {
        offsets: problem.offsets(),
        order: &order,
        scores: &scores,
        slopes: &slopes,
        permanent_ties: PermanentTies::SmallestFirst,
    };
    let forbidden = |by: f64| match rules.sign(feature) {
        Sign::NotNegative if by < 0.0 => f64::INFINITY,
        Sign::NotPositive if by > 0.0 => f64::INFINITY,
        _ => 0.0,
    };
    best_step(problem.sum(), &direction, forbidden)
}
