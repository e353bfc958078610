//! The README's examples are what the program prints.

use crate::common::{Folder, STORMS};

/// The contents of all code blocks of one kind, in order.
fn blocks<'a>(readme: &'a str, kind: &str) -> Vec<&'a str> {
    let fence = format!("```{kind}\n");
    let closed = |rest: &'a str| rest.split_once("```").expect("a closed block").0;
    readme.split(fence.as_str()).skip(1).map(closed).collect()
}

/// Commands, each with what it prints.
fn session(block: &str) -> Vec<(&str, &str)> {
    let commands = block.split("$ stakes ").skip(1);
    commands.map(|text| text.split_once('\n').expect("a command and its output")).collect()
}

/// The same words, and numbers that differ at most in their last digits: `exp` and `ln` are not
/// the same on every machine.
fn same(printed: &str, out: &str) -> bool {
    let words = |text: &str| -> Vec<String> {
        let lines = text.trim_end().lines().map(|line| line.trim_end().to_owned() + "\n");
        let text: String = lines.collect();
        text.split_inclusive([',', ' ', '=', '(', ')', '\n']).map(str::to_owned).collect()
    };
    let number = |word: &str| word.trim_end_matches([',', ')', '\n']).parse::<f64>().ok();
    let alike = |(a, b): (&String, &String)| {
        a == b || number(a).zip(number(b)).is_some_and(|(a, b)| (a - b).abs() <= 1e-9 * a.abs())
    };
    let (printed, out) = (words(printed), words(out));
    printed.len() == out.len() && printed.iter().zip(&out).all(alike)
}

#[test]
fn the_examples_of_the_readme() {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md");
    let readme = std::fs::read_to_string(path).expect("README.md").replace("\r\n", "\n");
    let (data, runs) = (blocks(&readme, "csv"), blocks(&readme, "console"));
    assert_eq!((data.len(), runs.len()), (2, 3));
    assert_eq!(data[0], STORMS);
    for (number, run) in runs.iter().enumerate() {
        let folder = Folder::new();
        let commands = session(run);
        if let Some(data) = data.get(number) {
            folder.write(commands[0].0.split(' ').nth(1).expect("a file"), data);
        }
        for (command, printed) in commands {
            let out = folder.ok(command);
            assert!(same(printed, &out), "stakes {command} prints\n{out}instead of\n{printed}");
        }
    }
}
