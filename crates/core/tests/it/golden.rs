//! Worked numbers that a reader can check against the papers (docs/references.md): cost
//! captured, information retrieval, rank statistics.

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, ListView, Row};
use stakes_core::metric::{Evaluation, Metric, Scale, evaluate};

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance, "found {found}, expected {expected}");
}

/// McBride et al. 2019, figure 2: cable length and wind speed of two storms' networks.
const STORMS: [(&str, f64, f64, f64); 6] = [
    ("1", 10000.0, 5.0, 14.0),
    ("1", 100.0, 4.0, 15.0),
    ("1", 0.0, 3.0, 16.0),
    ("2", 100.0, 3.0, 13.0),
    ("2", 1.0, 4.0, 12.0),
    ("2", 0.0, 5.0, 10.0),
];

fn storms() -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new("storms", columns).unwrap();
    for (line, (list, impact, ..)) in STORMS.iter().enumerate() {
        let row = Row { line: line as u64 + 1, list, impact: Some(*impact), ..Row::default() };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

/// A metric of both storms ranked by cable and by wind.
fn by_cable_and_wind(spec: &str) -> [Evaluation; 2] {
    let data = storms();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let metric = Metric::parse(spec, Scale::of(&data)).unwrap();
    let cable: Vec<f64> = STORMS.iter().map(|s| s.2).collect();
    let wind: Vec<f64> = STORMS.iter().map(|s| s.3).collect();
    [cable, wind].map(|scores| evaluate(&metric, &problem, &scores).unwrap())
}

fn figures(spec: &str) -> [f64; 2] {
    by_cable_and_wind(spec).map(|e| e.figure.unwrap())
}

/// Salomon 2020, section 3.2: the loss is a sum over all pairs of all lists.
#[test]
fn pair_losses_of_the_storms() {
    for (pair, cable, wind) in [
        ("difference", 200.0 / 20200.0, 0.9900990),
        ("mean", 200.0 / 20200.0, 0.9900990),
        ("max", 200.0 / 20200.0, 0.9900990),
        ("uniform", 0.5, 0.5),
        ("product", 0.0001, 0.9999),
    ] {
        let found = figures(&format!("rankloss:pair={pair}"));
        near(found[0], cable, 5e-8);
        near(found[1], wind, 5e-8);
        // The mean of lists is blind to the difference.
        let mean = figures(&format!("rankloss:pair={pair},over=lists"));
        near(mean[0], 0.5, 1e-12);
        near(mean[1], 0.5, 1e-12);
    }
    let exp = figures("exploss:pair=uniform");
    near(exp[0] * 2.0, by_cable_and_wind("exploss:over=lists")[0].figure.unwrap() * 2.0, 1e-12);
}

#[test]
fn storms_share_of_cost() {
    let [cable, wind] = by_cable_and_wind("r@2");
    let of = |e: &Evaluation| e.lists.iter().map(|l| l.value.unwrap()).collect::<Vec<_>>();
    near(of(&cable)[0], 1.0, 1e-15);
    near(of(&cable)[1], 0.5 / 100.5, 1e-15);
    near(of(&wind)[0], 50.0 / 10050.0, 1e-15);
    near(of(&wind)[1], 1.0, 1e-15);
    // The mean is blind to the difference.
    near(cable.figure.unwrap(), 0.5024876, 5e-8);
    near(wind.figure.unwrap(), 0.5024876, 5e-8);
}

#[test]
fn storms_share_of_all_cost() {
    let [cable, wind] = by_cable_and_wind("rcs@2");
    let ideals: Vec<f64> = cable.lists.iter().map(|l| l.weight).collect();
    assert_eq!(ideals, [10050.0, 100.5]);
    near(cable.figure.unwrap(), 0.9901483, 5e-8); // the paper prints 98.5 %
    near(wind.figure.unwrap(), 0.0148269, 5e-8);
    let [saved_by_cable, saved_by_wind] = figures("saved@2");
    assert_eq!((saved_by_cable, saved_by_wind), (10050.5, 150.5));
}

#[test]
fn storms_reweighted() {
    let [cable, wind] = by_cable_and_wind("rcr@2");
    let weight = cable.lists[0].weight / (cable.lists[0].weight + cable.lists[1].weight);
    near(weight, 0.990099, 5e-7); // the paper prints 99.5 %
    near(cable.figure.unwrap(), 0.990099, 5e-7);
    near(wind.figure.unwrap(), 1.0 - 0.990099, 5e-7);
    // With R@k inside, R_CR is R_CS.
    let (reweighted, direct) = (figures("rcr@2(r@2)"), figures("rcs@2"));
    near(reweighted[0], direct[0], 1e-15);
    near(reweighted[1], direct[1], 1e-15);
}

#[test]
fn storms_by_ndcg_do_not_overflow() {
    // McBride et al. 2019, example 1: 2^10000 in storm 1. By cable 100 % and about 0 %, and the
    // mean does not distinguish cable from wind.
    let [cable, wind] = by_cable_and_wind("ndcg@2");
    let of = |e: &Evaluation| e.lists.iter().map(|l| l.value.unwrap()).collect::<Vec<_>>();
    near(of(&cable)[0], 1.0, 1e-15);
    // (2^1 - 1)/log2(3) over 2^100: small, but not lost.
    near(of(&cable)[1] / (1.0 / 3f64.log2() / 2f64.powi(100)), 1.0, 1e-12);
    near(of(&wind)[0], 0.0, 1e-15);
    near(of(&wind)[1], 1.0, 1e-15);
    near(cable.figure.unwrap(), 0.5, 1e-15);
    near(wind.figure.unwrap(), 0.5, 1e-15);
}

/// McBride et al. 2019, section 2: is the costliest item first?
#[test]
fn hits() {
    assert_eq!(figures("hit"), [0.5, 0.5]);
    let impacts = [70.0, 50.0, 50.0, 50.0, 0.0, 0.0];
    assert_eq!(value("hit", &impacts, &[9.0, 3.0, 2.0, 1.0, 8.0, 7.0]), 1.0);
    assert_eq!(value("hit", &impacts, &[1.0, 9.0, 8.0, 7.0, 3.0, 2.0]), 0.0);
    assert_eq!(value("hit", &impacts, &[9.0, 9.0, 9.0, 1.0, 3.0, 2.0]), 1.0 / 3.0);
    assert_eq!(value("hit", &[5.0, 5.0, 0.0], &[9.0, 9.0, 9.0]), 2.0 / 3.0);
}

/// Salomon 2020, section 4.2.2: positions discounted by 1/p.
#[test]
fn zipf_discount() {
    let found = value("ndcg:gain=linear,discount=zipf", &[3.0, 0.0, 2.0], &[3.0, 2.0, 1.0]);
    near(found, (3.0 + 2.0 / 3.0) / (3.0 + 1.0), 1e-15);
}

fn value(spec: &str, labels: &[f64], scores: &[f64]) -> f64 {
    let metric = Metric::parse(spec, Scale::default()).unwrap();
    metric.prepare(&ListView::of_impact(labels)).of_scores(scores).unwrap()
}

#[test]
fn seventy_against_three_times_fifty() {
    let impacts = [70.0, 50.0, 50.0, 50.0, 0.0, 0.0];
    let (first, second) = ([9.0, 3.0, 2.0, 1.0, 8.0, 7.0], [1.0, 9.0, 8.0, 7.0, 3.0, 2.0]);
    let scores_of_ideal = impacts;
    near(value("a@3", &impacts, &scores_of_ideal), 120.0, 1e-12);
    near(value("r@3", &impacts, &first), 70.0 / 120.0, 1e-15);
    near(value("r@3", &impacts, &second), 100.0 / 120.0, 1e-15);
    // Exponential gains say the opposite (McBride et al. 2019, example 2).
    assert!(value("ndcg@3", &impacts, &first) > value("ndcg@3", &impacts, &second));
}

/// Rudin and Wang 2018, section 3: 10 negatives near 3, 3000 positives near 1, 3000 negatives near 0,
/// 80 positives near -10, each with a tiny jitter so that no two tie.
fn failure_theorem() -> (Vec<f64>, Vec<f64>) {
    let groups = [(10, 0.0, 3.0), (3000, 1.0, 1.0), (3000, 0.0, 0.0), (80, 1.0, -10.0)];
    let items = groups.iter().flat_map(|&(count, label, near)| {
        (0..count).map(move |i| (label, near + 1e-9 * f64::from(i)))
    });
    items.unzip()
}

/// A metric of solution 1 (by +x) and of solution 2 (by -x).
fn both(spec: &str) -> (f64, f64) {
    let (labels, x) = failure_theorem();
    let reversed: Vec<f64> = x.iter().map(|x| -x).collect();
    (value(spec, &labels, &x), value(spec, &labels, &reversed))
}

#[test]
fn failure_theorem_values() {
    for (spec, first, second, digits) in [
        ("wrs", 13_744_740.0, 5_015_540.0, 0.0),
        ("clrs-dcg", 309.5484, 265.2193, 5e-5),
        ("clrs-dcg@100", 16.3951, 17.8672, 5e-5),
        ("mrr-sum", 5.67133, 5.64547, 5e-6),
    ] {
        let found = both(spec);
        near(found.0, first, digits);
        near(found.1, second, digits);
        // Labels are 0 and 1: costs and positives are the same thing.
        assert_eq!(found, both(&format!("{spec}:y=binary")));
    }
}

#[test]
fn failure_theorem_preferences() {
    for spec in ["wrs", "pauc@100", "clrs-dcg", "mrr-sum"] {
        let (first, second) = both(spec);
        assert!(first > second, "{spec} prefers solution 1: {first} {second}");
    }
    for spec in ["clrs-dcg@100", "pauc@10", "wta"] {
        let (first, second) = both(spec);
        assert!(first < second, "{spec} prefers solution 2: {first} {second}");
    }
    let (hinge, exponential) = convex_losses();
    assert!(hinge.0 < hinge.1, "hinge prefers solution 1: {hinge:?}");
    assert!(exponential.0 > exponential.1, "the exponential loss solution 2: {exponential:?}");
    let exploss = both("exploss");
    assert!(exploss.0 > exploss.1, "so does the metric: {exploss:?}");
}

/// The losses over all pairs of a positive and a negative, for +x and for -x.
fn convex_losses() -> ((f64, f64), (f64, f64)) {
    let (labels, x) = failure_theorem();
    let of = |label: f64| labels.iter().zip(&x).filter(move |(y, _)| **y == label).map(|(_, x)| *x);
    let over_pairs = |sign: f64, loss: fn(f64) -> f64| -> f64 {
        of(1.0).map(|p| of(0.0).map(|n| loss(sign * (p - n))).sum::<f64>()).sum()
    };
    let hinge = |margin: f64| (1.0 - margin).max(0.0);
    // exp(-(p - n)) is a product of sums.
    let exponential = |sign: f64| {
        let sum = |label, sign: f64| of(label).map(|x| (sign * x).exp()).sum::<f64>();
        sum(1.0, -sign) * sum(0.0, sign)
    };
    ((over_pairs(1.0, hinge), over_pairs(-1.0, hinge)), (exponential(1.0), exponential(-1.0)))
}

#[test]
fn the_rank_sum_is_the_auc_in_other_units() {
    // WRS = n+ n- AUC + n+(n+ + 1)/2.
    let (labels, x) = failure_theorem();
    let of = |label: f64| labels.iter().zip(&x).filter(move |(y, _)| **y == label).map(|(_, x)| *x);
    let right: usize = of(1.0).map(|p| of(0.0).filter(|n| *n < p).count()).sum();
    let positives = of(1.0).count();
    assert_eq!(value("wrs", &labels, &x), (right + positives * (positives + 1) / 2) as f64);
}

#[test]
fn avgndcg_is_the_mean_of_ndcg_over_cutoffs() {
    let labels = [2.0, 0.0, 1.0, 0.0, 2.0, 1.0, 0.0, 0.0, 1.0, 0.0, 0.0, 2.0];
    let scores = [0.3, 2.0, 0.3, 1.5, 0.1, 1.5, 0.9, 0.9, 0.2, 4.0, 0.3, 0.0];
    for options in ["", ":gain=linear", ":discount=letor", ":ties=worst"] {
        for (n, k) in [(12, 10), (12, 3), (4, 10)] {
            let (labels, scores) = (&labels[..n], &scores[..n]);
            let at = |c: usize| value(&format!("ndcg@{c}{options}"), labels, scores);
            let mean = (1..=k).map(at).sum::<f64>() / k as f64;
            near(value(&format!("avgndcg@{k}{options}"), labels, scores), mean, 1e-12);
        }
    }
    near(value("avgndcg", &labels, &scores), value("avgndcg@10", &labels, &scores), 0.0);
}
