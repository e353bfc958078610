//! Judgements joined with runs: topics become lists, documents become items, relevance becomes
//! the impact, and each run becomes a score column.
//!
//! A document that a run did not retrieve has no score (`NaN`) in that run's column. It is not
//! ranked, and evaluation gives it no credit, as in trec_eval.

use std::collections::{HashMap, HashSet};
use std::path::Path;

use stakes_core::data::{Columns, Dataset, DatasetBuilder, Row};

use super::{Qrels, Run};
use crate::ReadError;

/// The order of the rows in a list, which is the order of stable ties.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TrecTies {
    /// By docno, descending as bytes: trec_eval's order of ties.
    #[default]
    DocnoDescending,
    /// Judged documents in the order of their file, then the others in the order of the runs.
    AsGiven,
}

/// The topics to keep.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum TrecTopics {
    /// Topics that are judged and in at least one run: trec_eval's default.
    #[default]
    JudgedAndRetrieved,
    /// All judged topics (trec_eval's `-c`).
    Judged,
    /// All topics, including those that only a run has, where nothing is relevant.
    All,
}

/// The options of joining.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TrecOptions {
    /// The order of the rows in a list.
    pub ties: TrecTies,
    /// The topics to keep.
    pub topics: TrecTopics,
}

/// The documents of a topic.
#[derive(Default)]
struct Topic<'a> {
    judged: bool,
    retrieved: bool,
    /// In order of appearance: docno, relevance, line.
    documents: Vec<(&'a str, f64, u64)>,
    place: HashMap<&'a str, usize>,
}

impl<'a> Topic<'a> {
    fn add(&mut self, docno: &'a str, relevance: f64, line: u64) {
        let next = self.documents.len();
        if *self.place.entry(docno).or_insert(next) == next {
            self.documents.push((docno, relevance, line));
        }
    }
}

/// Joins judgements and runs. The columns are `topic`, `docno`, `relevance`, and one extra per
/// run, named by its tag, or by its file if several runs share a tag.
pub fn join_trec(qrels: &Qrels, runs: &[Run], options: TrecOptions) -> Result<Dataset, ReadError> {
    let mut topics: Vec<(&str, Topic<'_>)> = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut at = |topics: &mut Vec<_>, name| {
        *numbers.entry(name).or_insert_with(|| {
            topics.push((name, Topic::default()));
            topics.len() - 1
        })
    };
    for j in &qrels.judgements {
        let topic = at(&mut topics, &j.topic);
        topics[topic].1.judged = true;
        // A negative judgement means not relevant.
        topics[topic].1.add(&j.docno, j.relevance.max(0.0), j.line);
    }
    for d in runs.iter().flat_map(|run| &run.documents) {
        let topic = at(&mut topics, &d.topic);
        topics[topic].1.retrieved = true;
        topics[topic].1.add(&d.docno, 0.0, d.line);
    }
    topics.retain(|(_, topic)| match options.topics {
        TrecTopics::JudgedAndRetrieved => topic.judged && topic.retrieved,
        TrecTopics::Judged => topic.judged,
        TrecTopics::All => true,
    });
    let scores: Vec<Scores<'_>> = runs.iter().map(scores_of).collect();
    build(qrels, runs, &topics, &scores, options)
}

fn build(
    qrels: &Qrels,
    runs: &[Run],
    topics: &[(&str, Topic<'_>)],
    scores: &[Scores<'_>],
    options: TrecOptions,
) -> Result<Dataset, ReadError> {
    let columns = Columns {
        list: Some("topic".into()),
        impact: Some("relevance".into()),
        id: Some("docno".into()),
        extras: names(runs),
        ..Columns::default()
    };
    let mut builder = DatasetBuilder::new(&*qrels.source, columns)?;
    if topics.is_empty() {
        let what = "no topic is both judged and retrieved; check that the files belong together";
        return Err(ReadError::at(&qrels.source, 0, what));
    }
    let mut extras = vec![0.0; runs.len()];
    for (name, topic) in topics {
        let mut documents = topic.documents.clone();
        if options.ties == TrecTies::DocnoDescending {
            documents.sort_by(|a, b| b.0.cmp(a.0));
        }
        for (docno, relevance, line) in documents {
            for (score, run) in extras.iter_mut().zip(scores) {
                *score = run.get(&(*name, docno)).copied().unwrap_or(f64::NAN);
            }
            builder.push(Row {
                line,
                list: name,
                impact: Some(relevance),
                id: Some(docno),
                extras: &extras,
                ..Row::default()
            })?;
        }
    }
    Ok(builder.finish()?)
}

/// The scores of a run by topic and document.
type Scores<'a> = HashMap<(&'a str, &'a str), f64>;

fn scores_of(run: &Run) -> Scores<'_> {
    run.documents.iter().map(|d| ((&*d.topic, &*d.docno), d.score)).collect()
}

/// Returns a name for each run: its tag or the name of its file, with a number if necessary.
fn names(runs: &[Run]) -> Vec<String> {
    let mut taken: HashSet<String> = ["topic", "docno", "relevance"].map(String::from).into();
    runs.iter()
        .map(|run| {
            let alone = runs.iter().filter(|other| other.tag == run.tag).count() == 1;
            let stem = Path::new(&run.source).file_stem();
            let stem = stem.map_or(run.tag.clone(), |stem| stem.to_string_lossy().into_owned());
            let base = if alone { run.tag.clone() } else { stem };
            let mut name = base.clone();
            let mut n = 1;
            while !taken.insert(name.clone()) {
                n += 1;
                name = format!("{base}-{n}");
            }
            name
        })
        .collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::{parse_qrels_bytes, parse_run_bytes};
    use super::*;

    #[test]
    fn documents_are_the_union_and_the_rest_has_no_score() {
        let qrels = parse_qrels_bytes(b"1 0 a 2\n1 0 b -1\n1 0 c 1\n2 0 a 1\n").unwrap();
        let run = parse_run_bytes(b"1 Q0 a 1 0.5 me\n1 Q0 z 2 -0.25 me\n3 Q0 a 1 1 me\n").unwrap();
        let data = join_trec(&qrels, std::slice::from_ref(&run), TrecOptions::default()).unwrap();
        let ids: Vec<&str> = (0..data.len()).map(|i| data.item_id(i).unwrap()).collect();
        assert_eq!(ids, ["z", "c", "b", "a"]);
        assert_eq!(data.impact().unwrap(), [0.0, 1.0, 0.0, 2.0]);
        let scores = data.numbers("me").unwrap();
        assert_eq!((scores[0], scores[3]), (-0.25, 0.5));
        assert!(scores[1].is_nan() && scores[2].is_nan());
        let all = TrecOptions { ties: TrecTies::AsGiven, topics: TrecTopics::All };
        let data = join_trec(&qrels, &[run.clone(), run], all).unwrap();
        assert_eq!(data.n_lists(), 3);
        assert_eq!(data.columns().extras, ["memory", "memory-2"]);
        assert_eq!(data.item_id(0), Some("a"));
    }

    #[test]
    fn what_is_written_is_read_again() {
        let qrels = parse_qrels_bytes(b"1 0 a 2\n1 0 b 0\n2 0 a 1\n").unwrap();
        let run = parse_run_bytes(b"1 Q0 a 1 0.5 me\n1 Q0 b 2 0.75 me\n2 Q0 a 1 1 me\n").unwrap();
        let as_given = TrecOptions { ties: TrecTies::AsGiven, ..TrecOptions::default() };
        let data = join_trec(&qrels, std::slice::from_ref(&run), as_given).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
        super::super::write_qrels(&data, &path("q.gz")).unwrap();
        let scores = data.numbers("me").unwrap();
        super::super::write_run(&data, &scores, "me", &path("r")).unwrap();
        let text = std::fs::read_to_string(path("r")).unwrap();
        assert_eq!(text, "1 Q0 b 1 0.75 me\n1 Q0 a 2 0.5 me\n2 Q0 a 1 1 me\n");
        let again = super::super::read_qrels(&path("q.gz")).unwrap();
        assert_eq!(again.judgements, qrels.judgements);
        assert_eq!(join_trec(&again, &[run], as_given).unwrap().impact(), data.impact());
    }

    #[test]
    fn lines_that_are_wrong() {
        let cases = [
            ("1 0 a\n", "memory:1: the line has 3 words; it must have the form `topic iteration"),
            ("# c\n1 0 a x\n", "memory:2: the relevance is `x`; it must be a finite number"),
            (
                "1 0 a 1\n1 0 a 0\n",
                "memory:2: document a occurs twice in topic 1 (first in line 1)",
            ),
            ("", "memory: there are no judgements"),
        ];
        for (text, expected) in cases {
            let error = parse_qrels_bytes(text.as_bytes()).unwrap_err().to_string();
            assert!(error.starts_with(expected), "{error}");
        }
        let error = parse_run_bytes(b"1 Q0 a 1 nan me\n").unwrap_err().to_string();
        assert_eq!(error, "memory:1: the score is `nan`; it must be a finite number");
        let error = parse_run_bytes(b"1 Q0 a 1 \xff me\n").unwrap_err().to_string();
        assert!(error.contains("not UTF-8"), "{error}");
    }
}
