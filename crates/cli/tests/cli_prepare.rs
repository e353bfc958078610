//! `stakes prepare`, from a log to a model.

use crate::common::Folder;

/// Outages by day, state and customers: two states, sixteen months.
fn log() -> String {
    let mut text = String::from("START.DATE,STATE,CUSTOMERS.AFFECTED\n");
    for month in 0..16 {
        let (year, of_year) = (2010 + month / 12, month % 12 + 1);
        for (state, every) in [("Maine", 2), ("Texas", 1), ("Utah", 3), ("Iowa", 4), ("Ohio", 5)] {
            if month % every == 0 {
                let customers = 10 * (month + 1) * every;
                text += &format!("{of_year}/{}/{year},{state},\"{customers},000\"\n", 13 + every);
            }
        }
    }
    text
}

#[test]
fn a_log_is_prepared_and_trained_without_flags() {
    let folder = Folder::new();
    folder.write("outages.csv", log());
    folder.write("assets.csv", "STATE,poles\nMaine,5\nTexas,9\nUtah,1\nIowa,4\nOhio,3\nGuam,2\n");
    let command = "prepare outages.csv --list month:START.DATE --item STATE --sum CUSTOMERS.AFFECTED --fill-zeros \
                   --history 1,3,12 --join assets.csv -o panel.parquet --decimal point";
    let ran = folder.run(command);
    assert_eq!((ran.code, ran.out.as_str()), (0, ""), "{}", ran.err);
    for words in [
        "read as dates, the month first: START.DATE (`1/15/2010` is 2010-01-15)",
        "read as numbers: CUSTOMERS.AFFECTED (`20,000` is 20000)",
        "assets.csv: 1 of 6 rows had no event",
        "16 lists",
        "stakes train panel.parquet -o model.json",
    ] {
        assert!(ran.err.contains(words), "{words}\n{}", ran.err);
    }
    let config = folder.text("stakes.toml");
    for line in [
        "list = \"month\"",
        "id = \"STATE\"",
        "impact = \"sum.CUSTOMERS.AFFECTED\"",
        "time = \"month\"",
    ] {
        assert!(config.contains(line), "{config}");
    }
    folder.ok("train panel.parquet --learner ridge -o model.json --quiet");
    let ranked = folder.ok("rank model.json panel.parquet --list-id 2011-04 --top 1");
    assert!(ranked.starts_with("list,rank,id,score"), "{ranked}");
    // The same log gives the same bytes, and does not ask about its own stakes.toml.
    let bytes = folder.bytes("panel.parquet");
    folder.ok(command);
    assert!(folder.bytes("panel.parquet") == bytes);
}

#[test]
fn a_file_of_somebody_else_is_not_replaced() {
    let folder = Folder::new();
    folder.write("outages.csv", "date,state\n2011-07-01,a\n2011-08-01,b\n");
    folder.write("stakes.toml", "[goal]\nk = 3\n");
    let command = "prepare outages.csv --list month:date --item state --fill-zeros -o panel.csv";
    let ran = folder.run(command);
    assert!(ran.code == 1 && ran.err.contains("stakes.toml is there already"), "{}", ran.err);
    assert_eq!(folder.names(), ["outages.csv", "stakes.toml"]);
    folder.ok(&format!("{command} --force"));
    assert_eq!(
        folder.text("panel.csv"),
        "month,state,events\n2011-07,a,1\n2011-07,b,0\n2011-08,a,0\n2011-08,b,1\n"
    );
}

#[test]
fn what_is_wrong_is_said_with_the_flag() {
    let folder = Folder::new();
    folder.write("log.csv", "date,state,cost\n7/1/2011,a,\"1,234\"\n8/2/2011,b,5\n");
    let base = "prepare log.csv --item state -o p.csv";
    for (flags, words) in [
        ("--list month:date", "give --dates dmy or mdy"),
        ("--list month:date --dates mdy --sum cost", "give --decimal comma or point"),
        (
            "--list month:date --dates mdy --fill-zeros --max-rows 3",
            "4 rows of 2 events, and 3 are allowed",
        ),
        ("--list month:date --dates mdy --max-rows 3", "--max-rows is for rows of zeros"),
        ("--list state --sheet 2", "--sheet is for workbooks"),
    ] {
        let ran = folder.run(&format!("{base} {flags}"));
        assert!(ran.code == 1 && ran.err.contains(words), "{flags}: {}", ran.err);
    }
    assert_eq!(folder.names(), ["log.csv"]);
}

/// The first measure that is typed is the impact.
#[test]
fn measures_follow_what_was_typed() {
    for (flags, impact) in [
        ("--sum CUSTOMERS.AFFECTED --count", "sum.CUSTOMERS.AFFECTED"),
        ("--count --sum CUSTOMERS.AFFECTED", "events"),
        ("--max CUSTOMERS.AFFECTED --sum CUSTOMERS.AFFECTED", "max.CUSTOMERS.AFFECTED"),
    ] {
        let folder = Folder::new();
        folder.write("outages.csv", log());
        folder.ok(&format!(
            "prepare outages.csv --list month:START.DATE --item STATE {flags} --decimal point -o panel.csv"
        ));
        let config = folder.text("stakes.toml");
        assert!(config.contains(&format!("impact = \"{impact}\"")), "{flags}: {config}");
    }
}
