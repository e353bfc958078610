//! Sizes, importances and differences of models.

use stakes_core::cost::Policy;
use stakes_core::data::Role;
use stakes_model::tree::Tree;
use stakes_model::{Size, diff};

use crate::make::{calibrated, feature, random, small};

#[test]
fn size_and_importance_by_hand() {
    let model = small();
    assert_eq!(model.size(), Size { trees: 3, leaves: 6, depth: 2, weights: 0 });
    // Within the factors 9.5 : 2.25 and all of it; each factor counts half.
    let expected = [(2, 0.5, 1), (0, 9.5 / 11.75 / 2.0, 1), (1, 2.25 / 11.75 / 2.0, 1)];
    for (met, expected) in model.importance().iter().zip(expected) {
        assert_eq!((met.0, met.2), (expected.0, expected.2));
        assert!((met.1 - expected.1).abs() < 1e-15, "{met:?}");
    }
    let figures: Vec<_> = model.stages.iter().map(|s| s.figure()).collect();
    assert_eq!(figures, [Some(0.5), Some(0.1)]);
}

#[test]
fn importance_is_a_share_whatever_the_model() {
    for seed in 0..200 {
        let model = random(seed);
        let importance = model.importance();
        assert_eq!(importance.len(), model.features.len());
        assert!(importance.is_sorted_by(|a, b| a.1 >= b.1));
        let total: f64 = importance.iter().map(|(_, share, _)| share).sum();
        let splits: usize = importance.iter().map(|(_, _, splits)| splits).sum();
        // Besides splits, the inputs of nets that read one feature.
        let inputs = model.nets().flat_map(|net| &net.inputs).filter(|i| i.feature().is_some());
        assert_eq!(splits, model.size().leaves - model.size().trees + inputs.count());
        let expected = if splits == 0 { 0.0 } else { 1.0 };
        assert!((total - expected).abs() < 1e-12, "{seed}: {total}");
    }
}

#[test]
fn a_model_does_not_differ_from_itself() {
    for seed in 0..50 {
        assert_eq!(diff(&random(seed), &random(seed)), []);
    }
}

#[test]
fn differences_are_named() {
    let a = small();
    let mut b = small();
    b.learner = "cs-mart".into();
    b.parameters.remove("rate");
    b.goal.policy = Policy::Step;
    b.columns.insert(Role::Id, "network".into());
    b.features.push(feature("rain", None));
    b.data.items = 61;
    b.calibration = calibrated().calibration;
    b.stages[0].kept = 2;
    b.scorer.factors[0].trees.push(Tree::constant(0.0, 1));
    b.scorer.factors[0].trees[0].nodes[0].gain = 2.25;
    let lines: Vec<String> =
        diff(&a, &b).iter().map(|d| format!("{}: {} | {}", d.what, d.a, d.b)).collect();
    assert_eq!(
        lines,
        [
            "learner: two-part | cs-mart",
            "parameter rate: 0.05 | -",
            "goal metric: rcs@10 | rcs@10:policy=step",
            "goal policy: - | step",
            "column of id: Netz \"Süd\" | network",
            "data: 60 items in 4 lists, 0123456789abcdef | 61 items in 4 lists, 0123456789abcdef",
            "feature rain: - | numeric",
            "trees of chance: 1 | 2",
            "rounds kept of chance: 1 of 2 | 2 of 2",
            "figure of chance: log loss, validation: 0.5000 | 0.6250",
            "importance of pole: 9.6 % of the gain | 25.0 % of the gain",
            "importance of wind: 40.4 % of the gain | 25.0 % of the gain",
            "calibration: - | 56 items in 4 lists",
        ]
    );
    let mut other_leaf = small();
    other_leaf.scorer.factors[0].trees[0].leaves[0].value += 1e-9;
    let [only] = &diff(&a, &other_leaf)[..] else { panic!() };
    assert_eq!(only.what, "trees or weights");
    let mut other_knot = calibrated();
    other_knot.calibration.iter_mut().for_each(|c| c.knots[0].score -= 1e-9);
    let [only] = &diff(&calibrated(), &other_knot)[..] else { panic!() };
    assert_eq!(only.what, "expected costs");
}
