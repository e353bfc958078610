//! Small data sets in which there is something to learn, and short training runs on them.

use stakes_core::cost::Problem;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::goal::Goal;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_core::random::Stream;
use stakes_learn::{Configured, FitContext, Kind, Learner, Model, Observer, learners, train};

pub(crate) const SIZES: [&str; 4] = ["village", "town", "city", "harbour"];

/// One item on its way into a data set.
#[derive(Clone)]
pub(crate) struct Item {
    pub(crate) list: String,
    pub(crate) id: String,
    pub(crate) impact: f64,
    pub(crate) weight: f64,
    pub(crate) features: Vec<f32>,
}

/// Lists of networks: half of them lose nothing, the others the more the windier and the
/// larger the place; some values are missing.
pub(crate) fn storms(lists: usize, items: usize, seed: u64) -> Vec<Item> {
    let mut all = Vec::new();
    for list in 0..lists {
        let draws = Stream::new(seed, list as u64);
        for item in 0..items {
            let unit = |what: u64| draws.unit(item as u64 * 8 + what);
            let (wind, size) = (unit(0) * 40.0, draws.below(item as u64 * 8 + 1, 4));
            let hit = unit(2) < 0.2 + wind / 60.0;
            let impact =
                if hit { (1 + size) as f64 * (wind / 8.0).exp() * (0.5 + unit(3)) } else { 0.0 };
            let missing = unit(4) < 0.1;
            all.push(Item {
                list: format!("storm {list}"),
                id: format!("network {item}"),
                impact,
                weight: 1.0,
                features: vec![
                    if missing { f32::NAN } else { wind as f32 },
                    size as f32,
                    unit(5) as f32,
                    (unit(6) * 5.0).floor() as f32,
                ],
            });
        }
    }
    all
}

/// The features of [`storms`].
pub(crate) fn features() -> Vec<Feature> {
    vec![
        Feature::numeric("wind"),
        Feature::categorical("size", SIZES.map(String::from).to_vec()),
        Feature::numeric("noise"),
        Feature::numeric("steps"),
    ]
}

pub(crate) fn dataset(items: &[Item], features: Vec<Feature>) -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        weight: Some("weight".into()),
        ..Columns::of_features(features)
    };
    let mut builder = DatasetBuilder::new("storms", columns).unwrap();
    for (line, item) in items.iter().enumerate() {
        builder.push(row(line, item)).unwrap();
    }
    builder.finish().unwrap()
}

/// An item as a row of a data set.
pub(crate) fn row(line: usize, item: &Item) -> Row<'_> {
    Row {
        line: line as u64 + 2,
        list: &item.list,
        id: Some(&item.id),
        impact: Some(item.impact),
        weight: Some(item.weight),
        features: &item.features,
        ..Row::default()
    }
}

pub(crate) fn goal() -> Goal {
    Goal::act_on(5)
}

/// Observes nothing.
pub(crate) struct Silent;

impl Observer for Silent {}

/// A run that is observed.
pub(crate) fn observed(observer: &mut dyn Observer) -> FitContext<'_> {
    FitContext { observer: Some(observer), ..FitContext::default() }
}

/// Parameters for small data; `more` comes on top.
pub(crate) fn settings(
    info: &dyn Learner,
    more: &[(&'static str, &'static str)],
) -> Box<dyn Learner> {
    let small = [
        ("effort", "low"),
        ("rounds", "12"),
        ("order-rounds", "10"),
        ("leaves", "8"),
        ("min-rows", "3"),
        // Adam's steps are no shares of trees.
        ("rate", if has(info, "nets") { "0.03" } else { "0.3" }),
        ("nets", "2"),
        ("restarts", "3"),
        // A limit that means the same at any speed.
        ("nodes", "40"),
        ("top", "12"),
    ];
    let kept = small.into_iter().filter(|(key, _)| more.iter().all(|(k, _)| k != key));
    let given: Vec<_> =
        kept.chain(more.iter().copied()).filter(|(key, _)| has(info, key)).collect();
    Configured::new(info.boxed(), given).unwrap().learner
}

/// A short run without validation.
pub(crate) fn fit(
    info: &dyn Learner,
    data: &Dataset,
    more: &[(&'static str, &'static str)],
) -> Model {
    let problem = Problem::new(data, goal()).unwrap();
    train(&*settings(info, more), &problem, &mut FitContext::default()).unwrap().model
}

/// The share of savable cost that scores save.
pub(crate) fn saved(data: &Dataset, scores: &[f64]) -> f64 {
    let problem = Problem::new(data, goal()).unwrap();
    let metric = Metric::parse("rcs@5", Scale::of(data)).unwrap();
    evaluate(&metric, &problem, scores).unwrap().figure.unwrap()
}

/// Runs a check for every learner that is not made of others.
pub(crate) fn for_single(check: impl Fn(&dyn Learner)) {
    for_all(|info| {
        if info.kind() != Kind::Blend {
            check(info)
        }
    });
}

/// Runs a check for every learner that learns.
pub(crate) fn for_learning(check: impl Fn(&dyn Learner)) {
    for_all(|info| {
        if info.name() != "random" {
            check(info)
        }
    });
}

/// Runs a check for every learner whose score is a sum of trees and that is not made of others.
pub(crate) fn for_trees(check: impl Fn(&dyn Learner)) {
    for_single(|info| {
        if is_trees(info) {
            check(info)
        }
    });
}

/// Whether the learner has such a parameter.
pub(crate) fn has(info: &dyn Learner, key: &str) -> bool {
    info.params().iter().any(|p| p.key == key)
}

/// Whether its score is a sum of trees.
pub(crate) fn is_trees(info: &dyn Learner) -> bool {
    matches!(info.kind(), Kind::Trees(_))
}

/// Runs a check for every learner, saying which one failed.
pub(crate) fn for_all(check: impl Fn(&dyn Learner)) {
    for info in learners() {
        let checked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| check(&*info)));
        assert!(checked.is_ok(), "learner {}", info.name());
    }
}
