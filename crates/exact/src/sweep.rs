//! All orders of one or two features, one after the other.
//!
//! One feature has two orders. The orders of two are those of x_1 + t x_2 and of -x_1 + t x_2 for all t, and
//! what is best along a line of weights is known exactly ([`crate::line`]).

use crate::incumbent::Incumbent;
use crate::line::{Direction, Forever, best_step};
use crate::problem::Problem;
use crate::rules::{Rules, Sign};

/// The best weights of one or two features, and a bound on what any are worth.
pub(crate) fn sweep(problem: &Problem, rules: &Rules, features: &[usize]) -> (Incumbent, f64) {
    let mut best = Incumbent::none(problem.width());
    let mut bound = f64::NEG_INFINITY;
    let Some((&first, rest)) = features.split_first() else { return (best, bound) };
    for weight in [1.0, -1.0] {
        let mut weights = vec![0.0; problem.width()];
        weights[first] = weight;
        if !rules.allow(&weights) {
            // The second feature alone is the first one's border.
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

/// The best step of one more feature.
fn along(problem: &Problem, rules: &Rules, weights: &[f64], feature: usize) -> crate::line::Step {
    let scores = problem.scores(weights);
    let slopes: Vec<f64> = (0..problem.items()).map(|item| problem.row(item)[feature]).collect();
    let order = problem.order(&scores);
    let direction = Direction {
        offsets: problem.offsets(),
        order: &order,
        scores: &scores,
        slopes: &slopes,
        forever: Forever::LeastFirst,
    };
    let forbidden = |by: f64| match rules.sign(feature) {
        Sign::NotNegative if by < 0.0 => f64::INFINITY,
        Sign::NotPositive if by > 0.0 => f64::INFINITY,
        _ => 0.0,
    };
    best_step(problem.sum(), &direction, forbidden)
}
