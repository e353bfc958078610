//! No kernel takes more than 5 % more instructions than `counts.json` says.
//!
//! Counted by valgrind's callgrind in the build that `cargo test` makes anyway; skipped, with
//! a message, where valgrind is missing or the compiler is not the one of the counts. That
//! build has checks that a release has not and fewer loops are vectorised: it shows work that is
//! done twice, not a lost vector loop. `make bench-instructions` counts in a release, too.
//! After a change that is meant to cost, or that makes a kernel quicker:
//!
//! ```text
//! make bench-instructions RECORD=1    new counts of both builds into counts.json
//! ```

#![allow(clippy::unwrap_used)]

use std::path::PathBuf;
use std::process::Command;

use serde_json::{Map, Value, json};

/// A kernel may grow by so much.
const MORE: f64 = 1.05;
const PROGRAM: &str = env!("CARGO_BIN_EXE_stakes-instructions");
/// Unoptimised code with its checks counts differently: each build has its own figures.
const BUILD: &str = if cfg!(debug_assertions) { "dev" } else { "release" };

#[test]
fn kernels_take_no_more_instructions_than_before() {
    if Command::new("valgrind").arg("--version").output().is_err() {
        return eprintln!("skipped: valgrind is not installed, so nothing is counted");
    }
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("counts.json");
    let mut known: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let compiler = said(Command::new("rustc").arg("--version"));
    let compiler = format!("{} {}", compiler.trim(), std::env::consts::ARCH);
    let same = known["compiler"] == json!(compiler);
    if std::env::var_os("RECORD").is_some_and(|value| value == "1") {
        if !same {
            // Figures of the other build are of the other compiler.
            known = json!({ "compiler": compiler });
        }
        let counts = counts().into_iter().map(|(kernel, count)| (kernel, json!(count)));
        known[BUILD] = counts.collect::<Map<_, _>>().into();
        return std::fs::write(path, format!("{known:#}\n")).unwrap();
    }
    if !same {
        return eprintln!("skipped: counts.json is of {}, here is {compiler}", known["compiler"]);
    }
    if known[BUILD].is_null() {
        return eprintln!("skipped: the {BUILD} build was never recorded in counts.json");
    }
    let mut slower = Vec::new();
    for (kernel, now) in counts() {
        let before = known[BUILD][&kernel].as_u64();
        let before = before.unwrap_or_else(|| panic!("{kernel} is not in counts.json; record it"));
        let ratio = now as f64 / before as f64;
        eprintln!("{BUILD} {kernel}: {now} instructions, {before} before, x {ratio:.3}");
        if ratio > MORE {
            slower.push(format!("{kernel} takes {now} instructions, {before} before"));
        }
    }
    assert!(
        slower.is_empty(),
        "{}; if it must be, `make bench-instructions RECORD=1`",
        slower.join(", ")
    );
}

/// Instructions of every kernel.
fn counts() -> Vec<(String, u64)> {
    let kernels = said(&mut Command::new(PROGRAM));
    kernels.lines().map(|kernel| (kernel.to_owned(), count(kernel))).collect()
}

/// Instructions within functions called `measured_...`.
fn count(kernel: &str) -> u64 {
    let mut command = Command::new("valgrind");
    command.args(["--tool=callgrind", "--callgrind-out-file=/dev/null"]);
    command.args(["--toggle-collect=*measured_*", PROGRAM, kernel]);
    let done = command.output().unwrap();
    let text = String::from_utf8_lossy(&done.stderr);
    assert!(done.status.success(), "{kernel}: {text}");
    let line = text.lines().find_map(|line| line.split_once("Collected :"));
    let count = line.and_then(|(_, count)| count.trim().parse().ok());
    let count = count.unwrap_or_else(|| panic!("{kernel}: valgrind says no count: {text}"));
    assert!(count > 0, "{kernel}: nothing was counted; does measured_{kernel} still exist?");
    count
}

fn said(command: &mut Command) -> String {
    String::from_utf8(command.output().unwrap().stdout).unwrap()
}
