//! `stakes train --tune N`: settings are tried and the best is kept, the same bytes however it
//! comes about.

use crate::common::{Folder, ROLES, Ran};
use serde_json::Value;

fn train(folder: &Folder, more: &str) -> Ran {
    // As tuning does.
    let sides =
        if more.contains("--hold-out") || more.contains("--valid") { "" } else { "--hold-out 20%" };
    folder.run(&format!(
        "train s.csv {ROLES} --drop date -k 4 --rounds 12 --no-baseline {sides} {more}"
    ))
}

fn json(folder: &Folder, more: &str) -> Value {
    let out = train(folder, &format!("{more} --json")).ok(more);
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

/// The figure of the model on the held-out lists.
fn figure(document: &Value) -> f64 {
    let of_model = |row: &&Value| row["score"] == document["learner"];
    let rows = document["results"].as_array().expect("results");
    rows.iter().find(of_model).and_then(|row| row["value"].as_f64()).expect("a figure")
}

#[test]
fn the_best_of_several_settings_is_kept() {
    let folder = Folder::with_generated_storms();
    for learner in ["cs-mart", "two-part", "random-forest"] {
        let plain = json(&folder, &format!("--learner {learner} -o plain.json"));
        assert!(plain["tuning"].is_null());
        let line = format!("--learner {learner} --tune 6 -p min-rows=4");
        let given = json(&folder, &format!("--learner {learner} -p min-rows=4 -o given.json"));
        let tuned = json(&folder, &format!("{line} -o m.json"));
        // Never worse than what it began with.
        assert!(figure(&tuned) >= figure(&given), "{learner}");
        let tuning = &tuned["tuning"];
        let trials = tuning["trials"].as_array().expect("trials");
        assert_eq!((trials.len(), &tuning["rungs"]), (6, &Value::from(3)));
        let first = trials[0]["rungs"][2]["value"].as_f64().expect("a value");
        assert_eq!(first, figure(&given));
        let chosen = tuning["chosen"].as_u64().expect("a number") as usize;
        assert_eq!(trials[chosen - 1]["trial"].as_u64(), Some(chosen as u64));
        assert_eq!(trials[chosen - 1]["rungs"][2]["value"].as_f64(), Some(figure(&tuned)));
        for (key, value) in trials[chosen - 1]["parameters"].as_object().expect("parameters") {
            assert_eq!(tuned["parameters"][key], *value);
        }
        // What was given is not tuned.
        assert!(trials.iter().all(|trial| trial["parameters"]["min-rows"].is_null()));
        assert_eq!(tuned["parameters"]["min-rows"], "4");
        assert_eq!(tuned["parameters"]["rounds"], "12");

        // The model is that of its parameters, whoever chose them, at any number of threads.
        let all = tuned["parameters"].as_object().expect("parameters");
        let all: Vec<String> = all
            .iter()
            .filter(|(key, _)| *key != "rounds")
            .map(|(key, value)| format!("-p {key}={}", value.as_str().expect("text")))
            .collect();
        let again = format!("--learner {learner} {} -q -o again.json", all.join(" "));
        train(&folder, &again).ok(&again);
        assert!(folder.bytes("again.json") == folder.bytes("m.json"), "{learner}");
        for threads in [1, 3] {
            train(&folder, &format!("{line} --threads {threads} -q -o t.json")).ok("");
            assert!(folder.bytes("t.json") == folder.bytes("m.json"), "{threads} threads");
        }
    }
    let names = ["again.json", "given.json", "m.json", "plain.json", "s.csv", "t.json"];
    assert_eq!(folder.names(), names);
}

#[test]
fn people_see_the_best_trials() {
    let folder = Folder::with_generated_storms();
    let out = train(&folder, "--learner cs-mart --tune 6 -o m.json").ok("");
    for words in
        ["6 settings tried", " trial ", "rcs@4", "min-rows", "1, as given", "chosen", "3 of 3"]
    {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let ran = train(&folder, "--learner cs-mart --tune 6 -q -o m.json");
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""));
}

#[test]
fn an_interrupted_tuning_ends_as_if_it_had_not_been() {
    let folder = Folder::with_generated_storms();
    for learner in ["cs-mart", "two-part", "random-forest"] {
        let line = format!("--learner {learner} --tune 6");
        train(&folder, &format!("{line} -q -o whole.json")).ok("");
        for stop in [1, 4, 20, 29] {
            let ran = train(&folder, &format!("{line} --stop-after {stop} -o i.json"));
            assert_eq!(ran.code, 0, "{}", ran.err);
            assert!(ran.err.contains("note: interrupted (rung "), "{}", ran.err);
            assert!(ran.err.contains("the best model so far is in i.json; continue with --resume"));
            assert!(ran.out.contains("written to i.json"), "{}", ran.out);
            assert!(folder.names().contains(&"i.json.tuning.json".into()));
            folder.ok("rank i.json s.csv -o ranked.csv");
            // And once more, at once: nothing better is known.
            let best = folder.bytes("i.json");
            let ran = train(&folder, &format!("{line} --stop-after 1 --resume -o i.json"));
            assert!(ran.code == 0 && ran.err.contains("; continue with --resume"), "{}", ran.err);
            if stop > 4 {
                assert!(ran.err.contains("i.json is unchanged"), "{}", ran.err);
                assert!(folder.bytes("i.json") == best);
            }
            train(&folder, &format!("{line} --resume -q -o i.json")).ok(&line);
            assert!(folder.bytes("i.json") == folder.bytes("whole.json"), "{learner}, {stop}");
            assert!(!folder.names().contains(&"i.json.tuning.json".into()));
        }
    }
}

#[test]
fn a_tuning_belongs_to_its_run() {
    let folder = Folder::with_generated_storms();
    let line = "--learner cs-mart --tune 6 -o m.json";
    let ran = train(&folder, &format!("{line} --resume"));
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("m.json.tuning.json: there is no unfinished tuning"), "{}", ran.err);
    train(&folder, &format!("{line} --stop-after 9")).ok("");
    let left = folder.bytes("m.json.tuning.json");
    for other in [
        "--learner cs-mart --tune 7",
        "--learner lambdamart --tune 6",
        "--learner cs-mart --tune 6 --seed 9",
        "--learner cs-mart --tune 6 --leaves 31",
        "--learner cs-mart --tune 6 --hold-out 3",
        "--learner cs-mart --tune 6 --metric rcs@3",
    ] {
        let ran = train(&folder, &format!("{other} -o m.json --resume"));
        assert_eq!(ran.code, 1, "{other}");
        assert!(ran.err.contains("is of another run"), "{other}: {}", ran.err);
        assert!(folder.bytes("m.json.tuning.json") == left, "{other}");
    }
    folder.write("m.json.tuning.json", &left[..left.len() / 2]);
    let ran = train(&folder, &format!("{line} --resume"));
    assert!(ran.code == 1 && ran.err.contains("m.json.tuning.json:"), "{}", ran.err);
    assert!(ran.err.contains("trunc"), "{}", ran.err);
    folder.write("m.json.tuning.json", folder.bytes("m.json"));
    let ran = train(&folder, &format!("{line} --resume"));
    assert!(ran.err.contains("this is a stakes model, not an unfinished tuning"), "{}", ran.err);
    // A new run does not look at it.
    train(&folder, line).ok("");
    assert_eq!(folder.names(), ["m.json", "s.csv"]);
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_what_is_known() {
    let folder = Folder::with_generated_storms();
    let line = format!(
        "train s.csv {ROLES} -k 4 --rounds 100000 --patience 0 --no-baseline --learner mart \
         --tune 20 -o m.json"
    );
    // It is there before the first round.
    let ran = folder.interrupted(&line, "-INT", "m.json.tuning.json");
    assert_eq!(ran.code, 130, "{}", ran.err);
    assert!(ran.err.contains("note: interrupted (rung 1 of 5, trial "), "{}", ran.err);
    let words = "continue with --resume (the trials so far are in m.json.tuning.json)";
    assert!(ran.err.contains(words), "{}", ran.err);
    folder.ok("rank m.json s.csv -o r.csv");
}

#[test]
fn what_cannot_be_tuned_is_told() {
    let folder = Folder::with_generated_storms();
    let refused = |more: &str, code: i32, words: &str| {
        let ran = train(&folder, &format!("-o m.json {more}"));
        assert_eq!(ran.code, code, "{more}: {}", ran.err);
        assert!(ran.err.contains(words), "{more}: {}", ran.err);
        assert_eq!(folder.names(), ["s.csv"], "{more}");
    };
    refused("--tune 20", 1, "--effort high");
    refused("--learner mart --tune 20 --hold-out none", 1, "--hold-out 20%");
    refused("--learner mart --tune 1", 2, "1 is not in 2..=10000");
    refused("--learner mart --tune 5 --continue a.json", 2, "cannot be used with");
}
