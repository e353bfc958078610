//! The small languages of the command line: metrics, costs, policies, capacities.

use std::sync::OnceLock;

use stakes_core::cost::{Capacity, CostModel, Policy, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::metric::{EvaluateError, Metric, Scale, Spec, evaluate, split_specs};
use stakes_core::rank::{Rank, Ranking};

/// Metric specs: the canonical text parses to the same spec, and no figure is `NaN`.
pub fn metric_spec(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for piece in split_specs(text) {
        let Ok(spec) = piece.parse::<Spec>() else { continue };
        let canonical = spec.to_string();
        assert_eq!(canonical.parse::<Spec>().as_ref(), Ok(&spec), "{piece:?} -> {canonical:?}");
        let filled = spec.or_policy(&Policy::Step).or_cutoff(Capacity::Items(2));
        let Ok(metric) = filled.build(Scale::of(small())) else { continue };
        check(&metric);
    }
}

/// Checks that a metric's figures are numbers.
fn check(metric: &Metric) {
    let data = small();
    let problem = Problem::new(data, &CostModel::Impact).expect("impacts are costs");
    let constant = vec![0.0; data.len()];
    let rising: Vec<f64> = (0..data.len()).map(|i| i as f64).collect();
    let tied: Vec<f64> = (0..data.len()).map(|i| (i / 2) as f64).collect();
    for scores in [constant, rising, tied] {
        match evaluate(metric, &problem, &scores) {
            Ok(evaluation) => {
                let values = evaluation.lists.iter().filter_map(|l| l.value);
                let weights = evaluation.lists.iter().map(|l| l.weight);
                let all: Vec<f64> = values.chain(weights).chain(evaluation.figure).collect();
                assert!(all.iter().all(|v| v.is_finite()), "{metric:?} {all:?}");
            }
            Err(EvaluateError::Overflow { value, .. }) => assert!(!value.is_nan(), "{metric:?}"),
            Err(EvaluateError::Unsuited { .. }) => return,
        }
    }
    let list = problem.list(0);
    let prepared = metric.prepare(&list);
    let ranking = Ranking::from_scores(&[1.0, 1.0, 3.0, 0.0]);
    let delta = prepared.swap_delta(&ranking, Rank(0), Rank(2));
    assert!(!delta.is_nan(), "{metric:?}: a swap changes it by {delta}");
}

/// Costs, policies and capacities, one per line; each line is parsed as all three.
pub fn cost(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let data = small();
    let mut policies = vec![Policy::default()];
    let mut capacities = vec![Capacity::Items(3)];
    for line in text.lines() {
        if let Ok(model) = line.parse::<CostModel>() {
            assert!(model.columns().len() <= line.len());
            if let Ok(costs) = model.costs(data) {
                assert_eq!(costs.len(), data.len());
                assert!(costs.iter().all(|c| c.is_finite() && *c >= 0.0), "{line:?} {costs:?}");
            }
        }
        policies.extend(line.parse::<Policy>());
        if let Ok(capacity) = line.parse::<Capacity>() {
            assert_eq!(capacity.to_string().parse(), Ok(capacity), "{line:?}");
            capacities.push(capacity.resolve(data.mean_list_length()));
        }
    }
    for policy in &policies {
        for &capacity in &capacities {
            let chances = policy.probabilities(capacity, 50);
            assert!(chances.len() <= 50);
            let sane = chances.iter().all(|p| (0.0..=1.0).contains(p));
            assert!(
                sane && chances.is_sorted_by(|a, b| a >= b),
                "{policy:?} {capacity} {chances:?}"
            );
        }
    }
}

/// Four lists: an ordinary one, one without impact, one with a single item, one with equal impacts; with
/// prices (one of them 0) and weights.
fn small() -> &'static Dataset {
    static DATA: OnceLock<Dataset> = OnceLock::new();
    DATA.get_or_init(|| {
        let columns = Columns {
            list: Some("storm".into()),
            impact: Some("customers".into()),
            weight: Some("weight".into()),
            price: Some("price".into()),
            ..Columns::of_features(vec![Feature::numeric("hours"), Feature::numeric("crew.size")])
        };
        let rows = [
            ("a", [3.0, 0.0, 1.0, 2.0].as_slice()),
            ("b", &[0.0, 0.0]),
            ("c", &[4.0]),
            ("d", &[1.0, 1.0, 1.0]),
        ];
        let mut builder = DatasetBuilder::new("small", columns).expect("names differ");
        for (list, impacts) in rows {
            for (i, &impact) in impacts.iter().enumerate() {
                let row = Row {
                    list,
                    impact: Some(impact),
                    weight: Some(1.0 + i as f64),
                    price: Some((i % 3) as f64),
                    features: &[i as f32, f32::NAN],
                    ..Row::default()
                };
                builder.push(row).expect("rows are sane");
            }
        }
        builder.finish().expect("there are rows")
    })
}
