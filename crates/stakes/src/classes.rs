//! Classes of rows, by ranking the classes that each row may have.
//!
//! Every row becomes a list whose items are the classes ([`Classes::candidates`]); the right one
//! should come first. What follows is a ranking like any other.

use std::collections::BTreeMap;

use serde::Serialize;
use stakes_core::act::Limit;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_learn::multiclass::{ClassCosts, Classes, ROLE};
use stakes_learn::{GivenCosts, GivenPair, Kind, Learner, learner, learners};
use stakes_model::{Model, Roles, roles_of};
use stakes_stats::{Column, IntervalOptions, Intervals, Part};

use crate::rank::{self, Because};
use crate::{Error, Note, data};

/// The learner of classes unless another is named.
const DEFAULT_LEARNER: &str = "cs-rankboost";

/// What a model does.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Task {
    /// It ranks the items of lists.
    Rank,
    /// It distinguishes classes of rows.
    Classes(Classes),
}

impl Task {
    /// The task of a model.
    pub fn of(model: &Model) -> Self {
        Classes::of_model(model).map_or(Task::Rank, Task::Classes)
    }
}

/// Rows whose classes are to be distinguished.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassTask {
    /// The classes.
    pub classes: Classes,
    /// The roles of the columns of the rows.
    columns: Roles,
}

impl ClassTask {
    /// The classes in a column of these rows. It must be read as categories.
    pub fn new(rows: &Dataset, column: &str) -> Result<Self, Error> {
        let classes = Classes::of(rows, column)?;
        let mut columns = roles_of(rows);
        columns.insert(ROLE.to_owned(), column.to_owned());
        Ok(ClassTask { classes, columns })
    }

    /// The rows as lists of candidates, the right one of each with the impact 1.
    pub fn candidates(&self, rows: &Dataset) -> Result<Dataset, Error> {
        Ok(self.classes.candidates(rows, true)?)
    }

    /// The columns that the model records: those of the rows, not of their candidates.
    pub fn columns(&self) -> Roles {
        self.columns.clone()
    }

    /// The goal: that the right class comes first.
    pub fn goal() -> Goal {
        Goal::act_on(1).with_metric("p@1".parse().expect("precision is in the table"))
    }

    /// The learner, if it distinguishes classes; instead of a blend one that does.
    pub fn learner(asked: &dyn Learner) -> Result<Box<dyn Learner>, Error> {
        if asked.kind() == Kind::Blend {
            return learner(DEFAULT_LEARNER).map_err(Error::UnknownLearner);
        }
        if asked.takes_classes() {
            return Ok(asked.boxed());
        }
        let able = learners().filter(|learner| learner.takes_classes());
        let able = able.map(|learner| learner.name()).collect::<Vec<_>>().join(", ");
        Err(Error::NotForClasses { learner: asked.name().to_owned(), able })
    }

    /// Parameters with another default than usual: rows that are held out are few, and the share
    /// that is right jumps from round to round.
    pub const DEFAULTS: &'static [(&'static str, &'static str)] =
        &[("rounds", "600"), ("patience", "200")];
}

/// Reads the file that the parameter `pair-costs` or `class-costs` names, if one does.
pub fn read_costs(learner: &dyn Learner, of_classes: bool) -> Result<Option<GivenCosts>, Error> {
    let mut texts = learner.texts();
    let mut named = |key: &str, none: &str| texts.remove(key).filter(|value| *value != none);
    match (named("pair-costs", "none"), named("class-costs", "auto")) {
        (Some(_), _) if of_classes => Err(Error::PairCostsOfClasses),
        (_, Some(_)) if !of_classes => Err(Error::ClassCostsOfItems),
        (Some(path), _) => {
            let rows = stakes_io::read_pair_costs(&path)?.into_iter();
            let pair = |row: stakes_io::PairCost| GivenPair {
                line: row.line,
                list: row.list,
                better: row.better,
                worse: row.worse,
                cost: row.cost,
            };
            Ok(Some(GivenCosts::Pairs(path, rows.map(pair).collect())))
        }
        (_, Some(path)) => {
            let table = stakes_io::read_class_costs(&path)?;
            Ok(Some(GivenCosts::Classes(path, ClassCosts::given(table.names, table.costs))))
        }
        (None, None) => Ok(None),
    }
}

/// How well classes are distinguished, on rows that the model was not trained on: the share that
/// is right and the cost of the mistakes, beside always predicting the most common class.
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

/// A mean over rows with its interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Figure {
    /// The mean.
    pub value: f64,
    /// The lower end of the 95 % interval.
    pub low: Option<f64>,
    /// The upper end of the 95 % interval.
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

impl ClassTask {
    /// Judges a model by candidates of rows that it was not trained on.
    pub fn judge(
        &self,
        model: &Model,
        training: &Dataset,
        validation: &Dataset,
        costs: Option<&GivenCosts>,
    ) -> Result<ClassVerdict, Error> {
        let classes = &self.classes;
        let (costs, costs_from) = match costs {
            Some(GivenCosts::Classes(source, costs)) => {
                let ordered = costs.in_order(&classes.names).map_err(Error::Classes)?;
                (ordered, format!("as in {source}"))
            }
            // The class is the first feature of candidates.
            _ => {
                let by_likeness = ClassCosts::of_likeness(training, 0);
                (by_likeness, "the more alike two classes, the more".into())
            }
        };
        let right = |data: &Dataset| classes.chosen(data.impact().unwrap_or_default());
        let (taken, truth) = (classes.chosen(&model.score(validation)?), right(validation));
        let mut count = vec![0usize; classes.names.len()];
        right(training).into_iter().for_each(|class| count[class] += 1);
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
                result(model.learner.clone(), &taken)?,
                result(most_common, &vec![common; truth.len()])?,
            ],
            names: classes.names.clone(),
            confused: confusions(classes, &truth, &taken),
            rows: truth.len(),
            costs: costs_from,
        })
    }
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

/// Which classes to report for each row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClassifyOptions {
    /// Only the row with this id.
    pub row: Option<String>,
    /// The number of classes of each row, the likeliest first.
    pub top: usize,
    /// The maximum number of reasons for a class; 0 for none.
    pub reasons: usize,
}

impl Default for ClassifyOptions {
    fn default() -> Self {
        ClassifyOptions { row: None, top: 1, reasons: 0 }
    }
}

/// The likeliest classes of rows.
///
/// As JSON it is the array of its rows.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(transparent)]
pub struct Classified {
    /// Row after row, the likeliest class first.
    pub rows: Vec<ClassifiedRow>,
    /// What the model does not use of the data, and how many rows are right where that is known.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

/// A row and a class that it may have.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ClassifiedRow {
    /// The id of the row, or its line.
    pub row: String,
    /// The position of the class, from 1.
    pub rank: usize,
    /// The class.
    pub class: String,
    /// Its score.
    pub score: f64,
    /// Its probability, if the model is calibrated.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub chance: Option<f64>,
    /// The reasons for it, if they are asked for.
    #[serde(flatten, skip_serializing_if = "Option::is_none")]
    pub because: Option<Because>,
}

/// Predicts the classes of rows.
pub fn classify(
    model: &Model,
    rows: &Dataset,
    options: &ClassifyOptions,
) -> Result<Classified, Error> {
    let Task::Classes(classes) = Task::of(model) else { return Err(Error::RankingModel) };
    let candidates = classes.candidates(rows, false)?;
    let mut notes = data::unused(model, &candidates)?;
    let scores = model.score(&candidates)?;
    notes.extend(accuracy(&classes, rows, &scores));
    let only = options.row.as_deref();
    let mut lists = rank::in_order(model, &candidates, &scores, Limit::Items(1), only)?;
    for item in lists.iter_mut().flatten() {
        item.id = classes.names[item.item % classes.names.len()].as_str().into();
    }
    rank::finish(model, &candidates, &mut lists, options.top, options.reasons)?;
    let row = |item: rank::RankedItem<'_>| ClassifiedRow {
        row: item.list.to_owned(),
        rank: item.rank,
        class: item.id.into_owned(),
        score: item.score,
        chance: item.expected_cost.value(),
        because: item.because,
    };
    Ok(Classified { rows: lists.into_iter().flatten().map(row).collect(), notes })
}

/// How many rows are right, where the class is known.
fn accuracy(classes: &Classes, rows: &Dataset, scores: &[f64]) -> Option<Note> {
    if !rows.feature_info().iter().any(|feature| feature.name == classes.column) {
        return None;
    }
    Some(match classes.right(rows) {
        Ok(truth) => {
            let pairs = truth.iter().zip(classes.chosen(scores));
            let right = pairs.filter(|(truth, taken)| **truth == *taken).count();
            Note::Accuracy { column: classes.column.clone(), right, rows: truth.len() }
        }
        Err(error) => Note::NoAccuracy { reason: error.to_string() },
    })
}
