//! HiGHS: an open-source solver with presolve, branch and cut, and heuristics (Huangfu and Hall 2018).

use std::ops::ControlFlow;

use stakes_highs::{Model, Options, Progress, Sense, Status};

use super::background::run_in_background;
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
            // The starts of this crate come from a better search than a solver's heuristics.
            heuristics: start.is_none(),
            threads: limits.threads,
            ..Options::default()
        };
        let begin = start.map(<[f64]>::to_vec);
        run_in_background(name, (program, start), limits, watch, move |shared| {
            let mut watch = |progress: &Progress<'_>| {
                if let Some(found) = progress.found {
                    shared.record_solution(|| found.to_vec(), progress.incumbent);
                }
                shared.record_bound(progress.bound, progress.nodes);
                if shared.should_stop() {
                    ControlFlow::Break(())
                } else {
                    ControlFlow::Continue(())
                }
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
