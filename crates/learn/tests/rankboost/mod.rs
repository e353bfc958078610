//! The RankBoost family as it is called: costs that are alike leave no trace, and a run that was left
//! comes to the same whenever costs come in.

use stakes_core::cost::{CostModel, Problem};
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Feature, Row};
use stakes_core::goal::Goal;
use stakes_core::random::Stream;
use stakes_learn::{
    Checkpoint, Configured, FitContext, FitError, Flow, GivenCosts, GivenPair, Model, Observer,
    Round, learner, train,
};

/// Lists of ten items; the cost is a column of its own.
fn data(cost: impl Fn(u64) -> f64) -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        id: Some("id".into()),
        group: Some("g".into()),
        extras: vec!["c".into()],
        ..Columns::of_features(vec![Feature::numeric("a"), Feature::numeric("b")])
    };
    let mut builder = DatasetBuilder::new("some", columns).unwrap();
    let draws = Stream::new(5, 5);
    for line in 0..80u64 {
        let (list, id) = (format!("l{}", line / 10), format!("i{}", line % 10));
        let impact = draws.below(line, 4) as f64;
        let features =
            [impact as f32 + 3.0 * draws.unit(line + 100) as f32, draws.unit(line + 300) as f32];
        builder
            .push(Row {
                line: line + 1,
                list: &list,
                id: Some(&id),
                impact: Some(impact),
                group: Some(["town", "country"][usize::from(line % 3 == 0)]),
                extras: &[cost(line)],
                features: &features,
                ..Row::default()
            })
            .unwrap();
    }
    builder.finish().unwrap()
}

fn goal() -> Goal {
    let cost: CostModel = "c".parse().unwrap();
    Goal::act_on(5).with_cost(cost).with_metric("ndcg@5".parse().unwrap())
}

fn fit<'a>(
    data: &Dataset,
    name: &str,
    params: &[(&str, &str)],
    costs: Option<&'a GivenCosts>,
    (observer, resume): (Option<&'a mut dyn Observer>, Option<Checkpoint>),
) -> Result<Model, FitError> {
    let problem = Problem::new(data, goal()).unwrap();
    let params = params.iter().copied().chain([("rounds", "12")]);
    let learner = Configured::new(learner(name).unwrap(), params).unwrap().learner;
    let mut cx = FitContext { costs, resume, observer, ..FitContext::default() };
    Ok(train(&*learner, &problem, &mut cx)?.model)
}

fn fit_plainly(data: &Dataset, name: &str, params: &[(&str, &str)]) -> Model {
    fit(data, name, params, None, (None, None)).unwrap()
}

#[test]
fn uniform_costs_leave_no_trace() {
    let alike = data(|_| 7.3);
    for plus in ["", "+"] {
        let parent = fit_plainly(&alike, &format!("rankboost{plus}"), &[]);
        let name = format!("cs-rankboost{plus}");
        for when in ["before", "during", "after"] {
            for rule in ["product", "mean", "max"] {
                let own = fit_plainly(&alike, &name, &[("cost", when), ("pair-cost", rule)]);
                assert!(own.scorer == parent.scorer, "{name} {when} {rule}");
                assert!(own.bound == parent.bound && own.stages == parent.stages);
            }
            // Differences of costs that are alike are no costs.
            let wrong = fit(&alike, &name, &[("cost", when)], None, (None, None));
            assert!(wrong.unwrap_err().to_string().contains("every pair of items costs 0"));
        }
    }
}

/// Stops after some rounds.
struct StopAfter(usize, Option<Checkpoint>);

impl Observer for StopAfter {
    fn round(&mut self, round: &Round<'_>) -> Flow {
        self.1 = Some((round.checkpoint)());
        if round.done < self.0 { Flow::Continue } else { Flow::Stop }
    }
}

#[test]
fn a_run_that_was_left_comes_to_the_same_whenever_costs_come_in() {
    let data = data(|line| 1.0 + (line % 7) as f64);
    for name in ["cs-rankboost", "cs-rankboost+"] {
        for when in ["before", "during", "after"] {
            for rule in ["product", "difference"] {
                let params = [("cost", when), ("pair-cost", rule)];
                let whole = fit_plainly(&data, name, &params);
                let mut stopped = StopAfter(5, None);
                fit(&data, name, &params, None, (Some(&mut stopped), None)).unwrap();
                let again = fit(&data, name, &params, None, (None, stopped.1)).unwrap();
                assert!(again.to_json() == whole.to_json(), "{name} {when} {rule}");
            }
        }
    }
}

/// The weak rankers of a round come one by one; a run may be left between them.
#[test]
fn a_run_that_was_left_between_the_weak_rankers_of_groups_comes_to_the_same() {
    let data = data(|_| 1.0);
    let name = "preference-rankboost";
    for weights in ["together", "own"] {
        for ties in ["half", "stay"] {
            let params = [("preference", "0.9"), ("weights", weights), ("ties", ties)];
            let whole = fit_plainly(&data, name, &params);
            for rounds in [1, 4, 5, 6] {
                let mut stopped = StopAfter(rounds, None);
                fit(&data, name, &params, None, (Some(&mut stopped), None)).unwrap();
                let again = fit(&data, name, &params, None, (None, stopped.1)).unwrap();
                assert!(again.to_json() == whole.to_json(), "{weights} {ties} {rounds}");
            }
            // Both groups had a part in the score, and the curves say which.
            let shares = &whole.stages[0].extra_curves[2..];
            assert_eq!(shares[0].0, "share of the weight of country");
            let last: Vec<f64> = shares.iter().map(|(_, curve)| *curve.last().unwrap()).collect();
            assert!(last.iter().all(|share| *share > 0.1), "{last:?}");
            assert!((last.iter().sum::<f64>() - 1.0).abs() < 1e-12, "{last:?}");
        }
    }
    // Without preference the groups do not matter.
    let plain = fit_plainly(&data, name, &[("preference", "0")]);
    assert!(plain.scorer != fit_plainly(&data, name, &[("preference", "0.9")]).scorer);
    assert_eq!(plain.stages[0].extra_curves[2].1.last(), Some(&0.5));
}

/// Lists of ten items in which members of the group `low` mostly have less impact; the features tell both.
fn unequal() -> Dataset {
    let columns = Columns {
        list: Some("list".into()),
        impact: Some("y".into()),
        group: Some("g".into()),
        ..Columns::of_features(vec![Feature::numeric("a"), Feature::numeric("b")])
    };
    let mut builder = DatasetBuilder::new("unequal", columns).unwrap();
    let draws = Stream::new(8, 8);
    for line in 0..120u64 {
        let (list, is_low) = (format!("l{}", line / 10), line % 3 == 0);
        let impact = (4.0 * draws.unit(line) + if is_low { 0.0 } else { 2.0 }).floor();
        let features = [impact as f32 + draws.unit(line + 500) as f32, f32::from(u8::from(is_low))];
        let (impact, group) = (Some(impact), Some(if is_low { "low" } else { "high" }));
        let row = Row { line, list: &list, impact, group, features: &features, ..Row::default() };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

/// CS-MART with a term for a group: it moves the group, or says what it lacks.
#[test]
fn a_penalty_and_costs_of_a_group_move_it() {
    let data = unequal();
    let with = |params: &[(&str, &str)]| {
        let small = [("min-rows", "3"), ("rate", "0.3"), ("rounds", "12"), ("order-rounds", "40")];
        let params = small.iter().chain(params).copied();
        let learner = Configured::new(learner("cs-mart").unwrap(), params).unwrap().learner;
        let problem = Problem::new(&data, Goal::act_on(5)).unwrap();
        train(&*learner, &problem, &mut FitContext::default()).map(|trained| trained.model)
    };
    let group = ("protected", "low");
    // The share of the pairs across groups in which the member stands above, ties half.
    let parity = |params: &[(&str, &str)]| -> f64 {
        let scores = with(params).unwrap().score(&data).unwrap();
        let (mut above, mut all) = (0.0, 0.0_f64);
        for i in (0..120).filter(|i| i % 3 == 0) {
            for j in (i / 10 * 10..i / 10 * 10 + 10).filter(|j| j % 3 != 0) {
                all += 1.0;
                above += match scores[i].total_cmp(&scores[j]) {
                    std::cmp::Ordering::Greater => 1.0,
                    std::cmp::Ordering::Equal => 0.5,
                    std::cmp::Ordering::Less => 0.0,
                };
            }
        }
        above / all
    };
    let plain = parity(&[group]);
    assert_eq!(plain, parity(&[]));
    assert!(plain < 0.3, "{plain}");
    let penalised = ["1", "10", "100"].map(|strength| parity(&[group, ("penalty", strength)]));
    assert!(penalised.is_sorted() && penalised[0] >= plain, "{plain} {penalised:?}");
    assert!((penalised[2] - 0.5).abs() < 0.1, "{plain} {penalised:?}");
    let raised = |which| parity(&[group, ("group-cost", "30"), ("group-pairs", which)]);
    assert!(raised("member-better") > raised("member-worse"));
    let refused = |params: &[(&str, &str)]| with(params).unwrap_err().to_string();
    assert!(refused(&[("penalty", "1")]).contains("protected"));
    assert!(refused(&[group, ("penalty", "1"), ("group-cost", "2")]).contains("group-cost"));
    assert!(refused(&[group, ("normalise", "yes"), ("group-cost", "2")]).contains("normalise"));
}

#[test]
fn given_pairs_are_found_and_refused() {
    let data = data(|_| 1.0);
    let impact = |id: usize| data.impact().unwrap()[id];
    let (better, worse) = (0..10)
        .flat_map(|a| (0..10).map(move |b| (a, b)))
        .find(|&(a, b)| impact(a) > impact(b))
        .unwrap();
    let pair = |better: usize, worse: usize, line: u64| GivenPair {
        line,
        list: "l0".into(),
        better: format!("i{better}"),
        worse: format!("i{worse}"),
        cost: 2.0,
    };
    let with = |pairs: Vec<GivenPair>| {
        let given = GivenCosts::Pairs("pairs.csv".into(), pairs);
        let params = [("pair-costs", "pairs.csv")];
        fit(&data, "cs-rankboost", &params, Some(&given), (None, None))
    };
    let model = with(vec![pair(better, worse, 2)]).unwrap();
    let scores = model.score(&data).unwrap();
    assert!(scores[better] > scores[worse]);
    // One pair is soon right, and the loss that it alone makes is gone.
    assert_eq!(model.stages[0].extra_curves[1].1.last(), Some(&0.0));
    let refused = |pairs| with(pairs).unwrap_err().to_string();
    let other = GivenPair { list: "l99".into(), ..pair(better, worse, 3) };
    assert!(refused(vec![other]).starts_with("pairs.csv:3: there is no list `l99`"));
    let other = GivenPair { worse: "i77".into(), ..pair(better, worse, 4) };
    assert!(refused(vec![other]).contains("pairs.csv:4: there is no item `i77`"));
    assert!(refused(vec![pair(worse, better, 5)]).contains("pairs.csv:5: "));
    let twice = vec![pair(better, worse, 2), pair(better, worse, 6)];
    assert!(refused(twice).contains("pairs.csv:6: "));
    let missing = fit(&data, "cs-rankboost", &[("pair-costs", "x")], None, (None, None));
    assert!(missing.unwrap_err().to_string().contains("pair-costs"));
}

#[test]
fn pairs_of_a_group_may_cost_more() {
    let data = data(|_| 1.0);
    for name in ["cs-rankboost", "cs-rankboost+"] {
        let with = |params: &[(&str, &str)]| {
            let mean = [("pair-cost", "mean")];
            fit(&data, name, &[&mean, params].concat(), None, (None, None))
        };
        let plain = with(&[]).unwrap().score(&data).unwrap();
        // A cost of 1 changes nothing; another one does, and not in the same way for all pairs.
        let group = ("protected", "country");
        assert_eq!(with(&[("group-cost", "1"), group]).unwrap().score(&data).unwrap(), plain);
        let scores = |which: &str| {
            with(&[("group-cost", "9"), ("group-pairs", which), group])
                .unwrap()
                .score(&data)
                .unwrap()
        };
        let [touching, across, within] = ["touching", "across", "within"].map(scores);
        assert!(scores("member-better") != across && scores("member-worse") != across);
        assert!(touching != plain && across != touching && within != touching && within != across);
        let refused = |params: &[(&str, &str)]| with(params).unwrap_err().to_string();
        assert!(refused(&[("group-cost", "9")]).contains("protected"));
        assert!(refused(&[("group-pairs", "across")]).contains("protected"));
        let unknown = refused(&[("group-cost", "9"), ("protected", "contry")]);
        assert!(unknown.contains("no group `contry`") && unknown.contains("country"), "{unknown}");
    }
}

/// The metric of the training lists is the last point of the curve.
#[test]
fn the_rank_loss_is_that_of_the_curve() {
    let data = data(|line| 1.0 + (line % 7) as f64);
    for (name, params) in [
        ("rankboost+", &[][..]),
        ("cs-rankboost+", &[("pair-cost", "product")][..]),
        ("cs-rankboost", &[("pair-cost", "mean")][..]),
    ] {
        let model = fit_plainly(&data, name, params);
        let pair = params.first().map_or("uniform", |(_, pair)| *pair);
        let spec = format!("rankloss:pair={pair},on=impact");
        let metric =
            stakes_core::metric::Metric::parse(&spec, stakes_core::metric::Scale::of(&data))
                .unwrap();
        let problem = Problem::new(&data, goal()).unwrap();
        let scores = model.score(&data).unwrap();
        let found =
            stakes_core::metric::evaluate(&metric, &problem, &scores).unwrap().figure.unwrap();
        let curve = &model.stages[0].extra_curves;
        let last = *curve[1].1.last().unwrap();
        assert!((found - last).abs() < 1e-9, "{name}: {found} for {last} ({})", curve[1].0);
    }
}
