//! `--verbose`: what is read, trained and written.

use crate::common::{Folder, ROLES};

/// The details that a command gives.
fn details(folder: &Folder, line: &str) -> Vec<String> {
    let quieter = folder.run(line);
    assert!(!quieter.err.contains("info: "), "{}", quieter.err);
    let ran = folder.run(&format!("{line} --verbose"));
    assert_eq!(ran.code, 0, "stakes {line}\n{}", ran.err);
    ran.err.lines().filter_map(|line| line.strip_prefix("info: ")).map(str::to_owned).collect()
}

fn assert_one(details: &[String], beginning: &str, words: &[&str]) {
    let found: Vec<&String> = details.iter().filter(|line| line.starts_with(beginning)).collect();
    let [line] = found[..] else {
        panic!("{} lines begin `{beginning}`: {details:#?}", found.len())
    };
    for word in words {
        assert!(line.contains(word), "{word} is not in: {line}");
    }
}

#[test]
fn what_is_read_and_written_is_said_by_all_commands() {
    let folder = Folder::with_generated_storms();
    let read = ["480 items in 24 lists", "list storm, impact customers_out", "; read in "];
    let train = format!("train s.csv {ROLES} --learner mart -p rounds=3 --hold-out 6 -o m.json");
    assert_one(&details(&folder, &train), "s.csv: ", &read);
    assert_one(&details(&folder, &train), "m.json: ", &["kB written"]);
    let lines = [
        (format!("evaluate s.csv {ROLES} --score poles --curve c.svg"), "c.svg: "),
        (format!("convert s.csv {ROLES} -o s.parquet"), "s.parquet: "),
        ("rank m.json s.csv -o r.csv".to_owned(), "r.csv: "),
        ("explain m.json s.csv --repeats 1 --picture p.svg".to_owned(), "p.svg: "),
    ];
    for (line, written) in lines {
        let details = details(&folder, &line);
        assert_one(&details, "s.csv: ", &["480 items in 24 lists", "; read in "]);
        assert_one(&details, written, &["written"]);
    }
    let split = details(&folder, &format!("split s.csv {ROLES} -o a.csv b.csv"));
    assert_one(&split, "a.csv: ", &["written"]);
    assert_one(&split, "b.csv: ", &["written"]);
    assert_one(&details(&folder, "generate gaussians -o g.csv"), "g.csv: ", &["written"]);
}

#[test]
fn a_stage_is_said_when_it_is_over() {
    let folder = Folder::with_generated_storms();
    let train = |more: &str| {
        details(&folder, &format!("train s.csv {ROLES} --no-baseline -o m.json {more}"))
    };
    let mart = train("--learner mart -p rounds=3 --hold-out 6");
    assert_one(&mart, "mart: 3 rounds, ", &[" kept, squared error on validation lists ", " s"]);
    let two = train("--learner two-part -p rounds=3 --hold-out 6");
    assert_one(&two, "chance: 3 rounds, ", &[" on validation lists "]);
    assert_one(&two, "size: 3 rounds, ", &[" on validation lists "]);
    let in_step = train("--learner mart -p rounds=3 --folds 2");
    assert_one(&in_step, "mart: 3 rounds, ", &["cross-validated squared error"]);
    let folds = train("--learner rankboost -p rounds=3 --folds 2");
    assert_one(&folds, "fold 1 of 2: 3 rounds, 3 kept", &[]);
    assert_one(&folds, "fold 2 of 2: 3 rounds, 3 kept", &[]);
    let tuned = train("--learner mart -p rounds=8 --tune 2 --hold-out 6");
    assert!(tuned.iter().filter(|line| line.contains(" kept")).count() >= 2, "{tuned:#?}");
    let auto = train("--effort low -p rounds=3");
    let stages = auto.iter().filter(|line| line.contains(" rounds, ")).count();
    assert!((1..20).contains(&stages), "{auto:#?}");
    // The regression beside it is said to be that.
    let beside = details(
        &folder,
        &format!("train s.csv {ROLES} --learner lambdamart -p rounds=3 --hold-out 6 -o m.json"),
    );
    assert!(beside.iter().any(|line| line.starts_with("plain regression: ")), "{beside:#?}");
}
