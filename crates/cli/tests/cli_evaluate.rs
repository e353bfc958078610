//! `stakes evaluate`: the figures of the papers through the program's own door.

use crate::common::{Folder, ROLES, Study, assert_near, on_one_line};
use serde_json::Value;

const BY_BOTH: &str = "evaluate storms.csv --list storm --impact customers --score cable,wind";

/// McBride et al. 2019, examples 1 and 4: the mean over storms cannot tell the two orders
/// apart, the share of all cost can.
#[test]
fn the_two_storms_of_the_paper() {
    let study = Folder::with_storms().json(&format!("{BY_BOTH} --metric rcs@2,r@2,ndcg@2,rcr@2"));
    assert_near(study.value("cable", "rcs@2"), 0.9901483);
    assert_near(study.value("wind", "rcs@2"), 0.0148269);
    for score in ["cable", "wind"] {
        assert_near(study.value(score, "r@2"), 0.5024876);
        assert_near(study.value(score, "ndcg@2"), 0.5);
    }
    // Each order is perfect in one storm and (to 1e-30) worthless in the other, so this is
    // the weight of its storm: w_1 = 10050 / 10150.5.
    assert_near(study.value("cable", "rcr@2"), 0.9900990);
    assert_near(study.value("wind", "rcr@2"), 0.0099010);
    assert_near(study.value("ideal", "rcs@2"), 1.0);
}

#[test]
fn the_json_is_the_documented_contract() {
    let Study(document) = Folder::with_storms().json(&format!("{BY_BOTH} --metric rcs@2,r@2"));
    // Fields may be added, never renamed or removed.
    let has = |value: &Value, keys: &str| {
        for key in keys.split(' ') {
            assert!(value.get(key).is_some_and(|v| !v.is_null()), "{key} in {value}");
        }
    };
    has(&document, "stakes data results comparisons curves");
    assert_eq!(document["data"]["source"], "storms.csv");
    assert_eq!((&document["data"]["items"], &document["data"]["lists"]), (&6.into(), &2.into()));
    let results = document["results"].as_array().expect("results");
    assert_eq!(results.len(), 8); // Two scores, random and ideal by two metrics.
    for row in results {
        has(row, "score metric value low high lists kind");
        assert_eq!(row["lists"], 2);
        let [low, value, high] = ["low", "value", "high"].map(|k| row[k].as_f64().expect(k));
        assert!(low <= value && value <= high, "{row}");
    }
    let comparisons = document["comparisons"].as_array().expect("comparisons");
    assert_eq!(comparisons.len(), 6); // One score against the other, two metrics, three tests.
    for row in comparisons {
        has(row, "metric score baseline difference low high better test");
        has(row, "statistic p p_adjusted correction lists");
        assert_eq!((&row["score"], &row["baseline"]), (&"wind".into(), &"cable".into()));
    }
    let curves = document["curves"].as_array().expect("curves");
    let names: Vec<_> = curves.iter().filter_map(|c| c["name"].as_str()).collect();
    assert_eq!(names, ["cable", "wind", "random", "ideal"]);
    for curve in curves {
        let shares = curve["shares"].as_array().expect("shares");
        let shares: Vec<f64> = shares.iter().filter_map(Value::as_f64).collect();
        assert!(shares.len() == 4 && shares[0] == 0.0 && shares.is_sorted(), "{curve}");
        assert_near(shares[3], 1.0);
    }
}

#[test]
fn the_best_single_feature_is_named() {
    let folder = Folder::with_storms();
    let study = folder.json(
        "evaluate storms.csv --list storm --impact customers --score cable --metric rcs@2 \
         --baseline best-feature",
    );
    let row = study.row("best-feature", "rcs@2");
    assert_eq!(row["kind"], "reference");
    assert_eq!(row["feature"]["name"], "wind");
    assert_eq!(row["feature"]["descending"], false);
    assert_eq!(study.0["comparisons"][0]["baseline"], "best-feature");
}

/// McBride et al. 2019, examples 2 and 3: one big item first, or three middling ones.
#[test]
fn the_capacity_examples_of_the_paper() {
    let folder = Folder::new();
    let text = "y,big,many\n70,6,1\n50,1,6\n50,1,5\n50,1,4\n0,5,1\n0,4,1\n";
    folder.write("one.csv", text);
    let study = folder.json("evaluate one.csv --impact y --score big,many --metric rcs@3,r@3,a@3");
    for metric in ["rcs@3", "r@3"] {
        assert_near(study.value("big", metric), 70.0 / 120.0);
        assert_near(study.value("many", metric), 100.0 / 120.0);
    }
    assert_near(study.value("ideal", "a@3"), 120.0);
    // One list: no interval can be had, and none is made up.
    assert!(study.row("big", "r@3")["low"].is_null());
    assert_eq!(study.0["data"]["lists"], 1);
}

#[test]
fn a_table_for_people() {
    let folder = Folder::with_storms();
    let out = folder.ok(&format!("{BY_BOTH} --metric rcs@2,r@2 --statistics"));
    for words in [
        "storms.csv: 6 items in 2 lists; cost customers, 10,201 in all",
        "0.9901 [",
        "random order",
        "ideal order",
        "only 2 lists: intervals and tests say little",
        "against cable, paired over lists (p corrected by holm; ",
        "unclear",
        "share of all cost reached",
        "^k=2",
    ] {
        assert!(out.contains(words), "{words} in\n{out}");
    }
    let bare = folder.ok(&format!(
        "{BY_BOTH} --metric rcs@2 --no-chart --no-references --no-intervals --correction none"
    ));
    assert!(bare.contains("paired over lists (p not corrected; "), "{bare}");
    assert!(
        !bare.contains("share of") && !bare.contains("random order") && !bare.contains('['),
        "{bare}"
    );
}

#[test]
fn a_table_for_latex() {
    let out = Folder::with_storms().ok(&format!("{BY_BOTH} --metric rcs@12.5%,r@2 --latex"));
    assert!(out.starts_with("\\begin{tabular}{lrr}\n\\toprule\nscore & rcs@12.5\\% & r@2 \\\\"));
    assert!(out.contains("cable & "), "{out}");
    assert!(out.ends_with("\\bottomrule\n\\end{tabular}\n"), "{out}");
}

#[test]
fn every_list_in_a_file() {
    let folder = Folder::with_storms();
    folder.ok(&format!("{BY_BOTH} --metric r@2 --per-list lists.csv"));
    let text = folder.text("lists.csv");
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "list,items,score,metric,value,weight");
    assert_eq!(lines[1], "1,3,cable,r@2,1,1");
    assert_eq!(lines.len(), 1 + 2 * 4);
}

#[test]
fn curves_as_a_picture() {
    let folder = Folder::with_storms();
    folder.ok(&format!("{BY_BOTH} --metric rcs@2 --curve curve.svg"));
    let svg = folder.text("curve.svg");
    assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>"), "{svg}");
    for name in ["cable", "wind", "ideal", "random"] {
        assert!(svg.contains(name), "{name}");
    }
    assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
}

#[test]
fn nothing_to_save_is_no_value_and_no_failure() {
    let folder = Folder::new();
    folder.write("zero.csv", "list,y,s\na,0,1\na,0,2\nb,0,1\n");
    let line = "evaluate zero.csv --list list --impact y --score s --metric rcs@1,ndcg@1,auc,p@1";
    let study = folder.json(line);
    assert!(study.row("s", "rcs@1")["value"].is_null());
    assert_eq!(study.row("s", "rcs@1")["lists"], 0);
    assert_eq!(study.value("s", "p@1"), 0.0);
    let table = folder.ok(&format!("{line} --curve zero.svg"));
    assert!(!table.contains("NaN"), "{table}");
    assert!(!folder.text("zero.svg").contains("NaN"));
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new();
    folder.ok("generate storms --lists 40 --networks 20 --rows 600 -o s.csv");
    let line = "evaluate s.csv --list storm --impact customers_out --id network --score \
                wind_max_ms,cable_km --metric rcs@5,ndcg@5,auc --curve c.svg";
    let one = folder.ok(&format!("{line} --threads 1"));
    let picture = folder.bytes("c.svg");
    assert_eq!(folder.ok(&format!("{line} --threads 2")), one);
    assert_eq!(folder.bytes("c.svg"), picture);
    assert_eq!(folder.ok(&format!("--threads 3 {line}")), one);
}

#[test]
fn a_model_is_measured_beside_columns_that_it_reads() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("split s.csv {ROLES} --hold-out 8 -o a.csv b.csv"));
    folder.ok(&format!(
        "train a.csv {ROLES} -k 4 --learner two-part --rounds 8 --hold-out none -q -o m.json"
    ));
    folder.ok("rank m.json b.csv --to scores -q -o s.txt");
    // The same figure as by way of a file, though the model reads a column that is a score here.
    let line = format!("evaluate b.csv {ROLES} -k 4 -m rcs --score customers");
    let study = folder.json(&format!("{line} --model new=m.json --score-file old=s.txt"));
    assert_eq!(study.value("new", "rcs@4"), study.value("old", "rcs@4"));
    let ran = folder.run(&format!("evaluate a.csv {ROLES} -k 4 --model m.json --brief"));
    assert!(ran.out.starts_with("m was trained on all 16 lists of a.csv"), "{}", ran.out);
    // The model knows which column is what, and how many items can be acted on; flags win.
    let ran = folder.run("evaluate b.csv --model m.json -m rcs --brief");
    assert!(ran.err.contains("m.json: list storm, impact customers_out"), "{}", ran.err);
    let given = folder.ok(&format!("evaluate b.csv {ROLES} -k 4 --model m.json -m rcs --brief"));
    assert_eq!(ran.ok("without roles"), given);
    assert!(folder.ok("evaluate b.csv --model m.json -k 6 -m rcs --brief").contains("rcs@6"));
    for (line, words) in [
        (format!("{line} --model none.json"), "none.json"),
        (format!("{line} --model m.json --model m.json"), "given twice"),
    ] {
        let ran = folder.run(&line);
        assert!(ran.code != 0 && ran.err.contains(words), "{line}: {}", ran.err);
    }
}

const BY_GROUP: &str = "list,id,y,g,h,s\n1,a,9,A,1.5,1\n1,b,8,B,2,5\n1,c,4,A,1.5,3\n1,d,1,B,2,4\n2,e,6,B,2,1\n2,f,2,B,,2\n";

/// Of A 4 of 9 are reached; of B 8 of 8 and 2 of 6.
#[test]
fn metrics_by_group() {
    let folder = Folder::new();
    folder.write("two.csv", BY_GROUP);
    let line = "evaluate two.csv --list list --impact y --id id --score s --metric rcs@1,ndcg@2:gain=linear";
    let Study(document) = folder.json(&format!("{line} --by g"));
    let frames = document["by"].as_array().expect("by");
    assert_eq!(frames.len(), 2);
    let frame = &frames[0];
    assert_eq!(
        (&frame["score"], &frame["metric"], &frame["column"]),
        (&"s".into(), &"rcs@1".into(), &"g".into())
    );
    let number = |value: &Value| value.as_f64().unwrap_or_else(|| panic!("{value}"));
    let [a, b] = [0, 1].map(|group| &frame["by_group"][group]);
    assert_eq!(
        (&a["group"], &a["n"], &a["lists"], &a["left_out"]),
        (&"A".into(), &2.into(), &1.into(), &1.into())
    );
    assert_near(number(&a["value"]), 4.0 / 9.0);
    assert_near(number(&b["value"]), 10.0 / 14.0);
    assert_near(number(&a["difference"]), 4.0 / 9.0 - 10.0 / 14.0);
    assert_near(number(&frame["difference"]), 10.0 / 14.0 - 4.0 / 9.0);
    assert_near(number(&frame["ratio"]), 4.0 / 9.0 / (10.0 / 14.0));
    assert_near(number(&frame["overall"]), 10.0 / 15.0);
    assert!(number(&a["p"]) > 0.1 && number(&a["p_corrected"]) >= number(&a["p"]));
    // The groups do not change what is measured of all items.
    let Study(plain) = folder.json(line);
    assert_eq!(
        (&plain["results"][0], plain["by"].as_array().map(Vec::len)),
        (&document["results"][0], Some(0))
    );
    let text = on_one_line(&folder.ok(&format!("{line} --by g")));
    assert!(text.contains("S BY G") && text.contains("lists restricted to them"), "{text}");
    // Numbers may be groups; of items without one somebody has to decide.
    let refused = |more: &str| on_one_line(&folder.run(&format!("{line} {more}")).err);
    assert!(refused("--by h").contains("the group `h` is missing"));
    assert!(refused("--by gg").contains("`gg`"));
    assert!(refused("--missing-group drop").contains("--by"));
    let Study(own) = folder.json(&format!("{line} --by h --missing-group own"));
    assert_eq!(own["by"][0]["by_group"].as_array().map(Vec::len), Some(2));
    let without = "evaluate two.csv --list list --impact y --by g";
    assert!(folder.run(without).err.contains("--by looks at scores"));
}

/// Where orders do well: by what could be saved in lists, and by what it costs to get pairs wrong.
#[test]
fn by_severity_and_by_pair_cost() {
    let folder = Folder::with_storms();
    let line = format!("{BY_BOTH} --metric r,rcs -k 2 --by-severity --by-pair-cost product");
    let Study(found) = folder.json(&line);
    let row = |score: &str, metric: &str| {
        let rows = found["by_severity"].as_array().expect("rows");
        let row = rows.iter().find(|row| row["score"] == score && row["metric"] == metric);
        row.map(|row| row["fifths"].clone()).expect("a row")
    };
    // The small storm first: cable is bad there, and perfect in the large one.
    for metric in ["r@2", "rcs@2"] {
        let cable = row("cable", metric);
        assert_eq!(cable.as_array().map(Vec::len), Some(2));
        assert_near(cable[0]["value"].as_f64().expect("a value"), 0.5 / 100.5);
        assert_eq!((&cable[1]["value"], &cable[1]["lists"]), (&1.0.into(), &1.into()));
        assert_eq!((&cable[0]["from"], &cable[1]["to"]), (&100.5.into(), &10050.0.into()));
    }
    // Products of costs: 10000 x 100 in the first storm, 100 x 1 in the second, and four pairs of 0.
    let cable = &found["by_pair_cost"][0]["classes"];
    let class = |at: usize, key: &str| cable[at][key].as_f64().expect("a number");
    let all: Vec<[f64; 3]> =
        (0..3).map(|at| [class(at, "to"), class(at, "pairs"), class(at, "in_order")]).collect();
    assert_eq!(all, [[0.0, 4.0, 0.5], [100.0, 1.0, 0.0], [1e6, 1.0, 1.0]]);
    let text = on_one_line(&folder.ok(&line));
    assert!(
        text.contains("BY SEVERITY") && text.contains("PAIRS IN ORDER BY THEIR COST"),
        "{text}"
    );
    let bare = "evaluate storms.csv --list storm --impact customers";
    for flag in ["--by-severity", "--by-pair-cost mean"] {
        assert!(folder.run(&format!("{bare} {flag}")).err.contains("looks at scores"), "{flag}");
    }
    let err = on_one_line(&folder.run(&format!("{BY_BOTH} --by-pair-cost sum")).err);
    assert!(err.contains("allowed are difference, product, mean, max"), "{err}");
}

/// Fürnkranz and Hüllermeier 2010: two sets of preferences, neither total nor closed.
#[test]
fn files_of_preferences() {
    let folder = Folder::with_storms();
    folder.write("target.csv", "better,worse\nE,B\nB,C\n");
    folder.write("predicted.csv", "better,worse\nB,E\nB,C\nE,C\n");
    let line = "evaluate target.csv --preferences predicted.csv";
    let Study(found) = folder.json(line);
    let number = |key: &str| found[key].as_f64().expect("a number");
    for (key, expected) in [
        ("gamma", 0.0),
        ("jaccard", 0.25),
        ("precision", 1.0 / 3.0),
        ("recall", 0.5),
        ("f1", 0.4),
        ("kendall", 1.0),
    ] {
        assert_near(number(key), expected);
    }
    let text = on_one_line(&folder.ok(line));
    assert!(text.contains("1 in both, 1 the other way round"), "{text}");
    // Lists keep preferences apart.
    folder.write("a.csv", "list,better,worse\n1,x,y\n2,y,x\n");
    folder.write("b.csv", "list,better,worse\n1,x,y\n2,x,y\n");
    let Study(found) = folder.json("evaluate a.csv --preferences b.csv");
    assert_eq!((&found["agreed"], &found["inverted"]), (&1.into(), &1.into()));
    for (text, words) in [
        ("better,worse\nx,y\ny,x\n", "x.csv:3: `y` is preferred to `x` here"),
        ("better,worse\nx,x\n", "preferred to itself"),
        ("better,best\nx,y\n", "`worse`"),
        ("list,better,worse\n1,x,y\n", "both need it, or neither"),
    ] {
        folder.write("x.csv", text);
        let ran = folder.run("evaluate target.csv --preferences x.csv");
        assert!(ran.code != 0 && on_one_line(&ran.err).contains(words), "{}", ran.err);
    }
    assert_ne!(folder.run(&format!("{line} --score x")).code, 0);
}
