//! Contestants against each other: differences, intervals, paired tests over lists, and who wins how often.

use serde::Serialize;
use stakes_core::metric::Part;
use stakes_stats::{
    Correction, IntervalOptions, Intervals, PairedTest, TestOptions, paired_differences,
};

use super::figures::Measured;
use crate::Error;

/// One contestant against another under one metric.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Versus {
    /// The metric.
    pub metric: String,
    /// The contestant.
    pub contestant: String,
    /// The one that it is compared with.
    pub against: String,
    /// Its figure minus that of the other.
    pub difference: f64,
    /// The lower end of the difference's interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
    /// Whether it is better, in the metric's direction.
    pub better: bool,
    /// The probability of a difference at least as large if both were equally good.
    pub p: f64,
    /// The same, corrected for the number of contestants that are compared with the other.
    pub p_adjusted: f64,
}

/// The lists of one contestant against another under one metric.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Wins {
    /// The metric.
    pub metric: String,
    /// The contestant.
    pub contestant: String,
    /// The other.
    pub against: String,
    /// Lists in which it is better.
    pub wins: usize,
    /// Lists in which both are the same.
    pub ties: usize,
    /// Lists in which it is worse.
    pub losses: usize,
}

/// How differences are tested.
#[derive(Debug, Clone, Copy)]
pub(super) struct Testing {
    pub(super) intervals: IntervalOptions,
    pub(super) test: PairedTest,
    pub(super) options: TestOptions,
    pub(super) correction: Correction,
}

/// These contestants against one.
pub(super) fn against(
    measured: &Measured,
    tested: &[usize],
    base: usize,
    testing: &Testing,
) -> Result<Vec<Versus>, Error> {
    let columns = measured.columns();
    let intervals = Intervals::new(&columns, &testing.intervals)?;
    let mut found = Vec::new();
    for &c in tested.iter().filter(|&&c| c != base) {
        let (a, b) = (&measured.figures[c], &measured.figures[base]);
        let Some((own, other)) = a.value.zip(b.value) else { continue };
        let differences = paired_differences(&measured.parts[c], &measured.parts[base])?;
        let Some(result) = testing.test.run(&differences, &testing.options)? else { continue };
        let interval = intervals.difference(c, base);
        found.push(Versus {
            metric: a.metric.clone(),
            contestant: a.contestant.clone(),
            against: b.contestant.clone(),
            difference: own - other,
            low: interval.map(|i| i.low),
            high: interval.map(|i| i.high),
            better: if measured.is_higher_better() { own > other } else { own < other },
            p: result.p_value,
            p_adjusted: result.p_value,
        });
    }
    let raw: Vec<f64> = found.iter().map(|versus| versus.p).collect();
    let adjusted = testing.correction.adjust(&raw)?;
    found.iter_mut().zip(adjusted).for_each(|(versus, p)| versus.p_adjusted = p);
    Ok(found)
}

/// Every contestant against every other, list by list.
pub(super) fn wins(measured: &Measured) -> Vec<Wins> {
    let mut all = Vec::new();
    for (a, own) in measured.figures.iter().zip(&measured.parts) {
        for (b, other) in measured.figures.iter().zip(&measured.parts) {
            if a.contestant == b.contestant {
                continue;
            }
            let [mut wins, mut ties, mut losses] = [0; 3];
            for (own, other) in own.iter().zip(other) {
                let Some((own, other)) = value(own).zip(value(other)) else { continue };
                match (own - other).abs() <= 1e-12 * own.abs().max(other.abs()) {
                    true => ties += 1,
                    false if (own > other) == measured.is_higher_better() => wins += 1,
                    false => losses += 1,
                }
            }
            let (contestant, against) = (a.contestant.clone(), b.contestant.clone());
            all.push(Wins { metric: a.metric.clone(), contestant, against, wins, ties, losses });
        }
    }
    all
}

fn value(part: &Part) -> Option<f64> {
    part.has_value().then(|| part.num / part.den)
}
