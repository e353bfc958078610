//! `stakes monitor`: exit codes, what is said, the JSON, old models, wrong data.

use serde_json::Value;

use crate::common::{Folder, ROLES, document, on_one_line};

/// A folder with a model `m.json` of `old.csv`, and `new.csv`: other lists of the same storms.
fn world() -> Folder {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("split s.csv {ROLES} --hold-out 40% -o old.csv new.csv -q"));
    folder.ok(&format!("train old.csv {ROLES} --time date -k 5 --learner ridge -o m.json -q"));
    folder
}

/// The lines of a CSV file with one column changed.
fn changed(folder: &Folder, column: &str, change: impl Fn(&str) -> String) -> String {
    let text = folder.text("new.csv");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    let place = header.split(',').position(|name| name == column).expect("the column");
    let line = |line: &str| {
        let mut cells: Vec<String> = line.split(',').map(str::to_owned).collect();
        cells[place] = change(&cells[place]);
        cells.join(",") + "\n"
    };
    format!("{header}\n{}", lines.map(line).collect::<String>())
}

#[test]
fn exit_codes_say_what_was_found() {
    let folder = world();
    let fine = folder.run("monitor m.json new.csv");
    assert_eq!(fine.code, 0, "{}{}", fine.out, fine.err);
    assert!(fine.out.starts_with("all well: "), "{}", fine.out);
    let silent = folder.run("monitor m.json new.csv --only-alarms");
    assert_eq!((silent.code, silent.out.as_str(), silent.err.as_str()), (0, "", ""));

    folder.write("late.csv", changed(&folder, "customers", |_| String::new()));
    for flags in ["", "--only-alarms", "--json", "-q"] {
        let found = folder.run(&format!("monitor m.json late.csv {flags}"));
        assert_eq!(found.code, 2, "{flags}: {}{}", found.out, found.err);
        assert!(found.out.contains("ALARM: "), "{flags}: {}", found.out);
    }
    let alarm = folder.run("monitor m.json late.csv");
    let first = alarm.out.lines().next().unwrap_or_default();
    assert!(first.starts_with("ALARM: ") && first.contains("customers"), "{first}");
    let words = on_one_line(&alarm.out);
    assert!(words.contains("customers: 100 % missing, was 0 %: PSI "), "{words}");
    assert!(words.contains("-> look at the column customers and where it comes from"), "{words}");
    // Past no limit, however far.
    let line = "monitor m.json late.csv --max-psi 1000 --max-calibration 1e9 --max-drop 1";
    assert_eq!(folder.run(line).code, 0);

    // Errors are not alarms, wrong flags neither.
    for (line, words) in [
        ("monitor none.json new.csv", "none.json"),
        ("monitor m.json none.csv", "none.csv"),
        ("monitor m.json new.csv --max-pis 0.1", "unexpected argument '--max-pis'"),
        ("-q monitor m.json", "required"),
        ("monitor m.json new.csv --max-psi -1", "the limit of `psi` is -1; it must be at least 0"),
        ("monitor m.json new.csv --group region", "--group region has no effect here"),
    ] {
        let refused = folder.run(line);
        assert_eq!(refused.code, 1, "{line}: {}{}", refused.out, refused.err);
        assert!(on_one_line(&refused.err).contains(words), "{line}: {}", refused.err);
        assert_eq!(refused.out, "", "{line}");
    }
    assert_eq!(folder.run("monitor --help").code, 0);
}

#[test]
fn lists_without_costs_are_compared_all_the_same() {
    let folder = world();
    let text = folder.text("new.csv");
    let place = |line: &str| line.split(',').position(|name| name == "customers_out");
    let place = place(text.lines().next().expect("a header")).expect("the impact");
    let without = |line: &str| {
        let cells = line.split(',').enumerate().filter(|(at, _)| *at != place);
        cells.map(|(_, cell)| cell).collect::<Vec<_>>().join(",") + "\n"
    };
    folder.write("next.csv", text.lines().map(without).collect::<String>());
    let found = folder.run("monitor m.json next.csv");
    assert_eq!(found.code, 0, "{}{}", found.out, found.err);
    assert!(on_one_line(&found.err).contains("neither expected nor saved costs can be checked"));
    assert!(!found.out.contains("OUTCOMES") && found.out.contains("DRIFT"), "{}", found.out);
}

#[test]
fn the_json_is_the_contract() {
    let folder = world();
    folder.ok(&format!(
        "train old.csv {ROLES} --time date -k 5 --learner mart --rounds 5 -o p.json -q"
    ));
    let found = document(&folder.ok("monitor m.json new.csv --previous p.json --json"));
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/monitor.md"));
    let page = page.expect("the page of the contract");
    let mut names = Vec::new();
    collect(&found, &mut names);
    names.sort();
    names.dedup();
    for name in &names {
        assert!(page.contains(&format!("`{name}`")), "docs/monitor.md does not explain `{name}`");
    }
    assert_eq!(found["alarms"], Value::Array(vec![]));
    let psi = |one: &Value| one["psi"].as_f64().expect("an index");
    let weight = |one: &Value| psi(one) * one["importance"].as_f64().expect("a share");
    let features = found["features"].as_array().expect("features");
    assert!(features.is_sorted_by(|a, b| weight(a) >= weight(b)));
    assert!(features.len() > 50 && psi(&found["scores"]) >= 0.0);
    let churn = found["churn"]["between_models"].as_f64().expect("a share");
    assert!((0.0..=1.0).contains(&churn));
    let saved = &found["outcomes"]["saved"];
    assert_eq!(saved["metric"], "rcs@5");
    assert!(saved["then"]["value"].is_number() && saved["drop"].is_number(), "{saved}");
    // The same at any number of threads.
    let line = "monitor m.json new.csv --json";
    assert_eq!(
        folder.ok(&format!("{line} --threads 1")),
        folder.ok(&format!("{line} --threads 3"))
    );
}

/// The names of all fields but those of notes, which have their own.
fn collect(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                names.push(name.clone());
                if name != "notes" {
                    collect(value, names);
                }
            }
        }
        Value::Array(values) => values.iter().for_each(|value| collect(value, names)),
        _ => {}
    }
}

#[test]
fn models_of_older_versions_need_lists_to_compare_with() {
    let folder = world();
    let json = folder.text("m.json");
    let at = json.find(",\n  \"profile\"").expect("the profile");
    folder.write("old.json", format!("{}\n}}\n", &json[..at]));
    let refused = folder.run("monitor old.json new.csv");
    assert_eq!(refused.code, 1);
    let words = on_one_line(&refused.err);
    assert!(words.contains("the model keeps nothing of what its training looked like"), "{words}");
    assert!(words.contains("--reference FILE"), "{words}");
    let given = folder.run("monitor old.json new.csv --reference old.csv");
    assert_eq!(given.code, 0, "{}{}", given.out, given.err);
    let words = on_one_line(&given.err);
    assert!(words.contains("the drift of scores cannot be told"), "{words}");
    assert!(given.out.contains("(old.csv)"), "{}", given.out);
    // Ranking and all else do as before.
    assert_eq!(folder.ok("rank old.json new.csv -q"), folder.ok("rank m.json new.csv -q"));
}

#[test]
fn wrong_data_are_refused() {
    let folder = world();
    folder.write("other.csv", "storm,network,wind\n1,a,3\n");
    let refused = folder.run("monitor m.json other.csv");
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(refused.err.contains("other.csv"), "{}", refused.err);
    folder.write("empty.csv", "");
    assert_eq!(folder.run("monitor m.json empty.csv").code, 1);
    let no_ids = changed(&folder, "network", |_| String::new()).replacen("network", "", 1);
    folder.write("no_ids.csv", no_ids);
    let refused = folder.run("monitor m.json no_ids.csv --max-churn 0.5");
    assert_eq!(refused.code, 1, "{}", refused.out);
    assert!(on_one_line(&refused.err).contains("churn has a limit and cannot be measured"));
}
