//! What is written, line by line where it matters, and the packs that go along.

use proptest::prelude::*;
use stakes_interchange::export::{ExportOptions, TARGETS, export, target};

use super::{exported, golden, random};

#[test]
fn lightgbm_has_our_thresholds_leaves_and_sides() {
    let exported = exported(&golden("trees"), "lightgbm").unwrap();
    let text = String::from_utf8(exported.bytes).unwrap();
    let has = |line: &str| assert!(text.lines().any(|l| l == line), "{line}\n{text}");
    has("feature_names=wind age");
    // 20.5 and 30 are even, so that the middle to the next number rounds down to them.
    has("threshold=20.500000953674316 30.000000953674316");
    has("decision_type=10 8");
    // The constant term is in the first tree.
    has("leaf_value=-0.125 0.875 0.625");
    has("pandas_categorical:null");
    let sizes = text.lines().find(|line| line.starts_with("tree_sizes=")).unwrap();
    let total: usize =
        sizes["tree_sizes=".len()..].split(' ').map(|n| n.parse::<usize>().unwrap()).sum();
    let trees = text.find("end of trees").unwrap() - text.find("Tree=0").unwrap();
    assert_eq!(total, trees);
}

#[test]
fn names_that_a_format_does_not_allow_are_replaced_and_told() {
    let mut model = golden("trees");
    model.features[0].name = "wind speed".into();
    model.features[1].name = "wind_speed".into();
    let exported = exported(&model, "lightgbm").unwrap();
    assert!(
        String::from_utf8(exported.bytes)
            .unwrap()
            .contains("feature_names=wind_speed wind_speed_2\n")
    );
    assert!(exported.notes.iter().any(|note| note.contains("`wind speed` is `wind_speed`")));
}

#[test]
fn packs_are_the_same_for_the_same_seed_and_have_all_that_is_hard() {
    let pack = |seed: u64| {
        let mut options = ExportOptions::new(target("sql").unwrap(), "folder/model.sql");
        options.seed = seed;
        export(&golden("two-part"), &options).unwrap().parity.unwrap()
    };
    assert_eq!(pack(0), pack(0));
    assert_ne!(pack(0).bytes, pack(1).bytes);
    let text = String::from_utf8(pack(0).bytes).unwrap();
    let mut lines = text.lines();
    assert_eq!(lines.next(), Some("wind,pole,age,score"));
    assert!(lines.next().unwrap().starts_with(",,,"));
    for hard in
        ["14.100000381469727", "14.09999942779541", "inf", "-inf", "unseen", "\"beton, alt\""]
    {
        assert!(text.contains(hard), "{hard}");
    }
    // Check lines are run beside the files.
    assert!(!pack(0).check.contains("folder"));
}

#[test]
fn what_stays_behind_is_told() {
    let mut model = golden("trees");
    model.calibration = golden("blend").calibration;
    let notes = exported(&model, "xgboost").unwrap().notes;
    assert!(
        notes.iter().any(|note| note.contains("calibration to expected costs stays behind")),
        "{notes:?}"
    );
    assert!(exported(&model, "onnx").unwrap().notes.is_empty());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    /// Every format writes or refuses every model; what is JSON or XML can be parsed again.
    #[test]
    fn all_models_are_written_or_refused(model in random::model()) {
        for target in &TARGETS {
            for no_missing in [false, true] {
                let mut options = ExportOptions::new(target, "model.file");
                options.no_missing = no_missing && !target.holds_missing;
                options.parity_rows = 5;
                match export(&model, &options) {
                    Err(error) => prop_assert!(error.to_string().contains("cannot hold this model")),
                    Ok(exported) => {
                        prop_assert!(!exported.bytes.is_empty());
                        prop_assert_eq!(exported.parity.unwrap().rows, 5);
                        if target.ending == "json" {
                            prop_assert!(serde_json::from_slice::<serde_json::Value>(&exported.bytes).is_ok());
                        }
                    }
                }
            }
        }
    }
}
