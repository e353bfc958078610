//! A scorer as flat tables, as the code in C and Rust has them.

use stakes_model::tree::{CategorySet, Child, Test};
use stakes_model::{Input, Model, Net};

/// All trees of a model: their nodes and leaves side by side.
#[derive(Default)]
pub(super) struct Flat {
    pub(super) nodes: Vec<FlatNode>,
    pub(super) sets: Vec<[u64; 4]>,
    pub(super) leaves: Vec<f64>,
    /// Where each tree begins: a node, or -1 - a leaf.
    pub(super) roots: Vec<i32>,
    /// The trees of each factor.
    pub(super) factors: Vec<std::ops::Range<usize>>,
}

/// A node: children are nodes, or -1 - a leaf.
pub(super) struct FlatNode {
    pub(super) feature: u32,
    pub(super) missing_left: bool,
    /// The index of the set, or -1 for a threshold.
    pub(super) set: i32,
    pub(super) threshold: f32,
    pub(super) left: i32,
    pub(super) right: i32,
}

impl Flat {
    pub(super) fn of(model: &Model) -> Flat {
        let mut flat = Flat::default();
        for factor in &model.scorer.factors {
            let first = flat.roots.len();
            for tree in &factor.trees {
                let (node, leaf) = (flat.nodes.len() as i32, flat.leaves.len() as i32);
                let place = |child: Child| match child {
                    Child::Node(number) => node + number as i32,
                    Child::Leaf(number) => -1 - leaf - number as i32,
                };
                let root = if tree.nodes.is_empty() { Child::Leaf(0) } else { Child::Node(0) };
                flat.roots.push(place(root));
                for node in &tree.nodes {
                    let (set, threshold) = match node.test {
                        Test::AtMost(threshold) => (-1, threshold),
                        Test::In(set) => {
                            flat.sets.push(words(set));
                            (flat.sets.len() as i32 - 1, 0.0)
                        }
                    };
                    flat.nodes.push(FlatNode {
                        feature: node.feature,
                        missing_left: node.missing_left,
                        set,
                        threshold,
                        left: place(node.left),
                        right: place(node.right),
                    });
                }
                flat.leaves.extend(tree.leaves.iter().map(|leaf| leaf.value));
            }
            flat.factors.push(first..flat.roots.len());
        }
        flat
    }
}

fn words(set: CategorySet) -> [u64; 4] {
    let mut words = [0; 4];
    set.codes().for_each(|code| words[usize::from(code / 64)] |= 1 << (code % 64));
    words
}

/// All nets: of factors, and of the second stage.
fn nets(model: &Model) -> impl Iterator<Item = &Net> {
    let of_factors = model.scorer.factors.iter().filter_map(|factor| factor.net.as_ref());
    of_factors.chain(model.rerank.as_ref().map(|rerank| &rerank.net))
}

/// Whether some net draws from the features.
pub(super) fn has_draws(model: &Model) -> bool {
    nets(model).flat_map(|net| &net.inputs).any(|input| matches!(input, Input::Draw { .. }))
}

/// Whether there is a net.
pub(super) fn has_nets(model: &Model) -> bool {
    nets(model).next().is_some()
}

/// Items of a table, several to a line.
pub(super) fn table(items: impl Iterator<Item = String>) -> String {
    let mut text = String::new();
    let mut width = 0;
    for item in items {
        if width > 0 && width + item.len() > 100 {
            text.push('\n');
            width = 0;
        }
        text.push_str(if width == 0 { "    " } else { " " });
        text.push_str(&item);
        text.push(',');
        width += item.len() + 2;
    }
    text
}

/// A text as a literal of C and Rust; `escape` writes characters that cannot be there as they are.
pub(super) fn literal(text: &str, escape: fn(char) -> String) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => quoted.extend(['\\', c]),
            c if is_invisible(c) => quoted.push_str(&escape(c)),
            c => quoted.push(c),
        }
    }
    quoted + "\""
}

/// Whether compilers refuse a character, or readers do not see it: controls, and what changes the direction of text.
fn is_invisible(c: char) -> bool {
    c.is_control() || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A name within a comment: on one line, and unable to end it.
pub(super) fn comment(text: &str) -> String {
    let plain: String = text.chars().map(|c| if is_invisible(c) { ' ' } else { c }).collect();
    plain.replace("*/", "* /").replace("/*", "/ *")
}
