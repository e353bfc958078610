//! Workflows from Rust, without the program.
#![allow(clippy::unwrap_used)]

use std::borrow::Cow;
use std::time::Duration;

use stakes::classes::{ClassifyOptions, classify};
use stakes::data::Role;
use stakes::evaluate::{EvaluateOptions, metric_names};
use stakes::fit::checkpoint_file;
use stakes::judge::{JudgeOptions, Judged};
use stakes::learn::boosted::{Boosting, Mart, Trees};
use stakes::learn::learner::TreeUnit;
use stakes::learn::loss::{Pointwise, Squared};
use stakes::learn::run::Run;
use stakes::learn::{About, FitContext, FitError, Kind, Learner, parameters};
use stakes::learn::{Flow, Observer as RunObserver, Round};
use stakes::metric::{ListMetric, MetricProperties, Rule};
use stakes::model::{Input, Link, Net, Scorer};
use stakes::prelude::*;
use stakes::synth::Storms;
use stakes::{Note, Observer};

mod backtests;
mod experiments;
mod fits;
mod jobs;
mod monitor;
mod prepare;
mod shards;

fn storms(seed: u64) -> Dataset {
    Storms { lists: 20, networks: 12, rows: 200, seed, ..Storms::default() }.generate().unwrap()
}

fn small() -> Fit<'static> {
    Fit::with_parameters("cs-mart", [("rounds", "12"), ("leaves", "4"), ("start", "none")]).unwrap()
}

#[test]
fn a_model_fitted_from_rust_knows_its_columns() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let model = small().fit(&storms(1), &Goal::act_on(3)).unwrap();
    model.save(&path("m.json")).unwrap();
    stakes::io::write(&storms(2), &path("next.csv"), None).unwrap();
    let model = Model::load(&path("m.json")).unwrap();
    let next = model.read(&path("next.csv")).unwrap();
    assert_eq!(next.n_lists(), 20);
    assert!(next.impact().is_none(), "outcomes are not read");
    let ranked = model.rank(&next).unwrap();
    let lacks = |note: &Note| matches!(note, Note::NoListColumn { .. } | Note::NoIdColumn { .. });
    assert!(!ranked.notes.iter().any(lacks), "{:?}", ranked.notes);
    assert_eq!(ranked.items.len(), next.len());
    assert_eq!(ranked.to_act_on().count(), 60);
    assert!(ranked.to_act_on().all(|item| item.rank <= 3));
    let known = ranked.items.iter().all(|item| item.expected_cost.is_known());
    assert_eq!(known, model.calibration.is_some());
    assert!(model.save(&path("m.csv")).unwrap_err().to_string().contains(".json"));
}

#[test]
fn options_of_ranking() {
    let data = storms(1);
    let model = small().hold_out(HoldOut::None).fit(&data, &Goal::act_on(3)).unwrap();
    let list = data.list_id(4).to_owned();
    let options = RankOptions {
        reach: Some(2.into()),
        list: Some(list.clone()),
        top: Some(4),
        reasons: 2,
        ..RankOptions::default()
    };
    let ranked = model.rank_with(&data, &options).unwrap();
    assert_eq!(ranked.items.len(), 4);
    assert_eq!(ranked.to_act_on().count(), 2);
    for item in &ranked.items {
        assert_eq!(item.list, list);
        let because = item.because.as_ref().unwrap();
        assert!(because.because.len() <= 2 && because.against.is_some());
        // No lists were held out, so scores do not stand for costs.
        assert_eq!(item.expected_cost.to_string(), "-");
    }
    let json = serde_json::to_value(&ranked).unwrap();
    assert!(json[0].get("expected_cost").is_none() && json[0]["act"] == true, "{json}");
    let options = RankOptions { list: Some("storm of the century".into()), ..Default::default() };
    let error = model.rank_with(&data, &options).unwrap_err().to_string();
    assert!(error.contains("there is no list `storm of the century`"), "{error}");
}

/// The share of lists whose costliest item comes first.
struct First;

struct FirstOfList<'l>(&'l [f64]);

impl Rule for First {
    fn prepare<'l>(&'l self, list: &ListView<'l>) -> Box<dyn ListMetric + 'l> {
        Box::new(FirstOfList(list.cost))
    }

    fn ideal_scores<'l>(&self, list: &ListView<'l>) -> Cow<'l, [f64]> {
        Cow::Borrowed(list.cost)
    }
}

impl ListMetric for FirstOfList<'_> {
    fn of_scores(&self, scores: &[f64]) -> Option<f64> {
        let best =
            |values: &[f64]| (0..values.len()).max_by(|&a, &b| values[a].total_cmp(&values[b]));
        Some(f64::from(u8::from(best(scores) == best(self.0))))
    }
}

#[test]
fn a_metric_of_ones_own_is_taken_like_ours() {
    let first = Metric::custom(MetricProperties::new("first"), First);
    let (train, test) = storms(1).hold_out(0.3).unwrap();
    let goal = Goal::act_on(3);
    let model = small().metric(&first).fit(&train, &goal).unwrap();
    assert_eq!(model.stages[0].measure, "first on validation lists");
    let of = |options: EvaluateOptions| {
        let found = goal.evaluate_with(&test, &model, &options).unwrap();
        metric_names(&found.study).join(" ")
    };
    let own_metrics = vec![first];
    let own = EvaluateOptions { own_metrics, ..EvaluateOptions::default() };
    assert_eq!(of(own.clone()), "first");
    assert_eq!(of(EvaluateOptions { metrics: vec![Spec::named("r")], ..own }), "r@3 first");
    assert_eq!(of(EvaluateOptions::default()), "rcs@3");
}

/// Regression trees for the square of the cost.
#[derive(Debug, Clone, Default)]
struct OwnTrees {
    trees: Trees,
    boosting: Boosting,
    /// Whether it forgets to say how trees are grown.
    forgets: bool,
}

impl Learner for OwnTrees {
    fn about(&self) -> &About {
        const ABOUT: About = About { name: "own-trees", ..About::PLAIN };
        &ABOUT
    }

    parameters!(trees, boosting);

    fn kind(&self) -> Kind {
        Kind::Trees(TreeUnit::Costs)
    }

    fn trees(&self) -> Option<&Trees> {
        (!self.forgets).then_some(&self.trees)
    }

    fn fit_run(&self, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
        let unit = run.unit();
        self.boosting.fit(run, Link::Identity, unit, &Pointwise::new(Squared))
    }
}

/// A constant weight of one feature.
#[derive(Debug, Clone, Default)]
struct OwnWeight;

impl Learner for OwnWeight {
    fn about(&self) -> &About {
        const ABOUT: About = About { name: "own-weight", ..About::PLAIN };
        &ABOUT
    }

    parameters!();

    fn kind(&self) -> Kind {
        Kind::Weights
    }

    fn fit_problem(
        &self,
        problem: &Problem<'_>,
        cx: &mut FitContext<'_>,
    ) -> Result<stakes::learn::Fitted, FitError> {
        let input = Input::Number { feature: 0, mean: 0.0, deviation: 1.0 };
        let scorer = Scorer::linear(Net::linear(vec![input], vec![2.0]));
        stakes::learn::Fitted::of_scorer(self, problem, cx, scorer)
    }
}

#[test]
fn learners_of_ones_own_are_trained_measured_and_saved_like_ours() {
    let (data, goal) = (storms(1), Goal::act_on(3));
    let boosting = Boosting { rounds: 20, ..Boosting::default() };
    let own = OwnTrees { boosting: boosting.clone(), ..OwnTrees::default() };
    let held_out = |learner: &dyn Learner| Fit::new(learner.boxed()).hold_out(0.2);
    let model = held_out(&own).fit(&data, &goal).unwrap();
    let ours = Mart { boosting, ..Mart::default() };
    let ours = held_out(&ours).fit(&data, &goal).unwrap();
    assert_eq!(model.score(&data).unwrap(), ours.score(&data).unwrap());
    let is_plain = |model: &Model| Mart::is_plain_regression(&model.learner, &model.parameters);
    assert!(!is_plain(&model) && is_plain(&ours));
    let mut quantile = Mart::default();
    quantile.set("loss", "quantile").unwrap();
    assert!(!Mart::is_plain_regression(quantile.name(), &quantile.texts()));
    let error = OwnTrees { forgets: true, ..own }.fit(&data, &goal).unwrap_err().to_string();
    assert!(
        error.contains("own-trees grows trees, but Learner::trees does not say how"),
        "{error}"
    );

    let model = OwnWeight.fit(&data, &goal).unwrap();
    let column = data.features().column(0);
    let expected: Vec<f64> =
        column.map(|x| if x.is_nan() { 0.0 } else { 2.0 * f64::from(x) }).collect();
    assert_eq!(model.score(&data).unwrap(), expected);
    assert!(model.stages[0].measure.starts_with("rcs@3 on validation lists"));
    assert_eq!(Model::from_json(model.to_json().as_bytes(), "m").unwrap(), model);
    let error = Fit::new(Box::new(OwnWeight)).continue_from(&model).fit(&data, &goal);
    assert!(error.unwrap_err().to_string().contains("own-weight makes no rounds"));
}

/// Stops after some rounds.
struct Stop(usize);

impl RunObserver for Stop {
    fn round(&mut self, _: &Round<'_>) -> Flow {
        self.0 -= 1;
        if self.0 == 0 { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for Stop {}

#[test]
fn an_interrupted_run_is_resumed_to_the_same_model() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("m.json").to_str().unwrap().to_owned();
    let (data, goal) = (storms(1), Goal::act_on(3));
    let whole = small().fit(&data, &goal).unwrap();
    let fit = small().output(&output).checkpoint_interval(Duration::from_secs(1000));
    let division = fit.divide(data, &goal).unwrap();
    let stopped = fit.run(&division, Some(&mut Stop(5))).unwrap();
    let interruption = stopped.interruption.unwrap();
    assert_eq!((interruption.round, interruption.can_resume), (5, true));
    assert!(std::path::Path::new(&checkpoint_file(&output)).exists());
    let fit = fit.resume(true);
    let resumed = fit.run(&division, None).unwrap();
    assert!(!resumed.is_interrupted() && !std::path::Path::new(&checkpoint_file(&output)).exists());
    assert_eq!(resumed.model.unwrap().to_json(), whole.to_json());
    assert_eq!(std::fs::read_to_string(&output).unwrap(), whole.to_json());
    let error = fit.check().unwrap_err().to_string();
    assert!(error.contains("there is no unfinished run to resume"), "{error}");
}

#[test]
fn figures_beside_reference_orders() {
    let (train, test) = storms(1).hold_out(0.4).unwrap();
    let goal = Goal::act_on(3);
    let fit = small();
    let model = fit.fit(&train, &goal).unwrap();
    let found = goal.evaluate(&test, &model).unwrap();
    let row = found.study.row("cs-mart", "rcs@3").unwrap();
    assert!(row.value.is_some() && row.low.is_some());
    let text = found.to_string();
    assert!(text.contains("random order") && text.contains("cs-mart"), "{text}");
    assert_eq!(serde_json::to_value(&found).unwrap()["settings"]["k"], "3");

    let division = fit.validate_with(&train, test, &goal).unwrap();
    let fitted = fit.run(&division, None).unwrap();
    let judged = fitted.judge(&division, &JudgeOptions::default(), None).unwrap();
    let Judged::Ranking(Some(verdict)) = judged else { panic!("{judged:?}") };
    assert!(verdict.study.row("plain regression (mart)", "rcs@3").is_some());
    assert!(verdict.to_string().contains("cs-mart against"), "{verdict}");
}

#[test]
fn classes_of_rows() {
    let mut csv = "x,sign\n".to_owned();
    (0..60).for_each(|i| csv += &format!("{},{}\n", i, if i % 3 == 0 { "wave" } else { "circle" }));
    let task = Task::classes("sign");
    let rows = parse_csv_bytes(csv.as_bytes(), task.roles(Roles::new())).unwrap();
    let fit = Fit::for_task(task.clone(), "cs-rankboost", [("rounds", "5")]).unwrap();
    let model = fit.fit(&rows, &task.goal()).unwrap();
    assert_eq!(model.columns.get(&Role::Class).map(String::as_str), Some("sign"));
    assert!(!model.columns.contains_key(&Role::List), "{:?}", model.columns);
    let classified = classify(&model, &rows, &ClassifyOptions::default()).unwrap();
    assert_eq!(classified.rows.len(), 60);
    assert!(model.rank(&rows).is_err());
}
