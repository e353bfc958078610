//! The table of docs/interchange.md is that of the readers.

use std::path::Path;

use stakes_interchange::import::{SOURCES, Source};

#[test]
fn the_table_of_the_documentation() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/interchange.md");
    let text = std::fs::read_to_string(&path).expect("docs/interchange.md");
    for Source { name, written_by, reads, refuses, scores, verified, .. } in SOURCES {
        let row =
            format!("| `{name}` | {written_by} | {reads} | {refuses} | {scores} | {verified} |");
        assert!(text.contains(&row), "docs/interchange.md lacks the row\n{row}");
    }
}
