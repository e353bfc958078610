//! All orders that a linear score can give to a few items, by enumeration: slow and simple, a reference to
//! test the rest of this crate against.
//!
//! Two items are tied where w.(x_i - x_k) = 0, a plane through the origin. All these planes, and the
//! planes w_j = 0, cut the space of weights into open cones; within a cone neither the order nor a sign
//! changes. Weights on the border of a cone never have a greater value than those inside an adjacent cone,
//! because ties count against the order. So one point of each cone suffices, for each set of features that
//! may be used.
//!
//! The points are found by recursion on the dimension: every cone has a face on one of its planes, that face
//! is a cone of the arrangement that the other planes induce on this one, and from a point of the face a
//! small step along the plane's normal, to either side, leads into the two cones that it separates. With n
//! items and d features there are about n^(2d-2) points: meant for n <= 8 and d <= 3.
//!
//! Example: items at 0, 1 and 2 of one feature have two orders, those of w = 1 and w = -1.

use crate::problem::{Problem, dot};
use crate::rules::Rules;

/// Numbers below this count as 0 (vectors have length 1).
const NEGLIGIBLE: f64 = 1e-9;

/// The best weights and their value minus their penalty; `None` if the rules allow no weights.
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
        Some(points) => integer_vectors(problem.width(), points).into_iter().for_each(&mut offer),
        None => directions(problem).into_iter().for_each(&mut offer),
    }
    best
}

/// All vectors of integers from minus to plus `points`.
fn integer_vectors(width: usize, points: u32) -> Vec<Vec<f64>> {
    let steps = 2 * u64::from(points) + 1;
    let number = steps.pow(width as u32);
    let digit = |at: u64, place: usize| (at / steps.pow(place as u32) % steps) as f64;
    let vector =
        |at: u64| (0..width).map(|place| digit(at, place) - f64::from(points)).collect::<Vec<_>>();
    (0..number).map(vector).collect()
}

/// Weights of every order, for every set of features; the weights of all other features are exactly 0.
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

/// A point of every cone of the arrangement of these planes, given by their normals.
fn points(planes: Vec<Vec<f64>>, dimensions: usize) -> Vec<Vec<f64>> {
    let mut distinct: Vec<Vec<f64>> = Vec::new();
    for plane in planes {
        let length = dot(&plane, &plane).sqrt();
        let unit: Vec<f64> = plane.iter().map(|value| value / length).collect();
        let same = |other: &Vec<f64>| residual(&unit, other).iter().all(|v| v.abs() < NEGLIGIBLE);
        if length > NEGLIGIBLE && !distinct.iter().any(same) {
            distinct.push(unit);
        }
    }
    if distinct.is_empty() {
        return vec![vec![0.0; dimensions]];
    }
    let mut all = Vec::new();
    for normal in &distinct {
        // The other planes in coordinates of a basis of this one.
        let basis = basis(normal);
        let others = distinct.iter().filter(|other| *other != normal);
        let within = others.map(|other| basis.iter().map(|axis| dot(axis, other)).collect());
        for face in points(within.collect(), dimensions - 1) {
            let mut foot = vec![0.0; dimensions];
            for (axis, part) in basis.iter().zip(face) {
                foot.iter_mut().zip(axis).for_each(|(sum, value)| *sum += part * value);
            }
            let distance = |other: &Vec<f64>| {
                let (here, rate) = (dot(other, &foot).abs(), dot(other, normal).abs());
                if other == normal || rate < NEGLIGIBLE { f64::INFINITY } else { here / rate }
            };
            let step = distinct.iter().map(distance).fold(f64::INFINITY, f64::min).min(2.0) / 2.0;
            for side in [step, -step] {
                all.push(foot.iter().zip(normal).map(|(at, to)| at + side * to).collect());
            }
        }
    }
    all
}

/// The component of a vector orthogonal to a unit vector.
fn residual(vector: &[f64], unit: &[f64]) -> Vec<f64> {
    let along = dot(vector, unit);
    vector.iter().zip(unit).map(|(value, to)| value - along * to).collect()
}

/// An orthonormal basis of the plane with this normal: all axes but the one nearest to the normal, by the
/// Gram-Schmidt process.
fn basis(normal: &[f64]) -> Vec<Vec<f64>> {
    let nearest = (0..normal.len()).max_by(|a, b| normal[*a].abs().total_cmp(&normal[*b].abs()));
    let mut done = vec![normal.to_vec()];
    for axis in (0..normal.len()).filter(|axis| Some(*axis) != nearest) {
        let mut vector = vec![0.0; normal.len()];
        vector[axis] = 1.0;
        for unit in &done {
            vector = residual(&vector, unit);
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
        let sum = Sum { gains: gains.to_vec(), discounts: vec![discounts.to_vec()], constant: 0.0 };
        Problem::new(width, vec![0, gains.len()], rows.to_vec(), sum).unwrap()
    }

    fn signs(problem: &Problem, weights: &[f64]) -> Vec<i8> {
        let scores = problem.scores(weights);
        let pairs = scores.iter().enumerate();
        let pairs = pairs.flat_map(|(at, a)| scores[at + 1..].iter().map(move |b| (a, b)));
        pairs.map(|(a, b)| (a - b).signum() as i8).collect()
    }

    /// The orders of n points of a plane, no three of them on a line and no two connecting lines parallel:
    /// at the normal of every connecting line two adjacent points swap, so n (n - 1) orders.
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

    /// n planes in general position in three dimensions have 2 (C(m,0) + C(m,1) + C(m,2)) cones, m = n - 1.
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
