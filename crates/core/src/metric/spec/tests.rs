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
fn what_a_goal_says_goes_only_where_it_is_understood() {
    let filled = |text: &str| {
        let spec = text.parse::<Spec>().unwrap();
        spec.or_policy(&Policy::Step).or_cutoff(Capacity::Items(3)).to_string()
    };
    assert_eq!(filled("rcs"), "rcs@3:policy=step");
    assert_eq!(filled("rcs@9:policy=log"), "rcs@9:policy=log");
    assert_eq!(filled("auc"), "auc");
    let spent = |text: &str| text.parse::<Spec>().unwrap().or_budget(4.0).to_string();
    assert_eq!(spent("a:empty=zero"), "a:budget=4,ties=worst,empty=zero");
    assert_eq!(spent("a:budget=2.50,ties=stable"), "a:budget=2.5,ties=stable");
    assert_eq!(spent("ndcg"), "ndcg");
}

#[test]
fn values_are_built_as_texts_are_parsed() {
    let inner = Spec::named("ndcg").at(Capacity::Items(5)).with("on", "cost");
    let inner = inner.with("gain", "linear").with("discount", "log2");
    let built = Spec::named("rcr").at(Capacity::Range(2, 4)).around(inner);
    assert_eq!(built.to_string(), "rcr@2..4(ndcg@5:gain=linear,on=cost)");
    assert_eq!(built.to_string().parse(), Ok(built));
    let refused = |spec: Spec| spec.build(Scale::default()).unwrap_err().to_string();
    assert!(
        refused(Spec::named("auc").at(Capacity::Items(5))).contains("cutoff 5; allowed is none")
    );
    assert!(refused(Spec::named("ndcg").around(Spec::named("auc"))).contains("in brackets"));
    let spec = Spec { policy: Some(Policy::Step), ..Spec::named("auc") };
    assert!(refused(spec).contains("has no option `policy`"));
    let rising = Policy::Table(vec![0.5, 0.6]);
    let spec = Spec { policy: Some(rising), ..Spec::named("rcs").at(Capacity::All) };
    assert!(refused(spec).contains("policy is `0.5/0.6`; allowed are linear"));
    let spec = Spec::named("rcs").or_budget(-1.0);
    assert!(refused(spec).contains("budget is `-1`; it must be a number above 0"));
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
    assert!(error("rcs@3:policy=auto,policy=step").contains("given twice"));
    assert!(error("rcs@3:policy=flat").contains("policy is `flat`; allowed are linear"));
    assert!(error("rcs:budget=lots").contains("budget is `lots`; it must be a number above 0"));
    let nested = "rcr@2(".repeat(100_000) + "ndcg" + &")".repeat(100_000);
    assert!(error(&nested).contains("nested more than 4 levels"));
}
