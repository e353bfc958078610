//! A file of version 1, kept for good: it loads, is written again to the same bytes, and
//! scores as it always did.

use stakes_model::{Checkpoint, Model, Numbers, StageState};

use crate::make::{Draw, calibrated, small, unfinished};

const GOLDEN: &str = include_str!("../../../tests/golden/model-v1.json");
const GOLDEN_CHECKPOINT: &str = include_str!("../../../tests/golden/checkpoint-v1.json");

/// The golden files name the program that wrote them.
fn as_of_then(json: &str) -> String {
    json.replacen(concat!("stakes ", env!("CARGO_PKG_VERSION")), "stakes 0.1.0", 1)
}

#[test]
fn it_still_loads_and_is_written_to_the_same_bytes() {
    let model = Model::from_json(GOLDEN.as_bytes(), "model-v1.json").unwrap();
    assert_eq!(model, small());
    assert_eq!(as_of_then(&model.to_json()), GOLDEN);
    let run = Checkpoint::from_json(GOLDEN_CHECKPOINT.as_bytes(), "checkpoint-v1.json").unwrap();
    assert_eq!(run, unfinished());
    assert_eq!(as_of_then(&run.to_json()), GOLDEN_CHECKPOINT);
}

#[test]
fn it_scores_as_it_always_did() {
    let model = Model::from_json(GOLDEN.as_bytes(), "model-v1.json").unwrap();
    let nan = f32::NAN;
    // By hand: 1000 / (1 + exp(1 - leaf)) * exp(0.5 - 0.25 + leaf), with Python's math.exp.
    for (row, expected) in [
        ([10.0, 0.0, 5.0], 326.906_871_707_198_04),
        ([14.1, 1.0, 0.0], 258.874_140_868_726_95),
        ([14.100_001, 1.0, 0.0], 455.267_096_897_675),
        ([20.0, 0.0, 1.0], 896.000_912_827_877_6),
        ([20.0, 2.0, nan], 896.000_912_827_877_6),
        ([20.0, nan, -1.0], 455.267_096_897_675),
        ([20.0, 3.0, -1.0], 455.267_096_897_675),
        ([nan, nan, nan], 326.906_871_707_198_04),
    ] {
        let score = model.scorer.score(&row);
        assert!((score - expected).abs() < 1e-11, "{row:?}: {score}");
    }
}

#[test]
fn what_is_learnt_without_trees_survives_its_checkpoint() {
    let mut run = unfinished();
    let numbers = Numbers { now: vec![0.1, -1e-300], memory: vec![], best: vec![1.0 / 3.0, 7e50] };
    run.stages[1] =
        StageState { numbers: Some(numbers), curve: vec![0.5], ..StageState::default() };
    let json = run.to_json();
    let back = Checkpoint::from_json(json.as_bytes(), "c").unwrap();
    assert_eq!(back, run);
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_round_without_a_figure_is_null() {
    let mut model = small();
    model.stages[0].curve[1] = f64::NAN;
    let json = model.to_json();
    assert!(json.contains("\"curve\": [0.5,null]"), "{json}");
    let back = Model::from_json(json.as_bytes(), "m").unwrap();
    assert!(back.stages[0].curve[1].is_nan());
    assert_eq!(back.to_json(), json);
}

#[test]
fn a_cut_off_file_is_refused_at_every_byte() {
    let end = GOLDEN.trim_end().len();
    for (golden, read) in [
        (GOLDEN, (|b: &[u8]| Model::from_json(b, "m").err()) as fn(&[u8]) -> _),
        (GOLDEN_CHECKPOINT, |b| Checkpoint::from_json(b, "c").err()),
    ] {
        for cut in 0..golden.trim_end().len() {
            let error = read(&golden.as_bytes()[..cut]).unwrap().to_string();
            let said = error.contains("truncated") || error.contains("empty file");
            assert!(said, "cut at {cut} of {end}: {error}");
        }
        assert!(read(golden.trim_end().as_bytes()).is_none());
    }
}

#[test]
fn changed_bytes_give_a_refusal_or_a_model() {
    // Names and numbers may change; most changes make no sense.
    let accepted = accepted_of_20_000(GOLDEN, 0);
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
                let json = model.to_json();
                let again = Model::from_json(json.as_bytes(), "again").unwrap();
                assert_eq!(again.to_json(), json);
                for row in [[0.0; 3], [f32::NAN; 3], [f32::MAX, 2.0, f32::MIN]] {
                    assert!(model.scorer.score(&row).is_finite());
                }
                assert!(model.importance().iter().all(|(_, share, _)| (0.0..=1.0).contains(share)));
                for score in [f64::MIN, -2.5, 0.0, 500.0, f64::MAX] {
                    let Some(e) = model.calibration.as_ref().map(|c| c.expected(score)) else {
                        continue;
                    };
                    assert!(0.0 <= e.low && e.low <= e.mean && e.mean <= e.high);
                    assert!(e.high.is_finite());
                }
            }
        }
    }
    accepted
}

#[test]
fn expected_costs_are_a_column_per_property() {
    let json = calibrated().to_json();
    let expected = "\n  \"calibration\": {\n    \"lists\": 4,\n    \"items\": 56,\n    \
                    \"score\": [-2.5,100.0,900.0],\n    \"mean\": [0.5,60.0,750.0],\n    \
                    \"low\": [0.0,40.25,500.0],\n    \"high\": [1.5,75.0,1200.0]\n  }\n}\n";
    assert!(json.ends_with(expected), "{json}");
    assert_eq!(Model::from_json(json.as_bytes(), "m").unwrap(), calibrated());
}
