//! The XML of RankLib's ensembles of regression trees (`LambdaMART`).
//!
//! Features are numbered from 1 in the model's order. RankLib compares 32-bit numbers by `<=`, adds up in 32 bits,
//! knows no link function, and reads a missing value as 0.

use std::fmt::Write;

use stakes_model::tree::{Child, Test, Tree};
use stakes_model::{Link, Model};

use super::lightgbm::sum_of;
use super::precision::{Precision, SINGLE};
use super::{ExportOptions, Written, parts};

/// RankLib recurses.
const MAX_DEPTH: usize = 100;

pub(super) fn refusals(model: &Model, no_missing: bool) -> Vec<String> {
    let mut reasons = parts::beyond_one_sum_of_floats(model);
    reasons.extend(parts::categories(model));
    reasons.extend(parts::too_deep(model, MAX_DEPTH));
    if let Ok(sum) = super::one_sum::OneSum::of(&model.scorer)
        && sum.link != Link::Identity
    {
        let link = parts::link_name(sum.link);
        reasons
            .push(format!("its score is the {link} function of a sum, and RankLib applies none"));
    }
    if !no_missing {
        reasons.extend(parts::missing(model, "0", |threshold| threshold >= 0.0));
    }
    reasons
}

pub(super) fn write(model: &Model, _: &ExportOptions) -> Written {
    let sum = sum_of(model);
    let trees = sum.trees_with_start();
    let leaves = trees.iter().map(|tree| tree.leaves.len()).max().unwrap_or(0);
    let mut text = format!(
        "## LambdaMART\n## No. of trees = {}\n## No. of leaves = {leaves}\n## No. of threshold candidates = 256\n\
         ## Learning rate = 1.0\n## Stop early = 100\n\n<ensemble>\n",
        trees.len()
    );
    for (i, tree) in trees.iter().enumerate() {
        let _ = writeln!(text, "\t<tree id=\"{}\" weight=\"1.0\">\n\t\t<split>", i + 1);
        let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
        split(&mut text, root, tree, 3);
        text.push_str("\t\t</split>\n\t</tree>\n");
    }
    text.push_str("</ensemble>\n");
    let names: Vec<String> = model.features.iter().map(|feature| feature.name.clone()).collect();
    let numbered: Vec<String> =
        names.iter().enumerate().map(|(i, name)| format!("{} is `{name}`", i + 1)).collect();
    let notes = vec![format!("features are numbered: {}", numbered.join(", "))];
    let precision = Precision::of_sum(&sum, SINGLE);
    Written { bytes: text.into_bytes(), notes, precision, names }
}

/// The inside of a split, or of a leaf.
fn split(text: &mut String, child: Child, tree: &Tree, depth: usize) {
    let indent = "\t".repeat(depth);
    let node = match child {
        Child::Leaf(leaf) => {
            let value = tree.leaves[leaf as usize].value as f32;
            let _ = writeln!(text, "{indent}<output> {value:?} </output>");
            return;
        }
        Child::Node(node) => &tree.nodes[node as usize],
    };
    let Test::AtMost(threshold) = node.test else { unreachable!("categories are refused") };
    let _ = writeln!(text, "{indent}<feature> {} </feature>", node.feature + 1);
    let _ = writeln!(text, "{indent}<threshold> {threshold:?} </threshold>");
    for (side, child) in [("left", node.left), ("right", node.right)] {
        let _ = writeln!(text, "{indent}<split pos=\"{side}\">");
        split(text, child, tree, depth + 1);
        let _ = writeln!(text, "{indent}</split>");
    }
}
