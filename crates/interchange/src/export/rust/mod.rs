//! A Rust file without dependencies whose scores are ours to the bit.
//!
//! Trees and nets are tables; a few functions walk them. The functions are those of the model crate, spelled out.

mod code;
mod lists;

use std::fmt::Write;

use stakes_model::{Activation, Input, Link, Model, Net};

use super::flat::{Flat, comment, has_nets, literal, table};
use super::parts::needs_lists;
use super::precision::Precision;
use super::{ExportOptions, Written};
use code::{CALIBRATION, CHECK, CHECK_COST, DRAWS, FEATURES, NETS, NODE, SCORE, TREE};

pub(super) fn write(model: &Model, options: &ExportOptions) -> Written {
    let mut code = format!(
        "//! The score of a model of stakes ({}), as `stakes model export --to rust` writes it.\n//!\n\
         //! {}\n\
         //! features in the order of `FEATURES`: numbers, `code` of a category, NaN for a missing value.\n\
         //! The scores are those of the model to the bit.\n\n\
         #![allow(unused, clippy::all)]\n\n",
        comment(&model.learner),
        match needs_lists(model) {
            true =>
                "`scores` takes the rows of one list, whose items are compared with one another; a row has the",
            false => "`score` takes one row, which has the",
        }
    );
    features(&mut code, model);
    trees(&mut code, model);
    let nets = model.scorer.factors.iter().enumerate();
    for (number, net) in nets.filter_map(|(number, f)| f.net.as_ref().map(|net| (number, net))) {
        net_tables(&mut code, &number.to_string(), net);
    }
    if let Some(rerank) = &model.rerank {
        net_tables(&mut code, "second", &rerank.net);
    }
    if has_nets(model) {
        code.push_str(NETS);
        code.push_str(DRAWS);
    }
    score(&mut code, model);
    if let Some(calibration) = &model.calibration {
        let knot = |k: &stakes_model::Knot| format!("({:?}, {:?})", k.score, k.expected.mean);
        let knots = table(calibration.knots.iter().map(knot));
        let _ = writeln!(code, "\n/// The expected cost at each of some scores.");
        let _ = writeln!(
            code,
            "static KNOTS: [(f64, f64); {}] = [\n{knots}\n];",
            calibration.knots.len()
        );
        code.push_str(CALIBRATION);
    }
    if options.parity_rows > 0 {
        check(&mut code, model, options);
    }
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    Written { bytes: code.into_bytes(), notes: Vec::new(), precision: Precision::EXACT, names }
}

fn features(code: &mut String, model: &Model) {
    let count = model.features.len();
    let names = table(model.features.iter().map(|feature| text(&feature.name)));
    let _ = writeln!(
        code,
        "/// The features, in the order of a row.\npub const FEATURES: [&str; {count}] = [\n{names}\n];\n"
    );
    let categories = |known: &Option<Vec<String>>| match known {
        None => "None".to_owned(),
        Some(names) => {
            let names: Vec<String> = names.iter().map(|name| text(name)).collect();
            format!("Some(&[{}])", names.join(", "))
        }
    };
    let known: Vec<String> =
        model.features.iter().map(|f| format!("    {},", categories(&f.categories))).collect();
    let _ = writeln!(
        code,
        "/// The known categories of each feature, by code; `None` for numbers.\n\
         pub const CATEGORIES: [Option<&[&str]>; {count}] = [\n{}\n];\n",
        known.join("\n")
    );
    code.push_str(FEATURES);
}

fn trees(code: &mut String, model: &Model) {
    let flat = Flat::of(model);
    if flat.roots.is_empty() {
        return;
    }
    let node = |n: &super::flat::FlatNode| {
        format!(
            "N({}, {}, {}, {:?}, {}, {})",
            n.feature, n.missing_left, n.set, n.threshold, n.left, n.right
        )
    };
    let set = |s: &[u64; 4]| format!("[{}, {}, {}, {}]", s[0], s[1], s[2], s[3]);
    code.push_str(NODE);
    let mut one = |kind: &str, name: &str, count: usize, items: String| {
        let _ = writeln!(code, "static {name}: [{kind}; {count}] = [\n{items}\n];\n");
    };
    one("N", "NODES", flat.nodes.len(), table(flat.nodes.iter().map(node)));
    one("[u64; 4]", "SETS", flat.sets.len(), table(flat.sets.iter().map(set)));
    one("f64", "LEAVES", flat.leaves.len(), table(flat.leaves.iter().map(|x| format!("{x:?}"))));
    one("i32", "TREES", flat.roots.len(), table(flat.roots.iter().map(i32::to_string)));
    code.push_str(TREE);
}

fn net_tables(code: &mut String, name: &str, net: &Net) {
    let number = name.to_uppercase();
    let input = |input: &Input| match *input {
        Input::Number { feature, mean, deviation } => {
            format!("Number({feature}, {mean:?}, {deviation:?})")
        }
        Input::Missing { feature } => format!("Missing({feature})"),
        Input::Category { feature, code } => format!("Category({feature}, {:?})", code as f32),
        Input::Draw { features, seed } => format!("Draw({features}, {seed})"),
    };
    let inputs = table(net.inputs.iter().map(|i| format!("Input::{}", input(i))));
    let _ =
        writeln!(code, "static INPUTS_{number}: [Input; {}] = [\n{inputs}\n];\n", net.inputs.len());
    for (i, layer) in net.layers.iter().enumerate() {
        for (kind, values) in [("BIASES", &layer.biases), ("WEIGHTS", &layer.weights)] {
            let items = table(values.iter().map(|x| format!("{x:?}")));
            let _ = writeln!(
                code,
                "static {kind}_{number}_{i}: [f64; {}] = [\n{items}\n];\n",
                values.len()
            );
        }
    }
    let _ = writeln!(code, "fn net_{name}(x: &[f32; FEATURES.len()]) -> f64 {{");
    let _ = writeln!(
        code,
        "    let mut values: Vec<f64> = INPUTS_{number}.iter().map(|i| i.value(x)).collect();"
    );
    for (i, layer) in net.layers.iter().enumerate() {
        let apply = match layer.activation {
            Activation::Identity => "sum",
            Activation::Relu => "sum.max(0.0)",
            Activation::Tanh => "sum.tanh()",
        };
        let _ = writeln!(
            code,
            "    values = layer(&values, &BIASES_{number}_{i}, &WEIGHTS_{number}_{i}, |sum: f64| {apply});"
        );
    }
    let _ = writeln!(code, "    values[0]\n}}\n");
}

fn score(code: &mut String, model: &Model) {
    let flat = Flat::of(model);
    let _ = writeln!(
        code,
        "/// The score of one row, read.\nfn score_of(x: &[f32; FEATURES.len()]) -> f64 {{\n    \
         let mut score: f64 = {:?};",
        model.scorer.unit
    );
    for (number, (factor, trees)) in model.scorer.factors.iter().zip(&flat.factors).enumerate() {
        let _ = writeln!(code, "    // The factor {}.", comment(&factor.name));
        let mut sum = match trees.is_empty() {
            true => format!("{:?}_f64", factor.start),
            false => format!(
                "TREES[{}..{}].iter().fold({:?}, |sum, tree| sum + value(*tree, x))",
                trees.start, trees.end, factor.start
            ),
        };
        if factor.net.is_some() {
            sum = format!("{sum} + net_{number}(x)");
        }
        let _ = writeln!(code, "    let sum: f64 = {sum};");
        let power = factor.power;
        let link = match factor.link {
            Link::Identity => "sum".to_owned(),
            Link::Exp if power == 1.0 => "sum.min(700.0).exp()".to_owned(),
            Link::Exp => format!("({power:?} * sum).min(700.0).exp()"),
            Link::Logistic => "1.0 / (1.0 + (-sum).exp())".to_owned(),
        };
        let link = match factor.link {
            Link::Identity | Link::Logistic if power != 1.0 => format!("({link}).powf({power:?})"),
            _ => link,
        };
        let _ = writeln!(code, "    score = (score * ({link})).clamp(f64::MIN, f64::MAX);");
    }
    code.push_str("    score\n}\n");
    match needs_lists(model) {
        true => code.push_str(&lists::code(model)),
        false => code.push_str(SCORE),
    }
}

/// A text.
fn text(text: &str) -> String {
    literal(text, |c| c.escape_unicode().to_string())
}

fn check(code: &mut String, model: &Model, options: &ExportOptions) {
    let file = text(options.parity_file().rsplit('/').next().unwrap_or_default());
    let scores = match needs_lists(model) {
        true => "scores(&rows)",
        false => "rows.iter().map(score).collect::<Vec<f64>>()",
    };
    let costs = if model.calibration.is_some() { CHECK_COST } else { "" };
    let test = CHECK.replace("FILE", &file).replace("SCORES", scores);
    code.push_str(&test.replace("        COST\n", costs));
}
