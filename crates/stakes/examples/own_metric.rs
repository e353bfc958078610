//! Your own metric: it decides when training stops, and measures the result.
//!
//! cargo run --release --example own_metric

use std::borrow::Cow;

use stakes::evaluate::EvaluateOptions;
use stakes::metric::{ListMetric, MetricProperties, Rule};
use stakes::prelude::*;
use stakes::synth::Storms;

/// The probability that the costliest item of a list is among the first k, with ties broken at random. A
/// list without any cost has no value.
struct Hit {
    k: usize,
}

struct HitInList {
    k: usize,
    costliest: Option<usize>,
}

impl Rule for Hit {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        let costliest = (0..list.len()).max_by(|&a, &b| list.cost[a].total_cmp(&list.cost[b]));
        let costliest = costliest.filter(|&item| list.cost[item] > 0.0);
        Box::new(HitInList { k: self.k, costliest })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}

impl ListMetric for HitInList {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let its_score = scores.get(self.costliest?)?;
        let before = scores.iter().filter(|score| *score > its_score).count();
        let tied = scores.iter().filter(|score| *score == its_score).count();
        Some(self.k.saturating_sub(before).min(tied) as f64 / tied as f64)
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let storms = Storms { lists: 60, rows: 6000, ..Storms::default() }.generate()?;
    let (train, test) = storms.hold_out(0.25)?;
    let properties = MetricProperties {
        range: (0.0, 1.0),
        averages_ties: true,
        ..MetricProperties::new("hit@10")
    };
    let hit = Metric::custom(properties, Hit { k: 10 });
    let goal = Goal::act_on(10);
    let model = Fit::with("cs-mart")?.metric(&hit).fit(&train, &goal)?;
    let options = EvaluateOptions { own_metrics: vec![hit], ..EvaluateOptions::default() };
    println!("{}", goal.evaluate_with(&test, &model, &options)?);
    Ok(())
}
