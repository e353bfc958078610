//! microlp: branch and bound by the simplex method, in Rust, for small programs. It has no cuts.
//!
//! An interruption by time makes it start the current node again, one by a number of nodes changes nothing. So it runs in
//! slices of as many nodes as take a moment, and reports between them.

use std::time::{Duration, Instant};

use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    TerminationReason, Variable,
};

use super::background::{run_in_background, time_limit};
use super::check::{TOLERANCE, fault};
use super::shared::Shared;
use super::{Limits, Solved, Solver, SolverError};
use crate::outcome::{Ended, Watch};
use crate::program::{Column, Program};

/// The solver microlp.
#[derive(Debug, Clone, Copy)]
pub struct Microlp;

/// The intended duration of a slice.
const SLICE: Duration = Duration::from_millis(100);

impl Solver for Microlp {
    fn name(&self) -> &'static str {
        "microlp"
    }

    fn maximise(
        &self,
        program: &Program,
        start: Option<&[f64]>,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Solved, SolverError> {
        let name = self.name();
        if let Some(why) = fault(program).or_else(|| too_wide(program)) {
            return Err(SolverError { solver: name, why });
        }
        let (problem, variables) = problem(program);
        let start_hint =
            start.map(|values| variables.iter().copied().zip(values.iter().copied()).collect());
        let (constant, own_limits) = (program.constant, *limits);
        let solved = run_in_background(name, (program, start), limits, watch, move |shared| {
            let search = Search { problem, variables, constant, limits: own_limits, shared };
            search.run(start_hint).map_err(|error| error.to_string())
        })?;
        Ok(round_integers(program, solved))
    }
}

struct Search<'s> {
    problem: Problem,
    variables: Vec<Variable>,
    constant: f64,
    limits: Limits,
    shared: &'s Shared,
}

impl Search<'_> {
    fn run(&self, start: Option<Vec<(Variable, f64)>>) -> Result<Solved, Error> {
        let deadline = time_limit(&self.limits).and_then(|all| Instant::now().checked_add(all));
        let remaining =
            || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let max_nodes = |slice: u64, nodes: u64| match self.limits.nodes {
            Some(all) => slice.min(all.saturating_sub(nodes)),
            None => slice,
        };
        let gap = self.limits.gap.max(0.0);
        let mut slice = 1;
        let mut options = SolveOptions::default();
        options.warm_start = start;
        options.mip_gap = gap;
        options.node_limit = Some(max_nodes(slice, 0));
        options.time_limit = remaining();
        let mut outcome = match self.problem.solve_with(options) {
            Err(Error::Infeasible) => return Ok(self.infeasible(0)),
            outcome => outcome?,
        };
        loop {
            let solved = self.record(&outcome);
            let all_nodes = self.limits.nodes.is_some_and(|all| solved.nodes >= all);
            let between = outcome.termination_reason() == TerminationReason::NodeLimit;
            if !between || all_nodes || self.shared.should_stop() {
                return Ok(solved);
            }
            let mut options = ResumeOptions::default();
            options.mip_gap = Some(gap);
            options.node_limit = Some(max_nodes(slice, solved.nodes));
            options.time_limit = remaining();
            let begun = Instant::now();
            outcome = match outcome.resume_with(options) {
                Err(Error::Infeasible) => return Ok(self.infeasible(solved.nodes)),
                outcome => outcome?,
            };
            slice = if begun.elapsed() < SLICE { slice * 2 } else { (slice / 2).max(1) };
        }
    }

    fn infeasible(&self, nodes: u64) -> Solved {
        let (none, proven) = (f64::NEG_INFINITY, Ended::Proven);
        Solved { values: None, objective: none, bound: none, ended: proven, nodes }
    }

    /// Records the solution and the bound so far.
    fn record(&self, outcome: &SolveOutcome) -> Solved {
        let stats = outcome.stats();
        let mut bound = stats.best_bound.map_or(f64::INFINITY, |bound| bound + self.constant);
        let mut objective = f64::NEG_INFINITY;
        let values = outcome.solution().map(|solution| {
            objective = solution.objective() + self.constant;
            bound = bound.max(objective);
            self.variables.iter().map(|variable| solution.var_value(*variable)).collect::<Vec<_>>()
        });
        if let Some(values) = &values {
            self.shared.record_solution(|| values.clone(), objective);
        }
        self.shared.record_bound(bound, stats.nodes_solved);
        let ended = match outcome.termination_reason() {
            TerminationReason::ProvenOptimal | TerminationReason::MipGap => Ended::Proven,
            _ => Ended::Limit,
        };
        Solved { values, objective, bound, ended, nodes: stats.nodes_solved }
    }
}

/// The fault of a program whose integers do not fit into microlp's 32 bits.
fn too_wide(program: &Program) -> Option<String> {
    let max = f64::from(i32::MAX);
    let wide = |column: &Column| column.integer && !(column.lower >= -max && column.upper <= max);
    let at = program.columns.iter().position(wide)?;
    let Column { lower, upper, .. } = program.columns[at];
    Some(format!(
        "column {at} of the program is an integer from {lower} to {upper}; allowed are -{max} to {max}"
    ))
}

fn problem(program: &Program) -> (Problem, Vec<Variable>) {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let add = |column: &Column| match column.integer {
        true => {
            let bounds = (column.lower.ceil() as i32, column.upper.floor() as i32);
            problem.add_integer_var(column.objective, bounds)
        }
        false => problem.add_var(column.objective, (column.lower, column.upper)),
    };
    let variables: Vec<Variable> = program.columns.iter().map(add).collect();
    for row in &program.rows {
        let terms: Vec<(Variable, f64)> =
            row.terms.iter().map(|(column, factor)| (variables[*column], *factor)).collect();
        if row.lower == row.upper {
            problem.add_constraint(terms, ComparisonOp::Eq, row.lower);
            continue;
        }
        if row.upper < f64::INFINITY {
            problem.add_constraint(terms.clone(), ComparisonOp::Le, row.upper);
        }
        if row.lower > f64::NEG_INFINITY {
            problem.add_constraint(terms, ComparisonOp::Ge, row.lower);
        }
    }
    (problem, variables)
}

/// Rounds integers, which microlp gives up to a tolerance, if the result is still a solution.
fn round_integers(program: &Program, mut solved: Solved) -> Solved {
    let Some(values) = &solved.values else { return solved };
    let round =
        |(column, value): (&Column, &f64)| if column.integer { value.round() } else { *value };
    let rounded: Vec<f64> = program.columns.iter().zip(values).map(round).collect();
    if program.admits(&rounded, TOLERANCE) {
        solved.objective = program.objective(&rounded);
        solved.bound = solved.bound.max(solved.objective);
        solved.values = Some(rounded);
    }
    solved
}
