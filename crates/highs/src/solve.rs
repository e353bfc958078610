//! Solves a model.

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
use crate::options::Options;
use crate::solution::{Error, Solution, Status};

/// Solves a model, starting from a feasible solution if one is given.
///
/// A panic of `watch` stops the search and is resumed here.
///
/// A knapsack of capacity 5 and items with weights 2, 3, 4 and values 3, 4, 6: the first two are best.
/// ```
/// use std::ops::ControlFlow;
/// use stakes_highs::{Model, Options, Sense, Status, solve};
///
/// let mut model = Model::new(Sense::Maximise);
/// let items = [3.0, 4.0, 6.0].map(|value| model.add_column(0.0, 1.0, value, true));
/// model.add_row(f64::NEG_INFINITY, 5.0, [2.0, 3.0, 4.0].iter().zip(items).map(|(w, i)| (i, *w)));
/// let found = solve(&model, None, &Options::default(), &mut |_| ControlFlow::Continue(()))?;
/// assert_eq!(found.status, Status::Optimal);
/// assert_eq!(found.objective, 7.0);
/// # Ok::<(), stakes_highs::Error>(())
/// ```
pub fn solve(
    model: &Model,
    start: Option<&[f64]>,
    options: &Options,
    watch: &mut Watch<'_>,
) -> Result<Solution, Error> {
    let begun = Instant::now();
    // HiGHS binds its worker threads, and their number, to the first thread that calls it. On its own thread each call
    // gets the number it asks for.
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
        // Presolve cannot distinguish the two; the simplex method can.
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
    let to_highs_int = |number: u64| HighsInt::try_from(number).unwrap_or(HighsInt::MAX);
    if let Some(seconds) = options.seconds {
        handle.set_f64(c"time_limit", seconds.max(0.0))?;
    }
    if let Some(nodes) = options.nodes {
        handle.set_int(c"mip_max_nodes", to_highs_int(nodes))?;
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
    handle.set_int(c"threads", to_highs_int(options.threads.max(1) as u64))?;
    handle.set_int(c"random_seed", to_highs_int(u64::from(options.seed)))
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
    // The intermediate values of a linear program are infeasible or not optimal: only the final ones are used.
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
