//! `stakes init`: a first stakes.toml, with reasons, and what follows from it.

use crate::common::{Folder, crime, real};

fn init(folder: &Folder, line: &str) -> String {
    folder.ok(&format!("init {line} -o -"))
}

fn has(text: &str, lines: &[&str]) {
    for line in lines {
        assert!(text.lines().any(|met| met.starts_with(line)), "no `{line}` in\n{text}");
    }
}

#[test]
fn the_file_is_written_beside_the_data_and_used_from_there() {
    let folder = Folder::new();
    std::fs::create_dir(folder.path("my data")).expect("a folder");
    folder.write("my data/storms.csv", crate::common::STORMS);
    let text = folder.ok("init 'my data/storms.csv'");
    assert_eq!(
        text,
        "COLUMNS\n  list        storm: 2 values in 6 rows, by its name\n  impact      customers: 0 \
         to 10,000, the last column\n  id          network: no value twice in a list, text\n\nGOAL\n  \
         k           1: a placeholder: how many of the items of a list, on average 3,\n              can be \
         acted on?\n\nwritten to my data/stakes.toml: read it, correct it, then\n  stakes inspect 'my \
         data/storms.csv'\n  stakes train 'my data/storms.csv' -o model.json\n"
    );
    has(
        &folder.text("my data/stakes.toml"),
        &[
            "# By `stakes init storms.csv`. Flags win over what is written here.",
            "list = \"storm\"  # 2 values in 6 rows, by its name",
            "impact = \"customers\"  # ",
            "id = \"network\"  # ",
            "k = 1  # a placeholder",
        ],
    );
    let ran = folder.run("inspect 'my data/storms.csv'");
    assert_eq!(
        ran.err,
        "note: my data/stakes.toml: list storm, impact customers, id network, k 1\n"
    );
}

#[test]
fn a_file_that_is_there_is_not_replaced_unasked() {
    let folder = Folder::with_storms();
    folder.write("stakes.toml", "[goal]\nk = 7\n");
    let ran = folder.run("init storms.csv");
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("stakes.toml is there already; --force replaces it"), "{}", ran.err);
    assert_eq!(folder.text("stakes.toml"), "[goal]\nk = 7\n");
    let text = folder.ok("init storms.csv -o other.toml");
    assert!(text.contains("stakes train storms.csv --config other.toml -o model.json"), "{text}");
    folder.ok("init storms.csv --force");
    assert_eq!(folder.text("stakes.toml"), folder.text("other.toml"));
}

#[test]
fn what_flags_say_is_taken_as_it_is() {
    let folder = Folder::with_storms();
    let text = init(&folder, "storms.csv --list network --impact wind --drop cable --k 2..3");
    has(
        &text,
        &["list = \"network\"  # as given", "impact = \"wind\"  # as given", "k = \"2..3\""],
    );
    assert!(text.contains("    \"cable\",\n"), "{text}");
    assert!(!text.contains("id = "), "{text}");
    let ran = folder.run("init storms.csv --list strom -o -");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("there is no column `strom`; did you mean `storm`?"), "{}", ran.err);
    // A column that the cost reads is no feature, and may look like an outcome.
    let text = init(&folder, "storms.csv --cost 'customers * wind'");
    has(&text, &["cost = \"customers * wind\""]);
}

#[test]
fn outcomes_beside_the_impact_are_left_out() {
    let folder = Folder::new();
    let rows: String = (0..60)
        .map(|i: u32| {
            let lost = i * 7919 % 97;
            format!("{},{},{},{},{},{}\n", i / 10, i, lost, lost * 2 + 1, i * 31 % 7, i % 5)
        })
        .collect();
    folder.write("d.csv", format!("event,row,customers_out,copy,repair_duration,amount\n{rows}"));
    let text = init(&folder, "d.csv");
    has(
        &text,
        &[
            "list = \"event\"",
            "impact = \"customers_out\"",
            "id = \"row\"  # no value twice in a list, a row number",
            "    \"repair_duration\",  # looks like an outcome, known only afterwards",
            "    \"copy\",  # Is `copy` computed from `customers_out`?",
            "# Is `amount` known before acting? If not, leave it out.",
        ],
    );
}

#[test]
fn data_without_an_impact_say_so() {
    let folder = Folder::new();
    folder.write("d.csv", "month,name\njan,a\njan,b\nfeb,c\nfeb,d\n");
    let text = folder.ok("init d.csv");
    assert!(text.contains("no column looks like one; name it (--impact COLUMN)"), "{text}");
    let ran = folder.run_with("init -", "a,b\n1,2\n");
    assert_eq!(ran.code, 1);
    assert!(ran.err.contains("save it to a file"), "{}", ran.err);
}

#[test]
fn letor_needs_no_roles() {
    let folder = Folder::new();
    folder.write("q.txt", "1 qid:1 1:0.5\n0 qid:1 1:0.2\n2 qid:2 1:0.4\n0 qid:2 1:0.9\n");
    let text = folder.ok("init q.txt");
    assert!(text.contains("this format names lists, labels and ids itself"), "{text}");
    has(&folder.text("stakes.toml"), &["[columns]", "# Nothing to guess", "k = 1"]);
    folder.ok("inspect q.txt");
}

/// The roles of public data, as their descriptions have them.
#[test]
fn roles_of_real_files() {
    let folder = Folder::new();
    let cases: [(&str, &[&str]); 5] = [
        (
            "power-outages/outage.csv",
            &[
                "list = \"U.S._STATE\"",
                "impact = \"CUSTOMERS.AFFECTED\"",
                "id = \"OBS\"",
                "missing-impact = \"drop\"  # 443 rows",
                "    \"OUTAGE.START.DATE\",  # dates",
                "    \"OUTAGE.RESTORATION.DATE\",  # looks like an outcome",
                "    \"OUTAGE.RESTORATION.TIME\",  # looks like an outcome",
                "    \"OUTAGE.DURATION\",  # looks like an outcome",
                "    \"DEMAND.LOSS.MW\",  # looks like an outcome",
            ],
        ),
        (
            "msha-mine-injuries/msha_injuries.csv.gz",
            &["list = \"list\"", "impact = \"impact\"", "time = \"YEAR\"", "# Is `EMP_HRS_TOTAL`"],
        ),
        (
            "fremtpl2-claims/fremtpl2.csv.gz",
            &["list = \"list\"", "impact = \"impact\"", "id = \"IDpol\"", "    \"ClaimNb\","],
        ),
        ("forest-fires/forestfires.csv", &["list = \"month\"", "impact = \"area\""]),
        (
            "concrete/Concrete_Data.csv",
            &["list = \"Age (day)\"", "impact = \"Concrete compressive strength"],
        ),
    ];
    for (file, lines) in cases {
        if let Some(path) = real(file) {
            has(&init(&folder, &path), lines);
        }
    }
    if crime(&folder).is_some() {
        let lines =
            ["list = \"state\"", "impact = \"ViolentCrimesPerPop\"", "id = \"communityname\""];
        has(&init(&folder, "crime.csv"), &lines);
    }
}

#[test]
fn generated_storms_have_the_roles_that_they_were_made_with() {
    let folder = Folder::with_generated_storms();
    has(
        &init(&folder, "s.csv"),
        &[
            "list = \"storm\"",
            "impact = \"customers_out\"",
            "id = \"network\"",
            "price = \"crew_hours\"",
            "time = \"date\"",
        ],
    );
}
