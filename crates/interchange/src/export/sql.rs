//! One SQL expression that PostgreSQL, DuckDB and SQLite understand alike.
//!
//! `SELECT id, (expression) AS score FROM items` scores a table whose columns have the names of the features. A
//! missing value is NULL, or NaN where the database has it; categories are text.
//!
//! **NaN.** PostgreSQL and DuckDB take NaN for the largest number. So `x <= t` is not true for it, nor is `0 - x < -t`:
//! where missing values go to the left, the test is the second one, for what goes to the right. (`-x` fails in DuckDB for
//! columns without a sign.)
//!
//! **Types.** Numbers are written with an exponent, which makes them DOUBLE in DuckDB; in PostgreSQL they are exact
//! decimals until they meet a double, so every sum begins with one, and so does every CASE.
//!
//! **Limits** ([`MAX_TREES`], [`MAX_LEAVES`], [`MAX_DEPTH`], [`MAX_INPUTS`]): databases limit the depth of an
//! expression, and a sum of n terms is n deep. PostgreSQL refuses numbers that overflow or underflow: where a link
//! function's argument has no safe bound, it is limited to 700, and products are sums of logarithms.

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
/// Ten factors of exp(70) are within the range of numbers.
const SAFE: f64 = 70.0;

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
    let factors = &model.scorer.factors;
    let varying = factors.iter().filter(|factor| !factor.is_constant()).count();
    let text = match varying > 1 && !factors.iter().all(is_safe) {
        true => logarithms(model),
        false => {
            let factors = factors.iter().map(|factor| factor_text(factor, &model.features));
            [number(model.scorer.unit)].into_iter().chain(factors).collect::<Vec<_>>().join("\n* ")
        }
    };
    let columns: Vec<String> = model.features.iter().map(|f| identifier(&f.name)).collect();
    let head = format!(
        "-- The score of a model of stakes ({}): one expression of the columns\n-- {}\n",
        super::flat::comment(&model.learner),
        super::flat::comment(&columns.join(", "))
    );
    let names = model.features.iter().map(|feature| feature.name.clone()).collect();
    let mut precision = Precision::of_reordered(&model.scorer);
    // Where arguments are limited.
    precision.absolute = precision.absolute.max(1e-300);
    let bytes = format!("{head}{text}\n").into_bytes();
    Written { bytes, notes: Vec::new(), precision, names }
}

/// Whether the argument of the link cannot overflow or underflow, even where factors are multiplied.
fn is_safe(factor: &Factor) -> bool {
    let (low, high) = bounds(factor);
    factor.link == Link::Identity || (-SAFE <= factor.power * low && factor.power * high <= SAFE)
}

/// A product of factors some of which may be as large or as small as numbers can be: exp of the sum of logarithms.
/// A factor that is 0 for our arithmetic makes the product 0.
fn logarithms(model: &Model) -> String {
    let scorer = &model.scorer;
    let (signed, positive): (Vec<&Factor>, Vec<&Factor>) =
        scorer.factors.iter().partition(|factor| factor.link == Link::Identity);
    let mut arguments = Vec::new();
    let mut terms = Vec::new();
    let mut zeros = Vec::new();
    for (i, factor) in positive.iter().enumerate() {
        arguments.push(format!("{} AS s{i}", argument(factor, &model.features)));
        match factor.link {
            Link::Exp => {
                terms.push(format!("CASE WHEN s{i} > 7e2 THEN 7e2 ELSE s{i} END"));
                zeros.push(format!("s{i} < -7.452e2"));
            }
            _ => {
                // Beyond 37 the logistic function is 1, and below -37 it is exp, for 64-bit numbers.
                terms.push(format!(
                    "{} * CASE WHEN s{i} > 3.7e1 THEN 0e0 WHEN s{i} < -3.7e1 THEN s{i} ELSE -LN(1e0 + EXP(-s{i})) END",
                    number(factor.power)
                ));
                zeros.push(format!("s{i} < -7.0978e2"));
            }
        }
    }
    let product = format!(
        "(SELECT CASE WHEN {} THEN 0e0 WHEN t > 7.0978e2 THEN {} WHEN t < -7.08e2 THEN 0e0 ELSE EXP(t) END\n\
         FROM (SELECT sums.*, {} + {} AS t\nFROM (SELECT {}) AS sums) AS logarithm)",
        zeros.join(" OR "),
        exponent(f64::MAX),
        number(scorer.unit.ln()),
        terms.join("\n  + "),
        arguments.join(",\n"),
    );
    let signed = signed.iter().map(|factor| factor_text(factor, &model.features));
    [product].into_iter().chain(signed).collect::<Vec<_>>().join("\n* ")
}

/// The argument of a factor's link: its sum, times the power if the link is exp.
fn argument(factor: &Factor, features: &[ModelFeature]) -> String {
    let mut sum = number(factor.start);
    for tree in &factor.trees {
        let _ = write!(sum, "\n  + {}", tree_text(tree, features));
    }
    if let Some(net) = &factor.net {
        let _ = write!(sum, "\n  + {}", net_text(net, features));
    }
    match (factor.link, factor.power) {
        (Link::Exp, power) if power != 1.0 => format!("{} * ({sum})", number(power)),
        _ => sum,
    }
}

/// A factor with its link and power.
fn factor_text(factor: &Factor, features: &[ModelFeature]) -> String {
    let argument = argument(factor, features);
    let apply = |argument: &str| match factor.link {
        Link::Identity => format!("({argument})"),
        Link::Exp => format!("EXP({argument})"),
        _ if factor.power == 1.0 => format!("(1e0 / (1e0 + EXP(-({argument}))))"),
        _ => format!("POWER(1e0 / (1e0 + EXP(-({argument}))), {})", number(factor.power)),
    };
    if is_safe(factor) {
        return apply(&argument);
    }
    let limit = exponent(700.0 / factor.power.max(1.0));
    let limited = format!("CASE WHEN s > {limit} THEN {limit} WHEN s < -{limit} THEN -{limit} ELSE s END");
    format!("(SELECT {} FROM (SELECT {argument} AS s) AS factor)", apply(&limited))
}

/// Bounds of a factor's sum.
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
    bounds
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
                true => format!("0e0 - {column} < {}", exponent(-threshold)),
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
                "CASE WHEN {column} < -{most} THEN {low} WHEN 0e0 - {column} < -{most} THEN {high} WHEN {column} <= {most} \
                 THEN (CAST({column} AS DOUBLE PRECISION) - {}) / {} ELSE 0e0 END",
                number(mean),
                number(deviation)
            )
        }
        Input::Missing { feature } => {
            let known = match &features[feature as usize].categories {
                None => format!("{0} <= 0e0 OR 0e0 - {0} < 0e0", column(feature)),
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
