//! Learning curves: what contestants are worth if they learn from fewer lists.
//!
//! In every fold a part of the training lists is taken, the same for all contestants, and a larger part holds
//! a smaller one. Test and validation lists stay what they are. A curve that still rises at its end says
//! that more lists would help.

use serde::Serialize;
use stakes_core::random::draw_for;
use stakes_core::split::Fold;

use super::compare::entries;
use super::contestant::{Contestant, Order, complete};
use super::{CompareOptions, Compared, Outcome, Setting};
use crate::{Error, Observer};

/// A contestant that learned from a part of the training lists.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct CurvePoint {
    /// The contestant.
    pub contestant: String,
    /// The part of the training lists, up to 1.
    pub share: f64,
    /// Their number, the mean over the folds.
    pub lists: f64,
    /// The figure on the test lists by the metric of the goal.
    pub value: Option<f64>,
    /// The lower end of its interval.
    pub low: Option<f64>,
    /// The upper end.
    pub high: Option<f64>,
}

/// The points of all learners, from the smallest share to all lists, which were compared already (unless only one
/// training is asked for).
pub(super) fn points(
    setting: &Setting<'_>,
    contestants: &[Contestant],
    options: &CompareOptions,
    whole: Option<&Compared>,
    mut observer: Option<&mut dyn Observer>,
) -> Result<Outcome<Vec<CurvePoint>>, Error> {
    let mut shares = options.learning_curve.clone();
    shares.sort_by(f64::total_cmp);
    shares.dedup();
    if let Some(bad) = shares.iter().find(|share| !(**share > 0.0 && **share < 1.0)) {
        return Err(Error::Contestant(format!(
            "a learning curve cannot have {bad} of the training lists; allowed are shares between 0 and 1"
        )));
    }
    let learners = complete(contestants)?.into_iter();
    let learners = learners.filter(|contestant| matches!(contestant.order, Order::Learner(_)));
    // With few lists some cannot learn: they have no point there.
    let learners: Vec<Contestant> =
        learners.map(|contestant| Contestant { optional: true, ..contestant }).collect();
    let mut found = Vec::new();
    for share in shares {
        let part = Setting { folds: parts(setting, share), ..setting.clone() };
        let run = options.run.as_ref().map(|run| format!("{run}/curve/{}", 100.0 * share));
        let jobs = options.jobs.within(&format!("{share} of the lists"));
        if !jobs.include_this_part() {
            continue;
        }
        let options = CompareOptions { run, jobs, metrics: Vec::new(), ..options.clone() };
        let watching = observer.as_mut().map(|observer| &mut **observer as &mut dyn Observer);
        match entries(&part, &learners, &options, false, watching)? {
            Outcome::Finished(entries) => {
                add(&mut found, &part, share, &entries.compared, &learners)
            }
            Outcome::Interrupted { done, of } => return Ok(Outcome::Interrupted { done, of }),
        }
    }
    if let Some(whole) = whole {
        add(&mut found, setting, 1.0, whole, &learners);
    }
    Ok(Outcome::Finished(Box::new(found)))
}

/// The folds with a part of their training lists: those whose names draw the lowest numbers.
fn parts(setting: &Setting<'_>, share: f64) -> Vec<Fold> {
    let draw = |list: usize| draw_for(setting.seed, setting.data.list_id(list));
    let part = |fold: &Fold| {
        let mut drawn: Vec<(f64, usize)> =
            fold.train.iter().map(|&list| (draw(list), list)).collect();
        drawn.sort_by(|a, b| a.0.total_cmp(&b.0));
        let count = (share * drawn.len() as f64).ceil() as usize;
        let mut train: Vec<usize> = drawn[..count].iter().map(|(_, list)| *list).collect();
        train.sort_unstable();
        Fold { train, ..fold.clone() }
    };
    setting.folds.iter().map(part).collect()
}

fn add(
    found: &mut Vec<CurvePoint>,
    setting: &Setting<'_>,
    share: f64,
    compared: &Compared,
    learners: &[Contestant],
) {
    let lists: usize = setting.folds.iter().map(|fold| fold.train.len()).sum();
    for learner in learners {
        let figure = compared.figure(&learner.name, &compared.settings.metric);
        found.push(CurvePoint {
            contestant: learner.name.clone(),
            share,
            lists: lists as f64 / setting.folds.len() as f64,
            value: figure.and_then(|figure| figure.value),
            low: figure.and_then(|figure| figure.low),
            high: figure.and_then(|figure| figure.high),
        });
    }
}
