//! Whole numbers as weights: the points of a scorecard.

use crate::incumbent::Incumbent;
use crate::problem::Problem;
use crate::rules::Rules;

/// Good points near good weights: rounded on every scale, then moved one at a time to where each is best until
/// nothing rises any more.
pub(crate) fn points(
    problem: &Problem,
    rules: &Rules,
    most: u32,
    weights: &[f64],
    incumbent: &mut Incumbent,
) {
    let offer = |weights: &[f64], incumbent: &mut Incumbent| {
        if rules.allow(weights) {
            incumbent.offer(weights, problem.value(weights) - rules.cost(weights));
        }
    };
    let size = weights.iter().map(|w| w.abs()).fold(0.0, f64::max);
    if size > 0.0 {
        for scale in 1..=most {
            let scaled = |w: &f64| (w / size * f64::from(scale)).round() + 0.0;
            offer(&weights.iter().map(scaled).collect::<Vec<f64>>(), incumbent);
        }
    }
    loop {
        let before = incumbent.value;
        for feature in 0..weights.len() {
            let mut moved = incumbent.weights.clone();
            for point in -i64::from(most)..=i64::from(most) {
                moved[feature] = point as f64;
                offer(&moved, incumbent);
            }
        }
        if incumbent.value <= before {
            return;
        }
    }
}
