//! Learners as their papers have them: they train, and keep the promises of all others.

use std::collections::BTreeMap;

use stakes_core::cost::Problem;
use stakes_learn::{Configured, FitContext, Model, learner, preset, train};

use super::world::*;

/// The preset, with few rounds.
fn as_in_paper(name: &str) -> Configured {
    let info = learner(name).unwrap();
    let small = [("rounds", "12"), (preset::KEY, preset::PAPER)];
    let given = small.into_iter().filter(|(key, _)| *key == preset::KEY || has(&*info, key));
    Configured::new(info.clone(), given).unwrap()
}

fn fit_as_in_paper(name: &str, impacts: impl Fn(f64) -> f64) -> Model {
    let graded = |items: Vec<Item>| -> Vec<Item> {
        items.into_iter().map(|item| Item { impact: impacts(item.impact), ..item }).collect()
    };
    let data = dataset(&graded(storms(10, 30, 41)), features());
    let valid = dataset(&graded(storms(6, 30, 42)), features());
    let problem = Problem::new(&data, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    let mut cx = FitContext { validation: Some(&validation), ..FitContext::default() };
    train(&*as_in_paper(name).learner, &problem, &mut cx).unwrap().model
}

#[test]
fn the_settings_are_those_of_the_papers() {
    // McBride et al. 2019 with the defaults of RankLib; He for the last two.
    let trees = "rounds=1000 leaves=10 rate=0.1 min-rows=1 patience=100";
    let ascent = "restarts=5 rounds=25 tolerance=0.001";
    let adarank = "rounds=500 tolerance=0.002 selections=5";
    let ranknet = "list-loss=sum rounds=100 hidden=10 rate=0.00005 optimiser=descent l2=0";
    let listnet = "cost-unit=raw rounds=1500 hidden=0 rate=0.00001 optimiser=descent l2=0";
    let lambdarank = "rounds=100 hidden=10 rate=0.00005 optimiser=descent";
    let table = [
        ("cs-mart", "start=none levels=0 rows=1 features=1", trees),
        ("cr-mart", "gain=exp2", trees),
        ("lambdamart", "gain=exp2", trees),
        ("mart", "loss=squared", trees),
        ("random-forest", "rounds=300 leaves=100 features=0.3", "features-per-split=1"),
        ("cs-coordinate-ascent", "", ascent),
        ("cr-coordinate-ascent", "gain=exp2", ascent),
        ("coordinate-ascent", "gain=exp2", ascent),
        ("cs-adarank", "reading=printed", adarank),
        ("adarank", "gain=exp2", adarank),
        ("ranknet", "nets=1 batch=1", ranknet),
        ("cr-ranknet", "nets=1 batch=1", ranknet),
        ("listnet", "nets=1 batch=1", listnet),
        ("cr-listnet", "nets=1 batch=1", listnet),
        ("lambdarank", "gain=exp2", lambdarank),
        ("cr-lambdarank", "gain=exp2", lambdarank),
        (
            "listmle",
            "ties=order solver=descent rate=0.001 feature-unit=raw",
            "tolerance=0.00001,0.00005,0.0001,0.0005,0.001,0.005",
        ),
        ("cs-rglist", "ties=order feature-unit=raw", "c=0.0001,0.001,0.01,0.1,1"),
    ];
    let names: Vec<&str> = table.iter().map(|(name, ..)| *name).collect();
    assert_eq!(preset::with_paper().collect::<Vec<_>>(), names);
    for (name, own, shared) in table {
        let paper = [(preset::KEY, preset::PAPER)];
        let texts = Configured::new(learner(name).unwrap(), paper).unwrap().learner.texts();
        for setting in own.split(' ').chain(shared.split(' ')).filter(|text| !text.is_empty()) {
            let (key, value) = setting.split_once('=').unwrap();
            assert_eq!(texts[key], value, "{name} {key}");
        }
    }
}

#[test]
fn they_train_on_grades_and_on_costs_with_the_same_bytes_at_any_thread_count() {
    for name in preset::with_paper() {
        // Costs of thousands are where 2^y and exp(y) would overflow.
        for impacts in [|cost: f64| (1.0 + cost).ln().floor().min(4.0), |cost: f64| 100.0 * cost] {
            let with = |threads: usize| {
                let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                pool.install(|| fit_as_in_paper(name, impacts))
            };
            let model = with(1);
            assert!(model.to_json() == with(3).to_json(), "{name}");
            let expected: BTreeMap<String, String> = as_in_paper(name).learner.texts();
            assert!(model.parameters == expected, "{name}");
            assert!(stakes_learn::learner_of(&model).unwrap().texts() == expected, "{name}");
        }
    }
}

#[test]
fn strengths_and_tolerances_are_those_that_were_given() {
    let rglist = &fit_as_in_paper("cs-rglist", |cost| (1.0 + cost).ln().floor().min(4.0)).stages[0];
    let tried = &rglist.extra_curves[0].1;
    assert_eq!(tried[..5], [0.0001, 0.001, 0.01, 0.1, 1.0]);
    let best = (0..5).fold(0, |b, i| if rglist.curve[i] > rglist.curve[b] { i } else { b });
    let around: Vec<f64> = [0.6, 0.8, 1.2, 1.4].iter().map(|factor| factor * tried[best]).collect();
    assert_eq!(tried[5..], around);
    let listmle = &fit_as_in_paper("listmle", |cost| cost).stages[0];
    let (what, tolerances) = &listmle.extra_curves[0];
    assert_eq!((what.as_str(), tolerances.len()), ("tolerance", 6));
    assert!(tolerances.is_sorted_by(|a, b| a > b), "{tolerances:?}");
    assert_eq!(listmle.extra_curves[1].0, "passes over all lists");
}
