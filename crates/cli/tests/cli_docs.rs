//! The examples of the README and of the pages in `docs` are what the program prints.

use std::path::{Path, PathBuf};

use crate::common::{Folder, STORMS, real};

/// The README and all pages.
fn pages() -> Vec<PathBuf> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let docs = std::fs::read_dir(root.join("docs")).expect("docs");
    let mut pages: Vec<PathBuf> = docs.map(|entry| entry.expect("an entry").path()).collect();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages.insert(0, root.join("README.md"));
    pages
}

/// What stands between fences, with what the first fence says: `csv storms.csv`, `console`.
fn blocks(page: &str) -> Vec<(&str, &str)> {
    let inside = page.split("```").skip(1).step_by(2);
    inside.map(|block| block.split_once('\n').expect("a block of several lines")).collect()
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

/// Pages that need public data: the file, as the page calls it and as it is called among them.
const NEEDS: [(&str, &str, &str); 1] =
    [("from-log-to-plan.md", "outage.xlsx", "power-outages/outage.xlsx")];

/// A folder with the files that a page needs, or none if they are not at hand.
fn folder_for(page: &Path) -> Option<Folder> {
    let folder = Folder::new();
    for (_, name, public) in NEEDS.iter().filter(|(needs, ..)| page.ends_with(needs)) {
        folder.write(name, std::fs::read(real(public)?).expect("a public file"));
    }
    Some(folder)
}

/// A page is one session: its named blocks are files, its console blocks are run one after the
/// other, all in one folder.
#[test]
fn the_examples_of_all_pages() {
    let mut run = 0;
    for path in pages() {
        let page = std::fs::read_to_string(&path).expect("a page").replace("\r\n", "\n");
        let Some(folder) = folder_for(&path) else { continue };
        for (kind, content) in blocks(&page) {
            if let Some((_, name)) = kind.split_once(' ') {
                folder.write(name, content);
            }
            for (command, printed) in session(content).into_iter().filter(|_| kind == "console") {
                let (out, page) = (folder.ok(command), path.display());
                assert!(
                    same(printed, &out),
                    "{page}: stakes {command} prints\n{out}instead of\n{printed}"
                );
                run += 1;
            }
        }
    }
    assert!(run >= 5, "only {run} commands were found");
}

#[test]
fn the_tests_use_the_storms_of_the_readme() {
    let readme = std::fs::read_to_string(&pages()[0]).expect("README.md").replace("\r\n", "\n");
    assert!(blocks(&readme).contains(&("csv storms.csv", STORMS)));
}
