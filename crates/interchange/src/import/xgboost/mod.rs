//! XGBoost's JSON and UBJSON formats (`Booster.save_model`), from version 1.0 on.
//!
//! A test is `x < t` of 32-bit numbers; categories in a set go to the right. XGBoost adds leaves in 32 bits
//! and we do in 64, so scores differ by its rounding: about 1e-6 of the largest sum on the way. `dart` multiplies
//! each tree by a weight, `gblinear` is a linear score in which missing values count as 0.

mod categories;
mod file;
mod objective;
mod ubjson;

use std::collections::BTreeMap;

use stakes_model::tree::{Leaf, Test, Tree};
use stakes_model::{Input, Net};

use self::categories::AllCategories;
use self::file::{Booster, File, Learner};
use self::objective::meaning;
use super::Content;
use super::error::Fault;
use super::found::{Found, numbered};
use super::threshold::below;
use super::tree::{Part, Sharing, Split, assemble, rows};

/// Far above the widest data, and small enough to allocate.
const MAX_FEATURES: u64 = 1 << 20;

pub(super) fn recognise(content: &Content<'_>) -> bool {
    ubjson::recognise(content.bytes) || content.has("learner")
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let json;
    let content = match ubjson::recognise(content) {
        true => {
            json = ubjson::to_json(content)?;
            json.as_bytes()
        }
        false => content,
    };
    let file: File = super::json(content)?;
    let Learner {
        attributes,
        feature_names,
        feature_types,
        gradient_booster,
        learner_model_param,
        objective,
    } = file.learner;
    let params = learner_model_param;
    if params.num_class > 1 || params.num_target > 1 {
        return Err(Fault::refused(format!(
            "the model has {} outputs; models of one score can be imported",
            params.num_class.max(params.num_target)
        )));
    }
    if params.num_feature > MAX_FEATURES {
        let what =
            format!("num_feature is {}; at most {MAX_FEATURES} are read", params.num_feature);
        return Err(Fault::refused(what));
    }
    let width = params.num_feature as usize;
    let named = !feature_names.is_empty();
    if named && feature_names.len() != width {
        let what = format!("there are {} for {width} features", feature_names.len());
        return Err(Fault::new("feature_names", what));
    }
    let mut features = match named {
        true => numbered(feature_names.into_iter()),
        false => numbered((0..width).map(|i| format!("f{i}"))),
    };
    let (link, start) = meaning(&objective.name, &params.base_score)?;
    let mut notes = Vec::new();
    let mut parameters = BTreeMap::from([
        ("objective".to_owned(), objective.name.clone()),
        ("booster".to_owned(), gradient_booster.name.clone()),
    ]);
    if !file.version.is_empty() {
        let version: Vec<String> = file.version.iter().map(u32::to_string).collect();
        parameters.insert("version".to_owned(), version.join("."));
    }

    let (trees, net, trees_per_round) = match gradient_booster.name.as_str() {
        "gblinear" => (Vec::new(), Some(linear(gradient_booster, width)?), 1),
        _ => {
            let trees = boosted(gradient_booster)?;
            let mut categories = AllCategories::new(&feature_types, trees.cats.as_ref());
            for tree in &trees.trees {
                categories.note(tree);
            }
            notes.extend(categories.finish(&mut features)?);
            let one = |(number, tree): (usize, &file::Tree)| {
                let weight = trees.weights.as_ref().map_or(1.0, |weights| weights[number]);
                self::tree(tree, weight, width, &categories)
                    .map_err(|fault| fault.within(format!("tree {number}")))
            };
            let made = trees.trees.iter().enumerate().map(one).collect::<Result<Vec<_>, _>>()?;
            (made, None, trees.per_round)
        }
    };
    parameters.insert("trees".to_owned(), trees.len().to_string());
    let mut found = Found {
        learner: "xgboost",
        parameters,
        features,
        named,
        link,
        start,
        trees,
        trees_per_round,
        is_mean: false,
        net,
        notes,
    };
    early_stopping(&mut found, &attributes);
    Ok(found)
}

/// With early stopping scikit-learn's estimators predict with the best rounds, a `Booster` with all.
fn early_stopping(found: &mut Found, attributes: &BTreeMap<String, serde_json::Value>) {
    let best = attributes.get("best_iteration").and_then(|value| value.as_str());
    let Some(best) = best.and_then(|text| text.parse::<usize>().ok()) else { return };
    let (rounds, all) = (best.saturating_add(1), found.trees.len() / found.trees_per_round);
    if rounds >= all {
        return;
    }
    if attributes.contains_key("scikit_learn") {
        found.trees.truncate(rounds * found.trees_per_round);
        found.notes.push(format!(
            "early stopping found round {rounds} of {all} best: later trees are left out, as scikit-learn's \
             estimators predict"
        ));
    } else {
        found.notes.push(format!(
            "early stopping found round {rounds} of {all} best, but a Booster predicts with all of them, and so \
             does the imported model unless it keeps {rounds} (`rounds`)"
        ));
    }
}

/// The trees of a booster.
struct Trees {
    trees: Vec<file::Tree>,
    /// What each tree is multiplied by.
    weights: Option<Vec<f32>>,
    cats: Option<file::Cats>,
    per_round: usize,
}

fn boosted(booster: Booster) -> Result<Trees, Fault> {
    let (gbtree, weights) = match booster.name.as_str() {
        "gbtree" => (booster, None),
        "dart" => match (booster.gbtree, booster.weight_drop) {
            (Some(gbtree), Some(weights)) => (*gbtree, Some(weights)),
            _ => {
                return Err(Fault::new(
                    "gradient_booster",
                    "the trees or weights of dart are missing",
                ));
            }
        },
        other => {
            return Err(Fault::refused(format!(
                "its booster is `{other}`; gbtree, dart and gblinear can be imported"
            )));
        }
    };
    let Some(model) = gbtree.model else {
        return Err(Fault::new("gradient_booster", "the model is missing"));
    };
    let trees = model.trees.ok_or_else(|| Fault::new("gradient_booster", "trees are missing"))?;
    if let Some(weights) = weights.as_ref().filter(|weights| weights.len() != trees.len()) {
        let what = format!("there are {} for {} trees", weights.len(), trees.len());
        return Err(Fault::new("weight_drop", what));
    }
    if model.tree_info.iter().any(|&class| class != 0) {
        return Err(Fault::refused("its trees are of several classes; one score can be imported"));
    }
    let per_round = model.gbtree_model_param.map_or(1, |params| params.num_parallel_tree);
    let per_round = usize::try_from(per_round).unwrap_or(usize::MAX).clamp(1, trees.len().max(1));
    Ok(Trees { trees, weights, cats: model.cats, per_round })
}

fn linear(booster: Booster, width: usize) -> Result<Net, Fault> {
    let weights = booster.model.and_then(|model| model.weights);
    let weights = weights.ok_or_else(|| Fault::new("gradient_booster", "weights are missing"))?;
    if weights.len() != width + 1 {
        let what = format!("there are {} for {width} features and a constant", weights.len());
        return Err(Fault::new("weights", what));
    }
    if let Some(weight) = weights.iter().find(|weight| !weight.is_finite()) {
        return Err(Fault::new("weights", format!("a weight is {weight}; it must be finite")));
    }
    let input = |feature| Input::Number { feature, mean: 0.0, deviation: 1.0 };
    let inputs = (0..width as u32).map(input).collect();
    let mut net = Net::linear(inputs, weights[..width].iter().copied().map(f64::from).collect());
    net.layers[0].biases[0] = f64::from(weights[width]);
    Ok(net)
}

fn tree(
    file: &file::Tree,
    weight: f32,
    width: usize,
    categories: &AllCategories,
) -> Result<Tree, Fault> {
    if file.tree_param.size_leaf_vector > 1 {
        return Err(Fault::refused("its leaves are vectors; models of one score can be imported"));
    }
    let places = file.left_children.len();
    let lengths = [
        ("right_children", file.right_children.len()),
        ("split_indices", file.split_indices.len()),
        ("split_conditions", file.split_conditions.len()),
        ("default_left", file.default_left.len()),
    ];
    if let Some((name, met)) = lengths.into_iter().find(|&(_, met)| met != places) {
        return Err(Fault::new(name, format!("has {met} entries for {places} nodes")));
    }
    let sets = categories::sets(file)?;
    let number =
        |values: &[Option<f64>], at: usize| values.get(at).copied().flatten().unwrap_or(0.0);
    let whole = number(&file.sum_hessian, 0);
    assemble(0, places, Sharing::Never, |at| {
        let rows = rows(number(&file.sum_hessian, at), whole);
        let condition = file.split_conditions[at];
        if file.left_children[at] < 0 {
            // The product is rounded to 32 bits, as XGBoost's.
            return Ok(Part::Leaf(Leaf { value: f64::from(condition * weight), rows }));
        }
        let child = |child: i64| usize::try_from(child).unwrap_or(usize::MAX);
        let (mut left, mut right) = (child(file.left_children[at]), child(file.right_children[at]));
        let feature = file.split_indices[at];
        if feature as usize >= width {
            return Err(Fault::new(
                "split_indices",
                format!("is {feature}; there are {width} features"),
            ));
        }
        let mut missing_left = file.default_left[at].is_set();
        let test = match sets.get(&at) {
            Some(codes) => {
                // The set goes to the right there and to the left here.
                (left, right, missing_left) = (right, left, !missing_left);
                Test::In(categories::set(codes))
            }
            None if categories.has(feature) => {
                let what = format!("feature {feature} is tested as a number and as a category");
                return Err(Fault::new("split_type", what));
            }
            None => below(condition).map_err(|what| Fault::new("split_conditions", what))?,
        };
        let gain = number(&file.loss_changes, at);
        Ok(Part::Split(Split { feature, test, missing_left, left, right, gain, rows }))
    })
}
