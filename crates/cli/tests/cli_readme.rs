//! The README's example is what the program prints.

mod common;

use common::{Folder, STORMS};

#[test]
fn the_example_of_the_readme() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("README.md").replace("\r\n", "\n");
    let block = |kind: &str| {
        let (_, rest) = readme.split_once(&format!("```{kind}\n")).expect(kind);
        rest.split_once("```").expect("a closed block").0
    };
    assert_eq!(block("csv"), STORMS);
    let (command, printed) = block("console").split_once('\n').expect("a command and its output");
    let out = Folder::with_storms().ok(command.strip_prefix("$ stakes ").expect("$ stakes ..."));
    let lines = |text: &str| -> Vec<String> {
        text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
    };
    assert_eq!(lines(printed), lines(&out));
}
