//! A C file without dependencies but the standard library whose scores are ours to the bit.
//!
//! As the Rust file: trees and nets are tables, and a few functions walk them. Only what the model needs is written,
//! so that strict compilers find nothing unused. Compilers must not contract or reorder floating point
//! (`-std=c99` of gcc and clang does not; otherwise `-ffp-contract=off`).

mod code;
mod lists;

use std::fmt::Write;

use stakes_model::{Activation, Input, Link, Model, Net};

use super::flat::{Flat, comment, has_draws, has_nets, literal, table};
use super::parts::needs_lists;
use super::precision::Precision;
use super::{ExportOptions, Written};
use code::*;

pub(super) fn write(model: &Model, options: &ExportOptions) -> Written {
    let takes = match needs_lists(model) {
        true => {
            "stakes_scores takes the rows of one list, whose items are compared with one another; a row has the"
        }
        false => "stakes_score takes one row, which has the",
    };
    let mut code = format!(
        "/* The score of a model of stakes ({}), as `stakes model export --to c` writes it.\n *\n\
        \x20* {takes}\n\
        \x20* features in the order below: numbers, stakes_code of a category, NAN for a missing value. The scores\n\
        \x20* are those of the model to the bit, where the compiler keeps to IEEE 754: cc -O2 -std=c99 (or\n\
        \x20* -ffp-contract=off), never -ffast-math.\n *\n",
        comment(&model.learner)
    );
    for (i, feature) in model.features.iter().enumerate() {
        let _ = writeln!(code, " * {i}: {}", comment(&feature.name));
    }
    code.push_str(
        " */\n#include <float.h>\n#include <math.h>\n#include <stdint.h>\n#include <stdlib.h>\n#include <string.h>\n\n",
    );
    features(&mut code, model);
    trees(&mut code, model);
    if has_draws(model) {
        code.push_str(DRAWS);
    }
    if has_nets(model) {
        code.push_str(NETS);
        code.push_str(&INPUT.replace("    DRAW\n", if has_draws(model) { CASE_DRAW } else { "" }));
    }
    let nets = model.scorer.factors.iter().enumerate();
    for (number, net) in nets.filter_map(|(number, f)| f.net.as_ref().map(|net| (number, net))) {
        net_tables(&mut code, &number.to_string(), net);
    }
    if let Some(rerank) = &model.rerank {
        net_tables(&mut code, "second", &rerank.net);
    }
    score(&mut code, model);
    if let Some(calibration) = &model.calibration {
        let knot = |k: &stakes_model::Knot| format!("{{{:?}, {:?}}}", k.score, k.expected.mean);
        let knots = table(calibration.knots.iter().map(knot));
        let _ = writeln!(code, "\n/* The expected cost at each of some scores. */");
        let _ = writeln!(code, "#define KNOTS {}", calibration.knots.len());
        let _ = writeln!(code, "static const double knots[KNOTS][2] = {{\n{knots}\n}};");
        code.push_str(CALIBRATION);
    }
    if options.parity_rows > 0 {
        let costs = if model.calibration.is_some() { CHECK_COST } else { "" };
        let scores = if needs_lists(model) { CHECK_LIST } else { CHECK_ROWS };
        code.push_str(&CHECK.replace("    SCORES\n", scores).replace("        COST\n", costs));
    }
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    Written { bytes: code.into_bytes(), notes: Vec::new(), precision: Precision::EXACT, names }
}

fn features(code: &mut String, model: &Model) {
    let _ = writeln!(code, "#define STAKES_FEATURES {}\n", model.features.len());
    let at_least_one = |items: Vec<String>, else_: &str| match items.is_empty() {
        true => format!("    {else_}"),
        false => items.join("\n"),
    };
    let names = model.features.iter().map(|feature| format!("    {},", text(&feature.name)));
    let names = at_least_one(names.collect(), "0");
    let _ = writeln!(code, "const char *const stakes_features[] = {{\n{names}\n}};\n");
    let count =
        |f: &stakes_model::ModelFeature| f.categories.as_ref().map_or(-1, |c| c.len() as i64);
    let counts = model.features.iter().map(|f| format!("    {},", count(f)));
    let _ = writeln!(
        code,
        "/* The number of known categories of each feature; -1 for numbers. */\n\
         static const int category_counts[] = {{\n{}\n}};\n",
        at_least_one(counts.collect(), "-1")
    );
    for (i, feature) in model.features.iter().enumerate() {
        let Some(known) = feature.categories.as_ref().filter(|known| !known.is_empty()) else {
            continue;
        };
        let names = table(known.iter().map(|name| text(name)));
        let _ = writeln!(code, "static const char *const categories_{i}[] = {{\n{names}\n}};\n");
    }
    let pointer = |(i, f): (usize, &stakes_model::ModelFeature)| match &f.categories {
        Some(known) if !known.is_empty() => format!("    categories_{i},"),
        _ => "    0,".to_owned(),
    };
    let pointers = at_least_one(model.features.iter().enumerate().map(pointer).collect(), "0");
    let _ = writeln!(code, "static const char *const *const categories[] = {{\n{pointers}\n}};\n");
    code.push_str(FEATURES);
}

/// A text. Two question marks may begin a trigraph.
fn text(text: &str) -> String {
    let octal = |c: char| c.to_string().bytes().map(|byte| format!("\\{byte:03o}")).collect();
    literal(text, octal).replace("??", "?\\?")
}

fn trees(code: &mut String, model: &Model) {
    let flat = Flat::of(model);
    if flat.roots.is_empty() {
        return;
    }
    let node = |n: &super::flat::FlatNode| {
        let missing = i32::from(n.missing_left);
        format!(
            "{{{}, {missing}, {}, {:?}f, {}, {}}}",
            n.feature, n.set, n.threshold, n.left, n.right
        )
    };
    let set = |s: &[u64; 4]| format!("{{{}u, {}u, {}u, {}u}}", s[0], s[1], s[2], s[3]);
    let mut one = |kind: &str, name: &str, items: String| {
        let _ = writeln!(code, "static const {kind} {name} = {{\n{items}\n}};\n");
    };
    one("double", "leaves[]", table(flat.leaves.iter().map(|x| format!("{x:?}"))));
    one("int32_t", "trees[]", table(flat.roots.iter().map(i32::to_string)));
    if flat.nodes.is_empty() {
        code.push_str(ONLY_LEAVES);
        return;
    }
    if !flat.sets.is_empty() {
        one("uint64_t", "sets[][4]", table(flat.sets.iter().map(set)));
    }
    code.push_str(NODE);
    let _ = writeln!(
        code,
        "static const struct node nodes[] = {{\n{}\n}};\n",
        table(flat.nodes.iter().map(node))
    );
    let in_set = match flat.sets.is_empty() {
        true => "value <= node->threshold",
        false => {
            "node->set < 0 ? value <= node->threshold\n                 \
             : (int)(sets[node->set][(int)value / 64] >> ((int)value % 64) & 1)"
        }
    };
    code.push_str(&TREE.replace("TEST", in_set));
}

fn net_tables(code: &mut String, number: &str, net: &Net) {
    let input = |input: &Input| match *input {
        Input::Number { feature, mean, deviation } => {
            format!("{{0, {feature}, {mean:?}, {deviation:?}, 0}}")
        }
        Input::Missing { feature } => format!("{{1, {feature}, 0, 0, 0}}"),
        Input::Category { feature, code } => {
            format!("{{2, {feature}, {:?}, 0, 0}}", f64::from(code))
        }
        Input::Draw { features, seed } => format!("{{3, {features}, 0, 0, {seed}u}}"),
    };
    let all = net.inputs.len();
    if all > 0 {
        let inputs = table(net.inputs.iter().map(input));
        let _ = writeln!(code, "static const struct input inputs_{number}[] = {{\n{inputs}\n}};\n");
    }
    for (i, layer) in net.layers.iter().enumerate() {
        for (name, values) in [("biases", &layer.biases), ("weights", &layer.weights)] {
            // An array has at least one item.
            let values = if values.is_empty() { &[0.0][..] } else { values };
            let items = table(values.iter().map(|x| format!("{x:?}")));
            let _ =
                writeln!(code, "static const double {name}_{number}_{i}[] = {{\n{items}\n}};\n");
        }
    }
    let _ = writeln!(
        code,
        "static double net_{number}(const float *x) {{\n    double v0[{}];",
        all.max(1)
    );
    match all {
        0 => code.push_str("    (void)x;\n    (void)input;\n    v0[0] = 0;\n"),
        _ => {
            let _ = writeln!(
                code,
                "    int i;\n    for (i = 0; i < {all}; i++) v0[i] = input(&inputs_{number}[i], x);"
            );
        }
    }
    let mut width = all;
    for (i, layer) in net.layers.iter().enumerate() {
        let outputs = layer.outputs();
        let apply = match layer.activation {
            Activation::Identity => 0,
            Activation::Relu => 1,
            Activation::Tanh => 2,
        };
        let after = i + 1;
        let _ = writeln!(
            code,
            "    double v{after}[{}];\n    layer(v{i}, {width}, biases_{number}_{i}, weights_{number}_{i}, v{after}, {outputs}, {apply});",
            outputs.max(1)
        );
        width = outputs;
    }
    let _ = writeln!(code, "    return v{}[0];\n}}\n", net.layers.len());
}

fn score(code: &mut String, model: &Model) {
    let flat = Flat::of(model);
    code.push_str(FINITE);
    let _ = writeln!(
        code,
        "/* The score of one row, read. */\nstatic double score_of(const float *x) {{\n    double score = {:?}, sum;",
        model.scorer.unit
    );
    match flat.roots.is_empty() {
        true => code.push_str("    (void)x;\n"),
        false => code.push_str("    int i;\n"),
    }
    for (number, (factor, trees)) in model.scorer.factors.iter().zip(&flat.factors).enumerate() {
        let _ = writeln!(
            code,
            "    /* The factor {}. */\n    sum = {:?};",
            comment(&factor.name),
            factor.start
        );
        if !trees.is_empty() {
            let _ = writeln!(
                code,
                "    for (i = {}; i < {}; i++) sum += value(trees[i], x);",
                trees.start, trees.end
            );
        }
        if factor.net.is_some() {
            let _ = writeln!(code, "    sum += net_{number}(x);");
        }
        let power = factor.power;
        let link = match factor.link {
            Link::Identity => "sum".to_owned(),
            Link::Exp if power == 1.0 => "exp(fmin(sum, 700.0))".to_owned(),
            Link::Exp => format!("exp(fmin({power:?} * sum, 700.0))"),
            Link::Logistic => "1.0 / (1.0 + exp(-sum))".to_owned(),
        };
        let link = match factor.link {
            Link::Identity | Link::Logistic if power != 1.0 => format!("pow({link}, {power:?})"),
            _ => link,
        };
        let _ = writeln!(code, "    score = clamped(score * ({link}));");
    }
    code.push_str("    return score;\n}\n");
    match needs_lists(model) {
        true => code.push_str(&lists::code(model)),
        false => code.push_str(SCORE),
    }
}
