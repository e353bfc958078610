//! `TreeEnsembleRegressor` and `TreeEnsembleClassifier`: all nodes of all trees in arrays side by side.

use std::collections::{BTreeMap, HashMap};

use stakes_model::tree::{Leaf, Test, Tree, scale_leaves};
use stakes_model::{Link, Net};

use super::attributes::Attributes;
use super::graph::Steps;
use super::scaler::Scaler;
use crate::import::error::Fault;
use crate::import::threshold::{at_most, below};
use crate::import::tree::{Part, Sharing, Split, assemble};

/// What an operator computes.
pub(super) struct Sum {
    /// One more than the highest feature that is read.
    pub(super) width: usize,
    pub(super) link: Link,
    pub(super) start: f64,
    pub(super) trees: Vec<Tree>,
    pub(super) net: Option<Net>,
    pub(super) notes: Vec<String>,
}

/// The link function of `post_transform`.
pub(super) fn link(attributes: &Attributes<'_>) -> Result<Link, Fault> {
    match attributes.string("post_transform").unwrap_or("NONE") {
        "NONE" => Ok(Link::Identity),
        "LOGISTIC" => Ok(Link::Logistic),
        other => Err(Fault::refused(format!(
            "its post_transform is {other}; NONE and LOGISTIC can be imported"
        ))),
    }
}

/// The arrays of an ensemble.
struct Arrays<'n> {
    feature: &'n [i64],
    value: &'n [f32],
    mode: &'n [Vec<u8>],
    if_true: Vec<usize>,
    if_false: Vec<usize>,
    missing_true: &'n [i64],
    /// What a leaf adds.
    weight: HashMap<usize, f64>,
    scaler: Option<&'n Scaler>,
}

pub(super) fn read(steps: &Steps<'_>) -> Result<Sum, Fault> {
    let attributes = Attributes::of(steps.operator);
    attributes.refuse(&[
        "nodes_values_as_tensor",
        "base_values_as_tensor",
        "target_weights_as_tensor",
    ])?;
    attributes.refuse(&["class_weights_as_tensor", "nodes_hitrates_as_tensor"])?;
    let is_classifier = steps.operator.op_type() == "TreeEnsembleClassifier";
    let of = |what: &str| match is_classifier {
        true => format!("class_{what}"),
        false => format!("target_{what}"),
    };
    if !is_classifier && attributes.int("n_targets").unwrap_or(1) != 1 {
        return Err(Fault::refused("it has several targets; models of one score can be imported"));
    }
    let labels = ["classlabels_int64s", "classlabels_strings"]
        .map(|name| attributes.ints(name).len() + attributes.strings(name).len());
    if is_classifier && labels.iter().sum::<usize>() != 2 {
        return Err(Fault::refused("it has not two classes; models of one score can be imported"));
    }
    let trees = attributes.ints("nodes_treeids");
    let ids = attributes.ints("nodes_nodeids");
    let count = ids.len();
    let mut places = HashMap::new();
    // The first node of a tree is its root.
    let mut roots = BTreeMap::new();
    attributes.check("nodes_treeids", trees.len(), count)?;
    for (place, (&tree, &id)) in trees.iter().zip(ids).enumerate() {
        if places.insert((tree, id), place).is_some() {
            return Err(Fault::new("nodes_nodeids", format!("tree {tree} has two nodes {id}")));
        }
        roots.entry(tree).or_insert(place);
    }
    for (name, length) in [
        ("nodes_featureids", attributes.ints("nodes_featureids").len()),
        ("nodes_values", attributes.floats("nodes_values").len()),
        ("nodes_modes", attributes.strings("nodes_modes").len()),
        ("nodes_truenodeids", attributes.ints("nodes_truenodeids").len()),
        ("nodes_falsenodeids", attributes.ints("nodes_falsenodeids").len()),
    ] {
        attributes.check(name, length, count)?;
    }
    let children = |name: &str| -> Vec<usize> {
        let children = attributes.ints(name).iter().zip(trees);
        // A child that is not there is found when it is visited.
        children
            .map(|(&id, &tree)| places.get(&(tree, id)).copied().unwrap_or(usize::MAX))
            .collect()
    };
    let arrays = Arrays {
        feature: attributes.ints("nodes_featureids"),
        value: attributes.floats("nodes_values"),
        mode: attributes.strings("nodes_modes"),
        if_true: children("nodes_truenodeids"),
        if_false: children("nodes_falsenodeids"),
        missing_true: attributes.ints("nodes_missing_value_tracks_true"),
        weight: weights(&attributes, &of, is_classifier, &places)?,
        scaler: steps.scaler.as_ref(),
    };
    let mut made = Vec::with_capacity(roots.len());
    for (&tree, &root) in &roots {
        let within = |fault: Fault| fault.within(format!("tree {tree}"));
        let part = |place| arrays.part(place);
        made.push(assemble(root, count, Sharing::Never, part).map_err(within)?);
    }
    match attributes.string("aggregate_function").unwrap_or("SUM") {
        "SUM" => {}
        "AVERAGE" => scale_leaves(&mut made, 1.0 / roots.len().max(1) as f64),
        other => {
            return Err(Fault::refused(format!(
                "it aggregates trees by {other}; SUM and AVERAGE are read"
            )));
        }
    }
    let start = match attributes.floats("base_values") {
        [] => 0.0,
        [one] => f64::from(*one),
        many => {
            return Err(Fault::refused(format!("it has {} base values; one is read", many.len())));
        }
    };
    let tested = made.iter().flat_map(|tree| &tree.nodes).map(|node| node.feature as usize + 1);
    let width = tested.max().unwrap_or(0);
    let link = link(&attributes)?;
    let notes = match is_classifier {
        true => vec!["the score is the probability of the second class".to_owned()],
        false => Vec::new(),
    };
    Ok(Sum { width, link, start, trees: made, net: None, notes })
}

/// What each leaf adds. A classifier of two classes writes either one of them, or both.
fn weights(
    attributes: &Attributes<'_>,
    of: &impl Fn(&str) -> String,
    is_classifier: bool,
    places: &HashMap<(i64, i64), usize>,
) -> Result<HashMap<usize, f64>, Fault> {
    let [trees, nodes, outputs] =
        ["treeids", "nodeids", "ids"].map(|what| attributes.ints(&of(what)));
    let values = attributes.floats(&of("weights"));
    for (name, length) in
        [("nodeids", nodes.len()), ("ids", outputs.len()), ("weights", values.len())]
    {
        attributes.check(&of(name), length, trees.len())?;
    }
    let both = outputs.iter().any(|&output| output != outputs[0]);
    let wanted = if both { 1 } else { outputs.first().copied().unwrap_or(0) };
    if both && (!is_classifier || attributes.string("post_transform").unwrap_or("NONE") != "NONE") {
        return Err(Fault::refused(
            "its leaves add to several outputs; models of one score can be imported",
        ));
    }
    let mut weights = HashMap::new();
    for (((tree, node), output), value) in trees.iter().zip(nodes).zip(outputs).zip(values) {
        if *output == wanted {
            let Some(&place) = places.get(&(*tree, *node)) else {
                return Err(Fault::new(
                    of("nodeids"),
                    format!("there is no node {node} of tree {tree}"),
                ));
            };
            *weights.entry(place).or_default() += f64::from(*value);
        }
    }
    Ok(weights)
}

impl Arrays<'_> {
    fn part(&self, place: usize) -> Result<Part, Fault> {
        let mode = self.mode[place].as_slice();
        if mode == b"LEAF" {
            let value = self.weight.get(&place).copied().unwrap_or(0.0);
            return Ok(Part::Leaf(Leaf { value, rows: 0 }));
        }
        let feature =
            u32::try_from(self.feature[place]).ok().filter(|&f| f <= super::MAX_FEATURES as u32);
        let Some(feature) = feature else {
            return Err(Fault::new("nodes_featureids", format!("is {}", self.feature[place])));
        };
        let value = self.value[place];
        let (strict, swapped) = match mode {
            b"BRANCH_LEQ" => (false, false),
            b"BRANCH_LT" => (true, false),
            b"BRANCH_GT" => (false, true),
            b"BRANCH_GTE" => (true, true),
            other => {
                let what = format!("it tests by {}, which is not read", other.escape_ascii());
                return Err(Fault::refused(what));
            }
        };
        let test = if strict { below(value) } else { at_most(value) };
        let test = test.map_err(|what| Fault::new("nodes_values", what))?;
        let test = match (self.scaler, test) {
            (Some(scaler), Test::AtMost(scaled)) => {
                let found = scaler.unscaled(feature as usize, scaled)?;
                Test::AtMost(
                    found
                        .ok_or_else(|| Fault::refused("a threshold is below all scaled numbers"))?,
                )
            }
            (_, test) => test,
        };
        let missing_true = self.missing_true.get(place).is_some_and(|&tracks| tracks != 0);
        let (mut left, mut right) = (self.if_true[place], self.if_false[place]);
        if swapped {
            (left, right) = (right, left);
        }
        let missing_left = missing_true != swapped;
        Ok(Part::Split(Split { feature, test, missing_left, left, right, gain: 0.0, rows: 0 }))
    }
}
