//! How good is a model? Its figure on lists that it was not trained on, beside what it has to
//! beat: a plain regression of the cost, the best single feature, a random order.

use std::fmt;

use serde::Serialize;
use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::metric::{Direction, Scale};
use stakes_eval::study::{
    BEST_FEATURE, Comparison, IDEAL, RANDOM, Scores, Study, StudyOptions, study,
};
use stakes_learn::boosted::{Boosting, Mart};
use stakes_learn::learner::training_seconds;
use stakes_learn::{FitContext, Kind, Observer as RunObserver, auto, train};
use stakes_model::Model;
use stakes_stats::{Correction, PairedTest};

use crate::evaluate::table;
use crate::fit::{Fit, Fitted, Observer, is_interrupted};
use crate::text::{Layout, Page};
use crate::{Error, Note};

/// The learner that most people would try first.
const REGRESSION: &str = "mart";

/// Folds of the regression where there are no validation lists.
const FOLDS: usize = 5;

/// What a model is judged beside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct JudgeOptions {
    /// Whether a plain regression is trained on the same lists.
    pub regression: bool,
    /// The seed of its random draws.
    pub seed: u64,
}

impl Default for JudgeOptions {
    fn default() -> Self {
        JudgeOptions { regression: true, seed: 0 }
    }
}

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

impl Verdict {
    /// Writes the figures as a table, with what must be known to read them.
    pub fn write(&self, page: &mut Page) {
        page.table(&table::figures(&self.study));
        table::remarks(page, &self.study, &self.options);
        let Some(c) = self.comparison() else { return };
        let (model, other) = (&c.score, table::shown(&c.baseline));
        let difference = table::with_interval(c.difference, c.low, c.high);
        let p = if c.p < 0.001 { "p < 0.001".into() } else { format!("p = {:.3}", c.p) };
        page.text(&format!("{model} against {other}: {difference}, {p} ({})", c.test));
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
    /// The work that [`Fitted::judge`] makes, in the unit of [`RunProgress`]: for observers that
    /// show the progress of both.
    ///
    /// [`RunProgress`]: stakes_learn::RunProgress
    pub fn judging_work(
        &self,
        training: &Dataset,
        validation: Option<&Dataset>,
        options: JudgeOptions,
    ) -> f64 {
        let learner = self.learner();
        let has_figure = validation.is_some() || learner.kind() == Kind::Blend;
        if !options.regression || !has_figure || learner.name() == REGRESSION {
            return 0.0;
        }
        match validation {
            Some(_) => training_seconds(&mart(true), training.feature_info(), training.len()),
            None => auto::cross_validation_seconds(&mart(false), training, FOLDS),
        }
    }
}

/// The regression: with as many rounds as usual where no lists are left to decide when to stop.
fn mart(is_validated: bool) -> Mart {
    match is_validated {
        true => Mart::default(),
        false => {
            Mart { boosting: Boosting { rounds: 200, ..Boosting::default() }, ..Mart::default() }
        }
    }
}

impl Fitted {
    /// Judges the model by the metric of the goal: on the validation lists, or else on the
    /// training lists by models that were not trained on them. `None` where there are neither.
    pub fn judge(
        &self,
        training: &Problem<'_>,
        validation: Option<&Problem<'_>>,
        options: JudgeOptions,
        observer: &mut dyn Observer,
    ) -> Result<Option<Verdict>, Error> {
        let Some(model) = &self.model else { return Ok(None) };
        let (by, values) = match (validation, &self.out_of_fold) {
            (Some(validation), _) => (validation, model.score(validation.data())?),
            (None, Some(scores)) => (training, scores.clone()),
            (None, None) => return Ok(None),
        };
        let name = score_name(model);
        let mut scores = vec![Scores { name: name.clone(), values }];
        // Whether re-ranking is worth anything shows beside the base.
        if let Some(rerank) = &model.rerank {
            let values = model.first_stage().score(by.data())?;
            scores.push(Scores { name: format!("the base alone ({})", rerank.base), values });
        }
        let mut notes = Vec::new();
        let regresses = options.regression && !self.is_interrupted() && model.learner != REGRESSION;
        if regresses {
            observer.stage("training a plain regression to compare with");
            match regression(training, validation, options.seed, observer)? {
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
        let figures = study(by, metrics, &scores, &plain, &|_| {})?;
        let options = StudyOptions {
            baseline: strongest(&figures, &name, metric.direction()),
            intervals: StudyOptions::default().intervals,
            ..plain
        };
        let mut study = study(by, metrics, &scores, &options, &|_| {})?;
        // How the others compare with each other was not asked.
        study.comparisons.retain(|comparison| comparison.score == name);
        Ok(Some(Verdict { study, options, notes }))
    }
}

/// The name of a model beside others: its learner, unless a reference order is called like that.
pub(crate) fn score_name(model: &Model) -> String {
    match model.learner.as_str() {
        name @ (BEST_FEATURE | RANDOM | IDEAL) => format!("{name} (learnt)"),
        name => name.to_owned(),
    }
}

/// The scores of a plain regression; `None` if it was interrupted: half a regression is no
/// measure.
fn regression(
    training: &Problem<'_>,
    validation: Option<&Problem<'_>>,
    seed: u64,
    observer: &mut dyn Observer,
) -> Result<Option<Vec<f64>>, Error> {
    let observer: Option<&mut dyn RunObserver> = Some(observer);
    let mut cx = FitContext { validation, seed, observer, ..FitContext::default() };
    let Some(validation) = validation else {
        return Ok(auto::out_of_fold(&mart(false), training, &mut cx, FOLDS)?);
    };
    let model = train(&mart(true), training, &mut cx)?.model;
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
