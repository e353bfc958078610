//! How well classes are told apart, on rows that were not learnt from: how many are right, and what
//! the mistakes cost, beside always saying the most common class.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use stakes::data::Dataset;
use stakes::learn::multiclass::{ClassCosts, Classes};
use stakes::learn::{GivenCosts, Model};
use stakes::stats::{Bootstrap, BootstrapOptions, Column, Part};

use crate::output::{counted, table};

/// Confusions that are named.
const MOST: usize = 5;

/// What is known of a model's classes.
pub(crate) struct Verdict {
    names: Vec<String>,
    /// The model, and the most common class.
    rows: [(String, [Figure; 2]); 2],
    /// How often a class was taken for another, the most often first.
    confused: Vec<(usize, usize, usize)>,
    judged: usize,
    costs_from: String,
}

/// A mean over rows with its interval.
#[derive(Clone, Copy)]
struct Figure {
    value: f64,
    ends: Option<(f64, f64)>,
}

/// Judges by rows that were not learnt from.
pub(crate) fn judge(
    model: &Model,
    classes: &Classes,
    learnt: &Dataset,
    valid: &Dataset,
    given: Option<&GivenCosts>,
) -> anyhow::Result<Verdict> {
    let (costs, costs_from) = match given {
        Some(GivenCosts::Classes(source, costs)) => {
            let ordered = costs.in_order(&classes.names);
            (ordered.map_err(anyhow::Error::msg)?, format!("as in {source}"))
        }
        // The class is the first feature of candidates.
        _ => (ClassCosts::of_likeness(learnt, 0), "the more alike two classes, the more".into()),
    };
    let right = |data: &Dataset| classes.chosen(data.impact().unwrap_or_default());
    let (taken, truth) = (classes.chosen(&model.score(valid)?), right(valid));
    let mut count = vec![0usize; classes.names.len()];
    right(learnt).into_iter().for_each(|class| count[class] += 1);
    let common = (0..count.len()).rev().max_by_key(|&class| count[class]).unwrap_or(0);
    let mut confused: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (&truth, &taken) in truth.iter().zip(&taken).filter(|(truth, taken)| truth != taken) {
        *confused.entry((truth, taken)).or_default() += 1;
    }
    let mut confused: Vec<_> = confused.into_iter().map(|((a, b), n)| (a, b, n)).collect();
    confused.sort_by_key(|(.., n)| std::cmp::Reverse(*n));
    let figures = |taken: &[usize]| -> anyhow::Result<[Figure; 2]> {
        let pairs = || truth.iter().zip(taken);
        let accuracy = pairs().map(|(a, b)| Part::new(f64::from(u8::from(a == b)), 1.0)).collect();
        let cost =
            pairs().map(|(&a, &b)| Part::new(costs.cost(a, b) / costs.mean(), 1.0)).collect();
        Ok([figure(accuracy)?, figure(cost)?])
    };
    Ok(Verdict {
        rows: [
            (model.learner.clone(), figures(&taken)?),
            (
                format!("most common class ({})", classes.names[common]),
                figures(&vec![common; truth.len()])?,
            ),
        ],
        names: classes.names.clone(),
        confused,
        judged: truth.len(),
        costs_from,
    })
}

fn figure(parts: Vec<Part>) -> anyhow::Result<Figure> {
    let columns = [Column::new(&parts)];
    let bootstrap = Bootstrap::run(&columns, &BootstrapOptions::default())?;
    let ends = bootstrap.interval(0).map(|interval| (interval.low, interval.high));
    Ok(Figure { value: bootstrap.estimate(0).unwrap_or(f64::NAN), ends })
}

impl Verdict {
    pub(crate) fn text(&self) -> String {
        let header = ["score", "accuracy", "cost-weighted error"].map(str::to_owned);
        let cell = |figure: &Figure| match figure.ends {
            Some((low, high)) => format!("{:.4} [{low:.4}, {high:.4}]", figure.value),
            None => format!("{:.4}", figure.value),
        };
        let row = |(name, figures): &(String, [Figure; 2])| {
            [name.clone()].into_iter().chain(figures.iter().map(cell)).collect::<Vec<String>>()
        };
        let rows: Vec<Vec<String>> = self.rows.iter().map(row).collect();
        let mut text = format!("\n{}\n", table(&header, &rows));
        text += &format!(
            "cost-weighted error: a mistake of mean cost counts 1 ({})\n\
             [low, high]: 95% intervals, BCa bootstrap over rows, 2000 resamples\n",
            self.costs_from
        );
        let shown: Vec<String> = self
            .confused
            .iter()
            .take(MOST)
            .map(|&(a, b, n)| format!("{} for {} ({n})", self.names[a], self.names[b]))
            .collect();
        if !shown.is_empty() {
            let more = if self.confused.len() > MOST { ", ..." } else { "" };
            text += &format!("taken for another class: {}{more}\n", shown.join(", "));
        }
        text
    }

    pub(crate) fn json(&self) -> Value {
        let figure = |f: &Figure| {
            let (low, high) = f.ends.unzip();
            json!({ "value": f.value, "low": low, "high": high })
        };
        let row = |(name, [accuracy, cost]): &(String, [Figure; 2])| {
            json!({
                "score": name,
                "accuracy": figure(accuracy),
                "cost_weighted_error": figure(cost),
            })
        };
        let confusion = |&(a, b, rows): &(usize, usize, usize)| json!({ "class": self.names[a], "taken_for": self.names[b], "rows": rows });
        json!({
            "names": self.names,
            "rows": self.judged,
            "costs": self.costs_from,
            "results": self.rows.iter().map(row).collect::<Vec<_>>(),
            "confused": self.confused.iter().map(confusion).collect::<Vec<_>>(),
        })
    }
}

/// How many rows of candidates there are, in words.
pub(crate) fn size(classes: &Classes, data: &Dataset) -> String {
    let (rows, names) = (counted(data.n_lists(), "row"), classes.names.len());
    format!("{rows} of {names} classes of {}", data.source())
}
