//! Every learner can be tuned: what is chosen is a training like any other, never worse on the
//! validation lists than the settings as given, and the same however often it was interrupted.

use std::collections::BTreeSet;

use stakes_core::cost::Problem;
use stakes_learn::tune::{self, Tuned, UnfinishedTuning};
use stakes_learn::{
    Configured, FitContext, FitError, Flow, Learner, Model, Observer, Round, learner,
};

use super::world::*;

/// Counts rounds, stops after so many, and keeps what is known.
#[derive(Default)]
struct Counting {
    made: usize,
    stop_after: Option<usize>,
    so_far: Option<UnfinishedTuning>,
}

impl Observer for Counting {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        assert!(round.stage.contains("trial ") || round.stage == "the chosen trial");
        self.made += 1;
        if self.stop_after.is_some_and(|n| self.made >= n) { Flow::Stop } else { Flow::Continue }
    }

    fn tried(&mut self, so_far: &UnfinishedTuning) {
        let text = so_far.to_json();
        let again = UnfinishedTuning::from_json(text.as_bytes(), "memory").unwrap();
        assert!(again == *so_far);
        self.so_far = Some(again);
    }
}

/// What is the same in all runs of a test.
struct Case {
    info: Box<dyn Learner>,
    given: Vec<(&'static str, &'static str)>,
    metric: &'static str,
    trials: usize,
}

impl Case {
    fn named(name: &str) -> Self {
        Case::of(&*learner(name).unwrap())
    }

    fn of(info: &dyn Learner) -> Self {
        let given = vec![("rounds", "8"), ("patience", "5"), ("order-rounds", "4")];
        let given = given.into_iter().filter(|(key, _)| has(info, key)).collect();
        Case { info: info.boxed(), given, metric: "rcs@5", trials: 6 }
    }

    fn with<R>(
        &self,
        watch: &mut dyn Observer,
        run: impl FnOnce(&Configured, &Problem<'_>, &mut FitContext<'_>) -> R,
    ) -> R {
        let (data, valid) =
            (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
        let goal = goal().with_metric(self.metric.parse().unwrap());
        let problem = Problem::new(&data, &goal).unwrap();
        let validation = Problem::new(&valid, &goal).unwrap();
        let given = Configured::new(self.info.clone(), self.given.iter().copied()).unwrap();
        let mut cx = FitContext { validation: Some(&validation), ..observed(watch) };
        run(&given, &problem, &mut cx)
    }

    fn tune(
        &self,
        watch: &mut dyn Observer,
        resume: Option<UnfinishedTuning>,
    ) -> Result<Tuned, FitError> {
        self.with(watch, |given, problem, cx| tune::train(given, problem, cx, self.trials, resume))
    }

    /// A training with these parameters, and none of tuning.
    fn plainly(&self, parameters: &Model) -> Model {
        let given = parameters.parameters.iter().map(|(key, value)| (&**key, &**value));
        let learner = Configured::new(self.info.clone(), given).unwrap().learner;
        self.with(&mut Silent, |_, problem, cx| {
            stakes_learn::train(&*learner, problem, cx).unwrap().model
        })
    }
}

/// Learners with rounds to make and a choice of settings.
fn for_all_tunable(check: impl Fn(&dyn Learner)) {
    for_single(|info| {
        let choices: usize = info.params().iter().map(|p| p.tries.len().max(1)).product();
        if has(info, "rounds") && choices > 6 {
            check(info);
        }
    });
}

#[test]
fn values_to_try_are_allowed_and_differ() {
    for_all_tunable(|info| {
        let mut tuned = 0;
        for param in info.params() {
            let tries = param.tries;
            let as_read = |value: &&str| {
                let mut learner = info.boxed();
                learner.set(&param.key, value).unwrap();
                learner.texts()[&param.key].clone()
            };
            let read: BTreeSet<String> = tries.iter().map(as_read).collect();
            assert_eq!(read.len(), tries.len(), "{}", param.key);
            assert_ne!(tries.len(), 1, "{}: one value is no choice", param.key);
            tuned += usize::from(!tries.is_empty());
        }
        assert!(tuned >= if has(info, "leaves") { 5 } else { 2 }, "{tuned}");
    });
}

#[test]
fn what_is_chosen_is_a_training_like_any_other() {
    for metric in ["rcs@5", "rmse"] {
        for_all_tunable(|info| {
            let case = Case { metric, ..Case::of(info) };
            let mut watch = Counting::default();
            let tuned = case.tune(&mut watch, None).unwrap();
            assert!(!tuned.interrupted);
            let (chosen, model) = (tuned.chosen.unwrap(), tuned.model.unwrap());
            assert!(case.plainly(&model).to_json() == model.to_json());
            for (key, value) in &tuned.trials[chosen].parameters {
                assert_eq!(model.parameters[key], *value);
            }
            assert_eq!(model.parameters["rounds"], "8");
            // 6 begin, 3 go on, 2 finish, those as given among them.
            assert_eq!(tuned.rungs, 3);
            for (rung, count) in [6, 3, 2].into_iter().enumerate() {
                let there = tuned.trials.iter().filter(|t| t.rungs.len() > rung);
                assert_eq!(there.count(), count);
            }
            let last = |trial: usize| tuned.trials[trial].rungs[2].value;
            let better =
                if metric == "rmse" { last(chosen) <= last(0) } else { last(chosen) >= last(0) };
            assert!(better, "{} {}", last(chosen), last(0));
        });
    }
}

#[test]
fn no_round_is_made_twice() {
    // Trees without samples, so that none may fail to split; all rounds are made.
    let mut case = Case::named("mart");
    case.given = vec![("rounds", "8"), ("patience", "0"), ("min-rows", "2")];
    let mut watch = Counting::default();
    let tuned = case.tune(&mut watch, None).unwrap();
    assert_eq!(watch.made, 6 * 2 + 3 * 2 + 2 * 4);
    let rounds: BTreeSet<Vec<usize>> = (tuned.trials.iter())
        .map(|trial| trial.rungs.iter().map(|rung| rung.rounds).collect())
        .collect();
    assert_eq!(rounds, BTreeSet::from([vec![2], vec![2, 4], vec![2, 4, 8]]));
    // The chance goes on, the size is learnt anew.
    case.info = learner("two-part").unwrap();
    let mut watch = Counting::default();
    case.tune(&mut watch, None).unwrap();
    assert_eq!(watch.made, 6 * (2 + 2) + 3 * (2 + 4) + 2 * (4 + 8));
}

#[test]
fn an_interrupted_tuning_comes_to_the_same() {
    for_all_tunable(|info| {
        let case = Case::of(info);
        let mut whole = Counting::default();
        let tuned = case.tune(&mut whole, None).unwrap();
        let model = tuned.model.unwrap().to_json();
        for stop in [1, 7, whole.made / 2, whole.made - 1] {
            let mut watch = Counting { stop_after: Some(stop), ..Counting::default() };
            let partial = case.tune(&mut watch, None).unwrap();
            assert!(partial.interrupted && partial.model.is_some());
            let mut second = Counting::default();
            let again = case.tune(&mut second, watch.so_far).unwrap();
            assert!(!again.interrupted);
            assert!(again.trials == tuned.trials && again.chosen == tuned.chosen, "after {stop}");
            assert!(again.model.unwrap().to_json() == model, "after {stop}");
            let values = partial.trials.iter().flat_map(|trial| &trial.rungs).count();
            // A trial that goes on is made anew, which with a few rounds may be all there is.
            assert!(values == 0 || second.made <= whole.made);
        }
    });
}

#[test]
fn it_may_be_interrupted_many_times() {
    for name in ["cs-mart", "two-part"] {
        let case = Case::named(name);
        let model = case.tune(&mut Silent, None).unwrap().model.unwrap().to_json();
        let (mut so_far, mut runs) = (None, 0);
        let last = loop {
            // More than any one trial needs.
            let mut watch = Counting { stop_after: Some(21), ..Counting::default() };
            let tuned = case.tune(&mut watch, so_far.take()).unwrap();
            runs += 1;
            if !tuned.interrupted {
                break tuned.model.unwrap();
            }
            so_far = watch.so_far;
        };
        assert!(runs > 2 && last.to_json() == model, "{name}: {runs}");
    }
}

#[test]
fn the_best_so_far_is_kept_or_known_to_be_elsewhere() {
    let case = Case::named("mart");
    let mut watch = Counting { stop_after: Some(11), ..Counting::default() };
    let tuned = case.tune(&mut watch, None).unwrap();
    let best = tuned.trials.iter().flat_map(|t| &t.rungs).map(|r| r.value).fold(0.0, f64::max);
    let chosen = &tuned.trials[tuned.chosen.unwrap()];
    assert_eq!(chosen.rungs[0].value, best);
    assert_eq!(tuned.model.unwrap().parameters["rounds"], "2");
    // Taken up and left at once: its model is with the run before.
    let mut at_once = Counting { stop_after: Some(1), ..Counting::default() };
    let tuned = case.tune(&mut at_once, watch.so_far).unwrap();
    assert!(tuned.interrupted && tuned.model.is_none() && tuned.chosen.is_some());
}

#[test]
fn what_cannot_be_tuned_is_refused() {
    let refused = |case: &Case, resume| case.tune(&mut Silent, resume).unwrap_err().to_string();
    let auto = Case { given: Vec::new(), ..Case::named("auto") };
    assert!(refused(&auto, None).contains("effort=high"));
    let case = Case::named("cs-mart");
    let error = case.with(&mut Silent, |given, problem, cx| {
        cx.validation = None;
        tune::train(given, problem, cx, 6, None).unwrap_err().to_string()
    });
    assert!(error.contains("hold some out"), "{error}");
    assert!(
        refused(&Case { trials: 1, ..Case::of(&*case.info) }, None).contains("nothing to tune")
    );

    let mut watch = Counting { stop_after: Some(9), ..Counting::default() };
    case.tune(&mut watch, None).unwrap();
    let left = || watch.so_far.clone();
    for (other, words) in [
        (Case { trials: 7, ..Case::of(&*case.info) }, "the number of trials was 6 and is now 7"),
        (Case { metric: "rcs@6", ..Case::of(&*case.info) }, "the goal was"),
        (Case::named("lambdamart"), "the learner was cs-mart"),
        // The default, but now it is not tuned.
        (
            Case {
                given: vec![
                    ("rounds", "8"),
                    ("patience", "5"),
                    ("order-rounds", "4"),
                    ("leaves", "7"),
                ],
                ..Case::of(&*case.info)
            },
            "other values were to be tried",
        ),
    ] {
        let error = refused(&other, left());
        assert!(error.contains("of another run") && error.contains(words), "{error}");
    }
}
