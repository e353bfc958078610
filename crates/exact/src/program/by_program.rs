//! From a problem to an answer by way of its program: build, cut, solve, read the weights, look again.
//!
//! A solver's claims hold with its tolerances only, so none of them is taken as it is. Weights are valued
//! again by [`Problem::value`], in f64, and that is the value that is returned; a bound below the value of
//! weights at hand is refused with an error.
//!
//! The bound is one for all weights **that keep the margin**: whose scores of items of different gain, with
//! features scaled to [0, 1] and weights to [-1, 1], differ by the margin or (but for Subrank) not at all.
//! Orders that need nearer scores are not in the program. A smaller margin leaves fewer of them out, but a solver
//! takes 1 - 1e-6 for a whole number: below 1e-4 it may take scores for different that are not, and what it
//! claims is then more than there is.

use super::run::Run;
use super::{Formulation, build};
use crate::outcome::{Flow, Outcome, Progress, Watch};
use crate::problem::Problem;
use crate::rules::Rules;
use crate::solve::ExactError;
use crate::solver::{Limits, Solver};

/// The formulation whose bound is one on [`Problem::value`]. Subrank puts tied items lower than that: where
/// ties cannot be helped, because items have the same features or few weights may be used, what Subrank
/// cannot reach says nothing of what is there, and ResolvedRank takes its place.
pub fn honest(problem: &Problem, rules: &Rules, formulation: Formulation) -> Formulation {
    let sparse = rules.at_most.is_some() || rules.points.is_some() || rules.penalty > 0.0;
    let tied = sparse || !problem.duplicates().is_empty();
    if tied && formulation == Formulation::Subrank {
        Formulation::ResolvedRank
    } else {
        formulation
    }
}

/// The best weights by a solver, and what it proves of all that keep the margin.
#[allow(clippy::too_many_arguments)] // All of them are what a caller decides.
pub fn by_program(
    problem: &Problem,
    rules: &Rules,
    formulation: Formulation,
    margin: f64,
    solver: &dyn Solver,
    start: Option<&[f64]>,
    limits: &Limits,
    watch: &mut Watch<'_>,
) -> Result<Outcome, ExactError> {
    let mut built = build(problem, rules, margin, honest(problem, rules, formulation));
    let mut run = Run::new(problem, rules, solver, watch);
    run.offer(&vec![0.0; problem.width()]);
    run.offer(start.unwrap_or_default());
    let values = built.start(problem, &run.weights);
    if let Some(values) = &values {
        built.seek(built.program().objective(values));
    }
    run.cut(&mut built, limits);
    if run.flow == Flow::GoOn {
        let left = Limits { seconds: limits.seconds.map(|all| run.left(all)), ..*limits };
        let (begun, so_far, bound) = (run.seconds(), run.value, run.bound);
        let mut history = Vec::new();
        let mut tell = |progress: &Progress| {
            let known = Progress {
                seconds: begun + progress.seconds,
                incumbent: progress.incumbent.max(so_far),
                bound: progress.bound.min(bound),
                ..*progress
            };
            history.push(known);
            (run.watch)(&known)
        };
        let solved = solver.maximise(built.program(), values.as_deref(), &left, &mut tell)?;
        run.history.extend(history);
        if let Some(values) = &solved.values {
            run.offer(&built.weights(values));
        }
        run.bound = run.bound.min(solved.bound);
        (run.ended, run.nodes) = (solved.ended, solved.nodes);
    }
    run.answer(limits)
}
