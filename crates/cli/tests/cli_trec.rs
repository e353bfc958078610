//! Parity with trec_eval and ir_measures on their own files (skipped where the files are not
//! at hand; STAKES_DATA names their folder).
//!
//! Conventions, and how they are said here:
//! - trec_eval sorts by score and breaks ties by docno, descending. Joined rows stand in that
//!   order, so `ties=stable` is the same.
//! - Its NDCG takes the label itself as gain (`gain=linear`) and 1/log2(p + 1); the ideal
//!   is over all judged documents.
//! - Documents that a run did not retrieve are not ranked and earn no credit, on both sides;
//!   `--all-topics` counts topics that the run does not answer (trec_eval -c).
//! - A topic without relevant documents counts 0 there (`empty=zero`); none of these has.
//! - `-l2` makes relevant what has at least level 2: `above=1`. NDCG does not look at it.
//! - Expected values have four decimals.

use std::collections::HashMap;

use crate::common::{Folder, real};

/// Per-topic values of `metrics`, by (topic, metric).
fn per_topic(qrels: &str, run: &str, metrics: &[String]) -> HashMap<(String, String), f64> {
    let folder = Folder::new();
    let metrics = metrics.join(",");
    folder.ok(&format!(
        "evaluate '{qrels}' --run '{run}' --all-topics --metric {metrics} --no-intervals --no-references \
         --no-chart --per-list lists.csv"
    ));
    let text = folder.text("lists.csv");
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows = reader.records().map(|row| row.expect("a row"));
    // list, items, score, metric, value, weight
    let value = |row: csv::StringRecord| {
        let number = row[4].parse().unwrap_or(f64::NAN);
        ((row[0].to_owned(), row[3].to_owned()), number)
    };
    rows.map(value).collect()
}

/// Expected values, by (measure, topic).
fn expected(path: &str) -> HashMap<(String, String), f64> {
    let text = std::fs::read_to_string(path).expect("a readable file");
    let line = |line: &str| {
        let mut words = line.split_whitespace();
        let (measure, topic, value) = (words.next()?, words.next()?, words.next()?);
        Some(((measure.to_owned(), topic.to_owned()), value.parse().ok()?))
    };
    text.lines().filter_map(line).collect()
}

/// Compares pairs of (trec_eval's measure, our metric) in the given topics.
fn compare(files: [&str; 3], pairs: &[(String, String)], topics: &[&str]) {
    let [qrels, run, out] = files.map(|name| real(&format!("trec-eval-fixtures/{name}")));
    let (Some(qrels), Some(run), Some(out)) = (qrels, run, out) else { return };
    let metrics: Vec<String> = pairs.iter().map(|(_, ours)| ours.clone()).collect();
    let (ours, theirs) = (per_topic(&qrels, &run, &metrics), expected(&out));
    let mut compared = 0;
    for (measure, metric) in pairs {
        for topic in topics {
            let their = theirs[&(measure.clone(), (*topic).to_owned())];
            let our = ours.get(&((*topic).to_owned(), metric.clone()));
            let our = our.unwrap_or_else(|| panic!("{metric} of topic {topic}"));
            assert!((our - their).abs() <= 0.500_001e-4, "{metric} of {topic}: {our}, {their}");
            compared += 1;
        }
    }
    assert_eq!(compared, pairs.len() * topics.len());
}

fn pairs(cutoffs: &[usize], relevant: &str) -> Vec<(String, String)> {
    let mut pairs = vec![
        ("map".into(), format!("map:{relevant}ties=stable")),
        ("recip_rank".into(), format!("mrr:{relevant}ties=stable")),
        ("ndcg".into(), "ndcg:gain=linear,ties=stable".into()),
    ];
    for k in cutoffs {
        pairs.push((format!("ndcg_cut_{k}"), format!("ndcg@{k}:gain=linear,ties=stable")));
        pairs.push((format!("P_{k}"), format!("p@{k}:{relevant}ties=stable")));
        pairs.push((format!("recall_{k}"), format!("recall@{k}:{relevant}ties=stable")));
        pairs.push((format!("map_cut_{k}"), format!("map@{k}:{relevant}ties=stable")));
    }
    pairs
}

const CUTOFFS: &[usize] = &[5, 10, 15, 20, 30, 100, 200, 500, 1000];

#[test]
fn trec_eval_all_measures_per_topic() {
    let files = ["qrels.test", "results.test", "out.test.aq"];
    compare(files, &pairs(CUTOFFS, ""), &["301", "302", "303"]);
}

#[test]
fn trec_eval_with_comments_in_the_qrels() {
    let files = ["qrels.test.with-comments", "results.test", "out.test.aq"];
    compare(files, &pairs(&[10], ""), &["301", "302", "303"]);
}

#[test]
fn trec_eval_graded_with_a_least_level() {
    let files = ["qrels.rel_level", "results.test", "out.test.aql"];
    compare(files, &pairs(CUTOFFS, "above=1,"), &["301", "302", "303"]);
}

#[test]
fn trec_eval_on_a_run_cut_short() {
    let files = ["qrels.test", "results.trunc", "out.test.aqc"];
    compare(files, &pairs(CUTOFFS, ""), &["301", "302", "303"]);
}

#[test]
fn trec_eval_means_over_topics() {
    let fixture = |name: &str| real(&format!("trec-eval-fixtures/{name}"));
    let (Some(qrels), Some(run)) = (fixture("qrels.test"), fixture("results.test")) else { return };
    let Some(out) = fixture("out.test.a") else { return };
    let theirs = expected(&out);
    let pairs = pairs(&[10, 100, 1000], "");
    let metrics: Vec<&str> = pairs.iter().map(|(_, ours)| ours.as_str()).collect();
    let study = Folder::new()
        .json(&format!("evaluate '{qrels}' --run '{run}' --metric {}", metrics.join(",")));
    for (measure, metric) in &pairs {
        let their = theirs[&(measure.clone(), "all".to_owned())];
        let our = study.value("STANDARD", metric);
        assert!((our - their).abs() <= 0.500_001e-4, "{metric}: {our}, {their}");
    }
}

/// ir_measures' values from cwl-eval. RBP and scaled DCG are not in our table, but are our
/// captured cost A@k under a geometric and a log policy, up to their constant factors.
#[test]
fn cwl_eval_per_topic() {
    let fixture = |name: &str| real(&format!("ir-measures-fixtures/{name}"));
    let (Some(qrels), Some(run)) = (fixture("cwl.qrels"), fixture("cwl.run")) else { return };
    let all_ten: f64 = (1..=10).map(|p| 1.0 / f64::from(p + 1).log2()).sum();
    let rows: &[(&str, f64, [f64; 3])] = &[
        ("map", 1.0, [0.7087, 0.7438, 0.3068]),
        ("mrr", 1.0, [1.0, 1.0, 0.1667]),
        ("p@1", 1.0, [1.0, 1.0, 0.0]),
        ("p@5", 1.0, [0.6, 0.6, 0.0]),
        ("p@10", 1.0, [0.5, 0.6, 0.4]),
        ("p@20", 1.0, [0.25, 0.3, 0.2]),
        ("a@10:policy=geometric(0.9)", 0.1, [0.3501, 0.3996, 0.1988]),
        ("a@10:policy=log", 1.0 / all_ten, [0.5645, 0.6531, 0.2848]),
    ];
    let metrics: Vec<String> = rows.iter().map(|(metric, _, _)| (*metric).to_owned()).collect();
    let ours = per_topic(&qrels, &run, &metrics);
    for (metric, factor, values) in rows {
        for (topic, their) in ["T1", "T2", "T3"].into_iter().zip(values) {
            let our = factor * ours[&(topic.to_owned(), (*metric).to_owned())];
            assert!((our - their).abs() < 1e-4, "{metric} of {topic}: {our}, {their}");
        }
    }
}
