//! Reproductions as one Markdown document.

use std::fmt::Write;

use super::page::{rows, titles};
use super::report::{Claim, PaperTable, Reproduced};

/// The document of these reproductions; pictures are looked for in the folder `pictures`, a path from the
/// document.
pub fn document(all: &[Reproduced], pictures: &str) -> String {
    let mut text = String::from(
        "# The papers' experiments, made again\n\
         Made by `make reproduction`. Every table has what the paper prints, what this software finds with the\n\
         settings of the paper (`--as-in-paper`), the difference, and further figures beside it. Claims are counted,\n\
         not assumed; where data or protocol differ from the paper's, a remark says so.\n\n",
    );
    text += "| paper | claims | seconds of training |\n|---|---|---|\n";
    for found in all {
        let _ = writeln!(
            text,
            "| [{}](#{}) | {} | {:.0} |",
            found.paper.authors(),
            anchor(found.paper.authors()),
            found.tally(),
            found.seconds
        );
    }
    all.iter().for_each(|found| write(&mut text, found, pictures));
    text
}

/// How Markdown links to a heading.
fn anchor(heading: &str) -> String {
    let kept = heading.to_lowercase().replace(' ', "-");
    kept.chars().filter(|c| c.is_alphanumeric() || *c == '-').collect()
}

fn write(text: &mut String, found: &Reproduced, pictures: &str) {
    let _ = writeln!(text, "\n## {}\n{}", found.paper.authors(), found.reference);
    for paragraph in &found.protocol {
        let _ = writeln!(text, "\n{paragraph}");
    }
    text.push_str("\n### Claims\n| the paper says | here | |\n|---|---|---|\n");
    for Claim { says, found, held } in &found.claims {
        let _ = writeln!(text, "| {} | {} | {} |", cell(says), cell(found), held.word());
    }
    for table in &found.tables {
        write_table(text, table);
    }
    for picture in &found.pictures {
        let _ = writeln!(text, "\n![{}]({pictures}/{}.svg)", picture.title, picture.name);
    }
    if !found.missing.is_empty() {
        text.push_str("\n### Not run\n");
        for missing in &found.missing {
            let _ = writeln!(text, "- {missing}");
        }
    }
}

fn write_table(text: &mut String, table: &PaperTable) {
    let titles = titles(table);
    let _ = writeln!(text, "\n### {}\n| {} |", table.title, titles.join(" | "));
    let _ = writeln!(text, "|---|{}", "---:|".repeat(titles.len() - 1));
    for row in rows(table) {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    for remark in &table.remarks {
        let _ = writeln!(text, "\n{remark}");
    }
}

/// Text within a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
