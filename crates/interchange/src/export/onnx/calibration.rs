//! The expected cost of a score: linear between knots, constant beyond them.
//!
//! The number of knots at or below the score selects a piece `min(a + slope x (score / 2 - from) / width, b)`; the
//! pieces beyond the ends have slope 0.

use stakes_model::Calibration;

use super::NUMBERS;
use super::graph::{Graph, integer};
use crate::onnx_proto::data_type;

/// Adds the output `expected_cost` for the output `score`.
pub(super) fn add(graph: &mut Graph, calibration: &Calibration) {
    let knots = &calibration.knots;
    let (first, last) = (&knots[0], &knots[knots.len() - 1]);
    // From, width, a, b - a and b of each piece.
    let mut pieces = vec![[0.0, 1.0, first.expected.mean, 0.0, first.expected.mean]];
    pieces.extend(knots.windows(2).map(|pair| {
        let [from, to] = [0.5 * pair[0].score, 0.5 * pair[1].score];
        let [a, b] = [pair[0].expected.mean, pair[1].expected.mean];
        [from, to - from, a, b - a, b]
    }));
    pieces.push([0.0, 1.0, last.expected.mean, 0.0, last.expected.mean]);

    let scores: Vec<f64> = knots.iter().map(|knot| knot.score).collect();
    let scores = graph.constant(&scores, &[1, knots.len()]);
    let axis = graph.integers(&[1]);
    let column = graph.node("Unsqueeze", &["score", &axis]);
    let reached = graph.node("GreaterOrEqual", &[&column, &scores]);
    let reached = graph.cast(&reached, data_type::INT64);
    let piece = graph.with("ReduceSum", &[&reached, &axis], vec![integer("keepdims", 0)]);
    let of_piece = |graph: &mut Graph, what: usize| {
        let values: Vec<f64> = pieces.iter().map(|piece| piece[what]).collect();
        let values = graph.constant(&values, &[values.len()]);
        graph.with("Gather", &[&values, &piece], vec![integer("axis", 0)])
    };
    let [from, width, a, rise, b] = std::array::from_fn(|what| of_piece(graph, what));
    let half = graph.constant(&[0.5], &[1]);
    let score = graph.node("Mul", &["score", &half]);
    let along = graph.node("Sub", &[&score, &from]);
    let share = graph.node("Div", &[&along, &width]);
    let rise = graph.node("Mul", &[&rise, &share]);
    let cost = graph.node("Add", &[&a, &rise]);
    graph.named("Min", &[&cost, &b], "expected_cost");
    debug_assert_eq!(NUMBERS, data_type::DOUBLE);
}
