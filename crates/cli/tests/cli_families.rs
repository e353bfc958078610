//! Every learner on real files, from the command line: it trains, is written, read, ranks, explains
//! itself and is described. (Skipped where the files are not at hand; STAKES_DATA names their
//! folder.) Few rounds: what is tested is that the path holds.

use crate::common::{Folder, crime, real};
use stakes::learn::{Kind, Learner, learners};

/// Few rounds for those that have rounds, and little else to do for the others.
fn short(info: &dyn Learner) -> String {
    let small = [
        ("rounds", "4"),
        ("order-rounds", "4"),
        ("restarts", "2"),
        ("nets", "2"),
        ("top", "15"),
        ("time-limit", "1"),
    ];
    let texts = info.texts();
    let own = small.iter().filter(|(key, _)| texts.contains_key(*key));
    own.map(|(key, value)| format!(" -p {key}={value}")).collect()
}

/// Trains each learner on `data` and goes all the way with its model.
fn all_the_way(data: &str, roles: &str, k: &str) {
    let folder = Folder::new();
    for info in learners().filter(|info| info.kind() != Kind::Blend) {
        let (name, reranks) = (info.name(), info.kind() == Kind::Rerank);
        let more = short(&*info);
        folder.ok(&format!(
            "train '{data}' {roles} -k {k} --learner {name}{more} --no-baseline -q -o m.json"
        ));
        // A model that re-ranks has two scores, each with reasons of its own.
        let (reasons, stage) = if reranks { ("", " --stage base") } else { (" --explain 2", "") };
        folder.ok(&format!("rank m.json '{data}'{reasons} -o ranked.csv"));
        let ranked = folder.text("ranked.csv");
        let header = ranked.lines().next().unwrap_or_default();
        assert_eq!(header.contains("because"), !reranks, "{name}: {header}");
        let page = folder.ok("model info m.json");
        // Long titles are broken.
        let words: Vec<&str> = info.about().title.split(' ').take(4).collect();
        assert!(page.contains(&format!("{name}: {}", words.join(" "))), "{page}");
        let explained = folder.ok(&format!("explain m.json{stage}"));
        let explains = if reranks { "logistic" } else { name };
        assert!(explained.contains(explains), "{explained}");
    }
}

#[test]
fn crime_by_state() {
    let folder = Folder::new();
    let Some(roles) = crime(&folder) else { return };
    all_the_way(&folder.path("crime.csv").display().to_string(), roles, "6");
}

#[test]
fn concrete_by_age() {
    let Some(path) = real("concrete/Concrete_Data.csv") else { return };
    let impact = "Concrete compressive strength(MPa, megapascals)";
    all_the_way(&path, &format!("--list 'Age (day)' --impact '{impact}'"), "10");
}

#[test]
fn forest_fires_by_month() {
    let Some(path) = real("forest-fires/forestfires.csv") else { return };
    all_the_way(&path, "--list month --impact area", "6");
}

#[test]
fn million_query_2008() {
    let Some(path) = real("mq2008/S1.txt.gz") else { return };
    all_the_way(&path, "", "10");
}

#[test]
fn ohsumed() {
    let Some(path) = real("ohsumed-letor3-qln/S1.txt.gz") else { return };
    all_the_way(&path, "", "10");
}
