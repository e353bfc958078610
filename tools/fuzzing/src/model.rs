//! Model files: what is parsed is written as equivalent text, and scores are finite.

use stakes_model::{Model, diff};

/// A model file.
pub fn model(data: &[u8]) {
    match Model::from_json(data, "fuzz") {
        Ok(model) => check(&model),
        Err(error) => assert!(error.to_string().starts_with("fuzz:"), "{error}"),
    }
}

/// Enough rows that they are scored as a block.
const ROWS: usize = 49;

/// Checks an accepted model.
pub(crate) fn check(model: &Model) {
    let text = model.to_json();
    let again = Model::from_json(text.as_bytes(), "again").expect("what we wrote");
    assert_eq!(again.to_json(), text);
    assert_eq!(diff(model, &again), []);
    assert!(model.importance().iter().all(|(_, share, _)| share.is_finite()));
    assert!(model.size().depth < model.size().leaves.max(1));
    let width = model.features.len();
    let rows: Vec<f32> = [f32::NAN, 0.0, 1.0, -1.0, 300.0, f32::MAX, f32::MIN]
        .into_iter()
        .cycle()
        .take(ROWS)
        .flat_map(|value| std::iter::repeat_n(value, width))
        .collect();
    let mut scores = [0.0; ROWS];
    model.scorer.prepare().score_rows(&rows, width, &mut scores);
    for (i, score) in scores.into_iter().enumerate() {
        let alone = model.scorer.score(&rows[i * width..][..width]);
        assert!(score.is_finite() && score == alone, "{score} {alone}");
        if let Some(calibration) = &model.calibration {
            let e = calibration.expected(score);
            assert!(0.0 <= e.low && e.low <= e.mean && e.mean <= e.high && e.high.is_finite());
        }
    }
}
