//! Everything that can be wrong with a model file, and the error messages.

use stakes_model::calibration::{Band, Depth, Outcomes, Total};
use stakes_model::{Checkpoint, Model};

use crate::make::{calibrated, small, unfinished};

fn refuse(bytes: &[u8]) -> String {
    Model::from_json(bytes, "m.json").unwrap_err().to_string()
}

/// The small model with one piece of its text replaced.
fn with(old: &str, new: &str) -> String {
    let json = small().to_json();
    assert_eq!(json.matches(old).count(), 1, "{old} in\n{json}");
    refuse(json.replace(old, new).as_bytes())
}

#[test]
fn files_of_others_are_named() {
    for (bytes, expected) in [
        (
            &b"tree\nversion=v4\nnum_class=1\n"[..],
            "this is a LightGBM model (text), not a stakes model",
        ),
        (b"{\"name\":\"tree\",\"version\":\"v4\",\"tree_info\":[]}", "a LightGBM model (JSON)"),
        (b"{\"learner\":{\"attributes\":{}},\"version\":[2,1,0]}", "an XGBoost model (JSON)"),
        (b"{L\0\0\0\0\0\0\0\x07learner{", "an XGBoost model (UBJSON)"),
        (b"{\"oblivious_trees\":[{}]}", "a CatBoost model (JSON)"),
        (b"{\"format\":\"onnx\",\"version\":1}", "JSON of format `onnx`"),
        (b"[1,2]", "some other JSON"),
        (b"\"stakes-model\"", "some other JSON"),
        (b" \n", "an empty file"),
        (b"storm,wind\na,1\n", "m.json:1:1: this is not JSON"),
        (b"\xff\xfe{", "this is not JSON"),
        (b"\x1f\x8b\x08\0", "a gzip file"),
    ] {
        let error = refuse(bytes);
        assert!(error.contains(expected), "{error}");
    }
    let error = refuse(unfinished().to_json().as_bytes());
    assert_eq!(
        error,
        "m.json: this is a checkpoint of an unfinished run, not a stakes model; finish the \
         training first"
    );
    let error = Checkpoint::from_json(small().to_json().as_bytes(), "c").unwrap_err().to_string();
    assert!(error.contains("this is a stakes model, not a checkpoint"), "{error}");
}

#[test]
fn another_version_is_reported_even_if_its_fields_are_unknown() {
    let newer = small().to_json().replace("\"version\": 1", "\"version\": 5, \"new\": []");
    assert_eq!(
        refuse(newer.as_bytes()),
        "m.json: the version is 5; this program reads version 1; write the file again with this \
         program, or use the program that wrote it"
    );
    for version in ["5", "2", "0", "\"1\"", "1.5"] {
        let error = with("\"version\": 1", &format!("\"version\": {version}"));
        let expected = format!("m.json: the version is {version}; this program reads version 1;");
        assert!(error.starts_with(&expected), "{error}");
    }
}

#[test]
fn a_byte_order_mark_is_skipped() {
    let json = format!("\u{feff}{}", small().to_json());
    assert_eq!(Model::from_json(json.as_bytes(), "m").unwrap(), small());
}

#[test]
fn fields_are_all_there_and_no_others() {
    let error = with("  \"seed\"", "  \"sede\": 1,\n  \"seed\"");
    assert!(error.starts_with("m.json:11:8: unknown field `sede`, expected one of"), "{error}");
    let error = with("\"learner\": \"two-part\",", "");
    assert!(error.contains("missing field `learner`"), "{error}");
    let error = with("\"start\": -1.0", "\"start\": \"-1\"");
    assert!(error.contains("invalid type: string \"-1\", expected f64"), "{error}");
    let error = with("\"leaves\": \"3\"", "\"leaves\": \"3\", \"leaves\": \"4\"");
    assert!(error.contains("`leaves` is given twice"), "{error}");
    let error = with("\"link\": \"logistic\"", "\"link\": \"probit\"");
    assert!(
        error.contains("unknown variant `probit`, expected one of `identity`, `exp`"),
        "{error}"
    );
    let error = with("{\"name\": \"wind\"", "{\"nmae\": 1, \"name\": \"wind\"");
    assert!(error.contains("unknown field `nmae`"), "{error}");
}

#[test]
fn values_must_be_allowed() {
    for (old, new, expected) in [
        (
            "\"metric\": \"rcs@10\"",
            "\"metric\": \"rsc@10\"",
            "goal.metric: there is no metric `rsc`",
        ),
        (
            "customers * hours",
            "customers * (",
            "goal.cost: the cost `customers * (` cannot be read",
        ),
        ("\"k\": \"10\"", "\"k\": \"0\"", "goal.k: k is `0`"),
        ("\"policy\": null", "\"policy\": \"lin\"", "goal.policy: policy is `lin`"),
        ("\"budget\": null", "\"budget\": \"5\"", "goal.budget: is given together with k"),
        ("\"k\": \"10\"", "\"k\": null", "goal.k: is null, and so is budget"),
        (
            "\"k\": \"10\",\n    \"policy\": null,\n    \"budget\": null",
            "\"k\": null, \"policy\": null, \"budget\": \"-1\"",
            "goal.budget: is `-1`",
        ),
        ("\"list\": \"storm\"", "\"lsit\": \"storm\"", "goal.columns: has the role `lsit`"),
        ("\"18446744073709551615\"", "\"18446744073709551616\"", "seed: is `18446744073709551616`"),
        ("0123456789abcdef", "0123456789ABCDEF", "data.hash: is `0123456789ABCDEF`"),
        (
            "\"kept\": 1",
            "\"kept\": 2",
            "stages[0].kept: is 2; the curve has 2 rounds, the scorer 1",
        ),
        ("\"kept\": 2", "\"kept\": 3", "stages[1].kept: is 3"),
        ("\"unit\": 1000.0", "\"unit\": 0.0", "scorer.unit: is 0; must be greater than 0"),
        ("\"start\": 0.5", "\"start\": 1e308", "scorer.factors[1].start: is 1"),
        (
            "\"name\": \"size\",\n        \"link",
            "\"name\": \"chance\",\n        \"link",
            "scorer.factors[1]: the name `chance` is repeated",
        ),
        ("{\"name\": \"age\"", "{\"name\": \"wind\"", "features[2]: the name `wind` is repeated"),
        ("\"wood\",\"steel\"", "\"wood\",\"wood\"", "features[1]: has the category `wood` twice"),
        (
            "\"age\", \"kind\": \"numeric\"",
            "\"age\", \"kind\": \"categorical\"",
            "features[2]: is categorical, but has no categories",
        ),
        ("\"kind\": \"categorical\"", "\"kind\": \"numeric\"", "features[1]: is numeric, but has"),
        ("each split sends", "no split sends", "missing: is `no split sends"),
    ] {
        let error = with(old, new);
        assert!(error.contains(expected), "{old} -> {new}: {error}");
    }
    let many: Vec<String> = (0..256).map(|i| format!("\"c{i}\"")).collect();
    let error = with("\"wood\",\"steel\",\"beton, alt\"", &many.join(","));
    assert!(error.contains("features[1]: has 256 categories; at most 255"), "{error}");
}

#[test]
fn a_tree_must_be_one() {
    for (old, new, expected) in [
        ("\"missing\": \"LR\"", "\"missing\": \"L\"", "missing: has 1 entry; 2 nodes need 2"),
        ("\"missing\": \"LR\"", "\"missing\": \"LX\"", "missing[1]: must be L or R"),
        ("\"leaf_rows\": [25,15,20]", "\"leaf_rows\": [25,15]", "leaf_rows: has 2 entries"),
        ("\"leaf\": [-0.5,0.25,1.0]", "\"leaf\": [-0.5,0.25,1.0,2.0]", "leaf: has 4 entries"),
        ("\"leaf\": [-0.5,", "\"leaf\": [-1e307,", "leaf[0]: is -1"),
        (
            "\"left\": [-1,-3]",
            "\"left\": [-1,-4]",
            "left[1]: is -4; the last node is 1, the last leaf -3",
        ),
        ("\"left\": [-1,-3]", "\"left\": [2,-3]", "left[0]: is 2; the last node is 1"),
        ("\"left\": [-1,-3]", "\"left\": [-1,1]", "left[1]: is 1; children must come after"),
        ("\"left\": [-1,-3]", "\"left\": [0,-3]", "left[0]: is 0; children must come after"),
        ("\"left\": [-1,-3]", "\"left\": [-3,-3]", "left[1]: is -3, which is already the child"),
        ("\"right\": [1,-2]", "\"right\": [-2,-2]", "right[1]: is -2, which is already the child"),
        ("\"left\": [-1,-3]", "\"left\": [-2147483648,-3]", "left[0]: is -2147483648"),
        ("\"feature\": [0,1]", "\"feature\": [0,3]", "feature[1]: is 3; the model has 3 features"),
        (
            "\"feature\": [0,1]",
            "\"feature\": [1,1]",
            "node 0: tests a number; its feature `pole` is cat",
        ),
        (
            "\"feature\": [0,1]",
            "\"feature\": [0,0]",
            "node 1: tests categories; its feature `wind` is n",
        ),
        ("\"at_most\": [14.1,null]", "\"at_most\": [null,null]", "node 0: tests nothing"),
        ("\"at_most\": [14.1,null]", "\"at_most\": [14.1,1]", "node 1: tests a number and cat"),
        ("\"at_most\": [14.1,null]", "\"at_most\": [1e39,null]", ""),
        (
            "{\"1\": [0,2]}",
            "{\"1\": [0,3]}",
            "categories[1]: is [0, 3]; codes must ascend and be below 3",
        ),
        ("{\"1\": [0,2]}", "{\"1\": [2,0]}", "categories[1]: is [2, 0]"),
        ("{\"1\": [0,2]}", "{\"1\": [0,2], \"7\": [0]}", "categories: there is no node 7 (of 2)"),
        ("{\"1\": [0,2]}", "{\"1\": [0,256]}", "invalid value: integer `256`"),
        ("{\"1\": [0,2]}", "{\"1\": [0], \"1\": [2]}", "`1` is given twice"),
    ] {
        let error = with(old, new);
        assert!(error.contains(expected), "{old} -> {new}: {error}");
        let placed =
            error.contains("scorer.factors[0].trees[0]") || error.starts_with("m.json:51:");
        assert!(placed, "{error}");
    }
}

#[test]
fn expected_costs_must_not_decrease() {
    for (old, new, expected) in [
        ("\"score\": [-2.5,100.0,900.0]", "\"score\": []", "calibration.score: is empty"),
        ("[-2.5,100.0,900.0]", "[-2.5,100.0]", "mean: has 3 entries for 2 scores"),
        (
            "[-2.5,100.0,900.0]",
            "[-2.5,900,900]",
            "score[2]: is 900; scores must increase, and 900 comes",
        ),
        ("[0.5,60.0,750.0]", "[0.5,60.0]", "calibration.mean: has 2 entries"),
        (
            "[0.5,60.0,750.0]",
            "[0.5,60.0,55.0]",
            "mean[2]: is 55; costs must not decrease, and 60 comes",
        ),
        ("[0.5,60.0,750.0]", "[0.5,40.0,750.0]", "mean[1]: is 40; must be between low (40.25)"),
        ("[1.5,75.0,1200.0]", "[1.5,75.0,700.0]", "mean[2]: is 750; must be between low (500)"),
        ("[0.0,40.25,500.0]", "[-1,40.25,500.0]", "low[0]: is -1; a cost must not be negative"),
        ("[0.0,40.25,500.0]", "[1e999,40.25,500.0]", "number out of range"),
        ("[0.0,40.25,500.0]", "[null,40.25,500.0]", "invalid type: null, expected f64"),
        ("\"lists\": 4,\n    \"items\": 56", "\"lists\": 4", "missing field `items`"),
        ("\"lists\": 4,\n", "\"lists\": 4, \"lsits\": 4,\n", "unknown field `lsits`"),
    ] {
        let json = calibrated().to_json();
        assert_eq!(json.matches(old).count(), 1, "{old} in\n{json}");
        let error = refuse(json.replace(old, new).as_bytes());
        assert!(error.contains(expected), "{old} -> {new}: {error}");
    }
    let many: Vec<String> = (0..101).map(|i| i.to_string()).collect();
    let many = calibrated().to_json().replace("-2.5,100.0,900.0", &many.join(","));
    let error = refuse(many.as_bytes());
    assert!(error.contains("calibration.score: has 101 entries; at most 100"), "{error}");
    // null is the same as no calibration.
    let none = small().to_json().replace("  \"scorer\"", "  \"calibration\": null,\n  \"scorer\"");
    assert_eq!(Model::from_json(none.as_bytes(), "m").unwrap(), small());
}

#[test]
fn outcomes_must_be_in_order() {
    let mut model = calibrated();
    let band = |score, chance, low, high| Band { score, chance, low, high };
    let totals = [(1.5, 0.0), (2.5, 4.5)].map(|(expected, ratio)| Total { expected, ratio });
    let depth = |items| Depth { items, lists: totals.to_vec() };
    model.calibration.iter_mut().for_each(|calibration| {
        calibration.outcomes = Some(Outcomes {
            bands: vec![band(-3.0, 0.125, 0.0, 0.25), band(7.5, 0.5, 0.75, 3.5)],
            depths: vec![depth(1), depth(3)],
        });
    });
    let json = model.to_json();
    assert_eq!(Model::from_json(json.as_bytes(), "m").unwrap(), model);
    for (old, new, expected) in [
        ("[-3.0,7.5]", "[]", "outcomes.score: is empty"),
        ("[-3.0,7.5]", "[8,7.5]", "outcomes.score[1]: is 7.5, and 8 comes before"),
        ("[0.125,0.5]", "[0.125]", "outcomes.chance: has 1 entry, and 2 are required"),
        ("[0.125,0.5]", "[0.125,1.5]", "outcomes.chance[1]: is 1.5; must be at most 1"),
        ("[0.0,0.75]", "[-1,0.75]", "outcomes.low[0]: is -1; must be finite and not negative"),
        ("[0.0,0.75]", "[0,4]", "outcomes.low[1]: is 4; must be at most high (3.5)"),
        ("\"items\": 3,", "\"items\": 1,", "depths[1].items: is 1; must be more than 1"),
        ("3, \"expected\": [1.5,2.5]", "3, \"expected\": [3,2]", "depths[1].expected[1]: is 2"),
        ("3, \"expected\": [1.5,2.5]", "3, \"expected\": []", "depths[1].ratio: has 2 entries"),
        ("\"depths\"", "\"depth\"", "unknown field `depth`"),
    ] {
        assert_eq!(json.matches(old).count(), 1, "{old} in\n{json}");
        let error = refuse(json.replace(old, new).as_bytes());
        assert!(error.contains(expected), "{old} -> {new}: {error}");
    }
}

#[test]
fn deep_brackets_do_not_exhaust_the_stack() {
    let deep = "[".repeat(1_000_000);
    assert!(refuse(deep.as_bytes()).contains("not JSON"));
    let deep = small().to_json().replace("\"budget\": null", &format!("\"budget\": {deep}"));
    refuse(deep.as_bytes());
}
