//! `stakes mitigate`: what changing the treatment of a group trades off.

use serde_json::Value;

use crate::common::{Folder, ROLES, document, on_one_line};

const LINE: &str =
    "mitigate s.csv --group settlement --protected country --folds 3 -k 5 --resamples 100";

fn measure(point: &Value, name: &str) -> f64 {
    let rows = point["measures"].as_array().expect("measures");
    let row = rows.iter().find(|row| row["measure"] == name);
    row.and_then(|row| row["value"].as_f64()).unwrap_or_else(|| panic!("{name}: {point}"))
}

fn trade_off(folder: &Folder, more: &str) -> Value {
    document(&folder.ok(&format!("{LINE} {ROLES} {more} --json")))
}

#[test]
fn every_method_has_a_trade_off() {
    let folder = Folder::with_generated_storms();
    for (method, none, strengths) in [
        ("reweigh --learner ridge", 1.0, "0,20"),
        ("pair-costs --learner cs-rankboost+ -p rounds=5", 1.0, "1,9"),
        ("preference --learner preference-rankboost -p rounds=6", 0.0, "0.9"),
        ("reduction --learner cs-rankboost -p rounds=6", 0.0, "1"),
        ("penalty --learner cs-mart -p rounds=6,order-rounds=8", 0.0, "2,50"),
        ("min-share --learner ridge", 0.0, "0.5,1.5"),
        ("thresholds --learner ridge", 0.0, "1.5"),
    ] {
        let found = trade_off(&folder, &format!("--method {method} --strengths {strengths}"));
        let points = found["points"].as_array().expect("points");
        assert_eq!((&found["group"], found["none"].as_f64()), (&"country".into(), Some(none)));
        assert_eq!(points[0]["strength"].as_f64(), Some(none), "{method}");
        assert!(points[0]["difference"].is_null() && points.len() >= 2);
        let (first, last) = (&points[0], &points[points.len() - 1]);
        assert_ne!(first["measures"], last["measures"], "{method} has an effect");
        let number = |value: &Value| value.as_f64().expect("a number");
        let given_up = number(&first["saved"]) - number(&last["saved"]);
        assert!((number(&last["given_up"]) - given_up).abs() < 1e-6);
        assert!(last["metric"]["low"].is_f64() && last["p"].is_f64(), "{last}");
    }
}

/// A reduction says how it came to its model: costs rise until the errors are as even as asked, and of those that
/// are, the one with the least rank loss is taken.
#[test]
fn a_reduction_shows_its_trainings() {
    let folder = Folder::with_generated_storms();
    let line = "--method reduction --learner cs-rankboost -p rounds=6 --strengths 0.5";
    let found = trade_off(&folder, line);
    let points = found["points"].as_array().expect("points");
    let iterates = points[1]["iterates"].as_array().expect("iterates");
    let folds: Vec<&Value> = iterates.iter().map(|one| &one["fold"]).collect();
    let number = |one: &Value, key: &str| one[key].as_f64().expect("a number");
    for fold in folds.chunk_by(|a, b| a == b).map(|same| same[0]) {
        let own: Vec<&Value> = iterates.iter().filter(|one| one["fold"] == *fold).collect();
        assert!(own.len() > 1 && number(own[0], "lambda") == 0.0 && number(own[1], "lambda") > 0.0);
        let bound = 0.5 * number(own[0], "difference").abs();
        for one in &own {
            assert_eq!(one["within"] == true, number(one, "difference").abs() <= bound + 1e-12);
        }
        let taken: Vec<&&Value> = own.iter().filter(|one| one["taken"] == true).collect();
        assert_eq!(taken.len(), 1);
        let better = |one: &&&Value| {
            one["within"] == true && number(one, "rank_loss") < number(taken[0], "rank_loss")
        };
        assert!(own.iter().find(better).is_none(), "{own:?}");
    }
    // Without anything to reduce there is one training per fold.
    assert_eq!(points[0]["iterates"].as_array().map(Vec::len), Some(3));
}

/// What is promised of re-ranking: at least as many members at the top, whatever it costs.
#[test]
fn a_minimum_share_moves_the_group_up() {
    let folder = Folder::with_generated_storms();
    for method in ["min-share", "thresholds"] {
        let line = format!("--method {method} --learner ridge --strengths 0,0.5,1,2");
        let found = trade_off(&folder, &format!("{line} --measure rank-parity,covered-share"));
        let points = found["points"].as_array().expect("points");
        let shares: Vec<f64> = points.iter().map(|point| measure(point, "rank-parity")).collect();
        assert!(shares.windows(2).all(|pair| pair[1] >= pair[0] - 1e-12), "{method}: {shares:?}");
        assert!(shares[3] > shares[0], "{method}: {shares:?}");
        assert!(points[0]["measures"][1]["measure"] == "covered-share@5");
    }
}

#[test]
fn the_page_the_picture_and_one_list() {
    let folder = Folder::with_generated_storms();
    let line = format!("{LINE} {ROLES} --learner ridge --svg t.svg");
    let page = on_one_line(&folder.ok(&line));
    for words in ["WHAT IS SAVED", "HOW TO READ IT", "0 changes nothing", "did not learn from it"] {
        assert!(page.to_uppercase().contains(&words.to_uppercase()), "{words}: {page}");
    }
    assert!(!page.contains("fair"), "{page}");
    let svg = folder.text("t.svg");
    assert!(svg.contains("rank-parity") && svg.matches("<circle").count() == 16, "{svg}");
    // The same bytes at any number of threads.
    assert_eq!(
        folder.ok(&format!("{line} --threads 1")),
        folder.ok(&format!("{line} --threads 2"))
    );
    let mut one = String::from("id,y,x,g\n");
    for i in 0..60 {
        one += &format!("i{i},{},{},{}\n", i * 7 % 11, i * 7 % 11 + i % 5, ["A", "B"][i % 2]);
    }
    folder.write("one.csv", one);
    let line = "mitigate one.csv --impact y --id id --group g --protected A -k 3 --learner ridge";
    let err = on_one_line(&folder.run(line).err);
    assert!(err.contains("--deal 10"), "{err}");
    let found = document(&folder.ok(&format!("{line} --deal 10 --json")));
    assert_eq!((&found["lists"], &found["n"]), (&10.into(), &30.into()));
}

#[test]
fn what_makes_no_sense_is_refused() {
    let folder = Folder::with_generated_storms();
    for (more, words) in [
        ("--method pair-cost", "there is no method `pair-cost`"),
        ("--method pair-costs --learner ridge", "allowed are cs-rankboost and cs-rankboost+"),
        ("--method penalty --learner ridge", "penalty does not go with the learner ridge"),
        ("--method preference --strengths 2", "preference"),
        ("--method reduction --strengths 2", "from 0 to 1"),
        ("--strengths=-1", "from 0 to 1000000"),
        ("--measure exposur", "there is no measure `exposur`"),
        ("--svg x.png", "ends in .svg"),
        ("--learner rigde", "ridge"),
        ("-p rounds=5", "--learner"),
        ("--budget 9", "first k items"),
        ("--deal 3", "--deal"),
    ] {
        let line = format!("{LINE} {ROLES} {more}");
        let line = if more.contains("budget") { line.replace("-k 5 ", "") } else { line };
        let ran = folder.run(&line);
        assert!(ran.code != 0 && ran.out.is_empty(), "{more}");
        assert!(on_one_line(&ran.err).contains(words), "{more}: {}", ran.err);
    }
    let line = LINE.replace("country", "contry");
    let ran = folder.run(&format!("{line} {ROLES}"));
    assert!(ran.err.contains("country"), "{}", ran.err);
    let line = LINE.replace("--group settlement", "");
    assert!(folder.run(&format!("{line} {ROLES}")).err.contains("--group COLUMN"));
}
