//! Reasons add up to differences of scores, whatever the score is a product of.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};

use super::*;
use crate::tree::{Child, Leaf, Node, Test, Tree};
use crate::{Fingerprint, Link, ModelFeature};
use stakes_core::goal::Goal;

/// `feature <= 0 ? low : high`, half of the rows on each side.
pub(super) fn stump(feature: u32, low: f64, high: f64) -> Tree {
    Tree {
        nodes: vec![Node {
            feature,
            test: Test::AtMost(0.0),
            missing_left: true,
            left: Child::Leaf(0),
            right: Child::Leaf(1),
            gain: 1.0,
            rows: 10,
        }],
        leaves: vec![Leaf { value: low, rows: 5 }, Leaf { value: high, rows: 5 }],
    }
}

pub(super) fn model(unit: f64, factors: Vec<(Link, f64, Vec<Tree>)>) -> Model {
    let factor = |(link, start, trees)| Factor::new("f", link, start, trees);
    let feature = |name: &str| ModelFeature { name: name.into(), categories: None };
    Model {
        learner: "by hand".into(),
        parameters: Default::default(),
        seed: 0,
        goal: Goal::default(),
        columns: Default::default(),
        features: ["a", "b", "c"].map(feature).to_vec(),
        list_scaling: Default::default(),
        data: Fingerprint::default(),
        stages: Vec::new(),
        members: Vec::new(),
        scores_costs: false,
        calibration: None,
        bound: None,
        rerank: None,
        training_lists: Vec::new(),
        profile: None,
        scorer: Scorer { unit, factors: factors.into_iter().map(factor).collect() },
    }
}

/// Lists of (costs, features a, b, c).
pub(super) fn data(lists: &[Vec<(f64, [f32; 3])>]) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        features: ["a", "b", "c"].map(Feature::numeric).to_vec(),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("by hand", columns).unwrap();
    for (number, list) in lists.iter().enumerate() {
        let list_id = number.to_string();
        for (y, features) in list {
            let row = Row { list: &list_id, impact: Some(*y), features, ..Row::default() };
            builder.push(row).unwrap();
        }
    }
    builder.finish().unwrap()
}

fn contrast(model: &Model, item: &[f32], other: &[f32]) -> Vec<f64> {
    let explainer = Explainer::new(model);
    let [item, other] = [item, other].map(|row| explainer.parts(row));
    explainer.contrast(&item, &other)
}

/// Chance 0.5 against 0.25, size 8 against 4, of which the unit is 2.
#[test]
fn chance_and_size_have_both_doubled() {
    let ln = f64::ln;
    let chance = vec![stump(0, -ln(3.0), 0.0)];
    let size = vec![stump(1, ln(2.0), ln(4.0))];
    let smearing = (Link::Identity, 1.0, vec![]);
    let model = model(2.0, vec![(Link::Logistic, 0.0, chance), (Link::Exp, 0.0, size), smearing]);
    let reasons = contrast(&model, &[1.0, 1.0, 1.0], &[0.0; 3]);
    for (reason, expected) in reasons.iter().zip([1.5, 1.5, 0.0]) {
        assert!((reason - expected).abs() < 1e-12, "{reasons:?}");
    }
    assert!(contrast(&model, &[1.0; 3], &[1.0; 3]).iter().all(|&reason| reason == 0.0));
}

/// One factor without a link: differences of Shapley values, in units of cost.
#[test]
fn sums_are_plain_differences() {
    let trees = vec![stump(0, -1.0, 2.0), stump(1, 0.5, -0.5)];
    let model = model(10.0, vec![(Link::Identity, 7.0, trees)]);
    let reasons = contrast(&model, &[1.0, 1.0, 0.0], &[0.0; 3]);
    for (reason, expected) in reasons.iter().zip([30.0, -10.0, 0.0]) {
        assert!((reason - expected).abs() < 1e-12, "{reasons:?}");
    }
}

/// Equal scores for different reasons.
#[test]
fn parts_that_cancel_out_are_still_reported() {
    let trees = vec![stump(0, 0.0, 1.0), stump(1, 0.0, 1.0)];
    let model = model(1.0, vec![(Link::Exp, 0.0, trees)]);
    let reasons = contrast(&model, &[1.0, 0.0, 0.0], &[0.0, 1.0, 0.0]);
    let e = std::f64::consts::E;
    assert!((reasons[0] - e).abs() < 1e-8 && (reasons[1] + e).abs() < 1e-8, "{reasons:?}");
}

#[test]
fn an_average_item() {
    let model = model(1.0, vec![(Link::Identity, 0.0, vec![stump(0, 0.0, 8.0)])]);
    let explainer = Explainer::new(&model);
    let parts = [[0.0; 3], [1.0; 3]].map(|row| explainer.parts(&row));
    let mean = ScoreParts::mean(parts.iter()).unwrap();
    assert_eq!(explainer.score(&mean), 4.0);
    assert!((explainer.contrast(&parts[1], &mean)[0] - 4.0).abs() < 1e-12);
    assert_eq!(ScoreParts::mean([].iter()), None);
}

fn link() -> impl Strategy<Value = Link> {
    prop_oneof![Just(Link::Identity), Just(Link::Exp), Just(Link::Logistic)]
}

proptest! {
    /// Any number of factors; those without a link may be 0 or negative.
    #[test]
    fn reasons_add_up_to_the_difference(
        factors in prop::collection::vec(
            (link(), -2.0f64..2.0, prop::collection::vec((0u32..3, -2.0f64..2.0, -2.0f64..2.0), 0..6)),
            1..6,
        ),
        power in prop_oneof![Just(1.0), 0.1f64..3.0],
        item in prop::array::uniform3(prop_oneof![Just(f32::NAN), Just(0f32), Just(1f32)]),
        other in prop::array::uniform3(prop_oneof![Just(f32::NAN), Just(0f32), Just(1f32)]),
    ) {
        let trees = |stumps: Vec<(u32, f64, f64)>| -> Vec<Tree> {
            stumps.into_iter().map(|(feature, low, high)| stump(feature, low, high)).collect()
        };
        let factors = factors.into_iter().map(|(link, start, s)| (link, start, trees(s))).collect();
        let mut model = model(100.0, factors);
        // Sums that may be negative have no power.
        let with_power = model.scorer.factors.iter_mut().filter(|f| f.link == Link::Logistic);
        with_power.for_each(|f| f.power = power);
        let explainer = Explainer::new(&model);
        let parts = [item, other].map(|row| explainer.parts(&row));
        for (row, parts) in [item, other].iter().zip(&parts) {
            prop_assert_eq!(explainer.score(parts), model.scorer.score(row));
            for (factor, (sum, expected)) in parts.sums.iter().zip(explainer.expected()).enumerate() {
                let values: f64 = parts.values[factor * 3..][..3].iter().sum();
                prop_assert!((expected + values - sum).abs() < 1e-9 * (1.0 + sum.abs()));
            }
        }
        let [a, b] = [&parts[0], &parts[1]].map(|parts| explainer.score(parts));
        let reasons: f64 = explainer.contrast(&parts[0], &parts[1]).iter().sum();
        let size = parts.iter().map(|p| explainer.score(p).abs()).fold(1.0, f64::max);
        prop_assert!((reasons - (a - b)).abs() < 1e-9 * size, "{reasons} {a} {b}");
    }
}
