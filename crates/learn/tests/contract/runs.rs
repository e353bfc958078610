//! Runs that are watched, stopped and taken up again.

use stakes_core::cost::Problem;
use stakes_core::goal::Goal;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_learn::{
    Checkpoint, Ended, FitContext, FitError, Flow, Kind, Learner, Model, Observer, Round, train,
};

use super::world::*;

/// Stops after so many rounds in all, keeping the last checkpoint.
struct StopAfter {
    rounds: usize,
    last: Option<Checkpoint>,
}

impl Observer for StopAfter {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        assert!(round.done >= 1 && round.done <= round.of && round.value.is_finite());
        self.last = Some((round.checkpoint)());
        self.rounds -= 1;
        if self.rounds == 0 { Flow::Stop } else { Flow::Continue }
    }
}

/// Training cannot continue from a CS-MART that begins with an expected cost.
const NO_START: (&str, &str) = ("start", "none");

const MORE: &[(&str, &str)] = &[("rows", "0.8"), ("rounds", "10"), ("patience", "4")];

fn run(
    info: &dyn Learner,
    watch: &mut dyn Observer,
    resume: Option<Checkpoint>,
) -> Result<Model, FitError> {
    let (data, valid) =
        (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
    let problem = Problem::new(&data, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    let mut cx = FitContext { validation: Some(&validation), resume, ..observed(watch) };
    Ok(train(&*settings(info, MORE), &problem, &mut cx)?.model)
}

#[test]
fn a_run_that_was_left_and_taken_up_gives_the_same_model() {
    for_all(|info| {
        let whole = run(info, &mut Silent, None).unwrap();
        assert!(whole.calibration.is_some());
        for rounds in [1, 3, 7] {
            let mut stopped = StopAfter { rounds, last: None };
            let partial = run(info, &mut stopped, None).unwrap();
            let kept = stopped.last.unwrap();
            let had_ended = kept.stages.last().unwrap().ended.is_some();
            let interrupted = partial.stages.last().unwrap().ended == Ended::Interrupted;
            // Stopping after the last round is not an interruption.
            assert!(had_ended || interrupted || partial.to_json() == whole.to_json());
            let again = Checkpoint::from_json(kept.to_json().as_bytes(), "memory").unwrap();
            assert!(kept == again);
            let resumed = run(info, &mut Silent, Some(again)).unwrap();
            assert!(resumed.to_json() == whole.to_json(), "after {rounds}");
        }
    });
}

#[test]
fn an_interrupted_run_keeps_the_best_so_far() {
    for_all(|info| {
        let mut stopped = StopAfter { rounds: 5, last: None };
        let model = run(info, &mut stopped, None).unwrap();
        let stage = &model.stages[0];
        if info.kind() == Kind::Blend {
            // What the first member was after five rounds in five folds.
            assert_eq!((stage.ended, model.size().trees), (Ended::Interrupted, 25));
            return;
        }
        if stage.curve.len() < 5 {
            // It had no more than that to do.
            assert!(stage.ended != Ended::Interrupted && !is_trees(info));
            return;
        }
        assert_eq!(stage.curve.len(), 5);
        assert!(stage.kept >= 1 && stage.kept <= 5);
        if info.name() != "random-forest" && stage.measure.starts_with("rcs") {
            // Of a metric the mean of the last ten rounds counts: here that of all so far.
            let so_far = |n: usize| stage.curve[..n].iter().sum::<f64>() / n as f64;
            let value = |n: usize| if is_trees(info) { so_far(n) } else { stage.curve[n - 1] };
            let best = (1..=5).map(value).fold(f64::MIN, f64::max);
            assert_eq!(value(stage.kept), best);
        }
    });
}

#[test]
fn patience_ends_a_run_and_the_best_round_is_kept() {
    for_single(|info| {
        let model = run(info, &mut Silent, None).unwrap();
        for stage in &model.stages {
            let made = stage.curve.len();
            match stage.ended {
                // What mends an order may find that it was better before.
                Ended::NoImprovement if stage.kept == 0 => assert_eq!(stage.name, "order"),
                Ended::NoImprovement => assert_eq!(stage.kept + 4, made),
                // Newton's method goes along a path of its own; rounds are for Adam.
                Ended::AllRounds if info.name() == "listmle" => {}
                Ended::AllRounds if has(info, "rounds") => assert_eq!(made, 10),
                Ended::AllRounds | Ended::NothingLeft if !is_trees(info) => {}
                ended => panic!("{ended:?}"),
            }
        }
        // What re-ranks is no factor of the score.
        for stage in model.stages.iter().filter(|stage| stage.name != "re-rank") {
            let factor = model.scorer.factors.iter().find(|f| f.name == stage.name).unwrap();
            match &factor.net {
                None => assert_eq!(factor.trees.len(), stage.kept),
                Some(_) => assert!(factor.trees.is_empty() && stage.kept <= stage.curve.len()),
            }
        }
    });
}

#[test]
fn another_run_is_not_taken_up() {
    for_all(|info| {
        let mut stopped = StopAfter { rounds: 2, last: None };
        run(info, &mut stopped, None).unwrap();
        let mut other = stopped.last.unwrap();
        other.seed += 1;
        let error = run(info, &mut Silent, Some(other)).unwrap_err().to_string();
        assert!(error.contains("the seed was 1 and is now 0"), "{error}");
    });
}

#[test]
fn a_model_can_be_gone_on_from() {
    let data = dataset(&storms(10, 30, 21), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for_trees(|info| {
        let first = fit(info, &data, &[("rounds", "5"), NO_START]);
        let mut cx = FitContext { init_model: Some(&first), ..FitContext::default() };
        let four = settings(info, &[("rounds", "4"), NO_START]);
        let model = train(&*four, &problem, &mut cx).unwrap().model;
        for (stage, less) in first.scorer.factors.iter().enumerate().take(model.stages.len()) {
            assert_eq!(model.scorer.factors[stage].trees.len(), less.trees.len() + 4);
        }
        // On the same data it comes to what a longer run does.
        let long = fit(info, &data, &[("rounds", "9"), NO_START]);
        let scores = (model.score(&data).unwrap(), long.score(&data).unwrap());
        for (a, b) in scores.0.iter().zip(&scores.1) {
            assert!((a - b).abs() <= 1e-9 * (1.0 + b.abs()), "{a} {b}");
        }
    });
}

#[test]
fn a_run_that_went_on_from_a_model_is_taken_up_with_it() {
    let data = dataset(&storms(10, 30, 21), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for_trees(|info| {
        let [first, other] =
            ["5", "6"].map(|rounds| fit(info, &data, &[("rounds", rounds), NO_START]));
        let run = |watch: &mut dyn Observer, first: Option<&Model>, resume: Option<Checkpoint>| {
            let mut cx = FitContext { init_model: first, resume, ..observed(watch) };
            let four = settings(info, &[("rounds", "4"), NO_START]);
            train(&*four, &problem, &mut cx).map(|fitted| fitted.model)
        };
        let stopped_after_2 = |first: Option<&Model>| {
            let mut stopped = StopAfter { rounds: 2, last: None };
            run(&mut stopped, first, None).unwrap();
            stopped.last
        };
        let whole = run(&mut Silent, Some(&first), None).unwrap();
        let left = stopped_after_2(Some(&first));
        let resumed = run(&mut Silent, Some(&first), left.clone()).unwrap();
        assert!(resumed.to_json() == whole.to_json());
        for (now, left) in
            [(None, &left), (Some(&other), &left), (Some(&first), &stopped_after_2(None))]
        {
            let error = run(&mut Silent, now, left.clone()).unwrap_err().to_string();
            assert!(error.contains("it continued from another model"), "{error}");
        }
    });
}

#[test]
fn going_on_never_makes_it_worse() {
    let (data, valid) =
        (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
    let validation = Problem::new(&valid, goal()).unwrap();
    // Costs that follow from nothing teach nothing.
    let mut noise = storms(10, 30, 23);
    let costs: Vec<f64> = noise.iter().map(|item| item.impact).collect();
    noise.iter_mut().zip(costs.iter().rev()).for_each(|(item, cost)| item.impact = *cost);
    let noise = dataset(&noise, features());
    let problem = Problem::new(&noise, goal()).unwrap();
    let kept_none = std::cell::Cell::new(0);
    for_trees(|info| {
        let first = fit(info, &data, &[NO_START]);
        let mut cx = FitContext {
            validation: Some(&validation),
            init_model: Some(&first),
            ..FitContext::default()
        };
        let model = train(&*settings(info, &[NO_START]), &problem, &mut cx).unwrap().model;
        let figure = |model: &Model| saved(&valid, &model.score(&valid).unwrap());
        // A forest is a mean of all its trees; a chance is kept by its own measure.
        if !["random-forest", "two-part"].contains(&info.name()) {
            assert!(figure(&model) >= figure(&first));
            let none = model.stages[0].kept == 0;
            assert_eq!(none, model.scorer == first.scorer);
            kept_none.set(kept_none.get() + usize::from(none));
        }
        assert!(Model::from_json(model.to_json().as_bytes(), "memory").unwrap() == model);
    });
    assert!(kept_none.get() > 0, "the noise taught every learner something");
}

#[test]
fn the_curve_shows_the_figure_of_the_model() {
    let (data, valid) =
        (dataset(&storms(10, 30, 21), features()), dataset(&storms(6, 30, 22), features()));
    for text in ["rmse", "rcs@5"] {
        let goal: Goal = goal().with_metric(text.parse().unwrap());
        let problem = Problem::new(&data, &goal).unwrap();
        let validation = Problem::new(&valid, &goal).unwrap();
        for_single(|info| {
            let mut cx = FitContext { validation: Some(&validation), ..FitContext::default() };
            let model = train(&*settings(info, &[]), &problem, &mut cx).unwrap().model;
            let stage = model.stages.last().unwrap();
            // Regressions show the loss that they are stopped by.
            if !stage.measure.starts_with(text) {
                return;
            }
            let metric = Metric::parse(text, Scale::of(&valid)).unwrap();
            let scores = model.score(&valid).unwrap();
            let figure = evaluate(&metric, &validation, &scores).unwrap().figure.unwrap();
            // An order that is not mended has no figure of its own.
            let Some(shown) = stage.figure() else { return };
            assert!((figure - shown).abs() <= 1e-9 * figure, "{text}: {shown} and {figure}");
        });
    }
}

#[test]
fn what_cannot_be_gone_on_from_says_so() {
    let data = dataset(&storms(10, 30, 21), features());
    let problem = Problem::new(&data, goal()).unwrap();
    for_all(|info| {
        if is_trees(info) && !["auto", "cs-mart"].contains(&info.name()) {
            return;
        }
        let first = fit(info, &data, &[]);
        let mut cx = FitContext { init_model: Some(&first), ..FitContext::default() };
        let error = train(&*settings(info, &[]), &problem, &mut cx).unwrap_err().to_string();
        assert!(error.contains("training cannot continue from"), "{error}");
    });
}
