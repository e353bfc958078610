//! Exact re-ranking: what the model does is what the proof says of it.

use stakes_core::cost::Problem;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::goal::Goal;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_core::random::Stream;
use stakes_learn::params::Words;
use stakes_learn::rerank::{ExactRerank, SearchParams, Stages, certify};
use stakes_learn::{Configured, Ended, FitContext, Flow, Model, Observer, learner, train};
use stakes_model::{ProofEnd, RerankScope};

/// Lists of items whose cost follows from a - b, with much noise.
fn items(lists: usize, each: usize, seed: u64) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        ..Columns::of_features(["a", "b", "c"].map(Feature::numeric).to_vec())
    };
    let mut builder = DatasetBuilder::new("items", columns).unwrap();
    for list in 0..lists {
        let draws = Stream::new(seed, list as u64);
        for item in 0..each as u64 {
            let unit = |what: u64| draws.unit(4 * item + what);
            let features = [0, 1, 2].map(|what| (unit(what) * 10.0) as f32);
            let y = (f64::from(features[0] - features[1]) + 12.0 * unit(3) - 9.0).max(0.0).round();
            let list = format!("{list}");
            let row = Row { list: &list, impact: Some(y), features: &features, ..Row::default() };
            builder.push(row).unwrap();
        }
    }
    builder.finish().unwrap()
}

fn goal() -> Goal {
    Goal::act_on(5)
}

fn fit(data: &Dataset, given: &[(&str, &str)]) -> Model {
    fit_observed(data, given, None)
}

fn fit_observed(
    data: &Dataset,
    given: &[(&str, &str)],
    observer: Option<&mut dyn Observer>,
) -> Model {
    let info = learner("exact-rerank").unwrap();
    let nodes =
        [("nodes", "9")].into_iter().filter(|_| given.iter().all(|(key, _)| *key != "nodes"));
    let all = nodes.chain(given.iter().copied());
    let learner = Configured::new(info, all).unwrap().learner;
    let problem = Problem::new(data, goal()).unwrap();
    let mut cx = FitContext { observer, ..FitContext::default() };
    train(&*learner, &problem, &mut cx).unwrap().model
}

fn figure(metric: &str, data: &Dataset, scores: &[f64]) -> f64 {
    let metric = Metric::parse(metric, Scale::of(data)).unwrap();
    let problem = Problem::new(data, goal()).unwrap();
    evaluate(&metric, &problem, scores).unwrap().figure.unwrap()
}

#[test]
fn the_value_is_that_of_the_models_scores() {
    for lists in [1, 4] {
        let data = items(lists, 30, 7);
        for objective in ["rcs@5", "ndcg@10", "clrs-dcg", "wrs", "p@5", "dcg@7:gain=linear"] {
            for (top, threshold) in [("8", "score"), ("8", "count"), ("all", "auto")] {
                let given = [("objective", objective), ("top", top), ("threshold", threshold)];
                let model = fit(&data, &given);
                let rerank = model.rerank.as_ref().unwrap();
                let (proof, near) =
                    (&rerank.proof, |a: f64, b: f64| (a - b).abs() < 1e-9 * (1.0 + b));
                let scores = model.score(&data).unwrap();
                let met = figure(objective, &data, &scores);
                assert!(near(proof.value, met), "{given:?}: {} and {met}", proof.value);
                let base = figure(objective, &data, &model.first_stage().score(&data).unwrap());
                assert!(near(proof.before, base), "{given:?}: {} and {base}", proof.before);
                // The base is linear and a start; a list that is re-ranked keeps the others beneath.
                assert!(base <= met + 1e-9 && proof.value <= proof.bound, "{given:?}");
                assert_eq!(proof.items as usize, if top == "all" { 30 * lists } else { 8 * lists });
            }
        }
    }
}

#[test]
fn others_keep_the_order_of_the_base_beneath() {
    let (data, new) = (items(3, 40, 1), items(5, 25, 2));
    let model = fit(&data, &[("top", "10"), ("base", "mart")]);
    let rerank = model.rerank.as_ref().unwrap();
    assert_eq!((rerank.scope, rerank.base.as_str()), (RerankScope::First(10), "mart"));
    let (scores, base) = (model.score(&new).unwrap(), model.first_stage().score(&new).unwrap());
    let mut second = model.second_stage().unwrap().score(&new).unwrap();
    second.iter_mut().zip(&base).for_each(|(sum, base)| *sum += rerank.base_weight * base);
    for list in new.lists() {
        let above = rerank.scope.select(&base[list.clone()]);
        // Trees have ties, and whoever is level with the tenth is above, too.
        assert!(above.iter().filter(|above| **above).count() >= 10);
        for a in list.clone() {
            for b in list.clone() {
                let order = match (above[a - list.start], above[b - list.start]) {
                    (true, true) => second[a].partial_cmp(&second[b]),
                    (false, false) => base[a].partial_cmp(&base[b]),
                    (a_above, b_above) => Some(a_above.cmp(&b_above)),
                };
                assert_eq!(scores[a].partial_cmp(&scores[b]), order);
            }
        }
    }
}

#[test]
fn the_threshold_lies_between_the_last_and_the_next() {
    let data = items(1, 50, 3);
    let model = fit(&data, &[("top", "12")]);
    let RerankScope::Score(threshold) = model.rerank.as_ref().unwrap().scope else {
        panic!("one list")
    };
    let mut base = model.first_stage().score(&data).unwrap();
    base.sort_by(|a, b| b.total_cmp(a));
    assert!(base[12] <= threshold && threshold < base[11]);
    assert!((threshold - (base[11] + base[12]) / 2.0).abs() < 1e-12);
}

#[test]
fn no_single_feature_is_above_the_bound() {
    let data = items(2, 40, 5);
    let problem = Problem::new(&data, goal()).unwrap();
    let learner = ExactRerank {
        stages: Stages {
            top: Words::new("all"),
            objective: Words::new("rcs@5"),
            ..Stages::default()
        },
        search: SearchParams { nodes: 2000, ..SearchParams::default() },
        ..ExactRerank::default()
    };
    for feature in ["a", "b", "c"] {
        let order = data.numbers(feature).unwrap();
        let found = certify(&learner, &problem, &order, None, &mut FitContext::default()).unwrap();
        let proof = &found.proof;
        assert!((proof.before - figure("rcs@5", &data, &order)).abs() < 1e-9);
        assert!(proof.before <= proof.value && proof.value <= proof.bound);
        assert!(proof.bound <= found.ideal + 1e-9 && proof.seconds.is_none());
        // What was found is what the saved model does.
        let own = found.model.score(&data).unwrap();
        assert!((figure("rcs@5", &data, &own) - proof.value).abs() < 1e-9);
    }
}

#[test]
fn a_bound_that_is_proven_holds_for_random_weights() {
    let data = items(1, 14, 9);
    let model = fit(&data, &[("top", "all"), ("objective", "clrs-dcg"), ("nodes", "1000000")]);
    let proof = &model.rerank.as_ref().unwrap().proof;
    assert_eq!(proof.ended, ProofEnd::Proven);
    let columns = ["a", "b", "c"].map(|name| data.numbers(name).unwrap());
    let draws = Stream::new(4, 4);
    for turn in 0..3000_u64 {
        let weights = [0, 1, 2].map(|j| 2.0 * draws.unit(3 * turn + j) - 1.0);
        let score = |i: usize| (0..3).map(|j| weights[j] * columns[j][i]).sum();
        let scores: Vec<f64> = (0..data.len()).map(score).collect();
        assert!(figure("clrs-dcg", &data, &scores) <= proof.bound + 1e-9);
    }
}

/// Has enough as soon as it hears of the search.
struct Impatient {
    heard: usize,
}

impl Observer for Impatient {
    fn exact(&mut self, progress: &stakes_exact::Progress) -> Flow {
        assert!(progress.incumbent <= progress.bound);
        self.heard += 1;
        Flow::Stop
    }
}

#[test]
fn whoever_stops_the_search_gets_the_best_so_far() {
    let data = items(6, 80, 11);
    let mut watch = Impatient { heard: 0 };
    let given =
        [("top", "all"), ("objective", "ndcg@40"), ("time-limit", "300"), ("nodes", "1000000000")];
    let model = fit_observed(&data, &given, Some(&mut watch));
    let proof = &model.rerank.as_ref().unwrap().proof;
    assert!(watch.heard >= 1);
    assert_eq!(proof.ended, ProofEnd::Interrupted);
    assert_eq!(model.stages.last().unwrap().ended, Ended::Interrupted);
    // What depends on the clock says so.
    assert!(proof.seconds.unwrap() < 60.0 && proof.before <= proof.value);
    let again = Model::from_json(model.to_json().as_bytes(), "memory").unwrap();
    assert!(again == model && again.score(&data).unwrap() == model.score(&data).unwrap());
}

#[test]
fn the_score_of_trees_counts_and_can_only_be_mended() {
    let data = items(3, 40, 5);
    let given =
        |with_base| fit(&data, &[("base", "mart"), ("top", "10"), ("with-base", with_base)]);
    let (with, without) = (given("auto"), given("no"));
    let [with_proof, without_proof] =
        [&with, &without].map(|model| model.rerank.as_ref().unwrap().proof.clone());
    assert_eq!(with_proof.before, without_proof.before);
    assert!(with_proof.value >= with_proof.before, "{with_proof:?}");
    assert!(with_proof.value >= without_proof.value, "{with_proof:?} {without_proof:?}");
    assert!(with.rerank.as_ref().unwrap().base_weight > 0.0);
    assert_eq!(without.rerank.as_ref().unwrap().base_weight, 0.0);
    // What the model does is what the proof says, also after it was written and read.
    let read = Model::from_json(with.to_json().as_bytes(), "m.json").unwrap();
    assert_eq!(read, with);
    let scores = read.score(&data).unwrap();
    let value = figure("rcs@5:ties=worst", &data, &scores);
    assert!((value - with_proof.value).abs() < 1e-9, "{value} {with_proof:?}");
    // A linear base says nothing that its inputs do not say.
    assert_eq!(fit(&data, &[]).rerank.unwrap().base_weight, 0.0);
}
