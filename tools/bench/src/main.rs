//! Our side of the benchmarks: the work that `benches/peers` times in other programs, on the
//! same files, one JSON line each. `benches/run.sh` and `benches/speed.sh` run both sides and
//! write the tables.
//!
//! ```text
//! stakes-bench metrics FOLDER [THREADS]   labels.f64, scores.f64, offsets.u64
//! stakes-bench read FILE [THREADS]        a LETOR, CSV or Parquet file into memory
//! stakes-bench train FILE [THREADS] [LEARNER [KEY=VALUE ...]] [--without-ids] [--test FILE --out PREFIX]
//! stakes-bench score FILE THREADS MODEL   rows together, and one by one
//! ```

mod process;
mod score;
mod table;
mod train;

use std::time::Instant;

use anyhow::{Context, bail};
use stakes::metric::PreparedLists;
use stakes::prelude::*;

use process::peak_megabytes;

const REPEATS: usize = 15;

fn main() -> anyhow::Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [work, path, rest @ ..] = args.as_slice() else {
        bail!("usage: stakes-bench metrics|read|train|score PATH [THREADS]");
    };
    stakes::processor::check_environment().map_err(anyhow::Error::msg)?;
    let threads: usize = rest.first().map_or(Ok(1), |t| t.parse()).context("THREADS")?;
    rayon::ThreadPoolBuilder::new().num_threads(threads).build_global()?;
    match work.as_str() {
        "metrics" => metrics(path, threads),
        "read" => read_file(path, threads),
        "train" => train::train(path, threads, rest.get(1..).unwrap_or(&[])),
        "score" => score::score(path, threads, rest.get(1..).unwrap_or(&[])),
        other => bail!("no work `{other}`; there are metrics, read, train and score"),
    }
}

/// From unsorted scores and raw labels to the mean, ideal orders included; and once more without them, on lists that are
/// prepared.
fn metrics(folder: &str, threads: usize) -> anyhow::Result<()> {
    let labels = numbers(&format!("{folder}/labels.f64"))?;
    let scores = numbers(&format!("{folder}/scores.f64"))?;
    let offsets = std::fs::read(format!("{folder}/offsets.u64"))?;
    let offsets: Vec<u64> = offsets.as_chunks().0.iter().map(|b| u64::from_le_bytes(*b)).collect();
    let columns =
        Columns { list: Some("list".into()), impact: Some("label".into()), ..Columns::default() };
    let mut builder = DatasetBuilder::new(folder, columns)?;
    for (list, ends) in offsets.windows(2).enumerate() {
        let id = list.to_string();
        for item in ends[0]..ends[1] {
            let impact = Some(labels[item as usize]);
            builder.push(Row { line: item + 1, list: &id, impact, ..Row::default() })?;
        }
    }
    let data = builder.finish()?;
    let problem = Problem::new(&data, &CostModel::Impact)?;
    for spec in ["ndcg@10:gain=linear", "ndcg@10", "rcs@10", "map", "tau:variant=b"] {
        let Ok(metric) = Metric::parse(spec, Scale::of(&data)) else { continue };
        let tell = |peer: &str, (seconds, value): (f64, Option<f64>)| {
            println!(
                "{}",
                serde_json::json!({
                    "peer": peer,
                    "work": spec,
                    "threads": threads,
                    "rows": data.len(),
                    "seconds": seconds,
                    "rows_per_second": data.len() as f64 / seconds,
                    "value": value,
                })
            );
        };
        tell("stakes", median(|| Ok(evaluate(&metric, &problem, &scores)?.figure))?);
        let views: Vec<ListView<'_>> = (0..problem.n_lists()).map(|l| problem.list(l)).collect();
        let prepared = PreparedLists::new(&metric, &views)?;
        tell("stakes-prepared", median(|| Ok(prepared.evaluate(&scores)?.figure))?);
    }
    Ok(())
}

fn numbers(path: &str) -> anyhow::Result<Vec<f64>> {
    let bytes = std::fs::read(path).with_context(|| path.to_owned())?;
    Ok(bytes.as_chunks().0.iter().map(|b| f64::from_le_bytes(*b)).collect())
}

/// From a file to a checked data set, once: every run is a fresh process, as the peers' are.
fn read_file(path: &str, threads: usize) -> anyhow::Result<()> {
    let before = peak_megabytes();
    let start = Instant::now();
    let data = read(path, ReadOptions::default())?;
    let seconds = start.elapsed().as_secs_f64();
    let peak = peak_megabytes();
    let extension = std::path::Path::new(path).extension().and_then(|e| e.to_str());
    println!(
        "{}",
        serde_json::json!({
            "peer": "stakes",
            "work": extension.filter(|e| ["parquet", "csv"].contains(e)).unwrap_or("letor"),
            "threads": threads,
            "rows": data.len(),
            "lists": data.n_lists(),
            "features": data.features().width(),
            "seconds": seconds,
            "matrix_mb": (data.features().values().len() * 4) as f64 / 1e6,
            "rss_before_mb": before,
            "peak_rss_mb": peak,
        })
    );
    Ok(())
}

fn median<T>(mut work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<(f64, T)> {
    let mut value = work()?;
    let mut seconds = Vec::new();
    for _ in 0..REPEATS {
        let start = Instant::now();
        value = work()?;
        seconds.push(start.elapsed().as_secs_f64());
    }
    seconds.sort_by(f64::total_cmp);
    Ok((seconds[REPEATS / 2], value))
}
