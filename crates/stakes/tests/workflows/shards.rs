//! Lists that are dealt to several shards: the file of the model is the same, to the byte, as on one machine.

use std::fmt::Write;

use stakes::prelude::*;
use stakes::random::Stream;
use stakes::shards::{Shards, in_process};

/// Lists of about as many items each; those of one shard, whose codes of categories are its own.
struct World {
    lists: u64,
    items: u64,
    timed: bool,
    /// Further features.
    more: u64,
}

impl World {
    fn data(&self, is_own: impl Fn(u64) -> bool) -> Dataset {
        let mut text = String::from("storm,item,day,price,size,wind,pole,empty,cost");
        (0..self.more).for_each(|at| text += &format!(",f{at}"));
        text += "\n";
        // Not in the order of their ids.
        for list in (0..self.lists).map(|at| (7 * at + 3) % self.lists).filter(|&list| is_own(list))
        {
            let draw = Stream::new(5, list);
            for item in 0..self.items + list % 3 {
                let at = |what: u64| draw.unit(10 * item + what);
                let (size, wind) = (at(0) + at(1), 30.0 * draw.unit(9));
                let shown = if at(3) < 0.1 { String::new() } else { format!("{size:.4}") };
                let cost = if at(2) < 0.4 { 0.0 } else { (size * wind * at(5)).floor() };
                let pole = ["steel", "wood", "cedar", "oak"][(at(4) * 4.0) as usize];
                let pole = if list % 5 == 2 { "stone" } else { pole };
                let price = 1.0 + (at(6) * 9.0).floor();
                let day = format!("2024-{:02}-{:02}", 1 + list % 12, 1 + list / 12 % 28);
                let _ =
                    write!(text, "s{list},i{item},{day},{price},{shown},{wind:.3},{pole},,{cost}");
                (0..self.more)
                    .for_each(|of| text += &format!(",{:.3}", Stream::new(of, list).unit(item)));
                text += "\n";
            }
        }
        let mut roles = Roles::new().list("storm").impact("cost").id("item").price("price");
        roles = match self.timed {
            true => roles.time("day"),
            false => roles.drop(["day"]),
        };
        parse_csv_bytes(text.as_bytes(), roles).unwrap()
    }

    /// The lists of one of so many shards; of seven, one has none.
    fn of_shard(&self, rank: u64, shards: u64) -> Dataset {
        let home = |list: u64| match Stream::new(3, 0).below(list, shards as usize) as u64 {
            4 => 3,
            rank => rank,
        };
        match (0..self.lists).any(|list| home(list) == rank) {
            true => self.data(|list| home(list) == rank),
            false => self.data(|list| list == 0).take_lists_of_shard(&[]),
        }
    }
}

fn model(fit: &Fit<'_>, data: Dataset, goal: &Goal, shards: &Shards) -> String {
    let division = fit.divide(data, goal).unwrap();
    division.check_leaks_among(&[], shards).unwrap();
    fit.run(&division, None).unwrap().model.unwrap().to_json()
}

/// Trains on one machine and with shards; returns the model.
fn same_for_all_shards(world: &World, goal: &Goal, fit: fn() -> Fit<'static>) -> Model {
    let whole = model(&fit(), world.data(|_| true), goal, &Shards::alone());
    for shards in [1, 2, 3, 7] {
        let of_shard = |own: Shards| {
            let data = world.of_shard(own.rank() as u64, shards as u64);
            // Threads of its own: while it waits for the others, it must not keep theirs.
            let pool =
                rayon::ThreadPoolBuilder::new().num_threads(1 + own.rank() % 2).build().unwrap();
            pool.install(|| model(&fit().shards(own.clone()), data, goal, &own))
        };
        let models: Vec<String> = std::thread::scope(|scope| {
            let each = |own| scope.spawn(move || of_shard(own));
            let threads: Vec<_> = in_process(shards).into_iter().map(each).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for (rank, model) in models.iter().enumerate() {
            let at = model.bytes().zip(whole.bytes()).take_while(|(a, b)| a == b).count();
            let around =
                |text: &str| text[at.saturating_sub(60)..(at + 60).min(text.len())].to_owned();
            let [this, one] = [model, &whole].map(|text| around(text));
            assert!(*model == whole, "shard {rank} of {shards}: ...{this}... is ...{one}...");
        }
    }
    Model::from_json(whole.as_bytes(), "the model").unwrap()
}

fn two_part() -> Fit<'static> {
    Fit::with_parameters("two-part", [("rounds", "8"), ("leaves", "6")]).unwrap()
}

#[test]
fn profiles_are_those_of_all_lists() {
    let world = World { lists: 50, items: 12, timed: false, more: 0 };
    let found = same_for_all_shards(&world, &Goal::act_on(3), || two_part().folds(3));
    let profile = found.profile.unwrap();
    let size = &profile.features[0];
    assert_eq!((size.lists, size.by_list.len(), found.features[0].name.as_str()), (50, 40, "size"));
    assert_eq!(size.counts.iter().sum::<u64>(), found.data.items);
    assert!(size.missing() > 0.05 && profile.features[3].missing() == 1.0);
    assert!(profile.scores.is_some() && profile.figure.is_some() && profile.ratio.is_some());
}

#[test]
fn so_are_those_of_lists_that_are_held_out() {
    let world = World { lists: 30, items: 15, timed: false, more: 80 };
    let goal = Goal::act_on(Capacity::Percent(20.0));
    let fit = || {
        let fit = Fit::with_parameters("cs-mart", [("rounds", "6"), ("order-rounds", "6")]);
        fit.unwrap().hold_out(0.3)
    };
    let profile = same_for_all_shards(&world, &goal, fit).profile.unwrap();
    let held_out = profile.scores.unwrap().lists;
    assert!(held_out > 3 && held_out < 15, "{held_out}");
    assert_eq!(profile.figure.unwrap().metric, "rcs@4");
    let none = || two_part().hold_out(HoldOut::None);
    assert!(same_for_all_shards(&world, &goal, none).profile.unwrap().scores.is_none());
}

/// Folds that look forward do not judge the first period, where money is spent.
#[test]
fn so_are_those_of_later_periods() {
    let world = World { lists: 30, items: 12, timed: true, more: 0 };
    let goal = Goal::spend(20.0);
    let profile = same_for_all_shards(&world, &goal, || two_part().folds(3)).profile.unwrap();
    let judged = profile.scores.unwrap().lists;
    assert!(judged < 30 && judged > 10, "{judged}");
    assert!(profile.figure.is_some());
}

/// Bins are made of some lists only.
#[test]
fn so_are_those_of_many_items() {
    let world = World { lists: 90, items: 300, timed: false, more: 0 };
    let fit = || Fit::with_parameters("mart", [("rounds", "2")]).unwrap().hold_out(0.1);
    let profile = same_for_all_shards(&world, &Goal::act_on(3), fit).profile.unwrap();
    assert!(profile.features[0].counts.iter().sum::<u64>() > 20_000);
}
