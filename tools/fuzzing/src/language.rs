//! The small languages of the command line: metrics, costs, policies and capacities, and options.

use stakes_core::cost::{Capacity, CostModel, Policy, Problem};
use stakes_core::data::Role;
use stakes_core::metric::{EvaluateError, Metric, Scale, Spec, evaluate, split_specs};
use stakes_core::rank::{Rank, Ranking};
use stakes_core::split::HoldOut;
use stakes_io::{Format, MissingImpact};
use stakes_stats::{Correction, IntervalMethod, PairedTest};

use crate::world::small;
use crate::{accepted, lines};

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

/// Costs, one per line: what they read is in the text, and costs are finite and not negative.
pub fn cost(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in lines(text) {
        let Some(model) = accepted(line.parse::<CostModel>()) else { continue };
        assert!(model.columns().len() <= line.len());
        if let Some(costs) = accepted(model.costs(small())) {
            assert_eq!(costs.len(), small().len());
            assert!(costs.iter().all(|c| c.is_finite() && *c >= 0.0), "{line:?} {costs:?}");
        }
    }
}

/// Policies and capacities, one per line; each line is parsed as both. Together they give chances that
/// never rise.
pub fn policy(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut policies = vec![Policy::default()];
    let mut capacities = vec![Capacity::Items(3)];
    for line in lines(text) {
        if let Some(policy) = accepted(line.parse::<Policy>()) {
            assert_eq!(policy.to_string().parse::<Policy>().as_ref(), Ok(&policy), "{line:?}");
            policies.push(policy);
        }
        if let Some(capacity) = accepted(line.parse::<Capacity>()) {
            assert_eq!(capacity.to_string().parse(), Ok(capacity), "{line:?}");
            capacities.push(capacity.resolve(small().mean_list_length()));
        }
    }
    // All of many would be too many combinations.
    for policy in policies.iter().take(8) {
        for &capacity in capacities.iter().take(8) {
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

/// Words and numbers of options, one per line; each line is parsed as all of them.
pub fn option(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    for line in lines(text) {
        if let Some(part) = accepted(line.parse::<HoldOut>()) {
            assert_eq!(part.to_string().parse(), Ok(part), "{line:?}");
            if let Some((kept, held_out)) = accepted(small().hold_out(part)) {
                assert_eq!(kept.n_lists() + held_out.n_lists(), small().n_lists());
            }
        }
        if let Some(role) = accepted(line.parse::<Role>()) {
            assert_eq!(role.to_string(), line);
        }
        if let Some(format) = accepted(line.parse::<Format>()) {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        Format::from_path(line);
        accepted(line.parse::<MissingImpact>());
        if let Some(test) = accepted(line.parse::<PairedTest>()) {
            assert_eq!(test.to_string(), line);
        }
        if let Some(correction) = accepted(line.parse::<Correction>()) {
            assert_eq!(correction.name(), line);
        }
        if let Some(method) = accepted(line.parse::<IntervalMethod>()) {
            assert_eq!(method.name(), line);
        }
    }
}
