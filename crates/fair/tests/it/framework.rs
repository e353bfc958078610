//! What measures see and to what they are blind: the statements of Salomon 2020, section 2.2.

use stakes_fair::framework::{
    FrameworkOptions, Matrix, ScenarioOptions, Verdict, framework, scenarios,
};
use stakes_fair::{FAIRNESS, Measure, Needs, Pattern};

use crate::world::{FIGURES, audited, placed, quick, with};

fn matrix(seed: u64) -> Matrix {
    let scenarios = ScenarioOptions { seed, ..ScenarioOptions::default() };
    framework(&FrameworkOptions { scenarios, ..FrameworkOptions::default() }).unwrap()
}

#[test]
fn the_matrix_is_as_expected() {
    use Verdict::{Blind, Level, Partly, Seen};
    let found = matrix(0);
    let expected = [
        // Observation 1, Observation 2: means see a shift and nothing else.
        ("mean-rank", [Seen, Blind, Blind, Blind, Blind, Blind, Blind]),
        ("rank-parity", [Seen, Blind, Blind, Blind, Blind, Blind, Blind]),
        ("displacement", [Seen, Blind, Blind, Blind, Blind, Blind, Blind]),
        // Errors of both sides are equal; only their level rises.
        ("rank-equality", [Seen, Level, Level, Level, Level, Level, Level]),
        ("rank-calibration", [Level; 7]),
        // Proposition 2: they look at places only.
        ("runs", [Seen, Seen, Seen, Seen, Blind, Blind, Blind]),
        ("four-fifths@20", [Seen, Seen, Partly, Blind, Blind, Blind, Blind]),
        // Property 1 and Definition 2.
        ("uniformity", [Seen, Seen, Seen, Blind, Seen, Blind, Blind]),
        ("gap", [Blind, Blind, Seen, Seen, Seen, Blind, Blind]),
        ("spread", [Blind, Seen, Partly, Blind, Seen, Blind, Blind]),
        // Propositions 3 to 5, Definition 4.
        ("clustering", [Seen, Seen, Seen, Seen, Seen, Seen, Blind]),
        ("tokenisation", [Blind, Seen, Partly, Seen, Seen, Blind, Seen]),
        ("noise", [Blind, Blind, Blind, Blind, Blind, Seen, Seen]),
        ("arbitrary", [Blind, Blind, Blind, Blind, Blind, Seen, Seen]),
    ];
    for (measure, expected) in expected {
        let row = found.rows.iter().find(|row| row.measure == measure).expect(measure);
        let met = Pattern::ALL.map(|pattern| row.verdict(&found, pattern));
        assert_eq!(met, expected, "{measure}");
    }
    let tokens = |measure: &str, scenario: &str| {
        let row = found.rows.iter().find(|row| row.measure == measure).unwrap();
        row.cells.iter().find(|cell| cell.scenario == scenario).unwrap().value.unwrap()
    };
    assert!(tokens("tokenisation", "mean") < 0.0 && tokens("tokenisation", "tokenisation") > 0.0);
}

/// What the table says that a measure sees, it sees with any seed; and costs are never claimed to see anything.
#[test]
fn the_table_claims_what_the_framework_finds() {
    for seed in 0..3 {
        let found = matrix(seed);
        for row in &found.rows {
            let measure = row.measure.parse::<Measure>().unwrap();
            for &pattern in measure.info.sees.iter().filter(|_| measure.cutoff().is_none()) {
                let verdict = row.verdict(&found, pattern);
                assert_eq!(verdict, Verdict::Seen, "{} {pattern:?}, seed {seed}", row.measure);
            }
        }
    }
    for info in FAIRNESS {
        let of_costs = matches!(info.needs, Needs::Cost | Needs::Expected);
        assert!(!of_costs || info.sees.is_empty(), "{}", info.name);
    }
}

#[test]
fn every_row_of_the_table_is_complete() {
    for (i, info) in FAIRNESS.iter().enumerate() {
        assert!(!FAIRNESS[..i].contains(info), "{}", info.name);
        let texts = [info.title, info.formula, info.citation, info.reading, info.chance];
        assert!(texts.iter().all(|text| !text.is_empty()), "{}", info.name);
        assert!(info.range.0 < info.range.1);
    }
    // Names and measures are inverse to each other.
    for measure in Measure::all(7) {
        assert_eq!(measure.to_string().parse::<Measure>().unwrap(), measure);
    }
}

#[test]
fn the_published_rankings_are_those_of_the_figures() {
    let all = scenarios(&ScenarioOptions::default());
    for (name, positions) in &FIGURES[1..] {
        let scenario = all.iter().find(|scenario| scenario.name == *name).unwrap();
        assert_eq!(scenario.order(), placed(*positions), "{name}");
    }
    // Every ranking is a permutation, whatever the sizes.
    for (n, m) in [(100, 10), (8, 2), (50, 25), (101, 7)] {
        for scenario in
            scenarios(&ScenarioOptions { n, m, clusters: 2, ..ScenarioOptions::default() })
        {
            let mut truth: Vec<usize> = scenario.order().iter().map(|(t, _)| *t).collect();
            truth.sort_unstable();
            assert_eq!(truth, (1..=scenario.n).collect::<Vec<_>>(), "{}", scenario.name);
        }
    }
}

#[test]
fn an_audit_says_what_its_measures_cannot_see() {
    let unseen = |names: &[&str]| audited(&placed(FIGURES[0].1), &with(names, quick())).unseen;
    assert_eq!(unseen(&["mean-rank"]), Pattern::ALL[1..]);
    assert_eq!(unseen(&["mean-rank", "gap", "noise"]), [Pattern::Middle]);
    assert_eq!(unseen(&["four-fifths@20"]), Pattern::ALL);
    assert!(audited(&placed(FIGURES[0].1), &quick()).unseen.is_empty());
}

#[test]
fn sizes_that_make_no_sense_are_refused() {
    let with = |scenarios: ScenarioOptions| {
        framework(&FrameworkOptions { scenarios, ..FrameworkOptions::default() })
    };
    let usual = ScenarioOptions::default();
    for options in [
        ScenarioOptions { n: 3, ..usual },
        ScenarioOptions { m: 60, ..usual },
        ScenarioOptions { clusters: 0, ..usual },
        ScenarioOptions { noise: f64::NAN, ..usual },
    ] {
        assert!(with(options).is_err(), "{options:?}");
    }
    let measures = vec!["cost-share".parse::<Measure>().unwrap()];
    let costs = framework(&FrameworkOptions { measures, ..FrameworkOptions::default() });
    assert!(costs.unwrap_err().to_string().contains("needs the cost of every item"));
}
