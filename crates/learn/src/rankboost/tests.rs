//! What is quick against what is plain: pairs one by one, all stumps, formulas as they are printed.
#![allow(clippy::unwrap_used)]

use proptest::prelude::*;
use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::random::Stream;
use stakes_core::shards::Shards;

use super::alpha::{Ties, known, step};
use super::booster::outputs;
use super::costs::{PairCosts, Rule};
use super::distribution::{Distribution, Masses, Step};
use super::factored::Factored;
use super::feedback::Feedback;
use super::independent::Independent;
use super::listed::Listed;
use super::losses::TrainingLosses;
use super::search::Search;
use super::weak::{Counts, Sides, StumpStats, WeakRanker, weight_of};
use super::{Booster, Costing, Plan};
use crate::Lists;
use crate::prepared::{Prepared, Scores};
use crate::run::NextTree;

/// Lists of uneven length with ties in the impact, missing values and a category; costs that do
/// not follow the impact.
fn data(seed: u64, lists: usize) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        weight: Some("w".into()),
        extras: vec!["c".into()],
        ..Columns::of_features(vec![
            Feature::numeric("a"),
            Feature::categorical("b", ["x", "y", "z"].map(String::from).to_vec()),
            Feature::numeric("c2"),
        ])
    };
    let mut builder = DatasetBuilder::new("some", columns).unwrap();
    let draws = Stream::new(seed, 1);
    let mut line = 0;
    for list in 0..lists {
        let name = format!("l{list}");
        for _ in 0..2 + draws.below(1000 + list as u64, 9) {
            let draw = |what: u64, below: usize| draws.below(line * 8 + what, below);
            let impact = draw(0, 5) as f64;
            let wind = impact as f32 + draw(1, 4) as f32;
            let a = if draw(2, 5) == 0 { f32::NAN } else { wind };
            builder
                .push(Row {
                    line: line + 1,
                    list: &name,
                    impact: Some(impact),
                    weight: Some([0.0, 1.0, 1.0, 2.0][draw(3, 4)]),
                    extras: &[1.0 + draw(4, 6) as f64],
                    features: &[a, draw(5, 3) as f32, draw(6, 7) as f32],
                    ..Row::default()
                })
                .unwrap();
            line += 1;
        }
    }
    builder.finish().unwrap()
}

const RULES: [Rule; 5] = [Rule::Uniform, Rule::Product, Rule::Mean, Rule::Max, Rule::Difference];

fn rule_by_hand(rule: Rule, a: f64, b: f64) -> f64 {
    match rule {
        Rule::Uniform => 1.0,
        Rule::Product => a * b,
        Rule::Mean => (a + b) / 2.0,
        Rule::Max => a.max(b),
        Rule::Difference => (a - b).abs(),
    }
}

/// A pair of items and its weight.
struct Pair {
    better: usize,
    worse: usize,
    weight: f64,
    cost: f64,
}

fn pairs_by_hand(lists: &Lists, rule: Rule) -> Vec<Pair> {
    let mut pairs = Vec::new();
    for list in 0..lists.len() {
        let (items, view) = (lists.items(list), lists.list(list));
        for i in 0..items.len() {
            for j in (0..items.len()).filter(|&j| view.impact[i] > view.impact[j]) {
                let weight = view.weight.map_or(1.0, |w| w[i] * w[j]);
                if weight > 0.0 {
                    let (better, worse) = (items.start + i, items.start + j);
                    let cost = rule_by_hand(rule, view.cost[i], view.cost[j]);
                    pairs.push(Pair { better, worse, weight, cost });
                }
            }
        }
    }
    pairs
}

/// Runs a test for lists whose cost is another column, or the impact.
fn for_lists(seed: u64, test: impl Fn(&Prepared<'_>)) {
    let data = data(seed, 6);
    for cost in ["c", "y"] {
        let problem = Problem::new(&data, &cost.parse::<CostModel>().unwrap()).unwrap();
        let prepared =
            Prepared::new(&problem, None, None, None, None, 255, &Shards::alone()).unwrap();
        test(&prepared);
    }
}

#[test]
fn pairs_have_numbers() {
    for seed in 0..20 {
        for_lists(seed, |prepared| {
            let lists = &prepared.training.unit_lists;
            let feedback = Feedback::new(lists, true);
            let by_hand = pairs_by_hand(lists, Rule::Uniform);
            assert_eq!(feedback.pairs(), by_hand.len());
            let mut seen: Vec<(usize, usize)> = Vec::new();
            for list in &feedback.lists {
                for place in list.clone() {
                    let worse = feedback.worse_than(place, list);
                    let row = feedback.first_pair[place]..feedback.first_pair[place + 1];
                    assert_eq!(row.len(), worse.len());
                    let item = |place: usize| feedback.items[place] as usize;
                    seen.extend(worse.map(|other| (item(place), item(other))));
                }
            }
            seen.sort_unstable();
            let mut expected: Vec<_> = by_hand.iter().map(|p| (p.better, p.worse)).collect();
            expected.sort_unstable();
            assert_eq!(seen, expected);
        });
    }
}

/// A column of zeros and ones, and a weight.
fn some_steps(seed: u64, places: usize, rounds: usize, size: f64) -> Vec<(Vec<u8>, f64)> {
    let draws = Stream::new(seed, 77);
    let round = |round: usize| {
        let at = |place: usize| (round * places + place) as u64;
        let column = (0..places).map(|place| (draws.word(at(place)) & 1) as u8).collect();
        (column, size * (2.0 * draws.unit(u64::MAX - round as u64) - 1.0))
    };
    (0..rounds).map(round).collect()
}

fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-9 * (1.0 + b.abs())
}

/// Pairs that are never listed have the masses of those that are, whatever they cost; and both are
/// those of the double loop. Weights of 500 in each round do not overflow.
#[test]
fn factored_pairs_are_listed_pairs() {
    for seed in 0..12 {
        for_lists(seed, |prepared| {
            let lists = &prepared.training.unit_lists;
            let feedback = Feedback::new(lists, true);
            for rule in RULES {
                let costs = PairCosts::of_items(rule, feedback.by_place(lists.cost()));
                let rises = feedback.lists.iter().all(|list| {
                    let cost = |place: usize| lists.cost()[feedback.items[place] as usize];
                    list.clone().all(|place| {
                        feedback.worse_than(place, list).all(|worse| cost(worse) <= cost(place))
                    })
                });
                let Some(factors) = costs.factors(&feedback) else {
                    assert!(!rises && matches!(rule, Rule::Max | Rule::Difference));
                    continue;
                };
                for size in [1.0, 500.0] {
                    let mut factored = Factored::new(&feedback, factors.clone());
                    let mut listed = Listed::new(&feedback, &costs);
                    let mut scores = vec![0.0; lists.n_items()];
                    for (column, alpha) in some_steps(seed, feedback.len(), 5, size) {
                        let step = Step { alpha, tied: 1.0 };
                        let masses = [factored.masses(&column), listed.masses(&column)];
                        factored.update(&column, step, &masses[0]);
                        listed.update(&column, step, &masses[1]);
                        for (place, &item) in feedback.items.iter().enumerate() {
                            scores[item as usize] += alpha * f64::from(column[place]);
                        }
                        let by_hand = by_hand(lists, rule, &scores, &feedback, &column);
                        let now = [factored.masses(&column), listed.masses(&column)];
                        for masses in
                            [&now[..1], if size == 1.0 { &now[1..] } else { &[] }].concat()
                        {
                            assert!(
                                near(masses.right, by_hand.masses.right),
                                "{rule:?} {masses:?}"
                            );
                            assert!(near(masses.wrong, by_hand.masses.wrong));
                            assert!(near(masses.tied, by_hand.masses.tied));
                        }
                        for (item, expected) in by_hand.potentials.iter().enumerate() {
                            assert!(near(factored.potentials()[item], *expected), "{rule:?}");
                        }
                        if size == 1.0 {
                            // The product of all Z is the exponential loss.
                            assert!(near(factored.loss(), by_hand.loss));
                            assert!(near(listed.loss(), by_hand.loss));
                        }
                    }
                }
            }
        });
    }
}

struct ByHand {
    masses: Masses,
    potentials: Vec<f64>,
    loss: f64,
}

/// Sums over pairs of cost x exp(-(s_i - s_j)).
fn by_hand(
    lists: &Lists,
    rule: Rule,
    scores: &[f64],
    feedback: &Feedback,
    column: &[u8],
) -> ByHand {
    let mut output = vec![0; lists.n_items()];
    for (place, &item) in feedback.items.iter().enumerate() {
        output[item as usize] = column[place];
    }
    let pairs = pairs_by_hand(lists, rule);
    let exponent = |p: &Pair| scores[p.worse] - scores[p.better];
    let counts = pairs.iter().filter(|p| p.cost > 0.0);
    let largest = counts.map(exponent).fold(f64::NEG_INFINITY, f64::max);
    let mass = |p: &Pair| p.weight * p.cost * (exponent(p) - largest).exp();
    let total: f64 = pairs.iter().map(mass).sum();
    let mut masses = Masses::default();
    let mut potentials = vec![0.0; lists.n_items()];
    for pair in &pairs {
        let share = mass(pair) / total;
        potentials[pair.better] += share;
        potentials[pair.worse] -= share;
        match (output[pair.better], output[pair.worse]) {
            (1, 0) => masses.right += share,
            (0, 1) => masses.wrong += share,
            _ => masses.tied += share,
        }
    }
    let first: f64 = pairs.iter().map(|p| p.weight * p.cost).sum();
    ByHand { masses, potentials, loss: total * largest.exp() / first }
}

/// Salomon 2020, theorem 1: costs before and costs during give the same loss, up to the sum of
/// costs; Z_t with ties by cosh give E2.
#[test]
fn before_and_during_are_one_loss() {
    const ROUNDS: usize = 7;
    for seed in 0..10 {
        for_lists(seed, |prepared| {
            let lists = &prepared.training.unit_lists;
            let feedback = Feedback::new(lists, true);
            for rule in [Rule::Product, Rule::Mean, Rule::Max] {
                let costs = PairCosts::of_items(rule, feedback.by_place(lists.cost()));
                if costs.is_uniform() {
                    continue;
                }
                let pairs = pairs_by_hand(lists, rule);
                let plain: f64 = pairs.iter().map(|p| p.weight).sum();
                let costly: f64 = pairs.iter().map(|p| p.weight * p.cost).sum();
                if costly == 0.0 {
                    continue;
                }
                let uniform = PairCosts::uniform();
                let mut before = Listed::new(&feedback, &costs);
                let mut during = Listed::new(&feedback, &uniform).gradually(&costs, ROUNDS);
                let mut factored = costs.roots(&feedback, ROUNDS).map(|roots| {
                    let factors = uniform.factors(&feedback).unwrap();
                    Factored::new(&feedback, factors).gradually(roots, ROUNDS)
                });
                for (column, alpha) in some_steps(seed, feedback.len(), ROUNDS, 0.5) {
                    for ties in [Ties::Stay, Ties::Half] {
                        // Both kinds of ties, in turn; RankBoost's alone where nothing is listed.
                        let step = known(alpha / 2.0, 0.0, ties);
                        if ties == Ties::Stay {
                            during.begin_round();
                        }
                        for listed in [&mut before, &mut during] {
                            let masses = listed.masses(&column);
                            listed.update(&column, step, &masses);
                        }
                    }
                    if let Some(factored) = &mut factored {
                        factored.begin_round();
                        factored.update(&column, known(alpha, 0.0, Ties::Stay), &Masses::default());
                    }
                }
                assert!(near(during.loss() * plain, before.loss() * costly), "{rule:?}");
                if let Some(factored) = factored {
                    let mut stays = Listed::new(&feedback, &costs);
                    for (column, alpha) in some_steps(seed, feedback.len(), ROUNDS, 0.5) {
                        let masses = stays.masses(&column);
                        stays.update(&column, known(alpha, 0.0, Ties::Stay), &masses);
                    }
                    assert!(near(factored.loss() * plain, stays.loss() * costly), "{rule:?}");
                }
            }
        });
    }
}

/// All stumps over all pairs: whatever the booster chose in a round is the best, its weight is the
/// formula's, and the curves are the losses as they are printed.
#[test]
fn an_oracle_chooses_the_same() {
    for seed in 0..8 {
        for_lists(seed, |prepared| {
            for ties in [Ties::Stay, Ties::Cautious, Ties::Half] {
                for rule in [Rule::Uniform, Rule::Mean, Rule::Max, Rule::Difference] {
                    for costing in [Costing::Before, Costing::During(12), Costing::After] {
                        follow(prepared, ties, rule, costing);
                    }
                }
            }
        });
    }
}

fn follow(prepared: &Prepared<'_>, ties: Ties, rule: Rule, costing: Costing) {
    let lists = &prepared.training.unit_lists;
    let feedback = Feedback::new(lists, true);
    let costs = PairCosts::of_items(rule, feedback.by_place(lists.cost()));
    let plan = Plan { prepared, feedback: &feedback, costs: &costs, costing, ties, class: None };
    let mut booster = Booster::new(plan).unwrap();
    let pairs = pairs_by_hand(lists, rule);
    let plain: Vec<f64> = pairs.iter().map(|p| p.weight).collect();
    let costly: Vec<f64> = pairs.iter().map(|p| p.weight * p.cost).collect();
    let matrix = &prepared.training.matrix;
    let stumps = Search::new(matrix, &prepared.binning, None).all();
    let columns: Vec<Vec<u8>> = stumps.iter().map(|weak| outputs(*weak, matrix, None)).collect();
    let mut scores = Scores { training: vec![0.0; lists.n_items()], validation: Vec::new() };
    // What every stump weighs, by which distribution, and the factors of pairs.
    let mut weights = vec![[0.0_f64; 2]; stumps.len()];
    let mut factors = vec![[1.0; 2]; pairs.len()];
    let mut taken: Vec<usize> = Vec::new();
    let mut known_columns = Independent::default();
    let smoothing = 1.0 / pairs.len() as f64;
    for round in 0..12 {
        let begin: Vec<f64> = match costing {
            Costing::Before => costly.clone(),
            Costing::After => plain.clone(),
            Costing::During(rounds) => {
                let power = (round + 1) as f64 / rounds as f64;
                pairs.iter().map(|p| p.weight * p.cost.powf(power)).collect()
            }
        };
        let masses = |begin: &[f64], side: usize, column: &[u8]| {
            let mut masses = Masses::default();
            let mut total = 0.0;
            for ((pair, begin), factor) in pairs.iter().zip(begin).zip(&factors) {
                let mass = begin * factor[side];
                total += mass;
                match (column[pair.better], column[pair.worse]) {
                    (1, 0) => masses.right += mass,
                    (0, 1) => masses.wrong += mass,
                    _ => masses.tied += mass,
                }
            }
            let Masses { right, wrong, tied } = masses;
            Masses { right: right / total, wrong: wrong / total, tied: tied / total }
        };
        let criterion = |stump: usize| {
            let m = masses(&begin, 0, &columns[stump]);
            match ties {
                Ties::Stay | Ties::Cautious => (m.right - m.wrong).abs(),
                Ties::Half => (m.right - m.wrong - m.tied * weights[stump][0].tanh()).abs(),
            }
        };
        let Ok(Some(tree)) = booster.next(round, &mut scores).map(|mut trees| trees.pop()) else {
            // Nothing is left only where nothing is.
            let left = (0..stumps.len()).filter(|&s| criterion(s) > 1e-9);
            let mut left = left.filter(|s| {
                taken.contains(s) || ties != Ties::Half || {
                    known_columns.insert(&feedback.by_place(&columns[*s]), &feedback.lists)
                }
            });
            assert_eq!(left.next(), None);
            return;
        };
        let weak = WeakRanker::of_tree(&tree, &prepared.binning, None).unwrap();
        let chosen = stumps.iter().position(|stump| *stump == weak).unwrap();
        let own = criterion(chosen);
        for better in (0..stumps.len()).filter(|&s| criterion(s) > own + 1e-9) {
            // It can only be one that says nothing new.
            assert!(ties == Ties::Half && !taken.contains(&better), "round {round}: {better}");
            let column = feedback.by_place(&columns[better]);
            assert!(!known_columns.insert(&column, &feedback.lists), "round {round}");
        }
        if ties == Ties::Half && !taken.contains(&chosen) {
            let column = feedback.by_place(&columns[chosen]);
            assert!(known_columns.insert(&column, &feedback.lists), "{weak:?}");
            taken.push(chosen);
        }
        let side = |begin: &[f64], side: usize| {
            step(&masses(begin, side, &columns[chosen]), weights[chosen][side], smoothing, ties)
        };
        let own_step = side(&begin, 0);
        let final_step = match costing {
            Costing::After => side(&costly, 1),
            _ => own_step,
        };
        assert!(near(weight_of(&tree), final_step.alpha), "{} {final_step:?}", weight_of(&tree));
        for (pair, factor) in pairs.iter().zip(&mut factors) {
            let output = (columns[chosen][pair.better], columns[chosen][pair.worse]);
            for (side, alpha) in [own_step.alpha, final_step.alpha].into_iter().enumerate() {
                let tied = known(alpha, weights[chosen][side], ties).tied;
                factor[side] *= match output {
                    (1, 0) => (-alpha).exp(),
                    (0, 1) => alpha.exp(),
                    _ => tied,
                };
            }
        }
        weights[chosen][0] += own_step.alpha;
        weights[chosen][1] += final_step.alpha;
        check_losses(&booster, &pairs, &factors, &scores.training, ties);
    }
}

fn check_losses(
    booster: &Booster<'_>,
    pairs: &[Pair],
    factors: &[[f64; 2]],
    s: &[f64],
    ties: Ties,
) {
    let all: f64 = pairs.iter().map(|p| p.weight * p.cost).sum();
    let mean = |of: &dyn Fn(&Pair) -> f64| {
        pairs.iter().map(|p| p.weight * p.cost * of(p)).sum::<f64>() / all
    };
    let margin = |p: &Pair| s[p.better] - s[p.worse];
    let rank = |p: &Pair, tied: f64| match margin(p) {
        m if m > 0.0 => 0.0,
        m if m < 0.0 => 1.0,
        _ => tied,
    };
    let product: f64 = pairs.iter().zip(factors).map(|(p, f)| p.weight * p.cost * f[1]).sum();
    let mut expected =
        vec![mean(&|p| rank(p, 1.0)), mean(&|p| rank(p, 0.5)), mean(&|p| (-margin(p)).exp())];
    if ties == Ties::Half {
        expected.push(product / all);
    }
    for ((name, curve), expected) in booster.also(1).iter().zip(expected) {
        assert!(near(curve[0], expected), "{name}: {} and {expected}", curve[0]);
    }
}

proptest! {
    /// Salomon 2020, theorem 3: of two weak rankers, with ties that count half, the one of the
    /// smaller rank loss has the smaller exponential loss, at its own weight and at any common one.
    #[test]
    fn e2_and_r2_put_weak_rankers_in_one_order(
        shares in prop::collection::vec((0.001..1.0f64, 0.001..1.0f64, 0.0..2.0f64), 2),
        common in 0.01..3.0f64,
    ) {
        let masses: Vec<Masses> = shares.iter().map(|&(a, b, c)| {
            let (right, wrong) = (a.max(b), a.min(b));
            let all = a + b + c;
            Masses { right: right / all, wrong: wrong / all, tied: c / all }
        }).collect();
        let r2 = |m: &Masses| m.wrong + 0.5 * m.tied;
        let own = |m: &Masses| step(m, 0.0, 0.0, Ties::Half).z(m);
        let common = |m: &Masses| known(common, 0.0, Ties::Half).z(m);
        if r2(&masses[0]) + 1e-9 < r2(&masses[1]) {
            prop_assert!(own(&masses[0]) < own(&masses[1]));
            prop_assert!(common(&masses[0]) < common(&masses[1]));
        }
        // 2 sqrt(R2 (1 - R2)), as the proof has it.
        let r = r2(&masses[0]);
        prop_assert!((own(&masses[0]) - 2.0 * (r * (1.0 - r)).sqrt()).abs() < 1e-12);
    }
}

/// RankBoost's own loss does not keep that order: a weak ranker that leaves much tied.
#[test]
fn e1_does_not() {
    let (sure, tied) = (
        Masses { right: 0.70, wrong: 0.30, tied: 0.0 },
        Masses { right: 0.38, wrong: 0.0001, tied: 0.6199 },
    );
    let r2 = |m: &Masses| m.wrong + 0.5 * m.tied;
    let e1 = |m: &Masses| step(m, 0.0, 0.0, Ties::Stay).z(m);
    assert!(r2(&sure) < r2(&tied) && e1(&sure) > e1(&tied));
}

#[test]
fn eight_at_a_time() {
    for_lists(3, |prepared| {
        let lists = &prepared.training.unit_lists;
        let feedback = Feedback::new(lists, true);
        let listed = Listed::new(&feedback, &PairCosts::uniform());
        let steps = some_steps(5, feedback.len(), 8, 1.0);
        let mut output = vec![0; feedback.len()];
        for (bit, (column, _)) in steps.iter().enumerate() {
            output.iter_mut().zip(column).for_each(|(bits, one)| *bits |= one << bit);
        }
        for (tied, (column, _)) in listed.tied(&output).iter().zip(&steps) {
            assert!(near(*tied, listed.masses(column).tied));
        }
    });
}

#[test]
fn weak_rankers_survive_their_trees() {
    for_lists(4, |prepared| {
        let matrix = &prepared.training.matrix;
        let stumps = Search::new(matrix, &prepared.binning, None).all();
        assert!(stumps.len() > 20);
        for weak in stumps {
            let stats = StumpStats { alpha: -0.5, gain: 1.0, counts: Counts::default() };
            let tree = weak.tree(&prepared.binning, None, &stats);
            assert_eq!(WeakRanker::of_tree(&tree, &prepared.binning, None), Some(weak));
            let output = prepared.training.scores_after(&prepared.binning, &[tree], 0.0);
            let expected = outputs(weak, matrix, None);
            for (output, expected) in output.iter().zip(expected) {
                assert_eq!(*output, -0.5 * f64::from(expected), "{weak:?}");
            }
        }
    });
}

/// Costs that do not factorise are judged pair by pair, to the same result.
#[test]
fn losses_pair_by_pair() {
    for_lists(6, |prepared| {
        let lists = &prepared.training.unit_lists;
        let feedback = Feedback::new(lists, true);
        let costs = PairCosts::of_items(Rule::Mean, feedback.by_place(lists.cost()));
        let mut given = vec![0.0; feedback.pairs()];
        for place in 0..feedback.len() {
            let row = feedback.first_pair[place]..feedback.first_pair[place + 1];
            costs.of_row(&feedback, place, &mut given[row]);
        }
        let given = PairCosts::given(given);
        assert!(costs.factors(&feedback).is_some() && given.factors(&feedback).is_none());
        let losses = [&costs, &given].map(|costs| {
            let mut losses = TrainingLosses::new(&feedback, costs, true);
            for (column, alpha) in some_steps(1, feedback.len(), 4, 1.0) {
                losses.add(&column, alpha);
            }
            (losses.rank_losses(), losses.e1())
        });
        let [((a, b), c), ((d, e), f)] = losses;
        assert!(near(a, d) && near(b, e) && near(c, f));
    });
}

/// Rows of three classes that two features and a category tell apart, with some values missing, as
/// candidates.
fn candidates(seed: u64) -> Dataset {
    let names = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
    let columns = Columns::of_features(vec![
        Feature::numeric("a"),
        Feature::categorical("b", names(&["x", "y"])),
        Feature::categorical("kind", names(&["p", "q", "r"])),
    ]);
    let mut builder = DatasetBuilder::new("some", columns).unwrap();
    let draws = Stream::new(seed, 3);
    for line in 0..25u64 {
        let class = draws.below(line * 4, 3);
        let a = if draws.below(line * 4 + 1, 6) == 0 {
            f32::NAN
        } else {
            (class + draws.below(line * 4 + 2, 3)) as f32
        };
        let b = ((class + draws.below(line * 4 + 3, 2)) % 2) as f32;
        let row = Row { line: line + 1, features: &[a, b, class as f32], ..Row::default() };
        builder.push(row).unwrap();
    }
    let data = builder.finish().unwrap();
    crate::multiclass::Classes::of(&data, "kind").unwrap().candidates(&data, true).unwrap()
}

/// With classes: of all stumps with all sets of classes on either side the chosen one is the best,
/// it survives its tree, and what it says is what the tree says.
#[test]
fn stumps_by_class() {
    for seed in 0..6 {
        let data = candidates(seed);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let prepared =
            Prepared::new(&problem, None, None, None, None, 255, &Shards::alone()).unwrap();
        let part = &prepared.training;
        let feedback = Feedback::new(&part.unit_lists, true);
        assert_eq!(feedback.pairs(), 50);
        let sets = |at: u32| (0..3u8).filter(|code| at >> code & 1 == 1).collect();
        let all: Vec<WeakRanker> = Search::new(&part.matrix, &prepared.binning, Some(0))
            .all()
            .into_iter()
            .flat_map(|weak| (0..64).map(move |at| (weak, at)))
            .map(|(weak, at)| {
                let sides = Sides { inside: sets(at & 7), outside: sets(at >> 3) };
                WeakRanker { classes: Some(sides), ..weak }
            })
            .collect();
        for ties in [Ties::Stay, Ties::Half] {
            let costs = PairCosts::uniform();
            let costing = Costing::Before;
            let class = Some(0);
            let plan = Plan {
                prepared: &prepared,
                feedback: &feedback,
                costs: &costs,
                costing,
                ties,
                class,
            };
            let mut booster = Booster::new(plan).unwrap();
            let mut listed = Listed::new(&feedback, &costs);
            let mut scores = Scores { training: vec![0.0; 75], validation: Vec::new() };
            for round in 0..6 {
                let tree = booster.next(round, &mut scores).unwrap().remove(0);
                let weak = WeakRanker::of_tree(&tree, &prepared.binning, class).unwrap();
                let output = outputs(weak, &part.matrix, class);
                let by_tree =
                    part.scores_after(&prepared.binning, std::slice::from_ref(&tree), 0.0);
                let alpha = weight_of(&tree);
                assert!(by_tree.iter().zip(&output).all(|(a, b)| *a == alpha * f64::from(*b)));
                let column = feedback.by_place(&output);
                let difference = |column: &Vec<u8>| {
                    let masses = listed.masses(column);
                    (masses.right - masses.wrong).abs()
                };
                let own = difference(&column);
                if ties == Ties::Stay || round == 0 {
                    for other in &all {
                        let other = feedback.by_place(&outputs(*other, &part.matrix, class));
                        assert!(difference(&other) <= own + 1e-9, "{weak:?}");
                    }
                }
                let masses = listed.masses(&column);
                listed.update(&column, known(alpha, 0.0, ties), &masses);
            }
        }
    }
}

/// Salomon 2020, Table 2.1, with pairs of a group twice as dear: 13 of 45 pairs are wrong.
#[test]
fn costs_of_a_group_by_hand() {
    // From the top: the group, and the true position from 0.
    const ORDER: [(char, u32); 10] = [
        ('B', 9),
        ('A', 0),
        ('A', 2),
        ('B', 1),
        ('B', 3),
        ('A', 5),
        ('B', 4),
        ('A', 8),
        ('B', 6),
        ('B', 7),
    ];
    let columns = Columns {
        impact: Some("y".into()),
        group: Some("g".into()),
        ..Columns::of_features(vec![Feature::numeric("x")])
    };
    let mut builder = DatasetBuilder::new("table", columns).unwrap();
    for (line, (group, truth)) in ORDER.iter().enumerate() {
        let (group, impact) = (group.to_string(), Some(f64::from(9 - truth)));
        let row = Row {
            line: line as u64,
            impact,
            group: Some(&group),
            features: &[0.0],
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    let data = builder.finish().unwrap();
    let problem = Problem::new(&data, &CostModel::Impact).unwrap();
    let prepared = Prepared::new(&problem, None, None, None, None, 255, &Shards::alone()).unwrap();
    let lists = &prepared.training.unit_lists;
    let feedback = Feedback::new(lists, true);
    let rows: Vec<usize> =
        feedback.by_place(prepared.training.lists.rows()).iter().map(|&row| row as usize).collect();
    let loss = |factor: f64, raised: &dyn Fn(usize, usize) -> bool| {
        let costs = PairCosts::uniform().times(&feedback, factor, |a, b| raised(rows[a], rows[b]));
        let (mut wrong, mut all) = (0.0, 0.0);
        for list in &feedback.lists {
            for place in list.clone() {
                let worse = feedback.worse_than(place, list);
                let mut row = vec![0.0; worse.len()];
                costs.of_row(&feedback, place, &mut row);
                for (cost, other) in row.iter().zip(worse) {
                    all += cost;
                    wrong += if rows[place] > rows[other] { *cost } else { 0.0 };
                }
            }
        }
        (wrong, all)
    };
    let is = |group: char, row: usize| ORDER[row].0 == group;
    assert_eq!(loss(1.0, &|_, _| true), (13.0, 45.0));
    assert_eq!(loss(2.0, &|a, b| is('A', a) || is('A', b)), (21.0, 75.0));
    assert_eq!(loss(2.0, &|a, b| is('B', a) || is('B', b)), (26.0, 84.0));
    assert_eq!(loss(2.0, &|a, b| is('A', a) != is('A', b)), (21.0, 69.0));
}
