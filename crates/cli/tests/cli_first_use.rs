//! The first half hour: names of other programs are answered with ours, and what a newcomer would stumble
//! over is said.

use crate::common::{Folder, STORMS, on_one_line, real};

/// What a command line that must fail says.
fn refused(folder: &Folder, line: &str) -> String {
    let ran = folder.run(line);
    assert_ne!(ran.code, 0, "stakes {line}\n{}", ran.out);
    on_one_line(&ran.err)
}

#[test]
fn commands_of_other_programs_are_answered_with_ours() {
    let folder = Folder::new();
    for (theirs, ours) in [
        ("fit", "train"),
        ("predict", "rank"),
        ("score", "rank"),
        ("test", "evaluate"),
        ("eval", "evaluate"),
        ("describe", "inspect"),
        ("profile", "inspect"),
        ("cross_validate", "train --folds N"),
    ] {
        let err = refused(&folder, &format!("{theirs} storms.csv"));
        assert!(err.contains(&format!("did you mean `stakes {ours}`?")), "{theirs}: {err}");
        assert!(!err.contains("similar"), "{theirs}: {err}");
    }
}

#[test]
fn flags_of_other_programs_are_answered_with_ours() {
    let folder = Folder::new();
    for (theirs, ours) in [
        ("--cv 5", "did you mean `--folds 5`?"),
        ("--cv=5", "did you mean `--folds 5`?"),
        ("--random-state 7", "did you mean `--seed 7`?"),
        ("--random_seed 7", "did you mean `--seed 7`?"),
        ("--test-size 0.2", "did you mean `--hold-out 0.2`?"),
        ("--target customers", "did you mean `--impact customers`?"),
        ("--y", "did you mean `--impact COLUMN`?"),
        ("--query storm", "did you mean `--list storm`?"),
        ("--ignore wind", "did you mean `--drop wind`?"),
        ("--n-jobs 2", "did you mean `--threads 2`?"),
        ("--eval-metric ndcg", "did you mean `--metric ndcg`?"),
        ("--n-estimators 50", "given with -p: -p rounds=50"),
        ("--early-stopping-rounds 9", "-p patience=9; the default learner, auto, chooses it"),
        ("--num-leaves 31", "others take it: --learner cs-mart -p leaves=31"),
        ("--data storms.csv", "DATA needs no flag: stakes train DATA"),
    ] {
        let err = refused(&folder, &format!("train storms.csv -o m.json {theirs}"));
        assert!(err.contains(ours), "{theirs}: {err}");
        assert!(!err.contains("similar"), "{theirs}: {err}");
    }
    let err = refused(&folder, "train s.csv --learner mart --num_leaves 31 -o m.json");
    assert!(err.contains("-p leaves=31") && !err.contains("chooses it itself"), "{err}");
    let err = refused(&folder, "rank --model m.json s.csv");
    assert!(err.contains("MODEL needs no flag: stakes rank MODEL DATA"), "{err}");
    let err = refused(&folder, "convert s.csv s.parquet");
    assert!(err.contains("to write to a file: -o s.parquet"), "{err}");
    // What a command does not have is not proposed to it.
    let err = refused(&folder, "rank m.json s.csv --cv 5");
    assert!(!err.contains("--folds"), "{err}");
}

#[test]
fn flags_of_the_same_name_need_no_answer() {
    let folder = Folder::with_storms();
    folder
        .ok("evaluate storms.csv --qid storm --label customers --score wind --metric precision@2");
}

#[test]
fn metrics_as_other_programs_write_them_are_answered_with_ours() {
    let folder = Folder::with_storms();
    for (theirs, ours) in [
        ("ndcg10", "ndcg@10"),
        ("NDCG_10", "ndcg@10"),
        ("ndcg-at-10", "ndcg@10"),
        ("ndcg_cut_10", "ndcg@10"),
        ("precision5", "p@5"),
        ("P_5", "p@5"),
    ] {
        let err = refused(
            &folder,
            &format!(
                "evaluate storms.csv --list storm --impact customers --score wind -m {theirs}"
            ),
        );
        assert!(err.contains(&format!("did you mean `{ours}`?")), "{theirs}: {err}");
    }
    // As deep as somebody may type it.
    let long = "1_".repeat(50_000);
    let err = refused(&folder, &format!("evaluate storms.csv --score wind -m {long}1"));
    assert!(err.contains("there is no metric"), "{err}");
}

#[test]
fn learners_of_other_libraries_are_answered_with_ours() {
    let folder = Folder::new();
    for (theirs, ours) in [
        ("lightgbm", "lambdamart"),
        ("XGBoost", "lambdamart"),
        ("catboost", "lambdamart"),
        ("rank:pairwise", "ranknet-mart"),
        ("gradient_boosting", "mart"),
        ("ExtraTrees", "random-forest"),
    ] {
        let err = refused(&folder, &format!("train s.csv -o m.json --learner {theirs}"));
        assert!(err.contains(&format!("did you mean `{ours}`?")), "{theirs}: {err}");
    }
}

#[test]
fn auto_says_that_it_chooses_parameters_and_who_takes_them() {
    let folder = Folder::with_storms();
    for given in ["-p num_leaves=31", "--leaves 31", "-p leaves=31"] {
        let err = refused(
            &folder,
            &format!("train storms.csv --list storm --impact customers -o m.json {given}"),
        );
        assert!(
            err.contains("it chooses the parameters of the learners that it blends; `leaves` is a")
                && err.contains("parameter of cs-mart, for example (--learner cs-mart)"),
            "{err}"
        );
    }
}

#[test]
fn a_default_k_that_is_all_of_most_lists_is_said() {
    let folder = Folder::with_storms();
    let roles = "storms.csv --list storm --impact customers";
    let all = "note: most lists have 3 items or fewer, so acting on 10 is acting on all: give -k\n";
    assert_eq!(folder.run(&format!("evaluate {roles} --score wind")).err, all);
    let trained = folder.run(&format!("train {roles} --learner ridge -o m.json"));
    assert!(trained.err.contains(all), "{}", trained.err);
    assert_eq!(folder.run(&format!("evaluate {roles} --score wind -k 2")).err, "");
    // Long lists: the default is only said.
    folder.ok("generate storms --lists 12 --rows 600 --seed 3 -q -o s.csv");
    let ran = folder.run("evaluate s.csv --list storm --impact customers_out --score customers");
    assert!(ran.err.contains("note: k = 10; say how many"), "{}", ran.err);
}

#[test]
fn lists_that_do_not_count_are_counted() {
    let folder = Folder::new();
    folder.write("storms.csv", format!("{STORMS}3,Sea 1,5,1,0\n3,Sea 2,4,2,0\n"));
    let line = "evaluate storms.csv --list storm --impact customers --score wind -k 2";
    let note = "note: 1 of 3 lists has no cost to save and does not count\n";
    assert_eq!(folder.run(line).err, note);
    assert_eq!(folder.run(&format!("{line} --json")).err, note);
    // Where such lists count, nothing is said.
    assert_eq!(folder.run(&format!("{line} --metric a")).err, "");
}

#[test]
fn init_names_the_other_columns_that_could_be_the_list() {
    let folder = Folder::new();
    let mut text = "storm,region,month,kind,customers\n".to_owned();
    for row in 0..60 {
        let kind = ["wet", "dry"][row % 2];
        text += &format!("s{},r{},{},{kind},{}\n", row % 6, row % 5, row % 4, row * row % 7);
    }
    folder.write("data.csv", &text);
    let shown = on_one_line(&folder.ok("init data.csv"));
    assert!(
        shown.contains(
            "storm: 6 values in 60 rows, by its name; also possible: month, region impact"
        ),
        "{shown}"
    );
    assert!(folder.text("stakes.toml").contains("; also possible: month, region\n"));
    // An amount is no list, whatever its name.
    let rows = text.lines().enumerate().map(|(row, line)| match row {
        0 => format!("{line},income_of_state,income_state\n"),
        row => format!("{line},{},{}\n", row % 7, row % 20),
    });
    folder.write("more.csv", rows.collect::<String>());
    let more = folder.ok("init more.csv -o - --impact customers");
    assert!(more.contains("; also possible: month, region\n"), "{more}");
    let given = folder.ok("init data.csv --list region -o -");
    assert!(!given.contains("also possible"), "{given}");
}

#[test]
fn init_says_that_no_column_is_the_list() {
    let folder = Folder::new();
    let row = |row: usize| format!("{},{},{}\n", ["wet", "dry"][row % 2], row % 3, row * row % 7);
    let rows: String = (0..30).map(row).collect();
    folder.write("data.csv", format!("kind,x,customers\n{rows}"));
    let shown = on_one_line(&folder.ok("init data.csv"));
    let why = "none, so the whole table is one list; by their names none of these is a list: kind";
    assert!(shown.contains(&format!("list {why} (name it: --list COLUMN)")), "{shown}");
    assert!(folder.text("stakes.toml").contains(&format!("# list: {why}\n")));
    folder.write("x.csv", "x,customers\n1,2\n3,4\n");
    let shown = on_one_line(&folder.ok("init x.csv --force"));
    assert!(shown.contains("one list; no column of text has values that repeat"), "{shown}");
}

/// By the rule of `init`.
#[test]
fn what_is_known_only_afterwards_is_said_before_training() {
    let folder = Folder::new();
    let mut text =
        "storm,network,wind,outage_duration,previous_outage_duration,customers\n".to_owned();
    for row in 0..60 {
        text += &format!("{},n{row},{},{},{},{}\n", row % 6, row % 7, row % 11, row % 5, row % 3);
    }
    folder.write("data.csv", &text);
    let roles = "--list storm --impact customers --id network -k 2 --config none";
    let train = format!("train data.csv {roles} --learner ridge -o m.json");
    let note = "note: outage_duration looks like something known only afterwards, which new lists do \
                not have: leave it out, unless known before acting (--drop outage_duration)\n";
    let ran = folder.run(&train);
    assert!(ran.code == 0 && ran.err.contains(note), "{}", ran.err);
    let dropped = folder.run(&format!("{train} --drop outage_duration"));
    assert!(!dropped.err.contains("afterwards"), "{}", dropped.err);
    let seen = on_one_line(&folder.ok(&format!("inspect data.csv {roles}")));
    assert!(seen.contains("By its name `outage_duration` is known only afterwards."), "{seen}");
    assert!(seen.contains("option --drop outage_duration"), "{seen}");
    let toml = folder.ok("init data.csv --impact customers -o -");
    assert!(toml.contains("\"outage_duration\",  # looks like an outcome"), "{toml}");
}

#[test]
fn a_workbook_is_recognised_whatever_its_name() {
    let folder = Folder::new();
    let zip = |name: &str, rest: &str| {
        [b"PK\x03\x04\x14\0\x06\0", name.as_bytes(), rest.as_bytes()].concat()
    };
    let excel = "this is an Excel workbook of the old kind (.xls), or one with a password; save it";
    let damaged = "the file is damaged or truncated";
    let open = "this is an OpenDocument workbook; save it as .xlsx, then give that file";
    for (file, bytes, words) in [
        ("w.xlsx", zip("[Content_Types].xml", "\u{1}"), damaged),
        ("w.csv", zip("[Content_Types].xml", "\u{1}"), damaged),
        ("w.xls", b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0".to_vec(), excel),
        ("w.ods", zip("mimetype", "application/vnd.oasis.opendocument.spreadsheet"), open),
        ("w.zip", zip("data.csv", "a,b"), "this is a ZIP archive; unpack it, then give the file"),
    ] {
        folder.write(file, bytes);
        for command in ["init", "inspect", "evaluate", "train -o m.json"] {
            let err = refused(&folder, &format!("{command} {file}"));
            assert!(err.contains(&format!("{file}: {words}")), "{command} {file}: {err}");
        }
    }
    if let Some(path) = real("power-outages/outage.xlsx") {
        let ran = folder.run(&format!("inspect {path}"));
        assert!(ran.err.contains("header found in row 6; 5 rows above it left out"), "{}", ran.err);
    }
}

#[test]
fn what_is_missing_names_the_option_that_decides() {
    let folder = Folder::new();
    folder.write("m.csv", "storm,t,customers,x\n1,2011,3,4\n1,,5,6\n1,2012,,6\n");
    let line = "evaluate m.csv --list storm --score x --brief";
    let err = refused(&folder, &format!("{line} --impact customers"));
    assert!(err.contains("m.csv:4 (list 1): customers is missing"), "{err}");
    assert!(err.ends_with("(--missing-impact drop, or zero)"), "{err}");
    let err =
        refused(&folder, "train m.csv --list storm --impact x --cost 'x * customers' -o m.json");
    assert!(err.ends_with("(--missing-impact drop, or zero)"), "{err}");
    folder.ok(&format!("{line} --impact customers --missing-impact drop"));
    let err = refused(&folder, &format!("{line} --impact x --time t"));
    assert!(err.contains("t is missing; every row needs one: fill it in, remove the row"), "{err}");
}
