//! Exact re-ranking through train, rank, model info and explain; certify; the demo of the failure
//! theorem.

use crate::common::{Folder, on_one_line, real};
use serde_json::Value;

/// One list of 60 items: y is high where a - b is, which the base does not see through the outliers of b.
fn items() -> String {
    let mut text = String::from("id,a,b,c,y\n");
    for i in 0..60_u64 {
        let draw = |step: u64| (i * step + 7) % 60;
        let (a, b, c) = (draw(17), draw(29), draw(41));
        let y = if a > b + 20 || i % 13 == 0 { 1 + i % 3 } else { 0 };
        text += &format!("{i},{a},{b},{c},{y}\n");
    }
    text
}

const ROLES: &str = "--impact y --id id";

fn trained(more: &str) -> (Folder, Value) {
    let folder = Folder::new();
    folder.write("items.csv", items());
    let line = format!(
        "train items.csv {ROLES} -k 10 --learner exact-rerank --top 20 -p nodes=300 -o m.json \
         --json {more}"
    );
    let ran = folder.run(&line);
    assert_eq!(ran.code, 0, "{line}\n{}", ran.err);
    let summary = serde_json::from_str(&ran.out).expect("JSON");
    (folder, summary)
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn the_first_items_are_put_in_a_new_order_above_the_others() {
    let (folder, summary) = trained("--objective rcs@10");
    let rerank = &summary["rerank"];
    assert_eq!(rerank["base"]["learner"], "logistic");
    assert_eq!(rerank["items"], 20);
    let (before, value, bound) =
        (number(&rerank["before"]), number(&rerank["value"]), number(&rerank["bound"]));
    // The base is linear, and one of the starts.
    assert!(before <= value && value <= bound, "{before} {value} {bound}");
    let threshold = number(&rerank["above"]["score"]);
    // What evaluate says of the scores is what was found.
    assert_eq!(folder.run("rank m.json items.csv -o scores.txt").code, 0);
    let ran = folder.run(&format!(
        "evaluate items.csv {ROLES} --score-file scores.txt -m rcs@10 --json --no-intervals"
    ));
    let evaluated: Value = serde_json::from_str(&ran.out).expect("JSON");
    let rows = evaluated["results"].as_array().expect("results");
    let own = rows.iter().find(|row| row["score"] == "scores").expect("the scores");
    assert!((number(&own["value"]) - value).abs() < 1e-9, "{own} and {value}");
    let scores: Vec<f64> =
        folder.text("scores.txt").lines().map(|line| line.parse().expect("a score")).collect();
    assert_eq!(scores.iter().filter(|score| **score > threshold).count(), 20);
    let page = folder.run("model info m.json");
    for words in ["RE-RANKING", "logistic", "base score is above", "rcs@10", "weights", "nodes"] {
        assert!(page.out.contains(words), "{words}\n{}", page.out);
    }
}

#[test]
fn a_base_is_a_learner_or_a_model() {
    let (folder, _) = trained("");
    let plain = format!("train items.csv {ROLES} -k 10 --learner logistic -o base.json -q");
    assert_eq!(folder.run(&plain).code, 0);
    let again = "--learner exact-rerank --top 20 -p nodes=300 --base base.json -o again.json -q";
    let ran = folder.run(&format!("train items.csv {ROLES} -k 10 {again}"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let read = |name: &str| -> Value { serde_json::from_str(&folder.text(name)).expect("JSON") };
    let (by_name, by_file) = (read("m.json"), read("again.json"));
    assert_eq!(by_name["rerank"], by_file["rerank"]);
    assert_eq!((&by_name["version"], &by_file["parameters"]["base"]), (&1.into(), &"given".into()));
    // A model that re-ranks is no base.
    let ran = folder.run(&format!(
        "train items.csv {ROLES} -k 10 --learner exact-rerank --base m.json -o n.json"
    ));
    assert!(ran.code != 0 && ran.err.contains("re-ranks itself"), "{}", ran.err);
    let ran = folder.run(&format!(
        "train items.csv {ROLES} -k 10 --learner exact-rerank --base lgistic -o n.json"
    ));
    assert!(ran.code != 0 && ran.err.contains("did you mean `logistic`?"), "{}", ran.err);
}

#[test]
fn the_same_nodes_give_the_same_bytes() {
    let (first, _) = trained("--seed 3");
    let (second, _) = trained("--seed 3 --threads 1");
    assert_eq!(first.text("m.json"), second.text("m.json"));
}

#[test]
fn rules_are_kept() {
    let (_, summary) = trained("--signs a=+,b=- -p at-most=2,points=5");
    let weights: Vec<f64> =
        summary["rerank"]["weights"].as_array().expect("weights").iter().map(number).collect();
    assert!(weights.iter().filter(|weight| **weight != 0.0).count() <= 2, "{weights:?}");
    assert!(weights.iter().all(|w| w.fract() == 0.0 && w.abs() <= 5.0), "{weights:?}");
    let inputs = summary["rerank"]["inputs"].as_array().expect("inputs");
    for (input, weight) in inputs.iter().zip(&weights) {
        match input["number"]["feature"].as_u64() {
            Some(0) => assert!(*weight >= 0.0),
            Some(1) => assert!(*weight <= 0.0),
            _ => {}
        }
    }
}

#[test]
fn what_makes_no_sense_is_refused_before_anything_is_learnt() {
    let folder = Folder::new();
    folder.write("items.csv", items());
    for (flags, words) in [
        ("--learner cs-mart --base logistic", "--base goes with --learner exact-rerank"),
        ("--learner exact-rerank --objective rmse", "a metric that is a sum over ranks"),
        ("--learner exact-rerank --objective ndgc", "a metric"),
        ("--learner exact-rerank --top 1", "2 or more, or all"),
        ("--learner exact-rerank --time-limit soon", "seconds above 0"),
        ("--learner exact-rerank --base exact-rerank", "needs a base itself"),
        ("--learner exact-rerank -p nodes=9 --signs x=+", "there is no feature `x`"),
        ("--learner exact-rerank --tune 6", "tune the base"),
    ] {
        let ran = folder.run(&format!("train items.csv {ROLES} -k 10 {flags} -o m.json"));
        assert!(ran.code != 0 && ran.err.contains(words), "{flags}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{}", ran.err);
    }
}

#[test]
fn stages_are_explained_one_by_one() {
    let (folder, _) = trained("");
    let ran = folder.run("explain m.json");
    assert!(ran.code != 0 && ran.err.contains("--stage base"), "{}", ran.err);
    let ran = folder.run("rank m.json items.csv --explain 3");
    assert!(ran.code != 0 && ran.err.contains("--stage base"), "{}", ran.err);
    for stage in ["base", "re-rank"] {
        let ran = folder.run(&format!("explain m.json items.csv --stage {stage}"));
        assert_eq!(ran.code, 0, "{}", ran.err);
    }
    let ran = folder.run("explain m.json --stage third");
    assert!(ran.code != 0 && ran.err.contains("base and re-rank"), "{}", ran.err);
}

#[test]
fn an_order_is_certified() {
    let folder = Folder::new();
    folder.write("items.csv", items());
    let line = format!("certify items.csv {ROLES} --score c -k 10 -p nodes=2000");
    let ran = folder.run(&format!("{line} --json -o best.json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    let [before, value, bound, ideal] =
        ["before", "value", "bound", "ideal"].map(|key| number(&found[key]));
    assert!(before <= value && value <= bound && bound <= ideal + 1e-9, "{found:#}");
    // The column of the score is still a feature, and what is saved has the value that was found.
    assert_eq!(found["weights"].as_array().map(Vec::len), Some(3));
    let ran =
        folder.run(&format!("certify items.csv {ROLES} --model best.json -k 10 -p nodes=9 --json"));
    let again: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert!((number(&again["before"]) - value).abs() < 1e-9, "{again:#}");
    let ran = folder.run(&line);
    for words in
        ["this order (c)", "bound on all linear orders", "ideal order", "Ties count against"]
    {
        assert!(ran.out.contains(words), "{words}\n{}", ran.out);
    }
    // With --top only the first items move.
    let ran = folder.run(&format!("{line} --top 15 --json"));
    let few: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!(few["items"], 15);
    for (flags, words) in [
        ("", "give one order"),
        ("--score c --model best.json", "give one order"),
        ("--score c -m rmse", "a metric that is a sum over ranks"),
        ("--score c --top 9 --save x.json", "--output writes a score of all items"),
    ] {
        let ran = folder.run(&format!("certify items.csv {ROLES} -k 10 {flags}"));
        assert!(ran.code != 0 && ran.err.contains(words), "{flags}: {}", ran.err);
    }
}

#[test]
fn one_feature_is_certified_with_proof() {
    let folder = Folder::new();
    // Of the two orders by x the falling one has 3 first: 3 against 1; the ideal is the same.
    folder.write("few.csv", "id,x,s,y\na,0,1,3\nb,1,2,0\nc,2,3,1\n");
    let ran = folder.run("certify few.csv --impact y --id id --score s -m a@1 --json");
    assert_eq!(ran.code, 0, "{}", ran.err);
    let found: Value = serde_json::from_str(&ran.out).expect("JSON");
    assert_eq!((number(&found["before"]), number(&found["value"])), (1.0, 3.0));
    assert_eq!((number(&found["bound"]), &found["ended"]), (3.0, &"proven".into()));
}

#[test]
fn the_failure_theorem() {
    let folder = Folder::new();
    let list = folder.run("demo");
    assert!(list.code == 0 && list.out.contains("stakes demo theorem"), "{}", list.out);
    let ran = folder.run("demo theorem");
    assert_eq!(ran.code, 0, "{}", ran.err);
    for words in ["13744740", "309.5484", "17.8672", "5.6713", "solution 2", "exact search for AUC"]
    {
        assert!(ran.out.contains(words), "{words}\n{}", ran.out);
    }
}

#[test]
fn pima_is_re_ranked() {
    let Some(path) = real("pima/pima-indians-diabetes.data") else { return };
    let folder = Folder::new();
    let data = std::fs::read_to_string(path).expect("the data");
    folder
        .write("pima.csv", format!("n,glucose,pressure,fold,insulin,mass,pedigree,age,y\n{data}"));
    let ran = folder.run(
        "train pima.csv --impact y --learner exact-rerank --base logistic --top 50 --objective \
         clrs-dcg --time-limit 3 -o m.json --json",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    let rerank = &summary["rerank"];
    assert!(number(&rerank["value"]) > number(&rerank["before"]), "{rerank:#}");
    assert!(number(&rerank["gap"]) < 0.05, "{rerank:#}");
}

/// Rudin and Wang (2018) with a penalty of 0.2 for each weight: two good items that differ in the
/// second feature only, and a bad one. An order by the second feature is worth 1 + 1/2 and has one
/// weight, one by the first 1 + 1/log2(3), also with one.
#[test]
fn a_penalty_is_subtracted_from_all_orders_that_are_compared() {
    let folder = Folder::new();
    folder.write("three.csv", "i,x1,x2,y\np1,1,0,1\np2,1,1,1\nn,0,0.5,0\n");
    let line = "certify three.csv --id i --impact y -m clrs-dcg -p penalty=0.2";
    let found: Value =
        serde_json::from_str(&folder.ok(&format!("{line} --score x2 --json"))).expect("JSON");
    let near = |value: &Value, expected: f64| {
        assert!((number(value) - expected).abs() < 1e-6, "{value}, expected {expected}");
    };
    let best = 1.0 + 1.0 / 3_f64.log2();
    near(&found["before"], 1.5);
    near(&found["order_penalty"], 0.2);
    near(&found["value"], best - 0.2);
    near(&found["bound"], best - 0.2);
    near(&found["penalty"], 0.2);
    let out = folder.ok(&format!("{line} --score x2"));
    let row = |name: &str| {
        let row = out.lines().find_map(|line| line.trim().strip_prefix(name)).expect("a row");
        row.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(row("this order (x2)"), ["1.5", "1.3"], "{out}");
    assert_eq!(row("best linear order found"), ["1.63093", "1.43093", "92", "%"], "{out}");
    assert_eq!(row("bound on all linear orders"), ["-", "1.43093", "91", "%"], "{out}");
    // Nobody knows the weights of scores in a file.
    folder.write("s.txt", "0\n1\n0.5\n");
    let out = folder.ok(&format!("{line} --score-file s.txt"));
    assert!(on_one_line(&out).contains("how many weights this order has"), "{out}");
}

#[test]
fn what_is_solved_in_place_of_subrank_is_told() {
    let folder = Folder::new();
    folder.write("three.csv", "i,x1,x2,y\np1,1,0,1\np2,1,1,1\nn,0,0.5,0\n");
    let line = "certify three.csv --id i --impact y -m clrs-dcg --score x2 -p solver=microlp";
    let instead = "ResolvedRank was solved instead of Subrank";
    for rule in ["penalty=0.2", "at-most=1", "points=3"] {
        let out = folder.ok(&format!("{line} -p method=subrank,{rule}"));
        assert!(out.contains(instead) && out.contains("method resolved (microlp)"), "{out}");
    }
    let out = folder.ok(&format!("{line} -p method=subrank"));
    assert!(!out.contains(instead) && out.contains("method subrank (microlp)"), "{out}");
    let out = folder.ok(&format!("{line} -p method=resolved,penalty=0.2"));
    assert!(!out.contains(instead) && out.contains("method resolved (microlp)"), "{out}");
    // Items with the same features cannot be told apart.
    folder.write("three.csv", "i,x1,x2,y\np1,1,0,1\np2,1,0,0\nn,0,0.5,0\n");
    let found = folder.ok(&format!("{line} -p method=subrank --json"));
    let found: Value = serde_json::from_str(&found).expect("JSON");
    assert_eq!(found["formulation"], "resolved");
}
