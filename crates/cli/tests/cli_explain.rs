//! `stakes rank --explain` and `stakes explain`: reasons that add up, and what a model looks at.

#![allow(clippy::unwrap_used)]

mod common;

use common::{Folder, ROLES};
use serde_json::Value;

/// A folder with `s.csv` and `m.json`, learnt from it.
fn trained(more: &str) -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} --rounds 8 --leaves 8 -q -o m.json {more}"));
    folder
}

fn ranked(folder: &Folder, line: &str) -> Vec<Value> {
    let out = folder.ok(&format!("rank m.json s.csv --to json {line}"));
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

#[test]
fn reasons_add_up_to_the_difference_from_the_cut_off() {
    for learner in ["cs-mart", "two-part", "tweedie-mart"] {
        let folder = trained(&format!("-k 3 --learner {learner}"));
        let plain = ranked(&folder, "");
        let rows = ranked(&folder, "--explain 1000");
        for (row, plain) in rows.iter().zip(&plain) {
            assert!(plain.get("because").is_none());
            assert_eq!(row["score"], plain["score"]);
            // The other side of the cut-off.
            let same_list = |other: &&Value| other["list"] == row["list"];
            let rank = if row["act"] == true { 4 } else { 3 };
            let other = rows.iter().filter(same_list).find(|other| other["rank"] == rank).unwrap();
            assert_eq!(row["against"], other["id"], "{row}");
            let (score, other_score) = (number(&row["score"]), number(&other["score"]));
            let size = score.abs().max(other_score.abs()).max(1e-3);
            assert!((number(&row["difference"]) - (score - other_score)).abs() < 1e-9 * size);
            let reasons = row["because"].as_array().unwrap();
            let sum: f64 = reasons.iter().map(|reason| number(&reason["adds"])).sum();
            assert!((sum - (score - other_score)).abs() < 1e-9 * size, "{learner}: {row}");
            assert!(reasons.is_sorted_by_key(|r| -number(&r["adds"]).abs()), "{row}");
        }
        assert!(rows.iter().any(|row| row["because"].as_array().is_some_and(|b| b.len() > 3)));
    }
}

#[test]
fn reasons_can_be_read() {
    let folder = trained("-k 3");
    let out = folder.ok("rank m.json s.csv --explain 2 --top 4 --list-id storm-003");
    assert!(out.starts_with("list,rank,id,score,act,because\n"), "{out}");
    assert_eq!(out.lines().count(), 5);
    let json = ranked(&folder, "--explain 2 --top 4 --list-id storm-003");
    for (line, row) in out.lines().skip(1).zip(&json) {
        let reasons = row["because"].as_array().unwrap();
        assert!(reasons.len() <= 2);
        for reason in reasons {
            let name = reason["feature"].as_str().unwrap();
            assert!(line.contains(&format!("{name}=")), "{line}");
            let sign = if number(&reason["adds"]) > 0.0 { "(+" } else { "(-" };
            assert!(line.contains(sign), "{line}");
        }
    }
    // The same whatever is shown, and on any number of threads.
    let all = folder.ok("rank m.json s.csv --explain 2 --threads 1");
    assert!(out.lines().all(|line| all.contains(line)));
    assert!(all == folder.ok("rank m.json s.csv --explain 2 --threads 3"));
    let tsv = folder.ok("rank m.json s.csv --explain 2 --to tsv");
    assert!(tsv.starts_with("list\trank\tid\tscore\tact\tbecause\n"));
}

/// Everything is acted on: there is no cut-off, and the mean of the list takes its place.
#[test]
fn without_a_cut_off_the_mean_of_the_list_is_compared_with() {
    let folder = trained("-k 3 --learner mart");
    let rows = ranked(&folder, "--explain 1000 -k 1000 --list-id storm-003");
    let mean = rows.iter().map(|row| number(&row["score"])).sum::<f64>() / rows.len() as f64;
    for row in &rows {
        assert_eq!(row["against"], Value::Null);
        let difference = number(&row["score"]) - mean;
        let size = 1.0 + number(&row["score"]).abs();
        assert!((number(&row["difference"]) - difference).abs() < 1e-9 * size, "{row}");
    }
}

#[test]
fn categories_and_missing_values_are_named() {
    let folder = Folder::new();
    let mut text = "list,id,colour,size,y\n".to_owned();
    for list in 0..20 {
        for (id, colour) in ["red", "blue", "green"].iter().enumerate() {
            let size = if id == 1 { String::new() } else { (list % 5).to_string() };
            text += &format!("{list},{id},{colour},{size},{}\n", id * 10 + list % 5);
        }
    }
    folder.write("s.csv", text);
    let roles = "--list list --id id --impact y";
    folder.ok(&format!(
        "train s.csv {roles} -k 1 --rounds 5 -p min-rows=1,category-l2=0 -q -o m.json"
    ));
    let out = folder.ok("rank m.json s.csv --explain 5 -k 1 --list-id 3");
    assert!(out.contains("colour=green (+"), "{out}");
    let rows = ranked(&folder, "--explain 5 --list-id 3");
    assert_eq!(rows[0]["because"][0]["feature"], "colour");
    assert_eq!(rows[0]["because"][0]["value"], "green");
    assert_eq!(rows[0]["because"][0]["other"], "blue");
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = trained("-k 3");
    let cases = [
        ("rank m.json s.csv --explain 5 --to scores", 1, "scores alone leave no room for reasons"),
        ("rank m.json s.csv --explain 0", 2, "0"),
        ("rank m.json s.csv --explain many", 2, "many"),
    ];
    for (line, code, words) in cases {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{line}: {}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains(words), "{line}: {}", ran.err);
    }
}
