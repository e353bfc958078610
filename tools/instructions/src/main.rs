//! One kernel on small generated data, once: `stakes-instructions KERNEL`; without a kernel
//! their names, a line each.
//!
//! Seconds on a shared machine say little about a change of a few percent; instructions are
//! the same in every run. `tests/counts.rs` runs this program under valgrind, which counts
//! only within functions whose name begins with `measured_`: making the data is free.
//! Everything is on one thread, the first: nothing waits, nothing is stolen.

use std::hint::black_box;

use anyhow::{Context, bail};
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::Dataset;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_learn::boosted::{Boosting, Mart};
use stakes_learn::loss::{GradHess, Lambda, ListLoss, Loss};
use stakes_learn::tree::{BinnedMatrix, Binning, TreeGrower, TreeParams};
use stakes_learn::{FitContext, Lists, Model, train};
use stakes_synth::Search;

/// What is counted.
const KERNELS: [&str; 6] = ["cuts", "bins", "lambdas", "tree", "scores", "ndcg"];

fn main() -> anyhow::Result<()> {
    let Some(kernel) = std::env::args().nth(1) else {
        KERNELS.iter().for_each(|name| println!("{name}"));
        return Ok(());
    };
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global()?;
    let data = Search { lists: 20, mean_length: 100.0, seed: 1 }.generate()?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    let lists = Lists::new(&problem);
    let binning = || Binning::of(&data, lists.rows(), None, 255, None);
    match kernel.as_str() {
        "cuts" => drop(black_box(measured_cuts(&data, lists.rows()))),
        "bins" => drop(black_box(measured_bins(&binning(), &data, lists.rows()))),
        "lambdas" => {
            let loss = lambda(&data)?;
            drop(black_box(measured_lambdas(&prepared(&loss, &lists), &lists)));
        }
        "tree" => {
            let loss = lambda(&data)?;
            let derivatives = derivatives(&prepared(&loss, &lists), &lists);
            let (binning, rows) = (binning(), (0..lists.n_items() as u32).collect());
            let matrix = binning.apply(&data, lists.rows());
            let grower = TreeGrower::new(&matrix, &binning, TreeParams::default());
            black_box(measured_tree(&grower, &derivatives, rows));
        }
        "scores" => {
            let model = model(&problem)?;
            black_box(measured_scores(&model, &data)?);
        }
        "ndcg" => {
            let metric = Metric::parse("ndcg@10", Scale::of(&data))?;
            let scores = data.numbers(&data.feature_info()[0].name)?.to_vec();
            black_box(measured_ndcg(&metric, &problem, &scores)?);
        }
        other => bail!("no kernel `{other}`; there are {}", KERNELS.join(", ")),
    }
    Ok(())
}

#[inline(never)]
fn measured_cuts(data: &Dataset, rows: &[u32]) -> Binning {
    Binning::of(data, rows, None, 255, None)
}

#[inline(never)]
fn measured_bins(binning: &Binning, data: &Dataset, rows: &[u32]) -> BinnedMatrix {
    binning.apply(data, rows)
}

#[inline(never)]
fn measured_lambdas(losses: &[Box<dyn ListLoss + '_>], lists: &Lists) -> Vec<GradHess> {
    derivatives(losses, lists)
}

#[inline(never)]
fn measured_tree(grower: &TreeGrower<'_>, derivatives: &[GradHess], rows: Vec<u32>) -> usize {
    grower.grow(derivatives, rows, 0, 0).tree.leaves.len()
}

#[inline(never)]
fn measured_scores(model: &Model, data: &Dataset) -> anyhow::Result<Vec<f64>> {
    Ok(model.score(data)?)
}

#[inline(never)]
fn measured_ndcg(metric: &Metric, problem: &Problem<'_>, scores: &[f64]) -> anyhow::Result<f64> {
    evaluate(metric, problem, scores)?.figure.context("there is something relevant")
}

/// The loss of LambdaMART as it is compared with the peers.
fn lambda(data: &Dataset) -> anyhow::Result<Lambda> {
    Ok(Lambda::new(Metric::parse("ndcg", Scale::of(data))?)?.truncation(30).norm(true))
}

fn prepared<'l>(loss: &'l Lambda, lists: &'l Lists) -> Vec<Box<dyn ListLoss + 'l>> {
    (0..lists.len()).map(|list| loss.prepare(&lists.list(list), 1.0)).collect()
}

/// At scores that are neither equal nor in order.
fn derivatives(losses: &[Box<dyn ListLoss + '_>], lists: &Lists) -> Vec<GradHess> {
    let scores: Vec<f64> = (0..lists.n_items()).map(|i| (i * 37 % 101) as f64 / 101.0).collect();
    let mut out = vec![GradHess::default(); lists.n_items()];
    for (list, loss) in losses.iter().enumerate() {
        let items = lists.items(list);
        loss.gradients(&scores[items.clone()], &mut out[items]);
    }
    out
}

/// A small model.
fn model(problem: &Problem<'_>) -> anyhow::Result<Model> {
    let boosting = Boosting { rounds: 10, rate: 0.1, ..Boosting::default() };
    let learner = Mart { boosting, ..Mart::default() };
    Ok(train(&learner, problem, &mut FitContext::default())?.model)
}
