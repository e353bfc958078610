//! Whole numbers as weights: the points of a scorecard.

use crate::incumbent::Incumbent;
use crate::problem::Problem;
use crate::rules::Rules;

/// As many sets of points as are looked at one by one.
const MOST: f64 = 200_000.0;

/// Looks at all points there are, if they are few enough; says whether they were.
pub(crate) fn all_points(problem: &Problem, rules: &Rules, incumbent: &mut Incumbent) -> bool {
    let Some(most) = rules.points else { return false };
    let width = problem.width();
    if (2.0 * f64::from(most) + 1.0).powf(width as f64) > MOST {
        return false;
    }
    let most = f64::from(most);
    let mut weights = vec![-most; width];
    loop {
        offer(problem, rules, &weights, incumbent);
        // The next number to the base of as many digits as there are points.
        let Some(place) = weights.iter().position(|weight| *weight < most) else { return true };
        weights[..place].fill(-most);
        weights[place] += 1.0;
    }
}

fn offer(problem: &Problem, rules: &Rules, weights: &[f64], incumbent: &mut Incumbent) {
    if rules.allow(weights) {
        incumbent.offer(weights, problem.value(weights) - rules.cost(weights));
    }
}

/// Good points near good weights: rounded on every scale, then moved one or two at a time to where they are
/// best until nothing rises any more, few points first.
pub(crate) fn points(
    problem: &Problem,
    rules: &Rules,
    most: u32,
    weights: &[f64],
    incumbent: &mut Incumbent,
) {
    let size = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    let scales = std::iter::successors(Some(1_u32), |scale| Some(scale * 2));
    for scale in scales.take_while(|scale| *scale < most).chain([most]) {
        if size > 0.0 {
            let scaled = |w: &f64| (w / size * f64::from(scale)).round() + 0.0;
            let rounded: Vec<f64> = weights.iter().map(scaled).collect();
            offer(problem, rules, &rounded, incumbent);
        }
        mend(problem, rules, f64::from(scale), incumbent);
    }
}

/// Moves points as long as that helps: one to any place, then two by a step each.
fn mend(problem: &Problem, rules: &Rules, most: f64, incumbent: &mut Incumbent) {
    let width = problem.width();
    loop {
        let before = incumbent.value;
        for feature in 0..width {
            let mut moved = incumbent.weights.clone();
            let mut point = -most;
            while point <= most {
                moved[feature] = point;
                offer(problem, rules, &moved, incumbent);
                point += 1.0;
            }
        }
        if incumbent.value <= before {
            for (a, b) in (0..width).flat_map(|a| (0..a).map(move |b| (a, b))) {
                for (up, right) in [(1.0, 1.0), (1.0, -1.0), (-1.0, 1.0), (-1.0, -1.0)] {
                    let mut moved = incumbent.weights.clone();
                    moved[a] += up;
                    moved[b] += right;
                    offer(problem, rules, &moved, incumbent);
                }
            }
        }
        if incumbent.value <= before {
            return;
        }
    }
}
