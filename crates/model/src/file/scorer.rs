//! Checks of the score: its factors, their trees and nets.

use super::header::{at_most, repeated};
use super::shape::{FactorFile, ScorerFile};
use super::tree::{MAX_VALUE, TreeFile};
use super::{Invalid, invalid};
use crate::tree::Tree;
use crate::{Factor, Link, ModelFeature, Scorer};

/// This many trees of the largest leaf values still have a finite sum.
const MAX_TREES: usize = 1_000_000;
/// Two-part models have three factors, blends a few for each member.
pub(super) const MAX_FACTORS: usize = 64;
/// Far above the powers of any blend.
const MAX_POWER: f64 = 1000.0;

pub(super) fn scorer(file: ScorerFile, features: &[ModelFeature]) -> Result<Scorer, Invalid> {
    if !(file.unit > 0.0 && file.unit <= MAX_VALUE) {
        let what = format!("is {}; must be greater than 0 and at most {MAX_VALUE:e}", file.unit);
        return Err(invalid("unit", what));
    }
    at_most("factors", file.factors.len(), MAX_FACTORS)?;
    if file.factors.is_empty() {
        return Err(invalid("factors", "is empty; at least one factor is required"));
    }
    if let Some((i, name)) = repeated(file.factors.iter().map(|f| f.name.as_str())) {
        let what = format!("the name `{name}` is repeated; names must differ");
        return Err(invalid(format!("factors[{i}]"), what));
    }
    let factors = file.factors.into_iter().enumerate();
    let factor =
        |(i, f)| factor(f, features).map_err(|invalid| invalid.under(format!("factors[{i}]")));
    Ok(Scorer { unit: file.unit, factors: factors.map(factor).collect::<Result<_, _>>()? })
}

fn factor(file: FactorFile, features: &[ModelFeature]) -> Result<Factor, Invalid> {
    if file.start.is_nan() || file.start.abs() > MAX_VALUE {
        let what = format!("is {}; at most {MAX_VALUE:e} is allowed", file.start);
        return Err(invalid("start", what));
    }
    let may_have_power = file.power == 1.0 || file.link != Link::Identity;
    if !(may_have_power && file.power > 0.0 && file.power <= MAX_POWER) {
        let what = format!(
            "is {}; must be greater than 0 and at most {MAX_POWER}, and 1 where the link is identity",
            file.power
        );
        return Err(invalid("power", what));
    }
    let net = file.net.map(|net| net.check(features)).transpose();
    let net = net.map_err(|invalid| invalid.under("net"))?;
    let (power, trees) = (file.power, trees(file.trees, features)?);
    Ok(Factor { power, net, ..Factor::new(&file.name, file.link, file.start, trees) })
}

pub(super) fn trees(files: Vec<TreeFile>, features: &[ModelFeature]) -> Result<Vec<Tree>, Invalid> {
    at_most("trees", files.len(), MAX_TREES)?;
    let tree = |(i, file): (usize, TreeFile)| {
        file.check(features).map_err(|invalid| invalid.under(format!("trees[{i}]")))
    };
    files.into_iter().enumerate().map(tree).collect()
}
