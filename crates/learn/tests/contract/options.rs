//! Parameters that make another algorithm of a learner: it learns, with the same bytes at any thread count, and
//! can be left and taken up.

use stakes_core::cost::Problem;
use stakes_learn::{Checkpoint, FitContext, Flow, Learner, Model, Observer, Round, learner, train};

use super::world::*;

const OPTIONS: &[(&str, &[(&str, &str)])] = &[
    ("two-part", &[("size", "gamma")]),
    ("rankboost", &[("weak", "features")]),
    ("rankboost", &[("weak", "features"), ("missing", "abstain")]),
    ("adarank", &[("cost", "before")]),
    ("adarank", &[("cost", "during")]),
    ("adarank", &[("cost", "after")]),
    ("cs-adarank", &[("reading", "share")]),
    ("svm", &[("hinge", "squared")]),
    ("listmle", &[("solver", "descent"), ("ties", "order")]),
    ("ranknet", &[("optimiser", "descent"), ("list-loss", "sum"), ("rate", "0.001")]),
    ("adaboost", &[("variant", "adaboost")]),
    ("adaboost", &[("variant", "asymada")]),
    ("adaboost", &[("variant", "adac1")]),
    ("adaboost", &[("variant", "adac2")]),
    ("adaboost", &[("variant", "adac3")]),
    ("adaboost", &[("variant", "csb0")]),
    ("adaboost", &[("variant", "csb1")]),
    ("adaboost", &[("variant", "csb2")]),
    ("adaboost", &[("variant", "adacost")]),
];

/// Stops after some rounds, keeping the last checkpoint.
struct StopAfter(usize, Option<Checkpoint>);

impl Observer for StopAfter {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.1 = Some((round.checkpoint)());
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Flow::Stop } else { Flow::Continue }
    }
}

fn run(learner: &dyn Learner, watch: &mut dyn Observer, resume: Option<Checkpoint>) -> Model {
    let (data, valid) =
        (dataset(&storms(20, 30, 51), features()), dataset(&storms(8, 30, 52), features()));
    let problem = Problem::new(&data, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    let mut cx = FitContext { validation: Some(&validation), resume, ..observed(watch) };
    train(learner, &problem, &mut cx).unwrap().model
}

#[test]
fn other_algorithms_keep_the_promises() {
    let unseen = dataset(&storms(30, 30, 53), features());
    let random = saved(&unseen, &vec![0.0; unseen.len()]);
    for (name, given) in OPTIONS {
        let what = format!("{name} {given:?}");
        let learner = settings(&*learner(name).unwrap(), given);
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| run(&*learner, &mut Silent, None))
        };
        let model = with(1);
        assert!(model.to_json() == with(3).to_json(), "{what}");
        let figure = saved(&unseen, &model.score(&unseen).unwrap());
        assert!(figure > random + 0.15, "{what}: {figure} against {random}");
        let mut stopped = StopAfter(2, None);
        run(&*learner, &mut stopped, None);
        let resumed = run(&*learner, &mut Silent, stopped.1);
        assert!(resumed.to_json() == model.to_json(), "{what}");
    }
}

#[test]
fn what_does_nothing_is_refused() {
    let data = dataset(&storms(6, 20, 54), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for (given, words) in [
        (&[("missing", "abstain")][..], "side, unless weak=features"),
        (&[("weak", "features"), ("weights", "cautious")][..], "exact with weak=features"),
    ] {
        let learner = settings(&*learner("rankboost").unwrap(), given);
        let error = train(&*learner, &problem, &mut FitContext::default()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}
