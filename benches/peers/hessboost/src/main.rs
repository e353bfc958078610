//! hessboost's side of the speed comparison; `boosting.py` says what is asked of every peer.
//!
//! ```text
//! hessboost-peer train THREADS TREES LEAVES rank|squares TRAIN TEST PREFIX
//! hessboost-peer score THREADS PREFIX TEST
//! ```
//!
//! TRAIN and TEST are folders with `features.f32` (row by row), `labels.f32` and `sizes.u32`.
//! Its trees grow by gain up to LEAVES, as ours do. It has no least number of rows in a leaf,
//! only a least sum of second derivatives: for squared error that is the same (20), for ranking
//! it is LightGBM's and our 0.001.

use std::error::Error;
use std::fs;
use std::hint::black_box;
use std::time::Instant;

use hessboost::config::GrowPolicy;
use hessboost::data::BinnedMatrix;
use hessboost::objective::LambdaRank;
use hessboost::prelude::*;
use rustix::time::{ClockId, clock_gettime};
use serde_json::json;

type Any = Box<dyn Error>;

const BINS: usize = 255;
const VERSION: &str = "0.4.6";

fn main() -> std::result::Result<(), Any> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let args: Vec<&str> = args.iter().map(String::as_str).collect();
    // Binning and scoring take the global pool, whatever `nthread` says.
    match args[..] {
        ["train", threads, trees, leaves, goal, train, test, prefix] => {
            learn(pool(threads)?, trees.parse()?, leaves.parse()?, goal, train, test, prefix)
        }
        ["score", threads, prefix, test] => score(pool(threads)?, prefix, test),
        _ => Err("usage: see the head of main.rs".into()),
    }
}

fn pool(threads: &str) -> std::result::Result<usize, Any> {
    let wanted: usize = threads.parse()?;
    // The pool is made at the first use and asks this variable; `benches/speed.py` sets it.
    match std::env::var("RAYON_NUM_THREADS").as_deref() {
        Ok(set) if set == threads => Ok(wanted),
        _ => Err(format!("set RAYON_NUM_THREADS={threads}").into()),
    }
}

fn learn(
    threads: usize,
    trees: usize,
    leaves: usize,
    goal: &str,
    train: &str,
    test: &str,
    prefix: &str,
) -> std::result::Result<(), Any> {
    let ranking = goal == "rank";
    let (labels, sizes) = (numbers(train, "labels.f32", f32::from_le_bytes)?, sizes(train)?);
    let (rows, features) = (labels.len(), numbers(train, "features.f32", f32::from_le_bytes)?);
    let objective = if ranking {
        Objective::RankNdcg(LambdaRank::new(30)?)
    } else {
        Objective::SquaredError(RegLoss::default())
    };
    let params = TrainingParams::builder()
        .objective(objective)
        .nthread(threads)
        .tree_method(TreeMethod::Hist)
        .grow_policy(GrowPolicy::LossGuide)
        .unlimited_depth()
        .max_leaves(leaves)
        .max_bin(BINS)
        .eta(0.1)
        .lambda(0.0)
        .min_child_weight(if ranking { 1e-3 } else { 20.0 })
        .build()?;
    let width = features.len() / rows;
    // The matrix takes the features over: neither a copy nor the time for one.
    let data = DMatrix::from_dense_vec(features, rows, width)?.with_labels(&labels)?;
    let data = if ranking { data.with_group_sizes(&sizes)? } else { data };
    let before = restart_peak();
    let begun = (Instant::now(), cpu_seconds());
    let spent = || (begun.0.elapsed().as_secs_f64(), cpu_seconds() - begun.1);
    let binned = BinnedMatrix::new(&data, BINS)?;
    let binning = spent();
    let model = hessboost::training::train(&params, &binned, trees)?;
    let whole = spent();
    let peak = megabytes("VmHWM:");
    model.save(format!("{prefix}.bin"), ModelFormat::Binary)?;
    let scores = model.predict_margin_rows(
        &numbers(test, "features.f32", f32::from_le_bytes)?,
        Iterations::Best,
    )?;
    let text: String = scores.as_slice().iter().map(|score| format!("{score}\n")).collect();
    fs::write(format!("{prefix}.scores"), text)?;
    println!(
        "{}",
        json!({
            "version": VERSION, "rows": rows, "features": width, "trees": model.num_trees(),
            "binning": binning.0, "binning_cpu": binning.1,
            "boosting": whole.0 - binning.0, "boosting_cpu": whole.1 - binning.1,
            "seconds": whole.0, "cpu": whole.1,
            "rss_before_mb": before, "peak_rss_mb": peak,
        })
    );
    Ok(())
}

fn score(_threads: usize, prefix: &str, test: &str) -> std::result::Result<(), Any> {
    let model = BoostedModel::load(format!("{prefix}.bin"), ModelFormat::Binary)?;
    let features = numbers(test, "features.f32", f32::from_le_bytes)?;
    let rows: Vec<&[f32]> = features.chunks_exact(model.n_features()).collect();
    let many = repeated(|| Ok(model.predict_margin_rows(black_box(&features), Iterations::Best)?))?;
    let singles = &rows[..rows.len().min(2_000)];
    let one = repeated(|| {
        let score = |row: &&[f32]| model.predict_margin_row(black_box(row), Iterations::Best);
        Ok(singles.iter().map(score).collect::<Result<Vec<f32>>>()?)
    })?;
    println!(
        "{}",
        json!({
            "version": VERSION, "rows": rows.len(), "trees": model.num_trees(),
            "seconds": many.0, "cpu": many.1, "one_row_us": one.0 / singles.len() as f64 * 1e6,
        })
    );
    Ok(())
}

/// Medians of the seconds and of the processor seconds: 5 to 200 repeats in about 2 seconds,
/// as on every side.
fn repeated<T>(
    mut work: impl FnMut() -> std::result::Result<T, Any>,
) -> std::result::Result<(f64, f64), Any> {
    work()?;
    let (whole, mut wall, mut cpu) = (Instant::now(), Vec::new(), Vec::new());
    while wall.len() < 5 || wall.len() < 200 && whole.elapsed().as_secs_f64() < 2.0 {
        let begun = (Instant::now(), cpu_seconds());
        black_box(work()?);
        wall.push(begun.0.elapsed().as_secs_f64());
        cpu.push(cpu_seconds() - begun.1);
    }
    let median = |mut values: Vec<f64>| {
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Ok((median(wall), median(cpu)))
}

fn numbers<T>(folder: &str, name: &str, of: fn([u8; 4]) -> T) -> std::result::Result<Vec<T>, Any> {
    let path = format!("{folder}/{name}");
    let bytes = fs::read(&path).map_err(|error| format!("{path}: {error}"))?;
    Ok(bytes.as_chunks().0.iter().map(|four| of(*four)).collect())
}

fn sizes(folder: &str) -> std::result::Result<Vec<usize>, Any> {
    Ok(numbers(folder, "sizes.u32", u32::from_le_bytes)?.into_iter().map(|n| n as usize).collect())
}

fn cpu_seconds() -> f64 {
    let time = clock_gettime(ClockId::ProcessCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

/// Resident memory now; what follows has a peak of its own.
fn restart_peak() -> f64 {
    let _ = fs::write("/proc/self/clear_refs", "5");
    megabytes("VmRSS:")
}

fn megabytes(field: &str) -> f64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|l| l.strip_prefix(field));
    line.and_then(|l| l.split_whitespace().next()?.parse::<f64>().ok()).unwrap_or(0.0) * 1024.0
        / 1e6
}
