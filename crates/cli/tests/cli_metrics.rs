//! `stakes metrics`, the help, and readers that go away.

use std::io::Read;
use std::process::{Command, Stdio};

use crate::common::Folder;

#[test]
fn every_metric_is_listed_and_works() {
    let folder = Folder::with_storms();
    let json = folder.ok("metrics --json");
    let rows: Vec<serde_json::Value> = serde_json::from_str(&json).expect("a list");
    assert!(rows.len() > 30, "{}", rows.len());
    let (long, short) = (folder.ok("metrics"), folder.ok("metrics --short"));
    let mut specs = Vec::new();
    for row in &rows {
        let name = row["name"].as_str().expect("a name");
        for key in ["title", "formula", "citation", "family", "over_lists", "cutoff"] {
            assert!(row[key].as_str().is_some_and(|t| !t.is_empty()), "{key} of {name}");
        }
        assert!(long.contains(name) && short.contains(name), "{name}");
        let at = if row["cutoff"] == "required" { "@2" } else { "" };
        // 2^10000 is too much for dcg, and it says so.
        let options = if name == "dcg" { ":gain=linear" } else { "" };
        specs.push(format!("{name}{at}{options}"));
    }
    let line = "evaluate storms.csv --list storm --impact customers --score cable --no-intervals";
    let study = folder.json(&format!("{line} --metric {}", specs.join(",")));
    for spec in &specs {
        assert!(study.row("cable", spec)["value"].is_number(), "{spec}");
    }
}

#[test]
fn a_filter_narrows_and_a_slip_is_told() {
    let folder = Folder::new();
    let out = folder.ok("metrics ndcg --short");
    assert!(out.contains("avgndcg") && !out.contains("footrule"), "{out}");
    assert!(folder.ok("metrics auc@3:x=1 --short").contains("m-auc"));
    let ran = folder.run("metrics ndgc");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("no metric matches `ndgc`; did you mean `ndcg`?"), "{}", ran.err);
}

/// As `stakes ... | head`: the reader takes a little and goes. Nobody is left to be told.
#[test]
fn a_reader_that_goes_away_is_no_error() {
    for line in [
        "metrics",
        "metrics --json",
        "generate search --lists 40 --to csv",
        "generate search --lists 40 --to letor",
        "generate search --lists 40 --to parquet",
    ] {
        let mut child = Command::new(assert_cmd::cargo::cargo_bin!("stakes"))
            .args(line.split(' '))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut first = [0; 10];
        let mut out = child.stdout.take().expect("a pipe");
        out.read_exact(&mut first).expect("some output");
        drop(out);
        let output = child.wait_with_output().expect("it ends");
        let err = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "stakes {line}: {err}");
        assert_eq!(err, "", "stakes {line}");
    }
}

#[test]
fn the_help_of_each_command_names_its_flags() {
    let folder = Folder::new();
    let columns = "--list --impact --id --group --weight --price --time --drop --categorical \
                   --numeric --missing-impact --format --threads";
    let cases = [
        ("--help", "evaluate convert generate metrics inspect --threads --version"),
        ("evaluate --help", columns),
        (
            "evaluate --help",
            "--score --score-file --run --all-topics --metric --cost --k --policy --budget \
             --baseline --test --correction --level --interval --resamples --no-intervals \
             --seed --no-references --json --latex --per-list --curve --no-chart",
        ),
        ("convert --help", columns),
        ("convert --help", "--output --to"),
        ("generate --help", "storms search gaussians --output --to --seed"),
        ("generate storms --help", "--lists --networks --rows --tail --oracle --seed --output"),
        ("generate search --help", "--lists --mean-length"),
        ("generate gaussians --help", "--items --theorem"),
        ("metrics --help", "--short --json FILTER"),
        ("inspect --help", "--cost --k --json"),
    ];
    for (line, words) in cases {
        let out = folder.ok(line);
        for word in words.split_whitespace() {
            assert!(out.contains(word), "{word} is not in stakes {line}");
        }
    }
    // The first does not go the way of all other command lines; the last one does.
    let version = folder.ok("--version");
    assert!(version.starts_with("stakes "));
    assert_eq!((folder.ok("-V"), folder.ok("--quiet --version")), (version.clone(), version));
    assert!(folder.ok("evaluate --version").starts_with("stakes"));
}
