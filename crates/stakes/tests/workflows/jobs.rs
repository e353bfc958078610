//! Trainings elsewhere: the same call for one job after another, in any order, gives the same bytes as one run.

use std::path::Path;
use std::sync::{Arc, Mutex};

use stakes::data::{Columns, DatasetBuilder, Feature, Row};
use stakes::experiment::{
    BacktestOptions, CompareOptions, Compared, Contestant, Outcome, Setting, asked_to_retrain,
    backtest, compare, retrain,
};
use stakes::fit::{Division, Fitted};
use stakes::jobs::{Elsewhere, Heard, Job, Jobs};
use stakes::learn::{Awaited, Flow, Observer as RunObserver, Round};
use stakes::prelude::*;
use stakes::random::Stream;
use stakes::{Error, Observer};

use crate::storms;

/// Does jobs in this process, in a random order, and notes their names.
struct Nearby<W> {
    work: W,
    done: Arc<Mutex<Vec<String>>>,
}

impl<W: Fn(Jobs) -> Result<(), Error> + Send + Sync> Elsewhere for Nearby<W> {
    fn work(&self, jobs: &[Job], hear: &mut dyn FnMut(Heard) -> bool) -> Result<(), String> {
        let mut order: Vec<usize> = (0..jobs.len()).collect();
        order.sort_by_key(|&at| Stream::new(3, jobs.len() as u64).word(at as u64));
        for at in order {
            let only = Jobs::only(jobs[at].clone());
            let ended = (self.work)(only.clone());
            let done = only.result().ok_or_else(|| match ended {
                Ok(()) => "it went on without the job".to_owned(),
                Err(error) => error.to_string(),
            });
            self.done.lock().unwrap().push(jobs[at].name.clone());
            if !hear(Heard::Nothing) || !hear(Heard::Done(at, done)) {
                break;
            }
        }
        Ok(())
    }
}

/// Jobs that are done by this work, and their names when they are done.
fn nearby(
    work: impl Fn(Jobs) -> Result<(), Error> + Send + Sync + 'static,
) -> (Jobs, Arc<Mutex<Vec<String>>>) {
    let done = Arc::default();
    (Jobs::elsewhere(Arc::new(Nearby { work, done: Arc::clone(&done) })), done)
}

/// A training that takes several: which, with which options, and of which data.
#[derive(Clone, Copy)]
struct Asked {
    learner: &'static str,
    params: &'static [(&'static str, &'static str)],
    trials: Option<usize>,
    folds: Option<usize>,
    seed: u64,
}

const AUTO: Asked = Asked {
    learner: "auto",
    params: &[("effort", "low"), ("rounds", "6")],
    trials: None,
    folds: None,
    seed: 1,
};
const RIDGE: Asked = Asked { learner: "ridge", params: &[], folds: Some(4), ..AUTO };

impl Asked {
    fn fit(&self) -> Fit<'static> {
        let mut fit = Fit::with_parameters(self.learner, self.params.iter().copied()).unwrap();
        if let Some(trials) = self.trials {
            fit = fit.tune(trials);
        }
        if let Some(folds) = self.folds {
            fit = fit.folds(folds);
        }
        let data = storms(self.seed);
        let current = stakes::judge::CurrentPolicy::parse("customers").unwrap().feature(&data);
        assert!(current.is_some());
        fit.seed(7).current(current)
    }

    fn division(&self) -> Division<'static> {
        self.fit().divide(storms(self.seed), &Goal::act_on(3)).unwrap()
    }

    /// A job of it.
    fn only(&self, jobs: Jobs) -> Result<(), Error> {
        self.fit().jobs(jobs).output("/nowhere/model.json").run(&self.division(), None).map(drop)
    }

    fn here(&self) -> Fitted {
        self.fit().run(&self.division(), None).unwrap()
    }
}

fn text(fitted: &Fitted) -> String {
    fitted.model.as_ref().unwrap().to_json()
}

fn same_elsewhere(asked: Asked) -> Vec<String> {
    let (jobs, done) = nearby(move |jobs| asked.only(jobs));
    let elsewhere = asked.fit().jobs(jobs).run(&asked.division(), None).unwrap();
    let here = asked.here();
    assert_eq!(text(&elsewhere), text(&here));
    // Items of the first period have no score out of fold, and NaN is not itself.
    let bits = |fitted: &Fitted| -> Option<Vec<u64>> {
        Some(fitted.out_of_fold.as_ref()?.iter().map(|score| score.to_bits()).collect())
    };
    assert_eq!(bits(&elsewhere), bits(&here));
    let tried = |fitted: &Fitted| fitted.tuned.as_ref().map(|tuned| tuned.trials.clone());
    assert_eq!(tried(&elsewhere), tried(&here));
    let mut done = done.lock().unwrap().clone();
    done.sort();
    done
}

#[test]
fn members_of_a_blend() {
    assert_eq!(same_elsewhere(AUTO), ["member 0", "member 1"]);
}

#[test]
fn trials_of_a_tuning() {
    for learner in ["cs-mart", "two-part"] {
        let params: &[_] = match learner {
            "cs-mart" => &[("rounds", "8"), ("order-rounds", "4")],
            _ => &[("rounds", "8")],
        };
        let done = same_elsewhere(Asked { learner, params, trials: Some(5), ..AUTO });
        assert_eq!(done.len(), 5 + 3 + 2, "{done:?}");
        assert_eq!(done[5], "rung 1 trial 0");
    }
}

#[test]
fn folds_that_are_not_trained_in_step() {
    // Storms have times, so that the first fold has all lists and judges none.
    assert_eq!(same_elsewhere(RIDGE), ["fold 1", "fold 2", "fold 3"]);
}

#[test]
fn what_is_one_training_is_refused() {
    for learner in ["cs-mart", "ridge"] {
        let asked = Asked { learner, params: &[], ..AUTO };
        let (jobs, _) = nearby(move |jobs| asked.only(jobs));
        let error = asked.fit().jobs(jobs).check().unwrap_err().to_string();
        assert!(error.contains("is one training"), "{error}");
    }
}

/// Stops when so many trainings are done.
struct StopAt(usize);

impl RunObserver for StopAt {
    fn awaited(&mut self, awaited: &Awaited<'_>) -> Flow {
        if awaited.done >= self.0 { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for StopAt {
    fn finished(&mut self, done: usize, _of: usize) -> Flow {
        if done >= self.0 { Flow::Stop } else { Flow::Continue }
    }
}

#[test]
fn an_interrupted_training_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let tuning = Asked { learner: "two-part", params: &[("rounds", "8")], trials: Some(4), ..AUTO };
    for (name, asked, jobs_in_all) in [("auto", AUTO, 2), ("tuned", tuning, 4 + 2)] {
        let output = folder.path().join(format!("{name}.json"));
        let (jobs, done) = nearby(move |jobs| asked.only(jobs));
        let fit = asked.fit().jobs(jobs).output(output.to_str().unwrap());
        let stopped = fit.run(&asked.division(), Some(&mut StopAt(1))).unwrap();
        let interruption = stopped.interruption.as_ref().unwrap();
        // The second member may be the one that was done; a blend resumes from its first ones.
        assert!(interruption.can_resume, "{interruption:?}");
        assert!(interruption.stage.contains(" of "), "{interruption:?}");
        let before = done.lock().unwrap().len();
        assert!(before < jobs_in_all, "{before}");
        let resumed = fit.clone().resume(true).run(&asked.division(), None).unwrap();
        assert_eq!(text(&resumed), text(&asked.here()));
        assert!(done.lock().unwrap().len() <= before + jobs_in_all, "{name}");
    }
}

/// Stops in this round of a member.
struct StopIn(&'static str, usize);

impl RunObserver for StopIn {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        if (round.stage, round.done) == (self.0, self.1) { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for StopIn {}

#[test]
fn what_was_begun_here_goes_on_elsewhere() {
    let folder = tempfile::tempdir().unwrap();
    for (member, round, left) in [("cs-mart", 4, 2), ("tweedie-mart", 3, 1)] {
        let output = folder.path().join(format!("{member}.json")).to_str().unwrap().to_owned();
        let begun = AUTO.fit().output(&output);
        let stopped = begun.run(&AUTO.division(), Some(&mut StopIn(member, round))).unwrap();
        assert!(stopped.interruption.unwrap().can_resume);
        let (jobs, done) = nearby(move |jobs| AUTO.only(jobs));
        let resumed = begun.resume(true).jobs(jobs).run(&AUTO.division(), None).unwrap();
        assert_eq!(text(&resumed), text(&AUTO.here()));
        assert_eq!(done.lock().unwrap().len(), left, "stopped in {member}");
    }
}

#[test]
fn what_is_not_the_same_everywhere_is_refused() {
    for asked in [AUTO, RIDGE, Asked { learner: "two-part", params: &[], trials: Some(2), ..AUTO }]
    {
        let other = Asked { seed: 2, ..asked };
        let (jobs, _) = nearby(move |jobs| other.only(jobs));
        let error = asked.fit().jobs(jobs).run(&asked.division(), None).unwrap_err().to_string();
        assert!(error.contains("not the same on all machines: the data was"), "{error}");
        let unknown = Job::new("member 9", Vec::new());
        let error = asked.only(Jobs::only(unknown)).unwrap_err().to_string();
        assert!(error.contains("there is no job `member 9`"), "{error}");
    }
}

/// Lists of known times with two features.
fn days(lists: usize) -> Dataset {
    let columns = Columns {
        list: Some("day".into()),
        impact: Some("cost".into()),
        time: Some("day".into()),
        ..Columns::of_features(vec![Feature::numeric("wind"), Feature::numeric("noise")])
    };
    let mut builder = DatasetBuilder::new("days", columns).unwrap();
    for list in 0..lists {
        let draws = Stream::new(5, list as u64);
        let day = format!("20{:02}-{:02}-01", 10 + list / 12, 1 + list % 12);
        for item in 0..6 {
            let wind = draws.unit(2 * item) as f32;
            let impact = Some(f64::from(wind) * 100.0 * draws.unit(2 * item + 1));
            let features = [wind, draws.unit(100 + item) as f32];
            let row = Row {
                line: (list * 6) as u64 + item,
                list: &day,
                impact,
                time: Some(&day),
                features: &features,
                ..Row::default()
            };
            builder.push(row).unwrap();
        }
    }
    builder.finish().unwrap()
}

fn contestants() -> Vec<Contestant> {
    let mut all = Contestant::learners("cs-mart:rounds=4,start=none,ridge").unwrap();
    for (name, settings) in
        [("two-part", "two-part:rounds=4"), ("tweedie-mart", "tweedie-mart:rounds=4")]
    {
        all.push(Contestant { name: name.into(), ..Contestant::learner(settings).unwrap() });
    }
    all
}

fn setting<'d>(data: &'d Dataset, plan: &str) -> Setting<'d> {
    Setting::new(data, &Goal::act_on(2), Some(plan.parse().unwrap()), 5).unwrap()
}

fn finished<T>(outcome: Outcome<T>) -> T {
    match outcome {
        Outcome::Finished(found) => *found,
        Outcome::Interrupted { done, of } => panic!("interrupted after {done} of {of}"),
    }
}

/// Without what depends on the clock.
fn timeless(compared: &Compared) -> Compared {
    Compared { times: Vec::new(), ..compared.clone() }
}

fn compared(options: &CompareOptions) -> Result<Outcome, Error> {
    compare(&setting(&days(24), "3"), &contestants(), options, None)
}

fn json(document: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(document).unwrap()
}

#[test]
fn cells_of_a_comparison_and_its_learning_curve() {
    let asked =
        || CompareOptions { trials: 2, learning_curve: vec![0.5], ..CompareOptions::default() };
    let (jobs, done) = nearby(move |jobs| compared(&CompareOptions { jobs, ..asked() }).map(drop));
    let elsewhere = finished(compared(&CompareOptions { jobs, ..asked() }).unwrap());
    let here = finished(compared(&asked()).unwrap());
    assert_eq!(json(&timeless(&elsewhere)), json(&timeless(&here)));
    let done = done.lock().unwrap();
    assert_eq!(done.len(), 4 * 3 + 4 * 3, "{done:?}");
    assert!(done.contains(&"all lists: ridge, fold 3".to_owned()), "{done:?}");
    assert!(done.contains(&"0.5 of the lists: ridge, fold 1".to_owned()), "{done:?}");
}

#[test]
fn periods_of_a_backtest_and_the_training_after_it() {
    fn comparing(jobs: Jobs) -> BacktestOptions {
        let compare = CompareOptions { trials: 2, jobs, ..CompareOptions::default() };
        BacktestOptions { compare, ..BacktestOptions::default() }
    }
    fn all(jobs: Jobs) -> Result<(String, String), Error> {
        let data = days(30);
        let (setting, contestants) = (setting(&data, "time:3"), contestants());
        let options = comparing(jobs);
        if let Some(name) = asked_to_retrain(&contestants, &options.compare)? {
            retrain(&setting, &contestants, &name, &options.compare, None)?;
        }
        let found = finished(backtest(&setting, &contestants, &options, None)?);
        let mut document = serde_json::to_value(&found).unwrap();
        document["times"].take();
        let model = retrain(&setting, &contestants, "two-part", &options.compare, None)?;
        Ok((document.to_string(), model.unwrap().to_json()))
    }
    let (jobs, done) = nearby(move |jobs| all(jobs).map(drop));
    assert_eq!(all(jobs).unwrap(), all(Jobs::here()).unwrap());
    let done = done.lock().unwrap();
    assert!(done.contains(&"retrain two-part: rung 0 trial 1".to_owned()), "{done:?}");
}

#[test]
fn a_run_directory_goes_on_and_holds_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let (jobs, done) =
        nearby(|jobs| compared(&CompareOptions { jobs, ..CompareOptions::default() }).map(drop));
    let options = CompareOptions { run: Some(path("run")), jobs, ..CompareOptions::default() };
    let data = days(24);
    let (setting, contestants) = (setting(&data, "3"), contestants());
    let stopped = compare(&setting, &contestants, &options, Some(&mut StopAt(4))).unwrap();
    assert!(matches!(stopped, Outcome::Interrupted { done: 4, of: 15 }), "{stopped:?}");
    let found = finished(compare(&setting, &contestants, &options, None).unwrap());
    assert_eq!(done.lock().unwrap().len(), 12, "nothing is computed twice");
    let here = CompareOptions { run: Some(path("here")), ..CompareOptions::default() };
    let here = finished(compare(&setting, &contestants, &here, None).unwrap());
    assert_eq!(json(&timeless(&found)), json(&timeless(&here)));
    let cell = |run: &str| {
        let file = Path::new(&path(run)).join("cells/ridge/2.json");
        let text = std::fs::read_to_string(file).unwrap();
        text.lines().filter(|line| !line.contains("\"seconds\"")).collect::<String>()
    };
    assert_eq!(cell("run"), cell("here"));
}

#[test]
fn what_fails_elsewhere_is_said_in_words() {
    fn failing(jobs: Jobs) -> Error {
        let learners = Contestant::learners("cs-mart:rounds=4,monotone=height:+").unwrap();
        let options = CompareOptions { jobs, ..CompareOptions::default() };
        compare(&setting(&days(24), "3"), &learners, &options, None).unwrap_err()
    }
    let (jobs, _) = nearby(|jobs| Err(failing(jobs)));
    let here = failing(Jobs::here()).to_string();
    let error = failing(jobs).to_string();
    assert!(here.contains("height"), "{here}");
    assert!(error.starts_with("all lists: cs-mart:"), "{error}");
    assert!(error.ends_with(&format!(", elsewhere: {here}")), "{error}");
    // Other data than where the work was given out.
    let (jobs, _) = nearby(|jobs| {
        let options = CompareOptions { jobs, ..CompareOptions::default() };
        compare(&setting(&days(23), "3"), &contestants(), &options, None).map(drop)
    });
    let error = compared(&CompareOptions { jobs, ..CompareOptions::default() }).unwrap_err();
    assert!(error.to_string().contains("not the same on all machines: other data"), "{error}");
}
