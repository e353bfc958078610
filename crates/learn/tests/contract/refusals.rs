//! What no learner takes, and how it says so.

use stakes_core::cost::Problem;
use stakes_core::data::Feature;
use stakes_learn::boosted::{Boosting, Mart, Trees};
use stakes_learn::params::{Direction, Signs};
use stakes_learn::{Configured, FitContext, Learner, learner, train, tune};

use super::world::*;

fn refusal(items: &[Item], names: Vec<Feature>, more: &[(&'static str, &'static str)]) -> String {
    let data = dataset(items, names);
    let problem = Problem::new(&data, goal()).unwrap();
    let info = learner("cs-mart").unwrap();
    let learner = settings(&*info, more);
    train(&*learner, &problem, &mut FitContext::default()).unwrap_err().to_string()
}

#[test]
fn nothing_to_learn_from() {
    let mut items = storms(3, 5, 1);
    items.iter_mut().for_each(|item| item.impact = 0.0);
    assert!(refusal(&items, features(), &[]).contains("every cost is 0"));
    let weightless: Vec<Item> =
        storms(3, 5, 1).into_iter().map(|item| Item { weight: 0.0, ..item }).collect();
    assert!(refusal(&weightless, features(), &[]).contains("every weight is 0"));
    items.iter_mut().for_each(|item| {
        item.impact = 1.0;
        item.features.clear();
    });
    assert!(refusal(&items, Vec::new(), &[]).contains("no features"));
}

#[test]
fn parameters_out_of_bounds_or_unknown() {
    for_single(|info| {
        // Every default is allowed.
        let defaults = info.params();
        let pairs = defaults.iter().map(|p| (p.key.as_str(), p.value.as_str()));
        assert!(Configured::new(info.boxed(), pairs).unwrap().learner.texts() == info.texts());
        if !has(info, "leaves") {
            return;
        }
        let refused = |key: &str, value: &str| {
            Configured::new(info.boxed(), [(key, value)]).unwrap_err().to_string()
        };
        assert!(refused("leafs", "3").contains("did you mean `leaves`?"));
        assert!(refused("num_leafs", "3").contains("did you mean `num-leaves`?"));
        assert!(refused("monotone", "wind").contains("wind:+,age:-"));
        assert!(refused("interactions", "wind;").contains("groups of features"));
        assert!(refused("leaves", "1").contains("leaves is `1`; allowed is 2 to 4096"));
        assert!(refused("rows", "nan").contains("allowed is above 0, up to 1"));
        assert!(Configured::new(info.boxed(), [("min_rows", "4")]).is_ok());
        let twice =
            Configured::new(info.boxed(), [("min_rows", "4"), ("min-rows", "5")]).unwrap_err();
        assert!(twice.to_string().contains("`min-rows` is given twice"));
    });
    let items = storms(3, 10, 1);
    let error = refusal(&items, features(), &[("monotone", "wnid:+")]);
    assert!(error.contains("did you mean `wind`?"), "{error}");
    let error = refusal(&items, features(), &[("monotone", "size:+")]);
    assert!(error.contains("`size` holds names"), "{error}");
    let error = refusal(&items, features(), &[("interactions", "wind;rain")]);
    assert!(error.contains("no feature `rain`"), "{error}");
}

/// Wrong texts are refused before anything is known of the data.
#[test]
fn wrong_values_are_refused_where_they_are_typed() {
    for (name, key, text, words) in [
        ("cs-mart", "cutoff", "many", "cutoff is `many`"),
        ("cs-mart", "pairs", "0", "a number of ranks"),
        ("adarank", "metric", "ndgc@10", "did you mean `ndcg`?"),
        ("exact-rerank", "objective", "rcs@x", "k is `x`"),
        ("exact-rerank", "base", "lgistic", "did you mean `logistic`?"),
        ("exact-rerank", "base", "rerank", "needs a base itself"),
        ("exact-rerank", "top", "1", "2 or more, or all"),
        ("exact-rerank", "signs", "wind", "none, or a list"),
        ("ranksvm", "c", "0", "above 0 and up to 1e9"),
        ("logistic", "threshold", "-1", "a cost of 0 or more"),
        ("cs-rankboost", "class-costs", "", "or a CSV file"),
    ] {
        let refused = learner(name).unwrap().set(key, text).unwrap_err().to_string();
        assert!(refused.contains(words), "{name} {key}={text}: {refused}");
    }
}

/// A value that is set in code is refused with the words of one that is typed.
#[test]
fn values_set_in_code_are_checked_as_texts_are() {
    let data = dataset(&storms(6, 10, 1), features());
    let problem = Problem::new(&data, goal()).unwrap();
    let refused = |learner: &dyn Learner| {
        let valid = FitContext { validation: Some(&problem), ..FitContext::default() };
        let given = Configured::from(learner.boxed());
        let tuned = tune::train(&given, &problem, &mut { valid }, 4, None);
        let error = train(learner, &problem, &mut FitContext::default()).unwrap_err().to_string();
        assert_eq!(tuned.err().unwrap().to_string(), error);
        error
    };
    let trees = Trees { leaves: 0, ..Trees::default() };
    let error = refused(&Mart { trees, ..Mart::default() });
    assert_eq!(error, learner("mart").unwrap().set("leaves", "0").unwrap_err().to_string());
    let boosting = Boosting { rate: f64::NAN, ..Boosting::default() };
    let error = refused(&Mart { boosting, ..Mart::default() });
    assert!(error.contains("rate is `NaN`; allowed is above 0, up to 1"), "{error}");
    let monotone = Signs(vec![("wind".into(), Direction::Any)]);
    let error = refused(&Mart { trees: Trees { monotone, ..Trees::default() }, ..Mart::default() });
    assert!(error.contains("monotone is `wind`"), "{error}");
}

#[test]
fn names_of_features_may_hold_commas_and_colons() {
    let mut named = features();
    named[0].name = "wind, at most: gusts".into();
    let data = dataset(&storms(6, 20, 1), named);
    let lines = [("monotone", "noise:-,wind, at most: gusts:+")];
    let model = fit(&*learner("mart").unwrap(), &data, &lines);
    let score = |wind| model.scorer.score(&[wind, 1.0, 0.5, 2.0]);
    assert!(score(5.0) <= score(20.0) && score(20.0) < score(39.0));
}

#[test]
fn names_of_learners_are_suggested() {
    assert!(learner("csmart").is_ok());
    let error = learner("cs-mrat").err().unwrap();
    assert!(error.contains("did you mean `cs-mart`?"), "{error}");
}

#[test]
fn names_of_other_libraries_are_understood() {
    let others = [
        ("num_leaves", "leaves", "7"),
        ("learning_rate", "rate", "0.2"),
        ("subsample", "rows", "0.4"),
        ("colsample", "features", "0.6"),
        ("n_estimators", "rounds", "40"),
        ("max_depth", "depth", "4"),
        ("min_child_samples", "min-rows", "9"),
        ("lambda_l2", "l2", "3"),
    ];
    let texts = Configured::new(
        learner("cs-mart").unwrap(),
        others.map(|(theirs, _, value)| (theirs, value)),
    );
    let texts = texts.unwrap().learner.texts();
    for (theirs, ours, value) in others {
        assert_eq!(texts[ours], value, "{theirs}");
    }
    let twice = [("num_leaves", "7"), ("leaves", "8")];
    let error = Configured::new(learner("cs-mart").unwrap(), twice).unwrap_err().to_string();
    assert!(error.contains("`leaves` is given twice"), "{error}");
}

#[test]
fn keys_and_aliases_are_not_shared() {
    for_all(|info| {
        let params = info.params();
        let all: Vec<&str> = params
            .iter()
            .flat_map(|p| [p.key.as_str()].into_iter().chain(p.aliases.iter().copied()))
            .collect();
        for (i, key) in all.iter().enumerate() {
            assert!(!all[..i].contains(key), "{key}");
        }
    });
}
