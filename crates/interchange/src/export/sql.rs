//! One SQL expression that PostgreSQL, DuckDB and SQLite understand alike.
//!
//! `SELECT id, (expression) AS score FROM items` scores a table whose columns have the names of the features. A
//! missing value is NULL, or NaN where the database has it; categories are text.
//!
//! **NaN.** PostgreSQL and DuckDB take NaN for the largest number. So `x <= t` is not true for it, nor is `-x < -t`:
//! where missing values go to the left, the test is the second one, for what goes to the right.
//!
//! **Types.** Numbers are written with an exponent, which makes them DOUBLE in DuckDB; in PostgreSQL they are exact
//! decimals until they meet a double, so every sum begins with one, and so does every CASE.
//!
//! **Limits** ([`MAX_TREES`], [`MAX_LEAVES`], [`MAX_DEPTH`], [`MAX_INPUTS`]): databases limit the depth of an
//! expression, and a sum of n terms is n deep. PostgreSQL refuses numbers that overflow or underflow: where a link
//! function's argument has no safe bound, it is limited to 700, or to less where factors are multiplied.

use std::fmt::Write;

use stakes_model::tree::{Child, Node, Test, Tree};
use stakes_model::{Activation, Factor, Input, Link, Model, ModelFeature, Net};

use super::lightgbm::others;
use super::precision::Precision;
use super::{ExportOptions, Written, parts};

/// SQLite and DuckDB allow expressions of depth 1000.
pub(super) const MAX_TREES: usize = 500;
/// About a megabyte of text.
pub(super) const MAX_LEAVES: usize = 20_000;
/// Of a single tree.
pub(super) const MAX_DEPTH: usize = 60;
/// Of a linear score.
pub(super) const MAX_INPUTS: usize = 500;

pub(super) fn refusals(model: &Model, _: bool) -> Vec<String> {
    let mut reasons = parts::of_lists(model);
    reasons.extend(parts::draws(model));
    reasons.extend(parts::too_deep(model, MAX_DEPTH));
    let factors = &model.scorer.factors;
    let trees: usize = factors.iter().map(|factor| factor.trees.len()).sum();
    let leaves: usize = factors.iter().flat_map(|f| &f.trees).map(|tree| tree.leaves.len()).sum();
    for (what, met, most) in [("trees", trees, MAX_TREES), ("leaves", leaves, MAX_LEAVES)] {
        if met > most {
            reasons.push(format!("it has {met} {what}, and an expression holds at most {most}"));
        }
    }
    for factor in factors {
        let Some(net) = &factor.net else { continue };
        if net.layers.len() > 1 {
            reasons.push(parts::net_words(factor));
        }
        if net.inputs.len() > MAX_INPUTS {
            let met = net.inputs.len();
            reasons.push(format!("it has {met} inputs, and an expression holds at most {MAX_INPUTS}"));
        }
    }
    let texts = model.features.iter().flat_map(|f| f.categories.iter().flatten().chain([&f.name]));
    if texts.clone().any(|text| text.contains('\0')) {
        reasons.push("a name has a character of code 0".into());
    }
    reasons
}

pub(super) fn write(model: &Model, _: &ExportOptions) -> Written {
    let mut notes = Vec::new();
    let factors = &model.scorer.factors;
    let varying = factors.iter().filter(|factor| !factor.is_constant()).count().max(1);
    let limit = 700.0 / varying as f64;
    let mut text = number(model.scorer.unit);
    for factor in factors {
        let _ = write!(text, "\n* {}", factor_text(factor, &model.features, limit, &mut notes));
    }
    let columns: Vec<String> = model.features.iter().map(|f| identifier(&f.name)).collect();
    let head = format!(
        "-- The score of a model of stakes ({}): one expression of the columns\n-- {}\n",
        super::flat::comment(&model.learner),
        super::flat::comment(&columns.join(", "))
    );
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    let mut precision = Precision::of_reordered(&model.scorer);
    // Where an argument is limited.
    precision.absolute = precision.absolute.max(1e-150);
    Written { bytes: format!("{head}{text}\n").into_bytes(), notes, precision, names }
}

/// A factor with its link and power.
fn factor_text(factor: &Factor, features: &[ModelFeature], limit: f64, notes: &mut Vec<String>) -> String {
    let mut sum = number(factor.start);
    for tree in &factor.trees {
        let _ = write!(sum, "\n  + {}", tree_text(tree, features));
    }
    if let Some(net) = &factor.net {
        let _ = write!(sum, "\n  + {}", net_text(net, features));
    }
    if factor.link == Link::Identity {
        return format!("({sum})");
    }
    let limit = limit / factor.power.max(1.0);
    let argument = match (factor.link, factor.power) {
        (Link::Exp, power) if power != 1.0 => format!("{} * ({sum})", number(power)),
        _ => sum,
    };
    let (low, high) = bounds(factor);
    let apply = |argument: &str| match factor.link {
        Link::Exp => format!("EXP({argument})"),
        _ if factor.power == 1.0 => format!("(1e0 / (1e0 + EXP(-({argument}))))"),
        _ => format!("POWER(1e0 / (1e0 + EXP(-({argument}))), {})", number(factor.power)),
    };
    if -limit <= low && high <= limit {
        return apply(&argument);
    }
    notes.push(format!(
        "the sum of the factor `{}` is limited to {limit:.0} before {} is applied",
        factor.name,
        parts::link_name(factor.link)
    ));
    let limited = format!("CASE WHEN s > {0} THEN {0} WHEN s < -{0} THEN -{0} ELSE s END", exponent(limit));
    format!("(SELECT {} FROM (SELECT {argument} AS s) AS factor)", apply(&limited))
}

/// Bounds of the argument of a link function.
fn bounds(factor: &Factor) -> (f64, f64) {
    if factor.net.is_some() {
        return (f64::NEG_INFINITY, f64::INFINITY);
    }
    let mut bounds = (factor.start, factor.start);
    for tree in &factor.trees {
        let values = || tree.leaves.iter().map(|leaf| leaf.value);
        bounds.0 += values().fold(f64::INFINITY, f64::min);
        bounds.1 += values().fold(f64::NEG_INFINITY, f64::max);
    }
    let power = if factor.link == Link::Exp { factor.power } else { 1.0 };
    (power * bounds.0, power * bounds.1)
}

fn tree_text(tree: &Tree, features: &[ModelFeature]) -> String {
    let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
    match branch(root, tree, features) {
        Branch::Leaf(value) => number(value),
        Branch::Case(text) => format!("CASE{text} END"),
    }
}

/// A leaf, or the inside of a CASE, whose type is double.
enum Branch {
    Leaf(f64),
    Case(String),
}

fn branch(child: Child, tree: &Tree, features: &[ModelFeature]) -> Branch {
    let node = match child {
        Child::Leaf(leaf) => return Branch::Leaf(tree.leaves[leaf as usize].value),
        Child::Node(node) => &tree.nodes[node as usize],
    };
    let Some((test, then, otherwise)) = split(node, features) else {
        // Nothing known goes there.
        let missing = if node.missing_left { node.left } else { node.right };
        return branch(missing, tree, features);
    };
    let then = match branch(then, tree, features) {
        Branch::Leaf(value) => number(value),
        Branch::Case(text) => format!("CASE{text} END"),
    };
    Branch::Case(match branch(otherwise, tree, features) {
        Branch::Leaf(value) => format!(" WHEN {test} THEN {then} ELSE {}", exponent(value)),
        Branch::Case(text) => format!(" WHEN {test} THEN {then}{text}"),
    })
}

/// A test that is not true for missing values, and the children for which it is true and is not.
fn split(node: &Node, features: &[ModelFeature]) -> Option<(String, Child, Child)> {
    let feature = &features[node.feature as usize];
    let column = identifier(&feature.name);
    let (then, otherwise) =
        if node.missing_left { (node.right, node.left) } else { (node.left, node.right) };
    let test = match node.test {
        Test::AtMost(threshold) => {
            let threshold = super::threshold::at_most_f64(threshold);
            match node.missing_left {
                true => format!("-{column} < {}", exponent(-threshold)),
                false => format!("{column} <= {}", exponent(threshold)),
            }
        }
        Test::In(set) => {
            let set = if node.missing_left { others(set, feature) } else { set };
            let known = feature.categories.as_deref().unwrap_or(&[]);
            let names: Vec<String> =
                set.codes().filter_map(|c| known.get(usize::from(c))).map(|n| text(n)).collect();
            if names.is_empty() {
                return None;
            }
            format!("{column} IN ({})", names.join(", "))
        }
    };
    Some((test, then, otherwise))
}

/// A linear score, added up in the order of [`stakes_model::dot`].
fn net_text(net: &Net, features: &[ModelFeature]) -> String {
    let layer = &net.layers[0];
    debug_assert_eq!(layer.activation, Activation::Identity);
    let terms: Vec<String> = (net.inputs.iter().zip(&layer.weights))
        .map(|(input, weight)| match *weight {
            0.0 => String::new(),
            weight => format!("{} * {}", input_text(input, features), number(weight)),
        })
        .collect();
    let whole = terms.len() / 8 * 8;
    let sum = |terms: &mut dyn Iterator<Item = &String>| {
        let terms: Vec<&str> = terms.map(String::as_str).filter(|term| !term.is_empty()).collect();
        if terms.is_empty() { "0e0".to_owned() } else { format!("({})", terms.join("\n    + ")) }
    };
    let lane = |lane: usize| sum(&mut terms[..whole].iter().skip(lane).step_by(8));
    let rest = sum(&mut terms[whole..].iter());
    let product = match whole {
        0 => rest,
        _ => {
            let [a, b, c, d, e, f, g, h] = std::array::from_fn(lane);
            format!("((({a} + {b}) + ({c} + {d})) + (({e} + {f}) + ({g} + {h})) + {rest})")
        }
    };
    format!("({} + {product})", number(layer.biases[0]))
}

fn input_text(input: &Input, features: &[ModelFeature]) -> String {
    let column = |feature: u32| identifier(&features[feature as usize].name);
    match *input {
        Input::Number { feature, mean, deviation } => {
            let column = column(feature);
            let most = exponent(f64::from(f32::MAX));
            let [low, high] = [f32::MIN, f32::MAX].map(|x| exponent((f64::from(x) - mean) / deviation));
            format!(
                "CASE WHEN {column} < -{most} THEN {low} WHEN -{column} < -{most} THEN {high} WHEN {column} <= {most} \
                 THEN (CAST({column} AS DOUBLE PRECISION) - {}) / {} ELSE 0e0 END",
                number(mean),
                number(deviation)
            )
        }
        Input::Missing { feature } => {
            let known = match &features[feature as usize].categories {
                None => format!("{0} <= 0e0 OR -{0} < 0e0", column(feature)),
                Some(names) if names.is_empty() => return "1e0".into(),
                Some(names) => {
                    let names: Vec<String> = names.iter().map(|name| text(name)).collect();
                    format!("{} IN ({})", column(feature), names.join(", "))
                }
            };
            format!("CASE WHEN {known} THEN 0e0 ELSE 1e0 END")
        }
        Input::Category { feature, code } => {
            let known = features[feature as usize].categories.as_ref();
            match known.and_then(|names| names.get(code as usize)) {
                None => "0e0".into(),
                Some(name) => {
                    format!("CASE WHEN {} = {} THEN 1e0 ELSE 0e0 END", column(feature), text(name))
                }
            }
        }
        Input::Draw { .. } => unreachable!("draws are refused"),
    }
}

/// A double.
fn number(x: f64) -> String {
    format!("CAST({} AS DOUBLE PRECISION)", exponent(x))
}

/// A number with an exponent.
fn exponent(x: f64) -> String {
    format!("{x:e}")
}

/// The name of a column.
fn identifier(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\""))
}

/// A text.
fn text(text: &str) -> String {
    format!("'{}'", text.replace('\'', "''"))
}
