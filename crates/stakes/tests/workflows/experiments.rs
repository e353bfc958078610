//! Comparisons over folds: nothing leaks, nothing is computed twice, nothing depends on threads.

use std::fs;
use std::path::Path;

use stakes::evaluate::{EvaluateOptions, evaluate_scores, scores};
use stakes::experiment::{CompareOptions, Compared, Contestant, Outcome, Setting, compare};
use stakes::learn::{Flow, Observer as RunObserver};
use stakes::prelude::*;
use stakes::split::FoldPlan;
use stakes::{Error, Note, Observer};

use crate::storms;

/// Few rounds: what is tested is not how good learners are.
const QUICK: &str = "cs-mart:rounds=4,leaves=4,start=none,ridge,two-part:rounds=3";

fn contestants(data: &Dataset) -> Vec<Contestant> {
    let mut all = Contestant::learners(QUICK).unwrap();
    // In place of those that always take part, with few rounds.
    for (name, settings) in
        [("two-part", "two-part:rounds=4"), ("tweedie-mart", "tweedie-mart:rounds=4")]
    {
        all.push(Contestant { name: name.into(), ..Contestant::learner(settings).unwrap() });
    }
    all.push(Contestant::current(data, "customers").unwrap());
    all
}

fn setting<'d>(data: &'d Dataset, plan: &str) -> Setting<'d> {
    Setting::new(data, &Goal::act_on(3), Some(plan.parse().unwrap()), 5).unwrap()
}

fn finished(outcome: Outcome) -> Compared {
    match outcome {
        Outcome::Finished(compared) => *compared,
        Outcome::Interrupted { done, of } => panic!("interrupted after {done} of {of}"),
    }
}

fn run(data: &Dataset, plan: &str, run: Option<&Path>) -> Compared {
    let run = run.map(|path| path.to_str().unwrap().to_owned());
    let options = CompareOptions { run, ..CompareOptions::default() };
    finished(compare(&setting(data, plan), &contestants(data), &options, None).unwrap())
}

/// Without what depends on the clock.
fn text(compared: &Compared) -> String {
    let timeless = Compared { times: Vec::new(), ..compared.clone() };
    serde_json::to_string_pretty(&timeless).unwrap()
}

/// All files below a folder with their contents, without the seconds that are measured.
fn files(folder: &Path) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => found.extend(files(&path)),
            false => {
                let text = fs::read_to_string(&path).unwrap();
                let timeless = text.lines().filter(|line| !line.contains("\"seconds\""));
                let name = path.strip_prefix(folder.ancestors().last().unwrap()).unwrap_or(&path);
                found.push((name.display().to_string(), timeless.collect::<Vec<_>>().join("\n")));
            }
        }
    }
    found.sort();
    found
}

/// The contents alone, for runs in different folders.
fn contents(folder: &Path) -> Vec<String> {
    files(folder).into_iter().map(|(_, text)| text).collect()
}

/// Stops after some trainings.
struct StopAfter(usize);

impl RunObserver for StopAfter {}

impl Observer for StopAfter {
    fn finished(&mut self, _done: usize, _of: usize) -> Flow {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Flow::Stop } else { Flow::Continue }
    }
}

#[test]
fn figures_are_those_of_the_test_lists() {
    let data = storms(1);
    let compared = run(&data, "4", None);
    // A score that needs no training has the figures of an evaluation of all lists: each is tested once.
    let goal = Goal::act_on(3);
    let problem = Problem::new(&data, &goal).unwrap();
    let score = [scores::column(&data, "customers").unwrap()];
    let known =
        evaluate_scores(&problem, &goal, &score, &EvaluateOptions::default(), None).unwrap();
    for (own, other) in [("current", "customers"), ("random", "random"), ("ideal", "ideal")] {
        let (figure, row) =
            (compared.figure(own, "rcs@3").unwrap(), known.study.row(other, "rcs@3").unwrap());
        let near = |a: Option<f64>, b: Option<f64>| (a.unwrap() - b.unwrap()).abs() < 1e-9;
        assert!(near(figure.value, row.value) && near(figure.low, row.low), "{figure:?} {row:?}");
        assert_eq!((figure.lists, figure.by_fold.len()), (row.lists, 4));
    }
    // Saved cost is the share of what can be saved.
    let saved = |name: &str| compared.figure(name, "saved@3").unwrap().value.unwrap();
    let share = compared.figure("ridge", "rcs@3").unwrap().value.unwrap();
    assert!((saved("ridge") / saved("ideal") - share).abs() < 1e-9);
    let wins = |a: &str, b: &str| {
        let wins = compared.wins.iter().find(|w| w.contestant == a && w.against == b).unwrap();
        (wins.wins, wins.ties, wins.losses)
    };
    let (won, tied, lost) = wins("ridge", "current");
    assert_eq!(wins("current", "ridge"), (lost, tied, won));
    assert_eq!(wins("random", "ideal").0, 0);
    assert!(!compared.verdict.is_empty() && compared.verdict[0].contains("customers_out"));
    assert!(compared.verdict[0].contains("today's order by customers"), "{:?}", compared.verdict);
    assert_eq!(compared.times.len(), 5 + 1);
    let page = compared.to_string();
    assert!(page.lines().all(|line| stakes::text::width(line) <= 80), "{page}");
    for (text, words) in [
        (compared.csv(), "ridge,learner,rcs@3,"),
        (compared.latex(), "\\toprule"),
        (compared.svg(), "<circle"),
    ] {
        assert!(text.contains(words), "{text}");
    }
    assert_eq!(compared.csv().lines().count(), 1 + 9 * 2);
}

#[test]
fn repeated_splits_count_every_list_once() {
    let data = storms(1);
    let compared = run(&data, "random:6,test=40%", None);
    let figure = compared.figure("ridge", "rcs@3").unwrap();
    assert!(figure.lists <= 20 && figure.by_fold.len() == 6);
    assert!(compared.settings.repeats > 1.5);
    // The figure of an order that does not change from split to split.
    let current = compared.figure("current", "saved@3").unwrap().value.unwrap();
    let ideal = compared.figure("ideal", "saved@3").unwrap().value.unwrap();
    let share = compared.figure("current", "rcs@3").unwrap().value.unwrap();
    assert!((current / ideal - share).abs() < 1e-9);
}

/// The first lists train, the others are tested; `change` rewrites the rows of the lists that are tested.
fn divided(change: impl Fn(usize, &mut f64, &mut f64)) -> Dataset {
    let mut csv = String::from("storm,network,side,wind,poles,leak,customers\n");
    for row in 0..400_usize {
        let (storm, network, noise) = (row / 20, row % 20, row * 7919 % 97);
        let (wind, poles) = (noise % 31, network * 3 % 17);
        let mut cost = if noise < 30 { 0.0 } else { (wind * poles + noise) as f64 };
        let (side, mut leak) = (if storm < 14 { "train" } else { "test" }, 0.0);
        if side == "test" {
            change(row, &mut cost, &mut leak);
        }
        csv += &format!("{storm},n{network},{side},{wind},{poles},{leak},{cost}\n");
    }
    let roles = Roles::new().list("storm").impact("customers").id("network");
    parse_csv_bytes(csv.as_bytes(), roles).unwrap()
}

fn compare_sides(data: &Dataset, tested: &str, folder: &Path) -> Compared {
    let mut all = Contestant::learners(&format!("{tested},auto:effort=low")).unwrap();
    all.push(Contestant {
        name: "two-part".into(),
        ..Contestant::learner("two-part:rounds=4").unwrap()
    });
    let run = Some(folder.to_str().unwrap().to_owned());
    let options = CompareOptions { run, trials: 2, ..CompareOptions::default() };
    finished(compare(&setting(data, "column:side"), &all, &options, None).unwrap())
}

/// Scores of all contestants in a run directory.
fn cells(folder: &Path) -> Vec<String> {
    contents(&folder.join("cells"))
}

#[test]
fn a_planted_leak_moves_nothing_but_the_test_figure() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let tested = "cs-mart:rounds=4,ridge,random-forest:rounds=5";
    let clean = divided(|_, _, _| {});
    let before = compare_sides(&clean, tested, &path("clean"));
    // A feature that tells the costs of test lists, and is silent in all others.
    let leaking = divided(|_, cost, leak| *leak = *cost);
    let after = compare_sides(&leaking, tested, &path("leaking"));
    assert_eq!(cells(&path("clean")), cells(&path("leaking")), "a model has seen test lists");
    assert_eq!(text(&before), text(&after));
    // It is a leak: as a score it would be ideal.
    let mut with_leak = Contestant::learners("ridge").unwrap();
    with_leak.push(Contestant::scores(scores::column(&leaking, "leak").unwrap()));
    let setting = setting(&leaking, "column:side");
    let found = finished(compare(&setting, &with_leak, &CompareOptions::default(), None).unwrap());
    assert!(found.figure("leak", "rcs@3").unwrap().value.unwrap() > 0.999);
    // Other costs in the test lists: the same scores, and other figures.
    let other = divided(|row, cost, _| *cost = (row * 31 % 53) as f64);
    let moved = compare_sides(&other, tested, &path("other"));
    assert_eq!(
        cells(&path("clean")),
        cells(&path("other")),
        "a model has seen costs of test lists"
    );
    let figure = |compared: &Compared| compared.figure("ridge", "rcs@3").unwrap().value;
    assert_ne!(figure(&before), figure(&moved));
}

#[test]
fn an_interrupted_run_goes_on_to_the_same_bytes() {
    let data = storms(2);
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let whole = run(&data, "3", Some(&path("whole")));
    let setting = setting(&data, "3");
    let stopped = path("stopped").to_str().unwrap().to_owned();
    let options = CompareOptions { run: Some(stopped), ..CompareOptions::default() };
    let mut last = 0;
    for stop in [1, 4, 6] {
        let mut observer = StopAfter(stop);
        let outcome =
            compare(&setting, &contestants(&data), &options, Some(&mut observer)).unwrap();
        let Outcome::Interrupted { done, of } = outcome else { panic!("not interrupted") };
        // Others may be finished at the same time.
        assert!(done >= last + stop && done < of, "{done} of {of} after {last} and {stop}");
        last = done;
    }
    let before = files(&path("stopped").join("cells"));
    let resumed = run(&data, "3", Some(&path("stopped")));
    assert_eq!(text(&resumed), text(&whole));
    assert_eq!(contents(&path("stopped")), contents(&path("whole")));
    // What was finished is as it was, to the measured second.
    let times = |compared: &Compared| format!("{:?}", compared.times);
    let again = run(&data, "3", Some(&path("stopped")));
    assert_eq!(times(&again), times(&resumed), "a finished cell was computed again");
    assert!(before.iter().all(|file| files(&path("stopped").join("cells")).contains(file)));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let data = storms(3);
    let with = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| text(&run(&data, "letor:4", None)))
    };
    let one = with(1);
    assert_eq!(one, with(3));
}

#[test]
fn a_directory_of_something_else_is_refused_and_left_alone() {
    let data = storms(4);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run");
    let few = Contestant::learners("ridge").unwrap();
    let few: Vec<Contestant> =
        contestants(&data).into_iter().filter(|c| c.name != "ridge").chain(few).collect();
    run(&data, "3", Some(&path));
    let before = files(&path);
    let refused =
        |data: &Dataset, plan: &str, change: &dyn Fn(CompareOptions) -> CompareOptions| {
            let run = Some(path.to_str().unwrap().to_owned());
            let options = change(CompareOptions { run, ..CompareOptions::default() });
            let error = compare(&setting(data, plan), &few, &options, None).unwrap_err();
            assert_eq!(files(&path), before, "{error}");
            error.to_string()
        };
    let same = |options| options;
    assert!(refused(&storms(5), "3", &same).contains("other data"));
    assert!(refused(&data, "4", &same).contains("the plan of folds was 3 and is now 4"));
    let tuned = |options| CompareOptions { trials: 4, ..options };
    assert!(refused(&data, "3", &tuned).contains("the number of trials was 0 and is now 4"));
    // Another version of the program.
    let manifest = fs::read_to_string(path.join("manifest.json")).unwrap();
    let version = format!("\"stakes\": \"{}\"", env!("CARGO_PKG_VERSION"));
    assert!(manifest.contains(&version));
    let write = |text: &str| fs::write(path.join("manifest.json"), text).unwrap();
    write(&manifest.replace(&version, "\"stakes\": \"0.0.1\""));
    let run_again = |data: &Dataset| {
        let run = Some(path.to_str().unwrap().to_owned());
        let options = CompareOptions { run, ..CompareOptions::default() };
        compare(&setting(data, "3"), &few, &options, None).map(finished)
    };
    assert!(run_again(&data).unwrap_err().to_string().contains("the version of stakes was 0.0.1"));
    write("{");
    assert!(run_again(&data).unwrap_err().to_string().contains("not the manifest of a run"));
    write(&manifest);
    // A cell that was cut, and a contestant whose settings changed.
    let cell = path.join("cells/ridge/2.json");
    let text = fs::read_to_string(&cell).unwrap();
    fs::write(&cell, &text[..text.len() / 2]).unwrap();
    assert!(run_again(&data).unwrap_err().to_string().contains("not a finished cell"));
    fs::write(&cell, text).unwrap();
    let changed = Contestant { name: "ridge".into(), ..Contestant::learner("ridge:l2=7").unwrap() };
    let run = Some(path.to_str().unwrap().to_owned());
    let options = CompareOptions { run, ..CompareOptions::default() };
    let error = compare(&setting(&data, "3"), &[changed], &options, None).unwrap_err().to_string();
    assert!(error.contains("had other settings before"), "{error}");
    // Contestants may be added: what is there is used.
    assert!(run_again(&data).is_ok());
    // A folder of other files.
    let other = folder.path().join("other");
    fs::create_dir(&other).unwrap();
    fs::write(other.join("notes.txt"), "mine").unwrap();
    let options = CompareOptions {
        run: Some(other.to_str().unwrap().to_owned()),
        ..CompareOptions::default()
    };
    let error = compare(&setting(&data, "3"), &few, &options, None).unwrap_err().to_string();
    assert!(error.contains("it is not empty"), "{error}");
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
}

#[test]
fn bad_input_is_refused_with_its_reason() {
    let data = storms(1);
    let error = |plan: &str| {
        let plan: FoldPlan = plan.parse().unwrap();
        Setting::new(&data, &Goal::act_on(3), Some(plan), 0).unwrap_err().to_string()
    };
    assert!(error("50").contains("50 folds need 50 lists with something to save"));
    assert!(error("time:at=1800-01-01").contains("to train with"));
    assert!(error("time:at=2300-01-01").contains("no list is between 2300-01-01 and the end"));
    // The present order must order every item.
    let csv = b"storm,customers,rank\na,1,1\na,2,\nb,1,2\nb,0,1\n";
    let roles = Roles::new().list("storm").impact("customers");
    let gaps = parse_csv_bytes(csv, roles).unwrap();
    let error = Contestant::current(&gaps, "rank").unwrap_err().to_string();
    assert!(error.contains(":3") && error.contains("rank is missing"), "{error}");
    let error = Contestant::current(&gaps, "ranks").unwrap_err().to_string();
    assert!(error.contains("did you mean `rank`?"), "{error}");
    // A learner that is named must be able to learn; one of all is left out.
    let setting = Setting::new(&gaps, &Goal::act_on(1), Some("2".parse().unwrap()), 0).unwrap();
    let twice = [Contestant::learner("ridge").unwrap(), Contestant::learner("ridge").unwrap()];
    let refused = compare(&setting, &twice, &CompareOptions::default(), None).unwrap_err();
    assert!(matches!(refused, Error::ContestantTwice { .. }), "{refused}");
}

#[test]
fn settings_are_tuned_where_that_is_asked_for() {
    let data = storms(6);
    let with = |trials: usize| {
        let options = CompareOptions { trials, ..CompareOptions::default() };
        finished(compare(&setting(&data, "2"), &contestants(&data), &options, None).unwrap())
    };
    let (plain, tuned) = (with(0), with(6));
    assert!(plain.contestants.iter().all(|contestant| contestant.tuned.is_empty()));
    let chosen: Vec<_> = tuned.contestants.iter().flat_map(|c| &c.tuned).collect();
    assert!(chosen.iter().any(|settings| !settings.is_empty()), "nothing was tuned");
    // What was given stays.
    assert!(chosen.iter().all(|settings| !settings.contains_key("rounds")));
    assert!(tuned.notes.iter().all(|note| !matches!(note, Note::LeftOut { .. })));
    assert_eq!(tuned.settings.trials, 6);
}
