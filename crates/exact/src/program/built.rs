//! The program of a problem, with the conversion from weights to solutions and back.

use super::centre::centre;
use super::draft::{Draft, Meaning};
use super::pairs::{Pairs, Strict};
use super::space::Space;
use super::{Formulation, Program, levels, ranks};
use crate::problem::Problem;
use crate::rules::Rules;

/// The tolerance for a solution completed from weights: rounding only.
const ROUNDING: f64 = 1e-9;

/// The program of a problem.
#[derive(Debug, Clone)]
pub struct BuiltProgram {
    draft: Draft,
    space: Space,
    rules: Rules,
    strict: Vec<Strict>,
}

/// Builds the program whose best solution has the best weights that keep the margin.
///
/// `margin` is the difference by which a score must exceed another to count as above, with features scaled to [0, 1]
/// and weights to [-1, 1]; scores that are closer count as tied. With points it is relative to points x the widest
/// range of a feature, or smaller if features have at most three decimals: see `space`.
pub fn build(
    problem: &Problem,
    rules: &Rules,
    margin: f64,
    formulation: Formulation,
) -> BuiltProgram {
    let space = Space::new(problem, rules, margin);
    let mut draft = Draft::default();
    draft.program.constant = problem.sum().constant;
    space.add_columns(rules, &mut draft);
    let mut pairs = Pairs::new(&space);
    for list in 0..problem.lists() {
        match formulation {
            Formulation::Levels => levels::add_list(problem, list, &mut pairs, &mut draft),
            _ => ranks::add_list(problem, list, formulation, &mut pairs, &mut draft),
        }
    }
    let strict = pairs.strict;
    BuiltProgram { draft, space, rules: rules.clone(), strict }
}

impl BuiltProgram {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.draft.program
    }

    /// Fixes the columns that must be 1 (or 0) in any solution of at least this value: see `ideal`. Returns the number
    /// of fixed columns.
    pub fn fix_columns(&mut self, value: f64) -> usize {
        let target = value - ROUNDING * value.abs().max(1.0);
        let mut fixed = 0;
        for &(column, if_zero, if_one) in &self.draft.value_bounds {
            let column = &mut self.draft.program.columns[column];
            let before = *column;
            if if_zero < target {
                column.lower = 1.0;
            } else if if_one < target {
                column.upper = 0.0;
            }
            fixed += usize::from(*column != before);
        }
        fixed
    }

    /// The program, to add rows to it.
    pub(super) fn program_mut(&mut self) -> &mut Program {
        &mut self.draft.program
    }

    /// The columns that indicate that one item is above another by the margin.
    pub(super) fn strict(&self) -> &[Strict] {
        &self.strict
    }

    /// The scaled features and the bounds of the weights.
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// A solution with these weights (per unit of the features), scaled up to the box, or, if scores are closer than
    /// the margin, with other weights of the same order. Its objective is the value of the weights if any weights of
    /// this order keep the margin, and smaller otherwise, as closer scores count as tied. `None` if the rules do not
    /// allow the weights, or if such ties are inconsistent.
    pub fn start(&self, problem: &Problem, weights: &[f64]) -> Option<Vec<f64>> {
        let finite = weights.iter().all(|weight| weight.is_finite());
        if weights.len() != self.space.ranges.len() || !finite || !self.rules.allow(weights) {
            return None;
        }
        let scaled = self.space.scale(weights, &self.rules);
        let value = problem.value(weights) - self.rules.cost(weights);
        let full = |values: &Vec<f64>| {
            self.program().objective(values) >= value - ROUNDING * value.abs().max(1.0)
        };
        let direct = self.complete(&scaled);
        if direct.as_ref().is_some_and(full) || self.rules.points.is_some() {
            return direct;
        }
        let central =
            centre(problem, &self.space, &scaled).and_then(|scaled| self.complete(&scaled));
        central.filter(|values| direct.is_none() || full(values)).or(direct)
    }

    /// The values of all columns for these scaled weights; `None` if they are no solution.
    fn complete(&self, scaled: &[f64]) -> Option<Vec<f64>> {
        let mut values: Vec<f64> = Vec::with_capacity(self.draft.meanings.len());
        for meaning in &self.draft.meanings {
            let indicator = |holds: bool| f64::from(u8::from(holds));
            values.push(match *meaning {
                Meaning::Weight(j) => scaled[j],
                Meaning::Used(j) => indicator(scaled[j] != 0.0),
                Meaning::Above(above, below, margin) => {
                    indicator(self.space.score_difference(scaled, above, below) >= margin)
                }
                Meaning::AtLeast(count, number) => {
                    indicator(self.draft.counts[count].value(&values) >= number as f64 - 0.5)
                }
            });
        }
        self.draft.program.admits(&values, ROUNDING).then_some(values)
    }

    /// The weights of a solution, per unit of the features. Deviations within a solver's tolerances are removed:
    /// integers are rounded, unused weights are exactly 0.
    pub fn weights(&self, values: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.space.ranges.len()];
        for (meaning, value) in self.draft.meanings.iter().zip(values) {
            match *meaning {
                Meaning::Weight(j) => {
                    let (lower, upper) = self.space.bounds[j];
                    let scaled = value.clamp(lower, upper);
                    let integer = self.rules.points.is_some();
                    weights[j] =
                        if integer { scaled.round() } else { scaled / self.space.ranges[j] };
                }
                Meaning::Used(j) if *value < 0.5 => weights[j] = 0.0,
                _ => {}
            }
        }
        weights
    }
}
