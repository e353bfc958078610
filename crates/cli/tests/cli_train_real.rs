//! Real files through train and rank (skipped where they are not at hand; STAKES_DATA names
//! their folder). Few rounds: what is tested is that the path holds, and that something is
//! learnt at all.

use crate::common::{Folder, crime, plain, real};
use serde_json::Value;

/// Trains, checks the summary, ranks the same file, and gives the summary back.
fn learns(folder: &Folder, data: &str, roles: &str, more: &str) -> Value {
    let plain = plain(more);
    let line = format!(
        "train '{data}' {plain} {roles} -k 12.5% --rounds 15 --leaves 16 -o m.json --json {more}"
    );
    let ran = folder.run(&line);
    assert_eq!(ran.code, 0, "{line}\n{}", ran.err);
    let summary: Value = serde_json::from_str(&ran.out).expect("JSON");
    let value = |score: &str| -> f64 {
        let rows = summary["results"].as_array().expect("results");
        let row = rows.iter().find(|row| row["score"] == score);
        row.and_then(|row| row["value"].as_f64()).unwrap_or_else(|| panic!("{score}: {summary:#}"))
    };
    let learner = summary["learner"].as_str().expect("a learner");
    let (model, random, ideal) = (value(learner), value("random"), value("ideal"));
    assert!(model > random && model <= ideal, "{line}: {model} beside {random} and {ideal}");
    let rank = folder.run(&format!("rank m.json '{data}' -o ranked.txt"));
    assert_eq!(rank.code, 0, "{}", rank.err);
    let scores = folder.text("ranked.txt");
    assert!(scores.lines().all(|s| s.parse::<f64>().is_ok_and(f64::is_finite)));
    summary
}

#[test]
fn crime_by_state() {
    let folder = Folder::new();
    let Some(roles) = crime(&folder) else { return };
    let summary = learns(&folder, "crime.csv", roles, "");
    // 1994 communities in 46 states: 12.5 % of the mean is 6.
    assert_eq!(summary["goal"]["k"], "6");
}

#[test]
fn concrete_by_age() {
    let Some(path) = real("concrete/Concrete_Data.csv") else { return };
    let roles = "--list 'Age (day)' --impact 'Concrete compressive strength(MPa, megapascals)'";
    learns(&Folder::new(), &path, roles, "--no-baseline");
}

#[test]
fn forest_fires_by_month() {
    let Some(path) = real("forest-fires/forestfires.csv") else { return };
    let folder = Folder::new();
    for learner in ["cs-mart", "two-part", "tweedie-mart"] {
        let line = format!(
            "train '{path}' --list month --impact area -k 12.5% --rounds 10 --learner {learner} \
             -o m.json"
        );
        // A dozen months with a few huge fires: that it says something is all one can ask.
        let out = folder.ok(&line);
        assert!(out.contains("acting on 6 items") && out.contains("random order"), "{out}");
        folder.ok(&format!("rank m.json '{path}' -o r.csv"));
    }
}

#[test]
fn outages_by_state() {
    let Some(path) = real("power-outages/outage.csv") else { return };
    let after = "OUTAGE.RESTORATION.DATE,OUTAGE.RESTORATION.TIME,OUTAGE.DURATION,DEMAND.LOSS.MW";
    let roles = format!(
        "--list U.S._STATE --impact CUSTOMERS.AFFECTED --id OBS --missing-impact drop --drop {after}"
    );
    let folder = Folder::new();
    learns(&folder, &path, &roles, "--no-baseline");
    // Rows without an impact can be ranked: 1,534 are in the file.
    assert_eq!(folder.text("ranked.txt").lines().count(), 1534);
}

#[test]
fn letor_with_a_file_to_judge_by() {
    let [Some(train), Some(valid)] = ["mq2008/S1.txt.gz", "mq2008/S2.txt.gz"].map(real) else {
        return;
    };
    let folder = Folder::new();
    for learner in ["lambdamart", "cs-mart"] {
        let more = format!("--valid '{valid}' --learner {learner} --no-baseline");
        let summary = learns(&folder, &train, "", &more);
        assert_eq!(summary["train"]["lists"], 157);
        // What is ranked by id is found by id.
        folder.ok(&format!("rank m.json '{valid}' -o ranked.csv"));
        let study = folder.json(&format!(
            "evaluate '{valid}' --score-file m=ranked.csv --metric ndcg@10 --no-references"
        ));
        assert!(study.value("m", "ndcg@10") > 0.35);
    }
}

#[test]
fn many_features() {
    let Some(path) = real("mslr-sample/rankeval-msn1.fold1.train.5k.txt.gz") else { return };
    learns(&Folder::new(), &path, "", "--learner lambdamart --metric ndcg@10 --no-baseline");
}

/// He's learners with items of one grade one after the other, over LETOR's folds of OHSUMED: cs-RgList is
/// better than ListMLE, as He's table 1 has it.
#[test]
fn he_on_the_folds_of_ohsumed() {
    let parts = [1, 2, 3, 4, 5].map(|part| real(&format!("ohsumed-letor3-qln/S{part}.txt.gz")));
    let [Some(a), Some(b), Some(c), Some(d), Some(e)] = parts else { return };
    let parts = [a, b, c, d, e];
    let folder = Folder::new();
    let metric = "avgndcg@10:empty=zero";
    let mean = |learner: &str| -> f64 {
        let (mut sum, mut lists) = (0.0, 0.0);
        for fold in 0..5 {
            let part = |at: usize| &parts[(fold + at) % 5];
            // Compressed files may stand one after the other.
            let read = |at: usize| std::fs::read(part(at)).expect("a part");
            let training = [read(0), read(1), read(2)].concat();
            folder.write("train.txt.gz", training);
            let (valid, test) = (part(3), part(4));
            folder.ok(&format!(
                "train train.txt.gz --valid '{valid}' --metric {metric} -k 10 --learner {learner} \
                 -p ties=order --no-baseline -q -o m.json"
            ));
            let study = folder.json(&format!(
                "evaluate '{test}' --model m.json --metric {metric} --no-references"
            ));
            let row = &study.0["results"][0];
            let count = row["lists"].as_f64().expect("lists");
            sum += count * row["value"].as_f64().expect("a value");
            lists += count;
        }
        sum / lists
    };
    let [listmle, rglist] = ["listmle", "cs-rglist"].map(mean);
    assert!(
        (listmle - 0.4575).abs() < 1e-4 && (rglist - 0.4821).abs() < 1e-4,
        "{listmle} {rglist}"
    );
}
