//! A file of version 1, kept for good: it loads, is written again to the same bytes, and
//! scores as it always did.

use stakes_learn::{Checkpoint, Model};

use crate::make::{Draw, small, unfinished};

const GOLDEN: &str = include_str!("../../../../tests/golden/model-v1.json");
const GOLDEN_CHECKPOINT: &str = include_str!("../../../../tests/golden/checkpoint-v1.json");

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
    let mut accepted = 0;
    for seed in 0..20_000 {
        let mut draw = Draw::new(seed);
        let mut bytes = GOLDEN.as_bytes().to_vec();
        for _ in 0..1 + draw.below(3) {
            let at = draw.below(bytes.len());
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
            }
        }
    }
    // Names and numbers may change; most changes make no sense.
    assert!((1000..12_000).contains(&accepted), "{accepted}");
}
