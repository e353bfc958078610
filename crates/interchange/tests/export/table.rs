//! The documentation's tables are made from the formats; a test says when they are old.

use std::fmt::Write;

use stakes_interchange::export::TARGETS;

use super::golden;

/// The kinds of models, with a golden file of each.
const KINDS: [(&str, &str); 8] = [
    ("sum of trees", "trees"),
    ("trees of a proven bound", "bound"),
    ("trees with categories", "classes"),
    ("two-part: products of links", "two-part"),
    ("blend: powers, calibration", "blend"),
    ("net with draws", "net"),
    ("scaled within lists", "linear"),
    ("re-ranking", "rerank"),
];

fn tables() -> String {
    let mut text = String::from(
        "| format | file | holds, besides sums of trees with missing values | precision | verified by |\n|---|---|---|---|---|\n",
    );
    for target in &TARGETS {
        let _ = writeln!(
            text,
            "| `{}` | {} (`.{}`) | {} | {} | {} |",
            target.name,
            target.writes,
            target.ending,
            target.holds,
            target.precision,
            target.verified_by
        );
    }
    text += "\n| model |";
    TARGETS.iter().for_each(|target| text += &format!(" {} |", target.name));
    text += "\n|---|";
    TARGETS.iter().for_each(|_| text += "---|");
    text += "\n";
    for (kind, name) in KINDS {
        let model = golden(name);
        let _ = write!(text, "| {kind} |");
        for target in &TARGETS {
            let holds = match (
                target.refusals(&model, false).is_empty(),
                target.refusals(&model, true).is_empty(),
            ) {
                (true, _) => "yes",
                (false, true) => "complete rows",
                (false, false) => "no",
            };
            let _ = write!(text, " {holds} |");
        }
        text += "\n";
    }
    text
}

#[test]
fn the_documentation_has_these_tables() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/interchange.md");
    let page = std::fs::read_to_string(path).unwrap();
    let (begin, end) = ("<!-- export tables -->\n", "<!-- end of export tables -->");
    let (before, rest) = page.split_once(begin).expect("a place for the tables");
    let (found, after) = rest.split_once(end).expect("an end of the tables");
    let made = tables();
    if found != made {
        if std::env::var_os("STAKES_WRITE_DOCS").is_some() {
            std::fs::write(path, format!("{before}{begin}{made}{end}{after}")).unwrap();
        } else {
            panic!("docs/interchange.md is old: run this test with STAKES_WRITE_DOCS=1");
        }
    }
}
