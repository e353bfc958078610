//! Where scores come from: columns of the data, files, TREC runs, models.

use stakes_core::data::Dataset;
use stakes_core::goal::Reach;
use stakes_core::rank::UNRANKED;
use stakes_eval::study::{BEST_FEATURE, IDEAL, RANDOM, Scores};
use stakes_io::{AlignedScores, ReadOptions, Run, TrecOptions, TrecTopics};
use stakes_model::Model;

use crate::scoring::{self, Scored, SeenLists, TrainedOn};
use crate::{Error, Note};

/// A file of scores and the name to show them by.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NamedFile {
    /// The name; of a TREC run by default its tag.
    pub name: Option<String>,
    /// The file.
    pub path: String,
}

/// Reads data with columns that are scores, higher first; `-age` ranks by ascending age.
///
/// `outcomes` are the columns that the cost reads.
pub fn read_with_columns(
    path: &str,
    options: &ReadOptions,
    columns: &[&str],
    outcomes: Vec<String>,
) -> Result<(Dataset, Vec<Scores>), Error> {
    let mut options = options.clone();
    let extras = &mut options.roles.extras;
    extras.clone_from(&outcomes);
    for name in columns.iter().map(|name| name.strip_prefix('-').unwrap_or(name)) {
        if !extras.iter().any(|extra| extra == name) {
            extras.push(name.to_owned());
        }
    }
    options.roles.outcomes = outcomes;
    let data = stakes_io::read(path, &options)?;
    let scores = columns.iter().map(|name| column(&data, name)).collect::<Result<_, _>>()?;
    Ok((data, scores))
}

/// Reads the judgements of a TREC collection and runs on it. With `all_topics`, judged topics that no run
/// answers count as well.
pub fn read_runs(
    qrels: &str,
    runs: &[NamedFile],
    all_topics: bool,
) -> Result<(Dataset, Vec<Scores>), Error> {
    let qrels = stakes_io::read_qrels(qrels)?;
    let runs = runs.iter().map(|file| {
        let run = stakes_io::read_run(&file.path)?;
        Ok(Run { tag: file.name.clone().unwrap_or_else(|| run.tag.clone()), ..run })
    });
    let runs = runs.collect::<Result<Vec<_>, Error>>()?;
    let topics = if all_topics { TrecTopics::Judged } else { TrecTopics::default() };
    let data =
        stakes_io::join_trec(&qrels, &runs, TrecOptions { topics, ..TrecOptions::default() })?;
    let scores = data.columns().extras.iter().map(|name| column(&data, name));
    let mut scores = scores.collect::<Result<Vec<_>, Error>>()?;
    // What a run did not retrieve is not ranked.
    for score in scores.iter_mut().flat_map(|run| &mut run.values) {
        if score.is_nan() {
            *score = UNRANKED;
        }
    }
    Ok((data, scores))
}

/// Reads scores from a file: a number per row of the data, or a CSV with list, id and score. The
/// note says how many scores are of items that are not in the data.
pub fn read_file(name: &str, path: &str, data: &Dataset) -> Result<(Scores, Option<Note>), Error> {
    let AlignedScores { values, unknown, first_unknown } =
        stakes_io::read_scores(path)?.align(data)?;
    let source = path.to_owned();
    let note = Note::UnknownScores { source, scores: unknown, first: first_unknown };
    Ok((Scores { name: name.to_owned(), values }, (unknown > 0).then_some(note)))
}

/// What a model ranks items by where actions reach so far, and how many of these lists it was trained on.
pub fn of_model(
    name: &str,
    model: &Model,
    data: &Dataset,
    reach: Reach,
    seen: SeenLists,
) -> Result<(Scores, TrainedOn), Error> {
    let Scored { values, trained_on } = scoring::score(model, data, seen)?;
    let values = model.priorities(values, data, reach);
    Ok((Scores { name: name.to_owned(), values }, trained_on))
}

/// Refuses scores that are not finite, and names that are used twice or reserved for reference orders.
pub fn check(data: &Dataset, scores: &[Scores]) -> Result<(), Error> {
    for (i, score) in scores.iter().enumerate() {
        let name = || score.name.clone();
        if scores[..i].iter().any(|s| s.name == score.name) {
            return Err(Error::ScoreTwice { name: name() });
        }
        if [RANDOM, IDEAL, BEST_FEATURE].contains(&score.name.as_str()) {
            return Err(Error::ReservedScore { name: name() });
        }
        check_finite(data, score)?;
    }
    Ok(())
}

/// Refuses scores that are not finite: an item without a score has no place in an order.
pub fn check_finite(data: &Dataset, score: &Scores) -> Result<(), Error> {
    let is_bad = |score: &f64| !score.is_finite() && *score != UNRANKED;
    let Some(item) = score.values.iter().position(is_bad) else { return Ok(()) };
    let met = match score.values[item] {
        score if score.is_nan() => "missing".to_owned(),
        score => score.to_string(),
    };
    Err(Error::Score { place: data.place(item).to_string(), name: score.name.clone(), met })
}

/// The scores in a column of the data.
pub fn column(data: &Dataset, name: &str) -> Result<Scores, Error> {
    let values = match name.strip_prefix('-') {
        Some(column) => data.numbers(column)?.into_iter().map(|v| -v).collect(),
        None => data.numbers(name)?,
    };
    Ok(Scores { name: name.to_owned(), values })
}
