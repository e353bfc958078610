//! `stakes backtest`: periods, rules, churn, drift, and what is used from now on.

use crate::common::{Folder, ROLES, document as json, on_one_line};

fn line(more: &str) -> String {
    format!(
        "backtest s.csv {ROLES} --time date -k 5 --learners ridge --contestants quick.toml \
         --current customers {more}"
    )
}

/// What is said where the program refuses.
fn refused(folder: &Folder, line: &str) -> String {
    let ran = folder.run(line);
    assert!(ran.code != 0 && ran.out.is_empty(), "{line}: {}", ran.out);
    on_one_line(&ran.err)
}

#[test]
fn every_period_is_ranked_by_what_was_known_before_it() {
    let folder = Folder::with_quick_contestants();
    let document = json(&folder.ok(&line("--folds time:3 --json --csv b.csv --svg b.svg")));
    let rows = |key: &str| document[key].as_array().unwrap_or_else(|| panic!("{key}")).clone();
    assert_eq!(rows("periods").len(), 3);
    for period in rows("periods") {
        let saved = period["saved"]["ridge"].as_f64().expect("saved cost");
        assert!(saved <= period["ideal"].as_f64().expect("the ideal order"));
    }
    let rules = document["choices"]["rules"].as_array().expect("rules").clone();
    assert_eq!(rules.len(), 6);
    assert!(rules.windows(2).all(|pair| {
        pair[0]["mean_regret"].as_f64().expect("regret")
            <= pair[1]["mean_regret"].as_f64().expect("regret")
    }));
    assert_eq!(rows("churn").len(), 3 * 2, "three learners from the second date on");
    assert!(rows("drift").iter().any(|drift| drift["is_cost"] == true));
    assert!(folder.text("b.csv").starts_with("as_of,lists,contestant,saved,ideal\n"));
    assert!(folder.text("b.svg").contains("<polyline"));
    // The page says the same, in 80 columns, whatever the number of threads.
    let page = folder.ok(&line("--folds time:3 --threads 1"));
    assert_eq!(page, folder.ok(&line("--folds time:3 --threads 3")));
    let verdict =
        rows("verdict").last().and_then(|v| v.as_str().map(str::to_owned)).expect("words");
    assert!(on_one_line(&page).contains(&verdict), "{page}");
    assert!(page.lines().all(|line| line.chars().count() <= 80), "{page}");
}

#[test]
fn what_is_picked_is_trained_with_everything_and_ranks() {
    let folder = Folder::with_quick_contestants();
    folder.ok("generate storms --lists 2 --networks 30 --rows 50 --seed 9 -o next.csv");
    let ranked = folder
        .ok(&line("--folds time:2 --retrain-and-rank next.csv -o plan.csv --model m.json --json"));
    let document = json(&ranked);
    let picked = document["choices"]["rules"][0]["next"].as_str().expect("a learner").to_owned();
    assert_eq!(document["ranked"].as_array().expect("items").len(), 50);
    assert_eq!(folder.text("plan.csv").lines().count(), 51);
    let info = json(&folder.ok("model info m.json --json"));
    assert_eq!(info["learner"], picked.as_str());
    // The same as ranking by the model that was kept.
    folder.ok("rank m.json next.csv -o again.csv");
    assert_eq!(folder.text("again.csv"), folder.text("plan.csv"));
    let page = folder.ok(&line("--folds time:2 --retrain-and-rank next.csv"));
    let last = page.split("TO ACT ON NOW").nth(1).expect("the items to act on");
    assert_eq!(last.matches(" yes ").count(), 10, "{page}");
}

#[test]
fn an_interrupted_backtest_goes_on() {
    let folder = Folder::with_quick_contestants();
    let whole = folder.ok(&line("--folds time:2"));
    folder.run(&line("--folds time:2 --run run --stop-after 2"));
    assert_eq!(folder.ok(&line("--folds time:2 --run run")), whole);
    // A comparison keeps less, so its cells cannot be used.
    let other = line("--folds time:2 --run run").replacen("backtest", "compare", 1);
    let said = refused(&folder, &other);
    assert!(said.contains("was a backtest and is now a comparison"), "{said}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::with_quick_contestants();
    let before = folder.text("s.csv");
    folder.write("next.csv", &before);
    for (more, words) in [
        ("--folds 4", "a backtest goes by time"),
        ("--folds time:2 -o plan.csv", "--retrain-and-rank"),
        (
            "--folds time:2 --retrain-and-rank n.csv -o plan.txt",
            "written as .csv, .tsv, .json, .xlsx or .parquet",
        ),
        ("--folds time:2 --retrain-and-rank n.csv -o plan.csv", "n.csv"),
        ("--folds time:2 --retrain-and-rank s.csv -o s.csv", "s.csv"),
        ("--folds time:2 --retrain-and-rank next.csv -o s.csv", "s.csv"),
        ("--folds time:2 --retrain-and-rank next.csv -o quick.csv --csv quick.csv", "quick.csv"),
        ("--folds time:2 --distance -1", "--distance"),
    ] {
        let said = refused(&folder, &line(more));
        assert!(said.contains(words), "{more}: {said}");
    }
    assert_eq!(folder.text("s.csv"), before, "nothing is written over the data");
}
