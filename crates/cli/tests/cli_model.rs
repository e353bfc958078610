//! `stakes model info`, `stakes model diff`, `stakes split`.

use crate::common::{Folder, ROLES, plain};

#[test]
fn a_page_about_a_model() {
    let folder = Folder::with_generated_storms();
    let line = format!("train s.csv {ROLES} -k 12.5% --rounds 9 --leaves 8 -q -o");
    let plain = plain("");
    folder.ok(&format!("{line} m.json {plain}"));
    let out = folder.ok("model info m.json");
    for words in [
        "MODEL",
        "cs-mart: boosted trees for the cost captured",
        "9 rounds kept",
        "leaves=8, rounds=9",
        "GOAL",
        "customers_out",
        "3 items of a list can be acted on",
        "rcs@3",
        "list = storm",
        "TRAINING",
        "█",
        "FEATURES BY SHARE OF GAIN",
        "split",
    ] {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let info = folder.json("model info m.json").0;
    assert_eq!(
        info["changed"],
        serde_json::json!({ "leaves": "8", "rounds": "9", "start": "none" })
    );
    assert_eq!(info["stages"][0]["curve"].as_array().map(Vec::len), Some(9));
    let kept = info["stages"][0]["kept"].as_u64().expect("rounds");
    assert_eq!(info["trees"], 5 * kept, "one for each fold");
    // Packed and plain are the same model.
    folder.ok(&format!("{line} m.json.zst {plain}"));
    assert!(folder.bytes("m.json.zst").starts_with(&[0x28, 0xb5, 0x2f, 0xfd]));
    assert_eq!(folder.ok("model info m.json.zst").replace(".zst", ""), out);
    assert_eq!(folder.ok("model diff m.json m.json.zst"), "no difference\n");
    // Two stages have two curves.
    folder.ok(&format!("{line} two.json --learner two-part"));
    let out = folder.ok("model info two.json");
    assert!(out.contains("chance") && out.contains("size"), "{out}");
}

#[test]
fn two_models_side_by_side() {
    let folder = Folder::with_generated_storms();
    let line = format!("train s.csv {ROLES} --rounds 4 -q -o");
    folder.ok(&format!("{line} a.json -k 3 --learner cs-mart"));
    folder.ok(&format!("{line} b.json -k 5 --leaves 8 --learner lambdamart"));
    let out = folder.ok("model diff a.json b.json");
    for words in ["a.json", "b.json", "learner", "cs-mart", "lambdamart", "leaves", "7", "8"] {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    let json: serde_json::Value =
        serde_json::from_str(&folder.ok("model diff a.json b.json --json")).expect("JSON");
    let learner = json.as_array().expect("a list").iter().find(|row| row["what"] == "learner");
    assert_eq!(learner.expect("the learner")["b"], "lambdamart");
    assert_eq!(folder.ok("model diff a.json a.json --json"), "[]\n");
    let ran = folder.run("model diff a.json nowhere.json");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("nowhere.json: there is no such file"), "{}", ran.err);
    let ran = folder.run("model info s.csv");
    assert!(ran.code == 1 && ran.err.starts_with("error: s.csv"), "{}", ran.err);
}

#[test]
fn split_divides_lists_and_loses_nothing() {
    let folder = Folder::with_generated_storms();
    let ran = folder.run(&format!("split s.csv {ROLES} --hold-out 25% -o a.csv b.csv"));
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    let lists = |name: &str| -> Vec<String> {
        let text = folder.text(name);
        let mut lists: Vec<String> = text
            .lines()
            .skip(1)
            .filter_map(|row| row.split(',').next())
            .map(str::to_owned)
            .collect();
        lists.dedup();
        lists
    };
    let (a, b) = (lists("a.csv"), lists("b.csv"));
    assert!(a.iter().all(|list| !b.contains(list)));
    assert_eq!(a.len() + b.len(), 24);
    assert!((3..=9).contains(&b.len()), "{b:?}");
    // Every row is on one side, as it was.
    let (s, a, b) = (folder.text("s.csv"), folder.text("a.csv"), folder.text("b.csv"));
    let body = |text: &str| -> Vec<String> {
        let mut rows: Vec<String> = text.lines().skip(1).map(str::to_owned).collect();
        rows.sort();
        rows
    };
    let mut both = [body(&a), body(&b)].concat();
    both.sort();
    assert_eq!(both, body(&s));
    assert_eq!(a.lines().next(), s.lines().next());
    // The order of the rows does not matter, other seeds do, and time goes before all.
    folder.shuffle("s.csv", "t.csv");
    folder.ok(&format!("split t.csv {ROLES} --hold-out 25% -o c.csv d.csv"));
    assert_eq!(body(&folder.text("d.csv")), body(&b));
    folder.ok(&format!("split s.csv {ROLES} --hold-out 25% --seed 5 -o c.csv d.csv"));
    assert_ne!(body(&folder.text("d.csv")), body(&b));
    let ran =
        folder.run(&format!("split s.csv {ROLES} --time date --hold-out 25% -o c.parquet d.csv"));
    assert!(ran.err.contains("d.csv holds the latest lists"), "{}", ran.err);
    assert_eq!(lists("d.csv").len(), 6);
    let cases = [
        ("--hold-out 25% -o a.csv", 2, "2 values required"),
        ("--hold-out none -o a.csv b.csv", 1, "there would be nothing to write to b.csv"),
        ("-o a.csv a.csv", 1, "a.csv and a.csv are the same file"),
        ("--hold-out 99 -o a.csv b.csv", 1, "99 lists cannot be held out of 24 lists"),
        ("-o a.csv b.xls", 1, "b.xls: unknown file extension"),
    ];
    for (more, code, words) in cases {
        let ran = folder.run(&format!("split s.csv {ROLES} {more}"));
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{more}: {}", ran.err);
        assert!(ran.err.contains(words), "{more}: {}", ran.err);
    }
}
