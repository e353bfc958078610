//! What cannot be imported is refused with a reason.

use stakes_core::data::Role;
use stakes_interchange::import::{ImportOptions, SOURCES, source};

use super::{content, import, refused};

fn lightgbm(change: impl Fn(&str) -> String) -> String {
    change(&String::from_utf8(content("lightgbm-regression.txt")).expect("text"))
}

fn xgboost(change: impl Fn(&str) -> String) -> String {
    change(&String::from_utf8(content("xgboost-regression.json")).expect("text"))
}

/// Asserts that a refusal has these words.
fn says(refusal: &str, words: &[&str]) {
    words.iter().for_each(|word| assert!(refusal.contains(word), "`{word}` is not in: {refusal}"));
}

/// Replaces the first value of a field of LightGBM's text.
fn with(text: &str, field: &str, value: &str) -> String {
    let start = text.find(&format!("\n{field}=")).expect("the field") + field.len() + 2;
    let end = start + text[start..].find(['\n', ' ']).expect("an end");
    format!("{}{value}{}", &text[..start], &text[end..])
}

#[test]
fn structures_of_lightgbm() {
    for (field, value, words) in [
        ("num_leaves", "99999999999", &["num_leaves", "1048576"][..]),
        ("num_leaves", "3", &["leaf_value", "3 are needed"]),
        ("left_child", "0", &["node 0 is the child of two nodes, or above itself"]),
        ("left_child", "70", &["there is no node 70"]),
        ("left_child", "-70", &["there is no node"]),
        ("threshold", "nan", &["threshold is NaN"]),
        ("threshold", "-1e300", &["32-bit"]),
        ("threshold", "wind", &["`wind` where a number should be"]),
        ("leaf_value", "inf", &["must be finite"]),
        ("split_feature", "17", &["tests feature 17; the model has 3"]),
        ("decision_type", "12", &["unknown kind of missing"]),
        ("decision_type", "1", &["set of categories"]),
        ("num_class", "3", &["3 classes"]),
        ("objective", "multiclass num_class:3", &["multiclass"]),
        ("objective", "regression sqrt", &["reg_sqrt"]),
        ("max_feature_idx", "18446744073709551615", &["names for"]),
        ("is_linear", "1", &["linear_tree"]),
    ] {
        says(&refused(lightgbm(|text| with(text, field, value))), words);
    }
    says(
        &refused(lightgbm(|text| text.replace("wind", "Column_1").replace("Column_0", "Column_1"))),
        &["two features"],
    );
    says(
        &refused(lightgbm(|text| text.replace("Tree=1", "Tree=5"))),
        &["tree 5 stands where tree 1"],
    );
    says(&refused(lightgbm(|text| text.replace("end of trees", ""))), &["truncated"]);
}

#[test]
fn structures_of_xgboost() {
    for (old, new, words) in [
        ("\"left_children\":[1,", "\"left_children\":[0,", &["above itself"][..]),
        ("\"left_children\":[1,", "\"left_children\":[999,", &["there is no node 999"]),
        (
            "\"0\",\"num_feature\":\"3\",\"num_target",
            "\"0\",\"num_feature\":\"99999999999\",\"num_target",
            &["at most 1048576"],
        ),
        ("\"num_class\":\"0\"", "\"num_class\":\"4\"", &["4 outputs"]),
        ("\"num_target\":\"1\"", "\"num_target\":\"2\"", &["2 outputs"]),
        ("reg:squarederror", "multi:softprob", &["multi:softprob"]),
        ("reg:squarederror", "binary:hinge", &["binary:hinge"]),
        ("\"name\":\"gbtree\"", "\"name\":\"gbforest\"", &["gbforest"]),
        ("\"split_indices\":[0,", "\"split_indices\":[9,", &["there are 3 features"]),
        ("\"base_score\":\"[", "\"base_score\":\"[x", &["base_score"]),
        ("\"size_leaf_vector\":\"1\"", "\"size_leaf_vector\":\"3\"", &["vectors"]),
    ] {
        let changed = xgboost(|text| text.replacen(old, new, 1));
        assert_ne!(changed, xgboost(str::to_owned), "{old}");
        says(&refused(changed), words);
    }
}

#[test]
fn other_files_say_what_they_are() {
    says(&refused("CBM1...."), &["CatBoost's own format", "format=\"json\""]);
    says(&refused(b"\x80\x04\x95"), &["pickle"]);
    says(&refused("binf"), &["old format of XGBoost"]);
    says(&refused(r#"{"tree_info": [], "feature_names": []}"#), &["dump_model"]);
    says(&refused(r#"{"format": "stakes-model", "scorer": {}}"#), &["a model of stakes already"]);
    for content in ["", "hello", "{", "{}", "[1]"] {
        let refusal = refused(content);
        SOURCES.iter().for_each(|source| says(&refusal, &[source.written_by]));
    }
    assert!(source("lightgmb").is_err_and(|error| error.contains("did you mean `lightgbm`")));
}

#[test]
fn names_roles_and_rounds() {
    let content = content("lightgbm-regression.txt");
    let of = |options: &ImportOptions| {
        stakes_interchange::import::import(&content, "m.txt", options).map_err(|e| e.to_string())
    };
    let names = |names: &[&str]| Some(names.iter().map(|name| name.to_string()).collect());
    let features = names(&["wind", "age", "customers"]);
    let named = of(&ImportOptions { features, ..ImportOptions::default() }).expect("three names");
    assert!(named.notes.is_empty(), "{:?}", named.notes);
    assert_eq!(named.model.features[2].name, "customers");
    let numbered = import(&content).expect("a model");
    assert!(numbered.notes.iter().any(|note| note.contains("Column_0")), "{:?}", numbered.notes);

    let few = of(&ImportOptions { features: names(&["wind"]), ..ImportOptions::default() });
    says(&few.expect_err("one name"), &["name of 1 feature", "has 3 features"]);
    let twice = names(&["wind", "wind", "age"]);
    let twice = of(&ImportOptions { features: twice, ..ImportOptions::default() });
    says(&twice.expect_err("a name twice"), &["two features are called `wind`"]);
    let columns = [(Role::List, "Column_1".to_owned())].into();
    let role = of(&ImportOptions { columns, ..ImportOptions::default() });
    says(&role.expect_err("a feature with a role"), &["`Column_1` is a feature", "list"]);

    let rounds = |rounds| of(&ImportOptions { rounds: Some(rounds), ..ImportOptions::default() });
    assert_eq!(rounds(2).expect("two rounds").model.size().trees, 2);
    for wrong in [0, 4] {
        says(&rounds(wrong).expect_err("rounds"), &["the model has 3"]);
    }
}
