//! The parts of a model that some formats cannot hold, in words.

use stakes_model::tree::{Child, Test, Tree};
use stakes_model::{Factor, Input, Link, ListScaling, Model, Net};

use super::Target;
use super::one_sum::OneSum;

/// What needs the whole list.
pub(super) fn of_lists(model: &Model) -> Vec<String> {
    let scaled = match model.list_scaling {
        ListScaling::None => None,
        ListScaling::MinMax => Some("min-max"),
        ListScaling::ZScore => Some("z-score"),
    };
    let scaled = scaled.map(|how| format!("its numbers are scaled within each list ({how})"));
    let second =
        model.rerank.as_ref().map(|_| "its second stage re-ranks items of each list".into());
    scaled.into_iter().chain(second).collect()
}

/// Whether items are scored beside the others of their list.
pub(super) fn needs_lists(model: &Model) -> bool {
    !of_lists(model).is_empty()
}

/// What a sum of trees cannot hold, and what needs the whole list.
pub(super) fn beyond_one_sum(model: &Model) -> Vec<String> {
    let mut reasons = of_lists(model);
    reasons.extend(OneSum::of(&model.scorer).err());
    if model.features.is_empty() {
        reasons.push("it reads no feature".into());
    }
    reasons
}

/// The same, and what 32-bit numbers cannot hold.
pub(super) fn beyond_one_sum_of_floats(model: &Model) -> Vec<String> {
    let mut reasons = beyond_one_sum(model);
    if let Ok(sum) = OneSum::of(&model.scorer) {
        let trees = sum.trees_with_start();
        let mut leaves = trees.iter().flat_map(|tree| &tree.leaves);
        if let Some(leaf) = leaves.find(|leaf| !(leaf.value as f32).is_finite()) {
            reasons.push(format!("a leaf of {:e} is beyond 32-bit numbers", leaf.value));
        }
        let largest =
            |test: &Test| matches!(test, Test::AtMost(threshold) if *threshold == f32::MAX);
        if nodes(model).any(|node| largest(&node.test)) {
            reasons
                .push("a threshold is the largest 32-bit number, above which is no other".into());
        }
    }
    reasons
}

/// Categorical features that are tested.
pub(super) fn categories(model: &Model) -> Option<String> {
    let mut of_sets = nodes(model).filter(|node| matches!(node.test, Test::In(_)));
    let node = of_sets.next()?;
    Some(format!("`{}` is categorical", model.features[node.feature as usize].name))
}

/// A tree that is too deep for readers that recurse.
pub(super) fn too_deep(model: &Model, most: usize) -> Option<String> {
    let depth = model.scorer.factors.iter().flat_map(|f| &f.trees).map(depth).max()?;
    (depth > most).then(|| format!("a tree is {depth} splits deep, and at most {most} are written"))
}

/// Draws from the features.
pub(super) fn draws(model: &Model) -> Option<String> {
    let nets = model.scorer.factors.iter().filter_map(|factor| factor.net.as_ref());
    let mut inputs = nets.flat_map(|net| &net.inputs);
    inputs.any(|input| matches!(input, Input::Draw { .. })).then(|| {
        "one of its inputs is a pseudo-random draw from the bits of all features".to_owned()
    })
}

/// Splits whose missing values do not go where the reader sends them.
pub(super) fn missing(model: &Model, reader: &str, reads_left: fn(f32) -> bool) -> Option<String> {
    let differ = nodes(model).filter(|node| match node.test {
        Test::AtMost(threshold) => node.missing_left != reads_left(threshold),
        Test::In(_) => false,
    });
    let mut differ = differ.peekable();
    let name = model.features[differ.peek()?.feature as usize].name.clone();
    let (some, all) = (differ.count(), nodes(model).count());
    Some(format!(
        "missing values go to another side than there ({reader}) at {some} of {all} splits, such as one \
         of `{name}`; if no value will be missing, say so (`no_missing`)"
    ))
}

fn nodes(model: &Model) -> impl Iterator<Item = &stakes_model::tree::Node> {
    model.scorer.factors.iter().flat_map(|f| &f.trees).flat_map(|tree| &tree.nodes)
}

/// The number of splits on the longest way to a leaf.
pub(super) fn depth(tree: &Tree) -> usize {
    // Parents come before their children.
    let mut depths = vec![1; tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate() {
        for child in [node.left, node.right] {
            if let Child::Node(child) = child {
                depths[child as usize] = depths[i] + 1;
            }
        }
    }
    depths.into_iter().max().unwrap_or(0)
}

/// A link function by name.
pub(super) fn link_name(link: Link) -> &'static str {
    match link {
        Link::Identity => "identity",
        Link::Exp => "exp",
        Link::Logistic => "logistic",
    }
}

/// A factor that has a net.
pub(super) fn net_words(factor: &Factor) -> String {
    let hidden = factor.net.as_ref().map_or(0, |net: &Net| net.layers.len().saturating_sub(1));
    match hidden {
        0 => format!("its factor `{}` is a linear score", factor.name),
        1 => format!("its factor `{}` is a net with a hidden layer", factor.name),
        n => format!("its factor `{}` is a net with {n} hidden layers", factor.name),
    }
}

/// What is not part of the score and stays in the model file.
pub(super) fn left_behind(model: &Model, target: &Target) -> Vec<String> {
    let mut notes = Vec::new();
    if model.calibration.is_some() && !target.holds_calibration {
        notes.push(
            "the calibration to expected costs stays behind: the file has the score alone".into(),
        );
    }
    if model.goal.budget().is_some() && model.scores_costs {
        notes.push(
            "under a budget, items are ranked by score per price: divide the score by the price"
                .into(),
        );
    }
    notes
}
