//! `stakes convert`: from format to format, values kept.

use crate::common::{Folder, STORMS};

/// Awkward values: shortest and longest digits, missing ones, quotes, blanks, commas.
const AWKWARD: &str = "list,id,y,x,colour,third
b,1,0.1,1e-7,red,0.33333334
a,2,100000.5,,\"blue, or \"\"green\"\"\",-1.5
b,3,0,16777216,,2
";

fn columns(text: &str, separator: char) -> Vec<Vec<String>> {
    let rows = text.lines().map(|line| line.split(separator).map(str::to_owned).collect());
    rows.collect()
}

#[test]
fn through_every_table_format_and_back() {
    let folder = Folder::new();
    folder.write("a.csv", AWKWARD);
    let roles = "--list list --id id --impact y";
    folder.ok(&format!("convert a.csv {roles} -o first.csv"));
    let mut from = "first.csv".to_owned();
    for to in ["b.parquet", "c.arrow", "d.tsv", "e.tsv.gz", "f.feather", "g.pq", "h.csv.gz"] {
        folder.ok(&format!("convert {from} {roles} -o {to}"));
        from = to.to_owned();
    }
    folder.ok(&format!("convert {from} {roles} -o last.csv"));
    assert_eq!(folder.text("last.csv"), folder.text("first.csv"));
    // Rows of a list stand together; values are as they were.
    let rows = folder.text("first.csv");
    assert!(rows.starts_with("list,id,y,x,colour,third\nb,1,0.1,"), "{rows}");
    assert!(rows.contains("\"blue, or \"\"green\"\"\""), "{rows}");
    assert!(rows.contains("16777216"), "{rows}");
}

/// Numbers that 32 bits would round, codes, names, an empty column.
const PRECISE: &str = "user,time,pi,zip,tweet,name,none,y
1,964982703,3.141592653589793,00501,9007199254740993,ann,,2
1,964982704,0.1,10001,9007199254740992,bob,,1
2,123456789,1e300,90210,,,,0
2,123456790,,,1,\"x, y\",,0.30000000000000004
";

#[test]
fn numbers_without_a_role_keep_all_their_digits() {
    let folder = Folder::new();
    folder.write("a.csv", PRECISE);
    for roles in ["", "--list user", "--list user --impact y", "--numeric pi --impact y"] {
        let mut from = "a.csv".to_owned();
        for to in ["b.parquet", "c.tsv.gz", "d.arrow", "e.csv", "f.parquet", "g.csv"] {
            folder.ok(&format!("convert {from} {roles} -o {to}"));
            from = to.to_owned();
        }
        // Columns where they were, too.
        assert_eq!(folder.text("g.csv"), PRECISE, "{roles}");
    }
    let ran = folder.run("convert a.csv -o a.tsv");
    assert_eq!(ran.err, "note: 4 items in 1 list, 8 columns written to a.tsv\n");
}

#[test]
fn letor_has_32_bits() {
    let folder = Folder::new();
    folder.write("a.csv", "y,x,t\n1,0.1,964982703\n");
    folder.ok("convert a.csv --impact y -o a.svm");
    assert_eq!(folder.text("a.svm"), "1 1:0.1 2:964982700\n");
    assert_eq!(folder.ok("convert a.csv --impact y -o - --to letor"), folder.text("a.svm"));
    assert!(folder.ok("convert --help").contains("32-bit"));
}

#[test]
fn csv_to_letor_to_tsv() {
    let folder = Folder::new();
    folder.write("a.csv", STORMS.replace("City ", "C").replace("Rural ", "R"));
    folder.ok("convert a.csv --list storm --id network --impact customers -o a.parquet");
    folder.ok("convert a.parquet --list storm --id network --impact customers -o a.arrow");
    folder.ok("convert a.arrow --list storm --id network --impact customers -o a.letor");
    assert!(
        folder.text("a.letor").starts_with("10000 qid:1 1:5 2:14 #"),
        "{}",
        folder.text("a.letor")
    );
    folder.ok("convert a.letor -o a.tsv");
    let (before, after) = (folder.text("a.csv"), folder.text("a.tsv"));
    let (before, after) = (columns(&before, ','), columns(&after, '\t'));
    assert_eq!(after[0], ["qid", "docid", "label", "1", "2"]);
    for (before, after) in before.iter().zip(&after).skip(1) {
        // storm, network, cable, wind, customers -> qid, docid, label, 1, 2
        let expected = [0, 1, 4, 2, 3].map(|i| before[i].clone());
        assert_eq!(*after, expected);
    }
}

#[test]
fn to_stdout_and_from_stdin() {
    let folder = Folder::with_storms();
    // The table is on stdout, and nothing else is.
    assert_eq!(folder.ok("convert storms.csv -o -"), STORMS);
    let ran = folder.run_with("convert - -o - --to tsv", STORMS);
    assert_eq!(ran.err, "");
    assert_eq!(ran.out, STORMS.replace(',', "\t"));
    let ran = folder.run("convert storms.csv -o x.tsv");
    assert_eq!(ran.out, "");
    assert!(ran.err.starts_with("note: 6 items in"), "{}", ran.err);
}

#[test]
fn an_existing_file_is_replaced_only_by_a_complete_one() {
    let folder = Folder::with_storms();
    folder.write("out.csv", "precious\n");
    folder.write("bad.csv", "a,b\n1,2\n3\n");
    assert_eq!(folder.run("convert bad.csv -o out.csv").code, 1);
    assert_eq!(folder.text("out.csv"), "precious\n");
    folder.ok("convert storms.csv -o out.csv");
    assert_eq!(folder.text("out.csv"), STORMS);
}

#[test]
fn columns_can_be_left_out_and_named() {
    let folder = Folder::with_storms();
    let out = folder.ok("convert storms.csv --list storm --drop wind,network -o -");
    assert!(out.starts_with("storm,cable,customers\n1,5,10000\n"), "{out}");
}

#[test]
fn to_trec_and_back() {
    let folder = Folder::with_storms();
    let line = "convert storms.csv --list storm --impact customers --id wind";
    folder.ok(&format!("{line} --to qrels -o storms.qrels"));
    folder.ok(&format!("{line} --to run --score cable -o cable.run"));
    assert_eq!(folder.text("storms.qrels").lines().next(), Some("1 0 14 10000"));
    assert_eq!(folder.text("cable.run").lines().next(), Some("1 Q0 14 1 5 cable"));
    let study = folder.json("evaluate storms.qrels --run cable.run --metric rcs@2");
    crate::common::assert_near(study.value("cable", "rcs@2"), 0.990_148_268_558_199_2);
    let refused = folder.run(&format!("{line} --to run -o x.run"));
    assert!(refused.err.contains("--to run needs --score"), "{}", refused.err);
    let refused = folder.run(&format!("{line} --score cable -o x.csv"));
    assert!(refused.err.contains("it goes with --to run"), "{}", refused.err);
}
