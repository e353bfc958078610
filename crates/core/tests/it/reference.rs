//! Our metrics against values from independent implementations: `tests/golden/reference.json`
//! at the root of the workspace, whose README says where each value comes from.

use serde_json::Value;
use stakes_core::data::ListView;
use stakes_core::metric::{Metric, Scale};

const FILE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/golden/reference.json");
const TOLERANCE: f64 = 1e-9;

#[test]
fn every_value_of_the_reference_file_is_ours() {
    let text = std::fs::read_to_string(FILE).expect("tests/golden/reference.json");
    let reference: Value = serde_json::from_str(&text).unwrap();
    let mut compared = 0;
    let mut failures = Vec::new();
    for case in reference["cases"].as_array().unwrap() {
        let numbers = |key: &str| -> Vec<f64> {
            case[key].as_array().unwrap().iter().map(|v| v.as_f64().unwrap()).collect()
        };
        let (labels, scores) = (numbers("labels"), numbers("scores"));
        for expected in case["expected"].as_array().unwrap() {
            let text = |key: &str| expected[key].as_str().unwrap_or("?");
            compared += 1;
            if let Err(found) =
                compare(text("metric"), &labels, &scores, expected["value"].as_f64())
            {
                let case = case["name"].as_str().unwrap_or("?");
                failures.push(format!("{case}: {}: {found} ({})", text("metric"), text("source")));
            }
        }
    }
    assert!(compared > 0, "the file holds no value");
    println!("{compared} values compared");
    let (count, list) = (failures.len(), failures.join("\n  "));
    assert!(failures.is_empty(), "{count} of {compared} values differ:\n  {list}");
}

/// Compares one value; a list without a value is `null` in the file.
fn compare(
    spec: &str,
    labels: &[f64],
    scores: &[f64],
    expected: Option<f64>,
) -> Result<(), String> {
    let metric = Metric::parse(spec, Scale::default()).map_err(|e| e.to_string())?;
    let list = ListView::of_impact(labels);
    metric.check(&list)?;
    let ours = metric.prepare(&list).of_scores(scores);
    let same = match (ours, expected) {
        (Some(ours), Some(theirs)) => (ours - theirs).abs() <= TOLERANCE * theirs.abs().max(1.0),
        (None, None) => true,
        _ => false,
    };
    if same { Ok(()) } else { Err(format!("ours {ours:?}, theirs {expected:?}")) }
}
