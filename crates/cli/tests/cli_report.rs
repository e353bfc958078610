//! `stakes report`: a page to decide from.

use crate::common::{Folder, document};

fn world() -> Folder {
    let folder = Folder::new();
    folder.ok("generate storms --lists 60 --rows 2400 -q -o storms.csv");
    let roles = "--list storm --impact customers_out --id network --price crew_hours --time date";
    folder.ok(&format!("split storms.csv {roles} --hold-out 30% -q -o older.csv newest.csv"));
    folder.ok(&format!(
        "train older.csv {roles} --drop settlement -k 5 --learner two-part --rounds 20 -q -o model.json"
    ));
    folder
}

#[test]
fn a_model_and_lists_become_one_page() {
    let folder = world();
    let ran = folder.run("report model.json newest.csv --current customers -o report.html");
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    assert!(ran.err.contains("report.html written"), "{}", ran.err);
    let page = folder.text("report.html");
    assert!(page.starts_with("<!doctype html>") && page.trim_end().ends_with("</html>"));
    assert!(
        page.contains("default-src &#39;none&#39;"),
        "the page asks for nothing from elsewhere"
    );
    assert!(!page.contains("src=") && !page.contains("<link"));
    // The verdict is that of the figures, and the same command makes the same bytes.
    let json = document(&folder.ok("report model.json newest.csv --current customers --json"));
    let verdict = json["verdict"]["sentences"][0].as_str().expect("a sentence");
    assert!(page.contains(verdict), "{verdict}");
    assert!(
        verdict.contains("Acting on 5 networks in each of the 18 storms of newest.csv"),
        "{verdict}"
    );
    folder.ok("report model.json newest.csv --current customers --threads 1 -q -o again.html");
    assert!(folder.bytes("again.html") == folder.bytes("report.html"), "at any thread count");
}

#[test]
fn results_of_other_commands_have_their_sections() {
    let folder = world();
    let roles =
        "--list storm --impact customers_out --id network --time date --drop settlement,crew_hours";
    let learners = "-k 5 --learners ridge,mart --current customers";
    let compared = folder.ok(&format!("compare older.csv {roles} {learners} --folds 3 --json -q"));
    folder.write("compared.json", &compared);
    let tested =
        folder.ok(&format!("backtest older.csv {roles} {learners} --folds time:2 --json -q"));
    folder.write("backtested.json", &tested);
    folder.ok("plan newest.csv --model model.json --budget 60 --json -q -o plan.json");
    let audited = folder.ok(
        "audit newest.csv --group settlement --score customers --list storm --impact customers_out -k 5 --json -q",
    );
    folder.write("audit.json", &audited);
    folder.ok("report compared.json backtested.json plan.json audit.json -q -o results.html");
    let page = folder.text("results.html");
    let sentence =
        document(&compared)["verdict"][0].as_str().expect("a verdict").replace('\'', "&#39;");
    for wanted in [
        "Comparison of learners",
        "Period after period",
        "The plan",
        "How groups are treated",
        &sentence,
    ] {
        assert!(page.contains(wanted), "no {wanted}");
    }
    // And beside a model, with plans and groups.
    let ran = folder.run(
        "report model.json newest.csv compared.json --plan budget=60 --group settlement --title 'Crews <1>' -o all.html",
    );
    assert_eq!(ran.code, 0, "{}", ran.err);
    let page = folder.text("all.html");
    assert!(
        page.contains("<title>Crews &#60;1&#62;</title>")
            && page.contains("How groups are treated")
    );
}

#[test]
fn only_lists_that_can_judge_the_model_do() {
    let folder = world();
    let json = document(&folder.ok("report model.json older.csv --json -q"));
    // The newest fifth was held out; the others were learnt from, and no model that did not see them has scored them.
    let (of, cautions) = (json["verdict"]["lists"].as_u64(), json["cautions"].to_string());
    assert_eq!(of, Some(8), "{cautions}");
    let said =
        "Of 42 lists 8 are judged by models that had not seen them, and the other 34 are left out";
    assert!(cautions.contains(said), "{cautions}");
    assert_eq!(json["curve"]["lists"], 8);
}

#[test]
fn what_cannot_be_reported_is_said() {
    let folder = world();
    folder.write("some.json", "{\"a\": 1}");
    for (line, wanted) in [
        ("report model.json", "name the lists to rank as well"),
        ("report newest.csv", "name the model that ranks it as well"),
        ("report model.json model.json newest.csv", "are both models"),
        ("report model.json newest.csv older.csv", "are both data"),
        ("report some.json", "neither a model nor the JSON of"),
        ("report model.json newest.csv -o report.pdf", "ends in .html"),
        ("report model.json newest.csv --plan budget", "a limit is NAME=AMOUNT"),
        ("report model.json newest.csv --plan crew_hours=3", "a budget or a number of items"),
        ("report model.json newest.csv --plan k=1.5", "k is a number of items"),
        ("report model.json newest.csv --budget -1", "must be a finite number above 0"),
        ("report model.json newest.csv --group colour", "colour"),
        ("report model.json newest.csv --current colour", "colour"),
        ("report model.json missing.csv", "missing.csv"),
        ("report some.json -k 3", "-k goes with a model and lists"),
    ] {
        let ran = folder.run(line);
        assert_eq!(ran.code, 1, "{line}: {}", ran.err);
        assert!(ran.err.contains(wanted), "{line}: {}", ran.err);
        assert!(!folder.names().iter().any(|name| name.ends_with(".html")), "{line} left a page");
    }
}
