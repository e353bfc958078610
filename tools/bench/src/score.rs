//! Time to score many rows, and one: one JSON line.

use std::hint::black_box;

use anyhow::{Context, ensure};
use stakes::learn::Model;

use crate::process::{Span, Stopwatch};
use crate::table::read_known;

/// The number of repeats that fit into this many seconds, within these bounds.
const REPEATS: std::ops::RangeInclusive<usize> = 5..=200;
const SECONDS: f64 = 2.0;
/// Rows that are scored one by one.
const SINGLES: usize = 2_000;

/// Scores a file ([`read_known`]) by a model; reading both is not timed.
pub(crate) fn score(path: &str, threads: usize, rest: &[String]) -> anyhow::Result<()> {
    let file = rest.first().context("usage: stakes-bench score FILE THREADS MODEL")?;
    let model = Model::from_json(&stakes::io::read_bytes(file)?, file)?;
    let data = read_known(path, true)?;
    let (many, scores) = repeated(|| Ok(model.score(&data)?))?;
    let singles = SINGLES.min(data.len());
    let row = |i: usize| data.features().row(i);
    let prepared = model.scorer.prepare();
    let (one, alone) = repeated(|| {
        let score = |i: usize| prepared.score(black_box(row(i)));
        Ok((0..singles).map(score).collect::<Vec<f64>>())
    })?;
    ensure!(alone == scores[..singles], "rows alone have other scores than together");
    println!(
        "{}",
        serde_json::json!({
            "peer": "stakes",
            "version": env!("CARGO_PKG_VERSION"),
            "work": "score",
            "threads": threads,
            "rows": data.len(),
            "trees": model.size().trees,
            "seconds": many.wall,
            "cpu": many.cpu,
            "one_row_us": one.wall / singles as f64 * 1e6,
        })
    );
    Ok(())
}

/// The median of the seconds, of the processor seconds, and what was made.
fn repeated<T>(mut work: impl FnMut() -> anyhow::Result<T>) -> anyhow::Result<(Span, T)> {
    let mut made = work()?;
    let (whole, mut spans) = (Stopwatch::start(), Vec::new());
    while spans.len() < *REPEATS.start()
        || spans.len() < *REPEATS.end() && whole.read().wall < SECONDS
    {
        let watch = Stopwatch::start();
        made = work()?;
        spans.push(watch.read());
    }
    let median = |of: fn(&Span) -> f64| {
        let mut values: Vec<f64> = spans.iter().map(of).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    };
    Ok((Span { wall: median(|s| s.wall), cpu: median(|s| s.cpu) }, made))
}
