//! Learners that are trained in folds as one model.

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::random::Stream;
use stakes_core::split::Folds;
use stakes_learn::{Checkpoint, FitContext, Fitted, Flow, Learner, Observer, Round, train};

use super::world::*;

const FOLDS: usize = 3;
const MORE: &[(&str, &str)] = &[("rows", "0.8"), ("rounds", "10"), ("patience", "4")];

/// Runs a check for every learner that can be trained so.
fn for_cross_fitting(check: impl Fn(&dyn Learner)) {
    for_all(|info| {
        if info.cross_fits() {
            check(info)
        }
    });
}

fn fit_in_folds(
    info: &dyn Learner,
    data: &Dataset,
    watch: &mut dyn Observer,
    resume: Option<Checkpoint>,
) -> Fitted {
    let problem = Problem::new(data, goal()).unwrap();
    let folds = Folds::new(&problem, FOLDS, 0).unwrap();
    let mut cx = FitContext { folds: Some(&folds), resume, ..observed(watch) };
    train(&*settings(info, MORE), &problem, &mut cx).unwrap()
}

/// Stops after so many rounds, keeping the last checkpoint.
struct StopAfter(usize, Option<Checkpoint>);

impl Observer for StopAfter {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.1 = Some((round.checkpoint)());
        self.0 -= 1;
        if self.0 == 0 { Flow::Stop } else { Flow::Continue }
    }
}

#[test]
fn every_round_has_a_tree_for_each_fold_and_all_of_them_count() {
    let data = dataset(&storms(9, 30, 31), features());
    for_cross_fitting(|info| {
        let Fitted { model, out_of_fold, .. } = fit_in_folds(info, &data, &mut Silent, None);
        for (stage, factor) in model.stages.iter().zip(&model.scorer.factors) {
            assert_eq!(factor.trees.len(), FOLDS * stage.kept, "{}", stage.name);
            assert!(stage.measure.starts_with("cross-validated "), "{}", stage.measure);
        }
        assert!(model.calibration.is_some());
        // The mean of three models saves more than chance, on lists that none of them has seen too.
        let unseen = dataset(&storms(30, 30, 32), features());
        let chance = saved(&unseen, &vec![0.0; unseen.len()]);
        assert!(saved(&unseen, &model.score(&unseen).unwrap()) > chance + 0.1);
        assert!(saved(&data, &out_of_fold.unwrap()) > saved(&data, &vec![0.0; data.len()]));
    });
}

#[test]
fn neither_threads_nor_interruptions_leave_a_trace() {
    let data = dataset(&storms(9, 30, 33), features());
    for_cross_fitting(|info| {
        let with = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            pool.install(|| fit_in_folds(info, &data, &mut Silent, None))
        };
        let (one, four) = (with(1), with(4));
        assert!(one.model.to_json() == four.model.to_json());
        assert_eq!(one.out_of_fold, four.out_of_fold);
        for rounds in [1, 4, 11] {
            let mut stopped = StopAfter(rounds, None);
            fit_in_folds(info, &data, &mut stopped, None);
            let kept = stopped.1.unwrap();
            let again = Checkpoint::from_json(kept.to_json().as_bytes(), "memory").unwrap();
            let resumed = fit_in_folds(info, &data, &mut Silent, Some(again));
            assert!(resumed.model.to_json() == one.model.to_json(), "after {rounds}");
            assert_eq!(resumed.out_of_fold, one.out_of_fold);
        }
    });
}

#[test]
fn scores_out_of_fold_know_nothing_of_their_lists() {
    // Costs that no feature explains, but that trees on these very items can learn by heart.
    let mut items = storms(12, 30, 34);
    for (number, item) in items.iter_mut().enumerate() {
        let draws = Stream::new(35, number as u64);
        item.impact = (6.0 * draws.unit(0)).exp();
        item.features.iter_mut().zip(1..).for_each(|(x, what)| *x = draws.unit(what) as f32);
    }
    let numeric = features().into_iter().map(|f| stakes_core::data::Feature::numeric(&f.name));
    let data = dataset(&items, numeric.collect());
    let chance = saved(&data, &vec![0.0; data.len()]);
    for_cross_fitting(|info| {
        let fitted = fit_in_folds(info, &data, &mut Silent, None);
        let seen = saved(&data, &fitted.model.score(&data).unwrap());
        let unseen = saved(&data, &fitted.out_of_fold.unwrap());
        assert!((unseen - chance).abs() < 0.1, "{unseen} of unseen lists, by chance {chance}");
        assert!(seen > chance + 0.1, "{seen} of lists that were trained with, by chance {chance}");
    });
}

#[test]
fn learners_that_cannot_be_trained_so_say_so() {
    let data = dataset(&storms(9, 30, 36), features());
    let problem = Problem::new(&data, goal()).unwrap();
    let folds = Folds::new(&problem, FOLDS, 0).unwrap();
    let ridge = stakes_learn::learner("ridge").unwrap();
    let mut cx = FitContext { folds: Some(&folds), ..FitContext::default() };
    let refused = train(&*ridge, &problem, &mut cx).unwrap_err().to_string();
    assert_eq!(refused, "ridge cannot be trained in folds as one model");
}
