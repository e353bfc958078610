//! LightGBM's text format (`Booster.save_model`), versions 3 and 4.
//!
//! A score is the sum of its trees in their order, in 64 bits, and so is ours: scores of 32-bit rows are the same
//! to the bit where the objective has no link function. A numeric test is `x <= t`; its `decision_type` says in
//! bit 0 whether it tests categories, in bit 1 whether missing values go left, and in bits 2 and 3 what a missing
//! value is: none (NaN counts as 0), zero (0 and NaN), or NaN.

mod categories;
mod objective;
mod text;

use stakes_model::tree::{Leaf, Test, Tree};

use self::categories::AllCategories;
use self::objective::Objective;
use self::text::{Section, Text};
use super::Content;
use super::error::Fault;
use super::found::{Found, numbered};
use super::threshold::{Thresholds, below};
use super::tree::{MAX_LEAVES, Part, Sharing, Split, assemble};

/// Numbers this near to 0 are 0.
const ZERO: f32 = 1e-35;

/// Parameters of the training that are kept, if the file has them.
const KEPT: [&str; 12] = [
    "boosting",
    "num_iterations",
    "learning_rate",
    "num_leaves",
    "max_depth",
    "min_data_in_leaf",
    "lambda_l1",
    "lambda_l2",
    "bagging_fraction",
    "feature_fraction",
    "tweedie_variance_power",
    "lambdarank_truncation_level",
];

pub(super) fn recognise(content: &Content<'_>) -> bool {
    content.bytes.starts_with(b"tree\n") || content.bytes.starts_with(b"tree\r\n")
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let text = std::str::from_utf8(content).map_err(|_| Fault::new("", "it is not UTF-8 text"))?;
    let text = Text::parse(text)?;
    let header = &text.header;
    for (key, what) in [("num_class", "classes"), ("num_tree_per_iteration", "trees in each round")]
    {
        if header.text(key).is_some() && header.number::<u64>(key)? != 1 {
            return Err(Fault::refused(format!(
                "the model has {} {what}; models of one score can be imported",
                header.number::<u64>(key)?
            )));
        }
    }
    let objective = Objective::parse(header.text("objective"))?;
    let names: Vec<&str> = header.required("feature_names")?.split_ascii_whitespace().collect();
    let width = header.number::<u64>("max_feature_idx")?.saturating_add(1);
    if width != names.len() as u64 {
        let what = format!("there are {} names for {width} features", names.len());
        return Err(Fault::at_line(header.line("feature_names"), what));
    }
    let named = names.iter().enumerate().any(|(i, name)| *name != format!("Column_{i}"));
    let mut features = numbered(names.into_iter().map(str::to_owned));

    let mut categories = AllCategories::of(&text)?;
    for tree in &text.trees {
        TreeText::parse(tree)?.note_categories(features.len(), &mut categories)?;
    }
    let mut notes: Vec<String> = categories.finish(&text)?.into_iter().collect();
    categories.apply(&mut features)?;

    let mut thresholds = Thresholds::default();
    let tree = |(number, tree): (usize, &Section<'_>)| {
        let tree = TreeText::parse(tree)?;
        let tree = tree.tree(&categories, &mut thresholds);
        tree.map_err(|fault| fault.within(format!("tree {number}")))
    };
    let mut trees: Vec<Tree> = text.trees.iter().enumerate().map(tree).collect::<Result<_, _>>()?;
    objective.scale(&mut trees);
    notes.extend(thresholds.note());
    notes.extend(objective.note);

    let mut parameters: std::collections::BTreeMap<String, String> = KEPT
        .iter()
        .filter_map(|&key| Some((key.to_owned(), text.parameters.get(key)?.to_string())))
        .collect();
    let objective_text = header.text("objective").unwrap_or("none").to_owned();
    parameters.insert("objective".to_owned(), objective_text);
    Ok(Found {
        learner: "lightgbm",
        parameters,
        features,
        named,
        link: objective.link,
        start: 0.0,
        trees,
        trees_per_round: 1,
        is_mean: header.text("average_output").is_some(),
        net: None,
        notes,
    })
}

/// The arrays of one tree.
struct TreeText<'t> {
    section: &'t Section<'t>,
    feature: Vec<u32>,
    threshold: Vec<f64>,
    decision: Vec<u8>,
    left: Vec<i32>,
    right: Vec<i32>,
    gain: Vec<f64>,
    rows: Vec<f64>,
    value: Vec<f64>,
    leaf_rows: Vec<f64>,
    /// Where the words of each set of categories begin and end.
    boundaries: Vec<usize>,
    /// Sets of categories, 32 to a word.
    words: Vec<u32>,
}

impl<'t> TreeText<'t> {
    fn parse(section: &'t Section<'t>) -> Result<Self, Fault> {
        if section.text("is_linear").is_some_and(|is| is.trim() != "0") {
            return Err(Fault::refused(
                "its leaves are linear functions (linear_tree); models of stakes have a number in each leaf: \
                 train without linear_tree",
            ));
        }
        let leaves: usize = section.number("num_leaves")?;
        if leaves == 0 || leaves > MAX_LEAVES {
            let what = format!("`num_leaves` is {leaves}; it must be from 1 to {MAX_LEAVES}");
            return Err(Fault::at_line(section.line("num_leaves"), what));
        }
        let nodes = leaves - 1;
        let value = section.numbers("leaf_value", leaves)?;
        if nodes == 0 {
            let leaf_rows = section.numbers_or_zero("leaf_count", 1)?;
            return Ok(TreeText { section, value, leaf_rows, ..TreeText::empty(section) });
        }
        let has_sets = section.text("num_cat").is_some_and(|count| count.trim() != "0");
        Ok(TreeText {
            section,
            feature: section.numbers("split_feature", nodes)?,
            threshold: section.numbers("threshold", nodes)?,
            decision: section.numbers("decision_type", nodes)?,
            left: section.numbers("left_child", nodes)?,
            right: section.numbers("right_child", nodes)?,
            gain: section.numbers_or_zero("split_gain", nodes)?,
            rows: section.numbers_or_zero("internal_count", nodes)?,
            value,
            leaf_rows: section.numbers_or_zero("leaf_count", leaves)?,
            boundaries: if has_sets { section.any_numbers("cat_boundaries")? } else { Vec::new() },
            words: if has_sets { section.any_numbers("cat_threshold")? } else { Vec::new() },
        })
    }

    fn empty(section: &'t Section<'t>) -> Self {
        TreeText {
            section,
            feature: Vec::new(),
            threshold: Vec::new(),
            decision: Vec::new(),
            left: Vec::new(),
            right: Vec::new(),
            gain: Vec::new(),
            rows: Vec::new(),
            value: Vec::new(),
            leaf_rows: Vec::new(),
            boundaries: Vec::new(),
            words: Vec::new(),
        }
    }

    fn is_categorical(&self, node: usize) -> bool {
        self.decision[node] & 1 == 1
    }

    /// The codes that a test of categories sends to the left.
    fn codes(&self, node: usize) -> Result<impl Iterator<Item = u32> + '_, Fault> {
        let set = self.threshold[node];
        let ends = (set >= 0.0 && set.fract() == 0.0).then_some(set as usize).and_then(|set| {
            let ends = self.boundaries.get(set..)?.first_chunk::<2>()?;
            self.words.get(ends[0]..ends[1])
        });
        let Some(words) = ends else {
            let what = format!("node {node} tests a set of categories {set} that is not there");
            return Err(Fault::at_line(self.section.line("cat_boundaries"), what));
        };
        let of_word = |(place, &word): (u32, &u32)| {
            (0..32).filter(move |bit| word >> bit & 1 == 1).map(move |bit| 32 * place + bit)
        };
        Ok((0..u32::MAX / 32).zip(words).flat_map(of_word))
    }

    /// Notes which categories are tested, and checks the numbers of features.
    fn note_categories(&self, width: usize, categories: &mut AllCategories) -> Result<(), Fault> {
        for (node, &feature) in self.feature.iter().enumerate() {
            if feature as usize >= width {
                let what = format!("node {node} tests feature {feature}; the model has {width}");
                return Err(Fault::at_line(self.section.line("split_feature"), what));
            }
            if self.is_categorical(node) {
                self.codes(node)?.for_each(|code| categories.add(feature, code));
            }
        }
        Ok(())
    }

    fn tree(&self, categories: &AllCategories, thresholds: &mut Thresholds) -> Result<Tree, Fault> {
        let nodes = self.feature.len();
        let places = 2 * nodes + 1;
        let place = |child: i32| if child >= 0 { child as usize } else { nodes + !child as usize };
        let children = |node: usize| (place(self.left[node]), place(self.right[node]));
        let leaf = |leaf: usize| {
            Part::Leaf(Leaf { value: self.value[leaf], rows: self.leaf_rows[leaf] as u32 })
        };
        let root = if nodes == 0 { place(-1) } else { 0 };
        let mut zeros = false;
        let tree = assemble(root, places, Sharing::Never, |at| {
            if at >= nodes {
                return Ok(leaf(at - nodes));
            }
            zeros |= self.zero_apart(at);
            let (left, right) = children(at);
            self.split(at, left, right, categories, thresholds).map(Part::Split)
        })?;
        if !zeros {
            return Ok(tree);
        }
        // Where 0 goes another way than the numbers around it, a node becomes three, whose further places come after
        // all others: `below` tells numbers below 0 from 0 and above, `above` tells 0 from numbers above it.
        assemble(root, places + 2 * nodes, Sharing::Copied, |at| {
            if (nodes..places).contains(&at) {
                return Ok(leaf(at - nodes));
            }
            let (node, further) = match at.checked_sub(places) {
                None => (at, 0),
                Some(at) => (at % nodes, 1 + at / nodes),
            };
            let (left, right) = children(node);
            // The side that 0 is on by comparison, and the one it goes to.
            let (near, far) =
                if self.threshold[node] >= 0.0 { (left, right) } else { (right, left) };
            let (below_zero, above_zero) = (places + node, places + nodes + node);
            let mut split = self.split(node, left, right, categories, thresholds)?;
            match (further, self.zero_apart(node)) {
                (0, false) => {}
                (0, true) if self.threshold[node] >= 0.0 => split.left = below_zero,
                (0, true) => split.right = below_zero,
                (1, _) => {
                    let test = below(-ZERO).map_err(|what| Fault::new("", what))?;
                    split = Split { test, left: near, right: above_zero, gain: 0.0, ..split };
                }
                _ => {
                    let test = Test::AtMost(ZERO);
                    split = Split { test, left: far, right: near, gain: 0.0, ..split };
                }
            }
            Ok(Part::Split(split))
        })
    }

    /// Whether 0 counts as missing, and goes to another side than numbers around it.
    fn zero_apart(&self, node: usize) -> bool {
        let default_left = self.decision[node] & 2 != 0;
        let is_zero = !self.is_categorical(node) && self.decision[node] >> 2 & 3 == 1;
        is_zero && default_left != (self.threshold[node] >= 0.0)
    }

    fn split(
        &self,
        node: usize,
        left: usize,
        right: usize,
        categories: &AllCategories,
        thresholds: &mut Thresholds,
    ) -> Result<Split, Fault> {
        let feature = self.feature[node];
        let (test, missing_left) = if self.is_categorical(node) {
            (Test::In(categories.set(feature, self.codes(node)?)), false)
        } else if categories.has(feature) {
            let what = format!("feature {feature} is tested as a number and as a category");
            return Err(Fault::at_line(self.section.line("decision_type"), what));
        } else {
            let threshold = self.threshold[node];
            let missing_left = match self.decision[node] >> 2 & 3 {
                0 => 0.0 <= threshold,
                1 | 2 => self.decision[node] & 2 != 0,
                _ => {
                    let what = format!("node {node} has an unknown kind of missing values");
                    return Err(Fault::at_line(self.section.line("decision_type"), what));
                }
            };
            let test = thresholds.at_most(feature, threshold);
            let at = |what| Fault::at_line(self.section.line("threshold"), what);
            (test.map_err(at)?, missing_left)
        };
        let (gain, rows) = (self.gain[node], self.rows[node] as u32);
        Ok(Split { feature, test, missing_left, left, right, gain, rows })
    }
}
