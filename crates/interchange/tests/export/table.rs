//! The documentation's tables are made from the formats; a test says when they are old.

use std::fmt::Write;

use stakes_interchange::export::TARGETS;
use stakes_model::{Input, Link, ListScaling, Model};

use super::golden;

/// The kinds of models, with one of each.
fn kinds() -> [(&'static str, Model); 12] {
    let linked = |link: Link| {
        let mut model = golden("trees");
        model.scorer.factors[0].link = link;
        model
    };
    let linear = Model { list_scaling: ListScaling::None, ..golden("linear") };
    let mut net = golden("net");
    if let Some(net) = &mut net.scorer.factors[0].net {
        net.inputs[2] = Input::Missing { feature: 0 };
    }
    [
        ("sum of trees", golden("trees")),
        ("exp of a sum", linked(Link::Exp)),
        ("logistic of a sum", linked(Link::Logistic)),
        ("trees with categories", golden("classes")),
        ("two-part: a product of links", golden("two-part")),
        ("blend: powers, calibration", golden("blend")),
        ("linear score", linear),
        ("net", net),
        ("net with draws", golden("net")),
        ("numbers scaled within lists", golden("linear")),
        ("re-ranking", golden("rerank")),
        ("missing values that go as 0 does", golden("bound")),
    ]
}

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
    for (kind, model) in kinds() {
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
