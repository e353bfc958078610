//! The figure of a ranking on lists that the model was not trained on, beside what it has to beat: a
//! plain regression of the cost, the best single feature, a random order.

use std::borrow::Cow;
use std::fmt;

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::metric::{Direction, Scale};
use stakes_core::split::Folds;
use stakes_eval::study::{Comparison, IDEAL, Scores, Study, StudyOptions, study};
use stakes_learn::boosted::Mart;
use stakes_learn::learner::training_seconds;
use stakes_learn::{FitContext, Kind, Learner, Observer as RunObserver, train};
use stakes_model::Model;
use stakes_stats::{Correction, PairedTest};

use super::JudgeOptions;
use super::reached::{Question, Reached};
use crate::evaluate::{score_name, table};
use crate::fit::{Division, Fit, Fitted, Origin, is_interrupted};
use crate::judged_lists::judged_lists;
use crate::text::{Layout, Page, Table, p_words, percent};
use crate::{Error, Note, Observer};

/// Folds of the regression where the model has others, which choose its members.
const FOLDS: usize = 5;

/// The figures of a model and of the orders that it has to beat, and a test against the best of them.
#[derive(Debug, Clone, Serialize)]
pub struct Verdict {
    /// Figures and comparisons.
    #[serde(flatten)]
    pub study: Study,
    /// How intervals and tests were made.
    #[serde(skip)]
    pub options: StudyOptions,
    /// What acting by the model would have reached, beside what is done now.
    #[serde(skip)]
    pub reached: Option<Box<Reached>>,
    /// Notes on what is missing.
    #[serde(skip)]
    pub notes: Vec<Note>,
}

impl Verdict {
    /// Returns the comparison of the model with the best of the others.
    pub fn comparison(&self) -> Option<&Comparison> {
        self.study.comparisons.first()
    }
}

impl Verdict {
    /// The figures, and beside them the plain share of all cost that is reached.
    fn figures(&self, page: &Page) -> Table {
        let shares = self.reached.as_ref().map_or(&[][..], |reached| &reached.shares);
        table::figures_with(page, &self.study, "reached", |score| {
            let (_, share) = shares.iter().find(|(name, _)| name == score)?;
            Some(percent(*share))
        })
    }

    /// Writes the figures as a table, with the remarks needed to read it.
    pub fn write(&self, page: &mut Page) {
        page.table(&self.figures(page));
        table::remarks(page, &self.study, &self.options);
        let Some(c) = self.comparison() else { return };
        let (model, other) = (&c.score, table::shown(&c.baseline));
        let difference = table::with_interval(c.difference, c.low, c.high);
        let p = p_words(c.p);
        let test = if page.has_statistics() { format!(" ({})", c.test) } else { String::new() };
        page.text(&format!("{model} against {other}: {difference}, {p}{test}"));
        page.text(&match (c.p < 0.05, c.better) {
            (true, true) => format!("so {model} saves more than {other}, beyond chance"),
            (true, false) => format!("so {model} saves less than {other}, beyond chance"),
            (false, _) => {
                format!("so these lists do not show which of {model} and {other} is better")
            }
        });
    }
}

impl fmt::Display for Verdict {
    /// See [`Verdict::write`].
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut page = Page::new(Layout::default());
        self.write(&mut page);
        f.write_str(&page.finish())
    }
}

impl Fit<'_> {
    /// Estimates the work of [`Fitted::judge`], in the unit of [`RunProgress`], for observers that show the
    /// progress of training and judging together.
    ///
    /// [`RunProgress`]: stakes_learn::RunProgress
    pub fn judging_work(&self, division: &Division<'_>, options: &JudgeOptions) -> f64 {
        let (learner, training) = (self.learner(), &division.training);
        let is_plain = Mart::is_plain_regression(learner.name(), &learner.texts());
        if !options.regression || division.classes.is_some() || is_plain {
            return 0.0;
        }
        let width = training.features().width();
        let seconds = training_seconds(&Mart::default(), width, training.len());
        match division.origin {
            Origin::None if learner.kind() != Kind::Blend => 0.0,
            // A fold is trained with all lists but its own.
            Origin::None | Origin::Folds(_) => (folds(division.origin) as f64 - 1.0) * seconds,
            Origin::Given | Origin::Drawn | Origin::Latest => seconds,
        }
    }
}

/// The folds of the regression: those of the model.
fn folds(origin: Origin) -> usize {
    match origin {
        Origin::Folds(folds) => folds,
        _ => FOLDS,
    }
}

/// Judges scores of items that a model was not trained on by the metric of the goal.
pub(super) fn judge(
    fitted: &Fitted,
    model: &Model,
    values: Vec<f64>,
    division: &Division<'_>,
    options: &JudgeOptions,
    observer: &mut dyn Observer,
) -> Result<Verdict, Error> {
    let (training, validation) = (division.problem()?, division.validation_problem()?);
    let whole = validation.as_ref().unwrap_or(&training).data();
    let name = score_name(model);
    let reach = division.goal.reach;
    let values = model.priorities(values, whole, reach);
    let mut scores = vec![Scores { name: name.clone(), values }];
    // The base alone shows whether re-ranking is worth anything.
    if let Some(rerank) = &model.rerank
        && validation.is_some()
    {
        let values = model.first_stage().score(whole)?;
        scores.push(Scores { name: format!("the base alone ({})", rerank.base), values });
    }
    let mut notes = Vec::new();
    let is_plain = Mart::is_plain_regression(&model.learner, &model.parameters);
    if options.regression && !fitted.is_interrupted() && !is_plain {
        observer.stage("training a plain regression to compare with");
        match regression(&training, validation.as_ref(), division.origin, options.seed, observer)? {
            Some(values) => {
                let name = format!("plain regression ({})", Mart::default().name());
                scores.push(Scores { name, values });
            }
            None => notes.push(Note::NoRegression),
        }
    }
    if let Some(current) = &options.current {
        scores.extend(current.scores(whole)?);
    }
    let judged = judged_lists(whole, &mut scores);
    let by = &Problem::new(&judged, &division.goal)?;
    observer.stage("judging");
    // What folds that look forward judge is the newest.
    let origin = match &judged {
        Cow::Owned(_) => Origin::Latest,
        Cow::Borrowed(_) => division.origin,
    };
    let (current, amounts) = (options.current.as_ref(), &options.amounts);
    let reached =
        Question { by, scores: &scores, current, amounts, origin }.answer()?.map(Box::new);
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
    // Comparisons of the others with each other are not needed.
    study.comparisons.retain(|comparison| comparison.score == name);
    Ok(Verdict { study, options, reached, notes })
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
    let own_folds = match validation {
        Some(_) => None,
        None => Folds::new(training, folds(origin), seed),
    };
    cx.folds = own_folds.as_ref();
    let fitted = train(&Mart::default(), training, &mut cx)?;
    let (model, judged) = (&fitted.model, validation.unwrap_or(training).data());
    let scores = match validation {
        _ if is_interrupted(model) => None,
        Some(_) => Some(model.score(judged)?),
        None => fitted.out_of_fold,
    };
    Ok(scores.map(|scores| model.priorities(scores, judged, training.goal().reach)))
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
