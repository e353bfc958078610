//! `stakes glossary`: words, metrics and learners, and what is near a wrong word.

use crate::common::{Folder, document, on_one_line};

#[test]
fn words_are_explained() {
    let folder = Folder::new();
    let page = on_one_line(&folder.ok("glossary R_CS@10"));
    for words in
        ["the share of all savable cost that is saved", "rcs, a metric", "stakes metrics rcs"]
    {
        assert!(page.contains(words), "{words}: {page}");
    }
    assert!(folder.ok("glossary cs-mart").contains("stakes learners cs-mart"));
    assert_eq!(folder.ok("glossary expected cost"), folder.ok("glossary expected-cost"));
    let all = folder.ok("glossary");
    assert!(all.contains("tie rule") && all.contains("minimum share"), "{all}");
}

#[test]
fn programs_get_json() {
    let folder = Folder::new();
    let found = document(&folder.ok("glossary rcs --json"));
    assert_eq!(found["terms"][0]["names"], serde_json::json!(["R_CS@k", "rcs"]));
    assert_eq!((&found["metric"]["name"], &found["learner"]), (&"rcs".into(), &().into()));
    let all = document(&folder.ok("glossary --json"));
    assert!(all.as_array().is_some_and(|terms| terms.len() > 100), "{all}");
}

#[test]
fn unknown_words_are_refused_with_a_hint() {
    let ran = Folder::new().run("glossary calibraton");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("did you mean `calibration`?"), "{}", ran.err);
}
