//! Files as libraries wrote them, against the scores that the libraries themselves gave.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;
use stakes_interchange::import::SOURCES;
use stakes_model::{Link, Model, ModelFeature};

use super::{content, folder, import};

type Columns = BTreeMap<String, Vec<Value>>;

/// The value of a feature in a row, as a model reads it. Features without names are in the order of the data.
fn value(number: usize, feature: &ModelFeature, columns: &Columns, row: usize) -> f32 {
    const ORDER: [&str; 4] = ["wind", "age", "customers", "pole"];
    let Some(names) = &feature.categories else {
        let name = if columns.contains_key(&feature.name) { &feature.name } else { ORDER[number] };
        return columns[name][row].as_f64().map_or(f32::NAN, |x| x as f32);
    };
    let code = |name: &str| names.iter().position(|known| known == name);
    let pole = columns["pole"][row].as_str().expect("a name");
    let found = match names[0].as_str() {
        // Codes as pandas has them, and those far apart.
        "0" => ["iron", "steel", "wood"].iter().position(|name| *name == pole),
        "7" => code(&columns["code"][row].to_string()),
        _ => code(pole),
    };
    found.map_or(f32::NAN, |code| code as f32)
}

fn scores(file: &str, model: &Model, columns: &Columns) -> Vec<f64> {
    let rows = columns["wind"].len();
    // These were trained without missing values, which are 0 for all of them.
    let no_missing = ["onnx", "ranklib", "fastrank"].iter().any(|name| file.starts_with(name));
    let one = |row: usize| {
        let features = model.features.iter().enumerate();
        let mut values: Vec<f32> = features.map(|(i, f)| value(i, f, columns, row)).collect();
        if no_missing {
            values.iter_mut().filter(|x| x.is_nan()).for_each(|x| *x = 0.0);
        }
        model.scorer.score(&values)
    };
    (0..rows).map(one).collect()
}

#[test]
fn scores_are_those_of_the_library() {
    let read = |file: &str| content(file);
    let columns: Columns = serde_json::from_slice(&read("rows.json")).expect("rows");
    let theirs: BTreeMap<String, Vec<f64>> =
        serde_json::from_slice(&read("scores.json")).expect("scores");
    let mut sources = BTreeSet::new();
    for (file, theirs) in &theirs {
        let imported = import(&read(file)).unwrap_or_else(|error| panic!("{error}"));
        sources.insert(imported.source.name);
        let ours = scores(file, &imported.model, &columns);
        let link = imported.model.scorer.factors[0].link;
        let tolerance = match imported.source.name {
            "lightgbm" if link == Link::Identity => 0.0,
            "lightgbm" | "catboost" => 1e-14,
            _ => 2e-6,
        };
        for (row, (ours, theirs)) in ours.iter().zip(theirs).enumerate() {
            let allowed = tolerance * theirs.abs().max(1.0);
            assert!((ours - theirs).abs() <= allowed, "{file}, row {row}: {ours} for {theirs}");
        }
        assert!(theirs.iter().any(|score| *score != theirs[0]), "{file} gives one score to all");
        // A model file of it is read to the same model.
        let again = Model::from_json(imported.model.to_json().as_bytes(), file).expect("a model");
        let parts = |model: &Model| (model.scorer.clone(), model.features.clone());
        assert_eq!(parts(&again), parts(&imported.model), "{file}");
    }
    let all: BTreeSet<&str> = SOURCES.iter().map(|source| source.name).collect();
    assert_eq!(sources, all, "every kind of file is tested");
}

#[test]
fn every_model_beside_the_scores_is_tested() {
    let scores = String::from_utf8(content("scores.json")).expect("text");
    for entry in std::fs::read_dir(folder()).expect("a folder") {
        let name = entry.expect("a file").file_name().into_string().expect("a name");
        let is_model = !["make.py", "rows.json", "scores.json"].contains(&name.as_str());
        assert!(!is_model || scores.contains(&format!("\"{name}\"")), "{name} has no scores");
    }
}
