//! `stakes train`: from a file to a model, the same bytes however it comes about.

use crate::common::{Folder, ROLES, Ran, on_one_line, plain};

/// Small and quick.
const SMALL: &str = "-k 4 --rounds 12 --leaves 8";

fn train(folder: &Folder, more: &str) -> Ran {
    let plain = plain(more);
    folder.run(&format!("train s.csv {plain} {ROLES} {SMALL} {more}"))
}

/// Trains and gives the model's bytes.
fn model(folder: &Folder, more: &str) -> Vec<u8> {
    let ran = train(folder, &format!("{more} --quiet -o m.json"));
    assert_eq!((ran.code, ran.out.as_str(), ran.err.as_str()), (0, "", ""), "{more}");
    folder.bytes("m.json")
}

#[test]
fn the_whole_path() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("split s.csv {ROLES} --hold-out 25% -o train.csv test.csv"));
    let out = folder.ok(&format!(
        "train train.csv --learner lambdamart {ROLES} {SMALL} --rate 0.2 -o model.json --statistics"
    ));
    for words in [
        "lambdamart: ",
        "rounds kept, with 5 trees each",
        "trained on ",
        "cross-validated in 5 folds",
        "rcs@4",
        "plain regression (mart)",
        "best single feature",
        "random order",
        "ideal order",
        "95% intervals, Student's t over lists",
        "lambdamart against ",
        "(randomisation)",
        "most important features, by share of gain",
        "next: stakes rank model.json NEW.csv",
    ] {
        assert!(out.contains(words), "`{words}` is not in: {out}");
    }
    assert_eq!(folder.names(), ["model.json", "s.csv", "test.csv", "train.csv"]);
    folder.ok("rank model.json test.csv -o ranked.csv");
    let study = folder
        .json(&format!("evaluate test.csv {ROLES} --score-file model=ranked.csv --metric rcs@4"));
    let [model, random] = ["model", "random"].map(|score| study.value(score, "rcs@4"));
    assert!(model > random + 0.1, "{model} beside {random}");
}

#[test]
fn neither_threads_nor_the_order_of_rows_change_a_byte() {
    let folder = Folder::with_generated_storms();
    folder.shuffle("s.csv", "shuffled.csv");
    assert_ne!(folder.text("s.csv"), folder.text("shuffled.csv"));
    for learner in ["cs-mart", "two-part", "random-forest"] {
        let one = model(&folder, &format!("--learner {learner} --threads 1"));
        for threads in [2, 7] {
            let other = model(&folder, &format!("--learner {learner} --threads {threads}"));
            assert!(other == one, "{learner} with {threads} threads");
        }
        let line = format!("train shuffled.csv {ROLES} {SMALL} --learner {learner} -q -o n.json");
        folder.ok(&line);
        assert!(folder.bytes("n.json") == one, "{learner} with rows in another order");
    }
    assert_ne!(model(&folder, "--seed 1"), model(&folder, "--seed 2"));
}

#[test]
fn an_interrupted_run_ends_as_if_it_had_not_been() {
    let folder = Folder::with_generated_storms();
    for learner in ["cr-mart", "two-part", "random-forest"] {
        let learner = format!("--learner {learner} -p rows=0.7 --hold-out 20%");
        let whole = model(&folder, &learner);
        for stop in [1, 5, 11, 14] {
            let line = format!("{learner} -o i.json --stop-after {stop}");
            let ran = train(&folder, &line);
            assert_eq!(ran.code, 0, "{}", ran.err);
            // 12 rounds are made in one stage or in two.
            let unfinished = stop < 12 || learner.contains("two-part");
            assert_eq!(ran.err.contains("; continue with --resume"), unfinished, "{}", ran.err);
            assert_eq!(folder.names().contains(&"i.json.checkpoint".into()), unfinished);
            if !unfinished {
                continue;
            }
            let round = if stop < 12 { stop } else { stop - 12 };
            let words = format!("note: interrupted after round {round}");
            assert!(ran.err.contains(&words), "{words} is not in {}", ran.err);
            assert!(ran.out.contains("interrupted"), "{}", ran.out);
            // What was saved is a model.
            folder.ok("rank i.json s.csv -o ranked.csv");
            let ran = train(&folder, &format!("{learner} -o i.json --resume --quiet"));
            assert_eq!(ran.code, 0, "{}", ran.err);
            assert!(folder.bytes("i.json") == whole, "{learner} stopped after {stop}");
            assert!(!folder.names().contains(&"i.json.checkpoint".into()));
        }
    }
}

#[test]
fn a_run_may_be_interrupted_many_times() {
    let folder = Folder::with_generated_storms();
    let whole = model(&folder, "");
    train(&folder, "-o i.json --stop-after 3 --checkpoint-every 0").ok("");
    for _ in 0..3 {
        train(&folder, "-o i.json --stop-after 3 --resume").ok("");
    }
    assert!(folder.bytes("i.json") == whole);
    assert!(!folder.names().contains(&"i.json.checkpoint".into()));
}

#[test]
fn a_checkpoint_belongs_to_its_run() {
    let folder = Folder::with_generated_storms();
    let ran = train(&folder, "-o m.json --resume");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("m.json.checkpoint: there is no unfinished run"), "{}", ran.err);
    train(&folder, "-o m.json --stop-after 3").ok("");
    let (checkpoint, best) = (folder.bytes("m.json.checkpoint"), folder.bytes("m.json"));
    for other in
        ["--seed 9", "--rate 0.5", "--learner lambdamart", "--cost 'y / 2'", "--hold-out 3"]
    {
        let ran = train(&folder, &format!("-o m.json --resume {other}"));
        assert_eq!(ran.code, 1, "{other}");
        assert!(ran.err.contains("the checkpoint is of another run"), "{other}: {}", ran.err);
        assert!(folder.bytes("m.json.checkpoint") == checkpoint && folder.bytes("m.json") == best);
    }
    folder.write("m.json.checkpoint", &checkpoint[..checkpoint.len() / 2]);
    let ran = train(&folder, "-o m.json --resume");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("m.json.checkpoint:") && ran.err.contains("trunc"), "{}", ran.err);
    // A new run does not look at it.
    train(&folder, "-o m.json").ok("");
    assert!(!folder.names().contains(&"m.json.checkpoint".into()));
}

#[cfg(unix)]
#[test]
fn ctrl_c_keeps_the_best_so_far() {
    for signal in ["-INT", "-TERM", "-HUP"] {
        let folder = Folder::with_generated_storms();
        let line = format!(
            "train s.csv --learner cs-mart -p start=none {ROLES} -k 4 --rounds 100000 --patience 0 --checkpoint-every 0 \
             --no-baseline -o m.json"
        );
        // The checkpoint shows that a round has been made.
        let ran = folder.interrupted(&line, signal, "m.json.checkpoint");
        assert_eq!(ran.code, 130, "{}", ran.err);
        assert!(ran.err.contains("note: interrupted after round "), "{}", ran.err);
        assert!(ran.err.contains("is in m.json; continue with --resume"), "{}", ran.err);
        folder.ok("rank m.json s.csv -o r.csv");
    }
}

#[test]
fn a_model_can_be_gone_on_from() {
    let folder = Folder::with_generated_storms();
    train(&folder, "-o first.json --hold-out none -q").ok("");
    train(&folder, "-o more.json --hold-out none -q --continue first.json").ok("");
    let trees = |name: &str| folder.json(&format!("model info {name}")).0["trees"].as_u64();
    assert_eq!((trees("first.json"), trees("more.json")), (Some(12), Some(24)));
    let ran = train(&folder, "-o more.json --continue first.json --learner mart");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("error: the model to continue from was trained by"), "{}", ran.err);
    // What the model does not know of the data is told.
    folder.write("s.csv", folder.text("s.csv").replace(",cedar,", ",bamboo,"));
    let ran = train(&folder, "-o more.json --hold-out none --continue first.json");
    assert!(ran.err.contains("of pole_material unknown to the model"), "{}", ran.err);
    let ran = train(&folder, "-o more.json --drop wind_max_ms --continue first.json");
    assert!(ran.code == 1 && ran.err.contains("`wind_max_ms`"), "{}", ran.err);
    let ran = train(&folder, "-o more.json --continue nowhere.json");
    assert!(ran.err.contains("nowhere.json: there is no such file"), "{}", ran.err);
}

#[test]
fn lists_to_judge_by() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("split s.csv {ROLES} --hold-out 6 -o a.csv b.csv"));
    let sides = |more: &str| {
        let json = train(&folder, &format!("{more} --no-baseline -o m.json --json")).ok(more);
        let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
        (json["train"]["lists"].clone(), json["valid"]["lists"].clone(), json)
    };
    let ran =
        folder.run(&format!("train a.csv --learner cs-mart -p start=none {ROLES} {SMALL} --drop date --valid b.csv -o m.json"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    assert!(ran.out.contains(" in 6 lists of b.csv\n"), "{}", ran.out);
    // What was learnt from is a bad judge.
    let ran = folder.run(&format!(
        "train a.csv --learner cs-mart -p start=none {ROLES} {SMALL} --valid s.csv -o m.json"
    ));
    let words = "note: 18 lists of s.csv with the name of a training list";
    assert!(ran.code == 0 && ran.err.contains(words), "{}", ran.err);
    let (train_lists, valid_lists, _) = sides("--hold-out 6");
    assert_eq!((train_lists, valid_lists), (18.into(), 6.into()));
    // The same lists as by split, with the same draw.
    let by_hold_out = folder.bytes("m.json");
    folder.ok(&format!(
        "train a.csv --learner cs-mart -p start=none {ROLES} {SMALL} --valid b.csv -q -o n.json"
    ));
    assert!(folder.bytes("n.json") == by_hold_out);
    // Nothing held out: every round is made, and no figure is claimed.
    let (_, none, json) = sides("--hold-out none");
    assert!(none.is_null() && json["results"] == serde_json::json!([]), "{json:#}");
    let ran = train(&folder, "--hold-out 0 -o m.json");
    assert!(ran.out.contains("there is no unbiased figure"), "{}", ran.out);
    // Time decides where it is known.
    let out = train(&folder, "--time date -o m.json --no-baseline").ok("");
    assert!(out.contains("held out, the latest"), "{out}");
    // Few lists are all learnt from, and that is said.
    let four: Vec<String> = (1..=4).map(|i| format!("storm-00{i},")).collect();
    let rows = folder.text("s.csv");
    let kept =
        rows.lines().enumerate().filter(|(i, row)| *i == 0 || four.iter().any(|s| row.contains(s)));
    let kept: Vec<&str> = kept.map(|(_, row)| row).collect();
    folder.write("four.csv", kept.join("\n") + "\n");
    let ran = folder
        .run(&format!("train four.csv --learner cs-mart -p start=none {ROLES} {SMALL} -o m.json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("with a cost to save: none is held out"), "{}", ran.err);
}

/// The same rows, other codes: the colours appear in another order, the columns too.
#[test]
fn another_file_may_have_other_codes_and_another_order_of_columns() {
    let folder = Folder::new();
    let row =
        |list: usize, i: usize| (list, i, ["red", "blue", "green"][i % 3], (i * 7 + list) % 5);
    let rows =
        |lists: std::ops::Range<usize>| lists.flat_map(move |l| (0..9).map(move |i| row(l, i)));
    let cost = |colour: &str, x: usize| if colour == "blue" { 10 * x } else { x };
    let straight = |lists| -> String {
        let lines = rows(lists)
            .map(|(l, i, colour, x)| format!("{l},{i},{colour},{x},{}\n", cost(colour, x)));
        "list,id,colour,x,y\n".to_owned() + &lines.collect::<String>()
    };
    folder.write("t.csv", straight(0..20));
    folder.write("v.csv", straight(20..26));
    let turned: Vec<String> = rows(20..26)
        .map(|(l, i, colour, x)| format!("{x},{},new,{colour},{i},{l}\n", cost(colour, x)))
        .rev()
        .collect();
    folder.write("w.csv", "x,y,extra,colour,id,list\n".to_owned() + &turned.concat());
    let line = "train t.csv --learner cs-mart -p start=none --list list --id id --impact y -k 2 --rounds 8 -p min-rows=2 --no-baseline";
    folder.ok(&format!("{line} --valid v.csv -q -o v.json"));
    let ran = folder.run(&format!("{line} --valid w.csv -o w.json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("w.csv: left out 1 column that t.csv does not have"), "{}", ran.err);
    assert!(folder.bytes("v.json") == folder.bytes("w.json"));
    // Names that were not learnt from are told; what is left out need not be there.
    folder.write("n.csv", "list,id,colour,x,y\n30,1,red,2,3\n30,2,pink,2,4\n");
    let ran = folder.run(&format!("{line} --valid n.csv -o n.json"));
    let words =
        "note: n.csv: 1 category of colour that t.csv does not have, treated as missing: pink\n";
    assert_eq!((ran.code, ran.err.as_str()), (0, words));
    folder.write("d.csv", "list,id,x,y\n30,1,2,3\n30,2,5,4\n");
    let ran = folder.run(&format!("{line} --drop colour --valid d.csv -o d.json"));
    assert_eq!((ran.code, ran.err.as_str()), (0, ""));
    folder.write("x.csv", "list,id,colour,xx,y\n1,1,red,2,3\n");
    let ran = folder.run(&format!("{line} --valid x.csv -o x.json"));
    assert_eq!(ran.code, 1);
    let words = "x.csv: features of t.csv are missing: `x`";
    assert!(ran.err.contains(words), "{}", ran.err);
}

/// In LETOR a feature that is not mentioned is 0, also if no row mentions it.
#[test]
fn sparse_files_may_lack_features() {
    let folder = Folder::new();
    let file = |lists: std::ops::Range<usize>, last: bool| -> String {
        let rows = lists.flat_map(|list| (0..6).map(move |i| (list, i)));
        rows.map(|(list, i)| {
            let third = if last { format!(" 3:{}", i % 2) } else { String::new() };
            format!("{} qid:{list} 1:{i} 2:{}{third}\n", i % 3, (i * list) % 5)
        })
        .collect()
    };
    folder.write("t.txt", file(1..12, true));
    folder.write("v.txt", file(12..16, false));
    folder.write("w.txt", file(12..16, false).replace('\n', " 3:0\n"));
    for valid in ["v", "w"] {
        folder.ok(&format!(
            "train t.txt --learner cs-mart -p start=none --valid {valid}.txt -k 2 --rounds 5 -p min-rows=2 -q -o {valid}.json"
        ));
        folder.ok(&format!("rank v.json {valid}.txt -o {valid}.csv"));
    }
    assert!(folder.bytes("v.json") == folder.bytes("w.json"));
    assert_eq!(folder.text("v.csv"), folder.text("w.csv"));
}

#[test]
fn k_in_percent_a_budget_and_the_metric_are_in_the_goal() {
    let folder = Folder::with_generated_storms();
    let goal = |more: &str| {
        let plain = plain(more);
        let line =
            format!("train s.csv {plain} {ROLES} --rounds 2 --no-baseline -q -o g.json {more}");
        folder.ok(&line);
        folder.json("model info g.json").0["goal"].clone()
    };
    // 480 items in 24 lists: a mean of 20.
    assert_eq!(goal("-k 12.5%")["k"], "3");
    assert_eq!(goal("-k 12.5%")["metric"], "rcs@3");
    assert_eq!(goal("-k 7 --policy step")["metric"], "rcs@7:policy=step");
    assert_eq!(goal("--metric ndcg@10%:gain=linear")["metric"], "ndcg@2:gain=linear");
    assert_eq!(goal("--metric rcs@6")["k"], "6");
    let budget = goal("--budget 100");
    assert!(budget["k"].is_null() && budget["budget"] == "100", "{budget}");
    assert!(budget["metric"].as_str().is_some_and(|m| m.contains("budget=100")), "{budget}");
    assert_eq!(budget["columns"]["list"], "storm");
    let ran = folder.run(&format!(
        "train s.csv --learner cs-mart -p start=none {ROLES} --rounds 2 --no-baseline -o g.json"
    ));
    assert!(ran.err.contains("note: k = 10; say how many"), "{}", ran.err);
}

#[test]
fn the_json_is_the_documented_contract() {
    let folder = Folder::with_generated_storms();
    let json = train(&folder, "--hold-out 20% -o m.json --json").ok("");
    let json: serde_json::Value = serde_json::from_str(&json).expect("JSON");
    for key in "stakes model learner parameters seed goal train valid seconds interrupted stages \
                results comparisons importance"
        .split_whitespace()
    {
        assert!(!json[key].is_null(), "{key} in {json:#}");
    }
    assert_eq!(json["stages"][0]["made"], 12);
    let results = json["results"].as_array().expect("results");
    let scores: Vec<_> = results.iter().filter_map(|row| row["score"].as_str()).collect();
    let expected = ["cs-mart", "plain regression (mart)", "best-feature", "random", "ideal"];
    assert_eq!(scores, expected);
    assert_eq!(json["comparisons"].as_array().map(Vec::len), Some(1));
    assert_eq!(json["comparisons"][0]["score"], "cs-mart");
    let gains = json["importance"].as_array().expect("importance").iter();
    let total: f64 = gains.filter_map(|row| row["gain"].as_f64()).sum();
    assert!((total - 1.0).abs() < 1e-9, "{total}");
    // A regression is not compared with itself.
    let json = train(&folder, "-o m.json --json --learner mart").ok("");
    assert!(!json.contains("plain regression"));
}

#[test]
fn what_cannot_be_learnt_is_refused_before_it_is_tried() {
    let folder = Folder::with_generated_storms();
    folder.write("bad.csv", "l,y,x\na,1,1\na,-2,2\nb,1,inf\n");
    folder.write("none.csv", "l,y\na,1\nb,2\n");
    std::fs::create_dir(folder.path("folder.json")).expect("a folder");
    let before = folder.names();
    let cases = [
        ("--learner cs-marrt -o m.json", 2, "did you mean `cs-mart`?"),
        ("-p leafs=3 -o m.json", 1, "has no parameter `leafs`; did you mean `leaves`?"),
        ("-p leaves -o m.json", 1, "`leaves` is not a parameter; write KEY=VALUE"),
        ("-p leaves=1 -o m.json", 1, "leaves is `1`; allowed is 2 to 4096"),
        ("-p rate=nan -o m.json", 1, "rate is `nan`; allowed is above 0, up to 1"),
        ("--rate 0.1 -p rate=0.2 -o m.json", 1, "parameter `rate` is given twice"),
        ("--learner random-forest --patience 3 -o m.json", 1, "has no parameter `patience`"),
        ("--metric rcss -o m.json", 1, "there is no metric `rcss`"),
        ("--metric rcs@5,ndcg@5 -o m.json", 1, "--metric names 2 metrics"),
        ("-o model.csv", 1, "model.csv: models are JSON; give the file a name"),
        ("-o -", 1, "models are JSON"),
        ("-o folder.json", 1, "folder.json: this is a folder"),
        ("-o nowhere/m.json", 1, "nowhere/m.json: cannot be written: the folder does not exist"),
        ("", 2, "--output <FILE>"),
        ("--valid s.csv --hold-out 20% -o m.json", 2, "cannot be used with"),
        ("--hold-out 120% -o m.json", 2, "`120%` is not a part of the lists"),
        ("--hold-out 24 -o m.json", 1, "24 lists cannot be held out of 24 lists"),
        ("--valid s.csv -o m.json", 1, "--valid is s.csv, the training data"),
        ("--valid nowhere.csv -o m.json", 1, "nowhere.csv: there is no such file"),
        ("--stop-after 0 -o m.json", 2, "'--stop-after <N>'"),
        ("--quiet --verbose -o m.json", 2, "cannot be used with"),
        ("-p monotone=wnid:+ -o m.json", 1, "wnid"),
    ];
    for (more, code, words) in cases {
        let plain = plain(more);
        let ran = folder.run(&format!("train s.csv {plain} {ROLES} -k 4 --rounds 2 {more}"));
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{more}: {}", ran.err);
        assert!(ran.err.contains("error: ") && ran.err.contains(words), "{more}: {}", ran.err);
        assert!(!ran.err.contains("panicked"), "{more}: {}", ran.err);
        assert_eq!(folder.names(), before, "{more} left a file behind");
    }
    let files = [
        ("bad.csv --list l --impact y", "bad.csv:3 (list a): y is -2; it must be"),
        ("bad.csv --list l --impact x --drop y", "bad.csv:4 (list b): x is inf"),
        ("none.csv --list l --impact y", "the data have no features"),
        ("none.csv --list l", "no impact column is named"),
    ];
    for (file, words) in files {
        let ran =
            folder.run(&format!("train {file} --learner cs-mart -p start=none -k 1 -o m.json"));
        assert_eq!((ran.code, ran.out.as_str()), (1, ""), "{file}: {}", ran.err);
        assert!(ran.err.contains(words), "{file}: {}", ran.err);
        assert_eq!(folder.names(), before, "{file} left a file behind");
    }
}

#[test]
fn names_that_teach_little_are_told() {
    let folder = Folder::new();
    let mut text = "l,y,day,zip\n".to_owned();
    for i in 0..600 {
        text += &format!("{},{},2020-01-{:02},z{}\n", i % 6, i % 7, 1 + i % 6, i % 300);
    }
    folder.write("t.csv", text);
    let line = "train t.csv --learner cs-mart -p start=none --list l --impact y -k 3 --rounds 2 --no-baseline -o m.json";
    let err = folder.run(line).err;
    assert!(err.contains("note: day holds dates and is used as 6 categories"), "{err}");
    assert!(err.contains("note: zip has 300 categories: the 255 most frequent are dist"), "{err}");
    assert_eq!(
        folder.run(&format!("{line} --time day --drop zip")).err,
        "error: the data have no \
        features: there is nothing to train with\n"
    );
}

#[test]
fn a_model_that_learnt_nothing_says_so() {
    let folder = Folder::new();
    folder.write("few.csv", "l,y,x\na,1,1\na,5,2\na,0,1\n");
    let line = "train few.csv --learner cs-mart -p start=none --list l --impact y -k 1 -o m.json";
    let out = folder.ok(line);
    assert!(out.contains("nothing was learned: every item gets the same score"), "{out}");
    let out = folder.ok(&format!("{line} -p min-rows=1"));
    assert!(!out.contains("nothing was learned"), "{out}");
    let ran = folder.run(&format!("{line} --hold-out 1"));
    assert!(ran.err.contains("held out of 1 list with something to save"), "{}", ran.err);
    folder.write("zero.csv", "l,y,x\na,0,1\na,0,2\nb,0,1\n");
    let ran = folder
        .run("train zero.csv --learner cs-mart -p start=none --list l --impact y -k 1 -o m.json");
    assert!(ran.err.starts_with("error: every cost is 0"), "{}", ran.err);
}

#[test]
fn odd_data_end_in_a_model_or_a_word() {
    let folder = Folder::new();
    let cases = [
        ("nothing to save", "l,y,x\na,0,1\na,0,2\nb,0,1\n"),
        ("one list", "l,y,x\na,1,1\na,5,2\na,0,1\n"),
        ("one item", "l,y,x\na,1,1\n"),
        ("constant feature", "l,y,x\na,1,1\na,5,1\nb,0,1\nb,3,1\n"),
        ("empty feature", "l,y,x\na,1,\na,5,\nb,0,\nb,3,\n"),
        ("huge costs", "l,y,x\na,1e300,1\na,1e308,2\nb,0,1\nb,1e-300,3\n"),
        ("lists of one", "l,y,x\na,1,1\nb,2,2\nc,3,3\nd,4,4\ne,5,5\nf,6,6\n"),
    ];
    for (what, text) in cases {
        folder.write("odd.csv", text);
        for learner in ["cs-mart", "cr-mart", "mart", "cs-listnet-mart", "two-part", "tweedie-mart"]
        {
            for more in ["", "--hold-out 1"] {
                let line = format!(
                    "train odd.csv --list l --impact y -k 1 --rounds 3 -p min-rows=1 \
                     --learner {learner} -o m.json {more}"
                );
                let ran = folder.run(&line);
                assert!(!ran.err.contains("panicked"), "{what}: {line}\n{}", ran.err);
                match ran.code {
                    0 => {
                        assert!(!ran.out.contains("NaN"), "{what}: {line}\n{}", ran.out);
                        let ranked = folder.ok("rank m.json odd.csv");
                        assert!(!ranked.contains("NaN") && !ranked.contains("inf"), "{ranked}");
                    }
                    1 => assert!(ran.err.contains("error: "), "{what}: {line}\n{}", ran.err),
                    code => panic!("{what}: {line} ends with {code}\n{}", ran.err),
                }
            }
        }
    }
}

/// What people get who name no learner.
#[test]
fn by_default_it_is_a_blend() {
    let folder = Folder::with_generated_storms();
    let line = format!("train s.csv {ROLES} -k 4 --effort low --rounds 20 --no-baseline");
    let ran = folder.run(&format!("{line} -o m.json"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("cross-validating 2 learners (5 folds)"), "{}", ran.err);
    for words in [
        "blend (weight, learner, cross-validated cost saved):",
        "cs-mart",
        "each list was scored by models that were not trained on it",
    ] {
        assert!(ran.out.contains(words), "`{words}` is not in: {}", ran.out);
    }
    folder.shuffle("s.csv", "shuffled.csv");
    let again = line.replace("s.csv", "shuffled.csv");
    for threads in [1, 7] {
        folder.ok(&format!("{again} --threads {threads} -q -o n.json"));
        assert!(folder.bytes("n.json") == folder.bytes("m.json"), "{threads} threads");
    }
    // Left in the first member, in a fold and in the last training, and taken up.
    for rounds in [3, 70, 100] {
        let ran = folder.run(&format!("{line} --stop-after {rounds} -o n.json"));
        assert!(ran.err.contains("continue with --resume"), "{}", ran.err);
        folder.ok("rank n.json s.csv -o r.csv");
        folder.ok(&format!("{line} --resume -q -o n.json"));
        assert!(folder.bytes("n.json") == folder.bytes("m.json"), "after {rounds} rounds");
    }
    let info = folder.ok("model info m.json");
    assert!(info.contains("cs-mart"), "{info}");
    let refused = folder.run(&format!("{line} --leaves 8 -o m.json"));
    assert!(refused.code != 0 && refused.err.contains("auto has no parameter `leaves`"));
}

#[test]
fn trainings_on_ray_need_the_program_of_python() {
    let folder = Folder::with_storms();
    for command in ["train storms.csv -o m.json", "compare storms.csv", "backtest storms.csv"] {
        let ran = folder.run(&format!("{command} {ROLES} --ray auto"));
        assert_eq!(ran.code, 1);
        let said = on_one_line(&ran.err);
        assert!(said.contains("--ray auto: this program cannot reach Ray"), "{said}");
        assert!(said.contains("pip install the wheel of stakes, and ray"), "{said}");
    }
    for line in ["train storms.csv -o m.json --stop-after 3", "compare storms.csv --show-folds"] {
        let ran = folder.run(&format!("{line} {ROLES} --ray auto"));
        assert_eq!(ran.code, 2);
        assert!(ran.err.contains("cannot be used with"), "{}", ran.err);
    }
}
