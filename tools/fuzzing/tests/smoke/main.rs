//! A short run of every fuzz target on the stable toolchain: the seeds unchanged, then a
//! fixed number of mutations of them, the same ones every time. A failing input is printed
//! escaped; once the bug is fixed, add it to `fuzz/seeds/<target>` as a regression seed.

mod mutate;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use mutate::Mutator;
use stakes_fuzzing::{TARGETS, resume_run, resume_tuning};
use stakes_model::{Checkpoint, UnfinishedTuning};

/// The maximum memory of the process after all its small inputs.
const MAX_MEMORY_MIB: u64 = 1024;

/// The seeds of a target, ordered by name.
fn seeds(target: &str) -> Vec<Vec<u8>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/seeds").join(target);
    let entries = std::fs::read_dir(&folder).unwrap_or_else(|e| panic!("{folder:?}: {e}"));
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    paths.iter().map(|path| std::fs::read(path).expect("a readable seed")).collect()
}

fn smoke(target: &str, inputs: u64) {
    let body = TARGETS.iter().find(|(name, _)| *name == target).expect("a target").1;
    let seeds = seeds(target);
    assert!(!seeds.is_empty(), "fuzz/seeds/{target} is empty");
    let mut mutator = Mutator::new(target, &seeds);
    let mutated = (0..inputs).map(|_| mutator.input());
    for input in seeds.iter().cloned().chain(mutated) {
        if catch_unwind(AssertUnwindSafe(|| body(&input))).is_err() {
            panic!("{target} failed on this input:\nb\"{}\"", input.escape_ascii());
        }
    }
    if let Some(peak) = peak_memory_mib() {
        assert!(peak < MAX_MEMORY_MIB, "{target}: {peak} MiB were in use");
    }
}

/// The peak memory of this process, if the system reports it.
fn peak_memory_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    line.split_whitespace().next()?.parse::<u64>().ok().map(|kib| kib / 1024)
}

#[test]
fn csv() {
    smoke("csv", 6000);
}

#[test]
fn json_rows() {
    smoke("json_rows", 6000);
}

#[test]
fn xlsx() {
    smoke("xlsx", 2000);
}

#[test]
fn letor() {
    smoke("letor", 8000);
}

#[test]
fn query() {
    smoke("query", 2000);
}

#[test]
fn parquet() {
    smoke("parquet", 2000);
}

#[test]
fn arrow() {
    smoke("arrow", 4000);
}

#[test]
fn file() {
    smoke("file", 2000);
}

#[test]
fn compressed() {
    smoke("compressed", 20000);
}

#[test]
fn roles() {
    smoke("roles", 5000);
}

#[test]
fn config() {
    smoke("config", 10000);
}

#[test]
fn time() {
    smoke("time", 20000);
}

#[test]
fn qrels() {
    smoke("qrels", 150000);
}

#[test]
fn run() {
    smoke("run", 150000);
}

#[test]
fn scores() {
    smoke("scores", 40000);
}

#[test]
fn pair_costs() {
    smoke("pair_costs", 2000);
}

#[test]
fn class_costs() {
    smoke("class_costs", 2000);
}

#[test]
fn metric_spec() {
    smoke("metric_spec", 10000);
}

#[test]
fn cost() {
    smoke("cost", 10000);
}

#[test]
fn policy() {
    smoke("policy", 20000);
}

#[test]
fn option() {
    smoke("option", 20000);
}

#[test]
fn folds() {
    smoke("folds", 20000);
}

#[test]
fn contestants() {
    smoke("contestants", 1000);
}

#[test]
fn params() {
    smoke("params", 1000);
}

#[test]
fn import() {
    smoke("import", 6000);
}

#[test]
fn model() {
    smoke("model", 20000);
}

#[test]
fn checkpoint() {
    smoke("checkpoint", 2000);
}

#[test]
fn tuning() {
    smoke("tuning", 2000);
}

#[test]
fn every_target_has_a_fuzzer_and_a_smoke_run() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz");
    let manifest = std::fs::read_to_string(root.join("Cargo.toml")).expect("fuzz/Cargo.toml");
    let this = include_str!("main.rs");
    for (name, _) in TARGETS {
        assert!(root.join(format!("fuzz_targets/{name}.rs")).is_file(), "{name}");
        assert!(manifest.contains(&format!("name = \"{name}\"")), "{name}");
        assert!(this.contains(&format!("smoke(\"{name}\"")), "{name}");
    }
}

#[test]
fn one_large_feature_number_does_not_take_much_memory() {
    stakes_fuzzing::letor(b"1 qid:a 1048575:1\n");
    stakes_fuzzing::letor("1 qid:a 1048575:1\n".repeat(2000).as_bytes());
    let peak = peak_memory_mib().unwrap_or(0);
    assert!(peak < MAX_MEMORY_MIB, "{peak} MiB were in use");
}

/// The seeds of a target that are whole, parsed.
fn whole<T>(target: &str, parse: impl Fn(&[u8]) -> Option<T>) -> Vec<T> {
    let parsed: Vec<T> = seeds(target).iter().filter_map(|bytes| parse(bytes)).collect();
    assert!(!parsed.is_empty(), "fuzz/seeds/{target} has nothing that can be read");
    parsed
}

#[test]
fn unfinished_runs_among_the_seeds_can_be_resumed() {
    let renew = "renew it: cargo run -p stakes-fuzzing --example seeds";
    for run in whole("checkpoint", |bytes| Checkpoint::from_json(bytes, "seed").ok()) {
        let learner = run.learner.clone();
        resume_run(run).unwrap_or_else(|error| panic!("{learner}: {error}; {renew}"));
    }
    for tuning in whole("tuning", |bytes| UnfinishedTuning::from_json(bytes, "seed").ok()) {
        resume_tuning(tuning).unwrap_or_else(|error| panic!("{error}; {renew}"));
    }
}
