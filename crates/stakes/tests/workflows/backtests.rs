//! Backtests: nothing looks into the future, and what time adds is right.

use stakes::Error;
use stakes::experiment::{
    BacktestOptions, Backtested, CompareOptions, Contestant, Outcome, Setting, backtest, compare,
    retrain,
};
use stakes::prelude::*;

/// A list for each day, with costs from a function of (day, item).
fn days(days: usize, cost: impl Fn(usize, usize) -> f64) -> Dataset {
    let mut csv = String::from("day,network,date,customers,wind,cable,kind\n");
    for row in 0..days * 10 {
        let (day, network) = (row / 10, row % 10);
        let (wind, cable) = (row * 7919 % 31, network * 3 % 17);
        let kind = if day < days / 2 { "old" } else { "new" };
        csv += &format!(
            "d{day},n{network},2020-{:02}-{:02},{},{wind},{cable},{kind}\n",
            1 + day / 28,
            1 + day % 28,
            cost(day, network)
        );
    }
    let roles = Roles::new().list("day").impact("customers").id("network").time("date");
    parse_csv_bytes(csv.as_bytes(), roles).unwrap()
}

fn usual(day: usize, network: usize) -> f64 {
    let noise = (day * 10 + network) * 104_729 % 13;
    if noise < 4 { 0.0 } else { (network * 5 + noise) as f64 }
}

fn contestants(data: &Dataset) -> Vec<Contestant> {
    let quick = ["ridge", "two-part:rounds=4", "tweedie-mart:rounds=4"];
    let quick = quick.map(|text| {
        let name = text.split(':').next().unwrap().to_owned();
        Contestant { name, ..Contestant::learner(text).unwrap() }
    });
    quick.into_iter().chain([Contestant::current(data, "cable").unwrap()]).collect()
}

fn setting<'d>(data: &'d Dataset, plan: &str) -> Setting<'d> {
    Setting::new(data, &Goal::act_on(3), Some(plan.parse().unwrap()), 5).unwrap()
}

fn run(data: &Dataset, plan: &str) -> Backtested {
    let options = BacktestOptions::default();
    match backtest(&setting(data, plan), &contestants(data), &options, None).unwrap() {
        Outcome::Finished(found) => *found,
        Outcome::Interrupted { .. } => panic!("nobody interrupted it"),
    }
}

#[test]
fn the_future_changes_nothing_before_it() {
    let plan = "time:at=2020-02-01/2020-02-15/2020-03-01";
    let before = run(&days(80, usual), plan);
    // Everything from March on costs something else.
    let after = run(
        &days(80, |day, network| {
            let cost = usual(day, network);
            if day >= 56 { 1000.0 - cost } else { cost }
        }),
        plan,
    );
    assert_eq!(before.periods.len(), 3);
    assert_eq!(before.periods[..2], after.periods[..2]);
    assert_ne!(before.periods[2].saved["ridge"], after.periods[2].saved["ridge"]);
    // What rules picked for the periods until then is the same, too.
    let picks = |found: &Backtested| {
        let rules = &found.choices.as_ref().unwrap().rules;
        let mut picks: Vec<(String, String)> =
            rules.iter().map(|rule| (rule.rule.clone(), rule.picks[1].clone())).collect();
        picks.sort();
        picks
    };
    assert_eq!(picks(&before), picks(&after));
}

#[test]
fn periods_churn_and_drift() {
    let data = days(80, usual);
    let found = run(&data, "time:3");
    let saved = |name: &str, period: usize| found.periods[period].saved[name].unwrap();
    for (number, period) in found.periods.iter().enumerate() {
        assert!(saved("ridge", number) <= period.ideal.unwrap());
        assert!(saved(period.best.as_ref().unwrap(), number) >= saved("ridge", number));
    }
    let total: f64 = (0..3).map(|period| saved("current", period)).sum();
    let pooled = found.compared.figure("current", "saved@3").unwrap().value.unwrap();
    assert!((total - pooled).abs() < 1e-9);
    // Three learners, from the second date on.
    assert_eq!(found.churn.len(), 3 * 2);
    for churn in &found.churn {
        assert!((0.0..=1.0).contains(&churn.overlap));
        let period = found.periods.iter().find(|period| period.as_of == churn.period).unwrap();
        assert_eq!(churn.saved, period.saved[&churn.contestant]);
        // With the same items to act on, the same is saved.
        assert!(churn.overlap < 1.0 || churn.saved == churn.saved_by_previous);
    }
    // The kind of the items changed half-way; nothing else did.
    let changed =
        |what: &str| found.drift.iter().filter(|d| d.what == what && d.p_adjusted < 0.05).count();
    assert_eq!((changed("cable"), changed("cost")), (0, 0));
    assert!(changed("kind") >= 1);
    let page = found.to_string();
    assert!(page.lines().all(|line| stakes::text::width(line) <= 80), "{page}");
    assert_eq!(found.csv().lines().count(), 1 + 3 * 6);
    assert!(found.svg().contains("<polyline"));
    let json = serde_json::to_value(&found).unwrap();
    for key in ["results", "verdict", "periods", "choices", "churn", "drift"] {
        assert!(json.get(key).is_some(), "{key}");
    }
}

fn trials(trials: usize) -> CompareOptions {
    CompareOptions { trials, ..CompareOptions::default() }
}

#[test]
fn the_learner_that_is_picked_is_trained_with_everything() {
    let data = days(60, usual);
    let setting = setting(&data, "time:2");
    let all = contestants(&data);
    let model = retrain(&setting, &all, "ridge", &trials(0), None).unwrap().unwrap();
    assert_eq!(model.data.lists, 60);
    assert!(
        retrain(&setting, &all, "current", &trials(0), None).is_err(),
        "a column is not a learner"
    );
    // What was tuned in the folds is tuned again: some lists are held out to choose by.
    let tuned = retrain(&setting, &all, "two-part", &trials(3), None).unwrap().unwrap();
    assert!(tuned.data.lists < 60);
}

#[test]
fn only_by_time_and_not_in_the_directory_of_a_comparison() {
    let data = days(40, usual);
    let all = contestants(&data);
    let options = BacktestOptions::default();
    let refused = backtest(&setting(&data, "4"), &all, &options, None).unwrap_err();
    assert!(refused.to_string().contains("goes by time"), "{refused}");
    let folder = tempfile::tempdir().unwrap();
    let run = Some(folder.path().to_str().unwrap().to_owned());
    let comparing = CompareOptions { run, ..CompareOptions::default() };
    compare(&setting(&data, "time:2"), &all, &comparing, None).unwrap();
    let options = BacktestOptions { compare: comparing, ..BacktestOptions::default() };
    let refused = backtest(&setting(&data, "time:2"), &all, &options, None).unwrap_err();
    assert!(
        matches!(&refused, Error::RunDirectory { why, .. } if why.contains("a comparison")),
        "{refused}"
    );
}
