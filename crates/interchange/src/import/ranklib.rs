//! RankLib's text formats: ensembles of trees as XML (MART, LambdaMART, Random Forests), and weights as
//! `number:weight` (Coordinate Ascent, Linear Regression).
//!
//! Numbers have 32 bits, a test is `x <= threshold`, missing features are 0. A score is the sum of trees by their
//! weights; Random Forests have an ensemble for each bag, and the score is their mean. `quick-xml` reads the XML: it
//! is what reads workbooks here, and streams.

use std::collections::BTreeMap;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};
use stakes_model::tree::{Leaf, Tree, scale_leaves};
use stakes_model::{Input, Link, Net};

use super::Content;
use super::error::Fault;
use super::found::{Found, numbered};
use super::threshold::at_most;
use super::tree::{MAX_LEAVES, Part, Sharing, Split, assemble};

/// Far above the widest data, and small enough to allocate.
const MAX_FEATURES: u32 = 1 << 20;

pub(super) fn recognise(content: &Content<'_>) -> bool {
    let first = content.bytes.split(|&byte| byte == b'\n').next().unwrap_or_default().trim_ascii();
    let kinds = ["LambdaMART", "MART", "Random Forests", "Coordinate Ascent", "Linear Regression"];
    first.strip_prefix(b"## ").is_some_and(|kind| kinds.iter().any(|k| k.as_bytes() == kind))
}

pub(super) fn read(content: &[u8]) -> Result<Found, Fault> {
    let text = std::str::from_utf8(content).map_err(|_| Fault::new("", "it is not UTF-8 text"))?;
    let mut parameters = BTreeMap::new();
    let mut kind = "";
    let mut body = None;
    let mut start = 0;
    for line in text.split_inclusive('\n') {
        match line.trim_start().strip_prefix("##") {
            Some(comment) => match comment.trim().split_once('=') {
                Some((key, value)) => {
                    parameters.insert(key.trim().to_owned(), value.trim().to_owned());
                }
                None if kind.is_empty() => kind = comment.trim(),
                None => {}
            },
            None if line.trim().is_empty() => {}
            None => {
                body = Some(start);
                break;
            }
        }
        start += line.len();
    }
    let body =
        body.ok_or_else(|| Fault::new("", "the file is truncated: there is no model in it"))?;
    parameters.insert("ranker".to_owned(), kind.to_owned());
    let mut found = match text[body..].trim_start().starts_with('<') {
        true => trees(&text[body..])?,
        false => linear(&text[body..])?,
    };
    found.parameters = parameters;
    Ok(found)
}

fn found(width: u32, trees: Vec<Tree>, net: Option<Net>, start: f64) -> Result<Found, Fault> {
    if width > MAX_FEATURES {
        return Err(Fault::refused(format!(
            "it has {width} features; at most {MAX_FEATURES} are read"
        )));
    }
    Ok(Found {
        learner: "ranklib",
        parameters: BTreeMap::new(),
        // As features of LETOR files are called, of which RankLib learns.
        features: numbered((1..=width).map(|number| number.to_string())),
        named: true,
        link: Link::Identity,
        start,
        trees,
        trees_per_round: 1,
        is_mean: false,
        net,
        notes: Vec::new(),
    })
}

/// `1:0.5 2:-0.25`; the number 0 is the constant.
fn linear(text: &str) -> Result<Found, Fault> {
    let mut weights = BTreeMap::new();
    let mut constant = 0.0;
    for pair in text.split_ascii_whitespace() {
        let parsed = pair.split_once(':').and_then(|(number, weight)| {
            let weight = weight.parse().ok().filter(|weight: &f64| weight.is_finite())?;
            Some((number.parse::<u32>().ok()?, weight))
        });
        let Some((number, weight)) = parsed else {
            return Err(Fault::new("", format!("`{pair}` stands where `number:weight` should")));
        };
        match number.checked_sub(1) {
            None => constant = weight,
            Some(feature) if weights.insert(feature, weight).is_some() => {
                return Err(Fault::new("", format!("feature {number} has two weights")));
            }
            Some(_) => {}
        }
    }
    let width = weights.keys().next_back().map_or(0, |&last: &u32| last.saturating_add(1));
    let input = |&feature: &u32| Input::Number { feature, mean: 0.0, deviation: 1.0 };
    let net = Net::linear(weights.keys().map(input).collect(), weights.values().copied().collect());
    found(width, Vec::new(), Some(net), constant)
}

/// A `<split>` while it is read.
#[derive(Default)]
struct Open {
    feature: Option<u32>,
    threshold: Option<f32>,
    output: Option<f32>,
    children: Vec<usize>,
}

/// The trees of a text, while it is read.
#[derive(Default)]
struct Ensembles {
    ensembles: usize,
    trees: Vec<Tree>,
    weight: f32,
    /// Splits that are not closed.
    open: Vec<Open>,
    /// Splits of the tree that are closed: children before their parents.
    closed: Vec<Open>,
    width: u32,
}

fn trees(text: &str) -> Result<Found, Fault> {
    let mut reader = Reader::from_str(text);
    let mut all = Ensembles::default();
    // The element whose text is read.
    let mut element: Option<String> = None;
    let mut depth = 0_usize;
    loop {
        let at = reader.buffer_position();
        let fault = |what: String| Fault::new(format!("byte {at} of the XML"), what);
        match reader.read_event().map_err(|error| fault(error.to_string()))? {
            Event::Start(tag) => {
                depth += 1;
                match tag.name().as_ref() {
                    "ensemble" => all.ensembles += 1,
                    "tree" => all.weight = weight(&tag).map_err(fault)?,
                    "split" => all.open.push(Open::default()),
                    name @ ("feature" | "threshold" | "output") => element = Some(name.to_owned()),
                    other => return Err(fault(format!("there is a `{other}`"))),
                }
            }
            Event::Text(words) => {
                if let Some(name) = &element {
                    all.number(name, words.trim()).map_err(fault)?;
                }
            }
            Event::End(tag) => {
                depth = depth.saturating_sub(1);
                element = None;
                match tag.name().as_ref() {
                    "split" => all.close().map_err(fault)?,
                    "tree" => all.finish_tree()?,
                    _ => {}
                }
            }
            Event::Eof if depth > 0 => {
                return Err(fault("the file is truncated; save it again".to_owned()));
            }
            Event::Eof => break,
            Event::Comment(_) => {}
            other => return Err(fault(format!("there is {other:?} among the trees"))),
        }
    }
    if all.ensembles > 1 {
        scale_leaves(&mut all.trees, 1.0 / all.ensembles as f64);
    }
    found(all.width, all.trees, None, 0.0)
}

fn weight(tag: &BytesStart<'_>) -> Result<f32, String> {
    let found = tag.try_get_attribute("weight").map_err(|error| error.to_string())?;
    found
        .and_then(|found| found.value.trim().parse().ok())
        .filter(|weight: &f32| weight.is_finite())
        .ok_or_else(|| "a tree has no weight that is a number".to_owned())
}

impl Ensembles {
    fn number(&mut self, name: &str, text: &str) -> Result<(), String> {
        let Some(split) = self.open.last_mut() else {
            return Err(format!("`{text}` is outside of a split"));
        };
        let wrong = || format!("`{text}` stands where a number should");
        match name {
            "feature" => {
                let number: u32 = text.parse().map_err(|_| wrong())?;
                if number == 0 || number > MAX_FEATURES {
                    return Err(format!("a feature is {number}; allowed are 1 to {MAX_FEATURES}"));
                }
                self.width = self.width.max(number);
                split.feature = Some(number - 1);
            }
            "threshold" => split.threshold = Some(text.parse().map_err(|_| wrong())?),
            _ => split.output = Some(text.parse().map_err(|_| wrong())?),
        }
        Ok(())
    }

    /// Closes a split: a child of the one around it, or the root.
    fn close(&mut self) -> Result<(), String> {
        if self.closed.len() > 2 * MAX_LEAVES {
            return Err(format!("a tree has more than {MAX_LEAVES} leaves; that many are read"));
        }
        let Some(split) = self.open.pop() else { return Err("a split ends twice".to_owned()) };
        self.closed.push(split);
        if let Some(parent) = self.open.last_mut() {
            parent.children.push(self.closed.len() - 1);
        }
        Ok(())
    }

    fn finish_tree(&mut self) -> Result<(), Fault> {
        let (splits, weight) = (std::mem::take(&mut self.closed), self.weight);
        let number = self.trees.len();
        let Some(root) = splits.len().checked_sub(1) else {
            return Err(Fault::new(format!("tree {number}"), "it has no split"));
        };
        let tree = assemble(root, splits.len(), Sharing::Never, |place| {
            let Open { feature, threshold, output, children } = &splits[place];
            match (feature, threshold, output, &children[..]) {
                (None, None, Some(output), []) => {
                    let value = f64::from(*output) * f64::from(weight);
                    Ok(Part::Leaf(Leaf { value, rows: 0 }))
                }
                (&Some(feature), &Some(threshold), None, &[left, right]) => {
                    Ok(Part::Split(Split {
                        feature,
                        test: at_most(threshold).map_err(|what| Fault::new("", what))?,
                        missing_left: 0.0 <= threshold,
                        left,
                        right,
                        gain: 0.0,
                        rows: 0,
                    }))
                }
                _ => Err(Fault::new(
                    "",
                    "a split has either an output, or a feature, a threshold and two splits within it",
                )),
            }
        });
        self.trees.push(tree.map_err(|fault| fault.within(format!("tree {number}")))?);
        Ok(())
    }
}
