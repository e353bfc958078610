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

mod linear;
mod trees;

use std::fmt::Write;

use stakes_model::{Factor, Link, Model, ModelFeature};

use super::precision::Precision;
use super::{ExportOptions, Written, parts};
use linear::net_text;
use trees::tree_text;

/// SQLite and DuckDB allow expressions of depth 1000, but DuckDB plans a sum in time that grows with the square of
/// its length: a second for 100 trees of 31 leaves, a minute for 500 of 40.
pub(super) const MAX_TREES: usize = 200;
/// Half a megabyte of text.
pub(super) const MAX_LEAVES: usize = 5000;
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
            reasons
                .push(format!("it has {met} inputs, and an expression holds at most {MAX_INPUTS}"));
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
    let limited =
        format!("CASE WHEN s > {limit} THEN {limit} WHEN s < -{limit} THEN -{limit} ELSE s END");
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
