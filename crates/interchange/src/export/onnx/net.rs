//! A net as matrix products. Inputs are grouped by kind, and the first layer's weights follow them.

use stakes_model::{Activation, Input, Net};

use super::graph::{Graph, integer};
use super::{FEATURES, NUMBERS};

/// Adds a net that has inputs; returns a column.
pub(super) fn add(graph: &mut Graph, net: &Net) -> String {
    let mut order: Vec<usize> = (0..net.inputs.len()).collect();
    order.sort_by_key(|&i| kind(&net.inputs[i]));
    let mut groups = Vec::new();
    for group in order.chunk_by(|&a, &b| kind(&net.inputs[a]) == kind(&net.inputs[b])) {
        let inputs: Vec<Input> = group.iter().map(|&i| net.inputs[i]).collect();
        groups.push(inputs_of_kind(graph, &inputs));
    }
    let groups: Vec<&str> = groups.iter().map(String::as_str).collect();
    let mut values = graph.with("Concat", &groups, vec![integer("axis", 1)]);
    let mut width = net.inputs.len();
    for (number, layer) in net.layers.iter().enumerate() {
        let outputs = layer.outputs();
        // Weights are kept by output, and here one column is an output.
        let place = |input: usize| if number == 0 { order[input] } else { input };
        let weights: Vec<f64> = (0..width)
            .flat_map(|input| (0..outputs).map(move |output| (input, output)))
            .map(|(input, output)| layer.weights[output * width + place(input)])
            .collect();
        let weights = graph.constant(&weights, &[width, outputs]);
        let biases = graph.constant(&layer.biases, &[1, outputs]);
        let products = graph.node("MatMul", &[&values, &weights]);
        let sums = graph.node("Add", &[&products, &biases]);
        values = match layer.activation {
            Activation::Identity => sums,
            Activation::Relu => graph.node("Relu", &[&sums]),
            Activation::Tanh => graph.node("Tanh", &[&sums]),
        };
        width = outputs;
    }
    values
}

fn kind(input: &Input) -> u8 {
    match input {
        Input::Number { .. } => 0,
        Input::Missing { .. } => 1,
        Input::Category { .. } => 2,
        Input::Draw { .. } => unreachable!("draws are refused"),
    }
}

/// The values of inputs of one kind, side by side.
fn inputs_of_kind(graph: &mut Graph, inputs: &[Input]) -> String {
    let columns: Vec<i64> = inputs.iter().filter_map(Input::feature).map(|f| f as i64).collect();
    let columns = graph.columns(FEATURES, &columns);
    let size = inputs.len();
    match inputs[0] {
        Input::Number { .. } => {
            let standards: Vec<(f64, f64)> = (inputs.iter())
                .filter_map(|input| match *input {
                    Input::Number { mean, deviation, .. } => Some((mean, deviation)),
                    _ => None,
                })
                .collect();
            let means: Vec<f64> = standards.iter().map(|s| s.0).collect();
            let deviations: Vec<f64> = standards.iter().map(|s| s.1).collect();
            let missing = graph.node("IsNaN", &[&columns]);
            let [low, high] = [f32::MIN, f32::MAX].map(|limit| graph.floats(&[limit], &[]));
            let finite = graph.node("Clip", &[&columns, &low, &high]);
            let finite = graph.cast(&finite, NUMBERS);
            let means = graph.constant(&means, &[1, size]);
            let deviations = graph.constant(&deviations, &[1, size]);
            let centred = graph.node("Sub", &[&finite, &means]);
            let scaled = graph.node("Div", &[&centred, &deviations]);
            let zero = graph.constant(&[0.0], &[1, 1]);
            graph.node("Where", &[&missing, &zero, &scaled])
        }
        Input::Missing { .. } => {
            let missing = graph.node("IsNaN", &[&columns]);
            graph.cast(&missing, NUMBERS)
        }
        _ => {
            let code = |input: &Input| match *input {
                Input::Category { code, .. } => Some(code as f32),
                _ => None,
            };
            let codes: Vec<f32> = inputs.iter().filter_map(code).collect();
            let codes = graph.floats(&codes, &[1, size]);
            let equal = graph.node("Equal", &[&columns, &codes]);
            graph.cast(&equal, NUMBERS)
        }
    }
}
