//! The README's examples are what the program prints.

mod common;

use common::{Folder, STORMS};

/// The contents of all code blocks of one kind, in order.
fn blocks<'a>(readme: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let closed = |rest: &'a str| rest.split_once("```").expect("a closed block").0;
    readme.split(fence.as_str()).skip(1).map(closed).collect()
}

#[test]
fn the_examples_of_the_readme() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("README.md").replace("\r\n", "\n");
    let (data, runs) = (blocks(&readme, "csv"), blocks(&readme, "console"));
    assert_eq!((data.len(), runs.len()), (2, 2));
    assert_eq!(data[0], STORMS);
    for (data, run) in data.iter().zip(runs) {
        let (command, printed) = run.split_once('\n').expect("a command and its output");
        let command = command.strip_prefix("$ stakes ").expect("$ stakes ...");
        let folder = Folder::new();
        folder.write(command.split(' ').nth(1).expect("a file"), data);
        let out = folder.ok(command);
        let lines = |text: &str| -> Vec<String> {
            text.trim_end().lines().map(|line| line.trim_end().to_owned()).collect()
        };
        assert_eq!(lines(printed), lines(&out));
    }
}
