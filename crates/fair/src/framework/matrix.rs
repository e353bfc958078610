//! Measures beside scenarios.

use rayon::prelude::*;
use serde::Serialize;
use stakes_core::random::{Stream, purpose};

use super::own::OwnMeasure;
use super::scenario::{Scenario, ScenarioOptions, scenarios};
use crate::audit::figures::{Plan, Room};
use crate::audit::relabel::{Relabelled, allowed, shuffle};
use crate::error::AuditError;
use crate::list::List;
use crate::measure::{Measure, Needs, Pattern};

/// What the framework looks at.
#[derive(Debug, Clone)]
pub struct FrameworkOptions {
    /// The measures; without any, all that need no costs.
    pub measures: Vec<Measure>,
    /// Measures of your own.
    pub own: Vec<OwnMeasure>,
    /// How rankings are made.
    pub scenarios: ScenarioOptions,
    /// The cut-off of measures that need one, if `measures` is empty.
    pub k: usize,
    /// The number of relabellings of each ranking.
    pub draws: usize,
}

impl Default for FrameworkOptions {
    fn default() -> Self {
        let scenarios = ScenarioOptions::default();
        FrameworkOptions { measures: Vec::new(), own: Vec::new(), scenarios, k: 20, draws: 2000 }
    }
}

/// Whether a measure tells a ranking from the even one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// It does.
    Seen,
    /// Its level rises, which does not say in which way the group is treated.
    Level,
    /// In some rankings of the pattern, but not in all.
    Partly,
    /// It does not.
    Blind,
}

impl Verdict {
    /// The word in tables.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Verdict::Seen => "seen",
            Verdict::Level => "level",
            Verdict::Partly => "partly",
            Verdict::Blind => "blind",
        }
    }
}

/// A measure in a scenario.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Cell {
    /// The scenario.
    pub scenario: String,
    /// What is unequal in it.
    pub pattern: Option<Pattern>,
    /// The value; none if the measure is not defined there.
    pub value: Option<f64>,
    /// The value in the even ranking of the same size.
    pub even: Option<f64>,
    /// The difference in what is tested that relabelling allows.
    pub allowed: f64,
    /// Whether the difference is larger.
    pub verdict: Verdict,
}

/// A measure in all scenarios.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct MatrixRow {
    /// The measure.
    pub measure: String,
    /// Its cells, in the order of the scenarios.
    pub cells: Vec<Cell>,
}

/// Measures beside scenarios.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Matrix {
    /// The rankings.
    #[serde(skip)]
    pub scenarios: Vec<Scenario>,
    /// The measures.
    pub rows: Vec<MatrixRow>,
}

impl MatrixRow {
    /// The verdict over the reference rankings of a pattern: the published ones where there are any.
    #[must_use]
    pub fn verdict(&self, matrix: &Matrix, pattern: Pattern) -> Verdict {
        let is_of = |scenario: &Scenario| scenario.reference && scenario.pattern == Some(pattern);
        let cells =
            matrix.scenarios.iter().zip(&self.cells).filter(|(scenario, _)| is_of(scenario));
        let verdicts: Vec<Verdict> = cells.map(|(_, cell)| cell.verdict).collect();
        match verdicts.first() {
            Some(&first) if verdicts.iter().all(|&verdict| verdict == first) => first,
            Some(_) => Verdict::Partly,
            None => Verdict::Blind,
        }
    }
}

/// Judges measures by what they see.
///
/// # Errors
/// If a size makes no sense, or a measure needs costs.
pub fn framework(options: &FrameworkOptions) -> Result<Matrix, AuditError> {
    check(options)?;
    let measures: Vec<Measure> = match options.measures.is_empty() {
        true => Measure::all(options.k).filter(is_of_order).collect(),
        false => options.measures.clone(),
    };
    for (i, measure) in measures.iter().enumerate() {
        if !is_of_order(measure) {
            let (name, needs) = (measure.to_string(), measure.info.needs.words());
            return Err(AuditError::Needs { name, needs });
        }
        if measures[..i].contains(measure) {
            return Err(AuditError::MeasureTwice { name: measure.to_string() });
        }
    }
    let scenarios = scenarios(&options.scenarios);
    let columns: Vec<Vec<Cell>> =
        scenarios.iter().map(|scenario| column(scenario, &measures, options)).collect();
    let names = measures.iter().map(Measure::to_string);
    let names = names.chain(options.own.iter().map(|own| own.name.to_owned()));
    let row = |(i, measure): (usize, String)| {
        let cells = columns.iter().map(|column| column[i].clone()).collect();
        MatrixRow { measure, cells }
    };
    let rows = names.enumerate().map(row).collect();
    Ok(Matrix { rows, scenarios })
}

/// Whether it needs no costs, which scenarios do not have, and changes with the order.
fn is_of_order(measure: &Measure) -> bool {
    let needs = matches!(measure.info.needs, Needs::Order | Needs::Truth);
    needs && !measure.info.every_list
}

fn check(options: &FrameworkOptions) -> Result<(), AuditError> {
    let ScenarioOptions { n, m, clusters, noise, stretch, shift, .. } = options.scenarios;
    let within = |what, met: f64, low, high| match (low..=high).contains(&met) {
        true => Ok(()),
        false => Err(AuditError::Option { what, met, low, high }),
    };
    within("the number of items", n as f64, 8.0, 100_000.0)?;
    within("the number of members", m as f64, 2.0, (n / 2) as f64)?;
    within("the number of clusters", clusters as f64, 1.0, m as f64)?;
    within("the noise", noise, 0.0, 1.0)?;
    within("the stretch", stretch, 1.0, 10.0)?;
    within("the shift", shift, 0.0, 1.0)?;
    within("the number of draws", options.draws as f64, 20.0, 1e6)
}

/// A ranking as the measures read it.
struct Ranked {
    list: List,
    truth: Vec<f64>,
    labels: Vec<u32>,
}

impl Ranked {
    fn of(scenario: &Scenario, tops: &[usize]) -> Self {
        let order = scenario.order();
        let scores: Vec<f64> = (0..order.len()).map(|p| -(p as f64)).collect();
        let value: Vec<f64> = order.iter().map(|(t, _)| -(*t as f64)).collect();
        let labels = order.iter().map(|(_, member)| u32::from(*member)).collect();
        let truth = order.iter().map(|(t, _)| *t as f64).collect();
        Ranked { list: List::new(&scores, 1.0).with_truth(Some(&value), tops), truth, labels }
    }

    fn figures(&self, plan: &Plan<'_>, tested: bool) -> Vec<f64> {
        let mut sums = vec![[0.0; 4]; plan.width()];
        plan.of_list(&self.list, &self.labels, &mut Room::default(), |i, of| sums[i] = of);
        plan.figures(sums, tested)
    }

    fn own(&self, own: &OwnMeasure, labels: &[u32]) -> f64 {
        let member: Vec<bool> = labels.iter().map(|&label| label == 1).collect();
        (own.value)(&self.list.position, &self.truth, &member).unwrap_or(f64::NAN)
    }
}

/// All measures in one scenario.
fn column(scenario: &Scenario, measures: &[Measure], options: &FrameworkOptions) -> Vec<Cell> {
    let tops: Vec<usize> = measures.iter().filter_map(Measure::cutoff).collect();
    let plan = Plan { measures, groups: &[1], codes: 2, in_turn: false };
    let met = Ranked::of(scenario, &tops);
    let even = Ranked::of(&Scenario::even(scenario.n, scenario.truth.len()), &tops);
    let lists = std::slice::from_ref(&met.list);
    let seed = options.scenarios.seed;
    let of = |tested: bool| {
        let drawn = Relabelled::run(&plan, lists, &met.labels, options.draws, seed, tested);
        (met.figures(&plan, tested), even.figures(&plan, tested), drawn)
    };
    let (tested, levels) = (of(true), of(false));
    let cell = |value: f64, even: f64, allowed: f64, verdict: Verdict| Cell {
        scenario: scenario.name.clone(),
        pattern: scenario.pattern,
        value: Some(value).filter(|value| value.is_finite()),
        even: Some(even).filter(|value| value.is_finite()),
        allowed,
        verdict,
    };
    let mut cells: Vec<Cell> = Vec::new();
    for (i, measure) in measures.iter().enumerate() {
        let seen = |(met, even, drawn): &(Vec<f64>, Vec<f64>, Relabelled)| {
            is_seen(met[i], even[i], drawn.allowed(i))
        };
        let verdict = match (seen(&tested), seen(&levels)) {
            (true, _) if !measure.info.level_only => Verdict::Seen,
            (false, false) => Verdict::Blind,
            _ => Verdict::Level,
        };
        cells.push(cell(levels.0[i], levels.1[i], tested.2.allowed(i), verdict));
    }
    for own in &options.own {
        let draw = |draw: usize| {
            let mut labels = met.labels.clone();
            shuffle(&mut labels, Stream::new(purpose(seed, b"relabel\0"), draw as u64), 0);
            met.own(own, &labels)
        };
        let drawn: Vec<f64> = (0..options.draws).into_par_iter().map(draw).collect();
        let drawn: Vec<f64> = drawn.into_iter().filter(|value| value.is_finite()).collect();
        let (value, at_even) = (met.own(own, &met.labels), even.own(own, &even.labels));
        let allowed = allowed(&drawn);
        let verdict = if is_seen(value, at_even, allowed) { Verdict::Seen } else { Verdict::Blind };
        cells.push(cell(value, at_even, allowed, verdict));
    }
    cells
}

fn is_seen(value: f64, even: f64, allowed: f64) -> bool {
    (value - even).abs() > allowed + 1e-9
}
