//! What an observer is told of the whole run: work that is done never becomes less, the whole of a
//! training never more, and both are the same in the end.

use stakes_core::cost::Problem;
use stakes_learn::{
    Configured, Ended, FitContext, Flow, Kind, Observer, PartOfRun, Round, RunProgress, learner,
    train, tune,
};

use super::world::*;

/// Keeps what it is told, and stops after so many rounds.
#[derive(Default)]
struct Told {
    rounds: Vec<RunProgress>,
    stages: Vec<String>,
    stop_after: Option<usize>,
    last: Option<stakes_learn::Checkpoint>,
}

impl Observer for Told {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.rounds.push(round.run);
        self.stages.push(round.stage.to_owned());
        if self.stop_after != Some(self.rounds.len()) {
            return Flow::Continue;
        }
        self.last = Some((round.checkpoint)());
        Flow::Stop
    }
}

impl Told {
    /// Checks what was told of a run between `part.before` and `part.after`, and returns the share
    /// of its work that was left in the end.
    fn check(&self, what: &str, part: PartOfRun) -> f64 {
        assert!(!self.rounds.is_empty(), "{what}");
        for pair in self.rounds.windows(2) {
            let [then, now] = pair else { unreachable!() };
            assert!(now.done > then.done, "{what}: {then:?}, {now:?}");
        }
        assert!(self.rounds[0].done > part.before, "{what}: {:?}", self.rounds[0]);
        let last = self.rounds[self.rounds.len() - 1];
        (last.of - last.done - part.after) / (last.of - part.before - part.after)
    }

    /// Checks that the whole never became more.
    fn check_whole(&self, what: &str) {
        for pair in self.rounds.windows(2) {
            let [then, now] = pair else { unreachable!() };
            assert!(now.of <= then.of + 1e-9, "{what}: {then:?}, {now:?}");
            assert!(now.share() >= then.share(), "{what}: {then:?}, {now:?}");
        }
    }
}

#[test]
fn a_run_is_done_when_it_ends() {
    let (data, valid) =
        (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
    let problem = Problem::new(&data, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    let part = PartOfRun { before: 3.0, after: 5.0 };
    for validation in [None, Some(&validation)] {
        for_all(|info| {
            // The search of re-ranking follows the rounds, and has none of its own.
            if info.name() == "exact-rerank" {
                return;
            }
            let mut told = Told::default();
            let mut cx = FitContext { validation, part, ..observed(&mut told) };
            let model = train(&*settings(info, &[]), &problem, &mut cx).unwrap().model;
            let left = told.check(info.name(), part);
            told.check_whole(info.name());
            // Whether anything is left shows only afterwards where the first member of a blend counts
            // alone, or a stage finds nothing more to learn.
            let is_known = info.kind() != Kind::Blend
                && model.stages.iter().all(|stage| stage.ended != Ended::NothingLeft);
            assert!((-1e-9..if is_known { 1e-9 } else { 1.0 }).contains(&left), "{left}");
        });
    }
}

#[test]
fn stages_share_the_work() {
    let data = dataset(&storms(10, 30, 21), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for (name, rounds) in [("two-part", [12, 12, 0]), ("cs-mart", [12, 12, 10])] {
        let mut told = Told::default();
        let learner = settings(&*learner(name).unwrap(), &[]);
        train(&*learner, &problem, &mut observed(&mut told)).unwrap();
        let all: usize = rounds.iter().sum();
        assert_eq!(told.rounds.len(), all, "{name}");
        for (at, run) in told.rounds.iter().enumerate() {
            let share = (at + 1) as f64 / all as f64;
            assert!((run.share() - share).abs() < 1e-9, "{name}: {run:?} after {at}");
        }
    }
}

#[test]
fn a_resumed_run_goes_on_where_it_was() {
    let data = dataset(&storms(10, 30, 21), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for name in ["two-part", "auto"] {
        let learner = settings(&*learner(name).unwrap(), &[]);
        let run = |told: &mut Told, resume| {
            train(&*learner, &problem, &mut FitContext { resume, ..observed(told) }).unwrap();
        };
        let mut whole = Told::default();
        run(&mut whole, None);
        let mut begun = Told { stop_after: Some(30), ..Told::default() };
        if name == "two-part" {
            begun.stop_after = Some(15);
        }
        run(&mut begun, None);
        let mut resumed = Told::default();
        run(&mut resumed, begun.last.take());
        let shares = |told: &Told| -> Vec<f64> {
            told.rounds.iter().map(|run| (1e6 * run.share()).round()).collect()
        };
        assert_eq!([shares(&begun), shares(&resumed)].concat(), shares(&whole), "{name}");
    }
}

#[test]
fn tuning_is_one_run() {
    let (data, valid) =
        (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
    let problem = Problem::new(&data, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    for (name, patience) in [("cs-mart", "0"), ("two-part", "3"), ("mart", "0")] {
        let given = [("rounds", "16"), ("patience", patience), ("min-rows", "3")];
        let given = Configured::new(learner(name).unwrap(), given).unwrap();
        let mut told = Told::default();
        let part = PartOfRun { before: 1.0, after: 2.0 };
        let mut cx = FitContext { validation: Some(&validation), part, ..observed(&mut told) };
        tune::train(&given, &problem, &mut cx, 6, None).unwrap();
        let left = told.check(name, part);
        assert!(left.abs() < 1e-9, "{name}: {left}");
        assert!(told.stages.iter().any(|stage| stage.starts_with("rung 3 of 3")));
    }
}
