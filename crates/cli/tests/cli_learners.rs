//! `stakes learners`: the table, and that every row of it learns.

use crate::common::{Folder, ROLES, on_one_line};

#[test]
fn every_learner_is_listed_and_works() {
    let folder = Folder::with_generated_storms();
    let rows: Vec<serde_json::Value> =
        serde_json::from_str(&folder.ok("learners --json")).expect("a list");
    assert!(rows.len() >= 8, "{}", rows.len());
    let table = on_one_line(&folder.ok("learners"));
    for row in &rows {
        let name = row["name"].as_str().expect("a name");
        for key in ["title", "optimises", "cost", "citation"] {
            let text = row[key].as_str().unwrap_or_default();
            assert!(!text.is_empty() && table.contains(text), "{key} of {name}");
        }
        let one = on_one_line(&folder.ok(&format!("learners {name}")));
        let mut defaults = Vec::new();
        for param in row["parameters"].as_array().expect("parameters") {
            let [key, default, allowed, help] =
                ["key", "default", "allowed", "help"].map(|k| param[k].as_str().expect(k));
            for words in [&format!("{key}={default}"), allowed, help] {
                assert!(one.contains(words), "`{words}` of {name}: {one}");
            }
            let tries = param["tries"].as_array().expect("tries");
            if !tries.is_empty() {
                let tries: Vec<&str> = tries.iter().filter_map(|value| value.as_str()).collect();
                assert!(one.contains(&format!("tuned {}", tries.join(" | "))), "{one}");
            }
            if !["rounds", "nodes"].contains(&key) {
                defaults.push(format!("-p {key}={default}"));
            }
        }
        // Every default can be given, and says nothing new.
        let has = |key: &str| {
            row["parameters"].as_array().expect("p").iter().any(|param| param["key"] == key)
        };
        let rounds = if has("rounds") { "--rounds 3" } else { "" };
        // A limit in seconds leaves traces of the clock.
        let nodes = if has("nodes") { "-p nodes=20" } else { "" };
        let line = format!("train s.csv {ROLES} -k 3 {rounds} {nodes} --learner {name} -q -o");
        folder.ok(&format!("{line} a.json"));
        folder.ok(&format!("{line} b.json {}", defaults.join(" ")));
        assert!(folder.bytes("a.json") == folder.bytes("b.json"), "{name}");
        for alias in row["aliases"].as_array().expect("aliases") {
            let alias = alias.as_str().expect("an alias");
            assert_eq!(on_one_line(&folder.ok(&format!("learners {alias}"))), one);
        }
    }
}

#[test]
fn a_slip_is_told() {
    let folder = Folder::new();
    let ran = folder.run("learners lamdamart");
    assert_eq!((ran.code, ran.out.as_str()), (2, ""));
    assert!(
        ran.err.contains("there is no learner `lamdamart`; did you mean `lambdamart`?"),
        "{}",
        ran.err
    );
    let one = folder.ok("learners mart --json");
    let one: serde_json::Value = serde_json::from_str(&one).expect("JSON");
    assert_eq!(one["name"], "mart");
}

#[test]
fn the_help_of_each_command_names_its_flags() {
    let folder = Folder::new();
    let columns = "--list --impact --id --group --weight --price --time --drop --categorical \
                   --numeric --missing-impact --format --threads";
    let cases = [
        ("--help", "train rank model split learners"),
        ("train --help", columns),
        (
            "train --help",
            "--learner --output --cost --k --policy --budget --metric --valid --hold-out --param \
             --rounds --leaves --rate --patience --tune --seed --continue --resume --checkpoint-every \
             --stop-after --no-baseline --quiet --json",
        ),
        ("rank --help", columns),
        ("rank --help", "--k --budget --top --list-id --output --to"),
        ("split --help", "--hold-out --output --seed"),
        ("learners --help", "--json"),
        ("model info --help", "--json"),
        ("model diff --help", "--json"),
    ];
    for (line, words) in cases {
        let out = folder.ok(line);
        for word in words.split_whitespace() {
            assert!(out.contains(word), "{word} is not in stakes {line}");
        }
    }
}

#[test]
fn names_of_other_programs_are_understood_or_answered() {
    let folder = Folder::with_generated_storms();
    let train = |parameters: &str| {
        let roles = crate::common::ROLES;
        folder.run(&format!(
            "train s.csv {roles} --hold-out 6 --learner mart -p {parameters} --no-baseline -q -o m.json"
        ))
    };
    let understood = "iterations=4,eta=0.1,num_leaves=5,depth=3,max_bin=63,min_data_in_leaf=5,\
                      feature_fraction=0.9,bagging_fraction=0.9,reg_lambda=1,early_stopping_rounds=3";
    train(understood).ok(understood);
    let model: serde_json::Value = serde_json::from_str(&folder.text("m.json")).expect("JSON");
    for (key, value) in [
        ("rounds", "4"),
        ("rate", "0.1"),
        ("leaves", "5"),
        ("depth", "3"),
        ("bins", "63"),
        ("min-rows", "5"),
        ("features", "0.9"),
        ("rows", "0.9"),
        ("l2", "1"),
        ("patience", "3"),
    ] {
        assert_eq!(model["parameters"][key], value, "{key}");
    }
    for (parameter, answer) in [
        ("max_bin=512", "max-bin is `512`; allowed is 2 to 255"),
        ("reg_lambda=1,l2_leaf_reg=2", "parameter `l2` is given twice"),
        ("random_state=1", "it is the seed of the run (--seed N)"),
        ("n_jobs=2", "it is the number of threads (--threads N)"),
        ("objective=lambdarank", "it is the learner itself (--learner NAME)"),
        ("eval_metric=ndcg", "it is the metric of the goal (--metric METRIC)"),
        ("group_column=storm", "the role of a column (--list, --impact or --weight COLUMN)"),
    ] {
        let ran = train(parameter);
        assert!(ran.code == 1 && ran.err.contains(answer), "{parameter}: {}", ran.err);
    }
}

#[test]
fn learners_as_in_their_papers() {
    let folder = Folder::with_generated_storms();
    let one = on_one_line(&folder.ok("learners cs-mart"));
    assert!(one.contains("AS IN ITS PAPER (-p preset=paper, or --as-in-paper)"), "{one}");
    assert!(one.contains("start=none levels=0 rows=1 features=1 rounds=1000 leaves=10"), "{one}");
    assert!(!folder.ok("learners two-part").contains("AS IN ITS PAPER"));
    let entry: serde_json::Value =
        serde_json::from_str(&folder.ok("learners cs-rglist --json")).expect("JSON");
    assert_eq!(entry["presets"]["paper"]["ties"], "order");
    let train = |more: &str, output: &str| {
        folder.run(&format!(
            "train s.csv {ROLES} -k 3 --hold-out 6 --no-baseline -q {more} -o {output}"
        ))
    };
    train("--learner cs-mart --as-in-paper --rounds 3", "a.json").ok("flag");
    train("--learner cs-mart -p rounds=3,preset=paper", "b.json").ok("parameter");
    assert!(folder.bytes("a.json") == folder.bytes("b.json"));
    let model: serde_json::Value = serde_json::from_str(&folder.text("a.json")).expect("JSON");
    for (key, value) in [("start", "none"), ("leaves", "10"), ("rounds", "3")] {
        assert_eq!(model["parameters"][key], value, "{key}");
    }
    for (more, words) in [
        ("--as-in-paper", "learner auto has no preset `paper`"),
        ("--learner two-part -p preset=paper", "learners that have one: cs-mart, cr-mart"),
        ("--learner mart -p preset=book", "preset is `book`; allowed is default | paper"),
        ("--learner mart --as-in-paper -p preset=paper", "`preset` is given twice"),
    ] {
        let ran = train(more, "c.json");
        assert!(ran.code == 1 && ran.err.contains(words), "{more}: {}", ran.err);
    }
}
