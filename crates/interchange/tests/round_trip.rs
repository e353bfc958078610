//! What is exported is imported again with the same scores: any library's model can become any other's.

use proptest::prelude::*;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_interchange::import::{ImportOptions, import};
use stakes_model::{Link, ListScaling, Model};

use crate::export::{exported, random};

/// Numbers within and beyond the thresholds of random models, missing ones, and a category that they do not know.
fn rows() -> Dataset {
    let names = ["wood", "steel", "beton, \"alt\"", "unseen"].map(str::to_owned).to_vec();
    let features = vec![
        Feature::numeric("wind"),
        Feature::categorical("po*/le", names),
        Feature::numeric("a ge"),
    ];
    let mut builder = DatasetBuilder::new("rows", Columns::of_features(features)).unwrap();
    let numbers = [f32::NAN, -70.0, -12.5, 0.0, 3.25, 41.0, 70.0, f32::MAX];
    for (at, &wind) in numbers.iter().enumerate() {
        for code in [f32::NAN, 0.0, 1.0, 2.0, 3.0] {
            let age = numbers[(at + code.max(0.0) as usize) % numbers.len()];
            builder.push(Row { features: &[wind, code, age], ..Row::default() }).unwrap();
        }
    }
    builder.finish().unwrap()
}

/// The model after a journey through another format, and its kind there; `None` if it is refused.
fn there_and_back(model: &Model, to: &str) -> Option<(Model, &'static str)> {
    let bytes = exported(model, to).ok()?.bytes;
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    let options = ImportOptions { features: Some(names), ..ImportOptions::default() };
    let imported = import(&bytes, "model", &options).unwrap();
    Some((imported.model, imported.source.name))
}

proptest! {
    #[test]
    fn scores_survive_the_journey(mut model in random::model()) {
        // What both formats hold: one sum of trees with a link.
        model.scorer.factors.truncate(1);
        model.scorer.factors[0].net = None;
        (model.list_scaling, model.rerank) = (ListScaling::None, None);
        if model.scorer.factors[0].link == Link::Logistic {
            (model.scorer.unit, model.scorer.factors[0].power) = (1.0, 1.0);
        }
        let rows = rows();
        let before = model.score(&rows).unwrap();
        for (to, rounding) in [("lightgbm", 1e-12), ("xgboost", 1e-4)] {
            let Some((back, kind)) = there_and_back(&model, to) else {
                // XGBoost has no number above the largest threshold.
                prop_assert_eq!(to, "xgboost");
                continue;
            };
            prop_assert_eq!(kind, to);
            let after = back.score(&rows).unwrap();
            for (item, (before, after)) in before.iter().zip(&after).enumerate() {
                let near = (before - after).abs() <= rounding * before.abs().max(model.scorer.unit);
                prop_assert!(near, "{to}, item {item}: {before} became {after}");
            }
        }
    }
}
