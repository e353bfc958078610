//! Observations 1 to 5.

use stakes_stats::{PairedTest, TestOptions};

use super::super::report::{Claim, Held, Number, PaperRow, PaperTable};
use super::super::work::{LEVEL, Stop, Work};
use super::{Judged, METHODS, RERANKED, Run, Set, method_name, run, settings};

/// The method with the highest mean.
pub(super) fn best(judged: &Judged, half: usize) -> usize {
    best_of(judged, half, 0..METHODS)
}

fn best_of(judged: &Judged, half: usize, methods: std::ops::Range<usize>) -> usize {
    let mean = |method: usize| judged.of_half(method, half).iter().sum::<f64>();
    let better = |a: usize, b: usize| if mean(b) > mean(a) { b } else { a };
    methods.reduce(better).unwrap_or(0)
}

/// What stands behind a method: whether it is the best on the test halves, or not significantly worse.
pub(super) fn mark(judged: &Judged, method: usize, best: usize) -> &'static str {
    match method == best {
        true => " *",
        false if p_value(judged, best, method).is_none_or(|p| p >= LEVEL) => " (*)",
        false => "",
    }
}

/// The matched-pairs t test of two methods on the test halves.
fn p_value(judged: &Judged, a: usize, b: usize) -> Option<f64> {
    let differences = differences(judged, a, b);
    let result = PairedTest::T.run(&differences, &TestOptions::default()).ok()??;
    Some(result.p_value)
}

fn differences(judged: &Judged, a: usize, b: usize) -> Vec<f64> {
    let pairs = judged.of_half(a, 1).into_iter().zip(judged.of_half(b, 1));
    pairs.map(|(a, b)| a - b).collect()
}

/// A setting of the program, and its runs on some splits; `None` where there was no solution.
pub(super) struct Margin {
    name: String,
    runs: Vec<Option<Run>>,
}

/// Re-ranking of few items by the paper's program, with margins and prices from large to small.
pub(super) fn margins(work: &mut Work<'_>, set: &Set) -> Result<Vec<Margin>, Stop> {
    const TOP: &str = "20";
    let splits = if work.options.quick { 1 } else { 3 };
    let exponents = 1..=7;
    let mut tried: Vec<(&'static str, String)> =
        exponents.map(|e| ("margin", format!("1e-{e}"))).collect();
    tried.extend(["0.01", "0.1", "1"].map(|price| ("penalty", price.to_owned())));
    let mut found = Vec::new();
    for (key, value) in tried {
        let mut runs = Vec::new();
        for split in 1..=splits {
            let halves = set.halves(split, work.options.seed)?;
            let mut settings = settings(set, RERANKED.start, work);
            for (name, own) in &mut settings[0].1 {
                if *name == "top" {
                    *own = TOP.to_owned();
                }
            }
            // A price is one of ResolvedRank only: see docs/exact.md.
            let method = if key == "penalty" { "resolved" } else { "subrank" };
            settings[0].1.extend([("method", method.to_owned()), (key, value.clone())]);
            runs.push(Some(run(
                work,
                &format!("margins-{key}-{value}-{split}"),
                &halves,
                &settings,
            )?));
        }
        found.push(Margin { name: format!("{key} = {value}"), runs });
    }
    Ok(found)
}

pub(super) fn margin_table(margins: &[Margin]) -> PaperTable {
    let row = |margin: &Margin| {
        let values = |of: &dyn Fn(&Run) -> Option<f64>| -> Vec<f64> {
            margin.runs.iter().flatten().filter_map(of).collect()
        };
        let found = values(&|run| run.search.as_ref().map(|search| search.value));
        PaperRow {
            name: margin.name.clone(),
            printed: None,
            ours: vec![
                Number::of(&found),
                Number::of(&values(&|run| Some(run.dcg[0]))),
                Number::of(&values(&|run| Some(run.dcg[1]))),
            ],
        }
    };
    PaperTable {
        title: "Observation 4: margin and price, 20 items of Pima".to_owned(),
        rows_are: "setting",
        ours_are: vec!["objective", "train", "test"],
        decimals: 3,
        rows: margins.iter().map(row).collect(),
        remarks: vec![
            "The paper's program (Subrank; ResolvedRank with a price, where Subrank solves another problem), 3 splits. \
             Our search gives the program its best order to begin with, so no margin leaves it without a solution."
                .to_owned(),
        ],
    }
}

pub(super) fn claims(judged: &[Judged], margins: &[Margin]) -> Vec<Claim> {
    vec![
        reranking_can_win(judged),
        travel_wins(judged),
        size_matters(judged),
        deviation_exceeds(judged),
        margin_matters(margins),
        finding_is_quicker(judged),
    ]
}

fn reranking_can_win(judged: &[Judged]) -> Claim {
    let mut texts = Vec::new();
    let mut clearly = 0;
    for one in judged {
        let own = best_of(one, 1, RERANKED);
        let other = best_of(one, 1, 0..RERANKED.start);
        let difference = differences(one, own, other);
        let mean = difference.iter().sum::<f64>() / difference.len() as f64;
        let base = one.of_half(other, 1).iter().sum::<f64>() / one.runs.len() as f64;
        let p = p_value(one, own, other).unwrap_or(1.0);
        clearly += usize::from(mean > 0.0 && p < LEVEL);
        texts.push(format!(
            "{} {:+.1} % ({} against {}, p {p:.3})",
            one.set.name,
            100.0 * mean / base,
            method_name(&one.set, own),
            method_name(&one.set, other)
        ));
    }
    Claim {
        says: "Observation 1: there are sets on which re-ranking improves the solution much (about 10 % on some)"
            .to_owned(),
        found: format!(
            "the best re-ranking against the best other method on test halves: {}",
            texts.join(", ")
        ),
        held: if clearly > 0 { Held::Partly } else { Held::No },
    }
}

fn travel_wins(judged: &[Judged]) -> Claim {
    let wins = judged.iter().find(|one| one.set.name == "Travel").map(|one| {
        let beats = |split: &&Vec<Run>| {
            let own = split[RERANKED.start].dcg[1];
            split[..RERANKED.start].iter().all(|other| own > other.dcg[1])
        };
        (one.runs.iter().filter(beats).count(), one.runs.len())
    });
    let (won, of) = wins.unwrap_or((0, 0));
    Claim {
        says: "On Travel, re-ranking of 50 beats all other methods in all 10 splits".to_owned(),
        found: format!("in {won} of {of}"),
        held: Held::of_cells(won, of),
    }
}

fn size_matters(judged: &[Judged]) -> Claim {
    let gap = |one: &Judged, method: usize| {
        let gaps: Vec<f64> = one
            .runs
            .iter()
            .filter_map(|split| split[method].search.as_ref().map(super::Search::gap))
            .collect();
        Number::of(&gaps).map_or(0.0, |number| number.value)
    };
    let (mut grows, mut largest_is_best, mut texts) = (0, 0, Vec::new());
    for one in judged {
        let (small, all) = (gap(one, RERANKED.start), gap(one, METHODS - 1));
        grows += usize::from(all > small);
        largest_is_best += usize::from(best_of(one, 1, RERANKED) == METHODS - 1);
        texts.push(format!("{} {:.1} to {:.1} %", one.set.name, 100.0 * small, 100.0 * all));
    }
    Claim {
        says: "Observation 2: re-ranking too few items generalises less, too many are not solved in time".to_owned(),
        found: format!(
            "the gap grows from the smallest K to all items on {grows} of {} sets ({}); all items are the best choice on \
             {largest_is_best}",
            judged.len(),
            texts.join(", ")
        ),
        held: Held::of_cells(grows, judged.len()),
    }
}

fn deviation_exceeds(judged: &[Judged]) -> Claim {
    let mut names = Vec::new();
    let mut texts = Vec::new();
    for one in judged {
        let means: Vec<f64> = (0..METHODS)
            .filter_map(|method| Number::of(&one.of_half(method, 1)).map(|number| number.value))
            .collect();
        let range = means.iter().copied().fold(f64::NEG_INFINITY, f64::max)
            - means.iter().copied().fold(f64::INFINITY, f64::min);
        let first = best(one, 1);
        let deviation = Number::of(&one.of_half(first, 1)).and_then(|number| number.deviation);
        let paired: Vec<f64> = (0..METHODS)
            .filter(|&method| method != first)
            .filter_map(|method| Number::of(&differences(one, first, method))?.deviation)
            .collect();
        let paired = paired.iter().sum::<f64>() / paired.len() as f64;
        let Some(deviation) = deviation else { continue };
        if deviation > range {
            names.push(one.set.name);
        }
        texts.push(format!(
            "{} {deviation:.2} against {range:.2} (of paired differences {paired:.2})",
            one.set.name
        ));
    }
    Claim {
        says: "Observation 3: on some sets the deviation over splits exceeds all differences of the methods".to_owned(),
        found: format!("on {}: {}", listed(&names), texts.join(", ")),
        held: if names.is_empty() { Held::No } else { Held::Yes },
    }
}

fn margin_matters(margins: &[Margin]) -> Claim {
    let train = |margin: &Margin| {
        let values: Vec<f64> = margin.runs.iter().flatten().map(|run| run.dcg[0]).collect();
        Number::of(&values).map_or(f64::NAN, |number| number.value)
    };
    let is_margin = |margin: &&Margin| margin.name.starts_with("margin");
    let values: Vec<f64> = margins.iter().filter(is_margin).map(train).collect();
    let (largest, smallest) = (
        values.iter().copied().fold(f64::NEG_INFINITY, f64::max),
        values.iter().copied().fold(f64::INFINITY, f64::min),
    );
    let spread = (largest - smallest) / largest;
    Claim {
        says: "Observation 4: the margin matters little as long as it is small and not too small for the solver".to_owned(),
        found: format!(
            "from 1e-1 to 1e-7 the DCG of the training half is between {smallest:.3} and {largest:.3} ({:.2} %)",
            100.0 * spread
        ),
        held: if spread < 0.01 { Held::Yes } else { Held::Partly },
    }
}

fn finding_is_quicker(judged: &[Judged]) -> Claim {
    let (mut near, mut of, mut seconds, mut proven) = (0, 0, 0.0, 0);
    for one in judged {
        for (found, split) in one.unproven.iter().zip(&one.runs) {
            let long = &split[RERANKED.start];
            let values = found.search.as_ref().zip(long.search.as_ref());
            let Some((short, search)) = values else { continue };
            of += 1;
            near += usize::from(short.value >= 0.99 * search.value);
            proven += usize::from(search.is_proven);
            seconds += found.seconds;
        }
    }
    Claim {
        says: "Observation 5: proving takes longer than finding a good solution".to_owned(),
        found: format!(
            "a search without any proof is within 1 % of the value of the full time in {near} of {of} runs, in {:.1} \
             seconds on average; {proven} of the {of} full searches ended with a proof",
            seconds / of.max(1) as f64
        ),
        held: Held::of_cells(near, of),
    }
}

/// Names with commas; `none` if there are none.
fn listed(names: &[&str]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
