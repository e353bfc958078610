//! McBride et al.: R_CS of fifteen learners on five data sets (Tables 3 and 4).

mod claims;
pub(super) mod data;
mod printed;

use stakes_core::goal::Goal;
use stakes_core::split::FoldPlan;
use stakes_learn::preset;

use super::super::compare::Entries;
use super::super::{CompareOptions, Contestant, Setting};
use super::report::{PaperRow, PaperTable, Reproduced};
use super::work::{Stop, Work};
use crate::fit::Fit;
use claims::Shares;
use data::Set;
use printed::ROWS;

/// One data set at one cut-off.
struct Judged {
    set: Set,
    /// By cut-off.
    entries: Vec<Entries>,
}

/// A learner as the paper has it; a linear regression is what it is.
fn as_in_paper(learner: &str) -> String {
    match preset::with_paper().any(|name| name == learner) {
        true => format!("{learner}:{}={}", preset::KEY, preset::PAPER),
        false => learner.to_owned(),
    }
}

pub(super) fn reproduce(work: &mut Work<'_>) -> Result<Reproduced, Stop> {
    let sets = data::sets(&work.data, work.options.quick)?;
    let mut judged = Vec::new();
    for set in sets {
        let mut entries = Vec::new();
        for k in set.cutoffs {
            entries.push(judge(work, &set, k)?);
        }
        judged.push(Judged { set, entries });
    }
    let shares =
        [shares(work, &judged[1].set, "cs-mart")?, shares(work, &judged[1].set, "random-forest")?];
    let tables = judged.iter().enumerate().flat_map(|(place, judged)| tables(place, judged));
    Ok(Reproduced {
        paper: work.paper,
        reference: "McBride, R., Wang, K., Ren, Z. and Li, W. (2019). Cost-Sensitive Learning to Rank",
        protocol: vec![
            "Tables 3 and 4. Five folds by list: three parts to learn, one to validate, one to test, rotating. \
             R_CS@k in percent, with a linear cost and a linear policy; k is 12.5 % and 25 % of the mean list \
             length (10 and 50 for outages). Learners are trained for each k. Columns with missing values are left \
             out, categories are columns of zeros and ones."
                .to_owned(),
            "`settings of the paper` is over all test lists together, `by fold` the mean over the folds (the paper does \
             not say which it prints), `our defaults` our learner as it is without further settings. Validation is by \
             R_CS for all of them, also for the baselines, whose own measure the paper may have used: that helps \
             the baselines."
                .to_owned(),
        ],
        tables: tables.collect(),
        claims: claims::claims(&judged, shares),
        pictures: Vec::new(),
        missing: vec![
            "The two sets of power outages are not public; generated storms stand in for them.".to_owned(),
            "The RankLib settings of the paper are not printed; those of its documentation are used.".to_owned(),
        ],
        seconds: work.seconds,
    })
}

fn judge(work: &mut Work<'_>, set: &Set, k: usize) -> Result<Entries, Stop> {
    let goal = Goal::act_on(k);
    let plan = FoldPlan::Rotating(5);
    let mut setting = Setting::new(&set.data, &goal, Some(plan), work.options.seed)?;
    if work.options.quick {
        setting.folds.truncate(1);
    }
    let mut contestants = Vec::new();
    for row in &ROWS {
        let mut texts = vec![as_in_paper(row.learner), row.learner.to_owned()];
        texts.dedup();
        if set.stands_in && row.learner.ends_with("coordinate-ascent") {
            // Hours of search for figures that only compare methods.
            texts.truncate(1);
        }
        for text in texts {
            contestants.push(Contestant { optional: true, ..Contestant::learner(&text)? });
        }
    }
    work.compare(&format!("{}-{k}", set.name), &setting, &contestants, CompareOptions::default())
}

/// What a learner, as the paper has it, splits on.
fn shares(work: &mut Work<'_>, set: &Set, learner: &str) -> Result<Shares, Stop> {
    let seed = work.options.seed;
    work.keep(&format!("{}-gain-{learner}", set.name), |observer| {
        let preset = [(preset::KEY, preset::PAPER)];
        let fit = Fit::with_parameters(learner, preset)?.seed(seed);
        let division = fit.divide(&set.data, &Goal::act_on(set.cutoffs[0]))?;
        let fitted = fit.run(&division, Some(observer))?;
        Ok(fitted.model.as_ref().filter(|_| !fitted.is_interrupted()).map(Shares::of))
    })
}

fn tables(place: usize, judged: &Judged) -> Vec<PaperTable> {
    let Judged { set, entries } = judged;
    let percent = |value: Option<f64>| value.map(|value| (100.0 * value).into());
    let table = |(number, entries): (usize, &Entries)| {
        let mut rows: Vec<PaperRow> = ROWS
            .iter()
            .map(|row| {
                let printed = row.numbers[place][number];
                let own = as_in_paper(row.learner);
                let is_new = if row.improves.is_some() { "*" } else { "" };
                PaperRow {
                    name: format!("{is_new}{}", row.name),
                    printed: (!printed.is_nan()).then(|| printed.into()),
                    ours: vec![
                        percent(entries.value(0, &own)),
                        percent(entries.by_fold(0, &own)),
                        percent(entries.value(0, row.learner)),
                    ],
                }
            })
            .collect();
        for (name, contestant) in [
            ("best single feature", "best-feature"),
            ("two-part", "two-part"),
            ("random order", "random"),
        ] {
            rows.push(PaperRow {
                name: name.to_owned(),
                printed: None,
                ours: vec![
                    percent(entries.value(0, contestant)),
                    percent(entries.by_fold(0, contestant)),
                    None,
                ],
            });
        }
        let mut remarks = vec![set.remark.to_owned()];
        remarks.extend(entries.compared.notes.iter().map(ToString::to_string));
        PaperTable {
            title: format!("{}, R_CS@{} in percent", set.title, set.cutoffs[number]),
            rows_are: "algorithm (*: of the paper)",
            ours_are: vec!["settings of the paper", "by fold", "our defaults"],
            decimals: 1,
            rows,
            remarks,
        }
    };
    entries.iter().enumerate().map(table).collect()
}
