//! Distances, pair statistics and boosting losses: worked examples and degenerate lists.

use stakes_core::data::ListView;

use super::{close, ours, value, value_of};

/// Items A..E; target E>B>C>A>D, predicted A>B>E>C>D.
const TARGET: [f64; 5] = [2.0, 4.0, 3.0, 1.0, 5.0];
const PREDICTED: [f64; 5] = [5.0, 4.0, 2.0, 1.0, 3.0];

#[test]
fn golden_distances_of_the_slides() {
    for (spec, expected) in [
        ("footrule", 6.0),
        ("footrule:ties=expected", 6.0),
        ("spearman", 14.0),
        ("spearman:ties=expected", 14.0),
        ("spearman-rho", 0.3),
        ("kendall", 4.0),
        ("tau", 0.2),
        ("tau:variant=b", 0.2),
        ("gamma", 0.2),
        ("position-error", 2.0),
        ("discounted-error", 2.0 / 2f64.ln() + 1.0 / 4f64.ln() + 3.0 / 5f64.ln()),
        ("discounted-error:log=2", 2.0 + 0.5 + 3.0 / 5f64.log2()),
        ("rank-dcg", 1.0 + 3.0 / 3f64.log2() + 2.0 + 2.0 / 5f64.log2()),
    ] {
        close(value(spec, &TARGET, &PREDICTED).unwrap(), expected);
    }
    let rounded = |spec| (value(spec, &TARGET, &PREDICTED).unwrap() * 1e6).round() / 1e6;
    assert_eq!(rounded("discounted-error"), 5.470742);
    assert_eq!(rounded("rank-ndcg"), 0.785713);
}

#[test]
fn golden_partial_rankings_of_the_slides() {
    // {E, B} > {A, C, D}: 2 of 6 inverted.
    let bipartite = [0.0, 1.0, 0.0, 0.0, 1.0];
    close(value("auc", &bipartite, &PREDICTED).unwrap(), 4.0 / 6.0);
    close(value("mann-whitney", &bipartite, &PREDICTED).unwrap(), 4.0);
    close(value("kendall", &bipartite, &PREDICTED).unwrap(), 2.0);
    close(value("auc:above=3", &TARGET, &PREDICTED).unwrap(), 4.0 / 6.0);
    // The first two as a set: B is right, A wrong; E is missed, C and D are rightly out.
    for (spec, expected) in [("p@2", 0.5), ("recall@2", 0.5), ("f1@2", 0.5), ("accuracy@2", 0.6)] {
        close(value(spec, &bipartite, &PREDICTED).unwrap(), expected);
    }
    // Weighted by the best item alone, the footrule is its error of position.
    let best = [0.0, 0.0, 0.0, 0.0, 1.0];
    let list = ListView { weight: Some(&best), ..ListView::of_impact(&TARGET) };
    close(value_of("footrule:weights=column", &list, &PREDICTED).unwrap(), 2.0);
    let footrule =
        stakes_core::metric::Metric::parse("footrule:weights=column", Default::default());
    assert!(
        footrule.unwrap().check(&ListView::of_impact(&TARGET)).unwrap_err().contains("--weight")
    );
    // Two of five scores round to their grade.
    close(
        value("grade-error", &[0.0, 1.0, 2.0, 2.0, 3.0], &[0.4, 0.4, 2.2, 1.4, 3.6]).unwrap(),
        0.6,
    );
    // {E, B} > {C} > {A, D}: 3 of 8 inverted; AUCs 1, 1/2 and 1/2 between the levels.
    let multipartite = [0.0, 2.0, 1.0, 0.0, 2.0];
    close(value("kendall", &multipartite, &PREDICTED).unwrap(), 3.0);
    close(value("c-index", &multipartite, &PREDICTED).unwrap(), 5.0 / 8.0);
    close(value("m-auc", &multipartite, &PREDICTED).unwrap(), 2.0 / 3.0);
    // Two pairs right, one wrong: E>B>C against B>E>C.
    close(value("gamma", &[3.0, 2.0, 1.0], &[2.0, 3.0, 1.0]).unwrap(), 1.0 / 3.0);
}

#[test]
fn sets_of_preferences() {
    // Target a>b, a>c; scores a>b, c>b, a=c: one in common, one each alone, P = {ab, cb}.
    let (target, scores) = ([1.0, 0.0, 0.0], [2.0, 1.0, 2.0]);
    for (spec, expected) in
        [("jaccard", 1.0 / 3.0), ("pref-precision", 0.5), ("pref-recall", 0.5), ("pref-f1", 0.5)]
    {
        close(value(spec, &target, &scores).unwrap(), expected);
    }
}

/// Published examples of SciPy's documentation: `kendalltau` and `spearmanr`.
#[test]
fn golden_correlations_with_ties() {
    let (x, y) = ([12.0, 2.0, 1.0, 12.0, 2.0], [1.0, 4.0, 7.0, 1.0, 0.0]);
    close(value("tau:variant=b", &x, &y).unwrap(), -0.47140452079103173);
    close(value("tau:variant=b", &y, &x).unwrap(), -0.47140452079103173);
    let rho = value("spearman-rho", &[1.0, 2.0, 3.0, 4.0, 5.0], &[5.0, 6.0, 7.0, 8.0, 7.0]);
    close(rho.unwrap(), 0.8207826816681233);
}

#[test]
fn golden_losses_of_pairs() {
    let (costs, scores) = ([4.0, 2.0, 1.0], [2.0, 3.0, 1.0]);
    for (spec, expected) in [
        ("rankloss", 1.0 / 3.0),
        ("rankloss:pair=product", 8.0 / 14.0),
        ("rankloss:pair=mean", 3.0 / 7.0),
        ("rankloss:pair=max", 4.0 / 10.0),
        ("rankloss:pair=difference", 2.0 / 6.0),
        ("exploss", (1f64.exp() + (-1f64).exp() + (-2f64).exp()) / 3.0),
        ("exploss:pair=difference", (2.0 * 1f64.exp() + 3.0 * (-1f64).exp() + (-2f64).exp()) / 6.0),
    ] {
        close(value(spec, &costs, &scores).unwrap(), expected);
    }
    let tied = [2.0, 2.0, 1.0];
    close(value("rankloss", &costs, &tied).unwrap(), 0.5 / 3.0);
    close(value("rankloss:ties=wrong", &costs, &tied).unwrap(), 1.0 / 3.0);
    let others = 2.0 * (-1f64).exp();
    close(value("exploss", &costs, &tied).unwrap(), (1.0 + others) / 3.0);
    let cosh = value("exploss:ties=cosh,eta=0.5", &costs, &tied).unwrap();
    close(cosh, (0.5f64.cosh() + others) / 3.0);
    // The pairs of the labels, with weights of their own: (4,2) costs |1 - 7|, and so on.
    let weights = [1.0, 7.0, 3.0];
    let list = ListView { weight: Some(&weights), ..ListView::of_impact(&costs) };
    close(value_of("rankloss:pair=difference", &list, &scores).unwrap(), 6.0 / (6.0 + 2.0 + 4.0));
    close(value_of("rankloss:pair=max", &list, &scores).unwrap(), 7.0 / (7.0 + 3.0 + 7.0));
}

#[test]
fn losses_of_any_size_are_numbers() {
    let target = [2.0, 1.0];
    close(value("exploss", &target, &[1001.0, 1000.0]).unwrap(), (-1f64).exp());
    close(value("exploss", &target, &[-1000.0, -1000.5]).unwrap(), (-0.5f64).exp());
    assert_eq!(value("exploss", &target, &[1e308, -1e308]), Some(0.0));
    // An overflow gives infinity, which evaluation refuses.
    assert_eq!(value("exploss", &target, &[-1e308, 1e308]), Some(f64::INFINITY));
    // A cost whose square overflows.
    close(value("rankloss:pair=product", &[1e300, 1e299, 0.0], &[1.0, 2.0, 0.0]).unwrap(), 1.0);
}

#[test]
fn golden_csdcg() {
    // Signed gains 4, 3, -2, -1; discounts 1, 1/log2(3), 1/2, 1/log2(5).
    let d = [1.0, 1.0 / 3f64.log2(), 0.5, 1.0 / 5f64.log2()];
    let sum = |g: [f64; 4]| g.iter().zip(d).map(|(g, d)| g * d).sum::<f64>();
    let (best, worst) = (sum([4.0, 3.0, -1.0, -2.0]), sum([-2.0, -1.0, 3.0, 4.0]));
    let costs = [4.0, 3.0, 2.0, 1.0];
    let by_cost = sum([4.0, 3.0, -2.0, -1.0]);
    close(value("csdcg:gain=linear,pair=uniform", &costs, &costs).unwrap(), by_cost / best);
    let reversed = [1.0, 2.0, 3.0, 4.0];
    let backwards = sum([-1.0, -2.0, 3.0, 4.0]);
    close(value("csdcg:gain=linear,pair=uniform", &costs, &reversed).unwrap(), backwards / best);
    let range = value("csdcg:gain=linear,pair=uniform,norm=range", &costs, &reversed).unwrap();
    close(range, (backwards - worst) / (best - worst));
    let middle = 4.0 / 4.0 * d.iter().sum::<f64>();
    close(value("csdcg:gain=linear,pair=uniform", &costs, &[0.0; 4]).unwrap(), middle / best);
    // Importance below the middle: even the best order is under 0.
    let weights = [1.0, 1.0, 100.0, 100.0];
    let list = ListView { weight: Some(&weights), ..ListView::of_impact(&costs) };
    assert_eq!(value_of("csdcg:gain=linear,pair=product", &list, &costs), None);
    assert!(value_of("csdcg:gain=linear,pair=product,norm=range", &list, &costs).is_some());
}

#[test]
fn lists_without_pairs_have_no_value() {
    for spec in ours() {
        for target in [&[][..], &[3.0], &[2.0, 2.0, 2.0], &[0.0, 0.0]] {
            let scores: Vec<f64> = (0..target.len()).map(|i| i as f64).collect();
            let value = value(spec, target, &scores);
            assert_eq!(value, None, "{spec} of {target:?}");
        }
    }
    assert_eq!(value("auc", &[1.0, 2.0], &[0.0, 1.0]), None);
    // Only one item matters at all: no pair has a product.
    assert_eq!(value("rankloss:pair=product", &[1.0, 0.0, 0.0], &[0.0, 1.0, 2.0]), None);
}

#[test]
fn constant_scores_never_look_good() {
    for (spec, expected) in [
        ("spearman-rho", 0.0),
        ("tau", 0.0),
        ("tau:variant=b", 0.0),
        ("gamma", 0.0),
        ("kendall", 5.0),
        ("auc:above=3", 0.5),
        ("c-index", 0.5),
        ("m-auc", 0.5),
        ("jaccard", 0.0),
        ("pref-precision", 0.0),
        ("pref-recall", 0.0),
        ("pref-f1", 0.0),
        ("rankloss", 0.5),
        ("rankloss:pair=difference", 0.5),
        ("exploss", 1.0),
        ("position-error", 2.0),
        // The mean over all 120 orders: 5 x 8/5 and 5 x 4.
        ("footrule:ties=expected", 8.0),
        ("spearman:ties=expected", 20.0),
    ] {
        close(value(spec, &TARGET, &[7.0; 5]).unwrap(), expected);
    }
}

#[test]
fn several_best_items_share_the_position_error() {
    let target = [1.0, 1.0, 0.0, 0.0];
    assert_eq!(value("position-error", &target, &[4.0, 3.0, 2.0, 1.0]), Some(0.0));
    assert_eq!(value("position-error", &target, &[4.0, 1.0, 2.0, 3.0]), Some(1.0));
    assert_eq!(value("position-error", &target, &[1.0, 1.0, 1.0, 1.0]), Some(1.0));
}

#[test]
fn long_lists_are_no_trouble() {
    let n = 200_000u64;
    let mixed = |i: u64, by: u64| (i.wrapping_mul(by) % 1_000_003) as f64 / 1e3;
    let target: Vec<f64> = (0..n).map(|i| mixed(i, 48_271)).collect();
    let weights: Vec<f64> = (0..n).map(|i| mixed(i, 69_621)).collect();
    let scores: Vec<f64> = (0..n).map(|i| mixed(i, 16_807).floor() / 50.0).collect();
    let list = ListView { weight: Some(&weights), ..ListView::of_impact(&target) };
    for spec in ours()
        .map(str::to_owned)
        .chain(["product", "mean", "max", "difference"].map(|pair| format!("rankloss:pair={pair}")))
    {
        let value = value_of(&spec, &list, &scores);
        assert!(value.is_none_or(f64::is_finite), "{spec}: {value:?}");
    }
    let perfect = value_of("rankloss:pair=difference", &list, &target);
    assert_eq!(perfect, Some(0.0));
}
