//! microlp: branch and bound by the simplex method, in Rust. For small programs; no cuts.
//!
//! It can be interrupted by time, which begins the node at hand again, or by a number of nodes, which changes
//! nothing: so it works in slices of nodes, as many as take a moment, and tells between them.

use std::time::{Duration, Instant};

use microlp::{
    ComparisonOp, Error, OptimizationDirection, Problem, ResumeOptions, SolveOptions, SolveOutcome,
    TerminationReason, Variable,
};

use super::aside::{aside, time};
use super::check::fault;
use super::desk::Desk;
use super::{Limits, Solved, Solver, SolverError};
use crate::outcome::{Ended, Watch};
use crate::program::{Column, Program};

/// The solver microlp.
#[derive(Debug, Clone, Copy)]
pub struct Microlp;

/// How long a slice of nodes should take.
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
        let solved = aside(name, (program, start), limits, watch, move |desk| {
            let search = Search { problem, variables, constant, limits: own_limits, desk };
            search.run(start_hint).map_err(|error| error.to_string())
        })?;
        Ok(whole(program, solved))
    }
}

struct Search<'d> {
    problem: Problem,
    variables: Vec<Variable>,
    constant: f64,
    limits: Limits,
    desk: &'d Desk,
}

impl Search<'_> {
    fn run(&self, start: Option<Vec<(Variable, f64)>>) -> Result<Solved, Error> {
        let deadline = time(&self.limits).and_then(|all| Instant::now().checked_add(all));
        let left = || deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        let most = |slice: u64, nodes: u64| match self.limits.nodes {
            Some(all) => slice.min(all.saturating_sub(nodes)),
            None => slice,
        };
        let gap = self.limits.gap.max(0.0);
        let mut slice = 1;
        let mut options = SolveOptions::default();
        options.warm_start = start;
        options.mip_gap = gap;
        options.node_limit = Some(most(slice, 0));
        options.time_limit = left();
        let mut outcome = match self.problem.solve_with(options) {
            Err(Error::Infeasible) => return Ok(self.impossible(0)),
            outcome => outcome?,
        };
        loop {
            let solved = self.note(&outcome);
            let all_nodes = self.limits.nodes.is_some_and(|all| solved.nodes >= all);
            let between = outcome.termination_reason() == TerminationReason::NodeLimit;
            if !between || all_nodes || self.desk.stopped() {
                return Ok(solved);
            }
            let mut options = ResumeOptions::default();
            options.mip_gap = Some(gap);
            options.node_limit = Some(most(slice, solved.nodes));
            options.time_limit = left();
            let begun = Instant::now();
            outcome = match outcome.resume_with(options) {
                Err(Error::Infeasible) => return Ok(self.impossible(solved.nodes)),
                outcome => outcome?,
            };
            slice = if begun.elapsed() < SLICE { slice * 2 } else { (slice / 2).max(1) };
        }
    }

    fn impossible(&self, nodes: u64) -> Solved {
        let (none, proven) = (f64::NEG_INFINITY, Ended::Proven);
        Solved { values: None, objective: none, bound: none, ended: proven, nodes }
    }

    /// Writes down what is known by now.
    fn note(&self, outcome: &SolveOutcome) -> Solved {
        let stats = outcome.stats();
        let mut bound = stats.best_bound.map_or(f64::INFINITY, |bound| bound + self.constant);
        let mut objective = f64::NEG_INFINITY;
        let values = outcome.solution().map(|solution| {
            objective = solution.objective() + self.constant;
            bound = bound.max(objective);
            self.variables.iter().map(|variable| solution.var_value(*variable)).collect::<Vec<_>>()
        });
        if let Some(values) = &values {
            self.desk.found(|| values.clone(), objective);
        }
        self.desk.bounded(bound, stats.nodes_solved);
        let ended = match outcome.termination_reason() {
            TerminationReason::ProvenOptimal | TerminationReason::MipGap => Ended::Proven,
            _ => Ended::Limit,
        };
        Solved { values, objective, bound, ended, nodes: stats.nodes_solved }
    }
}

/// Whole numbers have 32 bits here.
fn too_wide(program: &Program) -> Option<String> {
    let most = f64::from(i32::MAX);
    let wide = |column: &Column| column.integer && !(column.lower >= -most && column.upper <= most);
    let at = program.columns.iter().position(wide)?;
    let Column { lower, upper, .. } = program.columns[at];
    Some(format!(
        "column {at} is a whole number from {lower} to {upper}, allowed is {most} at most"
    ))
}

fn problem(program: &Program) -> (Problem, Vec<Variable>) {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let add = |column: &Column| match column.integer {
        true => {
            let whole = (column.lower.ceil() as i32, column.upper.floor() as i32);
            problem.add_integer_var(column.objective, whole)
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

/// Whole numbers are whole up to a tolerance; as they are meant, if that is a solution.
fn whole(program: &Program, mut solved: Solved) -> Solved {
    let Some(values) = &solved.values else { return solved };
    let meant =
        |(column, value): (&Column, &f64)| if column.integer { value.round() } else { *value };
    let meant: Vec<f64> = program.columns.iter().zip(values).map(meant).collect();
    if program.admits(&meant, 1e-6) {
        solved.objective = program.objective(&meant);
        solved.bound = solved.bound.max(solved.objective);
        solved.values = Some(meant);
    }
    solved
}
