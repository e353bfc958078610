//! `stakes generate`: a seed is a promise.

use crate::common::Folder;

/// Every generator, small.
const SMALL: &[&str] = &[
    "storms --lists 5 --networks 20 --rows 60",
    "storms --lists 5 --networks 20 --rows 60 --tail compound",
    "storms --lists 5 --networks 20 --rows 60 --tail tempered",
    "storms --lists 5 --networks 20 --rows 60 --oracle",
    "search --lists 4 --mean-length 6",
    "gaussians --items 50",
    "gaussians --theorem",
];

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = Folder::new();
    for what in SMALL {
        let one = folder.ok(&format!("generate {what} --seed 7"));
        assert_eq!(folder.ok(&format!("generate {what} --seed 7 --threads 1")), one, "{what}");
        assert_ne!(folder.ok(&format!("generate {what} --seed 8")), one, "{what}");
        assert_eq!(
            folder.ok(&format!("generate {what}")),
            folder.ok(&format!("generate {what} --seed 1"))
        );
        assert!(one.lines().count() > 10 && !one.contains("NaN") && !one.contains("inf"), "{what}");
    }
}

#[test]
fn files_of_every_format_hold_the_same() {
    let folder = Folder::new();
    let what = "generate search --lists 4 --mean-length 6";
    let csv = folder.ok(what);
    for name in ["s.parquet", "s.arrow", "s.tsv", "s.csv.gz"] {
        let ran = folder.run(&format!("{what} -o {name}"));
        assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
        // The note says how to read the file; its words are used as they stand.
        let roles = ran.err.split("read it with").nth(1).expect("how to read it").trim();
        assert_eq!(folder.ok(&format!("convert {name} {roles} -o -")), csv, "{name}");
    }
    folder.ok(&format!("{what} -o s.txt"));
    assert!(folder.ok("convert s.txt -o -").starts_with("qid,"));
}

#[test]
fn generated_data_can_be_evaluated() {
    let folder = Folder::new();
    let ran = folder.run("generate storms --lists 12 --networks 30 --rows 240 --oracle -o s.csv");
    let roles = ran.err.split("read it with").nth(1).expect("how to read it").trim().to_owned();
    let oracle = folder.text("s.csv");
    let header = oracle.lines().next().unwrap_or_default();
    let oracle = header.split(',').find(|name| name.contains("expected")).expect("the oracle");
    let study = folder.json(&format!("evaluate s.csv {roles} --score {oracle} --metric rcs@5"));
    let value = |score: &str| study.value(score, "rcs@5");
    assert!(value(oracle) > value("random"), "{} {}", value(oracle), value("random"));
}

#[test]
fn few_storms_have_few_rows_without_being_told() {
    let out = Folder::new().ok("generate storms --lists 3 --networks 10");
    assert_eq!(out.lines().count(), 1 + 30);
}

#[test]
fn parameters_out_of_bounds_are_refused() {
    let folder = Folder::new();
    let cases = [
        ("storms --lists 0", 1, "storms: lists is 0, allowed is 1 to"),
        ("storms --rows 1", 1, "storms: rows is 1, allowed is 1500 to 360000 (5 to 1200 networks"),
        ("storms --lists 3 --rows 100000", 1, "in each of 3 storms)"),
        ("storms --networks 0", 1, "storms: networks is 0, allowed is"),
        ("search --lists 0", 1, "search: lists is 0, allowed is"),
        ("search --mean-length nan", 1, "allowed is 1 to"),
        ("search --mean-length 1e9", 1, "allowed is 1 to"),
        ("gaussians --items 3", 1, "gaussians: items is 3, allowed is"),
        ("gaussians --items 99999999999", 1, "gaussians: items is 99999999999, allowed is"),
        ("storms --lists -1", 2, "'-1'"),
        ("storms --lists many", 2, "invalid value 'many' for '--lists <N>'"),
        ("storms --tail fat", 2, "[possible values: hurdle, compound, tempered]"),
        ("storms --seed -1", 2, "'-1'"),
        ("storms --to xls", 2, "there is no format `xls`"),
        ("gaussians --items 50 -o nowhere/x.csv", 1, "the folder does not exist"),
        ("gaussians --items 50 -o x.xls", 1, "x.xls: unknown file extension"),
    ];
    for (what, code, words) in cases {
        let ran = folder.run(&format!("generate {what}"));
        assert_eq!((ran.code, ran.out.as_str()), (code, ""), "{what}: {}", ran.err);
        assert!(ran.err.starts_with("error: ") && ran.err.contains(words), "{what}: {}", ran.err);
        assert!(folder.names().is_empty(), "{what} left a file behind");
    }
}
