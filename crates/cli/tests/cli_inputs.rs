//! `stakes evaluate`: the ways in. Whatever the door, the figures are the same.

use crate::common::{Folder, STORMS, Study, assert_near};

const BY_CABLE: &str = "--list storm --impact customers --score cable --metric rcs@2";

fn assert_cable(study: &Study) {
    assert_near(study.value("cable", "rcs@2"), 0.9901483);
}

#[test]
fn rows_without_an_input_of_the_cost_can_be_left_out() {
    let folder = Folder::new();
    folder.write("a.csv", "l,n,h,s\n1,10,2,2\n1,5,,1\n1,,3,4\n1,1,1,3\n");
    let line = "evaluate a.csv --list l --impact n --cost 'n * h' --score s -k 1 -m r --brief";
    let ran = folder.run(line);
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("a.csv:3 (list 1): h is missing; the cost needs"), "{}", ran.err);
    assert!(ran.err.contains("set `missing_impact` to drop or zero"), "{}", ran.err);
    let ran = folder.run(&format!("{line} --missing-impact drop"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(
        ran.err.contains("note: 2 rows left out: the impact or an input of the cost is missing"),
        "{}",
        ran.err
    );
    let study = folder.json(&format!("{line} --missing-impact drop"));
    // Costs of 20 and 1 are left, and the score puts the latter first.
    assert_near(study.value("s", "r@1"), 1.0 / 20.0);
    let study = folder.json(&format!("{line} --missing-impact zero"));
    assert_eq!(study.value("s", "r@1"), 0.0);
    let ran = folder.run("inspect a.csv --list l --impact n --cost 'n * h' --missing-impact drop");
    assert!(ran.code == 0 && ran.err.contains("2 rows left out"), "{}", ran.err);
}

#[test]
fn stdin_gzip_columns_and_rows_in_any_order() {
    let folder = Folder::with_storms();
    let out = folder.run_with(&format!("evaluate - --format csv {BY_CABLE} --json"), STORMS);
    let out = out.ok("evaluate -");
    assert_cable(&Study(serde_json::from_str(&out).expect("JSON")));
    // stdin has no name: its first bytes tell.
    let out = folder.run_with(&format!("evaluate - {BY_CABLE}"), STORMS).ok("evaluate -");
    assert!(out.starts_with("stdin: 6 items in 2 lists"), "{out}");

    folder.ok("convert storms.csv -o packed.csv.gz");
    assert_eq!(folder.bytes("packed.csv.gz")[..2], [0x1f, 0x8b]);
    assert_cable(&folder.json(&format!("evaluate packed.csv.gz {BY_CABLE}")));
    let out = folder.run_with(&format!("evaluate - {BY_CABLE}"), folder.bytes("packed.csv.gz"));
    assert!(out.ok("evaluate -").contains("0.9901"));

    let lines: Vec<&str> = STORMS.lines().collect();
    let shuffled = [0, 6, 2, 4, 1, 5, 3].map(|i| lines[i]).join("\n");
    folder.write("shuffled.csv", &shuffled);
    assert_cable(&folder.json(&format!("evaluate shuffled.csv {BY_CABLE}")));
    // Other separators and line ends, told by the header.
    folder.write("semicolons.csv", STORMS.replace(',', ";").replace('\n', "\r\n"));
    assert_cable(&folder.json(&format!("evaluate semicolons.csv {BY_CABLE}")));
    folder.write("tabs.tsv", STORMS.replace(',', "\t"));
    assert_cable(&folder.json(&format!("evaluate tabs.tsv {BY_CABLE}")));
    folder.write("no-extension", STORMS);
    assert_cable(&folder.json(&format!("evaluate no-extension {BY_CABLE}")));
}

#[test]
fn without_a_list_column_all_is_one_list() {
    let folder = Folder::with_storms();
    let study = folder.json("evaluate storms.csv --impact customers --score cable --metric rcs@1");
    assert_eq!(study.0["data"]["lists"], 1);
    // Two items share the highest score: 10000 or 0, each as likely.
    assert_near(study.value("cable", "rcs@1"), 0.5);
}

#[test]
fn flags_may_be_repeated_and_lists_may_have_blanks() {
    let folder = Folder::with_storms();
    let line = "evaluate storms.csv --list storm --impact customers";
    let study =
        folder.json(&format!("{line} --score 'cable, wind' --metric rcs@2 --metric 'r@2, a@2'"));
    for metric in ["rcs@2", "r@2", "a@2"] {
        assert!(study.row("wind", metric)["value"].is_number());
    }
    let study = folder.json(&format!("{line} --score cable --score wind --metric rcs@2"));
    assert_near(study.value("wind", "rcs@2"), 0.0148269);
}

#[test]
fn a_minus_turns_a_score_round() {
    let folder = Folder::with_storms();
    let line = "evaluate storms.csv --list storm --impact customers --metric rcs@2";
    let study = folder.json(&format!("{line} --score -wind,wind"));
    assert_near(study.value("wind", "rcs@2"), 0.0148269);
    assert_near(study.value("-wind", "rcs@2"), 0.9901483);
}

#[test]
fn scores_from_files() {
    let folder = Folder::with_storms();
    folder.write("cable.txt", "5\n4\n3\n3\n4\n5\n");
    let keyed = "storm,network,score\n2,Rural 3,5\n2,Rural 1,3\n2,Rural 2,4\n1,City 3,3\n\
                 1,City 1,5\n1,City 2,4\n9,not there,1\n";
    folder.write("keyed.csv", keyed);
    let line = "evaluate storms.csv --list storm --id network --impact customers --metric rcs@2 \
                --score-file cable.txt --score-file length=keyed.csv --score wind";
    let study = folder.json(line);
    // A file is called by its stem unless it is given a name.
    assert_near(study.value("cable", "rcs@2"), 0.9901483);
    assert_near(study.value("length", "rcs@2"), 0.9901483);
    assert_near(study.value("wind", "rcs@2"), 0.0148269);
    // Of several scores the first is what the others are compared with.
    assert_eq!(study.0["comparisons"][0]["baseline"], "wind");
}

#[test]
fn trec_qrels_and_runs() {
    let folder = Folder::new();
    folder.write("qrels", "1 0 a 2\n1 0 b 0\n1 0 c 1\n2 0 a 1\n3 0 a 1\n");
    folder.write("first.run", "1 Q0 a 1 9 first\n1 Q0 b 2 8 first\n2 Q0 a 1 1 first\n");
    folder.write("second.run", "1 Q0 b 1 0.9 second\n1 Q0 c 2 0.5 second\n2 Q0 z 1 1 second\n");
    let line = "evaluate qrels --run first.run --run second.run --metric p@1,recall@2";
    let study = folder.json(line);
    assert_eq!(study.0["data"]["lists"], 2);
    assert_near(study.value("first", "p@1"), 1.0);
    assert_near(study.value("second", "p@1"), 0.0);
    assert_near(study.value("first", "recall@2"), (0.5 + 1.0) / 2.0);
    let all = folder.json(&format!("{line} --all-topics"));
    assert_eq!(all.0["data"]["lists"], 3);
}

#[test]
fn prices_and_a_budget() {
    let folder = Folder::new();
    // metric/budget.rs: in the given order A = 10; the ideal is 6 + 10/2 = 11.
    folder.write("b.csv", "y,price,s\n10,4,2\n6,2,1\n");
    let line = "evaluate b.csv --impact y --price price --score s";
    let study = folder.json(&format!("{line} --budget 4 --metric rcs,a"));
    assert_near(study.value("s", "rcs:budget=4,ties=worst"), 10.0 / 11.0);
    assert_near(study.value("s", "a:budget=4,ties=worst"), 10.0);
    let study = folder.json(&format!("{line} --metric rcs:budget=4"));
    assert_near(study.value("s", "rcs:budget=4,ties=worst"), 10.0 / 11.0);
}

#[test]
fn weights_are_read_and_are_no_features() {
    let folder = Folder::new();
    folder.write("w.csv", "y,w,s,x\n1,2,1,5\n0,1,2,6\n3,1,0,7\n");
    let line = "evaluate w.csv --impact y --score s --metric rankloss";
    let plain = folder.json(line);
    let weighted = folder.json(&format!("{line} --weight w"));
    let feature = |s: &Study| s.row("best-feature", "rankloss")["feature"]["name"].clone();
    assert_ne!(feature(&weighted), "w");
    assert!(
        plain.value("s", "rankloss").is_finite() && weighted.value("s", "rankloss").is_finite()
    );
}

#[test]
fn costs_are_columns_or_expressions() {
    let folder = Folder::new();
    folder.write("c.csv", "storm,customers,hours,crew size,s\n1,10,1,2,1\n1,1,20,1,2\n");
    let value = |cost: &str| {
        let line = format!("evaluate c.csv --list storm --score s --metric a@1 --cost '{cost}'");
        let impact = if cost.contains('y') { " --impact customers" } else { "" };
        folder.json(&format!("{line}{impact}")).value("s", "a@1")
    };
    assert_near(value("hours"), 20.0);
    assert_near(value("customers * hours * 12.5"), 250.0);
    assert_near(value("y * hours"), 20.0);
    assert_near(value("{crew size} + customers"), 2.0);
    assert_near(value("y"), 1.0);
    assert_near(value("-hours + 30"), 10.0);
    assert_near(value("hours * 1e-3"), 0.02);
}

#[test]
fn capacities_and_policies() {
    let folder = Folder::new();
    let items: String = (0..8).map(|i| format!("{},{}\n", 8 - i, 8 - i)).collect();
    folder.write("k.csv", format!("y,s\n{items}"));
    let a = |options: &str, metric: &str| {
        let line = format!("evaluate k.csv --impact y --score s --metric a {options}");
        folder.json(&line).value("s", metric)
    };
    assert_near(a("--k 12.5%", "a@12.5%"), 8.0);
    assert_near(a("-k 2", "a@2"), 8.0 + 7.0 / 2.0);
    assert_near(a("--k 1..2", "a@1..2"), 8.0 + 7.0 / 2.0);
    assert_near(a("--k 3 --policy step", "a@3:policy=step"), 21.0);
    assert_near(a("--k 3 --policy 1/0.5", "a@3:policy=1/0.5"), 8.0 + 3.5);
    let geometric = a("--k 3 --policy geometric(0.5)", "a@3:policy=geometric(0.5)");
    assert_near(geometric, 8.0 + 3.5 + 1.5);
    // Beyond the list is the whole list.
    assert_near(a("--k 10..40 --policy step", "a@10..40:policy=step"), 36.0);
    assert_near(a("--k 100000000 --policy step", "a@100000000:policy=step"), 36.0);
}

#[test]
fn missing_impacts_are_treated_as_asked() {
    let folder = Folder::new();
    folder.write("m.csv", "y,s\n1,1\n,2\n3,0\n");
    let items = |how: &str| {
        let line =
            format!("evaluate m.csv --impact y --score s --metric a@1 --missing-impact {how}");
        let study = folder.json(&line);
        (study.0["data"]["items"].as_u64(), study.value("s", "a@1"))
    };
    assert_eq!(items("drop"), (Some(2), 1.0));
    assert_eq!(items("zero"), (Some(3), 0.0));
}
