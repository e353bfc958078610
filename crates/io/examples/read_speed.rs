//! Reads a file and prints what it took: `read_speed FILE [list impact]`.
//!
//! The last column is the peak of resident memory over the size of the feature matrix.
#![allow(clippy::unwrap_used)]

use std::time::Instant;

use stakes_io::{ReadOptions, Roles, read};

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let Some(path) = arguments.first() else {
        eprintln!("usage: read_speed FILE [list impact]");
        std::process::exit(2);
    };
    let roles = Roles {
        list: arguments.get(1).cloned(),
        impact: arguments.get(2).cloned(),
        ..Roles::default()
    };
    let before = peak_mib();
    let start = Instant::now();
    let data = match read(path, &ReadOptions { roles, format: None }) {
        Ok(data) => data,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(1);
        }
    };
    let seconds = start.elapsed().as_secs_f64();
    let matrix = data.features().values().len() as f64 * 4.0 / 1048576.0;
    let file = std::fs::metadata(path).map_or(0, |m| m.len()) as f64 / 1e6;
    let peak = peak_mib();
    println!(
        "{seconds:.3} s ({:.0} MB/s), {} rows, {} lists, {} features, matrix {matrix:.1} MiB, \
         peak {peak:.1} MiB (before {before:.1}), {:.2} x the matrix",
        file / seconds,
        data.len(),
        data.n_lists(),
        data.features().width(),
        peak / matrix,
    );
}

/// The largest resident size so far; 0 where the system does not tell.
fn peak_mib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or("0");
    let kib: f64 = line.trim().trim_end_matches(" kB").parse().unwrap_or(0.0);
    kib / 1024.0
}
