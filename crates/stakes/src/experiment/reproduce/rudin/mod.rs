//! Rudin and Wang: exact re-ranking beside convex rankers (Table 1, Observations 1 to 5).

mod claims;
pub(super) mod data;
mod printed;

use std::f64::consts::LN_2;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::{Scale, Spec, evaluate};
use stakes_model::ProofEnd;

use super::report::{Number, PaperRow, PaperTable, Reproduced};
use super::work::{Stop, Work};
use crate::fit::Fit;
use crate::{Error, Observer};
use data::Set;
use printed::{METHODS, TABLE};

/// DCG over the whole list, gain 1 for a positive: what re-ranking maximises.
const OBJECTIVE: &str = "clrs-dcg:y=binary";
/// The strengths of the SVM of which the best on the test half is printed, as in the paper.
const SVM: [&str; 6] = ["1e-1", "1e-2", "1e-3", "1e-4", "1e-5", "1e-6"];
const SPLITS: usize = 10;
/// The columns of re-ranking.
const RERANKED: std::ops::Range<usize> = 4..METHODS;

/// One method on one split.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    /// DCG with the natural logarithm, of the training and of the test half.
    dcg: [f64; 2],
    /// The most that any order has.
    ideal: [f64; 2],
    seconds: f64,
    search: Option<Search>,
}

/// What an exact search came to.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Search {
    value: f64,
    bound: f64,
    is_proven: bool,
}

impl Search {
    fn gap(&self) -> f64 {
        (self.bound - self.value) / self.bound
    }
}

/// A set with the runs of all its splits.
struct Judged {
    set: Set,
    /// By split and method.
    runs: Vec<Vec<Run>>,
    /// Of the first splits: how soon a search without a proof is at its value.
    unproven: Vec<Run>,
}

impl Judged {
    fn of_half(&self, method: usize, half: usize) -> Vec<f64> {
        self.runs.iter().map(|split| split[method].dcg[half]).collect()
    }
}

/// How many items are re-ranked.
fn tops(set: &Set) -> [&'static str; 4] {
    match set.name {
        "Abalone19" => ["250", "500", "750", "all"],
        _ => ["50", "100", "150", "all"],
    }
}

pub(super) fn reproduce(work: &mut Work<'_>) -> Result<Reproduced, Stop> {
    let mut judged = Vec::new();
    for set in data::sets(&work.data)? {
        judged.push(judge(work, set)?);
    }
    let pima = judged.iter().position(|one| one.set.name == "Pima").unwrap_or(0);
    let margins = claims::margins(work, &judged[pima].set)?;
    let mut tables: Vec<PaperTable> = judged.iter().map(table).collect();
    tables.push(searches(&judged));
    tables.push(claims::margin_table(&margins));
    Ok(Reproduced {
        paper: work.paper,
        reference: "Rudin, C. and Wang, Y. (2018). Direct Learning to Rank and Rerank.",
        protocol: vec![
            format!(
                "Table 1: DCG of training and test half over {} random halves, mean ± deviation. The natural logarithm: \
                 with base 2, as the formula has it, no order of a half of Pima has more than 25.9, and 35.5 is \
                 printed. Ties count against the positives. `svm` is the best of C = 1e-1 to 1e-6 on the test half, as \
                 in the paper.",
                judged.first().map_or(0, |one| one.runs.len())
            ),
            format!(
                "Each exact search had {} seconds (the paper's two hours), and what it finds in them depends on the \
                 machine. It is our search by cones with exact line searches, not the paper's program. RankBoost is \
                 ours, with more rounds than the paper's by the look of its training figures.",
                work.options.search_seconds()
            ),
        ],
        tables,
        claims: claims::claims(&judged, &margins),
        pictures: Vec::new(),
        missing: vec![
            "ROC Flexibility is not public any more: the first row of Table 1.".to_owned(),
        ],
        seconds: work.seconds,
    })
}

fn judge(work: &mut Work<'_>, set: Set) -> Result<Judged, Stop> {
    let splits = if work.options.quick { 2 } else { SPLITS };
    let mut runs = Vec::new();
    let mut unproven = Vec::new();
    for split in 1..=splits {
        let halves = set.halves(split, work.options.seed)?;
        let mut own = Vec::new();
        for method in 0..METHODS {
            let name = format!("{}-{split}-{}", set.name.to_lowercase(), method_name(&set, method));
            own.push(run(work, &name, &halves, &settings(&set, method, work))?);
        }
        if split <= 3 {
            let name = format!("{}-{split}-unproven", set.name.to_lowercase());
            let mut settings = settings(&set, RERANKED.start, work);
            settings[0].1.push(("method", "search".to_owned()));
            unproven.push(run(work, &name, &halves, &settings)?);
        }
        runs.push(own);
    }
    Ok(Judged { set, runs, unproven })
}

/// Learners with parameters.
type Settings = Vec<(&'static str, Vec<(&'static str, String)>)>;

/// The learners of which the best is taken.
fn settings(set: &Set, method: usize, work: &Work<'_>) -> Settings {
    match method {
        0 => vec![("logistic", vec![])],
        1 => SVM.map(|c| ("svm", vec![("c", c.to_owned())])).into(),
        2 => vec![("rankboost", vec![])],
        3 => vec![("p-norm-push", vec![("p", "2".to_owned())])],
        _ => {
            let limit = work.options.search_seconds();
            let parameters = vec![
                ("base", "logistic".to_owned()),
                ("top", tops(set)[method - RERANKED.start].to_owned()),
                ("objective", OBJECTIVE.to_owned()),
                ("time-limit", limit.to_string()),
            ];
            vec![("exact-rerank", parameters)]
        }
    }
}

fn method_name(set: &Set, method: usize) -> String {
    match method {
        0 => "logistic".to_owned(),
        1 => "svm".to_owned(),
        2 => "rankboost".to_owned(),
        3 => "p-norm-push".to_owned(),
        _ => match tops(set)[method - RERANKED.start] {
            "all" => "exact of all".to_owned(),
            top => format!("exact of {top}"),
        },
    }
}

/// Trains on one half and measures both; of several settings the best on the test half.
fn run(
    work: &mut Work<'_>,
    name: &str,
    halves: &[Dataset; 2],
    settings: &Settings,
) -> Result<Run, Stop> {
    let seed = work.options.seed;
    let found = work.keep(name, |observer| {
        let mut best: Option<Run> = None;
        for (learner, parameters) in settings {
            let Some(run) = train(learner, parameters, halves, seed, observer)? else {
                return Ok(None);
            };
            if best.as_ref().is_none_or(|best| run.dcg[1] > best.dcg[1]) {
                best = Some(run);
            }
        }
        Ok(best)
    })?;
    work.seconds += found.seconds;
    Ok(found)
}

fn train(
    learner: &str,
    parameters: &[(&'static str, String)],
    [known, new]: &[Dataset; 2],
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Option<Run>, Error> {
    let begun = Instant::now();
    let parameters = parameters.iter().map(|(key, value)| (*key, value.as_str()));
    let fit = Fit::with_parameters(learner, parameters)?.seed(seed);
    let goal = Goal::default().with_metric(OBJECTIVE.parse::<Spec>()?);
    // One list of rows: nothing can be held out, and there is nothing to note about it.
    let fitted = fit.run(&fit.divide(known, &goal)?, Some(observer))?;
    let (false, Some(model)) = (fitted.is_interrupted(), &fitted.model) else { return Ok(None) };
    let seconds = begun.elapsed().as_secs_f64();
    let measured = |data: &Dataset| -> Result<(f64, f64), Error> {
        let labels = data.impact().unwrap_or_default();
        Ok((dcg(data, &model.score(data)?)?, dcg(data, labels)?))
    };
    let (known, new) = (measured(known)?, measured(new)?);
    let search = model.rerank.as_ref().map(|rerank| Search {
        value: rerank.proof.value,
        bound: rerank.proof.bound,
        is_proven: rerank.proof.ended == ProofEnd::Proven,
    });
    Ok(Some(Run { dcg: [known.0, new.0], ideal: [known.1, new.1], seconds, search }))
}

/// The objective with the natural logarithm, as the paper prints it; ties count against the positives.
fn dcg(data: &Dataset, scores: &[f64]) -> Result<f64, Error> {
    let metric = OBJECTIVE.parse::<Spec>()?.build(Scale::of(data))?;
    let found = evaluate(&metric, &Problem::new(data, Goal::default())?, scores)?;
    Ok(found.figure.unwrap_or(0.0) / LN_2)
}

fn table(judged: &Judged) -> PaperTable {
    let set = &judged.set;
    let printed = TABLE.iter().find(|printed| printed.name == set.name);
    let mut rows = Vec::new();
    for (half, shown) in ["train", "test"].into_iter().enumerate() {
        let best = claims::best(judged, half);
        for method in 0..METHODS {
            let mark = if half == 1 { claims::mark(judged, method, best) } else { "" };
            rows.push(PaperRow {
                name: format!("{shown}, {}{mark}", method_name(set, method)),
                printed: printed.map(|printed| printed.number(half, method)),
                ours: vec![Number::of(&judged.of_half(method, half))],
            });
        }
        let ideal: Vec<f64> = judged.runs.iter().map(|split| split[0].ideal[half]).collect();
        rows.push(PaperRow {
            name: format!("{shown}, ideal order"),
            printed: None,
            ours: vec![Number::of(&ideal)],
        });
    }
    PaperTable {
        title: format!("Table 1, {}", set.name),
        rows_are: "half, method",
        ours_are: vec!["ours"],
        decimals: 2,
        rows,
        remarks: vec![
            set.remark.to_owned(),
            "*: the best on the test halves; (*): not significantly worse by a matched-pairs t test (p >= 0.05)."
                .to_owned(),
        ],
    }
}

/// What the searches came to: gap and proofs by the number of items.
fn searches(judged: &[Judged]) -> PaperTable {
    let mut rows = Vec::new();
    for one in judged {
        for method in RERANKED {
            let found: Vec<&Search> =
                one.runs.iter().filter_map(|split| split[method].search.as_ref()).collect();
            let gaps: Vec<f64> = found.iter().map(|search| 100.0 * search.gap()).collect();
            let proven = found.iter().filter(|search| search.is_proven).count();
            rows.push(PaperRow {
                name: format!("{}, {}", one.set.name, method_name(&one.set, method)),
                printed: None,
                ours: vec![Number::of(&gaps), Some((proven as f64).into())],
            });
        }
    }
    PaperTable {
        title: "What the searches proved".to_owned(),
        rows_are: "set, items",
        ours_are: vec!["gap in percent", "splits proven"],
        decimals: 2,
        rows,
        remarks: vec![
            "The gap is the distance from the value to a bound on all linear orders of these items, on the training \
             half. The paper prints no gaps."
                .to_owned(),
        ],
    }
}
