//! A metric that is not in the table is accepted wherever one of the table is.

use std::borrow::Cow;

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, ListView, Row};
use stakes_core::metric::{
    Aggregate, Direction, ListMetric, Metric, MetricProperties, PreparedLists, Reads, Rule, Scale,
    evaluate, evaluate_lists, evaluate_random,
};
use stakes_core::rank::{Rank, Ranking};

/// How many of the first k items have no cost; lists are weighted by their cost.
struct Waste {
    k: usize,
    needs_price: bool,
}

struct WasteInList<'l> {
    k: usize,
    cost: &'l [f64],
}

impl Rule for Waste {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        Box::new(WasteInList { k: self.k, cost: list.cost })
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }

    fn check(&self, list: &ListView<'_>) -> Result<(), String> {
        let lacking = self.needs_price && list.price.is_none();
        if lacking { Err("the data has no price column".into()) } else { Ok(()) }
    }
}

impl ListMetric for WasteInList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let ranking = Ranking::from_scores(scores);
        let first = ranking.order().iter().take(self.k);
        Some(first.filter(|item| self.cost[item.at()] == 0.0).count() as f64)
    }

    fn weight(&self) -> f64 {
        self.cost.iter().sum()
    }
}

fn waste(needs_price: bool) -> Metric {
    let properties = MetricProperties {
        direction: Direction::Lower,
        range: (0.0, 2.0),
        aggregate: Aggregate::WeightedMean,
        ..MetricProperties::new("waste@2")
    };
    Metric::custom(properties, Waste { k: 2, needs_price })
}

/// List a: costs 6, 0, 0; list b: costs 2, 0.
fn data() -> Dataset {
    let columns =
        Columns { list: Some("l".into()), impact: Some("y".into()), ..Columns::default() };
    let mut builder = DatasetBuilder::new("lists", columns).unwrap();
    for (list, y) in [("a", 6.0), ("a", 0.0), ("a", 0.0), ("b", 2.0), ("b", 0.0)] {
        builder.push(Row { list, impact: Some(y), ..Row::default() }).unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn it_says_what_it_was_told() {
    let metric = waste(false);
    assert_eq!(metric.name(), "waste@2");
    assert_eq!(format!("{metric:?}"), "Metric(waste@2)");
    assert_eq!((metric.direction(), metric.reads()), (Direction::Lower, Reads::Order));
    assert_eq!((metric.range(), metric.aggregate()), ((0.0, 2.0), Aggregate::WeightedMean));
    assert!(!metric.averages_ties());
    assert!(metric.spec().is_none() && metric.cutoff().is_none() && metric.option("k").is_none());
}

#[test]
fn it_is_evaluated_like_any_other() {
    let (metric, data) = (waste(false), data());
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    // In list a both places are wasted, in list b one: weights 6 and 2.
    let scores = [0.0, 2.0, 1.0, 1.0, 0.0];
    let found = evaluate(&metric, &problem, &scores).unwrap();
    assert_eq!(found.figure, Some((6.0 * 2.0 + 2.0 * 1.0) / 8.0));
    let views = [problem.list(0), problem.list(1)];
    assert_eq!(evaluate_lists(&metric, &views, &scores).unwrap(), found);
    let again = metric.clone();
    assert_eq!(PreparedLists::new(&again, &views).unwrap().evaluate(&scores).unwrap(), found);
    let swap =
        metric.prepare(&views[0]).swap_delta(&Ranking::from_scores(&scores[..3]), Rank(0), Rank(2));
    assert_eq!(swap, -1.0);
    // Over all orders of list a: one of two places in two thirds of them, else both.
    let random = evaluate_random(&metric, &problem, 1).unwrap();
    let (a, b) = (random.lists[0].value.unwrap(), random.lists[1].value.unwrap());
    assert!((a - 4.0 / 3.0).abs() < 0.2 && b == 1.0, "{a} {b}");
}

#[test]
fn its_complaints_carry_its_name() {
    let data = data();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let error = evaluate(&waste(true), &problem, &[0.0; 5]).unwrap_err();
    assert_eq!(error.to_string(), "waste@2: the data has no price column");
}

#[test]
fn properties_of_the_table_follow_from_the_text() {
    let metric = Metric::parse("rcr@3(regret@2)", Scale::default()).unwrap();
    assert_eq!(metric.direction(), Direction::Lower);
    assert_eq!(
        (metric.range(), metric.aggregate()),
        ((0.0, f64::INFINITY), Aggregate::WeightedMean)
    );
    assert_eq!(metric.cutoff().unwrap().to_string(), "3");
}
