//! How well a model predicts classes, on rows that it was not trained on.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_learn::GivenCosts;
use stakes_learn::multiclass::{ClassCosts, Classes};
use stakes_stats::{Column, IntervalOptions, Intervals, Part};

use crate::Error;
use crate::fit::Division;

/// How well a model predicts classes, on rows that it was not trained on: accuracy and cost of the
/// mistakes, beside those of always predicting the most common class.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassVerdict {
    /// The classes.
    pub names: Vec<String>,
    /// The number of rows.
    pub rows: usize,
    /// Where the costs of mistakes come from.
    pub costs: String,
    /// The model, and the most common class.
    pub results: Vec<ClassResult>,
    /// The mistakes, the most frequent first.
    pub confused: Vec<Confusion>,
}

/// The figures of one way to predict classes.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassResult {
    /// The learner, or `most common class`.
    pub score: String,
    /// The share of rows whose class is predicted.
    pub accuracy: Figure,
    /// The mean cost of a row's prediction, in units of the mean cost of a mistake.
    pub cost_weighted_error: Figure,
}

/// A figure with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The figure.
    pub value: f64,
    /// The lower end of the interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// Rows of one class that were taken for another.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Confusion {
    /// The class of the rows.
    pub class: String,
    /// The class that was predicted.
    pub taken_for: String,
    /// The number of rows.
    pub rows: usize,
}

/// Judges scores of candidates whose right class is known, beside the most common class of the
/// training rows.
pub(super) fn judge(
    classes: &Classes,
    learner: &str,
    scores: &[f64],
    candidates: &Dataset,
    division: &Division<'_>,
) -> Result<ClassVerdict, Error> {
    let (costs, costs_from) = match &division.costs {
        Some(GivenCosts::Classes(source, costs)) => {
            let ordered = costs.in_order(&classes.names).map_err(Error::Classes)?;
            (ordered, format!("as in {source}"))
        }
        // The class is the first feature of candidates.
        _ => {
            let by_likeness = ClassCosts::of_likeness(&division.training, 0);
            (by_likeness, "higher for classes that are more alike".into())
        }
    };
    let right = |data: &Dataset| classes.chosen(data.impact().unwrap_or_default());
    let (taken, truth) = (classes.chosen(scores), right(candidates));
    let mut count = vec![0usize; classes.names.len()];
    right(&division.training).into_iter().for_each(|class| count[class] += 1);
    let common = (0..count.len()).rev().max_by_key(|&class| count[class]).unwrap_or(0);
    let result = |score: String, taken: &[usize]| -> Result<ClassResult, Error> {
        let pairs = || truth.iter().zip(taken);
        let accuracy = pairs().map(|(a, b)| Part::new(f64::from(u8::from(a == b)), 1.0));
        let cost = pairs().map(|(&a, &b)| Part::new(costs.cost(a, b) / costs.mean(), 1.0));
        Ok(ClassResult {
            score,
            accuracy: figure(&accuracy.collect::<Vec<_>>(), (0.0, 1.0))?,
            cost_weighted_error: figure(&cost.collect::<Vec<_>>(), (0.0, f64::INFINITY))?,
        })
    };
    let most_common = format!("most common class ({})", classes.names[common]);
    Ok(ClassVerdict {
        results: vec![
            result(learner.to_owned(), &taken)?,
            result(most_common, &vec![common; truth.len()])?,
        ],
        names: classes.names.clone(),
        confused: confusions(classes, &truth, &taken),
        rows: truth.len(),
        costs: costs_from,
    })
}

fn confusions(classes: &Classes, truth: &[usize], taken: &[usize]) -> Vec<Confusion> {
    let mut counts: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (&truth, &taken) in truth.iter().zip(taken).filter(|(truth, taken)| truth != taken) {
        *counts.entry((truth, taken)).or_default() += 1;
    }
    let mut counts: Vec<((usize, usize), usize)> = counts.into_iter().collect();
    counts.sort_by_key(|(_, rows)| std::cmp::Reverse(*rows));
    let name = |class: usize| classes.names[class].clone();
    let confusion = |((a, b), rows): ((usize, usize), usize)| Confusion {
        class: name(a),
        taken_for: name(b),
        rows,
    };
    counts.into_iter().map(confusion).collect()
}

fn figure(parts: &[Part], range: (f64, f64)) -> Result<Figure, Error> {
    let columns = [Column::new(parts).within(range)];
    let intervals = Intervals::new(&columns, &IntervalOptions::default())?;
    let (low, high) = intervals.interval(0).map(|interval| (interval.low, interval.high)).unzip();
    Ok(Figure { value: intervals.estimate(0).unwrap_or(f64::NAN), low, high })
}
