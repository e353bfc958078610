#![allow(clippy::unwrap_used)]
use std::borrow::Cow;

use super::*;
use stakes_core::cost::CostModel;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, ListView, Row};
use stakes_core::metric::{Aggregate, ListMetric, MetricProperties, Rule, Scale, with_top};

/// The two storms of McBride et al. 2019, Figure 2.
fn storms() -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        ..Columns::of_features(vec![Feature::numeric("cable"), Feature::numeric("wind")])
    };
    let mut b = DatasetBuilder::new("storms.csv", columns).unwrap();
    let rows = [
        ("1", 5.0, 14.0, 10000.0),
        ("1", 4.0, 15.0, 100.0),
        ("1", 3.0, 16.0, 0.0),
        ("2", 3.0, 13.0, 100.0),
        ("2", 4.0, 12.0, 1.0),
        ("2", 5.0, 10.0, 0.0),
    ];
    for (line, (list, cable, wind, impact)) in rows.into_iter().enumerate() {
        let features = &[cable, wind];
        let row = Row { line: line as u64 + 2, list, impact: Some(impact), ..Row::default() };
        b.push(Row { features, ..row }).unwrap();
    }
    b.finish().unwrap()
}

fn run(metrics: &[&str], baseline: Option<&str>) -> Study {
    let data = storms();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let metrics: Vec<Metric> =
        metrics.iter().map(|m| Metric::parse(m, Scale::of(&data)).unwrap()).collect();
    let scores: Vec<Scores> = ["cable", "wind"]
        .map(|name| Scores { name: name.into(), values: data.numbers(name).unwrap() })
        .into();
    let options = StudyOptions { baseline: baseline.map(str::to_owned), ..StudyOptions::default() };
    study(&problem, &metrics, &scores, &options, &mut |_| {}).unwrap()
}

#[test]
fn the_papers_examples() {
    let study = run(&["rcs@2", "r@2"], None);
    let value = |score, metric| study.row(score, metric).unwrap().value.unwrap();
    assert!((value("cable", "rcs@2") - 0.9901483).abs() < 1e-7);
    assert!((value("wind", "rcs@2") - 0.0148269).abs() < 1e-7);
    assert!((value("cable", "r@2") - 0.5024876).abs() < 1e-7);
    assert_eq!(value("cable", "r@2"), value("wind", "r@2"));
    assert_eq!(value("ideal", "rcs@2"), 1.0);
    // Random: mean cost times the sum of Pr, 10100/3 * 1.5 + 101/3 * 1.5.
    let random = (10100.0 / 3.0 + 101.0 / 3.0) * 1.5 / 10150.5;
    assert!((value("random", "rcs@2") - random).abs() < 1e-12);
    let best = study.row("best-feature", "rcs@2").unwrap();
    assert_eq!(best.feature.as_ref().unwrap().name, "cable");
}

#[test]
fn comparisons_are_against_the_baseline() {
    let study = run(&["rcs@2"], Some("wind"));
    assert!(study.comparisons.iter().all(|c| c.baseline == "wind" && c.score != "wind"));
    let cable = study.comparisons.iter().find(|c| c.score == "cable").unwrap();
    assert!(cable.better);
    assert!((cable.difference - (0.990_148_3 - 0.014_826_9)).abs() < 1e-6);
    assert!(cable.p_adjusted >= cable.p);
}

#[test]
fn an_unknown_baseline_is_explained() {
    let data = storms();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let metrics = [Metric::parse("rcs@2", Scale::of(&data)).unwrap()];
    let scores = [Scores { name: "wind".into(), values: data.numbers("wind").unwrap() }];
    let options = StudyOptions { baseline: Some("widn".into()), ..StudyOptions::default() };
    let error = study(&problem, &metrics, &scores, &options, &mut |_| {}).unwrap_err().to_string();
    assert!(error.contains("did you mean `wind`?"), "{error}");
}

#[test]
fn random_orders_are_exact_for_every_tie_rule_of_sums() {
    let study = run(&["rcs@2", "rcs@2:ties=worst", "wta", "wrs"], None);
    let random = |metric| study.row("random", metric).unwrap().value.unwrap();
    assert!((random("rcs@2") - random("rcs@2:ties=worst")).abs() < 1e-12);
    // Each place holds the mean cost: (10100 + 101) / 3 over two lists; ranks 1 + 2 + 3.
    assert!((random("wta") - 10201.0 / 6.0).abs() < 1e-9);
    assert!((random("wrs") - 10201.0).abs() < 1e-9);
}

/// The cost of the first item, as a metric that is not in the table.
struct FirstCost;

struct FirstCostInList<'l>(&'l [f64]);

impl Rule for FirstCost {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        Box::new(FirstCostInList(list.cost))
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}

impl ListMetric for FirstCostInList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        with_top(scores, 1, |top| top.first().map(|first| self.0[first.item as usize]))
    }
}

#[test]
fn a_custom_metric_is_studied_like_any_other() {
    let data = storms();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let properties =
        MetricProperties { aggregate: Aggregate::Sum, ..MetricProperties::new("first") };
    let metrics = [Metric::custom(properties, FirstCost)];
    let scores = [Scores { name: "wind".into(), values: data.numbers("wind").unwrap() }];
    let options = StudyOptions { baseline: Some("wind".into()), ..StudyOptions::default() };
    let study = study(&problem, &metrics, &scores, &options, &mut |_| {}).unwrap();
    let value = |score| study.row(score, "first").unwrap().value.unwrap();
    assert_eq!(value("wind"), 0.0 + 100.0);
    assert_eq!(value("ideal"), 10_000.0 + 100.0);
    assert_eq!(value("best-feature"), 10_000.0 + 0.0);
    assert!(study.comparisons.iter().all(|c| c.metric == "first"));
}
