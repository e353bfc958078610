//! What is shown fits the terminal, in colours where it has them and nowhere else.

use unicode_width::UnicodeWidthStr;

use crate::common::{Folder, Ran};

/// Storms whose columns, lists and items have long names, some of them in wide characters.
struct Storms {
    folder: Folder,
}

const LIST: &str = "the_storm_as_it_is_named_by_the_meteorological_service";
const IMPACT: &str = "customers_without_power_for_more_than_an_hour_(顧客数)";
const FEATURE: &str = "vegetation_density_within_ten_metres_of_the_overhead_lines";
const ROLES: &str = "--list the_storm_as_it_is_named_by_the_meteorological_service \
                     --impact 'customers_without_power_for_more_than_an_hour_(顧客数)' \
                     --id network --price crew_hours --time date";
const K: &str = "-k 5";

impl Storms {
    fn new() -> Self {
        let folder = Folder::new();
        folder.ok("generate storms --lists 24 --networks 25 --rows 480 --seed 3 -o plain.csv");
        let text = folder.text("plain.csv");
        let (header, rows) = text.split_once('\n').expect("a header");
        let renamed = |name: &str| match name {
            "storm" => LIST.to_owned(),
            "customers_out" => IMPACT.to_owned(),
            "vegetation_density" => FEATURE.to_owned(),
            name => name.to_owned(),
        };
        let header: Vec<String> = header.split(',').map(renamed).collect();
        let rows = rows.replace("storm-", "嵐の名前はとても長いものです_of_the_north_");
        let rows = rows.replace("net-", "the_network_of_a_district_with_a_long_name_");
        folder.write("s.csv", format!("{}\n{rows}", header.join(",")));
        // Few columns, for exact search.
        let few = (0..24).map(|i| format!("a {},{},{},{}\n", i % 4, i * i % 7, i % 5, i % 3));
        let header = format!("{LIST},{IMPACT},{FEATURE},poles\n");
        folder.write("few.csv", header + &few.collect::<String>());
        Storms { folder }
    }

    /// Runs a command at some widths, none of whose lines may be wider.
    fn fits(&self, line: &str) -> String {
        let mut last = String::new();
        for columns in ["60", "80"] {
            let Ran { code, out, err } = self.folder.run_in(&[("COLUMNS", columns)], line);
            assert_eq!(code, 0, "stakes {line}\n{err}");
            assert_fits(line, &out, columns);
            assert_fits(line, &err, columns);
            assert!(!out.contains('\u{1b}') && !err.contains('\u{1b}'), "colours: stakes {line}");
            last = out;
        }
        last
    }
}

fn assert_fits(line: &str, text: &str, columns: &str) {
    let most: usize = columns.parse().expect("a number");
    for shown in text.lines() {
        let width = shown.width();
        assert!(width <= most, "{width} of {columns} columns: stakes {line}\n{shown}\nin\n{text}");
    }
}

#[test]
fn what_is_said_of_data_and_models_fits() {
    let storms = Storms::new();
    storms.fits(&format!("inspect s.csv {ROLES}"));
    storms.fits(&format!("split s.csv {ROLES} -o older.csv newest.csv"));
    let small = "-p rounds=8,min-rows=5 --hold-out 25%";
    storms.fits(&format!(
        "train s.csv {ROLES} {K} --effort low -p rounds=6 --no-baseline -o blend.json"
    ));
    storms.fits(&format!("train s.csv {ROLES} {K} --learner two-part {small} -o two-part.json"));
    storms
        .fits(&format!("train s.csv {ROLES} {K} --learner cs-mart --tune 4 {small} -o tuned.json"));
    storms.fits(&format!("train s.csv {ROLES} {K} --learner ridge --no-baseline -o ridge.json"));
    let few = format!("few.csv --list {LIST} --impact '{IMPACT}' -k 2");
    storms.fits(&format!("train {few} --learner ridge --no-baseline -o base.json"));
    let exact = "--learner exact-rerank --base base.json --top 4 --no-baseline -o exact.json";
    storms.fits(&format!("train {few} {exact}"));
    storms.fits(&format!("certify {few} --model base.json --save best.json"));
    for model in ["blend", "two-part", "ridge", "exact"] {
        storms.fits(&format!("model info {model}.json"));
    }
    storms.fits("model diff two-part.json ridge.json");
    let shown = storms.fits("explain two-part.json s.csv --repeats 1 --top 90");
    assert!(shown.contains("savings lost"), "{shown}");
    storms.fits("explain ridge.json");
    let boosted = "--learner cs-rankboost+ -p rounds=5 --no-baseline -o boost.json";
    storms.fits(&format!("train s.csv {ROLES} {K} {boosted}"));
    storms.fits("model info boost.json");
}

#[test]
fn tables_of_learners_and_metrics_fit() {
    let storms = Storms::new();
    let all = storms.fits("learners");
    storms.fits("metrics");
    storms.fits("metrics --short");
    storms.fits("demo");
    for name in ["auto", "cs-mart", "exact-rerank", "cs-rankboost+"] {
        assert!(all.contains(name), "{name}");
        storms.fits(&format!("learners {name}"));
    }
}

#[test]
fn the_theorem_fits() {
    let shown = Storms::new().fits("demo theorem");
    assert!(shown.contains("13744740") && shown.contains("17.86"), "{shown}");
}

#[test]
fn comparisons_of_many_scores_fit_and_no_figure_is_lost() {
    let storms = Storms::new();
    let line = format!(
        "evaluate s.csv {ROLES} {K} --score customers,{FEATURE},-trim_years,poles \
         --metric rcs,r,ndcg@5:gain=linear,saved --baseline {FEATURE} --calibration c.svg"
    );
    let statistics = format!("{line} --statistics");
    storms.fits(&statistics);
    let figures = storms.folder.json(&line).0;
    let Ran { out, .. } = storms.folder.run_in(&[("COLUMNS", "60")], &statistics);
    for result in figures["results"].as_array().expect("results") {
        let value = result["value"].as_f64().expect("a figure");
        let shown = if value <= 10.0 { format!("{value:.4}") } else { continue };
        assert!(out.contains(&shown), "no {shown} in\n{out}");
    }
    for comparison in figures["comparisons"].as_array().expect("comparisons") {
        let p = comparison["p_adjusted"].as_f64().expect("a probability");
        let shown = if p < 0.001 { "<0.001".into() } else { format!("{p:.3}") };
        assert!(out.contains(&shown), "no {shown} in\n{out}");
    }
}

#[test]
fn errors_and_notes_fit() {
    let storms = Storms::new();
    let lines = [
        format!("train s.csv {ROLES} {K} --learner cs-mrat -o m.json"),
        format!("evaluate s.csv {ROLES} {K} --score {FEATURE}s"),
        "model info nothing.json".to_owned(),
        format!("train s.csv {ROLES} {K} --class x -o m.json"),
    ];
    for line in &lines[1..] {
        let ran = storms.folder.run_in(&[("COLUMNS", "80")], line);
        assert_ne!(ran.code, 0, "{line}");
        assert_fits(line, &ran.err, "80");
        // In a pipe a message is one line.
        assert_eq!(storms.folder.run(line).err.lines().count(), 1, "{line}");
    }
}

#[test]
fn colours_where_they_are_asked_for_and_the_same_text() {
    let storms = Storms::new();
    let folder = &storms.folder;
    let without = |text: &str| -> String {
        let mut pieces = text.split('\u{1b}');
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |text, piece| text + piece.split_once('m').expect("a code").1)
    };
    let evaluate = format!("evaluate s.csv {ROLES} {K} --score customers,poles");
    for line in [&*evaluate, &format!("inspect s.csv {ROLES}"), "metrics ndcg"] {
        let plain = folder.run(line);
        assert!(!plain.out.contains('\u{1b}'), "{line}");
        let forced = folder.run_in(&[("CLICOLOR_FORCE", "1")], line);
        let asked = folder.run(&format!("{line} --color always"));
        assert!(forced.out.contains("\u{1b}[1m"), "{line}");
        assert_eq!((&forced.out, &forced.err), (&asked.out, &asked.err), "{line}");
        assert_eq!(without(&asked.out), plain.out, "{line}");
        for (variable, more) in [("NO_COLOR", ""), ("CLICOLOR_FORCE", "--color never")] {
            let ran = folder.run_in(&[(variable, "1")], &format!("{line} {more}"));
            assert_eq!((&ran.out, &ran.err), (&plain.out, &plain.err), "{line}");
        }
    }
    // The best of several scores stands out.
    let out = folder.ok(&format!("{evaluate} --color always"));
    assert_eq!(out.matches("\u{1b}[1m\u{1b}[32m").count(), 3, "{out}");
    let wrong = folder.run("model info nothing.json --color always");
    assert!(wrong.err.starts_with("\u{1b}[1m\u{1b}[31merror:\u{1b}[0m "), "{}", wrong.err);
}

#[test]
fn what_programs_read_has_no_colours_and_no_table() {
    let storms = Storms::new();
    let folder = &storms.folder;
    let mart = "--learner two-part -p rounds=8,min-rows=5 --hold-out 50% --no-baseline -o m.json";
    folder.ok(&format!("train s.csv {ROLES} {K} {mart}"));
    folder.ok("rank m.json s.csv --explain 2 -o ranked.csv --color always");
    let piped = folder
        .run_in(&[("CLICOLOR_FORCE", "1"), ("COLUMNS", "60")], "rank m.json s.csv --explain 2");
    assert!(piped.out.starts_with("list,rank,id,score,act,expected_cost,low,high,running_total"));
    assert_eq!(piped.out, folder.text("ranked.csv"));
    assert!(!piped.out.contains('\u{1b}'));
    for line in [
        "rank m.json s.csv --to json --top 1",
        "model info m.json --json",
        "learners --json",
        "evaluate s.csv --impact customers --score poles --latex --no-intervals",
    ] {
        let ran = folder.run_in(&[("CLICOLOR_FORCE", "1")], line);
        assert_eq!(ran.code, 0, "{line}: {}", ran.err);
        assert!(!ran.out.contains('\u{1b}'), "{line}");
    }
}

#[test]
fn names_with_control_characters_are_shown_as_escapes_in_colours_as_well() {
    let folder = Folder::new();
    folder.write("odd.csv", "list,y,a\u{1b}[31mb\n1,1,2\n1,0,1\n2,1,3\n2,2,2\n");
    let out = folder.ok("inspect odd.csv --list list --impact y --color always");
    assert!(out.contains("a\\u{1b}[31mb") && !out.contains("\u{1b}[31m"), "{out}");
}

#[test]
fn threads_may_be_set_by_the_environment() {
    let folder = Folder::with_storms();
    let line =
        "evaluate storms.csv --qid storm --impact customers --score cable --metric rcs@2 --json";
    let one = folder.run_in(&[("STAKES_THREADS", "1")], line);
    assert_eq!(one.ok(line), folder.ok(line));
    let refused = folder.run_in(&[("STAKES_THREADS", "0")], line);
    assert_eq!(refused.code, 1);
    assert!(
        refused.err.contains("STAKES_THREADS is `0`; allowed are 1 to 1024"),
        "{}",
        refused.err
    );
    // A flag wins.
    folder.run_in(&[("STAKES_THREADS", "0")], &format!("{line} --threads 2")).ok(line);
}

#[test]
fn vectors_may_be_narrowed_by_the_environment() {
    let folder = Folder::with_storms();
    let line =
        "evaluate storms.csv --qid storm --impact customers --score cable --metric rcs@2 --json";
    let scalar = folder.run_in(&[("STAKES_VECTORS", "scalar")], line);
    assert_eq!(scalar.ok(line), folder.ok(line));
    let refused = folder.run_in(&[("STAKES_VECTORS", "axv2")], line);
    assert_eq!(refused.code, 1);
    assert!(refused.err.contains("STAKES_VECTORS is `axv2`; allowed are"), "{}", refused.err);
}
