//! Whole trees: against a slow grower in f64, and within their limits.

use proptest::prelude::*;
use rayon::prelude::*;
use stakes_core::cost::Problem;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::goal::Goal;
use stakes_core::random::Stream;
use stakes_learn::loss::GradHess;
use stakes_learn::tree::{Binning, Child, Tree, TreeGrower, TreeParams, Trees};
use stakes_learn::{Configured, FitContext, Model, learner, train};

/// A data set of numbers, rows in file order.
fn numbers(rows: &[Vec<f32>], impact: &[f64]) -> Dataset {
    let names = (0..rows[0].len()).map(|i| Feature::numeric(format!("f{i}"))).collect();
    let columns = Columns { impact: Some("y".into()), ..Columns::of_features(names) };
    let mut builder = DatasetBuilder::new("numbers", columns).unwrap();
    for (line, (features, &y)) in rows.iter().zip(impact).enumerate() {
        let row = Row { line: line as u64 + 1, impact: Some(y), features, ..Row::default() };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

fn grow(data: &Dataset, derivatives: &[GradHess], params: TreeParams) -> Tree {
    let rows: Vec<u32> = (0..data.len() as u32).collect();
    let binning = Binning::of(data, &rows, None, 255, None);
    let matrix = binning.apply(data, &rows);
    TreeGrower::new(&matrix, &binning, params).grow(derivatives, rows, 1, 0).tree
}

/// The gain of the best split of some rows, and its two sides: every threshold of every
/// feature, missing values on both sides, in f64.
fn slow_best(
    rows: &[usize],
    data: &Dataset,
    derivatives: &[GradHess],
    params: &Trees,
) -> Option<(f64, Vec<usize>, Vec<usize>)> {
    let sum = |rows: &[usize]| {
        rows.iter()
            .fold((0.0, 0.0), |(g, h), &r| (g + derivatives[r].grad, h + derivatives[r].hess))
    };
    let score = |rows: &[usize]| {
        let (g, h) = sum(rows);
        g * g / (h + params.l2)
    };
    let mut best: Option<(f64, Vec<usize>, Vec<usize>)> = None;
    for feature in 0..data.features().width() {
        let value = |r: usize| data.features().row(r)[feature];
        let mut thresholds: Vec<f32> =
            rows.iter().map(|&r| value(r)).filter(|v| !v.is_nan()).collect();
        thresholds.sort_by(f32::total_cmp);
        for threshold in thresholds {
            for missing_left in [false, true] {
                let goes_left = |r: &usize| {
                    if value(*r).is_nan() { missing_left } else { value(*r) <= threshold }
                };
                let (left, right): (Vec<usize>, Vec<usize>) =
                    rows.iter().partition(|r| goes_left(r));
                let enough = left.len().min(right.len()) >= params.min_rows
                    && sum(&left).1.min(sum(&right).1) >= params.min_hessian;
                let gain = score(&left) + score(&right) - score(rows);
                if enough && gain > best.as_ref().map_or(1e-9, |b| b.0) {
                    best = Some((gain, left, right));
                }
            }
        }
    }
    best
}

/// The gains of best-first growth, in order.
fn slow_gains(data: &Dataset, derivatives: &[GradHess], params: &Trees) -> Vec<f64> {
    let mut open = vec![(0..data.len()).collect::<Vec<usize>>()];
    let mut gains = Vec::new();
    while open.len() < params.leaves {
        let splits: Vec<_> =
            open.iter().map(|rows| slow_best(rows, data, derivatives, params)).collect();
        let gain = |i: usize| splits[i].as_ref().map_or(0.0, |s| s.0);
        let Some(at) = (0..open.len()).max_by(|&a, &b| gain(a).total_cmp(&gain(b))) else { break };
        let Some((gain, left, right)) = splits[at].clone() else { break };
        gains.push(gain);
        open[at] = left;
        open.push(right);
    }
    gains
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn trees_are_those_of_a_slow_grower(
        table in prop::collection::vec((0u8..6, 0u8..9, 0u8..40, -100f64..100.0, 0.1f64..3.0), 8..60),
        min_rows in 1usize..6, l2 in 0.0f64..3.0, leaves in 2usize..7
    ) {
        let rows: Vec<Vec<f32>> = table
            .iter()
            // 0 is a missing value here.
            .map(|t| [t.0, t.1, t.2].map(|v| if v == 0 { f32::NAN } else { f32::from(v) }).to_vec())
            .collect();
        let derivatives: Vec<GradHess> =
            table.iter().map(|t| GradHess { grad: t.3, hess: t.4 }).collect();
        let data = numbers(&rows, &vec![1.0; rows.len()]);
        let trees = Trees { leaves, min_rows, l2, ..Trees::default() };
        let expected = slow_gains(&data, &derivatives, &trees);
        let tree = grow(&data, &derivatives, TreeParams { trees, ..TreeParams::default() });
        let gains: Vec<f64> = tree.nodes.iter().map(|n| n.gain).filter(|g| *g > 1e-4).collect();
        let expected: Vec<f64> = expected.into_iter().filter(|g| *g > 1e-4).collect();
        prop_assert_eq!(gains.len(), expected.len(), "{:?} {:?}", &gains, &expected);
        for (gain, expected) in gains.iter().zip(&expected) {
            prop_assert!((gain - expected).abs() < 1e-4 * (1.0 + expected), "{gain} {expected}");
        }
        // A leaf says the Newton step of its rows, from the derivatives themselves.
        let mut sums = vec![(0.0, 0.0); tree.leaves.len()];
        for (row, d) in derivatives.iter().enumerate() {
            let sum = &mut sums[tree.leaf_of(data.features().row(row))];
            *sum = (sum.0 + d.grad, sum.1 + d.hess);
        }
        for (leaf, sum) in tree.leaves.iter().zip(sums) {
            prop_assert!((leaf.value + sum.0 / (sum.1 + l2)).abs() < 1e-9);
        }
    }
}

/// y rises with f0 and falls with f1, with much noise; f2 and f3 matter only together.
fn world(n: usize, seed: u64) -> Dataset {
    let draws = Stream::new(seed, 0);
    let unit = |row: usize, what: u64| draws.unit(row as u64 * 8 + what);
    let rows: Vec<Vec<f32>> = (0..n)
        .map(|row| {
            (0..4)
                .map(|f| if unit(row, f + 4) < 0.05 { f32::NAN } else { unit(row, f) as f32 })
                .collect()
        })
        .collect();
    let impact: Vec<f64> = (0..n)
        .map(|row| {
            let [a, b, c, d] = [0, 1, 2, 3].map(|f| unit(row, f));
            let both = if (c > 0.5) == (d > 0.5) { 2.0 } else { 0.0 };
            (3.0 * a - 2.0 * b + both + 6.0 * unit(row, 7)).max(0.0)
        })
        .collect();
    numbers(&rows, &impact)
}

fn fit(name: &str, data: &Dataset, given: &[(&str, &str)]) -> Model {
    let given = Configured::new(learner(name).unwrap(), given.iter().copied()).unwrap();
    let problem = Problem::new(data, Goal::act_on(20)).unwrap();
    train(&*given.learner, &problem, &mut FitContext::default()).unwrap().model
}

#[test]
fn directions_hold_everywhere() {
    let data = world(2000, 1);
    let given = [("rounds", "30"), ("monotone", "f0:+,f1:-"), ("min-rows", "5"), ("rate", "0.2")];
    for name in ["mart", "cs-mart", "tweedie-mart", "two-part", "lambdamart"] {
        let model = fit(name, &data, &given);
        let free = fit(name, &data, &[("rounds", "30"), ("min-rows", "5"), ("rate", "0.2")]);
        let draws = Stream::new(5, 5);
        let (mut broken, mut broken_free) = (0, 0);
        for probe in 0..300u64 {
            let row: Vec<f32> = (0..4).map(|f| draws.unit(probe * 4 + f) as f32).collect();
            for (feature, sign) in [(0, 1.0), (1, -1.0)] {
                let along = |model: &Model| {
                    let score = |step: usize| {
                        let mut row = row.clone();
                        row[feature] = step as f32 / 50.0;
                        sign * model.scorer.score(&row)
                    };
                    let walk: Vec<f64> = (0..50).map(score).collect();
                    usize::from(!walk.is_sorted())
                };
                broken += along(&model);
                broken_free += along(&free);
            }
        }
        assert_eq!(broken, 0, "{name}");
        assert!(broken_free > 0, "{name}: the data would not have broken it anyway");
    }
}

/// The features on every path from the root to a leaf.
fn paths(tree: &Tree) -> Vec<Vec<u32>> {
    let mut all = Vec::new();
    let mut open = vec![(Child::Node(0), Vec::new())];
    while let Some((at, path)) = open.pop() {
        match at {
            Child::Leaf(_) => all.push(path),
            Child::Node(number) => {
                let node = &tree.nodes[number as usize];
                let mut path = path.clone();
                path.push(node.feature);
                open.push((node.left, path.clone()));
                open.push((node.right, path));
            }
        }
    }
    all
}

#[test]
fn features_meet_only_where_they_may() {
    let data = world(2000, 2);
    let given = [("rounds", "20"), ("interactions", "f0,f1;f2,f3"), ("min-rows", "5")];
    let model = fit("mart", &data, &given);
    let trees = &model.scorer.factors[0].trees;
    for path in trees.iter().flat_map(paths) {
        let low = path.iter().any(|f| *f < 2);
        let high = path.iter().any(|f| *f >= 2);
        assert!(!(low && high), "{path:?}");
    }
    let used: std::collections::BTreeSet<u32> = trees.iter().flat_map(paths).flatten().collect();
    assert_eq!(used.len(), 4);
}

#[test]
fn limits_are_kept() {
    let data = world(1500, 3);
    for (name, depth, min_rows) in
        [("mart", "3", 40), ("cr-mart", "4", 25), ("random-forest", "5", 17)]
    {
        let given = [
            ("rounds", "10"),
            ("depth", depth),
            ("min-rows", &min_rows.to_string()),
            ("leaves", "12"),
            ("rows", "1"),
        ];
        let model = fit(name, &data, &given);
        for tree in &model.scorer.factors[0].trees {
            assert!(tree.leaves.len() <= 12);
            assert!(tree.leaves.iter().all(|leaf| leaf.rows >= min_rows), "{name}");
            assert_eq!(tree.leaves.iter().map(|leaf| leaf.rows).sum::<u32>(), 1500);
            let depth: usize = depth.parse().unwrap();
            assert!(paths(tree).iter().all(|path| path.len() <= depth));
        }
        assert_eq!(model.size().trees, 10);
    }
}

#[test]
fn a_quantile_is_above_its_share() {
    let data = world(3000, 4);
    let given = [("loss", "quantile"), ("alpha", "0.8"), ("rounds", "60"), ("rate", "0.2")];
    let scores = fit("mart", &data, &given).score(&data).unwrap();
    let below = data.impact().unwrap().iter().zip(&scores).filter(|(y, s)| y <= s).count();
    let share = below as f64 / 3000.0;
    assert!((share - 0.8).abs() < 0.02, "{share}");
}

/// A tree that was dealt only features that say nothing does not end the run.
#[test]
fn a_bad_draw_of_features_is_not_the_end() {
    let rows: Vec<Vec<f32>> =
        (0..200).map(|r| (0..10).map(|f| if f == 7 { r as f32 } else { 1.0 }).collect()).collect();
    let impact: Vec<f64> = (0..200).map(f64::from).collect();
    let data = numbers(&rows, &impact);
    for key in ["features", "features-per-split"] {
        let model = fit("mart", &data, &[("rounds", "60"), (key, "0.1")]);
        assert_eq!(model.size().trees, 60, "{key}");
        assert!(model.size().leaves > 60, "{key}: none was dealt the one that matters");
    }
}

/// With lists weighing what can be saved in them, leaves are quantiles in those weights: of
/// two lists of equal size and one feature value, the quantile is that of the heavy one.
#[test]
fn quantiles_count_lists_as_the_mode_says() {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        ..Columns::of_features(vec![Feature::numeric("f0")])
    };
    let mut builder = DatasetBuilder::new("two lists", columns).unwrap();
    for i in 0..100u64 {
        // Costs of 0 to 98 and of 1000 to 1098, at f0 = 0; nothing at f0 = 1.
        let (list, base) = [("a", 0.0), ("b", 1000.0)][i as usize % 2];
        for f0 in [0.0, 1.0] {
            let impact = Some(if f0 == 0.0 { base + (i / 2 * 2) as f64 } else { 0.0 });
            builder.push(Row { list, impact, features: &[f0], ..Row::default() }).unwrap();
        }
    }
    let data = builder.finish().unwrap();
    let at_0 = |mode: &str| {
        let given =
            [("loss", "quantile"), ("mode", mode), ("rounds", "1"), ("rate", "1"), ("leaves", "2")];
        fit("mart", &data, &given).scorer.score(&[0.0])
    };
    // Half of the items at f0 = 0 cost up to 98; of the weight, half is reached in list b.
    assert!((at_0("insensitive") - 98.0).abs() < 0.01, "{}", at_0("insensitive"));
    assert!(at_0("cr") > 1000.0, "{}", at_0("cr"));
}

/// Costs that are nearly always 0: no step sends a leaf out of this world, at any power.
#[test]
fn rare_costs_take_no_leaf_too_far() {
    let draws = Stream::new(3, 3);
    let n = 4000;
    let rows: Vec<Vec<f32>> =
        (0..n).map(|r| vec![draws.unit(r) as f32, draws.unit(r + n) as f32]).collect();
    let impact: Vec<f64> = (0..n)
        .map(|r| {
            let hit = draws.unit(r + 2 * n) < 0.1 * draws.unit(r);
            if hit { (8.0 * draws.unit(r + 3 * n)).exp() } else { 0.0 }
        })
        .collect();
    let data = numbers(&rows, &impact);
    for power in ["1", "1.5", "2"] {
        let given = [("power", power), ("rounds", "100"), ("rate", "0.1")];
        let model = fit("tweedie-mart", &data, &given);
        assert_eq!(model.size().trees, 100, "{power}");
        let leaves = model.scorer.factors[0].trees.iter().flat_map(|tree| &tree.leaves);
        assert!(leaves.clone().all(|leaf| leaf.value.abs() <= 0.1 * 2.0 + 1e-9), "{power}");
    }
}

#[test]
fn scores_of_regressions_are_costs() {
    let data = world(3000, 6);
    let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len() as f64;
    let expected = mean(data.impact().unwrap());
    for name in ["mart", "tweedie-mart", "two-part", "random-forest"] {
        let scores = fit(name, &data, &[("rounds", "50")]).score(&data).unwrap();
        let got = mean(&scores);
        assert!((got / expected - 1.0).abs() < 0.05, "{name}: {got} {expected}");
    }
}

/// One list far too long for all of its pairs.
#[test]
fn a_list_of_two_hundred_thousand_items() {
    let n = 200_000;
    let draws = Stream::new(8, 8);
    let rows: Vec<Vec<f32>> =
        (0..n).map(|r| vec![draws.unit(r) as f32, draws.unit(r + n) as f32]).collect();
    let impact: Vec<f64> = (0..n)
        .map(|r| if draws.unit(r) > 0.99 { 1e5 * draws.unit(r + 2 * n) } else { 0.0 })
        .collect();
    let data = numbers(&rows, &impact);
    for name in ["cs-mart", "lambdamart", "cs-listnet-mart"] {
        let model = fit(name, &data, &[("rounds", "3"), ("leaves", "4")]);
        let scores = model.score(&data).unwrap();
        let best = scores.iter().copied().fold(f64::MIN, f64::max);
        let first = scores.iter().position(|s| *s == best).unwrap();
        assert!(draws.unit(first as u64) > 0.9, "{name}");
    }
}

/// Trees one after the other and side by side, with more threads than leaves that can be divided at once and with fewer; leaves
/// of heavy tails, and some whose first split has too few rows.
#[test]
fn threads_find_the_same_tree() {
    let (n, width) = (6000, 20);
    let stream = Stream::new(5, 0);
    let value = |row: usize, feature: usize| match stream.unit((row * width + feature) as u64) {
        missing if missing < 0.1 => f32::NAN,
        unit => unit as f32,
    };
    let rows: Vec<Vec<f32>> = (0..n).map(|r| (0..width).map(|f| value(r, f)).collect()).collect();
    let data = numbers(&rows, &vec![0.0; n]);
    let rows: Vec<u32> = (0..n as u32).collect();
    let binning = Binning::of(&data, &rows, None, 255, None);
    let matrix = binning.apply(&data, &rows);
    let trees = Trees { leaves: 40, ..Trees::default() };
    let derivatives = |tree: u64| -> Vec<GradHess> {
        let draws = Stream::new(6, tree);
        let of_row = |row: u64| {
            let tail = draws.unit(2 * row).max(1e-6).powi(-2).min(1e6);
            GradHess { grad: tail * (draws.unit(2 * row + 1) - 0.4), hess: tail.sqrt() }
        };
        (0..n as u64).map(of_row).collect()
    };
    let grown = |threads: usize, min_rows: usize| -> Vec<Tree> {
        let params =
            TreeParams { trees: Trees { min_rows, ..trees.clone() }, ..TreeParams::default() };
        let grower = TreeGrower::new(&matrix, &binning, params);
        let grow = |tree: u64| grower.grow(&derivatives(tree), rows.clone(), 1, tree).tree;
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (0..6).map(grow).chain((6..12).into_par_iter().map(grow).collect::<Vec<_>>()).collect()
        })
    };
    let one = grown(1, 15);
    assert!(one.iter().any(|tree| tree.leaves.len() == 40));
    // Without a minimum some leaves have fewer rows: so there are splits that must be searched for again.
    let free = grown(1, 1);
    assert!(free.iter().flat_map(|tree| &tree.leaves).any(|leaf| leaf.rows < 15));
    for threads in [2, 3, 8] {
        assert!(grown(threads, 15) == one, "{threads}");
    }
}
