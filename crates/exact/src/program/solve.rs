//! Solving a problem by its program: build, add cuts, solve, read the weights, evaluate them again.
//!
//! A solver's results hold only up to its tolerances, so none of them is used unchecked. The returned value is that
//! of the weights by [`Problem::value`], in f64; a bound below the value of known weights is an error.
//!
//! The bound holds for all weights **that keep the margin**: whose scores of items with different gains, with
//! features scaled to [0, 1] and weights to [-1, 1], differ by the margin or (except for Subrank) not at all.
//! Orders that need closer scores are not in the program. A smaller margin excludes fewer of them, but a solver
//! accepts 1 - 1e-6 as an integer: with a margin below 1e-4 it may treat equal scores as different and claim
//! too large an objective.

use super::run::Run;
use super::{Formulation, build};
use crate::outcome::{Flow, Outcome, Progress, Watch};
use crate::problem::Problem;
use crate::rules::Rules;
use crate::solve::ExactError;
use crate::solver::{Limits, Solver};

/// The formulation to use so that the bound is valid for [`Problem::value`]. Subrank gives tied items lower ranks than
/// that. Where ties are unavoidable, because items have the same features or the weights are restricted, its bound can
/// be too low, so ResolvedRank replaces it.
pub fn valid_formulation(
    problem: &Problem,
    rules: &Rules,
    formulation: Formulation,
) -> Formulation {
    let sparse = rules.at_most.is_some() || rules.points.is_some() || rules.penalty > 0.0;
    let tied = sparse || !problem.duplicates().is_empty();
    if tied && formulation == Formulation::Subrank {
        Formulation::ResolvedRank
    } else {
        formulation
    }
}

/// Finds the best weights by a solver, and a bound on the value of all weights that keep the margin.
#[allow(clippy::too_many_arguments)] // Each is a choice of the caller.
pub fn solve_program(
    problem: &Problem,
    rules: &Rules,
    formulation: Formulation,
    margin: f64,
    solver: &dyn Solver,
    start: Option<&[f64]>,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Outcome, ExactError> {
    let formulation = valid_formulation(problem, rules, formulation);
    let mut built = build(problem, rules, margin, formulation);
    let mut run = Run::new(problem, rules, solver, watch);
    run.offer(&vec![0.0; problem.width()]);
    run.offer(start.unwrap_or_default());
    let values = built.start(problem, &run.weights);
    if let Some(values) = &values {
        built.fix_columns(built.program().objective(values));
    }
    run.cut(&mut built, limits);
    if run.flow == Flow::Continue {
        let remaining = Limits { seconds: limits.seconds.map(|all| run.remaining(all)), ..*limits };
        let (begun, so_far, bound) = (run.seconds(), run.value, run.bound);
        let mut history = Vec::new();
        let mut report = |progress: &Progress| {
            let known = Progress {
                seconds: begun + progress.seconds,
                incumbent: progress.incumbent.max(so_far),
                bound: progress.bound.min(bound),
                ..*progress
            };
            history.push(known);
            (run.watch)(&known)
        };
        let solved =
            solver.maximise(built.program(), values.as_deref(), &remaining, &mut report)?;
        run.history.extend(history);
        if let Some(values) = &solved.values {
            run.offer(&built.weights(values));
        }
        run.bound = run.bound.min(solved.bound);
        (run.ended, run.nodes) = (solved.ended, solved.nodes);
    }
    run.finish(formulation, limits)
}
