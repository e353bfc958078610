//! The code that is written compiles without warnings, and its scores are ours to the bit.

use std::path::Path;
use std::process::Command;

use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::TestRunner;
use stakes_interchange::export::{ExportOptions, export, target};
use stakes_model::Model;

use super::{golden, random};

/// Writes a model and its parity pack, and runs the check with strict compilers.
fn check(model: &Model, to: &str, folder: &Path, number: usize) {
    let target = target(to).unwrap();
    let options = ExportOptions::new(target, &format!("m{number}.{}", target.ending));
    let exported = export(model, &options).unwrap();
    assert!(exported.precision.is_exact());
    let parity = exported.parity.unwrap();
    std::fs::write(folder.join(&options.file), &exported.bytes).unwrap();
    std::fs::write(folder.join(options.parity_file()), &parity.bytes).unwrap();
    let strict = parity
        .check
        .replace("-std=c99", "-std=c99 -Wall -Wextra -pedantic -Werror")
        .replace("rustc -O", "rustc -D warnings");
    let ran = Command::new("sh").args(["-c", &strict]).current_dir(folder).output().unwrap();
    let said = String::from_utf8_lossy(&ran.stdout) + String::from_utf8_lossy(&ran.stderr);
    assert!(ran.status.success(), "{strict}\n{said}\n{}", folder.join(&options.file).display());
}

/// Golden and random models.
fn models(count: usize) -> Vec<Model> {
    let mut runner = TestRunner::deterministic();
    let golden = ["trees", "two-part", "net", "blend", "linear", "rerank"].map(golden);
    let random = (0..count).map(|_| random::model().new_tree(&mut runner).unwrap().current());
    golden.into_iter().chain(random).collect()
}

#[test]
fn c_is_ours_to_the_bit() {
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("skipped: there is no C compiler (cc)");
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    for (number, model) in models(24).iter().enumerate() {
        check(model, "c", folder.path(), number);
    }
    // Dialects with more names in their headers take the file, too.
    let plain = "cc -O2 -ffp-contract=off -D_GNU_SOURCE -DSTAKES_CHECK m0.c -lm -o plain && ./plain m0.c.parity.csv";
    let ran = Command::new("sh").args(["-c", plain]).current_dir(folder.path()).status().unwrap();
    assert!(ran.success());
}

#[test]
fn rust_is_ours_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    for (number, model) in models(6).iter().enumerate() {
        check(model, "rust", folder.path(), number);
    }
}
