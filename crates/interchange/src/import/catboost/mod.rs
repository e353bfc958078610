//! CatBoost's JSON format (`model.save_model(..., format="json")`).
//!
//! A test of a number is `x > border` of 32-bit numbers; a category is tested by itself (`one_hot_max_size`), and
//! all others, seen or not, fail. A symmetric tree has one test for each level and becomes a binary tree. The score
//! is what `predict` gives: exp(sum) for the losses Poisson and Tweedie, the plain sum for other regressions and
//! rankings; for two classes it is the probability of `predict_proba`.

mod features;
mod file;

use std::collections::BTreeMap;

use stakes_model::Link;
use stakes_model::tree::{CategorySet, Leaf, Test, Tree, scale_leaves};

use self::features::AllFeatures;
use self::file::{File, Nested, Oblivious, Value};
use super::Content;
use super::error::Fault;
use super::found::Found;
use super::threshold::at_most;
use super::tree::{MAX_LEAVES, Part, Sharing, Split, assemble};

pub(super) fn recognise(content: &Content<'_>) -> bool {
    content.has("features_info")
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let file: File = super::json(content)?;
    let known = AllFeatures::new(&file.features_info)?;
    let loss = file.model_info.and_then(|info| info.params).and_then(|params| params.loss_function);
    let loss = loss.map_or_else(|| "RMSE".to_owned(), |loss| loss.name);
    let mut notes = Vec::new();
    let link = match loss.as_str() {
        "Poisson" | "Tweedie" => Link::Exp,
        "Logloss" | "CrossEntropy" => {
            notes.push("the score is the probability of predict_proba, not the class".to_owned());
            Link::Logistic
        }
        "MultiClass"
        | "MultiClassOneVsAll"
        | "MultiLogloss"
        | "MultiRMSE"
        | "RMSEWithUncertainty" => {
            return Err(Fault::refused(format!(
                "its loss is {loss}, of several outputs; models of one score can be imported"
            )));
        }
        _ => Link::Identity,
    };
    let mut trees = match (file.oblivious_trees, file.trees) {
        (Some(trees), None) => trees
            .into_iter()
            .enumerate()
            .map(|(i, tree)| symmetric(&tree, &known).map_err(|f| f.within(format!("tree {i}"))))
            .collect::<Result<Vec<_>, _>>()?,
        (None, Some(trees)) => trees
            .into_iter()
            .enumerate()
            .map(|(i, tree)| nested(&tree, &known).map_err(|f| f.within(format!("tree {i}"))))
            .collect::<Result<Vec<_>, _>>()?,
        _ => return Err(Fault::new("", "it must have either `oblivious_trees` or `trees`")),
    };
    let (scale, bias) = file.scale_and_bias.unwrap_or((1.0, vec![0.0]));
    let &[start] = &bias[..] else {
        let what = format!("has {} constants; models of one score can be imported", bias.len());
        return Err(Fault::new("scale_and_bias", what));
    };
    if !scale.is_finite() || scale.abs() > 1e100 {
        return Err(Fault::new("scale_and_bias", format!("the scale is {scale}")));
    }
    if scale != 1.0 {
        scale_leaves(&mut trees, scale);
    }
    let parameters = BTreeMap::from([
        ("loss_function".to_owned(), loss),
        ("iterations".to_owned(), trees.len().to_string()),
    ]);
    let (features, named) = known.into_features();
    Ok(Found {
        learner: "catboost",
        parameters,
        features,
        named,
        link,
        start,
        trees,
        trees_per_round: 1,
        is_mean: false,
        net: None,
        notes,
    })
}

/// A test as ours, with the children for a test that is false and one that is true.
fn split(
    file: &file::Split,
    known: &AllFeatures,
    (if_false, if_true): (usize, usize),
    rows: u32,
) -> Result<Split, Fault> {
    match (file.split_type.as_str(), file.float_feature_index, file.border) {
        ("FloatFeature", Some(index), Some(border)) => {
            let (feature, missing) = known.float(index)?;
            let test = at_most(border).map_err(|what| Fault::new("border", what))?;
            let (left, right) = (if_false, if_true);
            Ok(Split { feature, test, missing_left: !missing, left, right, gain: 0.0, rows })
        }
        ("OneHotFeature", ..) => {
            let (Some(index), Some(value)) = (file.cat_feature_index, file.value) else {
                return Err(Fault::new("splits", "a test of a category lacks its number or value"));
            };
            let (feature, code, missing_left) = known.category(index, value)?;
            let test = Test::In(CategorySet::from_iter([code]));
            let (left, right) = (if_true, if_false);
            Ok(Split { feature, test, missing_left, left, right, gain: 0.0, rows })
        }
        ("FloatFeature", ..) => Err(Fault::new("splits", "a test lacks its feature or border")),
        (other, ..) => Err(Fault::refused(format!(
            "it tests a feature of the kind {other}, which is made of the target (CTR), texts or embeddings; models \
             with categories tested one by one can be imported: train with one_hot_max_size=255"
        ))),
    }
}

/// Nodes are numbered as in a heap; level i has test i.
fn symmetric(tree: &Oblivious, known: &AllFeatures) -> Result<Tree, Fault> {
    let splits = tree.splits.as_deref().unwrap_or_default();
    let depth = splits.len();
    if depth > MAX_LEAVES.ilog2() as usize || tree.leaf_values.len() != 1 << depth {
        let what = format!("has {} values for {depth} levels", tree.leaf_values.len());
        return Err(Fault::new("leaf_values", what));
    }
    let inner = (1 << depth) - 1;
    // The leaf of a place: the way to it from the root, in the order of bits from the lowest.
    let leaf = |place: usize| match depth {
        0 => 0,
        depth => (place - inner).reverse_bits() >> (usize::BITS as usize - depth),
    };
    let mut rows = vec![0.0; 2 * inner + 1];
    for place in (0..rows.len()).rev() {
        rows[place] = match place < inner {
            true => rows[2 * place + 1] + rows[2 * place + 2],
            false => tree.leaf_weights.get(leaf(place)).copied().unwrap_or(0.0),
        };
    }
    assemble(0, 2 * inner + 1, Sharing::Never, |place| {
        let weight = rows[place] as u32;
        if place >= inner {
            return Ok(Part::Leaf(Leaf { value: tree.leaf_values[leaf(place)], rows: weight }));
        }
        let level = (place + 1).ilog2() as usize;
        split(&splits[level], known, (2 * place + 1, 2 * place + 2), weight).map(Part::Split)
    })
}

/// Places are made in the order in which they are visited, so that no tree is searched.
fn nested(root: &Nested, known: &AllFeatures) -> Result<Tree, Fault> {
    let mut places: Vec<&Nested> = vec![root];
    let mut at = 0;
    let mut children = Vec::new();
    while let Some(&node) = places.get(at) {
        let both = node.left.as_deref().zip(node.right.as_deref());
        children.push(both.map(|(left, right)| {
            places.extend([left, right]);
            (places.len() - 2, places.len() - 1)
        }));
        at += 1;
    }
    let mut rows: Vec<f64> = places.iter().map(|node| node.weight.unwrap_or(0.0)).collect();
    for place in (0..places.len()).rev() {
        if let Some((left, right)) = children[place] {
            rows[place] = rows[left] + rows[right];
        }
    }
    assemble(0, places.len(), Sharing::Never, |place| {
        let (node, weight) = (places[place], rows[place] as u32);
        match (children[place], &node.split, &node.value) {
            (Some(both), Some(test), _) => split(test, known, both, weight).map(Part::Split),
            (None, None, Some(Value::One(value))) => {
                Ok(Part::Leaf(Leaf { value: *value, rows: weight }))
            }
            (None, None, Some(Value::Many(values))) if values.len() == 1 => {
                Ok(Part::Leaf(Leaf { value: values[0], rows: weight }))
            }
            (None, None, Some(_)) => Err(Fault::refused(
                "its leaves have several values; models of one score can be imported",
            )),
            _ => Err(Fault::new(
                "",
                "it is neither a test with two children nor a leaf with a value",
            )),
        }
    })
}
