//! Real files through the program (skipped where they are not at hand; STAKES_DATA names
//! their folder).

use crate::common::{Folder, on_one_line, real};

#[test]
fn letor_by_a_feature() {
    let Some(path) = real("mq2008/S1.txt.gz") else { return };
    let study = Folder::new().json(&format!(
        "evaluate '{path}' --score 25,-25 --metric ndcg@10,rcs@10,map,err@10 --no-references \
         --interval bca --resamples 200"
    ));
    assert_eq!((&study.0["data"]["lists"], &study.0["data"]["items"]), (&157.into(), &2933.into()));
    for metric in ["ndcg@10", "rcs@10", "map", "err@10"] {
        let row = study.row("25", metric);
        let [low, value, high] = ["low", "value", "high"].map(|k| row[k].as_f64().expect(k));
        assert!(0.0 < low && low <= value && value <= high && high < 1.0, "{row}");
        assert!(study.value("-25", metric) < value, "{metric}");
    }
}

#[test]
fn forest_fires_by_month() {
    let Some(path) = real("forest-fires/forestfires.csv") else { return };
    let study = Folder::new().json(&format!(
        "evaluate '{path}' --list month --impact area --score temp,wind --metric rcs --k 12.5% \
         --interval bca --resamples 200"
    ));
    assert_eq!(study.0["data"]["lists"], 12);
    assert_eq!(study.value("ideal", "rcs@12.5%"), 1.0);
    assert!(study.value("random", "rcs@12.5%") < 0.5);
    assert!(study.row("best-feature", "rcs@12.5%")["feature"]["name"].is_string());
}

#[test]
fn outages_with_missing_customers() {
    let Some(path) = real("power-outages/outage.csv") else { return };
    let folder = Folder::new();
    let line = format!("evaluate '{path}' --list U.S._STATE --impact CUSTOMERS.AFFECTED");
    let ran = folder.run(&line);
    assert_eq!((ran.code, ran.out.as_str()), (1, ""));
    assert!(ran.err.contains("outage.csv:3 (list Minnesota): CUSTOMERS.AFFECTED is missing"));
    let out = folder.ok(&format!("{line} --missing-impact drop --metric rcs@5 --interval bca --resamples 200"));
    assert!(out.contains("best single feature: "), "{out}");
}

#[test]
fn side_files_with_list_sizes_are_found() {
    let Some(path) = real("lightgbm-lambdarank/rank.test.gz") else { return };
    let out = Folder::new().ok(&format!(
        "evaluate '{path}' --score 1 --metric ndcg@5 --no-references --no-chart --no-intervals"
    ));
    assert!(on_one_line(&out).contains("768 items in 50 lists"), "{out}");
}

#[test]
fn outages_without_a_duration_can_be_left_out_of_customer_hours() {
    let Some(path) = real("power-outages/outage.csv") else { return };
    let line = format!(
        "evaluate '{path}' --list U.S._STATE --impact CUSTOMERS.AFFECTED --missing-impact drop \
         --cost '{{CUSTOMERS.AFFECTED}} * {{OUTAGE.DURATION}}' --score POPULATION --brief"
    );
    let ran = Folder::new().run(&line);
    assert_eq!(ran.code, 0, "{}", ran.err);
    assert!(on_one_line(&ran.out).contains("1,056 items in 47 lists"), "{}", ran.out);
    assert!(ran.err.contains("478 rows left out"), "{}", ran.err);
}
