//! Pages for planners: plain words unless statistics, or metrics by name, are asked for.

use crate::common::{Folder, ROLES};

/// Words that are not for planners.
const TECHNICAL: [&str; 6] = ["rcs", "RCS", "holm", "Holm", "Student", "randomisation"];

fn has_none(page: &str) {
    for word in TECHNICAL {
        assert!(!page.contains(word), "{word}:\n{page}");
    }
}

#[test]
fn pages_are_in_plain_words_unless_statistics_are_asked_for() {
    let folder = Folder::with_generated_storms();
    let learner = "--learner two-part --rounds 8";
    let train = format!("train s.csv {ROLES} -k 3 {learner} --hold-out 30% --current customers");
    let evaluate = format!("evaluate s.csv {ROLES} -k 3 --score customers,wind_gust_ms");
    let compare = format!("compare s.csv {ROLES} -k 3 --learners ridge --current customers");
    let meaning = "cost saved: the share of the savable cost that acting on 3 items of each list saves, \
                   earlier positions counting more";
    let on_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    for (line, output) in [(&train, "-o m.json"), (&evaluate, "--no-chart"), (&compare, "")] {
        let plain = folder.ok(&format!("{line} {output}"));
        has_none(&plain);
        let words = on_one_line(&plain);
        assert!(words.contains(meaning) && words.contains("95 % intervals"), "{plain}");
        let exact = folder.ok(&format!("{line} {output} --statistics"));
        assert!(exact.contains("rcs@3") && !exact.contains("cost saved"), "{exact}");
        let named = folder.ok(&format!("{line} {output} -m rcs"));
        assert!(named.contains("rcs@3") && !named.contains("cost saved"), "{named}");
        assert!(!named.contains("holm") && !named.contains("Student"), "{named}");
        let refused = folder.run(&format!("{line} {output} --statistics --json"));
        assert_eq!(refused.code, 2, "{}", refused.err);
    }
    let exact = on_one_line(&folder.ok(&format!("{evaluate} --statistics --no-chart")));
    assert!(exact.contains("p corrected by holm") && exact.contains("p wilcoxon"), "{exact}");
    let plain = on_one_line(&folder.ok(&format!("{evaluate} --no-chart")));
    assert!(plain.contains("p adjusted for 3 comparisons"), "{plain}");
}

#[test]
fn money_is_in_plain_words_as_well() {
    let folder = Folder::with_generated_storms();
    let line = format!("train s.csv {ROLES} --budget 60 --learner ridge -o m.json");
    let page = folder.ok(&line).split_whitespace().collect::<Vec<_>>().join(" ");
    has_none(&page);
    let words = "the share of the savable cost that spending 60 in each list saves [low, high]";
    assert!(page.contains(words), "{page}");
}

/// What a planner would stumble over is said: another reach than in training, an order that is not by score.
#[test]
fn other_reaches_and_prices_are_told() {
    let folder = Folder::with_generated_storms();
    folder.ok(&format!("train s.csv {ROLES} -k 4 --learner two-part --rounds 8 -q -o m.json"));
    let note = "figures are for 9 items; m.json was trained for 4 items (-k 4)";
    let err = |line: &str| folder.run(line).err.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!err("evaluate s.csv --model m.json").contains("figures are for"));
    folder.write(
        "stakes.toml",
        "[columns]\nlist = 'storm'\nimpact = 'customers_out'\n[goal]\nk = 9\n",
    );
    assert!(err("evaluate s.csv --model m.json").contains(note));
    assert!(!err("evaluate s.csv --model m.json -k 9").contains("figures are for"));
    let told = err("rank m.json s.csv --budget 60 -o r.csv");
    assert!(told.contains("ranked by score per price (crew_hours)"), "{told}");
    folder.ok(&format!("train s.csv {ROLES} -k 4 --learner ranknet-mart --rounds 8 -q -o o.json"));
    let told = err("rank o.json s.csv --budget 60 -o r.csv");
    assert!(told.contains("knows nothing of prices"), "{told}");
    assert!(!err("rank o.json s.csv -o r.csv").contains("price"));
}
