//! Puts the commit into `stakes --version`, if the program is built from a clone of its repository.

use std::path::{Path, PathBuf};
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    let commit = commit().map_or_else(String::new, |commit| format!(" ({commit})"));
    println!("cargo::rustc-env=STAKES_COMMIT={commit}");
}

/// The commit; `None` without git, and in an archive of the source, even one that was unpacked within
/// another repository.
fn commit() -> Option<String> {
    let ours = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().ok()?;
    if PathBuf::from(git(&["rev-parse", "--show-toplevel"])?).canonicalize().ok()? != ours {
        return None;
    }
    // What changes with the commit. A file that is not there would make cargo build again every time.
    let branch = git(&["rev-parse", "--symbolic-full-name", "HEAD"])?;
    for name in ["HEAD", "logs/HEAD", "packed-refs", &branch] {
        let path = git(&["rev-parse", "--git-path", name])?;
        if Path::new(&path).is_file() {
            println!("cargo::rerun-if-changed={path}");
        }
    }
    git(&["rev-parse", "--short=10", "HEAD"])
}

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?.trim().to_owned();
    (output.status.success() && !text.is_empty()).then_some(text)
}
