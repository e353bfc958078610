//! Time to score many rows, and one: one JSON line. Rows per second of processor time is the
//! figure to compare on a machine that others use, too.

use std::hint::black_box;
use std::time::Instant;

use anyhow::{Context, ensure};
use stakes::learn::Model;
use stakes::prelude::*;

/// Rows that are scored one by one, for the latency and as a check.
const SINGLE: usize = 10_000;

/// Scores a data file with a model file.
pub(crate) fn score(path: &str, threads: usize, model: &str) -> anyhow::Result<()> {
    let bytes = std::fs::read(model).with_context(|| model.to_owned())?;
    let model = Model::from_json(&bytes, model)?;
    let role = |name: &str| model.goal.columns.get(name).cloned();
    let roles = Roles { list: role("list"), impact: role("impact"), ..Roles::default() };
    let data = read(path, &ReadOptions { roles, ..ReadOptions::default() })?;
    let matched = model.match_columns(&data)?;
    let before = processor_seconds();
    let (seconds, scores) = crate::median(|| Ok(model.score_matched(&data, &matched)))?;
    let processor = (processor_seconds() - before) / (crate::REPEATS + 1) as f64;

    // One by one, over rows in the model's order: as scored alone, and as defined.
    let begun = Instant::now();
    let prepared = model.scorer.prepare();
    let preparing = begun.elapsed().as_secs_f64();
    let columns: Vec<usize> = (model.features.iter())
        .map(|f| data.feature_info().iter().position(|d| d.name == f.name))
        .collect::<Option<_>>()
        .context("a column")?;
    let rows: Vec<Vec<f32>> = (0..data.len().min(SINGLE))
        .map(|i| columns.iter().map(|&c| data.features().row(i)[c]).collect())
        .collect();
    let time = |score: &dyn Fn(&[f32]) -> f64| -> Vec<f64> {
        let one = |row: &Vec<f32>| {
            let begun = Instant::now();
            black_box(score(black_box(row)));
            begun.elapsed().as_secs_f64() * 1e6
        };
        let mut times: Vec<f64> = rows.iter().map(one).collect();
        times.sort_by(f64::total_cmp);
        times
    };
    let one = time(&|row| prepared.score(row));
    let node_by_node = time(&|row| model.scorer.score(row));
    for (row, &score) in rows.iter().zip(&scores) {
        let same = [prepared.score(row), model.scorer.score(row)].map(f64::to_bits);
        ensure!(same == [score.to_bits(); 2], "{score} is not the score of {row:?}");
    }
    println!(
        "{}",
        serde_json::json!({
            "peer": "stakes",
            "work": "score",
            "threads": threads,
            "rows": data.len(),
            "features": model.features.len(),
            "trees": model.size().trees,
            "leaves": model.size().leaves,
            "seconds": seconds,
            "rows_per_second": data.len() as f64 / seconds,
            "rows_per_processor_second": data.len() as f64 / processor,
            "preparing_ms": preparing * 1e3,
            "one_row_us": one[one.len() / 2],
            "one_row_us_p99": one[one.len() * 99 / 100],
            "one_row_node_by_node_us": node_by_node[one.len() / 2],
        })
    );
    Ok(())
}

/// Processor time of all threads so far (Linux, in hundredths; elsewhere 0).
fn processor_seconds() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let after_name = stat.rsplit(')').next().unwrap_or_default();
    let ticks = after_name.split_whitespace().skip(11).take(2);
    ticks.filter_map(|t| t.parse::<f64>().ok()).sum::<f64>() / 100.0
}
