//! Salomon: RankBoost and RankBoost+ with and without costs (Table 4.2, Figures 4.1 to 4.4).

mod compas;
mod libras;
mod movielens;

use std::collections::BTreeMap;
use std::time::Instant;

use serde::{Deserialize, Serialize};
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::{Scale, Spec, evaluate};
use stakes_core::split::HoldOut;
use stakes_eval::picture::{RoundLine, rounds_svg};
use stakes_model::Model;
use stakes_stats::{PairedTest, TestOptions};

use super::report::{Claim, Held, Number, PaperTable, Picture, Reproduced};
use super::work::{LEVEL, Stop, Work};
use crate::fit::Fit;
use crate::{Error, Observer, Task};

/// A learner of the thesis.
struct Learner {
    shown: &'static str,
    name: &'static str,
    /// Whether it knows costs.
    knows_costs: bool,
}

const LEARNERS: [Learner; 4] = [
    Learner { shown: "RankBoost", name: "rankboost", knows_costs: false },
    Learner { shown: "RankBoost+", name: "rankboost+", knows_costs: false },
    Learner { shown: "CS-RBD", name: "cs-rankboost", knows_costs: true },
    Learner { shown: "CS-RB+", name: "cs-rankboost+", knows_costs: true },
];

const FOLDS: usize = 5;

/// One training: named figures, and the rank loss of the training pairs after each round.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Run {
    figures: BTreeMap<String, f64>,
    curve: Vec<f64>,
    seconds: f64,
}

/// What one experiment came to.
struct Part {
    tables: Vec<PaperTable>,
    claims: Vec<Claim>,
    pictures: Vec<Picture>,
}

pub(super) fn reproduce(work: &mut Work<'_>) -> Result<Reproduced, Stop> {
    let parts = [movielens::part(work)?, libras::part(work)?, compas::part(work)?];
    let (mut tables, mut claims, mut pictures) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        tables.extend(part.tables);
        claims.extend(part.claims);
        pictures.extend(part.pictures);
    }
    Ok(Reproduced {
        paper: work.paper,
        reference: "Salomon, S. (2020). Bias Mitigation Techniques and a Cost-Aware Framework for Boosted Ranking \
                    Algorithms. Thesis, Case Western Reserve University",
        protocol: vec![
            "Table 4.2 and the figures of section 4.3: five folds by row, decision stumps, no early stopping. R2 is the \
             cost-weighted share of pairs in wrong order, ties half, on test rows. CS-RBD is cost-sensitive RankBoost. \
             The number of rounds is not printed."
                .to_owned(),
        ],
        tables,
        claims,
        pictures,
        missing: vec![
            "MovieLens with the tag genome must not be passed on: the small MovieLens with years, numbers of ratings, \
             genres and common tags stands in for it."
                .to_owned(),
        ],
        seconds: work.seconds,
    })
}

/// Trains on all rows with so many rounds, and returns the model, the curve of R2, and the seconds.
fn train(
    task: &Task,
    learner: &str,
    parameters: &[(&str, &str)],
    data: &Dataset,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Option<(Model, Vec<f64>, f64)>, Error> {
    let begun = Instant::now();
    let parameters = parameters.iter().copied().chain([("patience", "0")]);
    let fit = Fit::for_task(task.clone(), learner, parameters)?.seed(seed).hold_out(HoldOut::None);
    let fitted = fit.run(&fit.divide(data, &task.goal())?, Some(observer))?;
    if fitted.is_interrupted() {
        return Ok(None);
    }
    let Some(model) = fitted.model else { return Ok(None) };
    let curves = model.stages.iter().flat_map(|stage| &stage.extra_curves);
    let curve = curves.into_iter().find(|(name, _)| name.starts_with("R2"));
    let curve = curve.map(|(_, curve)| curve.clone()).unwrap_or_default();
    Ok(Some((model, curve, begun.elapsed().as_secs_f64())))
}

/// Figures of scores by metrics.
fn figures(
    data: &Dataset,
    scores: &[f64],
    metrics: &[&str],
) -> Result<BTreeMap<String, f64>, Error> {
    let problem = Problem::new(data, Goal::default())?;
    let mut found = BTreeMap::new();
    for text in metrics {
        let metric = text.parse::<Spec>()?.build(Scale::of(data))?;
        if let Some(value) = evaluate(&metric, &problem, scores)?.figure {
            found.insert((*text).to_owned(), value);
        }
    }
    Ok(found)
}

/// The score from which on an item is best taken to be positive: most of those at or above it are, most below
/// it are not.
fn best_cut(scores: &[f64], is_positive: impl Fn(usize) -> bool) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
    let (mut right, mut best, mut cut) = (0i64, 0, f64::INFINITY);
    for (place, &item) in order.iter().enumerate() {
        right += if is_positive(item) { 1 } else { -1 };
        // Equal scores are on the same side.
        let is_last = order.get(place + 1).is_none_or(|&next| scores[next] < scores[item]);
        if is_last && right > best {
            (best, cut) = (right, scores[item]);
        }
    }
    cut
}

/// A figure of one learner less that of another, over the same splits.
struct Difference {
    number: Number,
    /// Of a paired t test.
    p: f64,
    /// The splits in which it is above 0, and all.
    above: [usize; 2],
}

impl Difference {
    fn new(own: &[Run], other: &[Run], figure: &str) -> Self {
        let pairs = own.iter().zip(other);
        let values: Vec<f64> = pairs
            .filter_map(|(a, b)| Some(a.figures.get(figure)? - b.figures.get(figure)?))
            .collect();
        let test = PairedTest::T.run(&values, &TestOptions::default());
        Difference {
            number: Number::of(&values).unwrap_or(0.0.into()),
            p: test.ok().flatten().map_or(1.0, |result| result.p_value),
            above: [values.iter().filter(|value| **value > 0.0).count(), values.len()],
        }
    }

    /// Whether it is above 0, or below it for a negative sign.
    fn held(&self, sign: f64) -> Held {
        match self.p < LEVEL {
            false => Held::Unclear,
            true if self.number.value * sign > 0.0 => Held::Yes,
            true => Held::No,
        }
    }

    fn text(&self) -> String {
        let deviation = self.number.deviation.map_or(String::new(), |d| format!(" ± {d:.4}"));
        let [above, of] = self.above;
        format!(
            "{:+.4}{deviation} (above 0 in {above} of {of}, p {:.3})",
            self.number.value, self.p
        )
    }
}

/// Mean and deviation of a figure over runs.
fn over_runs(runs: &[&Run], figure: &str) -> Option<Number> {
    let values: Vec<f64> = runs.iter().filter_map(|run| run.figures.get(figure).copied()).collect();
    Number::of(&values)
}

/// One line for each learner: its first run.
fn picture(name: &str, title: &str, lines: Vec<(&str, &Run)>) -> Picture {
    let lines: Vec<RoundLine> = lines
        .into_iter()
        .map(|(name, run)| RoundLine { name: name.to_owned(), values: run.curve.clone() })
        .collect();
    let svg = rounds_svg(&lines, "rank loss of training pairs (R2)", title);
    Picture { name: name.to_owned(), title: title.to_owned(), svg }
}
