//! Golden files of every shape: each one is read, written again to the same bytes, and scores as an
//! independent implementation does (`tests/golden/score_models.py`, written from the documentation).

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use serde_json::Value;
use stakes_core::cost::{Capacity, Policy};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Role, Row};
use stakes_core::goal::Reach;
use stakes_model::{Checkpoint, Ended, Model, ProofEnd, RerankScope, UnfinishedTuning};

use crate::make::{Draw, calibrated, small, unfinished};

const MODELS: [&str; 8] =
    ["trees", "bound", "linear", "net", "two-part", "blend", "rerank", "classes"];
const CHECKPOINTS: [&str; 2] = ["trees", "weights"];

fn read(name: &str) -> String {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden");
    fs::read_to_string(folder.join(name)).unwrap()
}

fn model(shape: &str) -> Model {
    let name = format!("model-{shape}.json");
    Model::from_json(read(&name).as_bytes(), &name).unwrap()
}

fn checkpoint(shape: &str) -> Checkpoint {
    let name = format!("checkpoint-{shape}.json");
    Checkpoint::from_json(read(&name).as_bytes(), &name).unwrap()
}

fn tuning() -> UnfinishedTuning {
    UnfinishedTuning::from_json(read("tuning.json").as_bytes(), "tuning.json").unwrap()
}

/// The golden files name the program that wrote them.
fn as_written(json: &str) -> String {
    json.replacen(concat!("stakes ", env!("CARGO_PKG_VERSION")), "stakes 0.1.0", 1)
}

#[test]
fn files_are_written_again_to_the_same_bytes() {
    for shape in MODELS {
        let written = as_written(&model(shape).to_json());
        assert_eq!(written, read(&format!("model-{shape}.json")), "{shape}");
    }
    for shape in CHECKPOINTS {
        let written = as_written(&checkpoint(shape).to_json());
        assert_eq!(written, read(&format!("checkpoint-{shape}.json")), "{shape}");
    }
    assert_eq!(as_written(&tuning().to_json()), read("tuning.json"));
}

#[test]
fn files_hold_what_was_written() {
    assert_eq!(model("two-part"), small());
    assert_eq!(checkpoint("trees"), unfinished());
    let weights = checkpoint("weights").stages[0].weights.clone().unwrap();
    assert_eq!((weights.current, weights.memory), (vec![0.1, -1e-300], vec![7.0]));
    assert_eq!(weights.best, [1.0 / 3.0, 7e50]);
    assert_eq!(checkpoint("weights").goal.reach, Reach::Items(Capacity::Percent(12.5)));
    let tuning = tuning();
    assert_eq!(tuning.trials.iter().map(|t| t.rungs.len()).collect::<Vec<_>>(), [2, 1, 0]);
    assert_eq!((tuning.trials[0].rungs[1].rounds, tuning.trials[0].rungs[1].value), (50, 0.625));
    assert_eq!(tuning.run.goal.policy, Policy::Geometric(0.9));
    assert_eq!(model("bound").goal.reach, Reach::Items(Capacity::Range(1, 3)));
    assert_eq!(model("bound").bound.unwrap().gap(), 0.75);
    assert!(model("bound").stages[0].extra_curves[0].1[1].is_nan());
    assert_eq!(model("net").goal.reach, Reach::Money(500.0));
    assert_eq!(model("net").stages[0].ended, Ended::Interrupted);
    let weights: Vec<f64> = model("blend").members.iter().map(|member| member.weight).collect();
    assert_eq!(weights, [0.75, 0.25]);
    let rerank = model("rerank").rerank.unwrap();
    assert_eq!((rerank.scope, rerank.proof.ended), (RerankScope::First(2), ProofEnd::Limit));
    assert_eq!(model("classes").columns[&Role::Class], "sign");
}

/// The data of `model-scores.json`, with category codes in the order of their first occurrence.
fn dataset(data: &Value) -> Dataset {
    let columns: BTreeMap<String, Vec<Value>> =
        serde_json::from_value(data["columns"].clone()).unwrap();
    let lists: Vec<String> = serde_json::from_value(data["lists"].clone()).unwrap();
    let mut features = Vec::new();
    let mut values: Vec<Vec<f32>> = Vec::new();
    for (name, column) in &columns {
        let mut names: Vec<String> = Vec::new();
        values.push(
            column
                .iter()
                .map(|value| match value {
                    Value::Null => f32::NAN,
                    Value::String(text) => {
                        let known = names.iter().position(|name| name == text);
                        known.unwrap_or_else(|| {
                            names.push(text.clone());
                            names.len() - 1
                        }) as f32
                    }
                    number => number.as_f64().unwrap() as f32,
                })
                .collect(),
        );
        features.push(match names.is_empty() {
            true => Feature::numeric(name),
            false => Feature::categorical(name, names),
        });
    }
    let columns = Columns { list: Some("list".into()), ..Columns::of_features(features) };
    let mut builder = DatasetBuilder::new("scores", columns).unwrap();
    for (item, list) in lists.iter().enumerate() {
        let features: Vec<f32> = values.iter().map(|column| column[item]).collect();
        builder.push(Row { list, features: &features, ..Row::default() }).unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn scores_are_those_of_an_independent_implementation() {
    let file: Value = serde_json::from_str(&read("model-scores.json")).unwrap();
    let cases = file["cases"].as_array().unwrap();
    assert_eq!(cases.len(), MODELS.len());
    let near = |met: f64, expected: &Value, what: &str| {
        let expected = expected.as_f64().unwrap();
        assert!((met - expected).abs() <= 1e-13 * expected.abs(), "{what}: {met} for {expected}");
    };
    for case in cases {
        let name = case["model"].as_str().unwrap();
        let model = Model::from_json(read(name).as_bytes(), name).unwrap();
        let data = dataset(&file["data"][case["data"].as_str().unwrap()]);
        let scores = model.score(&data).unwrap();
        for (item, score) in scores.iter().enumerate() {
            near(*score, &case["scores"][item], name);
            if let Some(calibration) = &model.calibration {
                let expected = calibration.expected(*score);
                for (i, value) in [expected.mean, expected.low, expected.high].iter().enumerate() {
                    near(*value, &case["expected_costs"][item][i], name);
                }
            }
        }
    }
}

#[test]
fn weights_survive_a_checkpoint() {
    let mut run = unfinished();
    run.stages[1] = checkpoint("weights").stages[0].clone();
    let json = run.to_json();
    let back = Checkpoint::from_json(json.as_bytes(), "c").unwrap();
    assert_eq!(back, run);
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_round_without_a_value_is_null() {
    let mut model = small();
    model.stages[0].curve[1] = f64::NAN;
    let json = model.to_json();
    assert!(json.contains("\"curve\": [0.5,null]"), "{json}");
    let back = Model::from_json(json.as_bytes(), "m").unwrap();
    assert!(back.stages[0].curve[1].is_nan());
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_policy_may_be_written_out_even_if_it_is_the_default() {
    let json = small().to_json().replace("\"policy\": null", "\"policy\": \"linear\"");
    assert_eq!(Model::from_json(json.as_bytes(), "m").unwrap(), small());
}

#[test]
fn a_truncated_file_is_refused_at_every_byte() {
    let refused = |golden: &str, read: fn(&[u8]) -> Option<String>| {
        let golden = golden.trim_end();
        for cut in 0..golden.len() {
            let error = read(&golden.as_bytes()[..cut]).unwrap();
            let said = error.contains("truncated") || error.contains("empty file");
            assert!(said, "cut at {cut} of {}: {error}", golden.len());
        }
        assert!(read(golden.as_bytes()).is_none());
    };
    for shape in MODELS {
        refused(&read(&format!("model-{shape}.json")), |bytes| {
            Model::from_json(bytes, "m").err().map(|e| e.to_string())
        });
    }
    for shape in CHECKPOINTS {
        refused(&read(&format!("checkpoint-{shape}.json")), |bytes| {
            Checkpoint::from_json(bytes, "c").err().map(|e| e.to_string())
        });
    }
    refused(&read("tuning.json"), |bytes| {
        UnfinishedTuning::from_json(bytes, "t").err().map(|e| e.to_string())
    });
}

#[test]
fn changed_bytes_give_an_error_or_a_valid_model() {
    // Names and numbers may change; most changes make no sense.
    let accepted = accepted_of_20_000(&read("model-two-part.json"), 0);
    assert!((1000..12_000).contains(&accepted), "{accepted}");
    let json = calibrated().to_json();
    let accepted = accepted_of_20_000(&json, json.find("\"calibration\"").unwrap());
    assert!((1000..12_000).contains(&accepted), "{accepted}");
}

/// Changes a few bytes behind the first `from`, 20,000 times; counts what is still a model.
fn accepted_of_20_000(json: &str, from: usize) -> usize {
    let mut accepted = 0;
    for seed in 0..20_000 {
        let mut draw = Draw::new(seed);
        let mut bytes = json.as_bytes().to_vec();
        for _ in 0..1 + draw.below(3) {
            let at = from + draw.below(bytes.len() - from);
            match draw.below(4) {
                0 => bytes[at] = b"0123456789-.,[]{}\"LRe"[draw.below(21)],
                1 => bytes[at] ^= 1 << draw.below(8),
                2 => drop(bytes.remove(at)),
                _ => bytes.insert(at, b"0123456789-.,[]{}\"LRe"[draw.below(21)]),
            }
        }
        match Model::from_json(&bytes, "m") {
            Err(error) => assert!(error.to_string().starts_with("m:")),
            Ok(model) => {
                accepted += 1;
                check_accepted(&model);
            }
        }
    }
    accepted
}

/// What a model accepted by the reader guarantees.
fn check_accepted(model: &Model) {
    let json = model.to_json();
    let again = Model::from_json(json.as_bytes(), "again").unwrap();
    assert_eq!(again.to_json(), json);
    for row in [[0.0; 3], [f32::NAN; 3], [f32::MAX, 2.0, f32::MIN]] {
        assert!(model.scorer.score(&row).is_finite());
    }
    assert!(model.importance().iter().all(|(_, share, _)| (0.0..=1.0).contains(share)));
    for score in [f64::MIN, -2.5, 0.0, 500.0, f64::MAX] {
        let Some(e) = model.calibration.as_ref().map(|c| c.expected(score)) else { continue };
        assert!(0.0 <= e.low && e.low <= e.mean && e.mean <= e.high);
        assert!(e.high.is_finite());
    }
}

#[test]
fn expected_costs_are_an_array_per_property() {
    let json = calibrated().to_json();
    let expected = "\n  \"calibration\": {\n    \"lists\": 4,\n    \"items\": 56,\n    \
                    \"score\": [-2.5,100.0,900.0],\n    \"mean\": [0.5,60.0,750.0],\n    \
                    \"low\": [0.0,40.25,500.0],\n    \"high\": [1.5,75.0,1200.0]\n  }\n}\n";
    assert!(json.ends_with(expected), "{json}");
    assert_eq!(Model::from_json(json.as_bytes(), "m").unwrap(), calibrated());
}
