//! Data that is lawful and strange.

use stakes_core::data::Feature;
use stakes_learn::Model;

use super::world::*;

/// Whatever happens, scores are finite and the plain features still do their work.
fn learns_something(items: &[Item], features: Vec<Feature>) {
    let data = dataset(items, features);
    let random = saved(&data, &vec![0.0; data.len()]);
    for_learning(|info| {
        let scores = fit(info, &data, &[]).score(&data).unwrap();
        assert!(scores.iter().all(|s| s.is_finite()));
        let figure = saved(&data, &scores);
        assert!(figure > random, "{figure} against {random}");
    });
}

#[test]
fn constant_missing_and_repeated_features() {
    let mut items = storms(8, 25, 11);
    let mut names = features();
    names.extend(["same", "empty", "wind again"].map(Feature::numeric));
    names.push(Feature::categorical("one name", vec!["only".into()]));
    for item in &mut items {
        let wind = item.features[0];
        item.features.extend([7.0, f32::NAN, wind, 0.0]);
    }
    learns_something(&items, names);
}

#[test]
fn lists_of_one_item_and_lists_without_cost() {
    let mut items = storms(8, 25, 12);
    items.retain(|item| item.list != "storm 3" || item.id == "network 0");
    items.iter_mut().filter(|i| i.list == "storm 5").for_each(|item| item.impact = 0.0);
    learns_something(&items, features());
}

#[test]
fn costs_that_are_all_alike_or_enormous() {
    let mut items = storms(8, 25, 13);
    items.iter_mut().for_each(|item| item.impact *= 1e200);
    items[3].impact = 1e250;
    let data = dataset(&items, features());
    for_all(|info| {
        let scores = fit(info, &data, &[]).score(&data).unwrap();
        assert!(scores.iter().all(|s| s.is_finite()));
    });
    items.iter_mut().for_each(|item| item.impact = 3.0);
    let data = dataset(&items, features());
    for_all(|info| {
        let scores = fit(info, &data, &[]).score(&data).unwrap();
        assert!(scores.iter().all(|s| s.is_finite()));
    });
}

#[test]
fn costs_from_one_to_the_largest_number() {
    let mut items = storms(8, 25, 15);
    for (i, item) in items.iter_mut().enumerate() {
        item.impact = 10f64.powi(i as i32 * 7 % 300);
    }
    let data = dataset(&items, features());
    for_all(|info| {
        let model = fit(info, &data, &[]);
        let read = Model::from_json(model.to_json().as_bytes(), "memory").unwrap();
        let scores = read.score(&data).unwrap();
        assert!(scores.iter().all(|s| s.is_finite() && *s < f64::MAX));
    });
}

#[test]
fn items_that_weigh_nothing_teach_nothing() {
    let items = storms(8, 25, 14);
    let mut misled = items.clone();
    for item in &items {
        // The same items again, with the opposite said of them, at no weight, in lists of
        // their own.
        let list = format!("{} again", item.list);
        misled.push(Item { list, impact: 1000.0 - item.impact, weight: 0.0, ..item.clone() });
    }
    let (plain, misled) = (dataset(&items, features()), dataset(&misled, features()));
    for_learning(|info| {
        let figure = saved(&plain, &fit(info, &misled, &[]).score(&plain).unwrap());
        let random = saved(&plain, &vec![0.0; plain.len()]);
        assert!(figure > random + 0.1, "{figure} against {random}");
    });
}
