//! What words mean: the entries of GLOSSARY.md, and what metrics and learners are.
//!
//! ```
//! let found = stakes::glossary::look_up("rcs")?;
//! assert!(found.terms[0].meaning.contains("share of all savable cost"));
//! assert_eq!(found.metric.map(|metric| metric.name), Some("rcs"));
//! # Ok::<(), stakes::Error>(())
//! ```

use serde::Serialize;
use stakes_core::metric::{METRICS, MetricInfo};
use stakes_core::suggest::hint;
use stakes_learn::{learner, learners};

use crate::Error;
use crate::tables::{LearnerEntry, MetricEntry};

/// A link to the file of the whole project, so that a packaged crate has it as well.
const TEXT: &str = include_str!("../GLOSSARY.md");

/// An entry of the glossary.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Term {
    /// What the entry is headed by: `k, capacity`.
    pub heading: String,
    /// The words that lead to it: `k` and `capacity`.
    pub names: Vec<String>,
    /// What it means.
    pub meaning: String,
}

/// What is known of a word.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Found {
    /// Entries of the glossary; a word may have several meanings.
    pub terms: Vec<Term>,
    /// The metric of this name.
    pub metric: Option<MetricEntry>,
    /// The learner of this name.
    pub learner: Option<LearnerEntry>,
}

/// All entries of the glossary, in its order.
pub fn terms() -> Vec<Term> {
    let row = |line: &str| {
        let cells = line.strip_prefix("| ")?.strip_suffix(" |")?;
        let (heading, meaning) = cells.split_once(" | ")?;
        heading.starts_with("**").then(|| Term {
            heading: heading.replace("**", ""),
            names: names(heading),
            meaning: meaning.to_owned(),
        })
    };
    TEXT.lines().filter_map(row).collect()
}

/// The words of a heading such as `**R_CS@k** (`rcs`)`: what is bold, or all between commas if nothing is,
/// and what is in brackets behind it.
fn names(heading: &str) -> Vec<String> {
    let mut names = Vec::new();
    for part in heading.split(", ") {
        let (word, in_brackets) = part.split_once(" (").unwrap_or((part, ""));
        names.push(word.split("**").nth(1).unwrap_or(word));
        names.push(in_brackets.trim_end_matches(')').trim_matches('`'));
    }
    names.into_iter().filter(|name| !name.is_empty()).map(str::to_owned).collect()
}

/// What is known of a word, such as `tie rule`, `R_CS@10` or `cs-mart`.
pub fn look_up(word: &str) -> Result<Found, Error> {
    let wanted = key(word);
    let mut terms = terms();
    let mut known: Vec<String> = terms.iter().flat_map(|term| term.names.clone()).collect();
    terms.retain(|term| term.names.iter().any(|name| key(name) == wanted));
    let metric = METRICS.iter().find(|metric| metric_names(metric).any(|name| key(name) == wanted));
    let learner = learner(&wanted).or_else(|_| learner(word)).ok();
    if terms.is_empty() && metric.is_none() && learner.is_none() {
        known.extend(METRICS.iter().flat_map(metric_names).map(str::to_owned));
        known.extend(learners().map(|learner| learner.about().name.to_owned()));
        let hint = hint(word, known.iter().map(String::as_str));
        return Err(Error::Term(format!("`{word}` is not in the glossary; {hint}")));
    }
    Ok(Found {
        terms,
        metric: metric.map(Into::into),
        learner: learner.map(|learner| LearnerEntry::from(&*learner)),
    })
}

fn metric_names(metric: &'static MetricInfo) -> impl Iterator<Item = &'static str> {
    [metric.name].into_iter().chain(metric.aliases.iter().copied())
}

/// What is compared: `Out-of-fold` is `out of fold`, and `R_CS@10` is `rcs`.
fn key(word: &str) -> String {
    let lower = word.trim().to_lowercase();
    let spec = match lower.split(['@', ':']).next() {
        Some(name) if !name.is_empty() => name,
        _ => &lower,
    };
    spec.replace([' ', '-', '_'], "")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_row_of_the_table_is_an_entry() {
        let rows = TEXT.lines().filter(|line| line.starts_with("| **")).count();
        let terms = terms();
        assert!(rows > 100 && terms.len() == rows, "{} of {rows}", terms.len());
        for term in &terms {
            assert!(!term.names.is_empty() && !term.meaning.contains(" | "), "{term:?}");
            for name in &term.names {
                let found = look_up(name).unwrap_or_else(|error| panic!("{name}: {error}"));
                assert!(found.terms.contains(term), "{name}");
            }
        }
    }

    #[test]
    fn headings_have_several_names() {
        let of = |heading: &str| names(heading);
        assert_eq!(of("**R_CS@k** (`rcs`)"), ["R_CS@k", "rcs"]);
        assert_eq!(of("**policy**, Pr(p)"), ["policy", "Pr(p)"]);
        assert_eq!(of("**low**, **high** of an expected cost"), ["low", "high"]);
    }

    #[test]
    fn words_lead_to_terms_metrics_and_learners() {
        let headings = |word: &str| -> Vec<String> {
            let found = look_up(word).unwrap_or_else(|error| panic!("{error}"));
            found.terms.into_iter().map(|term| term.heading).collect()
        };
        assert_eq!(headings("R_CS@10"), ["R_CS@k (`rcs`)"]);
        assert_eq!(headings("Out-of-Fold"), ["out of fold"]);
        assert_eq!(headings("part").len(), 2, "two meanings");
        let metric = |word: &str| look_up(word).ok().and_then(|found| found.metric);
        let learner = |word: &str| look_up(word).ok().and_then(|found| found.learner);
        for info in METRICS.iter() {
            for name in metric_names(info) {
                assert_eq!(metric(name).map(|metric| metric.name), Some(info.name), "{name}");
            }
        }
        for one in learners() {
            let about = one.about();
            for name in [about.name].iter().chain(about.aliases) {
                assert_eq!(learner(name).map(|learner| learner.name), Some(about.name), "{name}");
            }
        }
    }

    #[test]
    fn unknown_words_get_a_hint() {
        let said = |word: &str| look_up(word).expect_err("not a word").to_string();
        assert_eq!(
            said("calibraton"),
            "`calibraton` is not in the glossary; did you mean `calibration`?"
        );
        assert!(said("two-prat").contains("`two-part`"));
        assert!(said("").contains("not in the glossary"));
    }
}
