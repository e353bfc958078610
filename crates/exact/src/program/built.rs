//! A problem's program, with the way from weights to solutions and back.

use super::centre::centre;
use super::draft::{Draft, Meaning};
use super::pairs::{Pairs, Strict};
use super::space::Space;
use super::{Formulation, Program, levels, ranks};
use crate::problem::Problem;
use crate::rules::Rules;

/// By how much rows may be missed by weights that are completed to a solution: rounding only.
const ROUNDING: f64 = 1e-9;

/// A program that was built for a problem.
#[derive(Debug, Clone)]
pub struct Built {
    draft: Draft,
    space: Space,
    rules: Rules,
    strict: Vec<Strict>,
}

/// The program whose best solution has the best weights that keep the margin.
///
/// `margin` is by how much a score must be above another to count as above, with features scaled to [0, 1]
/// and weights to [-1, 1]; where scores are nearer than that, the order counts as if they were tied. With
/// points it is the same part of points x the widest range of a feature, or less where features have three
/// decimals at most: see `space`.
pub fn build(problem: &Problem, rules: &Rules, margin: f64, formulation: Formulation) -> Built {
    let space = Space::new(problem, rules, margin);
    let mut draft = Draft::default();
    draft.program.constant = problem.sum().unmoved;
    space.lay(rules, &mut draft);
    let mut pairs = Pairs::new(&space);
    for list in 0..problem.lists() {
        match formulation {
            Formulation::Levels => levels::lay(problem, list, &mut pairs, &mut draft),
            _ => ranks::lay(problem, list, formulation, &mut pairs, &mut draft),
        }
    }
    let strict = pairs.strict;
    Built { draft, space, rules: rules.clone(), strict }
}

impl Built {
    /// The program.
    pub fn program(&self) -> &Program {
        &self.draft.program
    }

    /// Leaves out solutions that are worth less than this, where a column alone tells: see `ideal`. Gives how
    /// many columns are fixed.
    pub fn seek(&mut self, value: f64) -> usize {
        let least = value - ROUNDING * value.abs().max(1.0);
        let mut fixed = 0;
        for &(column, if_zero, if_one) in &self.draft.promises {
            let column = &mut self.draft.program.columns[column];
            let before = *column;
            if if_zero < least {
                column.lower = 1.0;
            } else if if_one < least {
                column.upper = 0.0;
            }
            fixed += usize::from(*column != before);
        }
        fixed
    }

    /// More conditions.
    pub(super) fn program_mut(&mut self) -> &mut Program {
        &mut self.draft.program
    }

    /// Columns that say who is above whom by the margin.
    pub(super) fn strict(&self) -> &[Strict] {
        &self.strict
    }

    /// The weights of the program.
    pub(super) fn space(&self) -> &Space {
        &self.space
    }

    /// A solution with these weights (per unit of the features), made as large as the box allows, or with
    /// others that order the items in the same way where scores are nearer than the margin. It is worth what
    /// the weights are, if any weights of this order keep the margin, and else less: what is nearer counts as
    /// tied. `None` if the rules do not allow the weights, or if such ties make no order.
    pub fn start(&self, problem: &Problem, weights: &[f64]) -> Option<Vec<f64>> {
        let finite = weights.iter().all(|weight| weight.is_finite());
        if weights.len() != self.space.ranges.len() || !finite || !self.rules.allow(weights) {
            return None;
        }
        let inside = self.space.inside(weights, &self.rules);
        let value = problem.value(weights) - self.rules.cost(weights);
        let whole = |values: &Vec<f64>| {
            self.program().objective(values) >= value - ROUNDING * value.abs().max(1.0)
        };
        let direct = self.complete(&inside);
        if direct.as_ref().is_some_and(whole) || self.rules.points.is_some() {
            return direct;
        }
        let central =
            centre(problem, &self.space, &inside).and_then(|inside| self.complete(&inside));
        central.filter(|values| direct.is_none() || whole(values)).or(direct)
    }

    /// A solution with these weights, inside; `None` if it is none.
    fn complete(&self, inside: &[f64]) -> Option<Vec<f64>> {
        let mut values: Vec<f64> = Vec::with_capacity(self.draft.meanings.len());
        for meaning in &self.draft.meanings {
            let yes = |whether: bool| f64::from(u8::from(whether));
            values.push(match *meaning {
                Meaning::Weight(j) => inside[j],
                Meaning::Used(j) => yes(inside[j] != 0.0),
                Meaning::Above(above, below, margin) => {
                    yes(self.space.ahead(inside, above, below) >= margin)
                }
                Meaning::AtLeast(count, number) => {
                    yes(self.draft.counts[count].of(&values) >= number as f64 - 0.5)
                }
            });
        }
        self.draft.program.admits(&values, ROUNDING).then_some(values)
    }

    /// The weights of a solution, per unit of the features; as the rules have it, where the solution has it
    /// but for a solver's tolerances: whole numbers are whole, what is not used is 0.
    pub fn weights(&self, values: &[f64]) -> Vec<f64> {
        let mut weights = vec![0.0; self.space.ranges.len()];
        for (meaning, value) in self.draft.meanings.iter().zip(values) {
            match *meaning {
                Meaning::Weight(j) => {
                    let (lower, upper) = self.space.bounds[j];
                    let inside = value.clamp(lower, upper);
                    let whole = self.rules.points.is_some();
                    weights[j] = if whole { inside.round() } else { inside / self.space.ranges[j] };
                }
                Meaning::Used(j) if *value < 0.5 => weights[j] = 0.0,
                _ => {}
            }
        }
        weights
    }
}
