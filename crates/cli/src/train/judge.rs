//! How good is it? The model on lists that it did not learn from, beside what it would have to
//! beat: a plain regression of the cost, the best single feature, a random order.

use stakes::cost::Problem;
use stakes::eval::study::{
    BEST_FEATURE, Comparison, IDEAL, RANDOM, Scores, Study, StudyOptions, study,
};
use stakes::learn::boosted::{Boosting, Mart};
use stakes::learn::{Ended, FitContext, Flow, Model, Observer, Round, auto, train};
use stakes::metric::{Direction, Metric, Scale};
use stakes::stats::{Correction, PairedTest};

use super::interrupt;
use crate::output::note;

/// The learner that everybody would try first.
const REGRESSION: &str = "mart";

/// Folds of the regression where there are no lists but those that are learnt from.
const FOLDS: usize = 5;

/// What the model is called beside others: its learner, unless they have a name like that.
pub(super) fn name(model: &Model) -> String {
    match model.learner.as_str() {
        name @ (BEST_FEATURE | RANDOM | IDEAL) => format!("{name} (learnt)"),
        name => name.to_owned(),
    }
}

/// Figures, and the test against the strongest of the simple ways.
pub(crate) struct Verdict {
    pub(crate) study: Study,
    pub(crate) metric: Metric,
    pub(crate) options: StudyOptions,
}

impl Verdict {
    /// The model against the best of the others.
    pub(crate) fn comparison(&self) -> Option<&Comparison> {
        self.study.comparisons.first()
    }
}

/// What is judged: the model's scores of lists that it did not learn from.
pub(crate) struct Case<'c> {
    /// What the model learnt from.
    pub(crate) learnt: &'c Problem<'c>,
    /// The lists to judge by: others than those, or the same where `scores` are out of fold.
    pub(crate) by: &'c Problem<'c>,
    pub(crate) name: String,
    pub(crate) scores: Vec<f64>,
    /// What is to be judged beside it.
    pub(crate) beside: Vec<Scores>,
    pub(crate) seed: u64,
    /// Whether to learn a plain regression from the same lists.
    pub(crate) baseline: bool,
}

/// Judges by the goal's metric.
pub(crate) fn judge(case: Case<'_>, say: &dyn Fn(&str)) -> anyhow::Result<Verdict> {
    let (name, valid) = (case.name.clone(), case.by);
    let regression = match case.baseline {
        true => {
            say("learning a plain regression to compare with");
            let values = regression(&case)?;
            if values.is_none() {
                note("interrupted: there is no plain regression to compare with");
            }
            values
        }
        false => None,
    };
    let mut scores = vec![Scores { name: name.clone(), values: case.scores }];
    scores.extend(case.beside);
    let plain = format!("plain regression ({REGRESSION})");
    scores.extend(regression.map(|values| Scores { name: plain, values }));
    say("judging");
    let metric = valid.goal().spec().build(Scale::of(valid.data()))?;
    let metrics = std::slice::from_ref(&metric);
    let plain = StudyOptions {
        bootstrap: None,
        tests: vec![PairedTest::Randomisation],
        correction: Correction::None,
        ..StudyOptions::default()
    };
    let figures = study(valid, metrics, &scores, &plain, &|_| {})?;
    let options = StudyOptions {
        baseline: strongest(&figures, &name, metric.direction()),
        bootstrap: StudyOptions::default().bootstrap,
        ..plain
    };
    let mut study = study(valid, metrics, &scores, &options, &|_| {})?;
    // That the regression beats the best feature, or does not, is not what was asked.
    study.comparisons.retain(|comparison| comparison.score == name);
    Ok(Verdict { study, metric, options })
}

/// Goes on until somebody wants it to stop.
struct UntilAsked;

impl Observer for UntilAsked {
    fn round(&mut self, _: &Round<'_>) -> Flow {
        if interrupt::asked() { Flow::Stop } else { Flow::Continue }
    }
}

/// What a plain regression says of the lists to judge by; `None` if it was interrupted: half a
/// regression is no measure.
fn regression(case: &Case<'_>) -> anyhow::Result<Option<Vec<f64>>> {
    let mut observer = UntilAsked;
    let mut cx =
        FitContext { seed: case.seed, observer: Some(&mut observer), ..FitContext::default() };
    if std::ptr::eq(case.learnt, case.by) {
        // As many rounds as are usual: there are no lists left to decide when to stop.
        let boosting = Boosting { rounds: 200, ..Boosting::default() };
        let mart = Mart { boosting, ..Mart::default() };
        let values = || auto::out_of_fold(&mart, case.learnt, &mut cx, FOLDS);
        return Ok(interrupt::during(values)?);
    }
    cx.validation = Some(case.by);
    let fitted = interrupt::during(|| train(&Mart::default(), case.learnt, &mut cx))?;
    let interrupted = fitted.model.stages.iter().any(|stage| stage.ended == Ended::Interrupted);
    Ok(if interrupted { None } else { Some(fitted.model.score(case.by.data())?) })
}

/// The best of the ways that need no learning for the goal.
fn strongest(figures: &Study, model: &str, direction: Direction) -> Option<String> {
    let sign = if direction == Direction::Higher { 1.0 } else { -1.0 };
    let others = figures.results.iter().filter(|row| row.score != model && row.score != IDEAL);
    others
        .filter_map(|row| Some((sign * row.value?, &row.score)))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name.clone())
}
