//! What no learner takes, and how it says so.

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::Feature;
use stakes_learn::params::Settings;
use stakes_learn::{FitContext, Silent, learner, train};

use super::world::*;

fn refusal(items: &[Item], names: Vec<Feature>, more: &[(&'static str, &'static str)]) -> String {
    let data = dataset(items, names);
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let info = learner("cs-mart").unwrap();
    let mut silent = Silent;
    let mut cx = FitContext::new(goal(), &mut silent);
    train(info, &settings(info, more), &problem, &mut cx).unwrap_err().to_string()
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
        let defaults: Vec<_> = info.params().map(|(p, default)| (p.key, default)).collect();
        assert!(Settings::new(info, defaults).unwrap() == Settings::new(info, []).unwrap());
        if !has(info, "leaves") {
            return;
        }
        let refused =
            |key: &str, value: &str| Settings::new(info, [(key, value)]).unwrap_err().to_string();
        assert!(refused("leafs", "3").contains("did you mean `leaves`?"));
        assert!(refused("leaves", "1").contains("leaves is `1`; allowed is 2 to 4096"));
        assert!(refused("rows", "nan").contains("allowed is above 0, up to 1"));
        assert!(Settings::new(info, [("min_rows", "4")]).is_ok());
        let twice = Settings::new(info, [("min_rows", "4"), ("min-rows", "5")]).unwrap_err();
        assert!(twice.to_string().contains("`min-rows` is given twice"));
    });
    let items = storms(3, 10, 1);
    let error = refusal(&items, features(), &[("monotone", "wnid:+")]);
    assert!(error.contains("did you mean `wind`?"), "{error}");
    let error = refusal(&items, features(), &[("monotone", "wind")]);
    assert!(error.contains("wind:+,age:-"), "{error}");
    let error = refusal(&items, features(), &[("monotone", "size:+")]);
    assert!(error.contains("`size` holds names"), "{error}");
    let error = refusal(&items, features(), &[("interactions", "wind;rain")]);
    assert!(error.contains("no feature `rain`"), "{error}");
    let error = refusal(&items, features(), &[("cutoff", "many")]);
    assert!(error.contains("cutoff is `many`"), "{error}");
}

#[test]
fn names_of_features_may_hold_commas_and_colons() {
    let mut named = features();
    named[0].name = "wind, at most: gusts".into();
    let data = dataset(&storms(6, 20, 1), named);
    let lines = [("monotone", "noise:-,wind, at most: gusts:+")];
    let model = fit(learner("mart").unwrap(), &data, &lines);
    let score = |wind| model.scorer.score(&[wind, 1.0, 0.5, 2.0]);
    assert!(score(5.0) <= score(20.0) && score(20.0) < score(39.0));
}

#[test]
fn names_of_learners_are_suggested() {
    assert!(learner("csmart").is_ok());
    let error = learner("cs-mrat").err().unwrap();
    assert!(error.contains("did you mean `cs-mart`?"), "{error}");
}
