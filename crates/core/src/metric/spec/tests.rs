#![allow(clippy::unwrap_used)]
use super::*;

fn canonical(text: &str) -> String {
    text.parse::<Spec>().unwrap().to_string()
}

#[test]
fn defaults_vanish_and_options_are_ordered() {
    assert_eq!(canonical("NDCG@10:ties=stable,gain=linear"), "ndcg@10:gain=linear,ties=stable");
    assert_eq!(canonical("ndcg@10:gain=exp2"), "ndcg@10");
    assert_eq!(canonical("p@5:above=0.0"), "p@5");
    assert_eq!(canonical("p@5:above=1.50"), "p@5:above=1.5");
    assert_eq!(canonical("rcs@12.5%"), "rcs@12.5%");
    assert_eq!(canonical("rcr@10(ndcg@5:gain=linear)"), "rcr@10(ndcg@5:gain=linear)");
}

#[test]
fn lists_of_specs_are_split_between_specs_only() {
    let split =
        split_specs("rcs@2,ndcg@3:gain=linear,ties=stable,rcr@2(ndcg:gain=linear,ties=worst),r@1");
    let expected =
        ["rcs@2", "ndcg@3:gain=linear,ties=stable", "rcr@2(ndcg:gain=linear,ties=worst)", "r@1"];
    assert_eq!(split, expected);
}

#[test]
fn a_common_option_goes_only_where_it_is_understood() {
    let given = |text: &str| text.parse::<Spec>().unwrap().or_option("ties", "worst").to_string();
    assert_eq!(given("ndcg@10"), "ndcg@10:ties=worst");
    assert_eq!(given("ndcg@10:ties=stable"), "ndcg@10:ties=stable");
    assert_eq!(given("rankloss"), "rankloss");
    assert_eq!(given("auc"), "auc");
}

#[test]
fn slips_are_explained() {
    let error = |text: &str| text.parse::<Spec>().unwrap_err().to_string();
    assert!(error("ndgc@10").contains("did you mean `ndcg`?"));
    assert!(error("ndcg@10:gian=linear").contains("did you mean `gain`?"));
    assert!(error("ndcg@10:gain=liner").contains("did you mean `linear`?"));
    assert!(error("ndcg@x").contains("k is `x`"));
    assert!(error("ndcg@10(dcg)").contains("does not take another metric"));
    assert!(error("rcr@10(ndcg").contains("cannot be read"));
    assert!(error("ndcg:gain=linear,gain=exp2").contains("given twice"));
    let nested = "rcr@2(".repeat(100_000) + "ndcg" + &")".repeat(100_000);
    assert!(error(&nested).contains("nested more than 4 levels"));
}
