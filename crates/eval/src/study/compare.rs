//! Comparisons with a baseline: differences, intervals and paired tests over lists.

use serde::Serialize;
use stakes_core::metric::Metric;
use stakes_core::suggest;

use super::{Entry, RowKind, StudyError, StudyOptions, better};
use stakes_stats::{Intervals, paired_differences};

/// The comparison of one score with the baseline by one test.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Comparison {
    /// The metric's canonical spec.
    pub metric: String,
    /// The score.
    pub score: String,
    /// The score or reference that it is compared with.
    pub baseline: String,
    /// The figure of the score minus the figure of the baseline.
    pub difference: f64,
    /// The lower end of the difference's interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether the score is better, in the metric's direction.
    pub better: bool,
    /// `randomisation`, `t` or `wilcoxon`.
    pub test: &'static str,
    /// The test's statistic; `null` if it is not finite.
    pub statistic: Option<f64>,
    /// The probability of a difference at least as large if both were equally good.
    pub p: f64,
    /// The p value corrected for the number of comparisons.
    pub p_adjusted: f64,
    /// The correction.
    pub correction: &'static str,
    /// The number of lists that the test used.
    pub lists: usize,
}

pub(super) fn compare(
    metric: &Metric,
    entries: &[Entry],
    baseline: &str,
    intervals: &Option<Intervals<'_>>,
    options: &StudyOptions,
) -> Result<Vec<Comparison>, StudyError> {
    let base = entries.iter().position(|e| e.name == baseline).ok_or_else(|| {
        let names: Vec<&str> = entries.iter().map(|e| e.name.as_str()).collect();
        StudyError::Baseline { met: baseline.to_owned(), hint: suggest::hint(baseline, names) }
    })?;
    let mut all = Vec::new();
    for &test in &options.tests {
        let mut family = Vec::new();
        for (i, entry) in entries.iter().enumerate() {
            // References are not tested: each comparison makes the corrected p values of the others
            // larger.
            if i == base || entry.kind == RowKind::Reference {
                continue;
            }
            let (score, reference) = (&entry.evaluation, &entries[base].evaluation);
            let (Some(a), Some(b)) = (score.figure, reference.figure) else { continue };
            let differences = paired_differences(&score.parts, &reference.parts)?;
            let Some(result) = test.run(&differences, &options.test_options)? else { continue };
            let interval = intervals.as_ref().and_then(|all| all.difference(i, base));
            family.push(Comparison {
                metric: metric.name(),
                score: entry.name.clone(),
                baseline: baseline.to_owned(),
                difference: a - b,
                low: interval.map(|i| i.low),
                high: interval.map(|i| i.high),
                better: better(metric, a, b),
                test: test.name(),
                statistic: Some(result.statistic).filter(|s| s.is_finite()),
                p: result.p_value,
                p_adjusted: result.p_value,
                correction: options.correction.name(),
                lists: result.n,
            });
        }
        let raw: Vec<f64> = family.iter().map(|c| c.p).collect();
        let adjusted = options.correction.adjust(&raw)?;
        family.iter_mut().zip(adjusted).for_each(|(c, p)| c.p_adjusted = p);
        all.extend(family);
    }
    Ok(all)
}
