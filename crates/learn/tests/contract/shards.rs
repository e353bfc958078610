//! Lists that are dealt to several shards: the model is the same, to the byte, as if all were in one place.

use stakes_core::cost::Problem;
use stakes_core::data::{Dataset, Feature};
use stakes_core::random::Stream;
use stakes_core::shards::{Shards, in_process};
use stakes_core::split::Folds;
use stakes_learn::{Checkpoint, FitContext, Flow, Learner, Observer, Round, learner, train};

use super::world::*;

/// How lists that were not trained with decide when to stop.
#[derive(Clone, Copy, PartialEq)]
enum Judge {
    Nothing,
    Validation,
    Folds,
}

struct World {
    training: Vec<Item>,
    validation: Vec<Item>,
}

impl World {
    /// Weights that differ, items with equal costs, and lists without any.
    fn new(seed: u64) -> Self {
        let mut training = storms(16, 25, seed);
        for (at, item) in training.iter_mut().enumerate() {
            item.weight = [1.0, 0.25, 3.0, 0.0][at % 4];
            if item.list == "storm 3" {
                item.impact = 0.0;
            }
        }
        World { training, validation: storms(9, 25, seed + 1) }
    }
}

/// The items of the lists that are dealt to a shard; of many shards one has none.
fn dealt(items: &[Item], shard: usize, shards: usize, none: usize) -> Vec<Item> {
    let of_list = |list: &String| {
        let number: u64 = list.trim_start_matches("storm ").parse().unwrap();
        let shard = Stream::new(11, 0).below(number, shards);
        if shards > 3 && shard == none { shard - 1 } else { shard }
    };
    items.iter().filter(|item| of_list(&item.list) == shard).cloned().collect()
}

/// Training and validation lists of a shard, which has its own codes of categories, and only those that it needs.
fn data_of(world: &World, shard: usize, shards: usize) -> [Dataset; 2] {
    let whole = [(&world.training, 5), (&world.validation, 2)];
    let mut parts = whole.map(|(items, none)| dealt(items, shard, shards, none));
    let mut names: Vec<&str> = if shards == 1 { SIZES.to_vec() } else { Vec::new() };
    for item in parts.iter_mut().flatten().rev() {
        let size = SIZES[item.features[1] as usize];
        let code = names.iter().position(|known| *known == size).unwrap_or_else(|| {
            names.push(size);
            names.len() - 1
        });
        item.features[1] = code as f32;
    }
    let mut features = features();
    features[1] = Feature::categorical("size", names.into_iter().map(String::from).collect());
    parts.map(|items| match items.is_empty() {
        true => dataset(&world.training[..1], features.clone()).take_lists_of_shard(&[]),
        false => dataset(&items, features.clone()),
    })
}

struct Training<'t> {
    world: &'t World,
    judge: Judge,
    more: &'static [(&'static str, &'static str)],
    resume: Option<Checkpoint>,
}

/// Keeps the checkpoint after so many rounds, and stops then.
struct StopAfter(usize, Option<Checkpoint>);

impl Observer for StopAfter {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.1 = Some((round.checkpoint)());
        self.0 = self.0.saturating_sub(1);
        if self.0 == 0 { Flow::Stop } else { Flow::Continue }
    }
}

impl Training<'_> {
    /// The model by one of several shards.
    fn of_shard(
        &self,
        info: &dyn Learner,
        shards: &Shards,
        of: usize,
        observer: &mut dyn Observer,
    ) -> Result<String, String> {
        let rank = shards.rank();
        let [training, validation] = data_of(self.world, rank, of);
        let problem = Problem::new(&training, goal()).unwrap();
        let validation = Problem::new(&validation, goal()).unwrap();
        let folds = Folds::among(&problem, 3, 0, shards).unwrap();
        let mut cx = FitContext {
            validation: Some(&validation).filter(|_| self.judge == Judge::Validation),
            folds: Some(&folds).filter(|_| self.judge == Judge::Folds),
            shards: shards.clone(),
            resume: self.resume.clone(),
            seed: 5,
            ..observed(observer)
        };
        let settings = settings(info, self.more);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(1 + rank % 2).build().unwrap();
        let fitted = pool.install(|| train(&*settings, &problem, &mut cx));
        fitted.map(|fitted| fitted.model.to_json()).map_err(|error| error.to_string())
    }

    /// The model of each of so many shards.
    fn of_shards(&self, info: &dyn Learner, of: usize) -> Vec<Result<String, String>> {
        if of == 1 {
            return vec![self.of_shard(info, &Shards::alone(), 1, &mut Silent)];
        }
        std::thread::scope(|scope| {
            let shards = in_process(of).into_iter();
            let threads: Vec<_> = shards
                .map(|shards| {
                    let info = info.boxed();
                    scope.spawn(move || self.of_shard(&*info, &shards, of, &mut Silent))
                })
                .collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        })
    }

    fn is_the_same_for_all_shards(&self, info: &dyn Learner) {
        let whole = self.of_shards(info, 1).remove(0).unwrap();
        for shards in [2, 3, 7] {
            let models = self.of_shards(info, shards);
            let errors: Vec<&String> =
                models.iter().filter_map(|model| model.as_ref().err()).collect();
            assert!(errors.is_empty(), "{shards} shards: {errors:?}");
            for (rank, model) in models.into_iter().enumerate() {
                let model = model.unwrap();
                assert!(
                    model == whole,
                    "shard {rank} of {shards}: {}",
                    first_difference(&model, &whole)
                );
            }
        }
    }
}

fn first_difference(a: &str, b: &str) -> String {
    let at = a.bytes().zip(b.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| text[at.saturating_sub(60)..(at + 40).min(text.len())].to_owned();
    format!("...{}... is ...{}... of one shard", around(a), around(b))
}

fn for_sharding(check: impl Fn(&dyn Learner)) {
    for_all(|info| {
        if info.takes_shards() {
            check(info)
        }
    });
}

const SAMPLED: &[(&str, &str)] = &[
    ("rows", "0.7"),
    ("lists", "0.8"),
    ("features", "0.8"),
    ("features-per-split", "0.7"),
    ("patience", "4"),
];

#[test]
fn any_number_of_shards_gives_the_same_bytes() {
    let world = World::new(61);
    for_sharding(|info| {
        let plain = Training { world: &world, judge: Judge::Nothing, more: &[], resume: None };
        plain.is_the_same_for_all_shards(info);
        let sampled = Training { judge: Judge::Validation, more: SAMPLED, ..plain };
        sampled.is_the_same_for_all_shards(info);
    });
}

#[test]
fn in_folds_too() {
    let world = World::new(63);
    for_sharding(|info| {
        Training { world: &world, judge: Judge::Folds, more: SAMPLED, resume: None }
            .is_the_same_for_all_shards(info);
    });
}

#[test]
fn with_other_options_too() {
    let world = World::new(65);
    let of = |name: &str, more| {
        let info = learner(name).unwrap();
        Training { world: &world, judge: Judge::Validation, more, resume: None }
            .is_the_same_for_all_shards(&*info);
    };
    of(
        "tweedie-mart",
        &[("monotone", "wind:+"), ("min-rows", "20"), ("leaves", "31"), ("depth", "4")],
    );
    of("mart", &[("loss", "quantile"), ("alpha", "0.7"), ("rounds", "5")]);
    of("mart", &[("min-rows", "40"), ("leaves", "20"), ("mode", "cr")]);
    of("cs-mart", &[("start", "tweedie"), ("noise", "0.1"), ("list-weight-power", "0.5")]);
    of("two-part", &[("size", "gamma"), ("rows", "0.000001"), ("rounds", "4")]);
    of("lambdamart", &[("leaves", "40"), ("min-rows", "1"), ("bins", "16")]);
}

#[test]
fn shards_that_go_on_from_a_checkpoint_give_the_same_bytes() {
    let world = World::new(67);
    for name in ["cs-mart", "two-part", "random-forest"] {
        let info = learner(name).unwrap();
        let whole =
            Training { world: &world, judge: Judge::Validation, more: SAMPLED, resume: None };
        let expected = whole.of_shards(&*info, 1).remove(0).unwrap();
        for rounds in [1, 5, 14] {
            // One shard is told to stop, and all of them do.
            let kept = std::thread::scope(|scope| {
                let threads: Vec<_> = in_process(3)
                    .into_iter()
                    .map(|shards| {
                        let (info, whole) = (info.boxed(), &whole);
                        scope.spawn(move || {
                            let rounds = if shards.rank() == 1 { rounds } else { usize::MAX };
                            let mut stop = StopAfter(rounds, None);
                            whole.of_shard(&*info, &shards, 3, &mut stop).unwrap();
                            stop.1.unwrap()
                        })
                    })
                    .collect();
                let mut kept: Vec<Checkpoint> =
                    threads.into_iter().map(|t| t.join().unwrap()).collect();
                assert!(kept[0] == kept[1] && kept[1] == kept[2]);
                kept.remove(0)
            });
            for shards in [1, 2] {
                let resumed = Training { world: &world, resume: Some(kept.clone()), ..whole };
                let resumed = resumed.of_shards(&*info, shards).remove(0).unwrap();
                assert!(resumed == expected, "{name}, {rounds} rounds, {shards} shards");
            }
        }
    }
}

#[test]
fn what_cannot_be_dealt_is_refused_by_all_shards() {
    let world = World::new(69);
    let training = Training { world: &world, judge: Judge::Nothing, more: &[], resume: None };
    for model in training.of_shards(&*learner("ridge").unwrap(), 2) {
        assert!(model.unwrap_err().starts_with("ridge needs all lists in one place"));
    }
    let twice = std::thread::scope(|scope| {
        let threads = in_process(2).into_iter().map(|shards| {
            let data = dataset(&world.training, features());
            scope.spawn(move || {
                let problem = Problem::new(&data, goal()).unwrap();
                let mut cx = FitContext { shards, ..FitContext::default() };
                train(&*learner("cs-mart").unwrap(), &problem, &mut cx).unwrap_err().to_string()
            })
        });
        threads.collect::<Vec<_>>().into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    for error in twice {
        assert!(error.contains("storm 0 is in shard 1 and in shard 2: "), "{error}");
    }
}

#[test]
fn shards_with_other_features_are_told_which() {
    let world = World::new(71);
    let errors = std::thread::scope(|scope| {
        let threads = in_process(2).into_iter().map(|shards| {
            let items = dealt(&world.training, shards.rank(), 2, 5);
            let mut features = features();
            if shards.rank() == 1 {
                features[2] = Feature::numeric("other");
            }
            let data = dataset(&items, features);
            scope.spawn(move || {
                let problem = Problem::new(&data, goal()).unwrap();
                let mut cx = FitContext { shards, ..FitContext::default() };
                train(&*learner("mart").unwrap(), &problem, &mut cx).unwrap_err().to_string()
            })
        });
        threads.collect::<Vec<_>>().into_iter().map(|t| t.join().unwrap()).collect::<Vec<_>>()
    });
    for error in errors {
        assert!(
            error.contains("shard 1 has `noise` (numbers) where shard 2 has `other` (numbers)"),
            "{error}"
        );
    }
}
