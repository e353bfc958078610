//! Random models survive the file exactly, and blocks score as single rows do.

use proptest::prelude::*;
use stakes_core::data::{Feature, FeatureKind};
use stakes_model::Model;
use stakes_model::{Factor, Input, Link, ListScaling, ModelFeature, Net, Scorer};

use crate::make::{data, random, rows};

fn bits(scores: &[f64]) -> Vec<u64> {
    scores.iter().map(|s| s.to_bits()).collect()
}

/// The model's features as columns of data.
fn columns(model: &Model) -> Vec<Feature> {
    let kind = |categories: &Option<Vec<String>>| match categories {
        None => FeatureKind::Numeric,
        Some(names) => FeatureKind::Categorical(names.clone()),
    };
    let feature = |f: &stakes_model::ModelFeature| Feature {
        name: f.name.clone(),
        kind: kind(&f.categories),
    };
    model.features.iter().map(feature).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(256))]

    #[test]
    fn a_model_survives_its_file(seed: u64) {
        let model = random(seed);
        let json = model.to_json();
        let back = Model::from_json(json.as_bytes(), "m").unwrap();
        prop_assert_eq!(&back, &model);
        prop_assert_eq!(back.to_json(), json);
        for row in rows(&model, seed, 20).chunks(model.features.len()) {
            prop_assert_eq!(back.scorer.score(row).to_bits(), model.scorer.score(row).to_bits());
        }
    }

    #[test]
    fn blocks_and_data_sets_score_as_rows_do(seed: u64, n in 1_usize..400, shift in 0_usize..5) {
        // Single rows have no list to scale within.
        let model = Model { list_scaling: Default::default(), ..random(seed) };
        let width = model.features.len();
        let rows = rows(&model, seed, n);
        let one_by_one: Vec<f64> = rows.chunks(width).map(|r| model.scorer.score(r)).collect();
        let mut blocks = vec![0.0; n];
        model.scorer.score_rows(&rows, width, &mut blocks);
        prop_assert_eq!(bits(&blocks), bits(&one_by_one));
        prop_assert!(one_by_one.iter().all(|s| s.is_finite()));

        // As data, the columns rotated by some places and one more in front.
        let in_order = data(columns(&model), &rows);
        prop_assert_eq!(bits(&model.score(&in_order).unwrap()), bits(&one_by_one));
        let mut names = columns(&model);
        names.rotate_left(shift % width);
        names.insert(0, Feature::numeric("another"));
        let mut turned = Vec::new();
        for row in rows.chunks(width) {
            let mut row = row.to_vec();
            row.rotate_left(shift % width);
            turned.push(-1.0);
            turned.extend(row);
        }
        let turned = data(names, &turned);
        prop_assert_eq!(bits(&model.score(&turned).unwrap()), bits(&one_by_one));
        prop_assert_eq!(model.match_columns(&turned).unwrap().extra, ["another"]);
    }
}

#[test]
fn numbers_are_scaled_within_their_list() {
    let names = || vec![Feature::numeric("wind")];
    let model = Model {
        list_scaling: ListScaling::MinMax,
        features: vec![ModelFeature { name: "wind".into(), categories: None }],
        scorer: Scorer { unit: 1.0, factors: vec![linear()] },
        ..random(1)
    };
    // `data` makes one list of the rows; a shift of all numbers changes nothing.
    let scores = |shift: f32| {
        let rows: Vec<f32> = (0..40).map(|i| shift + (i * 7 % 40) as f32).collect();
        model.score(&data(names(), &rows)).unwrap()
    };
    assert_eq!(scores(0.0), scores(100.0));
    assert!(scores(0.0).iter().all(|s| (0.0..=2.0).contains(s)));
}

/// Twice the only feature.
fn linear() -> Factor {
    let inputs = vec![Input::Number { feature: 0, mean: 0.0, deviation: 1.0 }];
    let net = Some(Net::linear(inputs, vec![2.0]));
    Factor { net, ..Factor::new("score", Link::Identity, 0.0, Vec::new()) }
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let model = random(5);
    let data = data(columns(&model), &rows(&model, 1, 3000));
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| bits(&model.score(&data).unwrap()))
    };
    assert_eq!(on(1), on(4));
}
