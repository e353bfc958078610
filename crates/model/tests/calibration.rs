//! Expected costs: unbiased means, intervals of the promised coverage, finite for all inputs.

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::random::Stream;
use stakes_model::calibration::{Outcome, Range};
use stakes_model::{Calibration, ExpectedCost};

/// Lists whose items cost `exp(1.2 x)` on average at score x: most cost nothing, the others vary by
/// orders of magnitude, and some lists are worse than their scores suggest.
struct World {
    scores: Vec<f64>,
    costs: Vec<f64>,
    offsets: Vec<usize>,
}

fn truth(score: f64) -> f64 {
    (1.2 * score).exp()
}

/// A standard normal number by Box and Muller's method.
fn normal(draws: Stream, at: u64) -> f64 {
    let (a, b) = (1.0 - draws.unit(2 * at), draws.unit(2 * at + 1));
    (-2.0 * a.ln()).sqrt() * (std::f64::consts::TAU * b).cos()
}

fn world(lists: usize, items: usize, seed: u64) -> World {
    let mut world = World { scores: vec![], costs: vec![], offsets: vec![0] };
    for list in 0..lists {
        let draws = Stream::new(seed, list as u64);
        let worse = (0.8 * normal(draws, 0) - 0.32).exp();
        let higher = 0.5 * normal(draws, 1);
        for item in 0..items as u64 {
            let score = higher + normal(draws, 3 * item + 2);
            let chance = (0.2 * (0.6 * score).exp()).min(1.0);
            let size = worse * (1.2 * normal(draws, 3 * item + 3) - 0.72).exp();
            let hit = draws.unit(6 * item + 8) < chance;
            world.scores.push(score);
            world.costs.push(if hit { truth(score) / chance * size } else { 0.0 });
        }
        world.offsets.push(world.scores.len());
    }
    world
}

impl World {
    fn fit(&self) -> Calibration {
        Calibration::fit(&self.scores, &self.costs, None, &self.offsets).unwrap().unwrap()
    }
}

/// Scores that lists of [`world`] hold plenty of, up to the highest in fifty.
const SCORES: [f64; 5] = [-1.0, 0.0, 0.8, 1.6, 2.2];

#[test]
fn ninety_of_a_hundred_intervals_cover_the_mean() {
    for (lists, items, widest) in [(30, 60, 6.0), (120, 60, 3.2)] {
        let (mut held, mut all, mut widths) = (0, 0, Vec::new());
        for seed in 0..60 {
            let fitted = world(lists, items, seed).fit();
            for score in SCORES {
                let ExpectedCost { low, high, .. } = fitted.expected(score);
                held += usize::from((low..=high).contains(&truth(score)));
                all += 1;
                widths.push(high / low);
            }
        }
        // 300 intervals that are not independent; too high a coverage would be wrong as well.
        let share = held as f64 / all as f64;
        assert!((0.84..=0.99).contains(&share), "{lists} lists: {share}");
        widths.sort_by(f64::total_cmp);
        let median = widths[widths.len() / 2];
        assert!(median < widest, "{lists} lists: high is {median} times low");
    }
}

#[test]
fn eight_of_ten_new_lists_come_to_what_was_said() {
    const DEPTHS: [usize; 4] = [1, 5, 20, 60];
    let mut held = [(0_usize, 0_usize); 4];
    let mut items = (0_usize, 0_usize);
    for seed in 0..12 {
        let fitted = world(80, 60, seed).fit();
        let (new, totals) = (world(80, 60, 100 + seed), fitted.totals().unwrap());
        for list in new.offsets.windows(2) {
            let mut order: Vec<usize> = (list[0]..list[1]).collect();
            order.sort_by(|&a, &b| new.scores[b].total_cmp(&new.scores[a]));
            for (depth, (held, all)) in DEPTHS.iter().zip(&mut held) {
                let first = &order[..*depth];
                let expected = first.iter().map(|&i| fitted.expected(new.scores[i]).mean).sum();
                let cost: f64 = first.iter().map(|&i| new.costs[i]).sum();
                let Range { low, high } = totals.range(*depth, expected);
                assert!(0.0 <= low && low <= high && high.is_finite());
                *held += usize::from((low..=high).contains(&cost));
                *all += 1;
            }
            for &i in &order[..20] {
                let Outcome { chance, range } = fitted.outcome(new.scores[i]).unwrap();
                assert!((0.0..=1.0).contains(&chance));
                items.0 += usize::from((range.low..=range.high).contains(&new.costs[i]));
                items.1 += 1;
            }
        }
    }
    // 960 lists, whose intervals share 12 calibrations.
    for (depth, (held, all)) in DEPTHS.iter().zip(held).chain([(&0, items)]) {
        let share = held as f64 / all as f64;
        assert!((0.75..=0.86).contains(&share), "{depth}: {share}");
    }
}

#[test]
fn items_of_different_scores_have_different_expected_costs() {
    for seed in 0..5 {
        let w = world(20, 50, seed);
        let fitted = w.fit();
        let mut scores = w.scores.clone();
        scores.sort_by(f64::total_cmp);
        scores.dedup();
        let expected: Vec<f64> = scores.iter().map(|s| fitted.expected(*s).mean).collect();
        let equal = expected.windows(2).filter(|pair| pair[0] >= pair[1]).count();
        assert_eq!(equal, 0, "{seed}: of {}", scores.len());
        // Costs that have nothing to do with the score: one block.
        let mut turned = w.costs.clone();
        turned.reverse();
        let flat = Calibration::fit(&w.scores, &turned, None, &w.offsets).unwrap().unwrap();
        let ends = [scores[0], scores[scores.len() - 1]].map(|score| flat.expected(score).mean);
        assert!(ends[0] < ends[1], "{ends:?}");
    }
}

#[test]
fn means_and_totals_are_right() {
    let fitted_on = world(300, 100, 1);
    let fitted = fitted_on.fit();
    let sum = |w: &World| -> f64 { w.scores.iter().map(|s| fitted.expected(*s).mean).sum() };
    let total: f64 = fitted_on.costs.iter().sum();
    assert!((sum(&fitted_on) / total - 1.0).abs() < 1e-9);
    for score in SCORES {
        let ratio = fitted.expected(score).mean / truth(score);
        assert!((0.75..1.33).contains(&ratio), "{score}: {ratio}");
    }
    let unseen = world(300, 100, 2);
    let ratio = sum(&unseen) / unseen.scores.iter().map(|s| truth(*s)).sum::<f64>();
    assert!((0.87..1.15).contains(&ratio), "{ratio}");
}

#[test]
fn it_never_decreases_and_ends_are_in_order() {
    let fitted = world(40, 50, 3).fit();
    assert!((2..=100).contains(&fitted.knots.len()));
    assert_eq!((fitted.lists, fitted.items), (40, 2000));
    let curve: Vec<ExpectedCost> =
        (-600..600).map(|i| fitted.expected(f64::from(i) / 100.0)).collect();
    for (i, e) in curve.iter().enumerate() {
        assert!(0.0 < e.low && e.low <= e.mean && e.mean <= e.high, "{e:?}");
        if let Some(next) = curve.get(i + 1) {
            assert!(e.mean <= next.mean && e.low <= next.low && e.high <= next.high, "{e:?}");
        }
    }
    let (first, last) = (fitted.knots[0], fitted.knots[fitted.knots.len() - 1]);
    assert_eq!(fitted.expected(f64::MIN), first.expected);
    assert_eq!(fitted.expected(f64::MAX), last.expected);
    for knot in &fitted.knots {
        assert_eq!(fitted.expected(knot.score), knot.expected);
    }
}

#[test]
fn weights_matter_and_their_unit_does_not() {
    let w = world(12, 40, 4);
    let n = w.scores.len();
    let weighted = |of: &dyn Fn(usize) -> f64| {
        let weights: Vec<f64> = (0..n).map(of).collect();
        Calibration::fit(&w.scores, &w.costs, Some(&weights), &w.offsets).unwrap().unwrap()
    };
    assert_eq!(weighted(&|_| 3.0), w.fit());
    // Weight 0 leaves an item out.
    let kept = |i: usize| !i.is_multiple_of(3);
    let mut fewer = World { scores: vec![], costs: vec![], offsets: vec![0] };
    for items in w.offsets.windows(2) {
        for i in (items[0]..items[1]).filter(|&i| kept(i)) {
            fewer.scores.push(w.scores[i]);
            fewer.costs.push(w.costs[i]);
        }
        fewer.offsets.push(fewer.scores.len());
    }
    assert_eq!(weighted(&|i| f64::from(kept(i))).knots, fewer.fit().knots);
    // Totals are weighted.
    let by_three = |i: usize| f64::from(i as u32 % 3);
    let fitted = weighted(&by_three);
    let total: f64 = (0..n).map(|i| by_three(i) * w.costs[i]).sum();
    let expected: f64 = (0..n).map(|i| by_three(i) * fitted.expected(w.scores[i]).mean).sum();
    assert!((expected / total - 1.0).abs() < 1e-9);
    assert!(fitted != fewer.fit());
}

#[test]
fn a_constant_score_expects_the_mean_of_all() {
    let w = world(10, 30, 5);
    let fitted = Calibration::fit(&[7.0; 300], &w.costs, None, &w.offsets).unwrap().unwrap();
    assert_eq!(fitted.knots.len(), 1);
    let mean = w.costs.iter().sum::<f64>() / 300.0;
    assert!((fitted.expected(0.0).mean / mean - 1.0).abs() < 1e-12);
}

#[test]
fn too_few_data_give_no_calibration() {
    let fit = |costs: &[f64], offsets: &[usize]| {
        Calibration::fit(&vec![1.0; costs.len()], costs, None, offsets).unwrap()
    };
    assert!(fit(&[], &[0]).is_none());
    assert!(fit(&[0.0; 50], &[0, 10, 20, 30, 40, 50]).is_none());
    assert!(fit(&[1.0; 50], &[0, 50]).is_none(), "one list is not enough");
    assert!(fit(&[1.0; 50], &[0, 10, 50]).is_none());
    assert!(fit(&[1.0; 9], &[0, 3, 6, 9]).is_none());
    assert!(fit(&[1.0; 10], &[0, 3, 6, 10]).is_some());
}

#[test]
fn invalid_arguments_are_refused() {
    let refuse = |scores: &[f64], costs: &[f64], weights: Option<&[f64]>, offsets: &[usize]| {
        Calibration::fit(scores, costs, weights, offsets).unwrap_err().to_string()
    };
    let error = refuse(&[1.0], &[1.0, 2.0], None, &[0, 1]);
    assert!(error.contains("2 costs for 1 score;"), "{error}");
    let error = refuse(&[f64::NAN], &[1.0], None, &[0, 1]);
    assert!(error.contains("a score is NaN; it must be finite"), "{error}");
    let error = refuse(&[1.0], &[-1.0], None, &[0, 1]);
    assert!(error.contains("a cost is -1; it must be finite and not negative"), "{error}");
    let error = refuse(&[1.0], &[1.0], Some(&[f64::INFINITY]), &[0, 1]);
    assert!(error.contains("a weight is inf"), "{error}");
    for offsets in [&[0, 2][..], &[1], &[], &[0, 1, 0, 1]] {
        let error = refuse(&[1.0], &[1.0], None, offsets);
        assert!(error.contains("offsets must increase from 0 to 1"), "{error}");
    }
}

#[test]
fn extreme_numbers_stay_finite() {
    let w = world(10, 30, 6);
    let offsets = &w.offsets;
    let turned = |values: &[f64], by: f64| -> Vec<f64> {
        values.iter().map(|v| (v * by).clamp(f64::MIN, f64::MAX)).collect()
    };
    for (scores, costs) in [(1e308, 1e305), (1e-320, 1e-300), (1.0, f64::MAX), (f64::MAX, 1.0)] {
        let (scores, costs) = (turned(&w.scores, scores), turned(&w.costs, costs));
        let fitted = Calibration::fit(&scores, &costs, None, offsets).unwrap().unwrap();
        for score in scores.iter().chain(&[f64::MIN, 0.0, f64::MAX]) {
            let ExpectedCost { mean, low, high } = fitted.expected(*score);
            assert!(0.0 <= low && low <= mean && mean <= high && high.is_finite());
        }
    }
}

fn dataset(w: &World, order: &[usize]) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        id: Some("id".into()),
        ..Columns::of_features(vec![Feature::numeric("x")])
    };
    let mut builder = DatasetBuilder::new("world", columns).unwrap();
    for &i in order {
        let list = w.offsets.partition_point(|&offset| offset <= i).to_string();
        let (id, features) = (i.to_string(), [w.scores[i] as f32]);
        let (id, impact) = (Some(&*id), Some(w.costs[i]));
        builder
            .push(Row { list: &list, id, impact, features: &features, ..Row::default() })
            .unwrap();
    }
    builder.finish().unwrap()
}

#[test]
fn the_order_of_the_file_does_not_matter() {
    let mut w = world(10, 30, 7);
    // Few different scores, so that there are many ties.
    w.scores.iter_mut().for_each(|s| *s = (2.0 * *s).round());
    let mut order: Vec<usize> = (0..300).collect();
    let fit = |order: &[usize]| {
        let data = dataset(&w, order);
        let problem = Problem::new(&data, &CostModel::Impact).unwrap();
        let scores: Vec<f64> = (0..300).map(|row| f64::from(data.features().row(row)[0])).collect();
        Calibration::of_scores(&problem, &scores).unwrap().unwrap()
    };
    let expected = fit(&order);
    order.sort_by_key(|&i| Stream::new(1, 1).word(i as u64));
    assert_eq!(fit(&order), expected);
}
