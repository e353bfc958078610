//! How data are divided, and what is known of a training.

use stakes::data::Role;
use stakes::evaluate::{EvaluateOptions, Evaluation, evaluate_scores};
use stakes::fit::Origin;
use stakes::judge::{ClassVerdict, JudgeOptions, Judged};
use stakes::learn::{Flow, Observer as RunObserver, Round};
use stakes::prelude::*;
use stakes::scoring::{self, SeenLists};
use stakes::{Note, Observer};

use crate::{small, storms};

/// The columns of storms that identify lists, items and their costs.
fn roles(data: &Dataset) -> Roles {
    let mut roles = Roles::new();
    for role in [Role::List, Role::Impact, Role::Id] {
        roles = roles.with_role(role, data.columns().role(role).unwrap());
    }
    roles
}

#[test]
fn a_percentage_is_of_all_lists_on_every_path() {
    let data = storms(3);
    let fit = small().seed(4).hold_out(0.2);
    let division = fit.divide(&data, &Goal::act_on(3)).unwrap();
    let (all, kept) = (data.mean_list_length(), division.training.mean_list_length());
    assert_ne!(all, kept);
    // Three items of the shorter mean length, and four of the longer one.
    let goal = Goal::act_on(Capacity::Percent(299.99 / all.min(kept)));
    let of_all = goal.clone().resolve(all);
    assert_ne!(of_all, goal.clone().resolve(kept));
    let division = fit.divide(&data, &goal).unwrap();
    assert_eq!(division.goal, of_all);
    assert_eq!(fit.run(&division, None).unwrap().model.unwrap().goal, of_all);
    assert_eq!(fit.fit(&data, &goal).unwrap().goal, of_all);
    let (validation, training) = (division.validation.unwrap(), division.training);
    let given = fit.validate_with(&*training, validation, &goal).unwrap();
    assert_eq!(given.goal, goal.resolve(kept), "all training lists are those that are given");
}

#[test]
fn folds_measure_and_calibrate_a_model_of_all_lists() {
    let (data, goal) = (storms(1), Goal::act_on(3));
    let fit = small().folds(4);
    let division = fit.divide(&data, &goal).unwrap();
    assert_eq!((division.origin, division.training.n_lists()), (Origin::Folds(4), 20));
    let fitted = fit.run(&division, None).unwrap();
    let scores = fitted.out_of_fold.as_ref().unwrap();
    assert_eq!(scores.len(), data.len());
    // Storms have dates, so the first of four periods is judged by no model.
    let lists = || (0..20).map(|list| data.items(list));
    assert_eq!(lists().filter(|items| scores[items.start].is_nan()).count(), 5);
    let model = fitted.model.as_ref().unwrap();
    assert_eq!(model.calibration.as_ref().unwrap().lists, 15);
    // The model itself is that of all lists, and knows them better than earlier ones do.
    assert_eq!(model.scorer.factors[0].trees.len(), model.stages[0].kept);
    let known = scoring::score(model, &data, SeenLists::Fitted).unwrap().values;
    let honest = scoring::score(model, &data, SeenLists::OutOfFold).unwrap();
    assert_eq!((honest.trained_on.lists, honest.trained_on.out_of_fold), (20, 15));
    assert!(honest.values.iter().zip(scores).all(|(a, b)| a == b || b.is_nan()));
    assert!(known != honest.values);
    let judged = fitted.judge(&division, &JudgeOptions::default(), None).unwrap();
    let report = fitted.report("m.json", &division, judged.clone()).unwrap();
    let Judged::Ranking(Some(verdict)) = judged else { panic!("no figure") };
    let figure = |score: &str| verdict.study.row(score, "rcs@3").unwrap().value;
    assert!(figure("cs-mart").is_some() && figure("plain regression (mart)").is_some());
    let json = serde_json::to_value(&report).unwrap();
    assert!(json["valid"].is_null() && json["results"].as_array().unwrap().len() > 3, "{json}");
    assert_eq!(json["learner"], "cs-mart");
}

/// Where money is spent, figures are of the order that is acted on: costs per price.
#[test]
fn money_is_judged_as_it_is_spent() {
    let (data, goal) = (storms(1), Goal::spend(60.0));
    for learner in ["two-part", "cs-mart", "ranknet-mart"] {
        let model = Fit::with(learner).unwrap().folds(4).fit(&data, &goal).unwrap();
        let by_rank = |model: &Model| {
            let mut values = vec![0.0; data.len()];
            let ranked = model.rank(&data).unwrap();
            ranked.items.iter().for_each(|item| values[item.item] = -(item.rank as f64));
            values
        };
        let problem = Problem::new(&data, &goal).unwrap();
        let scores = [Scores { name: "ranked".into(), values: by_rank(&model) }];
        let options = EvaluateOptions::default();
        let ranked = evaluate_scores(&problem, &goal, &scores, &options, None).unwrap();
        let judged = goal.evaluate(&data, &model).unwrap();
        let figure = |found: &Evaluation, name| {
            found.study.results.iter().find(|row| row.score == name).unwrap().value
        };
        assert_eq!(figure(&ranked, "ranked"), figure(&judged, learner), "{learner}");
        // A model of before says nothing of costs, and ranks by its scores.
        let older = Model { scores_costs: false, ..model.clone() };
        assert_eq!(by_rank(&older) != by_rank(&model), learner != "ranknet-mart", "{learner}");
    }
}

#[test]
fn folds_that_would_say_nothing_are_refused() {
    let data = storms(1);
    let whole = small().fit(&data, &Goal::act_on(3)).unwrap();
    let refused = |fit: Fit<'_>| fit.check().unwrap_err().to_string();
    assert!(refused(small().folds(1)).contains("allowed are 2 or more"));
    assert!(refused(Fit::with("auto").unwrap().folds(5)).contains("cross-validates by itself"));
    assert!(refused(small().folds(5).tune(4)).contains("held out"));
    let seen = "may have been trained on the lists";
    assert!(refused(small().folds(5).continue_from(&whole)).contains(seen));
    let rerank = Fit::with("exact-rerank").unwrap();
    assert!(refused(rerank.folds(5).rerank(&whole)).contains(seen));
}

/// Keeps notes, and stops in the second fold.
#[derive(Default)]
struct Stop(Vec<Note>);

impl RunObserver for Stop {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        if round.stage.contains("fold 2") { Flow::Stop } else { Flow::Continue }
    }
}

impl Observer for Stop {
    fn note(&mut self, note: &Note) {
        self.0.push(note.clone());
    }
}

#[test]
fn interrupted_folds_leave_a_whole_model_without_a_figure() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("m.json").to_str().unwrap().to_owned();
    let (data, goal) = (storms(1), Goal::act_on(3));
    // Folds of its rankers are trained one after the other.
    let rankboost = || Fit::with_parameters("rankboost", [("rounds", "5")]).unwrap();
    let fit = rankboost().folds(3).output(&output);
    let fitted = fit.fit_with(&data, &goal, Some(&mut Stop::default())).unwrap();
    let stopped = fitted.interruption.unwrap();
    assert!(stopped.is_trained && !stopped.can_resume, "{stopped:?}");
    assert!(fitted.out_of_fold.is_none());
    let whole = rankboost().hold_out(HoldOut::None).fit(&data, &goal).unwrap();
    assert_eq!(std::fs::read_to_string(&output).unwrap(), whole.to_json());
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 1, "no checkpoint is left");
}

#[test]
fn notes_on_data_are_told_and_returned() {
    let data = storms(1);
    let few = data.take_lists(&[0, 1, 2]);
    let mut observer = Stop::default();
    let fitted = small().fit_with(&few, &Goal::act_on(3), Some(&mut observer)).unwrap();
    assert!(matches!(fitted.notes[..], [Note::FewLists { .. }]), "{:?}", fitted.notes);
    assert_eq!(observer.0, fitted.notes);
}

#[test]
fn a_ranking_of_data_without_lists_says_so() {
    let data = storms(1);
    let model = small().fit(&data, &Goal::act_on(3)).unwrap();
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("next.csv").to_str().unwrap().to_owned();
    stakes::io::write(&data, &path, None).unwrap();
    let alone = stakes::read(&path, Roles::new()).unwrap();
    let notes = model.rank(&alone).unwrap().notes;
    let list = data.columns().role(Role::List).unwrap();
    assert!(notes.contains(&Note::NoListColumn { column: list.to_owned() }), "{notes:?}");
    let with_lists = stakes::read(&path, roles(&data)).unwrap();
    let notes = model.rank(&with_lists).unwrap().notes;
    assert!(!notes.iter().any(|note| matches!(note, Note::NoListColumn { .. })), "{notes:?}");
}

fn signs() -> Dataset {
    let row = |i: usize| format!("{},{}\n", i * 37 % 60, ["wave", "circle"][i * 37 % 60 / 30]);
    let csv = "x,sign\n".to_owned() + &(0..60).map(row).collect::<String>();
    let roles = Task::classes("sign").roles(Roles::new());
    parse_csv_bytes(csv.as_bytes(), roles).unwrap()
}

#[test]
fn the_task_of_classes_has_its_own_learner_and_pace() {
    let task = || Task::classes("sign");
    let fit = Fit::for_task(task(), "auto", []).unwrap();
    assert_eq!(fit.learner().name(), "cs-rankboost");
    let pace = |fit: &Fit<'_>| {
        let texts = fit.learner().texts();
        (texts["rounds"].clone(), texts["patience"].clone())
    };
    assert_eq!(pace(&fit), ("600".to_owned(), "200".to_owned()));
    // What is given wins, by whichever name.
    let fit = Fit::for_task(task(), "rankboost", [("n_estimators", "7")]).unwrap();
    assert_eq!(pace(&fit), ("7".to_owned(), "200".to_owned()));
    let error = Fit::for_task(task(), "mart", []).err().unwrap().to_string();
    assert!(error.contains("mart cannot learn classes; "), "{error}");
    let error = Fit::with("mart").unwrap().task(task()).err().unwrap().to_string();
    assert!(error.contains("mart cannot learn classes; "), "{error}");
}

#[test]
fn classes_are_judged_on_rows_that_are_held_out_or_left_out_by_folds() {
    let (rows, task) = (signs(), Task::classes("sign"));
    let fit = || Fit::for_task(task.clone(), "cs-rankboost", [("rounds", "8")]).unwrap();
    let judged = |fit: Fit<'_>| {
        let division = fit.divide(&rows, &task.goal()).unwrap();
        assert_eq!(division.classes.as_ref().unwrap().names, ["circle", "wave"]);
        let fitted = fit.run(&division, None).unwrap();
        fitted.judge(&division, &JudgeOptions::default(), None).unwrap()
    };
    let rows_of = |judged: Judged| match judged {
        Judged::Classes(verdict) => verdict.map(|verdict: ClassVerdict| verdict.rows),
        Judged::Ranking(_) => panic!("classes are not judged as a ranking"),
    };
    assert_eq!(rows_of(judged(fit().hold_out(0.25))).map(|rows| rows < 30), Some(true));
    assert_eq!(rows_of(judged(fit().folds(3))), Some(60));
    assert_eq!(rows_of(judged(fit().hold_out(HoldOut::None))), None);
}
