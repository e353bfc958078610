//! Remarks of workflows on their results.

use std::fmt;

use serde::Serialize;
use stakes_core::data::Dataset;
use stakes_core::display::{counted, nice_number};
use stakes_model::MAX_CATEGORIES;

use crate::text::percent;
use crate::trained_on::TrainedOn;

/// A remark of a workflow on its result, which is valid nevertheless.
///
/// Workflows return notes and never print. The text says what was found; a program may add what to do
/// about it, in terms of its commands.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(tag = "note", rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Note {
    /// The data lack the column that identified lists in training.
    NoListColumn {
        /// Its name.
        column: String,
    },
    /// The data lack the column that identified items in training.
    NoIdColumn {
        /// Its name.
        column: String,
    },
    /// The data lack a column that the cost needs, so costs are unknown.
    NoCostColumn {
        /// Its name.
        column: String,
    },
    /// Columns of the data that the model does not read.
    UnreadColumns {
        /// Their names.
        columns: Vec<String>,
    },
    /// Categories that the model does not know.
    UnknownCategories {
        /// The feature.
        feature: String,
        /// The number of unknown categories.
        categories: usize,
        /// The number of items with one of them.
        items: usize,
        /// The first few of them.
        first: Vec<String>,
    },
    /// Scores of items that are not in the data, which are left out.
    UnknownScores {
        /// The file with the scores.
        source: String,
        /// The number of such scores.
        scores: usize,
        /// The first of the items.
        first: Vec<String>,
    },
    /// A ranking that keeps minimum shares of groups.
    MinShare {
        /// The number of items in other places than by score.
        moved: usize,
        /// The expected cost of the items to act on, by score and now, where it is known.
        expected: Option<(f64, f64)>,
    },
    /// A model that scores lists which it was trained on.
    TrainedOn {
        /// The name of the model.
        name: String,
        /// The data.
        source: String,
        /// How many of the lists.
        trained_on: TrainedOn,
    },
    /// A model that was trained elsewhere measures lists that it may have seen.
    TrainedElsewhere {
        /// The name of the model.
        name: String,
        /// The data.
        source: String,
    },
    /// A ranking by which money is spent.
    Money {
        /// The column of prices.
        price: String,
        /// Whether the model's scores are divided by them.
        per_price: bool,
    },
    /// Categories that were written as numbers, because the format holds nothing else.
    LostNames {
        /// The features.
        features: Vec<String>,
    },
    /// A feature whose categories are dates.
    Dates {
        /// The feature.
        feature: String,
        /// The number of its categories.
        categories: usize,
    },
    /// A feature with more categories than a model distinguishes.
    ManyCategories {
        /// The feature.
        feature: String,
        /// The number of its categories.
        categories: usize,
    },
    /// Lists of the validation data with the id of a training list.
    SharedLists {
        /// The validation data.
        source: String,
        /// The ids.
        lists: Vec<String>,
    },
    /// Categories of the validation data that the training data do not have.
    NewCategories {
        /// The validation data.
        source: String,
        /// The training data.
        training: String,
        /// The feature.
        feature: String,
        /// The categories.
        categories: Vec<String>,
    },
    /// Columns of the validation data that the training data do not have.
    NewColumns {
        /// The validation data.
        source: String,
        /// The training data.
        training: String,
        /// The number of such columns.
        columns: usize,
    },
    /// A feature that looks like an outcome by its name.
    Outcomes {
        /// The features.
        features: Vec<String>,
    },
    /// Most lists are so short that acting on `k` items is acting on all.
    ActsOnAll {
        /// The number of items that can be acted on.
        k: usize,
        /// More than half of the lists have at most this many items.
        items: usize,
    },
    /// Lists without a cost, which say nothing about an order.
    NothingToSave {
        /// Their number.
        lists: usize,
        /// The number of all lists.
        of: usize,
    },
    /// Too few lists to hold some out.
    FewLists {
        /// The number of lists with a cost to save.
        lists: usize,
    },
    /// What the training of a blend will do.
    Plan {
        /// Learners that are tried.
        members: usize,
        /// Folds that they are judged on.
        folds: usize,
        /// Estimated duration.
        seconds: f64,
    },
    /// A checkpoint that could not be written.
    NoCheckpoint {
        /// Why.
        reason: String,
    },
    /// The state of a tuning that could not be written.
    NoTuningFile {
        /// Why.
        reason: String,
    },
    /// The plain regression to compare with was interrupted.
    NoRegression,
    /// How many rows have the predicted class.
    Accuracy {
        /// The column with the class.
        column: String,
        /// Rows whose class was predicted.
        right: usize,
        /// All rows.
        rows: usize,
    },
    /// The share of right classes cannot be known.
    NoAccuracy {
        /// Why.
        reason: String,
    },
    /// A contestant that is not compared.
    LeftOut {
        /// The contestant.
        contestant: String,
        /// Why.
        why: String,
    },
    /// The stage that is explained also uses the score of the base.
    BaseCounts,
    /// New lists whose costs are not known.
    NoOutcomes,
    /// No scores of unseen lists are known to compare with.
    NoReferenceScores,
    /// Few lists to compare with.
    FewReferenceLists {
        /// Their number.
        lists: usize,
    },
}

impl Note {
    /// What must be said before anything else of a model's scores of lists that it was trained on, if there
    /// are any.
    pub fn trained_on(name: &str, data: &Dataset, trained_on: TrainedOn) -> Option<Note> {
        let (name, source) = (name.to_owned(), data.source().to_owned());
        (trained_on.lists > 0).then_some(Note::TrainedOn { name, source, trained_on })
    }

    /// The same before figures, which also need to be told from those of lists that a model has not seen where
    /// that is not known.
    pub fn on_figures(name: &str, data: &Dataset, trained_on: TrainedOn) -> Option<Note> {
        let elsewhere = || {
            let (name, source) = (name.to_owned(), data.source().to_owned());
            trained_on.elsewhere.then_some(Note::TrainedElsewhere { name, source })
        };
        Note::trained_on(name, data, trained_on).or_else(elsewhere)
    }
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Note::NoListColumn { column } => write!(
                f,
                "`{column}`, the list column in training, is not in this file: all items are one \
                 list"
            ),
            Note::NoIdColumn { column } => write!(
                f,
                "`{column}`, the id column in training, is not in this file: items are named by \
                 their lines"
            ),
            Note::NoCostColumn { column } => write!(
                f,
                "`{column}` is not in this file, so the cost that each feature saves cannot be \
                 measured"
            ),
            Note::UnreadColumns { columns } => {
                write!(f, "columns that the model does not read: {}", Names(columns))
            }
            Note::UnknownCategories { feature, categories, items, first } => write!(
                f,
                "{} of {feature} unknown to the model, treated as missing in {}: {}",
                counted(*categories, "category"),
                counted(*items, "item"),
                Names(first)
            ),
            Note::MinShare { moved, expected } => {
                write!(f, "{} in other places than by score", counted(*moved, "item"))?;
                match expected {
                    Some((before, after)) => write!(
                        f,
                        "; those to act on are expected to save {} in place of {} ({} less)",
                        nice_number(*after),
                        nice_number(*before),
                        percent((before - after) / before.max(f64::MIN_POSITIVE))
                    ),
                    None => Ok(()),
                }
            }
            Note::Money { price, per_price: true } => {
                write!(
                    f,
                    "ranked by score per price ({price}), by which money saves most; free items first"
                )
            }
            Note::Money { price, per_price: false } => write!(
                f,
                "the model knows nothing of prices ({price}) and ranks by score; a plan divides expected \
                 costs by them"
            ),
            Note::TrainedOn { name, source, trained_on } => {
                let TrainedOn { of, lists, out_of_fold, .. } = *trained_on;
                let which = match lists == of {
                    true if of == 1 => "the list".to_owned(),
                    true => format!("all {of} lists"),
                    false => format!("{lists} of the {of} lists"),
                };
                write!(f, "{name} was trained on {which} of {source}: ")?;
                match (out_of_fold, lists - out_of_fold) {
                    (_, 0) => f.write_str("each is scored by models that were not trained on it"),
                    (0, _) => f.write_str(
                        "scores and figures there flatter it, and say nothing about other lists",
                    ),
                    (_, flattering) => write!(
                        f,
                        "{out_of_fold} are scored by models that were not trained on them; the \
                         scores and figures of {flattering} flatter it"
                    ),
                }
            }
            Note::TrainedElsewhere { name, source } => write!(
                f,
                "{name} was trained elsewhere: whether it has seen lists of {source} is not known; of lists that it \
                 has seen, figures flatter it"
            ),
            Note::UnknownScores { source, scores, first } => {
                let more = if *scores > first.len() { ", ..." } else { "" };
                write!(
                    f,
                    "{source}: {} of items that are not in the data, left out: {}{more}",
                    counted(*scores, "score"),
                    first.join("; ")
                )
            }
            Note::LostNames { features } => write!(
                f,
                "LETOR holds numbers only: the names of categories are lost, their codes (0, 1, \
                 ...) are written: {}",
                Names(features)
            ),
            Note::Dates { feature, categories } => write!(
                f,
                "{feature} holds dates and is used as {}, which say nothing about later dates",
                counted(*categories, "category")
            ),
            Note::ManyCategories { feature, categories } => write!(
                f,
                "{feature} has {}: the {MAX_CATEGORIES} most frequent are distinguished, the \
                 others count as missing",
                counted(*categories, "category")
            ),
            Note::SharedLists { source, lists } => write!(
                f,
                "{} of {source} with the name of a training list (if they are the same, the \
                 figures are worthless): {}",
                counted(lists.len(), "list"),
                Names(lists)
            ),
            Note::NewCategories { source, training, feature, categories } => write!(
                f,
                "{source}: {} of {feature} that {training} does not have, treated as missing: {}",
                counted(categories.len(), "category"),
                Names(categories)
            ),
            Note::NewColumns { source, training, columns } => {
                let columns = counted(*columns, "column");
                write!(f, "{source}: left out {columns} that {training} does not have")
            }
            Note::Outcomes { features } => {
                let (looks, it) = match features.len() {
                    1 => ("looks like something", "it"),
                    _ => ("look like something", "them"),
                };
                write!(
                    f,
                    "{} {looks} known only afterwards, which new lists do not have: leave {it} out, \
                     unless known before acting",
                    Names(features)
                )
            }
            Note::ActsOnAll { k, items } => write!(
                f,
                "most lists have {} or fewer, so acting on {k} is acting on all",
                counted(*items, "item")
            ),
            Note::NothingToSave { lists, of } => {
                let (have, count) = match lists {
                    1 => ("has", "does not count"),
                    _ => ("have", "do not count"),
                };
                write!(f, "{lists} of {} {have} no cost to save and {count}", counted(*of, "list"))
            }
            Note::FewLists { lists } => {
                write!(f, "only {} with a cost to save: none is held out", counted(*lists, "list"))
            }
            Note::Plan { members, folds, seconds } => {
                let time = match *seconds {
                    ..2.0 => "a moment".to_owned(),
                    seconds @ 2.0..90.0 => format!("about {seconds:.0} s"),
                    seconds => format!("about {:.0} min", seconds / 60.0),
                };
                let (members, folds) = (counted(*members, "learner"), counted(*folds, "fold"));
                write!(f, "cross-validating {members} ({folds}) and blending the best: {time}")
            }
            Note::NoCheckpoint { reason } => {
                write!(f, "the checkpoint could not be written: {reason}")
            }
            Note::NoTuningFile { reason } => {
                write!(f, "the state of the tuning could not be written: {reason}")
            }
            Note::NoRegression => {
                f.write_str("interrupted: there is no plain regression to compare with")
            }
            Note::Accuracy { column, right, rows } => write!(
                f,
                "{right} of {} have the class in {column}: {:.4}",
                counted(*rows, "row"),
                *right as f64 / *rows as f64
            ),
            Note::NoAccuracy { reason } => {
                write!(f, "the share of right classes is not known: {reason}")
            }
            Note::LeftOut { contestant, why } => write!(f, "{contestant} is left out: {why}"),
            Note::NoOutcomes => f.write_str(
                "the costs of these lists are not known, so neither expected nor saved costs can be checked",
            ),
            Note::NoReferenceScores => f.write_str(
                "no scores of lists that the model was not trained on are known, so the drift of scores cannot be \
                 told",
            ),
            Note::FewReferenceLists { lists } => write!(
                f,
                "compared with {}: what chance may do is known roughly at best",
                counted(*lists, "list")
            ),
            Note::BaseCounts => f.write_str("the base score counts as well, with its own weight"),
        }
    }
}

/// The first names of a list.
struct Names<'a>(&'a [String]);

impl fmt::Display for Names<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        const MAX_SHOWN: usize = 8;
        let more = if self.0.len() > MAX_SHOWN { ", ..." } else { "" };
        write!(f, "{}{more}", self.0[..self.0.len().min(MAX_SHOWN)].join(", "))
    }
}
