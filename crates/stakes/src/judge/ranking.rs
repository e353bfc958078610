//! The figure of a ranking on lists that the model was not trained on, beside what it has to beat: a
//! plain regression of the cost, the best single feature, a random order.

use std::fmt;

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Scale};
use stakes_eval::study::{Comparison, IDEAL, Scores, Study, StudyOptions, study};
use stakes_learn::boosted::{Boosting, Mart};
use stakes_learn::{FitContext, Observer as RunObserver, auto, train};
use stakes_model::Model;
use stakes_stats::{Correction, PairedTest};

use super::JudgeOptions;
use crate::evaluate::{score_name, table};
use crate::fit::{Division, Fitted, Origin, is_interrupted};
use crate::text::short;
use crate::{Error, Note, Observer};

/// The learner that most people would try first.
const REGRESSION: &str = "mart";

/// Folds of the regression where there are neither validation lists nor folds of the model.
const FOLDS: usize = 5;

/// The figures of a model and of what it has to beat, and the test against the best of the others.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// Figures and comparisons.
    #[serde(flatten)]
    pub study: Study,
    /// How intervals and tests were made.
    #[serde(skip)]
    pub options: StudyOptions,
    /// What is missing.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

impl Verdict {
    /// The model against the best of the others.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.study.comparisons.first()
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&table::figures(&self.study))?;
        f.write_str(&table::remarks(&self.study, &self.options))?;
        let Some(c) = self.comparison() else { return Ok(()) };
        let interval = match c.low.zip(c.high) {
            Some((low, high)) => format!(" [{}, {}]", short(low), short(high)),
            None => String::new(),
        };
        let (model, other) = (&c.score, table::shown(&c.baseline));
        let difference = short(c.difference);
        let p = if c.p < 0.001 { "p < 0.001".into() } else { format!("p = {:.3}", c.p) };
        writeln!(f, "{model} against {other}: {difference}{interval}, {p} ({})", c.test)
    }
}

/// Judges scores of items that a model was not trained on by the metric of the goal.
pub(super) fn judge(
    fitted: &Fitted,
    model: &Model,
    values: Vec<f64>,
    division: &Division<'_>,
    options: JudgeOptions,
    observer: &mut dyn Observer,
) -> Result<Verdict, Error> {
    let (training, validation) = (division.problem()?, division.validation_problem()?);
    let by = validation.as_ref().unwrap_or(&training);
    let name = score_name(model);
    let mut scores = vec![Scores { name: name.clone(), values }];
    // Whether re-ranking is worth anything shows beside the base.
    if let Some(rerank) = &model.rerank
        && validation.is_some()
    {
        let values = model.first_stage().score(by.data())?;
        scores.push(Scores { name: format!("the base alone ({})", rerank.base), values });
    }
    let mut notes = Vec::new();
    if options.regression && !fitted.is_interrupted() && model.learner != REGRESSION {
        observer.stage("training a plain regression to compare with");
        match regression(&training, validation.as_ref(), division.origin, options.seed, observer)? {
            Some(values) => {
                scores.push(Scores { name: format!("plain regression ({REGRESSION})"), values })
            }
            None => notes.push(Note::NoRegression),
        }
    }
    observer.stage("judging");
    let metric = by.goal().spec().build(Scale::of(by.data()))?;
    let metrics = std::slice::from_ref(&metric);
    let plain = StudyOptions {
        intervals: None,
        tests: vec![PairedTest::Randomisation],
        correction: Correction::None,
        ..StudyOptions::default()
    };
    let figures = study(by, metrics, &scores, &plain, &mut |_| {})?;
    let options = StudyOptions {
        baseline: strongest(&figures, &name, metric.direction()),
        intervals: StudyOptions::default().intervals,
        ..plain
    };
    let mut study = study(by, metrics, &scores, &options, &mut |_| {})?;
    // How the others compare with each other was not asked.
    study.comparisons.retain(|comparison| comparison.score == name);
    Ok(Verdict { study, options, notes })
}
/// The scores of a plain regression; `None` if it was interrupted: an unfinished
/// regression is no baseline.
fn regression(
    training: &Problem<'_>,
    validation: Option<&Problem<'_>>,
    origin: Origin,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Option<Vec<f64>>, Error> {
    let observer: Option<&mut dyn RunObserver> = Some(observer);
    let mut cx = FitContext { validation, seed, observer, ..FitContext::default() };
    let Some(validation) = validation else {
        // As many rounds as usual: there are no lists left to decide when to stop.
        let boosting = Boosting { rounds: 200, ..Boosting::default() };
        let mart = Mart { boosting, ..Mart::default() };
        let folds = match origin {
            Origin::Folds(folds) => folds,
            _ => FOLDS,
        };
        return Ok(auto::out_of_fold(&mart, training, &mut cx, folds)?);
    };
    let model = train(&Mart::default(), training, &mut cx)?.model;
    Ok(if is_interrupted(&model) { None } else { Some(model.score(validation.data())?) })
}

/// The best of the orders that were not trained for the goal.
fn strongest(figures: &Study, model: &str, direction: Direction) -> Option<String> {
    let sign = if direction == Direction::Higher { 1.0 } else { -1.0 };
    let others = figures.results.iter().filter(|row| row.score != model && row.score != IDEAL);
    others
        .filter_map(|row| Some((sign * row.value?, &row.score)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.clone())
}
