//! No flattery by accident: lists that a model was trained on, and what it has to beat.

use crate::common::{Folder, ROLES, assert_near, document, on_one_line, real};

/// A folder with storms and a model of which every list was left out in turn.
fn cross_validated() -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} -k 3 --learner ridge --folds 4 -q -o m.json"));
    folder
}

fn figure(folder: &Folder, line: &str, score: &str) -> f64 {
    folder.json(line).value(score, "rcs@3")
}

#[test]
fn lists_of_the_training_are_scored_by_models_that_left_them_out() {
    let folder = Folder::with_generated_storms();
    let train = format!("train s.csv {ROLES} -k 3 --learner ridge --folds 4 -o m.json");
    let honest = figure(&folder, &train, "ridge");
    assert_near(figure(&folder, "evaluate s.csv --model m.json", "m"), honest);
    let seen = &folder.json("evaluate s.csv --model m.json").0["trained_on"][0];
    assert_eq!((&seen["lists"], &seen["out_of_fold"]), (&24.into(), &24.into()), "{seen}");
    let shown = folder.ok("evaluate s.csv --model m.json --brief --quiet");
    let said = "m was trained on all 24 lists of s.csv: each is scored by models that were not";
    assert!(on_one_line(&shown).starts_with(said), "{shown}");
    // The model itself looks better than it is.
    let fitted = figure(&folder, "evaluate s.csv --model m.json --fitted", "m");
    assert!(fitted > honest, "{fitted} and {honest}");
    let shown = folder.ok("evaluate s.csv --model m.json --fitted --brief --quiet");
    assert!(on_one_line(&shown).contains("scores and figures there flatter it"), "{shown}");
    let ran = folder.run("rank m.json s.csv");
    let said = "note: the model was trained on all 24 lists of s.csv";
    assert!(on_one_line(&ran.err).starts_with(said), "{}", ran.err);
    let ran = folder.run("explain m.json s.csv");
    assert!(on_one_line(&ran.err).contains("the model was trained on all 24 lists"), "{}", ran.err);
}

#[test]
fn lists_are_known_in_any_order_and_new_ones_are_not() {
    let folder = cross_validated();
    let text = folder.text("s.csv");
    let (header, rows) = text.split_once('\n').expect("a header");
    let backwards: Vec<&str> = rows.lines().rev().collect();
    folder.write("back.csv", format!("{header}\n{}\n", backwards.join("\n")));
    let by_id = |file: &str| {
        let mut rows: Vec<String> = folder
            .ok(&format!("rank m.json {file} -q"))
            .lines()
            .map(|row| row.splitn(5, ',').take(4).collect::<Vec<_>>().join(","))
            .collect();
        rows.sort();
        rows
    };
    assert_eq!(by_id("s.csv"), by_id("back.csv"));
    // Lists of another name are others, even with the same features.
    folder.write("new.csv", format!("{header}\n{}", rows.replace("storm-", "next-")));
    let ran = folder.run("rank m.json new.csv");
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    folder.write("both.csv", format!("{text}{}", rows.replace("storm-", "next-")));
    let ran = folder.run("rank m.json both.csv");
    assert!(on_one_line(&ran.err).contains("on 24 of the 48 lists of both.csv"), "{}", ran.err);
}

#[test]
fn without_scores_out_of_fold_the_flattery_is_said() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} -k 3 --learner ridge --hold-out 6 -q -o m.json"));
    let ran = folder.run("rank m.json s.csv");
    let said = "trained on 18 of the 24 lists of s.csv: scores and figures there flatter it";
    assert!(on_one_line(&ran.err).contains(said), "{}", ran.err);
    let ran = folder.run("evaluate s.csv --score wind_gust_ms --fitted");
    assert!(ran.code != 0 && ran.err.contains("--model"), "{}", ran.err);
}

#[test]
fn with_times_folds_look_forward_only() {
    let folder = Folder::with_generated_storms();
    let ways = [
        "--learner tweedie-mart --folds 4 --rounds 5 --leaves 4",
        "--learner ridge --folds 4",
        "--effort low --rounds 5",
    ];
    for way in ways {
        let train = format!("train s.csv {ROLES} --time date -k 3 {way} -o m.json");
        let shown = on_one_line(&folder.ok(&train));
        let said = "each period was judged by models of earlier ones, and the first period by none";
        assert!(shown.contains(said), "{shown}");
        assert!(shown.contains("newest storms from "), "{shown}");
        let ran = folder.run("rank m.json s.csv");
        let said = "are scored by models that were not trained on them; the scores and figures of";
        assert!(on_one_line(&ran.err).contains(said), "{}", ran.err);
    }
}

#[test]
fn the_verdict_is_in_amounts_beside_what_is_done_now() {
    let folder = Folder::with_generated_storms();
    let train = format!("train s.csv {ROLES} -k 3 --learner ridge --folds 4 -o m.json");
    let shown = folder
        .ok(&format!("{train} --current customers --unit customers --currency USD --per 120"));
    let shown = on_one_line(&shown);
    assert!(
        shown.contains("Acting on 3 networks in each of the 24 storms by this model"),
        "{shown}"
    );
    assert!(shown.contains("by customers, as now, "), "{shown}");
    assert!(shown.contains("At 120 USD each that is "), "{shown}");
    let json = document(&folder.ok(&format!("{train} -q --json --current cable_km")));
    let verdict = &json["verdict"];
    let number = |key: &str| verdict[key].as_f64().unwrap_or_else(|| panic!("{key}: {verdict}"));
    assert_near(number("model") - number("now"), number("difference"));
    assert!(number("low") < number("difference") && number("difference") < number("high"));
    // The same amounts by hand: the three networks with the most cable in each storm.
    let text = folder.text("s.csv");
    let header: Vec<&str> = text.lines().next().expect("a header").split(',').collect();
    let at = |name: &str| header.iter().position(|h| *h == name).expect("a column");
    let (list, now, cost) = (at("storm"), at("cable_km"), at("customers_out"));
    let mut lists = std::collections::BTreeMap::<&str, Vec<(f64, f64)>>::new();
    for row in text.lines().skip(1) {
        let cells: Vec<&str> = row.split(',').collect();
        let number = |at: usize| cells[at].parse().expect("a number");
        lists.entry(cells[list]).or_default().push((number(now), number(cost)));
    }
    let top = |items: &mut Vec<(f64, f64)>| {
        items.sort_by(|a, b| b.0.total_cmp(&a.0));
        items[..3].iter().map(|item| item.1).sum::<f64>()
    };
    let by_hand: f64 = lists.values_mut().map(top).sum();
    assert_near(number("now"), by_hand);
}

#[test]
fn the_present_order_is_a_column_an_expression_scores_or_random() {
    let folder = Folder::with_generated_storms();
    let train = format!("train s.csv {ROLES} -k 3 --learner ridge --folds 4 -q --json -o m.json");
    let now = |current: &str| {
        let json = document(&folder.ok(&format!("{train} --current {current}")));
        json["verdict"]["now"].as_f64().expect("a number")
    };
    let by_column = now("customers");
    assert_near(now("'customers * 2 + 1'"), by_column);
    let text = folder.text("s.csv");
    let header = text.lines().next().expect("a header");
    let at = header.split(',').position(|name| name == "customers").expect("a column");
    let scores = text.lines().skip(1).map(|row| row.split(',').nth(at).expect("a cell"));
    folder.write("now.txt", scores.collect::<Vec<_>>().join("\n") + "\n");
    assert_near(now("now.txt"), by_column);
    assert!(now("-customers") < now("random") && now("random") < by_column);
    // A column that is no feature can be the present order.
    assert_near(now("customers --drop customers"), by_column);
    for (current, said) in
        [("customer", "did you mean `customers`"), ("'customers *'", "the present order")]
    {
        let ran = folder.run(&format!("{train} --current {current}"));
        assert_eq!(ran.code, 1, "{}", ran.err);
        assert!(on_one_line(&ran.err).contains(said), "{}", ran.err);
    }
    let ran = folder.run(&format!("{train} --per 120"));
    assert!(ran.code == 2 && ran.err.contains("--currency"), "{}", ran.err);
}

#[test]
fn auto_judges_simple_orders_too_and_takes_no_leak_unasked() {
    let folder = Folder::new();
    let mut text = "list,item,cost,x,z\n".to_owned();
    let mut state = 1_u64;
    let mut draw = || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as f64 / (1_u64 << 24) as f64
    };
    for list in 0..30 {
        for item in 0..8 {
            let (x, z) = (1000.0 * draw() * f64::from(1 + list), draw());
            text += &format!("l{list:02},i{item},{x:.3},{x:.3},{z:.3}\n");
        }
    }
    folder.write("d.csv", text);
    let train = "train d.csv --list list --id item --impact cost -k 2 --effort low -o m.json";
    let ran = folder.run(train);
    assert_eq!(ran.code, 1);
    let said = on_one_line(&ran.err);
    assert!(said.contains("Is `x` computed from `cost`?"), "{said}");
    assert!(said.contains("(--drop x, or --allow-leak x)"), "{said}");
    assert_eq!(folder.names(), ["d.csv"]);
    let ran = folder.run(&format!("{train} --allow-leak y"));
    assert!(ran.code == 1 && ran.err.contains("`y`"), "{}", ran.err);
    let json = document(&folder.ok(&format!("{train} --allow-leak x --current -z -q --json")));
    // The orders that anybody could follow are judged within the same folds.
    let members = json["members"].as_array().expect("members");
    let [.., best, current] = &members[..] else { panic!("{members:?}") };
    assert_eq!(
        (&best["learner"], &current["learner"]),
        (&"best-feature".into(), &"current".into())
    );
    assert_near(best["figure"].as_f64().expect("a figure"), 1.0);
    assert!(current["figure"].as_f64().expect("a figure") < 0.8, "{current}");
}

/// The sentences of docs/from-log-to-plan.md, from the workbook as it was published.
#[test]
fn from_a_raw_log_to_an_honest_verdict() {
    let Some(log) = real("power-outages/outage.xlsx") else { return };
    let folder = Folder::new();
    let columns = "--list month:OUTAGE.START.DATE --item U.S._STATE --sum CUSTOMERS.AFFECTED";
    let history = "--fill-zeros --history 1,3,12 --region CLIMATE.REGION --attribute POPULATION";
    folder.ok(&format!("prepare '{log}' {columns} {history} -o panel.parquet"));
    folder.ok("split panel.parquet --hold-out 24 -o older.parquet newest.parquet");
    let current = "--current sum_last_12 --unit customers";
    let train = format!("train older.parquet -k 5 --effort low {current} -o model.json");
    let shown = on_one_line(&folder.ok(&train));
    let page = on_one_line(include_str!("../../../docs/from-log-to-plan.md"));
    let from = shown.find("Acting on 5 states").unwrap_or_else(|| panic!("{shown}"));
    let verdict = shown[from..].split(" next:").next().expect("a verdict");
    assert!(page.contains(verdict), "{verdict}");
    let ran = folder.run("rank model.json older.parquet");
    assert!(page.contains(on_one_line(&ran.err).trim()), "{}", ran.err);
    let new = folder.run("rank model.json newest.parquet");
    assert!(!new.err.contains("trained on"), "{}", new.err);
}
