//! Expected costs from end to end: learnt by `train`, printed by `rank`, checked by
//! `evaluate --calibration`.

#![allow(clippy::unwrap_used)]

use crate::common::{Folder, on_one_line};
use serde_json::Value;

const ROLES: &str = "--list storm --impact customers_out --id network --drop date";

/// Storms to learn from (`s.csv`), others (`test.csv`), and a calibrated model (`m.json`).
fn calibrated() -> Folder {
    let folder = Folder::new();
    folder.ok("generate storms --lists 60 --networks 60 --rows 2400 --seed 5 -o all.csv");
    folder.ok("split all.csv --list storm --id network --hold-out 40% -o s.csv test.csv");
    folder.ok(&format!(
        "train s.csv {ROLES} -k 5 --learner two-part --hold-out 12 --rounds 30 -q -o m.json"
    ));
    folder
}

fn number(row: &Value, name: &str) -> f64 {
    row[name].as_f64().unwrap_or_else(|| panic!("{name} of {row}"))
}

#[test]
fn rank_prints_expected_costs_and_their_running_total() {
    let folder = calibrated();
    let rows: Value = serde_json::from_str(&folder.ok("rank m.json test.csv --to json")).unwrap();
    let (mut list, mut total) = (Value::Null, 0.0);
    let mut last = f64::MAX;
    let rows = rows.as_array().unwrap();
    for row in rows {
        if row["list"] != list {
            (list, total, last) = (row["list"].clone(), 0.0, f64::MAX);
        }
        let [mean, low, high] = ["expected_cost", "low", "high"].map(|name| number(row, name));
        assert!(0.0 < low && low <= mean && mean <= high && mean <= last, "{row}");
        total += mean;
        last = mean;
        // Six digits are written.
        assert!((number(row, "running_total") / total - 1.0).abs() < 1e-4, "{row} after {total}");
        for (low, high) in [("total_low", "total_high"), ("item_low", "item_high")] {
            let [low, high] = [low, high].map(|name| number(row, name));
            assert!(0.0 <= low && low <= high, "{row}");
        }
        assert!((0.0..=1.0).contains(&number(row, "chance")), "{row}");
    }
    assert!(number(&rows[0], "expected_cost") > number(rows.last().unwrap(), "expected_cost"));
    // The same as a table, and the first items only: totals stay those of the whole list.
    let csv = folder.ok("rank m.json test.csv");
    let header = "list,rank,id,score,act,expected_cost,low,high,running_total,\
                  total_low,total_high,chance,item_low,item_high\n";
    assert!(csv.starts_with(header), "{csv}");
    let fields: Vec<&str> = csv.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(fields[5].parse::<f64>().unwrap(), number(&rows[0], "expected_cost"));
    assert_eq!(fields[8].parse::<f64>().unwrap(), number(&rows[0], "running_total"));
    let top = folder.ok("rank m.json test.csv --top 2");
    assert!(top.lines().all(|line| csv.contains(line)));
    // Of one list, what all items to act on may come to is said as well.
    let list = rows[0]["list"].as_str().unwrap();
    let said = folder.run(&format!("rank m.json test.csv --list-id {list} -o one.csv"));
    let acted_on = rows.iter().filter(|row| row["list"] == *list && row["act"] == true);
    let acted_on = acted_on.count();
    let words = format!("{list}: {acted_on} items to act on, expected to cost");
    assert!(on_one_line(&said.err).contains(&words), "{}", said.err);
    assert!(on_one_line(&said.err).contains("in 8 of 10 such lists"), "{}", said.err);
    let planned = folder.ok(&format!("plan test.csv --model m.json -k {acted_on} --json"));
    let planned: Value = serde_json::from_str(&planned).unwrap();
    let plan = &planned["lists"].as_array().unwrap()[0];
    assert!(number(plan, "total_low") <= number(plan, "total_high"), "{plan}");
    assert!((0.0..=1.0).contains(&number(&plan["items"][0], "chance")), "{plan}");
    let planned = folder.ok(&format!("plan test.csv --model m.json -k {acted_on}"));
    assert!(planned.starts_with("list,place,id,expected_cost,price,chance,item_low,item_high\n"));
    folder.ok("rank m.json test.csv -o r.tsv");
    assert_eq!(folder.text("r.tsv").replace('\t', ","), csv);
}

#[test]
fn expected_costs_meet_the_cost_of_other_lists() {
    let folder = calibrated();
    folder.ok("rank m.json test.csv --to expected -o e.txt");
    assert_eq!(folder.text("e.txt").lines().count() + 1, folder.text("test.csv").lines().count());
    let line = format!("evaluate test.csv {ROLES} -k 5 --score-file e.txt --calibration cal.svg");
    let document = folder.json(&line).0;
    let [score] = &document["calibration"].as_array().unwrap()[..] else { panic!("{document}") };
    let [ratio, low, high] = ["ratio", "low", "high"].map(|name| number(score, name));
    assert!((0.4..2.5).contains(&ratio) && low <= ratio && ratio <= high, "{score}");
    let (expected, observed) = (number(score, "expected"), number(score, "observed"));
    assert!((expected / observed - ratio).abs() < 1e-9);
    assert!((0.0..1.0).contains(&number(score, "error")), "{score}");
    let bins = score["bins"].as_array().unwrap();
    let items: f64 = bins.iter().map(|bin| number(bin, "items")).sum();
    assert_eq!(items, number(&document["data"], "items"));
    let sum: f64 = bins.iter().map(|b| number(b, "items") * number(b, "observed")).sum();
    assert!((sum / observed - 1.0).abs() < 1e-9);
    let svg = folder.text("cal.svg");
    assert_eq!(svg.matches("<circle").count(), bins.len());
    assert!(svg.contains("Expected and observed cost: customers_out") && !svg.contains("NaN"));
    // For people: one score with its bins, several without.
    let text = folder.ok(&line);
    for words in ["the score taken as an expected cost", "items, by score", "ratio: expected /"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let both = folder.ok(&format!("{line} --score customers --brief"));
    assert!(both.contains(" e ") && both.contains(" customers ") && !both.contains("by score"));
    // Without the flag nothing is said.
    let plain = format!("evaluate test.csv {ROLES} -k 5 --score-file e.txt");
    assert_eq!(folder.json(&plain).0["calibration"], serde_json::json!([]));
    assert!(!folder.ok(&plain).contains("calibration"));
}

#[test]
fn they_are_in_the_unit_of_the_cost() {
    let folder = calibrated();
    let cost = "'customers_out * 100'";
    folder.ok(&format!(
        "train s.csv {ROLES} -k 5 --learner two-part --hold-out 12 --rounds 30 -q -o cents.json \
         --cost {cost}"
    ));
    let expected = |model: &str| -> f64 {
        let text = folder.ok(&format!("rank {model} test.csv --to expected"));
        text.lines().map(|line| line.parse::<f64>().unwrap()).sum()
    };
    let factor = expected("cents.json") / expected("m.json");
    assert!((factor - 100.0).abs() < 1e-3, "{factor}");
}

#[test]
fn models_tell_what_they_were_calibrated_on() {
    let folder = calibrated();
    let line = format!(
        "train s.csv --learner cs-mart -p start=none {ROLES} -k 5 --rounds 5 --no-baseline -o n.json"
    );
    let text = folder.ok(&format!("{line} --hold-out 12"));
    assert!(
        text.contains("calibrated on 12 held-out lists; stakes rank reports expected costs"),
        "{text}"
    );
    let json = folder.json(&format!("{line} --hold-out 12")).0;
    assert_eq!(json["calibration"]["lists"], 12);
    let knots = json["calibration"]["knots"].as_array().unwrap();
    assert!(!knots.is_empty() && knots.iter().all(|k| number(k, "low") <= number(k, "mean")));
    let info = folder.ok("model info n.json");
    assert!(info.contains("calibration expected costs from "), "{info}");
    let words: Vec<&str> = info.split_whitespace().collect();
    assert!(words.join(" ").contains(" in 12 lists"), "{info}");
    // Too few lists, and none.
    let text = folder.ok(&format!("{line} --hold-out 2"));
    assert!(text.contains("not calibrated: expected costs need 10 held-out items"), "{text}");
    let text = folder.ok(&format!("{line} --hold-out none"));
    assert!(!text.contains("calibrated"), "{text}");
    assert!(folder.ok("model info n.json").contains("none: scores have no meaning as costs"));
    assert_eq!(folder.json("model info n.json").0["calibration"], Value::Null);
    assert!(folder.ok("model diff m.json n.json").contains("calibration"));
    assert!(folder.ok("rank n.json test.csv").starts_with("list,rank,id,score,act\n"));
}

#[test]
fn threads_and_the_order_of_the_file_leave_no_trace() {
    let folder = calibrated();
    let line = format!(
        "train s.csv --learner cs-mart -p start=none {ROLES} -k 5 --rounds 5 --hold-out 12 -q -o"
    );
    folder.ok(&format!("{line} one.json --threads 1"));
    folder.ok(&format!("{line} two.json --threads 2"));
    folder.shuffle("s.csv", "shuffled.csv");
    folder.ok(&format!("{line} three.json").replace("s.csv", "shuffled.csv"));
    assert!(folder.text("one.json").contains("\"calibration\": {"));
    assert!(folder.bytes("one.json") == folder.bytes("two.json"));
    assert!(folder.bytes("one.json") == folder.bytes("three.json"));
}

#[test]
fn what_has_no_expected_cost_is_refused() {
    let folder = calibrated();
    folder.ok(&format!("train s.csv --learner cs-mart -p start=none {ROLES} -k 5 --rounds 2 --hold-out none -q -o n.json"));
    folder.ok("rank m.json test.csv -o s.txt");
    let evaluate = format!("evaluate test.csv {ROLES}");
    let cases = [
        ("rank n.json test.csv --to expected", 1, "n.json: the model is not calibrated"),
        ("rank m.json test.csv --to expected --top 3", 1, "scores alone are written for every row"),
        ("rank m.json test.csv --to expcted", 2, "did you mean `expected`?"),
        (&format!("{evaluate} --score-file s.txt --calibration c.png"), 1, "ends in .svg"),
        (&format!("{evaluate} --calibration c.svg"), 1, "--calibration looks at scores"),
        ("evaluate q.txt --run r.txt --calibration c.svg", 2, "cannot be used with"),
    ];
    for (line, code, words) in cases {
        let ran = folder.run(line);
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{line}: {}", ran.err);
        assert!(ran.err.contains(words), "{line}: {}", ran.err);
    }
}
