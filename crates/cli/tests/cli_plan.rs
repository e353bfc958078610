//! `stakes plan`: items within budgets and limits.

use crate::common::{Folder, ROLES, document, on_one_line};

const NEXT: &str = "id,saves,hours,region,customers\na,10,5,north,3\nb,7,4,north,9\nc,6,3,south,1\nd,2,1,south,8\n";

fn world() -> Folder {
    let folder = Folder::new();
    folder.write("next.csv", NEXT);
    folder
}

#[test]
fn a_budget_is_spent_where_it_saves_most() {
    let folder = world();
    let line = "plan next.csv --id id --expected-cost saves --price hours --budget 7";
    let list = &document(&folder.ok(&format!("{line} --json")))["lists"][0];
    // b and c for 7 hours; by expected saving alone it would be a and d, 12.
    for (key, value) in [("spent", 7.0), ("expected", 13.0), ("bound", 13.0)] {
        assert_eq!(list[key].as_f64(), Some(value), "{key}");
    }
    assert_eq!(list["chosen"], serde_json::json!(["c", "b"]));
    assert_eq!(list["proven"], true);
    assert_eq!(folder.ok(line), "list,place,id,expected_cost,price\n,1,c,6,3\n,2,b,7,4\n");
    folder.ok(&format!("{line} -o plan.json -q"));
    assert_eq!(&document(&folder.text("plan.json"))["lists"][0], list);
}

#[test]
fn limits_hold_together() {
    let folder = world();
    let chosen = |more: &str| {
        let line = format!("plan next.csv --id id --expected-cost saves --json {more}");
        let mut ids: Vec<String> = document(&folder.ok(&line))["lists"][0]["chosen"]
            .as_array()
            .expect("ids")
            .iter()
            .map(|id| id.as_str().expect("an id").to_owned())
            .collect();
        ids.sort();
        ids.concat()
    };
    folder.write("done.txt", "a\n\nb\n");
    for (more, expected) in [
        ("-k 2", "ab"),
        ("-k 2 --at-most region=1", "ac"),
        ("-k 2 --at-most region=north:0", "cd"),
        ("-k 2 --at-least region=south:2", "cd"),
        ("-k 2 --must d", "ad"),
        ("-k 2 --must-not @done.txt", "cd"),
        ("--resource hours=8", "ac"),
        ("--resource hours=8 -k 1", "a"),
        ("--price hours --budget 8 --resource customers=3", "a"),
        ("-k 3 --must-not a,b", "cd"),
    ] {
        assert_eq!(chosen(more), expected, "{more}");
    }
}

#[test]
fn today_s_order_stands_beside_the_plan() {
    let folder = world();
    let line = "plan next.csv --id id --expected-cost saves -k 2 --current customers --json";
    let current = &document(&folder.ok(line))["lists"][0]["current"];
    // By customers: b and d.
    assert_eq!(current["expected"].as_f64(), Some(9.0));
    assert_eq!(current["instead_of"], serde_json::json!(["d"]));
    assert_eq!(current["new"], serde_json::json!(["a"]));
    let ascending =
        document(&folder.ok(&line.replace("--current customers", "--current -customers")));
    assert_eq!(ascending["lists"][0]["current"]["expected"].as_f64(), Some(16.0));
}

#[test]
fn a_model_says_what_is_expected() {
    let folder = Folder::with_generated_storms();
    folder.ok("init s.csv -k 5 -q");
    folder.ok("train s.csv --learner two-part -p rounds=20 --hold-out 12 -o m.json -q");
    let planned = document(&folder.ok("plan s.csv --model m.json --budget 60 --json -q"));
    let lists = planned["lists"].as_array().expect("lists").clone();
    assert_eq!(lists.len(), 24);
    for list in &lists {
        assert!(list["spent"].as_f64().expect("prices") <= 60.0 + 1e-9, "{list}");
        assert!(list["expected"].as_f64() <= list["bound"].as_f64(), "{list}");
    }
    assert!(lists.iter().any(|list| list["expected"].as_f64() > Some(0.0)));
    // Without a limit it is that of the training: five items.
    let planned = document(&folder.ok("plan s.csv --model m.json --json -q"));
    let most = planned["lists"].as_array().expect("lists").iter();
    let most = most.map(|list| list["chosen"].as_array().expect("ids").len()).max();
    assert_eq!(most, Some(5));
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = world();
    for (more, words) in [
        ("--expected-cost saves", "nothing limits the plan"),
        ("-k 2", "--expected-cost"),
        ("--expected-cost saves --budget 7", "a budget needs prices"),
        ("--expected-cost saves --price hours --budget -1", "the budget is -1"),
        ("--expected-cost savs -k 2", "did you mean `saves`?"),
        ("--expected-cost saves -k 2 --must x", "there is no item `x`"),
        ("--expected-cost saves -k 1 --must a,b", "what must be taken needs 2"),
        ("--expected-cost saves -k 2 --must a --must-not a", "item a must be taken and must not"),
        ("--expected-cost saves -k 2 --at-most region=west:1", "has no value `west`"),
        ("--expected-cost saves -k 2 --at-most region", "COLUMN=NUMBER"),
        ("--expected-cost saves -k 2 --at-least region=3", "at least 3 of region north asks for 3"),
        ("--expected-cost saves --resource hours", "COLUMN=AMOUNT"),
        ("--expected-cost saves -k 2 -o plan.txt", "a plan is written as .csv, .json, .xlsx"),
        ("--expected-cost saves -k 2 -o next.csv", "next.csv"),
        ("--expected-cost saves -k 2 -o plan.csv --json", "ends in .json"),
    ] {
        let ran = folder.run(&format!("plan next.csv --id id {more}"));
        assert_ne!(ran.code, 0, "{more}");
        assert!(on_one_line(&ran.err).contains(words), "{more}: {}", ran.err);
    }
    assert_eq!(folder.text("next.csv"), NEXT, "nothing is written over the data");
    folder.write("bad.csv", NEXT.replace("10", "-10"));
    let ran = folder.run("plan bad.csv --id id --expected-cost saves -k 2");
    assert!(ran.err.contains("item a is expected to save -10"), "{}", ran.err);
}

/// Of one item a plan says what a ranking says.
#[test]
fn totals_are_those_of_a_ranking() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!(
        "train s.csv {ROLES} -k 1 --learner two-part --rounds 30 --hold-out 50% -q -o m.json"
    ));
    let ranked = folder.json("rank m.json s.csv -q --top 1").0;
    let planned = folder.json("plan s.csv --model m.json -k 1 -q").0;
    let mut known = 0;
    for (ranked, planned) in
        ranked.as_array().expect("items").iter().zip(planned["lists"].as_array().expect("lists"))
    {
        for end in ["total_low", "total_high"] {
            let [ranked, planned] =
                [&ranked[end], &planned[end]].map(|end| end.as_f64().expect("a number"));
            assert!(
                (ranked - planned).abs() <= 1e-5 * ranked.abs(),
                "{end}: {ranked} and {planned}"
            );
        }
        known += 1;
    }
    assert_eq!(known, 24);
}
