//! stakes.toml: what it says is as if it had been typed before the flags.

use serde_json::Value;

use crate::common::{Folder, Ran};

const STORMS: &str = "[columns]
list = 'storm'
impact = 'customers'
id = 'network'

[goal]
k = 1
";

const FLAGS: &str = "--list storm --impact customers --id network --k 1";

fn with_config(text: &str) -> Folder {
    let folder = Folder::with_storms();
    folder.write("stakes.toml", text);
    folder
}

fn refused(folder: &Folder, line: &str, words: &[&str]) {
    let Ran { code, err, .. } = folder.run(line);
    assert_eq!(code, 1, "stakes {line}\n{err}");
    for word in words {
        assert!(err.contains(word), "`{word}` is not in: {err}");
    }
}

#[test]
fn roles_and_goal_are_as_if_typed() {
    let folder = with_config(STORMS);
    for command in [
        "evaluate storms.csv --score wind --json",
        "inspect storms.csv --json",
        "certify storms.csv --score wind --top all -p nodes=50",
    ] {
        let by_file = folder.run(command);
        let note = "note: stakes.toml: list storm, impact customers, id network, k 1\n";
        assert!(by_file.err.contains(note), "stakes {command}\n{}", by_file.err);
        let flags = match command.starts_with("inspect") {
            true => FLAGS.to_owned(),
            false => format!("{FLAGS} --metric rcs"),
        };
        let flags = if command.contains("evaluate") { FLAGS } else { &flags };
        let by_flags = folder.run(&format!("{command} {flags} --config none"));
        assert!(!by_flags.err.contains("stakes.toml"), "{}", by_flags.err);
        let without_seconds = |ran: Ran| {
            let lines = ran.ok(command);
            let lines = lines.lines().filter(|line| !line.contains(" s, "));
            lines.map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(without_seconds(by_file), without_seconds(by_flags), "stakes {command}");
    }
    // Quiet is quiet.
    assert_eq!(folder.run("evaluate storms.csv --score wind --json -q").err, "");
}

#[test]
fn flags_win_over_the_file() {
    let folder = with_config(STORMS);
    let study = folder.json("evaluate storms.csv --score wind --k 2");
    study.row("wind", "rcs@2");
    // The column of one role can be given another one.
    let ran = folder.run("inspect storms.csv --list network --json");
    assert!(ran.err.contains("note: stakes.toml: impact customers, k 1\n"), "{}", ran.err);
    let seen: Value = serde_json::from_str(&ran.ok("inspect")).expect("JSON");
    assert_eq!(seen["lists"]["count"], 6);
    // All of it is said by flags: there is nothing to say about the file.
    let ran = folder.run(&format!("evaluate storms.csv --score wind {FLAGS}"));
    assert!(!ran.err.contains("stakes.toml"), "{}", ran.err);
}

#[test]
fn another_file_can_be_named_or_none() {
    let folder = with_config(STORMS);
    folder.write("other.toml", STORMS.replace("k = 1", "k = 3"));
    let line = "evaluate storms.csv --score wind --json";
    let ran = folder.run(&format!("{line} --config other.toml"));
    assert!(ran.err.contains("note: other.toml: list storm"), "{}", ran.err);
    assert!(ran.ok(line).contains("rcs@3"));
    refused(&folder, &format!("{line} --config none"), &["--impact COLUMN"]);
    refused(&folder, &format!("{line} --config no.toml"), &["no.toml: there is no such file"]);
    // It is looked for beside the data, not where the program runs.
    std::fs::create_dir(folder.path("there")).expect("a folder");
    folder.write("there/storms.csv", crate::common::STORMS);
    refused(&folder, "evaluate there/storms.csv --score wind", &["--impact COLUMN"]);
    // Stdin is beside the current folder.
    let ran = folder.run_with("evaluate - --score wind --json", crate::common::STORMS);
    assert!(ran.ok("evaluate -").contains("rcs@1"));
}

#[test]
fn a_column_that_is_not_there_is_known_to_come_from_the_file() {
    let folder = with_config(&STORMS.replace("'storm'", "'strom'"));
    refused(
        &folder,
        "inspect storms.csv",
        &["storms.csv: there is no column `strom`, which stakes.toml names as list; did you mean \
             `storm`? (--config none ignores the file)"],
    );
    // Not if a flag names another one.
    folder.ok("inspect storms.csv --list storm");
    folder.write("stakes.toml", "[columns]\ndrop = ['x']\n");
    refused(&folder, "inspect storms.csv", &["`x`, which stakes.toml names as drop; there are: "]);
}

#[test]
fn a_damaged_file_is_refused_with_its_line() {
    let folder = with_config("[columns]\nlsit = 'storm'\n");
    for command in
        ["inspect storms.csv", "train storms.csv -o m.json", "split storms.csv -o a.csv b.csv"]
    {
        let words = ["stakes.toml:2: [columns] has no key `lsit`; did you mean `list`?"];
        refused(&folder, command, &words);
    }
    folder.write("stakes.toml", [0xff, 0xfe]);
    refused(&folder, "inspect storms.csv", &["stakes.toml:1: this is not UTF-8"]);
}

#[test]
fn formats_without_columns_ignore_those_of_the_file() {
    let folder = with_config(STORMS);
    folder.write("q.txt", "1 qid:1 1:0.5\n0 qid:1 1:0.2\n2 qid:2 1:0.4\n0 qid:2 1:0.9\n");
    let ran = folder.run("inspect q.txt --json");
    assert!(ran.err.contains("note: stakes.toml: k 1\n"), "{}", ran.err);
    assert_eq!(ran.code, 0, "{}", ran.err);
    folder.write("qrels", "1 0 a 1\n1 0 b 0\n");
    folder.write("run", "1 Q0 a 1 0.5 x\n1 Q0 b 2 0.4 x\n");
    let ran = folder.run("evaluate qrels --run run --json");
    assert!(ran.err.contains("note: stakes.toml: k 1\n"), "{}", ran.err);
    assert!(ran.ok("evaluate").contains("rcs@1"));
}

#[test]
fn training_takes_learner_parameters_and_seed_from_the_file() {
    let folder = Folder::with_generated_storms();
    folder.write(
        "stakes.toml",
        "[columns]\nlist = 'storm'\nimpact = 'customers_out'\nid = 'network'\ndrop = ['date']\n\
         [goal]\nk = 5\nmetric = 'ndcg@4'\n[train]\nlearner = 'mart'\nseed = 3\nhold-out = 6\n\
         [train.parameters]\nnum_leaves = 7\nrounds = 9\n",
    );
    let model = |line: &str| -> Value {
        let line = format!("train s.csv -o m.json {line}");
        let ran = folder.run(&line);
        assert!(ran.err.contains("note: stakes.toml: list storm, "), "{}", ran.err);
        ran.ok(&line);
        serde_json::from_slice(&folder.bytes("m.json")).expect("JSON")
    };
    let by_file = model("");
    assert_eq!(by_file["learner"], "mart");
    assert_eq!(by_file["parameters"]["leaves"], "7");
    assert_eq!(by_file["seed"], "3");
    assert!(by_file.to_string().contains("ndcg@4"));
    let by_flags = model("--leaves 5 --seed 4 -m rcs");
    assert_eq!(by_flags["parameters"]["leaves"], "5");
    assert_eq!(by_flags["parameters"]["rounds"], "9");
    assert_eq!(by_flags["seed"], "4");
    assert!(by_flags.to_string().contains("rcs@5"));
    // Parameters are those of the learner in the file.
    let other = model("--learner lambdamart -p rounds=3");
    assert_eq!(other["parameters"]["leaves"], "31");
}

#[test]
fn a_model_is_used_with_its_own_roles_and_goal() {
    let folder = Folder::with_generated_storms();
    let roles = crate::common::ROLES;
    folder.ok(&format!("train s.csv {roles} --k 5 --learner mart -p rounds=5 -o m.json"));
    let commands = ["rank m.json s.csv", "explain m.json s.csv --repeats 1"];
    let without: Vec<String> = commands.iter().map(|line| folder.ok(line)).collect();
    folder.write("stakes.toml", "[columns]\nlist = 'region'\n[goal]\nk = 1\n");
    let with: Vec<String> = commands.iter().map(|line| folder.ok(line)).collect();
    assert_eq!(with, without);
}

#[test]
fn copies_keep_the_columns_that_are_no_features() {
    let folder = with_config(&format!("{STORMS}\n").replace("id =", "drop = ['wind']\nid ="));
    folder.ok("split storms.csv --hold-out 1 -o a.csv b.csv");
    folder.ok("convert storms.csv -o c.tsv");
    for name in ["a.csv", "b.csv", "c.tsv"] {
        assert!(folder.text(name).contains("wind"), "{name}");
    }
    // What is to be dropped by flag is dropped.
    folder.ok("convert storms.csv --drop wind -o d.csv");
    assert!(!folder.text("d.csv").contains("wind"));
    let ran = folder.run("inspect a.csv");
    assert!(ran.err.contains("1 column left out"), "{}", ran.err);
    assert!(!ran.ok("inspect").contains("wind"));
}

#[test]
fn a_cost_or_a_score_may_read_a_column_that_is_no_feature() {
    let folder = with_config(&STORMS.replace("id =", "drop = ['wind', 'cable']\nid ="));
    let study = folder.json("evaluate storms.csv --score -cable --cost 'customers * wind'");
    study.row("-cable", "rcs@1");
    folder.ok("inspect storms.csv --cost 'customers * wind'");
}

#[test]
fn classes_have_no_use_for_lists_and_goal() {
    let folder = Folder::new();
    let row = |i: usize| format!("{},{},{}\n", i, i % 3, ["a", "b", "c"][i % 3]);
    let rows: String = (0..60).map(row).collect();
    folder.write("c.csv", format!("list,x,kind\n{rows}"));
    folder.write("stakes.toml", "[columns]\nlist = 'list'\ndrop = ['list2']\n[goal]\nk = 3\n");
    let line = "train c.csv --task multiclass --class kind -p rounds=3 -o m.json";
    refused(&folder, line, &["`list2`, which stakes.toml names as drop"]);
    folder.write("stakes.toml", "[columns]\nlist = 'list'\n[goal]\nk = 3\n");
    folder.ok(line);
}

#[test]
fn rows_without_an_impact_are_treated_as_the_file_says() {
    let folder = with_config(&STORMS.replace("id =", "missing-impact = 'drop'\nid ="));
    folder.write("s.csv", "storm,network,wind,customers\n1,a,3,\n1,b,2,5\n1,c,4,6\n");
    let ran = folder.run("inspect s.csv");
    assert!(ran.err.contains("1 row left out"), "{}", ran.err);
    refused(&folder, "inspect s.csv --missing-impact refuse", &["customers is missing"]);
}

#[test]
fn a_group_without_a_list_is_asked_about() {
    let folder = Folder::with_storms();
    let words = [
        "--group storm may mean two things, as no list is named",
        "is --list storm.",
        "[columns] group = 'storm'",
    ];
    let roles = "storms.csv --impact customers --id network --group storm";
    let lines = [
        format!("inspect {roles}"),
        format!("train {roles} -o m.json"),
        format!("evaluate {roles} --score wind"),
        format!("certify {roles} --score wind"),
        format!("convert {roles} -o c.tsv"),
        format!("split {roles} -o a.csv b.csv"),
        format!("init {}", roles.replace(" --id network", "")),
    ];
    for line in &lines {
        refused(&folder, line, &words);
    }
    assert_eq!(folder.names(), ["storms.csv"]);
    // With a list it is clear, whoever names it.
    folder.ok("inspect storms.csv --impact customers --list storm --group network");
    folder.write("stakes.toml", "[columns]\nlist = 'storm'\nimpact = 'customers'\n");
    folder.ok("inspect storms.csv --group network");
    // So it is in the file, where other programs have no say.
    folder
        .write("stakes.toml", "[columns]\nimpact = 'customers'\nid = 'network'\ngroup = 'storm'\n");
    let seen: Value = serde_json::from_str(&folder.ok("inspect storms.csv --json")).expect("JSON");
    assert_eq!(
        (&seen["lists"]["count"], seen["data"]["groups"].as_array().map(Vec::len)),
        (&1.into(), Some(2))
    );
}

/// How files are read holds for the commands of a model, too.
#[test]
fn models_read_new_data_as_stakes_toml_says() {
    let folder = Folder::new();
    let mut text = String::from("list;id;y;x\n");
    for row in 0..60 {
        text += &format!("{};{row};{};{}.000\n", row / 6, row % 6 * 10, 1 + row * row % 7);
    }
    folder.write("s.csv", text);
    folder.write(
        "stakes.toml",
        "[columns]\nlist = 'list'\nimpact = 'y'\nid = 'id'\ndecimal = 'comma'\n",
    );
    folder.ok("train s.csv --learner ridge -k 2 -q -o m.json");
    for line in [
        "rank m.json s.csv -q",
        "explain m.json s.csv -q --json",
        "plan s.csv --model m.json -k 1 -q --json",
    ] {
        let (by_file, typed) = (folder.ok(line), folder.ok(&format!("{line} --decimal comma")));
        assert!(by_file == typed, "{line}: {by_file}");
        assert!(folder.ok(&format!("{line} --decimal point")) != typed, "{line}");
    }
}
