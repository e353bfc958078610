//! What a format cannot hold is refused by name, with the formats that can.

use stakes_interchange::export::{ExportOptions, TARGETS, export, target};

use super::{exported, golden};

#[test]
fn refusals_name_the_part_and_the_formats_that_hold_it() {
    let message = |name: &str, to: &str| exported(&golden(name), to).unwrap_err().to_string();
    assert_eq!(
        message("two-part", "lightgbm"),
        "lightgbm cannot hold this model: its score is the product of `chance` (logistic), `size` (exp); onnx, sql, c \
         and rust can"
    );
    assert_eq!(
        message("net", "onnx"),
        "onnx cannot hold this model: one of its inputs is a pseudo-random draw from the bits of all features; c and \
         rust can"
    );
    let scaled = message("linear", "xgboost");
    assert!(
        scaled.contains("scaled within each list (z-score); its factor `score` is a linear score"),
        "{scaled}"
    );
    let second = message("rerank", "onnx");
    assert!(second.contains("re-ranks items of each list; c and rust can"), "{second}");
    let missing = message("trees", "ranklib");
    assert!(missing.contains("(0) at 1 of 3 splits, such as one of `age`"), "{missing}");
    assert!(message("classes", "opensearch").contains("`sign` is categorical"));
}

#[test]
fn formats_that_do_not_know_missing_values_take_complete_rows() {
    let mut options = ExportOptions::new(target("ranklib").unwrap(), "model.xml");
    options.no_missing = true;
    let parity = export(&golden("trees"), &options).unwrap().parity.unwrap();
    let text = String::from_utf8(parity.bytes).unwrap();
    assert!(text.lines().all(|line| !line.contains(",,") && !line.starts_with(',')), "{text}");
    // An option without an effect is refused.
    let options = ExportOptions { target: target("onnx").unwrap(), ..options };
    let refused = export(&golden("trees"), &options).unwrap_err().to_string();
    assert!(refused.contains("onnx treats them as the model does"), "{refused}");
}

#[test]
fn unknown_formats_are_answered_with_the_nearest_and_with_all() {
    let message = target("lightgmb").unwrap_err().to_string();
    assert!(message.contains("did you mean `lightgbm`?"), "{message}");
    assert!(TARGETS.iter().all(|target| message.contains(target.name)), "{message}");
}
