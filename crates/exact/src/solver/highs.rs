//! HiGHS: branch and cut with presolve, cuts and heuristics; the best open solver there is.

use std::ops::ControlFlow;

use stakes_highs::{Model, Options, Progress, Sense, Status};

use super::aside::aside;
use super::check::fault;
use super::{Limits, Solved, Solver, SolverError};
use crate::outcome::{Ended, Watch};
use crate::program::Program;

/// The solver HiGHS, see `stakes_highs`.
#[derive(Debug, Clone, Copy)]
pub struct Highs;

impl Solver for Highs {
    fn name(&self) -> &'static str {
        "highs"
    }

    fn maximise(
        &self,
        program: &Program,
        start: Option<&[f64]>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Solved, SolverError> {
        let name = self.name();
        if let Some(why) = fault(program) {
            return Err(SolverError { solver: name, why });
        }
        let model = model(program);
        let options = Options {
            seconds: limits.seconds,
            nodes: limits.nodes,
            relative_gap: limits.gap.max(0.0),
            // The programs of this crate come with starts from a better search than a solver's.
            heuristics: start.is_none(),
            threads: limits.threads,
            ..Options::default()
        };
        let begin = start.map(<[f64]>::to_vec);
        aside(name, (program, start), limits, watch, move |desk| {
            let mut watch = |progress: &Progress<'_>| {
                if let Some(found) = progress.found {
                    desk.found(|| found.to_vec(), progress.incumbent);
                }
                desk.bounded(progress.bound, progress.nodes);
                if desk.stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
            };
            let found = stakes_highs::solve(&model, begin.as_deref(), &options, &mut watch)
                .map_err(|error| error.to_string())?;
            let ended = match found.status {
                Status::Optimal | Status::Infeasible => Ended::Proven,
                Status::Limit => Ended::Limit,
                Status::Stopped => Ended::Interrupted,
                Status::Unbounded => return Err("the program is unbounded".to_owned()),
            };
            let (values, objective) = (found.values, found.objective);
            Ok(Solved { values, objective, bound: found.bound, ended, nodes: found.nodes })
        })
    }
}

fn model(program: &Program) -> Model {
    let mut model = Model::new(Sense::Maximise);
    model.offset = program.constant;
    for column in &program.columns {
        model.add_column(column.lower, column.upper, column.objective, column.integer);
    }
    for row in &program.rows {
        model.add_row(row.lower, row.upper, row.terms.iter().copied());
    }
    model
}
