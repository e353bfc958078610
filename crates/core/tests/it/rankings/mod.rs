//! Distances, pair statistics and boosting losses.

mod identities;
mod worked;

use stakes_core::data::ListView;
use stakes_core::metric::{Family, METRICS, Metric, Scale};

fn value_of(spec: &str, list: &ListView<'_>, scores: &[f64]) -> Option<f64> {
    Metric::parse(spec, Scale::default()).unwrap().prepare(list).of_scores(scores)
}

fn value(spec: &str, target: &[f64], scores: &[f64]) -> Option<f64> {
    value_of(spec, &ListView::of_impact(target), scores)
}

#[track_caller]
fn close(a: f64, b: f64) {
    assert!((a - b).abs() <= 1e-9 * (1.0 + a.abs().max(b.abs())), "{a} is not {b}");
}

fn ours() -> impl Iterator<Item = &'static str> {
    let families = [Family::Distance, Family::Pairs, Family::Boosting];
    METRICS.iter().filter(move |m| families.contains(&m.family)).map(|m| m.name)
}
