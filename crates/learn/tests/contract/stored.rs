//! Features that are not in memory: the model is the same, to the byte, as if they were.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use stakes_core::cost::Problem;
use stakes_core::data::{
    Columns, DataError, DataProblem, Dataset, DatasetBuilder, FeatureSource, Place, Row,
};
use stakes_core::shards::{Shards, in_process};
use stakes_core::split::Folds;
use stakes_learn::{Checkpoint, FitContext, Flow, Learner, Observer, Round, learner, train};

use super::world::*;

/// Rows that are given out a few at a time, and fail from some reading on.
#[derive(Debug)]
struct Pieces {
    rows: Vec<Vec<f32>>,
    readings: AtomicUsize,
    most: usize,
}

impl FeatureSource for Pieces {
    fn rows(&self) -> usize {
        self.rows.len()
    }

    fn read(&self, see: &mut dyn FnMut(&[f32])) -> Result<(), DataError> {
        if self.readings.fetch_add(1, Ordering::Relaxed) >= self.most {
            let problem = DataProblem::Format("the disk is gone".into());
            return Err(DataError::new(Place::source("storms"), problem));
        }
        self.rows.chunks(7).for_each(|rows| see(&rows.concat()));
        Ok(())
    }
}

/// The same as [`dataset`], with features that are read at most so often.
fn stored(items: &[Item], most: usize) -> Dataset {
    let columns = Columns { features: Vec::new(), ..dataset(items, features()).columns().clone() };
    let mut builder = DatasetBuilder::new("storms", columns).unwrap();
    for (line, item) in items.iter().enumerate() {
        builder.push(Row { features: &[], ..row(line, item) }).unwrap();
    }
    let rows = items.iter().map(|item| item.features.clone()).collect();
    let source = Pieces { rows, readings: AtomicUsize::new(0), most };
    builder.finish_stored(features(), Arc::new(source)).unwrap()
}

/// Lists whose items are not together in the file, and some that are held out.
fn world() -> (Vec<Item>, [Vec<usize>; 2]) {
    let mut items = storms(20, 25, 81);
    items.sort_by_key(|item| item.id.clone());
    let held_out = |list: &usize| list % 4 == 1;
    let (valid, training) = (0..20).partition(held_out);
    (items, [training, valid])
}

#[derive(Clone, Copy, PartialEq)]
enum Judge {
    Validation,
    Folds,
}

/// Keeps the checkpoint of a round.
struct Keep(usize, Option<Checkpoint>);

impl Observer for Keep {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 && self.1.is_none() {
            self.1 = Some((round.checkpoint)());
        }
        Flow::Continue
    }
}

fn model(
    info: &dyn Learner,
    data: &Dataset,
    judge: Judge,
    resume: Option<Checkpoint>,
    observer: &mut dyn Observer,
) -> Result<String, String> {
    const SAMPLED: &[(&str, &str)] = &[("rows", "0.7"), ("features", "0.8"), ("patience", "4")];
    let (_, [training, valid]) = world();
    let [training, valid] = [training, valid].map(|lists| data.take_lists(&lists));
    let problem = Problem::new(&training, goal()).unwrap();
    let validation = Problem::new(&valid, goal()).unwrap();
    let folds = Folds::new(&problem, 3, 0).unwrap();
    let mut cx = FitContext {
        validation: Some(&validation).filter(|_| judge == Judge::Validation),
        folds: Some(&folds).filter(|_| judge == Judge::Folds),
        seed: 5,
        resume,
        ..observed(observer)
    };
    let fitted = train(&*settings(info, SAMPLED), &problem, &mut cx);
    let fitted = fitted.map_err(|error| error.to_string())?;
    let mut text = fitted.model.to_json();
    let scores = fitted.model.score(&valid).map_err(|error| error.to_string())?;
    scores.iter().for_each(|score| text.push_str(&format!("{score:?} ")));
    Ok(text)
}

#[test]
fn features_in_pieces_give_the_same_bytes() {
    let (items, _) = world();
    let (whole, pieces) = (dataset(&items, features()), stored(&items, usize::MAX));
    for_all(|info| {
        if info.streams_above() != Some(0) {
            return;
        }
        for judge in [Judge::Validation, Judge::Folds] {
            let of = |data| model(info, data, judge, None, &mut Silent).unwrap();
            assert!(of(&whole) == of(&pieces), "{}", info.name());
        }
    });
}

#[test]
fn shards_may_have_their_features_in_pieces() {
    let (items, _) = world();
    let of = |data: &Dataset, name: &str, shards: Shards| {
        let problem = Problem::new(data, goal()).unwrap();
        let mut cx = FitContext { shards, ..FitContext::default() };
        let info = learner(name).unwrap();
        // Of its own: shards wait for each other.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
        let fitted = pool.install(|| train(&*settings(&*info, &[]), &problem, &mut cx));
        fitted.unwrap().model.to_json()
    };
    for name in ["cs-mart", "random-forest"] {
        let whole = of(&dataset(&items, features()), name, Shards::alone());
        let models = std::thread::scope(|scope| {
            let threads = in_process(3).into_iter().map(|shards| {
                // By the last digit: `storm 7` goes to shard 1.
                let digit = |item: &Item| item.list.bytes().last().map_or(0, usize::from);
                let is_own = |item: &&Item| digit(item) % 3 == shards.rank();
                let own: Vec<Item> = items.iter().filter(is_own).cloned().collect();
                scope.spawn(move || of(&stored(&own, usize::MAX), name, shards))
            });
            let threads: Vec<_> = threads.collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
        });
        models.iter().for_each(|model| assert!(*model == whole, "{name}"));
    }
}

#[test]
fn a_run_goes_on_from_a_checkpoint() {
    let (items, _) = world();
    let pieces = stored(&items, usize::MAX);
    for name in ["cs-mart", "two-part", "random-forest"] {
        let info = learner(name).unwrap();
        for rounds in [3, 14] {
            let mut keep = Keep(rounds, None);
            let whole = model(&*info, &pieces, Judge::Validation, None, &mut keep).unwrap();
            let resumed = model(&*info, &pieces, Judge::Validation, keep.1, &mut Silent).unwrap();
            assert!(whole == resumed, "{name} from round {rounds}");
        }
    }
}

#[test]
fn what_needs_features_in_memory_is_refused() {
    let (items, _) = world();
    let pieces = stored(&items, usize::MAX);
    for name in ["ridge", "auto", "best-feature"] {
        let info = learner(name).unwrap();
        let error = model(&*info, &pieces, Judge::Validation, None, &mut Silent).unwrap_err();
        assert!(error.contains("needs all features in memory"), "{name}: {error}");
    }
}

#[test]
fn features_that_cannot_be_read_are_an_error_wherever_they_are_needed() {
    let (items, _) = world();
    let info = learner("cs-mart").unwrap();
    let readings = |most: usize| {
        let data = stored(&items, most);
        model(&*info, &data, Judge::Validation, None, &mut Silent)
    };
    let needed = (0..).find(|&most| readings(most).is_ok()).unwrap();
    assert!(needed >= 3, "fingerprint, cuts and bins: {needed}");
    for most in 0..needed {
        let error = readings(most).unwrap_err();
        assert!(error.contains("the disk is gone"), "{most}: {error}");
    }
}
