//! Integer weights: the points of a scorecard.

use crate::incumbent::Incumbent;
use crate::problem::Problem;
use crate::rules::Rules;

/// The maximum number of weight vectors that are enumerated.
const MAX_VECTORS: f64 = 200_000.0;

/// Tries all integer weights if there are few enough of them, and returns whether it did.
pub(crate) fn try_all_points(problem: &Problem, rules: &Rules, incumbent: &mut Incumbent) -> bool {
    let Some(limit) = rules.points else { return false };
    let width = problem.width();
    if (2.0 * f64::from(limit) + 1.0).powf(width as f64) > MAX_VECTORS {
        return false;
    }
    let limit = f64::from(limit);
    let mut weights = vec![-limit; width];
    loop {
        offer(problem, rules, &weights, incumbent);
        // Counts up with the weights as digits, the first one fastest.
        let Some(place) = weights.iter().position(|weight| *weight < limit) else { return true };
        weights[..place].fill(-limit);
        weights[place] += 1.0;
    }
}

fn offer(problem: &Problem, rules: &Rules, weights: &[f64], incumbent: &mut Incumbent) {
    if rules.allow(weights) {
        incumbent.offer(weights, problem.value(weights) - rules.cost(weights));
    }
}

/// Searches for good integer weights near good real ones: rounds these on scales from 1 up to `limit` and improves
/// the best integers found by local search.
pub(crate) fn search_points(
    problem: &Problem,
    rules: &Rules,
    limit: u32,
    weights: &[f64],
    incumbent: &mut Incumbent,
) {
    let size = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    let scales = std::iter::successors(Some(1_u32), |scale| Some(scale * 2));
    for scale in scales.take_while(|scale| *scale < limit).chain([limit]) {
        if size > 0.0 {
            let scaled = |w: &f64| (w / size * f64::from(scale)).round() + 0.0;
            let rounded: Vec<f64> = weights.iter().map(scaled).collect();
            offer(problem, rules, &rounded, incumbent);
        }
        improve(problem, rules, f64::from(scale), incumbent);
    }
}

/// Local search: sets one weight to any integer within the limit, or else moves two weights by one each, until the
/// value no longer rises.
fn improve(problem: &Problem, rules: &Rules, limit: f64, incumbent: &mut Incumbent) {
    let width = problem.width();
    loop {
        let before = incumbent.value;
        for feature in 0..width {
            let mut moved = incumbent.weights.clone();
            let mut point = -limit;
            while point <= limit {
                moved[feature] = point;
                offer(problem, rules, &moved, incumbent);
                point += 1.0;
            }
        }
        if incumbent.value <= before {
            for (a, b) in (0..width).flat_map(|a| (0..a).map(move |b| (a, b))) {
                for (step_a, step_b) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    let mut moved = incumbent.weights.clone();
                    moved[a] += step_a;
                    moved[b] += step_b;
                    offer(problem, rules, &moved, incumbent);
                }
            }
        }
        if incumbent.value <= before {
            return;
        }
    }
}
