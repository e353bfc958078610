//! Many files as one data set, and features that stay in them.

use crate::common::{Folder, on_one_line};

const ROLES: &str = "--list query --impact grade -k 3";
const TRAIN: &str = "-p rounds=8 -p leaves=6 --json";

/// Sixty queries in one file and in three.
fn search() -> Folder {
    let folder = Folder::new();
    let what = "generate search --lists 60 --mean-length 9 --seed 4";
    folder.ok(&format!("{what} -o whole.parquet"));
    let ran = folder.run(&format!("{what} --parts 3 -o part.parquet"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("3 files; read them as 'part-*.parquet' --list query"), "{}", ran.err);
    folder
}

/// What is said of a line that is refused.
fn refusal(folder: &Folder, line: &str) -> String {
    let ran = folder.run(line);
    assert_ne!(ran.code, 0, "{line}");
    on_one_line(&ran.err)
}

#[test]
fn generated_parts_are_the_whole() {
    let folder = search();
    assert_eq!(
        folder.names(),
        ["part-1.parquet", "part-2.parquet", "part-3.parquet", "whole.parquet"]
    );
    let read = |name: &str| folder.ok(&format!("convert {name} --list query --impact grade -o -"));
    assert_eq!(read("part-*.parquet"), read("whole.parquet"));
    assert_eq!(read("part-?.parquet"), read("whole.parquet"));
    let error = refusal(&folder, "convert part-*.parquet -o part-2.parquet");
    assert!(error.contains("part-2.parquet"), "{error}");
    assert_eq!(read("part-*.parquet"), read("whole.parquet"));
    let error = refusal(&folder, "generate search --parts 3");
    assert!(error.contains("--parts writes files"), "{error}");
    let error = refusal(&folder, "generate search --lists 2 --parts 3 -o s.csv");
    assert!(error.contains("at most as many parts"), "{error}");
}

#[test]
fn features_that_stay_in_their_files_give_the_same_model_and_figures() {
    let folder = search();
    for learner in ["lambdamart", "two-part", "random-forest"] {
        let train = |data: &str, more: &str, model: &str| {
            let flags = format!("{ROLES} --learner {learner} {TRAIN} {more} -o {model}");
            let mut summary: serde_json::Value =
                serde_json::from_str(&folder.ok(&format!("train {data} {flags}"))).expect("JSON");
            // Every feature alone is not looked at where features stay in their files.
            let results = summary["results"].as_array_mut().expect("results");
            results.retain(|row| {
                !row["score"].as_str().is_some_and(|score| score.contains("feature"))
            });
            let kept: Vec<serde_json::Value> = results.clone();
            (folder.bytes(model), kept)
        };
        for more in ["", "--hold-out 0.3", "--folds 3"] {
            let whole = train("whole.parquet", more, "whole.json");
            let streamed = format!("{more} --stream-above 0");
            assert!(whole == train("part-*.parquet", &streamed, "parts.json"), "{learner} {more}");
        }
    }
}

#[test]
fn streaming_that_cannot_be_is_refused() {
    let folder = search();
    let error = |what: &str| refusal(&folder, &format!("train {what} {ROLES} -o m.json"));
    let said = error("whole.parquet --learner ridge --stream-above 0");
    assert!(said.contains("ridge needs all features in memory"), "{said}");
    folder.ok("convert whole.parquet --list query --impact grade -o whole.csv");
    let said = error("whole.csv --learner mart --stream-above 0");
    assert!(said.contains("only features of Parquet files"), "{said}");
    let said = error("none-*.parquet --learner mart");
    assert!(said.contains("no file matches this pattern"), "{said}");
    let said = error("whole.parquet --learner mart --stream-above much");
    assert!(said.contains("`much` is no size"), "{said}");
    assert!(!folder.names().contains(&"m.json".to_owned()));
}
