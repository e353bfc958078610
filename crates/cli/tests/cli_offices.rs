//! Files as offices have them: workbooks in and out.

use crate::common::Folder;

#[test]
fn every_command_takes_and_writes_workbooks() {
    let folder = Folder::new();
    folder.ok("generate storms --lists 30 --rows 900 --quiet -o storms.xlsx");
    folder.ok("init storms.xlsx --quiet");
    folder.ok("inspect storms.xlsx");
    folder.ok("split storms.xlsx -o older.xlsx newest.xlsx");
    folder.ok("train older.xlsx --learner ridge --hold-out 6 --quiet -o model.json");
    for name in ["plan.xlsx", "plan.parquet", "plan.arrow", "plan.csv"] {
        folder.ok(&format!("rank model.json newest.xlsx -o {name}"));
    }
    folder.ok("convert plan.xlsx -o from-xlsx.csv --config none");
    folder.ok("convert plan.parquet -o from-parquet.csv --config none");
    assert_eq!(folder.text("from-xlsx.csv"), folder.text("from-parquet.csv"));
    assert!(folder.text("from-xlsx.csv").starts_with("list,rank,id,score,act"));
    folder.ok("rank model.json newest.xlsx -o order.run");
    assert!(folder.text("order.run").lines().all(|line| line.split(' ').count() == 6));
    folder.ok("plan newest.xlsx --model model.json -k 3 -o chosen.xlsx");
    assert!(folder.bytes("chosen.xlsx").starts_with(b"PK"));
    folder.ok("evaluate newest.xlsx --model model.json");
    let refused = folder.run("rank model.json newest.xlsx --top 3 -o order.run");
    assert!(refused.err.contains("scores alone are written for every row"), "{}", refused.err);
}

#[test]
fn old_workbooks_are_refused_with_advice() {
    let folder = Folder::new();
    folder.write("old.xls", [0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1, 0, 0]);
    folder.write("text.xlsx", "a,b\n1,2\n");
    folder.write("cut.xlsx", b"PK\x03\x04 and no more");
    for (name, words) in [
        ("old.xls", "save it as .xlsx without a password"),
        ("text.xlsx", "named as an Excel workbook, and is none"),
        ("cut.xlsx", "damaged or truncated"),
    ] {
        let ran = folder.run(&format!("inspect {name}"));
        assert!(ran.code == 1 && ran.err.contains(words), "{}", ran.err);
    }
}

#[test]
fn a_list_may_be_named_by_its_time() {
    let folder = Folder::new();
    let mut text = String::from("day;unit;damage;wind\n");
    for day in 1..=20 {
        for unit in 0..4 {
            text +=
                &format!("{day:02}.07.2011;u{unit};{},5;{}\n", day * unit, (day * 7 + unit) % 5);
        }
    }
    folder.write("log.csv", text);
    let roles = "--list day --time day --impact damage --id unit";
    let ran = folder.run(&format!("split log.csv {roles} --hold-out 25% -o old.csv new.csv"));
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(ran.err.contains("new.csv holds the latest lists"), "{}", ran.err);
    assert!(ran.err.contains("read as numbers with decimal commas: damage"), "{}", ran.err);
    assert!(folder.text("new.csv").starts_with("day,unit,damage,wind\n2011-07-16,u0,0.5,"));
    folder.ok(&format!("train old.csv {roles} --learner ridge -o m.json --quiet"));
}
