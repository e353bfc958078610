//! One call that solves a model.

use std::panic::resume_unwind;
use std::thread;
use std::time::Instant;

use highs_sys::{
    HighsInt, MODEL_STATUS_INFEASIBLE, MODEL_STATUS_MODEL_EMPTY, MODEL_STATUS_OPTIMAL,
    MODEL_STATUS_REACHED_INTERRUPT, MODEL_STATUS_REACHED_ITERATION_LIMIT,
    MODEL_STATUS_REACHED_SOLUTION_LIMIT, MODEL_STATUS_REACHED_TIME_LIMIT, MODEL_STATUS_UNBOUNDED,
    MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE,
};

use crate::callback::{Listener, Progress, Watch};
use crate::handle::Handle;
use crate::model::Model;

/// When to stop, and how to search.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Options {
    /// On the clock.
    pub seconds: Option<f64>,
    /// Nodes of the search tree.
    pub nodes: Option<u64>,
    /// A gap that is small enough, as a part of the objective.
    pub relative_gap: f64,
    /// A gap that is small enough, in units of the objective.
    pub absolute_gap: f64,
    /// By how much whole numbers may differ from whole numbers, and rows from their bounds.
    pub tolerance: f64,
    /// Whether to look for good values before and besides the search. Without a start they are worth their time.
    pub heuristics: bool,
    /// Threads to use. The same model is searched in the same way with the same number of threads.
    pub threads: usize,
    /// Of the solver's random choices.
    pub seed: u32,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            seconds: None,
            nodes: None,
            relative_gap: 1e-9,
            absolute_gap: 1e-9,
            tolerance: 1e-7,
            heuristics: true,
            threads: 1,
            seed: 0,
        }
    }
}

/// How a search ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    /// Nothing better is there, but for the gap that was asked for.
    Optimal,
    /// No values meet all conditions.
    Infeasible,
    /// There is no end to what is possible.
    Unbounded,
    /// Its time, or its number of nodes, was up.
    Limit,
    /// The watcher stopped it.
    Stopped,
}

/// What was found.
#[derive(Debug, Clone, PartialEq)]
pub struct Solution {
    /// How the search ended.
    pub status: Status,
    /// The best values of the columns that were found.
    pub values: Option<Vec<f64>>,
    /// What they are worth; [`crate::Sense::worst`] if there are none.
    pub objective: f64,
    /// No values are better, as HiGHS claims with its tolerances. [`crate::Sense::best`] as long as nothing is
    /// known, [`crate::Sense::worst`] if no values are possible.
    pub bound: f64,
    /// Nodes of the search tree.
    pub nodes: u64,
    /// Of a linear program that was solved: the prices of its rows, for [`Model::dual_bound`].
    pub prices: Option<Vec<f64>>,
}

/// A model that was not solved.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum Error {
    /// The model makes no sense.
    #[error("HiGHS cannot solve this model: {0}")]
    Model(String),
    /// The values to begin with are not of this model.
    #[error("{values} values to begin with, for {columns} columns")]
    Start {
        /// How many there are.
        values: usize,
        /// How many there should be.
        columns: usize,
    },
    /// A function of HiGHS failed. It does not say why.
    #[error("HiGHS failed in {0}")]
    Call(&'static str),
    /// HiGHS ended without a result.
    #[error("HiGHS ended without a result (model status {0})")]
    NoResult(i32),
    /// There is no thread for it.
    #[error("HiGHS got no thread to run in: {0}")]
    Thread(String),
}

/// Solves a model, from values that are known to be possible if there are some.
///
/// A panic of the watcher stops the search and goes on from here.
pub fn solve(
    model: &Model,
    start: Option<&[f64]>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Solution, Error> {
    let begun = Instant::now();
    // HiGHS ties its worker threads, and how many there are, to the first thread that calls it. In a thread of
    // its own each call has the number that it asks for.
    thread::scope(|scope| {
        let work = || solve_here(model, start, options, watch, begun);
        let thread = thread::Builder::new().name("highs".into()).spawn_scoped(scope, work);
        let thread = thread.map_err(|error| Error::Thread(error.to_string()))?;
        thread.join().unwrap_or_else(|panic| resume_unwind(panic))
    })
}

fn solve_here(
    model: &Model,
    start: Option<&[f64]>,
    options: &Options,
    watch: &mut Watch<'_>,
    begun: Instant,
) -> Result<Solution, Error> {
    let mut forward = |progress: &Progress<'_>| watch(progress);
    let listener = Listener::new(&mut forward, begun, model.sense);
    let mut handle = Handle::new(model)?;
    set(&mut handle, options)?;
    handle.listen(&listener)?;
    if let Some(start) = start {
        handle.start(start)?;
    }
    let mut status = handle.run();
    if status == Ok(MODEL_STATUS_UNBOUNDED_OR_INFEASIBLE) {
        // Presolve cannot tell which of the two; the simplex method can.
        handle.set_text(c"presolve", c"off")?;
        status = handle.run();
    }
    let solution = status.and_then(|status| read(&handle, model, status));
    drop(handle);
    if let Some(panic) = listener.end() {
        resume_unwind(panic);
    }
    solution
}

fn set(handle: &mut Handle<'_>, options: &Options) -> Result<(), Error> {
    let whole = |number: u64| HighsInt::try_from(number).unwrap_or(HighsInt::MAX);
    if let Some(seconds) = options.seconds {
        handle.set_f64(c"time_limit", seconds.max(0.0))?;
    }
    if let Some(nodes) = options.nodes {
        handle.set_int(c"mip_max_nodes", whole(nodes))?;
    }
    handle.set_f64(c"mip_rel_gap", options.relative_gap)?;
    handle.set_f64(c"mip_abs_gap", options.absolute_gap)?;
    handle.set_f64(c"mip_feasibility_tolerance", options.tolerance)?;
    if !options.heuristics {
        handle.set_f64(c"mip_heuristic_effort", 0.0)?;
        for heuristic in [
            c"mip_heuristic_run_rins",
            c"mip_heuristic_run_rens",
            c"mip_heuristic_run_root_reduced_cost",
        ] {
            handle.set_bool(heuristic, false)?;
        }
    }
    handle.set_int(c"threads", whole(options.threads.max(1) as u64))?;
    handle.set_int(c"random_seed", whole(u64::from(options.seed)))
}

fn read(handle: &Handle<'_>, model: &Model, status: HighsInt) -> Result<Solution, Error> {
    let sense = model.sense;
    let status = match status {
        MODEL_STATUS_OPTIMAL | MODEL_STATUS_MODEL_EMPTY => Status::Optimal,
        MODEL_STATUS_INFEASIBLE => Status::Infeasible,
        MODEL_STATUS_UNBOUNDED => Status::Unbounded,
        MODEL_STATUS_REACHED_TIME_LIMIT
        | MODEL_STATUS_REACHED_SOLUTION_LIMIT
        | MODEL_STATUS_REACHED_ITERATION_LIMIT => Status::Limit,
        MODEL_STATUS_REACHED_INTERRUPT => Status::Stopped,
        other => return Err(Error::NoResult(other)),
    };
    let mixed_integer = model.mixed_integer();
    // A linear program on its way is not yet possible, or not yet good: only its end counts.
    let known = status == Status::Optimal || (mixed_integer && status != Status::Infeasible);
    let values = if known { handle.values()? } else { None };
    let objective = match &values {
        Some(values) if values.is_empty() => model.offset,
        Some(_) => handle.info_f64(c"objective_function_value")?,
        None => sense.worst(),
    };
    let bound = match status {
        Status::Infeasible => sense.worst(),
        Status::Unbounded => sense.best(),
        _ if mixed_integer => {
            let bound = handle.info_f64(c"mip_dual_bound")?;
            if bound.is_finite() { sense.better(bound, objective) } else { sense.best() }
        }
        Status::Optimal => objective,
        Status::Limit | Status::Stopped => sense.best(),
    };
    let nodes = if mixed_integer { handle.info_i64(c"mip_node_count")? } else { 0 };
    let prices = (!mixed_integer && status == Status::Optimal).then(|| handle.prices());
    let (nodes, prices) = (u64::try_from(nodes).unwrap_or(0), prices.transpose()?);
    Ok(Solution { status, values, objective, bound, nodes, prices })
}
