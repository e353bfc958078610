//! `stakes reproduce`: papers by name, documents, and what is refused.

use crate::common::{Folder, document, on_one_line};

#[test]
fn worked_examples_are_as_printed() {
    let folder = Folder::new();
    let found = document(&folder.ok("reproduce furnkranz --json --markdown papers.md"));
    let rows = found[0]["tables"][0]["rows"].as_array().expect("rows").clone();
    assert_eq!(rows.len(), 9);
    let differs = |row: &&serde_json::Value| {
        let ours = row["ours"][0]["value"].as_f64().expect("ours");
        (ours - row["printed"]["value"].as_f64().expect("printed")).abs() > 5e-7
    };
    let slips: Vec<&serde_json::Value> = rows.iter().filter(differs).collect();
    // The slide gives items the weights of other items.
    assert_eq!(slips.len(), 1);
    assert_eq!(slips[0]["name"], "discounted error");
    let text = folder.text("papers.md");
    assert!(text.contains("| C-index | 0.625000 | 0.625000 | +0.000000 |"), "{text}");
    let page = folder.ok("reproduce furnkranz");
    assert!(page.contains("8 of 9 claims hold, 1 not"), "{page}");
}

#[test]
fn what_cannot_be_is_refused() {
    let folder = Folder::new();
    for (line, words) in [
        ("reproduce mcbrid", "no paper is called `mcbrid`; did you mean `mcbride`?"),
        ("reproduce he --data nowhere", "nowhere: there is no such folder of public data"),
        ("reproduce furnkranz --markdown papers.txt", "a Markdown document is called .md"),
        // Before any work: there are no data here, and that is not what is said.
        ("reproduce he --data . --markdown papers.txt", "a Markdown document is called .md"),
        ("reproduce he --data . --markdown nowhere/papers.md", "nowhere/papers.md"),
        ("reproduce rudin --time-limit 0", "--time-limit is 0; it must be more than 0"),
        ("reproduce he --data . --time-limit 5", "he has no exact searches; leave out"),
        ("reproduce furnkranz --run kept", "furnkranz trains nothing"),
        ("reproduce he --data .", "ohsumed"),
    ] {
        let ran = folder.run(line);
        assert_eq!(ran.code, 1, "{line}");
        assert!(on_one_line(&ran.err).contains(words), "{line}: {}", ran.err);
    }
    let ran = folder.run("reproduce rudin --data . --quick --time-limit 5");
    assert_eq!(ran.code, 2, "quick searches have their own limit: {}", ran.err);
    assert!(folder.names().is_empty(), "nothing is written: {:?}", folder.names());
}
