//! Files that are cut or changed are refused or read, and never panic.

use proptest::prelude::*;
use stakes_interchange::import::{ImportOptions, SOURCES};

use super::{content, folder, import};

fn models() -> Vec<(String, Vec<u8>)> {
    let entries = std::fs::read_dir(folder()).expect("a folder");
    let names =
        entries.map(|entry| entry.expect("a file").file_name().into_string().expect("a name"));
    let mut names: Vec<String> =
        names.filter(|name| !["make.py", "rows.json", "scores.json"].contains(&&**name)).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), content(&name))).collect()
}

#[test]
fn truncated_files_are_refused() {
    for (name, content) in models() {
        // After the trees of LightGBM only records follow.
        let text = String::from_utf8_lossy(&content);
        let end = text.find("end of trees").unwrap_or(content.trim_ascii_end().len());
        for length in (0..end).step_by(37) {
            let cut = &content[..length];
            assert!(import(cut).is_err(), "{name} of {length} bytes is read");
            for source in SOURCES {
                let options = ImportOptions { source: Some(source), ..ImportOptions::default() };
                let result = stakes_interchange::import::import(cut, "m", &options);
                assert!(result.is_err(), "{name} of {length} bytes is read as {}", source.name);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2000))]
    #[test]
    fn changed_files_do_not_panic(
        which in any::<prop::sample::Index>(),
        changes in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..4),
        digits in any::<bool>(),
    ) {
        let models = models();
        let (_, mut content) = which.get(&models).clone();
        for (at, byte) in changes {
            let at = at.index(content.len());
            // Digits make other numbers, other bytes mostly what is no file at all.
            content[at] = if digits { b'0' + byte % 10 } else { byte };
        }
        if let Ok(imported) = import(&content) {
            let row = vec![0.5; imported.model.features.len()];
            prop_assert!(imported.model.scorer.score(&row).is_finite());
            let json = imported.model.to_json();
            prop_assert!(stakes_model::Model::from_json(json.as_bytes(), "m").is_ok());
        }
    }
}
