//! Help: one screen, examples first, columns last; and the examples work.

use unicode_width::UnicodeWidthStr;

use crate::common::{Folder, golden_import};

/// The lines of a screen that short help may fill.
const SCREEN: usize = 40;

/// All commands as they are typed after `stakes`, found in the help, and those that it leaves out.
fn commands(folder: &Folder) -> Vec<String> {
    let mut found = ["", "demo", "completions"].map(str::to_owned).to_vec();
    let mut next = 0;
    while let Some(command) = found.get(next).cloned() {
        let help = folder.ok(&format!("{command} -h"));
        let below = section(&help, "Commands:").into_iter();
        let names = below.filter_map(|line| line.split_whitespace().next());
        let names = names.filter(|name| *name != "help");
        found.extend(names.map(|name| format!("{command} {name}").trim().to_owned()));
        next += 1;
    }
    assert!(found.len() >= 20 && found.iter().any(|name| name == "model info"), "{found:?}");
    found
}

/// The lines below a heading that begin something. (Those that are indented further continue it.)
fn section<'h>(help: &'h str, heading: &str) -> Vec<&'h str> {
    let lines = help.lines().skip_while(|line| *line != heading).skip(1);
    let lines = lines.take_while(|line| !line.is_empty());
    lines.filter(|line| line.find(|c| c != ' ') == Some(2)).map(str::trim).collect()
}

fn headings(help: &str) -> Vec<&str> {
    help.lines().filter(|line| !line.starts_with(' ') && line.ends_with(':')).collect()
}

#[test]
fn short_help_fits_a_screen_with_examples_first_and_columns_last() {
    let folder = Folder::new();
    for command in commands(&folder) {
        let help = folder.ok(&format!("{command} -h"));
        let lines: Vec<&str> = help.lines().collect();
        assert!(lines.len() <= SCREEN, "{} lines: stakes {command} -h\n{help}", lines.len());
        assert_eq!(lines[1..3], ["", "Examples:"], "stakes {command} -h\n{help}");
        assert!(lines[6].starts_with("Usage: stakes"), "stakes {command} -h\n{help}");
        let more = format!("More options: {} --help", format!("stakes {command}").trim());
        assert_eq!(lines.last(), Some(&&*more), "stakes {command} -h\n{help}");
        let all = folder.ok(&format!("{command} --help"));
        assert!(all.contains("\nExamples:\n") && !all.contains("More options"), "{all}");
        for help in [&help, &all] {
            if help.contains("--list <COLUMN>") {
                assert_eq!(headings(help).last(), Some(&"Columns:"), "stakes {command}\n{help}");
            }
            let wide = help.lines().find(|line| line.width() > 80);
            assert_eq!(wide, None, "stakes {command}");
        }
    }
}

#[test]
fn the_help_of_training_shows_what_a_first_run_needs() {
    let help = Folder::new().ok("train -h");
    for flag in "<DATA> --output --list --impact --id -k --learner --effort --hold-out --folds \
                 --time --config"
        .split_whitespace()
    {
        assert!(help.contains(flag), "{flag}\n{help}");
    }
    for flag in ["--checkpoint-every", "--threads", "--objective", "--missing-impact"] {
        assert!(!help.contains(flag), "{flag}\n{help}");
    }
}

/// A folder with all that examples read.
fn world() -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!(
        "init s.csv {} --time date -k 5 -o stakes.toml --quiet",
        crate::common::ROLES
    ));
    for name in ["storms.csv", "next.csv"] {
        folder.write(name, folder.bytes("s.csv"));
    }
    for (learner, model) in [("mart", "model.json"), ("ridge", "other.json")] {
        let line = format!("train s.csv --learner {learner} --hold-out 10 -o {model} -q");
        folder.ok(&format!("{line} {}", if learner == "mart" { "-p rounds=5" } else { "" }));
    }
    folder.write("lightgbm.txt", golden_import("lightgbm-regression.txt"));
    std::fs::create_dir(folder.path("man1")).expect("a folder");
    folder
}

fn writes_config(example: &str) -> bool {
    ["init", "prepare"].iter().any(|command| example.contains(command))
}

/// What makes an example short enough for a test.
fn hurry(example: &str) -> &'static str {
    match example.split_whitespace().nth(1) {
        Some("train") => "--effort low -p rounds=3 --no-baseline",
        Some("certify") => "-p nodes=20",
        Some("compare") if !example.contains("--folds") => "--folds 2",
        // Without it, it would serve until somebody ends it.
        Some("serve") => "--check",
        Some("mitigate") => "--folds 2 --learner ridge",
        _ => "",
    }
}

#[test]
fn every_command_has_two_examples_that_work() {
    let world = world();
    let names = world.names();
    for command in commands(&world) {
        let help = world.ok(&format!("{command} -h"));
        let examples = section(&help, "Examples:");
        assert_eq!(examples.len(), 2, "stakes {command} -h");
        for example in examples {
            // Each begins with the same files; what writes a stakes.toml has none.
            let folder = Folder::new();
            for name in
                names.iter().filter(|name| !writes_config(example) || *name != "stakes.toml")
            {
                match world.path(name).is_dir() {
                    true => std::fs::create_dir(folder.path(name)).expect("a folder"),
                    false => folder.write(name, world.bytes(name)),
                }
            }
            let typed = example.split(" # ").next().unwrap_or_default();
            let is_of = format!("stakes {command}");
            assert!(typed.starts_with(is_of.trim()), "{typed} is no example of {is_of}");
            let line = typed.strip_prefix("stakes ").expect("the program");
            folder.ok(&format!("{line} {}", hurry(example)));
            for file in line.split_whitespace().skip_while(|word| *word != "-o").skip(1) {
                assert!(file == "-" || folder.path(file).exists(), "{example} writes no {file}");
            }
        }
    }
}

#[test]
fn help_of_a_command_can_be_asked_for_in_two_ways() {
    let folder = Folder::new();
    assert_eq!(folder.ok("help train"), folder.ok("train --help"));
    assert_eq!(folder.ok("help model info"), folder.ok("model info --help"));
    assert_eq!(folder.ok("help"), folder.ok("--help"));
    assert!(folder.run("help trian").err.contains("there is no command `trian`"));
}
