//! Sums and products whose curves are known.
#![allow(clippy::unwrap_used)]

use super::*;
use crate::Link;
use crate::explain::tests::{data, model, stump};

/// a and b each 0 or 1, all four pairs; c is 3, or missing in one of four.
fn square() -> Dataset {
    let row = |a: f32, b: f32, c: f32| (1.0, [a, b, c]);
    let nan = f32::NAN;
    data(&[vec![row(0.0, 0.0, 3.0), row(0.0, 1.0, 3.0), row(1.0, 0.0, nan), row(1.0, 1.0, 3.0)]])
}

#[test]
fn sums_change_alike_for_all_items() {
    let trees = vec![stump(0, -1.0, 1.0), stump(1, 10.0, 20.0)];
    let model = model(1.0, vec![(Link::Identity, 0.0, trees)]);
    let data = square();
    let sample = Sample::draw(&model, &data, 0).unwrap();
    let along = sample.dependence(0);
    let points: Vec<_> = along.points.iter().map(|p| (p.value, p.mean, p.low, p.high)).collect();
    assert_eq!(points, [(0.0, 14.0, 14.0, 14.0), (1.0, 16.0, 16.0, 16.0)]);
    let joint = sample.joint([0, 1]);
    assert_eq!(joint.means, [[9.0, 19.0], [11.0, 21.0]]);
    assert!(joint.size < 1e-12 && joint.share < 1e-12, "{joint:?}");
}

/// (a ? 1 : -1) x (b ? 1 : -1): no curve of its own, all interaction.
#[test]
fn products_interact() {
    let factor = |feature| (Link::Identity, 0.0, vec![stump(feature, -1.0, 1.0)]);
    let model = model(1.0, vec![factor(0), factor(1)]);
    let data = square();
    let sample = Sample::draw(&model, &data, 0).unwrap();
    let along = sample.dependence(0);
    for point in &along.points {
        assert_eq!((point.mean, point.low, point.high), (0.0, -1.0, 1.0));
    }
    let joint = sample.joint([0, 1]);
    assert_eq!((joint.size, joint.share), (1.0, 1.0));
    assert_eq!(joint.means, [[1.0, -1.0], [-1.0, 1.0]]);
}

#[test]
fn values_represent_the_items_that_have_them() {
    let model = model(1.0, vec![(Link::Identity, 0.0, vec![stump(2, -1.0, 1.0)])]);
    let data = square();
    let points = Sample::draw(&model, &data, 0).unwrap().dependence(2).points;
    assert_eq!((points[0].value, points[0].mean), (3.0, 1.0));
    assert!(points[1].value.is_nan() && points[1].mean == -1.0);
    assert!((points[0].share - 0.75).abs() < 1e-12 && (points[1].share - 0.25).abs() < 1e-12);
}

#[test]
fn of_many_items_some_are_drawn() {
    let rows: Vec<(f64, [f32; 3])> = (0..2000_u16).map(|i| (1.0, [f32::from(i); 3])).collect();
    let model = model(1.0, vec![(Link::Identity, 0.0, vec![stump(0, -1.0, 1.0)])]);
    let data = data(&[rows]);
    let [a, b] = [0, 1].map(|seed| Sample::draw(&model, &data, seed).unwrap());
    assert_eq!(a.len(), SAMPLE_SIZE);
    let points = a.dependence(0).points;
    assert_eq!(points.len(), MAX_POINTS);
    // Quantiles of the whole: about 50, 150, ..., 1950.
    for (i, point) in (0_u16..).zip(&points) {
        assert!((point.value - f32::from(100 * i + 50)).abs() < 120.0, "{i}: {point:?}");
    }
    assert_ne!(points, b.dependence(0).points);
}
