//! `stakes model export`.

use crate::common::{Folder, ROLES, on_one_line};

/// A folder with a model of trees and one of two parts.
fn models() -> Folder {
    let folder = Folder::with_generated_storms();
    for learner in ["mart", "two-part"] {
        folder.ok(&format!(
            "train s.csv {ROLES} -k 3 --learner {learner} --rounds 3 -q -o {learner}.json --hold-out 20%"
        ));
    }
    folder
}

#[test]
fn files_packs_and_the_lines_that_check_them() {
    let folder = models();
    for (to, file, line) in [
        ("lightgbm", "m.txt", "lightgbm.Booster(model_file=\"m.txt\")"),
        ("xgboost", "x.json", "xgboost.Booster(model_file=\"x.json\")"),
        ("onnx", "m.onnx", "onnxruntime.InferenceSession(\"m.onnx\")"),
        ("c", "m.c", "cc -O2 -std=c99 -DSTAKES_CHECK m.c -lm -o check && ./check m.c.parity.csv"),
    ] {
        let out =
            folder.ok(&format!("model export mart.json --to {to} -o {file} --parity-rows 50"));
        assert!(out.contains(line) && out.contains("50 rows"), "{out}");
        let pack = String::from_utf8(folder.bytes(&format!("{file}.parity.csv"))).expect("text");
        assert_eq!(pack.lines().count(), 51);
        assert!(!folder.bytes(file).is_empty());
    }
    let json = folder.json("model export mart.json --to onnx -o m.onnx").0;
    assert_eq!((json["format"].as_str(), json["rows"].as_u64()), (Some("onnx"), Some(200)));
    // The same bytes every time.
    let first = folder.bytes("m.onnx.parity.csv");
    folder.ok("model export mart.json --to onnx -o m.onnx");
    assert_eq!(folder.bytes("m.onnx.parity.csv"), first);
    // Without a pack, and to stdout.
    folder.ok("model export mart.json --to sql -o m.sql --no-parity");
    assert!(!folder.path("m.sql.parity.csv").exists());
    let piped = folder.ok("model export mart.json --to sql -o -");
    assert_eq!(piped.as_bytes(), folder.bytes("m.sql"));
}

#[test]
fn what_cannot_be_written_is_said_and_nothing_is() {
    let folder = models();
    let refused = |line: &str, words: &str| {
        let ran = folder.run(line);
        assert!(
            ran.code != 0 && on_one_line(&ran.err).contains(words),
            "`{words}` is not in: {}",
            ran.err
        );
    };
    refused(
        "model export two-part.json --to lightgbm -o no.txt",
        "the product of `chance` (logistic), `size` (exp)",
    );
    assert!(!folder.path("no.txt").exists() && !folder.path("no.txt.parity.csv").exists());
    refused(
        "model export mart.json --to onnx -o m.onnx --no-missing",
        "--no-missing is for formats",
    );
    refused("model export mart.json --to onnx -o mart.json", "mart.json");
    refused("model export mart.json --to onnx -o - --json", "leave one out");
    refused("model export mart.json --to onxx -o m.onnx", "onnx");
    refused("model export mart.json --to onnx -o m.onnx --parity-rows 0", "--parity-rows");
    refused("model export s.csv --to onnx -o m.onnx", "s.csv");
}
