//! The text models of LightGBM 4, which treelite, ONNX converters and SHAP read as well.
//!
//! One sum of trees; the link function is that of the objective. Sums start at 0 and are added in the order of the
//! trees, so with the constant term in the first tree they are ours to the bit.
//!
//! **Missing values.** Numeric splits name a side (`missing_type` NaN). Categorical splits send missing and unseen
//! categories to the right; where ours send them to the left, the children are swapped and the set is that of
//! all other known categories.

use std::fmt::Write;

use stakes_model::tree::{CategorySet, Child, Node, Test, Tree};
use stakes_model::{Link, Model, ModelFeature};

use super::one_sum::OneSum;
use super::precision::{DOUBLE, Precision};
use super::threshold::at_most_f64;
use super::{ExportOptions, Written, names};

/// Bit 0: categorical; bit 1: missing values go to the left; 8: missing values are NaN.
const CATEGORICAL: u8 = 1;
const DEFAULT_LEFT: u8 = 2;
const MISSING_IS_NAN: u8 = 8;

/// LightGBM, but not treelite, reads numbers nearer to 0 as 0.
const ZERO: f32 = 1e-35;

pub(super) fn write(model: &Model, options: &ExportOptions) -> Written {
    let mut notes = Vec::new();
    let sum = sum_of(model);
    let mut nodes = sum.trees.iter().flat_map(|tree| &tree.nodes);
    let tiny = |test: &Test| matches!(*test, Test::AtMost(t) if t != 0.0 && t.abs() < ZERO);
    if !options.target.pack.tiny && nodes.any(|node| tiny(&node.test)) {
        notes.push(
            "LightGBM reads numbers nearer to 0 than 1e-35 as 0, and the model tells them apart"
                .into(),
        );
    }
    let all = model.features.iter().map(|feature| feature.name.clone());
    let names = names::allowed(all, |c| !c.is_whitespace() && !"\"[]{},:".contains(c), &mut notes);
    if sum.link == Link::Exp && bound(&sum) > 700.0 {
        notes.push("we cap the logarithm of a score at 700, LightGBM does not".into());
    }
    let trees: Vec<String> = (sum.trees_with_start().iter().enumerate())
        .map(|(i, tree)| format!("Tree={i}\n{}\n\n", tree_text(tree, &model.features)))
        .collect();
    let mut text = header(model, &sum, &names);
    let sizes: Vec<usize> = trees.iter().map(String::len).collect();
    let _ = writeln!(text, "tree_sizes={}\n", joined(&sizes));
    text.push_str(&trees.concat());
    text.push_str("end of trees\n\nfeature_importances:\n\nparameters:\nend of parameters\n\n");
    let _ = writeln!(text, "pandas_categorical:{}", pandas_categorical(&model.features));
    let precision = if sum.exact { Precision::EXACT } else { Precision::of_sum(&sum, DOUBLE) };
    Written { bytes: text.into_bytes(), notes, precision, names }
}

/// The sum of a model that was found to be one.
pub(super) fn sum_of(model: &Model) -> OneSum {
    OneSum::of(&model.scorer).unwrap_or_else(|reason| unreachable!("was refused: {reason}"))
}

/// An upper bound of the sum.
fn bound(sum: &OneSum) -> f64 {
    let highest = |tree: &Tree| tree.leaves.iter().map(|l| l.value).fold(f64::MIN, f64::max);
    sum.trees.iter().map(highest).sum::<f64>() + sum.start
}

fn header(model: &Model, sum: &OneSum, names: &[String]) -> String {
    let objective = match sum.link {
        Link::Identity => "regression",
        Link::Exp => "poisson",
        Link::Logistic => "binary sigmoid:1",
    };
    // The range of all numbers, so that no reader clips.
    let info = |feature: &ModelFeature| match &feature.categories {
        None => "[-inf:inf]".to_owned(),
        Some(known) if known.is_empty() => "none".to_owned(),
        Some(known) => (0..known.len()).map(|c| c.to_string()).collect::<Vec<_>>().join(":"),
    };
    let infos: Vec<String> = model.features.iter().map(info).collect();
    format!(
        "tree\nversion=v4\nnum_class=1\nnum_tree_per_iteration=1\nlabel_index=0\nmax_feature_idx={}\n\
         objective={objective}\nfeature_names={}\nfeature_infos={}\n",
        names.len() - 1,
        names.join(" "),
        infos.join(" ")
    )
}

/// A node as LightGBM has it.
struct Split {
    /// The threshold, or the categories that go to the left.
    test: Result<f64, CategorySet>,
    decision_type: u8,
    left: Child,
    right: Child,
}

impl Split {
    fn of(node: &Node, features: &[ModelFeature]) -> Split {
        let (left, right) = (node.left, node.right);
        match node.test {
            Test::AtMost(threshold) => {
                let decision_type =
                    MISSING_IS_NAN | if node.missing_left { DEFAULT_LEFT } else { 0 };
                Split { test: Ok(at_most_f64(threshold)), decision_type, left, right }
            }
            Test::In(set) if node.missing_left => {
                let others = others(set, &features[node.feature as usize]);
                Split { test: Err(others), decision_type: CATEGORICAL, left: right, right: left }
            }
            Test::In(set) => Split { test: Err(set), decision_type: CATEGORICAL, left, right },
        }
    }
}

/// The known categories that are not in a set.
pub(super) fn others(set: CategorySet, feature: &ModelFeature) -> CategorySet {
    let known = feature.categories.as_ref().map_or(0, Vec::len);
    (0..known).map(|code| code as u8).filter(|code| !set.contains(*code)).collect()
}

fn tree_text(tree: &Tree, features: &[ModelFeature]) -> String {
    let splits: Vec<Split> = tree.nodes.iter().map(|node| Split::of(node, features)).collect();
    let mut boundaries = vec![0];
    let mut words: Vec<u32> = Vec::new();
    let mut thresholds: Vec<String> = Vec::new();
    for split in &splits {
        match split.test {
            Ok(threshold) => thresholds.push(format!("{threshold:?}")),
            Err(set) => {
                thresholds.push((boundaries.len() - 1).to_string());
                words.extend(bits(set));
                boundaries.push(words.len());
            }
        }
    }
    let number = |child: Child| match child {
        Child::Node(node) => i64::from(node),
        Child::Leaf(leaf) => -1 - i64::from(leaf),
    };
    let of_nodes =
        |f: &dyn Fn(&Node) -> String| tree.nodes.iter().map(f).collect::<Vec<_>>().join(" ");
    let of_splits =
        |f: &dyn Fn(&Split) -> String| splits.iter().map(f).collect::<Vec<_>>().join(" ");
    let counts: Vec<u32> = tree.leaves.iter().map(|leaf| leaf.rows).collect();
    let means: Vec<String> = means(tree).iter().map(|mean| format!("{mean:?}")).collect();
    let values: Vec<String> = tree.leaves.iter().map(|leaf| format!("{:?}", leaf.value)).collect();
    let mut lines = vec![
        format!("num_leaves={}", tree.leaves.len()),
        format!("num_cat={}", boundaries.len() - 1),
        format!("split_feature={}", of_nodes(&|node| node.feature.to_string())),
        format!("split_gain={}", of_nodes(&|node| format!("{:?}", node.gain))),
        format!("threshold={}", thresholds.join(" ")),
        format!("decision_type={}", of_splits(&|split| split.decision_type.to_string())),
        format!("left_child={}", of_splits(&|split| number(split.left).to_string())),
        format!("right_child={}", of_splits(&|split| number(split.right).to_string())),
        format!("leaf_value={}", values.join(" ")),
        format!("leaf_weight={}", joined(&counts)),
        format!("leaf_count={}", joined(&counts)),
        format!("internal_value={}", means.join(" ")),
        format!("internal_weight={}", of_nodes(&|node| node.rows.to_string())),
        format!("internal_count={}", of_nodes(&|node| node.rows.to_string())),
    ];
    if !words.is_empty() {
        lines.push(format!("cat_boundaries={}", joined(&boundaries)));
        lines.push(format!("cat_threshold={}", joined(&words)));
    }
    lines.extend(["is_linear=0".into(), "shrinkage=1".into(), String::new()]);
    lines.join("\n")
}

/// The mean value of the training items at each node, for readers that attribute scores to features.
pub(super) fn means(tree: &Tree) -> Vec<f64> {
    // Children come after their parents.
    let mut means = vec![(0.0, 0.0); tree.nodes.len()];
    for (i, node) in tree.nodes.iter().enumerate().rev() {
        let of = |child: Child| match child {
            Child::Node(node) => means[node as usize],
            Child::Leaf(leaf) => {
                let leaf = &tree.leaves[leaf as usize];
                (leaf.value, f64::from(leaf.rows.max(1)))
            }
        };
        let ((a, n), (b, m)) = (of(node.left), of(node.right));
        means[i] = (a + (b - a) * (m / (n + m)), n + m);
    }
    means.into_iter().map(|(mean, _)| mean).collect()
}

/// A set as words of 32 bits, as many as it needs, and at least one.
fn bits(set: CategorySet) -> Vec<u32> {
    let codes: Vec<u8> = set.codes().collect();
    let mut words = vec![0; codes.last().map_or(1, |last| usize::from(last / 32) + 1)];
    codes.iter().for_each(|code| words[usize::from(code / 32)] |= 1 << (code % 32));
    words
}

/// The categories of each categorical feature, by code: data frames are recoded by them.
fn pandas_categorical(features: &[ModelFeature]) -> String {
    let all: Vec<&Vec<String>> = features.iter().filter_map(|f| f.categories.as_ref()).collect();
    match all.is_empty() {
        true => "null".into(),
        false => serde_json::json!(all).to_string(),
    }
}

fn joined<T: ToString>(values: &[T]) -> String {
    values.iter().map(T::to_string).collect::<Vec<_>>().join(" ")
}
