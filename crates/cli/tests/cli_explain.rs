//! `stakes rank --explain` and `stakes explain`: reasons that add up, and what a model looks at.

#![allow(clippy::unwrap_used)]

use crate::common::{Folder, ROLES, on_one_line};
use serde_json::Value;

/// A folder with `s.csv` and `m.json`, learnt from it by a learner.
fn trained_by(learner: &str, more: &str) -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} --learner {learner} --rounds 8 -q -o m.json {more}"));
    folder
}

fn trained(more: &str) -> Folder {
    trained_by("cs-mart", &format!("--leaves 8 {more}"))
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
    for learner in ["cs-mart", "two-part", "tweedie-mart", "auto"] {
        let folder = trained_by(learner, "-k 3");
        let plain = ranked(&folder, "--fitted");
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
            // Lists were held out, so the scores stand for costs (told to six digits).
            let [cost, other_cost] = [row, other].map(|row| number(&row["expected_cost"]));
            let near = 1e-5 * (1.0 + cost + other_cost);
            let difference = number(&row["cost_difference"]);
            assert!((difference - (cost - other_cost)).abs() < near, "{learner}: {row}");
            let sum: f64 = reasons.iter().map(|reason| number(&reason["adds_cost"])).sum();
            assert!((sum - difference).abs() < near, "{learner}: {row}");
        }
        assert!(rows.iter().any(|row| row["because"].as_array().is_some_and(|b| b.len() > 3)));
    }
}

#[test]
fn reasons_can_be_read() {
    let folder = trained("-k 3");
    let out = folder.ok("rank m.json s.csv --explain 2 --top 4 --list-id storm-003");
    let header = "list,rank,id,score,act,expected_cost,low,high,running_total,\
                  total_low,total_high,chance,item_low,item_high,because\n";
    assert!(out.starts_with(header), "{out}");
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
    assert!(tsv.starts_with("list\trank\tid\tscore\tact\texpected_cost"));
}

/// Everything is acted on: there is no cut-off, and the mean of the list takes its place.
#[test]
fn without_a_cut_off_the_mean_of_the_list_is_compared_with() {
    let folder = trained_by("mart", "-k 3");
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
    // The third item costs the most, and the second less; one column at a time tells which.
    for (column, values, best, next) in [
        ("colour", ["red", "blue", "green"], "green".into(), "blue".into()),
        ("size", ["1", "2.5", ""], Value::Null, Value::from(2.5)),
    ] {
        let folder = Folder::new();
        let mut text = format!("list,id,{column},y\n");
        for list in 0..20 {
            for (id, value) in values.iter().enumerate() {
                text += &format!("{list},{id},{value},{}\n", id * 10);
            }
        }
        folder.write("s.csv", text);
        let roles = "--list list --id id --impact y --learner cs-mart";
        folder.ok(&format!("train s.csv {roles} -k 1 --rounds 5 -p min-rows=1 -q -o m.json"));
        let rows = ranked(&folder, "--explain 5 --list-id 3");
        let reason = &rows[0]["because"][0];
        assert_eq!((&reason["value"], &reason["other"]), (&best, &next), "{}", rows[0]);
        let out = folder.ok("rank m.json s.csv --explain 5 --list-id 3");
        let shown = best.as_str().unwrap_or("missing");
        assert!(out.contains(&format!("{column}={shown} (+")), "{out}");
    }
}

#[test]
fn what_cannot_be_explained_is_refused() {
    let folder = trained("-k 3");
    let cases = [
        ("rank m.json s.csv --explain 5 --to scores", 1, "scores alone cannot hold reasons"),
        ("rank m.json s.csv --explain 0", 2, "0"),
        ("rank m.json s.csv --explain many", 2, "many"),
    ];
    for (line, code, words) in cases {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{line}: {}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains(words), "{line}: {}", ran.err);
    }
}

#[test]
fn a_model_alone_shows_its_gains() {
    let folder = trained("-k 3");
    let out = on_one_line(&folder.ok("explain m.json --top 3"));
    for words in
        ["m.json: cs-mart", "trained for rcs@3 of customers_out", "gain", "splits", "others"]
    {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let found = folder.json("explain m.json").0;
    assert_eq!(found["importance"], folder.json("model info m.json").0["importance"]);
    for nothing in ["data", "saved", "worth", "dependence", "interactions"] {
        assert_eq!(found[nothing], Value::Null);
    }
}

#[test]
fn features_are_worth_what_is_lost_without_them() {
    let folder = trained("-k 3 --hold-out none");
    let found = folder.json("explain m.json s.csv").0;
    // What the model saves is what evaluate says it saves.
    folder.ok("rank m.json s.csv -o scores.txt");
    let study = folder
        .json(&format!("evaluate s.csv {ROLES} --score-file m=scores.txt --metric rcs@3,a@3"));
    let saved = &found["saved"];
    assert_eq!(saved["metric"], "rcs@3");
    let share = number(&saved["cost"]) / number(&saved["ideal"]);
    assert!((share - study.value("m", "rcs@3")).abs() < 1e-9);
    // The dearest first; every feature that is asked for.
    let worth = found["worth"].as_array().unwrap();
    assert!(worth.is_sorted_by_key(|row| -number(&row["cost"])));
    let asked = found["importance"].as_array().unwrap().iter();
    assert_eq!(worth.len(), asked.filter(|row| row["splits"] != 0).count());
    assert!(number(&worth[0]["cost"]) > 0.0);
    let share = number(&worth[0]["cost"]) / number(&saved["cost"]);
    assert!((number(&worth[0]["share"]) - share).abs() < 1e-12);
    // Six curves, fifteen pairs, the strongest first.
    let curves = found["dependence"].as_array().unwrap();
    assert_eq!(curves.len(), 6);
    for curve in curves {
        let points = curve["points"].as_array().unwrap();
        let shares: f64 = points.iter().map(|point| number(&point["share"])).sum();
        assert!((shares - 1.0).abs() < 1e-9);
        let in_band = |p: &&Value| number(&p["low"]) <= number(&p["high"]);
        assert_eq!(points.iter().filter(in_band).count(), points.len());
    }
    let pairs = found["interactions"].as_array().unwrap();
    assert_eq!(pairs.len(), 15);
    assert!(pairs.is_sorted_by_key(|pair| -number(&pair["size"])));
    // The same again, on any number of threads; other draws with another seed.
    assert_eq!(found, folder.json("explain m.json s.csv --threads 3").0);
    let other = folder.json("explain m.json s.csv --seed 7 --repeats 2 -k 5").0;
    assert_ne!(found["worth"], other["worth"]);
    assert_eq!(other["saved"]["metric"], "rcs@5");
}

#[test]
fn a_page_and_a_picture() {
    let folder = trained("-k 3");
    let out = folder.ok("explain m.json s.csv --picture p.svg --top 2");
    for words in ["customers_out saved (rcs@3", "cost lost", "of saved", "interaction"] {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    assert!(out.lines().all(|line| line.chars().count() <= 100), "{out}");
    let svg = folder.text("p.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"));
    assert!(svg.contains("Mean score of cs-mart") && !svg.contains("NaN"));
    // What is named is drawn.
    folder.ok("explain m.json s.csv --features settlement,wind_max_ms --picture q.svg --json");
    let svg = folder.text("q.svg");
    assert!(svg.contains(">settlement</text>") && svg.contains(">wind_max_ms</text>"));
    assert!(svg.contains("settlement with wind_max_ms"));
}

/// New lists, whose impact nobody knows: curves, but no worth.
#[test]
fn without_an_impact_scores_can_still_be_watched() {
    let folder = trained("-k 3");
    let text = folder.text("s.csv");
    let at = text.lines().next().unwrap().split(',').position(|c| c == "customers_out").unwrap();
    let cut = |line: &str| {
        let mut cells: Vec<&str> = line.split(',').collect();
        cells.remove(at);
        cells.join(",") + "\n"
    };
    folder.write("next.csv", text.lines().map(cut).collect::<String>());
    let ran = folder.run("explain m.json next.csv --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("`customers_out` is not in this file, so the cost"), "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).unwrap();
    assert_eq!(found["worth"], Value::Null);
    assert_eq!(found["dependence"].as_array().map(Vec::len), Some(6));
    assert!(folder.ok("explain m.json next.csv").contains("gain: share"));
}

/// A budget, a cost over columns, another goal than saved cost.
#[test]
fn worth_follows_the_goal() {
    let folder = Folder::with_generated_storms();
    let line = "--learner cs-mart --rounds 5 --leaves 8 -q -o m.json";
    folder.ok(&format!("train s.csv {ROLES} {line} --budget 60"));
    let found = folder.json("explain m.json s.csv").0;
    assert!(found["saved"]["metric"].as_str().unwrap().contains("budget=60"), "{found}");
    folder.ok(&format!("train s.csv {ROLES} {line} -k 4 --cost 'y * crew_hours' --metric ndcg@10"));
    let found = folder.json("explain m.json s.csv").0;
    assert_eq!(found["saved"]["metric"], "rcs@4");
    assert!(number(&found["saved"]["ideal"]) > 0.0);
    // It is the metric of the goal that counts.
    folder.ok("rank m.json s.csv --fitted -o scores.txt -q");
    let study = folder.json(&format!(
        "evaluate s.csv {ROLES} --cost 'y * crew_hours' --score-file m=scores.txt --metric ndcg@10,ndcg@4"
    ));
    assert_eq!(found["figure"]["metric"], "ndcg@10");
    assert!((number(&found["figure"]["value"]) - study.value("m", "ndcg@10")).abs() < 1e-9);
    let lost: Vec<f64> =
        found["worth"].as_array().unwrap().iter().map(|row| number(&row["figure"])).collect();
    assert!(lost[0] > 0.0 && lost.is_sorted_by(|a, b| a >= b), "{lost:?}");
    let text = folder.ok("explain m.json s.csv");
    assert!(text.contains("trained for ndcg@10") && text.contains("ndcg@10 lost"), "{text}");
    assert!(!text.contains("rcs") && !text.contains("saved"), "{text}");
    let other = folder.json("explain m.json s.csv -k 4").0;
    assert!((number(&other["figure"]["value"]) - study.value("m", "ndcg@4")).abs() < 1e-9);
    let piped = folder.run_with("explain m.json - --json", folder.bytes("s.csv"));
    let piped: Value = serde_json::from_str(&piped.ok("explain m.json -")).unwrap();
    assert_eq!(piped["worth"], found["worth"]);
}

#[test]
fn what_explain_refuses() {
    let folder = trained("-k 3");
    let before = folder.names();
    let cases = [
        ("explain nowhere.json", 1, "nowhere.json: there is no such file"),
        ("explain m.json nowhere.csv", 1, "nowhere.csv: there is no such file"),
        ("explain s.csv", 1, "s.csv:"),
        ("explain m.json --picture p.svg", 2, "DATA"),
        ("explain m.json -k 3", 2, "DATA"),
        ("explain m.json s.csv --picture p.png", 1, "p.png: pictures are drawn as SVG"),
        ("explain m.json s.csv --picture -", 1, "pictures are drawn as SVG"),
        ("explain m.json s.csv --picture nowhere/p.svg", 1, "the folder does not exist"),
        ("explain m.json s.csv --features wind_mx_ms", 1, "did you mean `wind_max_ms`?"),
        ("explain m.json s.csv --repeats 0", 2, "0"),
    ];
    for (line, code, words) in cases {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{line}: {}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains(words), "{line}: {}", ran.err);
        assert_eq!(folder.names(), before, "{line} left a file behind");
    }
}
