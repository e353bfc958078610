//! Every order that a linear score can give to a few items, one by one: slow, simple, and the judge of
//! everything else in this crate.
//!
//! Two items are tied where w.(x_i - x_k) = 0, a plane through the origin. All these planes, and the
//! planes w_j = 0, cut the space of weights into open cones; within one of them no order and no sign
//! changes. Weights on a border are never worth more than those of a cone beside it, because ties
//! count against the order. So one point of each cone is enough, for each set of features that may be
//! used.
//!
//! Points come from one dimension less: every cone has a face on one of its planes, that face is a cone
//! of the other planes cut with this one, and from a point of the face a small step along the plane's
//! normal, to either side, leads into the cones that it parts. With n items and d features there are
//! about n^(2d-2) points: meant for n <= 8 and d <= 3.
//!
//! Example: items at 0, 1 and 2 of one feature have two orders, those of w = 1 and w = -1.

use crate::problem::{Problem, dot};
use crate::rules::Rules;

/// Cosines below this are those of vectors at right angles.
const RIGHT: f64 = 1e-9;

/// The best weights there are and their value less their cost; `None` if the rules allow no weights.
pub fn exhaustive(problem: &Problem, rules: &Rules) -> Option<(Vec<f64>, f64)> {
    let mut best: Option<(Vec<f64>, f64)> = None;
    let mut offer = |weights: Vec<f64>| {
        if rules.allow(&weights) {
            let value = problem.value(&weights) - rules.cost(&weights);
            if best.as_ref().is_none_or(|best| value > best.1) {
                best = Some((weights, value));
            }
        }
    };
    match rules.points {
        Some(points) => whole(problem.width(), points).into_iter().for_each(&mut offer),
        None => directions(problem).into_iter().for_each(&mut offer),
    }
    best
}

/// All vectors of whole numbers from minus to plus `points`.
fn whole(width: usize, points: u32) -> Vec<Vec<f64>> {
    let steps = 2 * u64::from(points) + 1;
    let number = steps.pow(width as u32);
    let digit = |at: u64, place: usize| (at / steps.pow(place as u32) % steps) as f64;
    let vector =
        |at: u64| (0..width).map(|place| digit(at, place) - f64::from(points)).collect::<Vec<_>>();
    (0..number).map(vector).collect()
}

/// Weights of every order, for every set of features: all others are exactly 0.
pub fn directions(problem: &Problem) -> Vec<Vec<f64>> {
    let width = problem.width();
    let mut all = Vec::new();
    for set in 0..1_u32 << width {
        let used: Vec<usize> = (0..width).filter(|feature| set >> feature & 1 == 1).collect();
        let mut planes: Vec<Vec<f64>> = (0..used.len())
            .map(|axis| (0..used.len()).map(|other| f64::from(u8::from(axis == other))).collect())
            .collect();
        for list in 0..problem.lists() {
            for above in problem.list(list) {
                for below in above + 1..problem.list(list).end {
                    let (above, below) = (problem.row(above), problem.row(below));
                    planes.push(used.iter().map(|j| above[*j] - below[*j]).collect());
                }
            }
        }
        for point in points(planes, used.len()) {
            let mut weights = vec![0.0; width];
            used.iter().zip(point).for_each(|(feature, weight)| weights[*feature] = weight);
            all.push(weights);
        }
    }
    all
}

/// A point of every cone that these planes, given by their normals, make in so many dimensions.
fn points(planes: Vec<Vec<f64>>, dimensions: usize) -> Vec<Vec<f64>> {
    let mut different: Vec<Vec<f64>> = Vec::new();
    for plane in planes {
        let length = dot(&plane, &plane).sqrt();
        let unit: Vec<f64> = plane.iter().map(|value| value / length).collect();
        let same = |other: &Vec<f64>| residue(&unit, other).iter().all(|v| v.abs() < RIGHT);
        if length > RIGHT && !different.iter().any(same) {
            different.push(unit);
        }
    }
    if different.is_empty() {
        return vec![vec![0.0; dimensions]];
    }
    let mut all = Vec::new();
    for normal in &different {
        // Vectors within the plane, as combinations of a basis of it.
        let basis = basis(normal);
        let others = different.iter().filter(|other| *other != normal);
        let within = others.map(|other| basis.iter().map(|axis| dot(axis, other)).collect());
        for face in points(within.collect(), dimensions - 1) {
            let mut foot = vec![0.0; dimensions];
            for (axis, part) in basis.iter().zip(face) {
                foot.iter_mut().zip(axis).for_each(|(sum, value)| *sum += part * value);
            }
            let room = |other: &Vec<f64>| {
                let (here, pace) = (dot(other, &foot).abs(), dot(other, normal).abs());
                if other == normal || pace < RIGHT { f64::INFINITY } else { here / pace }
            };
            let step = different.iter().map(room).fold(f64::INFINITY, f64::min).min(2.0) / 2.0;
            for side in [step, -step] {
                all.push(foot.iter().zip(normal).map(|(at, to)| at + side * to).collect());
            }
        }
    }
    all
}

/// What is left of a vector at right angles to another of length 1.
fn residue(vector: &[f64], unit: &[f64]) -> Vec<f64> {
    let along = dot(vector, unit);
    vector.iter().zip(unit).map(|(value, to)| value - along * to).collect()
}

/// Vectors of length 1, at right angles to each other and to the normal: the axes without the one that
/// is nearest to the normal, by Gram and Schmidt.
fn basis(normal: &[f64]) -> Vec<Vec<f64>> {
    let nearest = (0..normal.len()).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs()));
    let mut done = vec![normal.to_vec()];
    for axis in (0..normal.len()).filter(|axis| Some(*axis) != nearest) {
        let mut vector = vec![0.0; normal.len()];
        vector[axis] = 1.0;
        for unit in &done {
            vector = residue(&vector, unit);
        }
        let length = dot(&vector, &vector).sqrt();
        vector.iter_mut().for_each(|value| *value /= length);
        done.push(vector);
    }
    done.split_off(1)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::problem::Sum;
    use crate::rules::Sign;

    fn problem(width: usize, rows: &[f64], gains: &[f64], discounts: &[f64]) -> Problem {
        let sum = Sum { gains: gains.to_vec(), discounts: vec![discounts.to_vec()], unmoved: 0.0 };
        Problem::new(width, vec![0, gains.len()], rows.to_vec(), sum).unwrap()
    }

    fn signs(problem: &Problem, weights: &[f64]) -> Vec<i8> {
        let scores = problem.scores(weights);
        let pairs = scores.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| scores[at + 1..].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a - b).signum() as i8).collect()
    }

    /// The orders of n points of a plane, no three of them on a line and no two connections parallel:
    /// every connection's normal is where two neighbours change places, so n (n - 1) orders.
    #[test]
    fn all_orders_of_points_of_a_plane() {
        let rows = [0.0, 0.0, 1.0, 7.0, 3.0, 2.0, 8.0, 5.0, 13.0, 11.0];
        let problem = problem(2, &rows, &[1.0; 5], &[1.0]);
        let mut orders: Vec<Vec<i8>> =
            directions(&problem).iter().map(|weights| signs(&problem, weights)).collect();
        orders.retain(|order| !order.contains(&0));
        orders.sort();
        orders.dedup();
        assert_eq!(orders.len(), 5 * 4);
    }

    /// In space: C(m,0) + C(m,1) + C(m,2) over m - 1 planes in general position, twice.
    #[test]
    fn all_cones_of_planes_in_general_position() {
        let planes: Vec<Vec<f64>> = (1..=6).map(f64::from).map(|t| vec![1.0, t, t * t]).collect();
        let mut cones: Vec<Vec<bool>> = points(planes.clone(), 3)
            .iter()
            .map(|point| planes.iter().map(|plane| dot(plane, point) > 0.0).collect())
            .collect();
        cones.sort();
        cones.dedup();
        assert_eq!(cones.len(), 2 * (1 + 5 + 10));
    }

    #[test]
    fn rules_hold() {
        let rows = [0.0, 3.0, 1.0, 1.0, 2.0, 0.0];
        let three = problem(2, &rows, &[0.0, 0.0, 1.0], &[1.0]);
        let free = exhaustive(&three, &Rules::default()).unwrap();
        assert_eq!(free.1, 1.0);
        let signs = vec![Sign::NotPositive, Sign::NotNegative];
        let rules = Rules { signs, ..Rules::default() };
        assert_eq!(exhaustive(&three, &rules).unwrap().1, 0.0);
        let rules = Rules { penalty: 0.25, ..Rules::default() };
        assert_eq!(exhaustive(&three, &rules).unwrap().1, 0.75);
        let rules = Rules { at_most: Some(0), ..Rules::default() };
        assert_eq!(exhaustive(&three, &rules).unwrap(), (vec![0.0, 0.0], 0.0));
        let rules = Rules { points: Some(2), ..Rules::default() };
        assert_eq!(exhaustive(&three, &rules).unwrap().1, 1.0);
    }
}
