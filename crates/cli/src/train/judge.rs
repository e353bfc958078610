//! How good is it? The model on lists that it did not learn from, beside what it would have to
//! beat: a plain regression of the cost, the best single feature, a random order.

use stakes::cost::Problem;
use stakes::eval::study::{Comparison, IDEAL, Scores, Study, StudyOptions, study};
use stakes::eval::{Correction, PairedTest};
use stakes::learn::model::Goal;
use stakes::learn::params::Settings;
use stakes::learn::{Ended, FitContext, Flow, Model, Round, Watch, learner, train};
use stakes::metric::{Direction, Metric, Scale, Spec};

use super::interrupt;
use crate::output::note;

/// The learner that everybody would try first.
const REGRESSION: &str = "mart";

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

/// Judges a model by the goal's metric on `valid`. With `baseline`, a plain regression is
/// learnt from the same lists.
pub(crate) fn judge(
    model: &Model,
    problem: &Problem<'_>,
    valid: &Problem<'_>,
    goal: &Goal,
    baseline: bool,
    say: &dyn Fn(&str),
) -> anyhow::Result<Verdict> {
    let name = model.learner.clone();
    let mut scores = vec![Scores { name: name.clone(), values: model.score(valid.data())? }];
    if baseline {
        say("learning a plain regression to compare with");
        match regression(problem, valid, goal, model.seed)? {
            Some(regression) => {
                let name = format!("plain regression ({REGRESSION})");
                scores.push(Scores { name, values: regression.score(valid.data())? });
            }
            None => note("interrupted: there is no plain regression to compare with"),
        }
    }
    say("judging");
    let metric = goal.metric.parse::<Spec>()?.build(Scale::of(valid.data()))?;
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

impl Watch for UntilAsked {
    fn round(&mut self, _: &Round<'_>) -> Flow {
        if interrupt::asked() { Flow::Stop } else { Flow::GoOn }
    }
}

/// `None` if it was interrupted: half a regression is no measure.
fn regression(
    problem: &Problem<'_>,
    valid: &Problem<'_>,
    goal: &Goal,
    seed: u64,
) -> anyhow::Result<Option<Model>> {
    let info = learner(REGRESSION).map_err(anyhow::Error::msg)?;
    let mut cx = FitContext {
        validation: Some(valid),
        goal: goal.clone(),
        seed,
        resume: None,
        first: None,
        watch: &mut UntilAsked,
    };
    let settings = Settings::new(info, [])?;
    let model = interrupt::during(|| train(info, &settings, problem, &mut cx))?;
    let interrupted = model.stages.iter().any(|stage| stage.ended == Ended::Interrupted);
    Ok((!interrupted).then_some(model))
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
