//! Where money is spent, what is judged is what is acted on: scores in proportion to costs rank per price.

use stakes_core::cost::Problem;
use stakes_core::data::{Columns, Dataset, DatasetBuilder, Row};
use stakes_core::goal::Goal;
use stakes_core::metric::{Metric, Scale, evaluate};
use stakes_core::random::Stream;
use stakes_core::split::Folds;
use stakes_learn::{FitContext, Kind, train};

use super::world::*;

const MONEY: f64 = 15.0;

/// Storms with prices that have nothing to do with costs; some items are free.
fn priced(lists: usize, seed: u64) -> Dataset {
    let columns = Columns {
        list: Some("storm".into()),
        impact: Some("customers".into()),
        id: Some("network".into()),
        price: Some("hours".into()),
        ..Columns::of_features(features())
    };
    let mut builder = DatasetBuilder::new("storms", columns).unwrap();
    let draws = Stream::new(seed, 99);
    for (line, item) in storms(lists, 20, seed).iter().enumerate() {
        let row = Row {
            line: line as u64 + 2,
            list: &item.list,
            id: Some(&item.id),
            impact: Some(item.impact),
            price: Some(draws.below(line as u64, 12) as f64),
            features: &item.features,
            ..Row::default()
        };
        builder.push(row).unwrap();
    }
    builder.finish().unwrap()
}

fn figure(problem: &Problem<'_>, scores: &[f64]) -> f64 {
    let spec = problem.goal().spec();
    let metric: Metric = spec.build(Scale::of(problem.data())).unwrap();
    evaluate(&metric, problem, scores).unwrap().figure.unwrap()
}

/// The learning curve is that of the order that is acted on.
#[test]
fn rounds_are_measured_by_what_is_acted_on() {
    let (known, unseen) = (priced(10, 51), priced(8, 52));
    let goal = Goal::spend(MONEY);
    let (known, unseen) =
        (Problem::new(&known, &goal).unwrap(), Problem::new(&unseen, &goal).unwrap());
    for_all(|info| {
        // Blends have no validation lists.
        if info.kind() == Kind::Blend {
            return;
        }
        let mut cx = FitContext { validation: Some(&unseen), ..FitContext::default() };
        let model = train(&*settings(info, &[]), &known, &mut cx).unwrap().model;
        let name = info.name();
        assert_eq!(model.scores_costs, info.scores_costs(&goal), "{name}");
        let scores = model.score(unseen.data()).unwrap();
        let priorities = model.priorities(scores.clone(), unseen.data(), goal.reach);
        let acted_on = figure(&unseen, &priorities);
        let stage = model.stages.last().unwrap();
        if stage.measure.starts_with("rcs:budget=") && stage.kept > 0 {
            let measured = stage.curve[stage.kept - 1];
            assert!((measured - acted_on).abs() < 1e-9, "{name}: {measured} and {acted_on}");
        }
        match model.scores_costs {
            true => assert!(acted_on > figure(&unseen, &scores) + 0.02, "{name}"),
            false => assert_eq!(priorities, scores, "{name}"),
        }
        // For a number of items prices do not matter.
        assert_eq!(model.priorities(scores.clone(), unseen.data(), 5.into()), scores);
    });
}

#[test]
fn a_blend_is_judged_by_what_is_acted_on() {
    let data = priced(15, 53);
    let problem = Problem::new(&data, Goal::spend(MONEY)).unwrap();
    let auto = stakes_learn::learner("auto").unwrap();
    // All rounds: costs that are hardly told apart are worth no more per price.
    let fitted =
        train(&*settings(&*auto, &[("rounds", "0")]), &problem, &mut FitContext::default())
            .unwrap();
    let model = fitted.model;
    assert!(model.scores_costs);
    let out_of_fold = fitted.out_of_fold.unwrap();
    let priorities = model.priorities(out_of_fold.clone(), &data, problem.goal().reach);
    let blend = model.stages.last().unwrap().curve[0];
    assert!((blend - figure(&problem, &priorities)).abs() < 1e-9);
    assert!(blend > figure(&problem, &out_of_fold));
}

/// The order that CS-MART corrects by lambdas of money is one of costs per price, in folds as well.
#[test]
fn lambdas_know_prices() {
    let data = priced(12, 54);
    let problem = Problem::new(&data, Goal::spend(MONEY)).unwrap();
    let cs_mart = stakes_learn::learner("cs-mart").unwrap();
    for start in ["none", "two-part", "tweedie"] {
        let folds = Folds::new(&problem, 3, 0);
        let mut cx = FitContext { folds: folds.as_ref(), ..FitContext::default() };
        let fitted = train(&*settings(&*cs_mart, &[("start", start)]), &problem, &mut cx).unwrap();
        let model = fitted.model;
        let out_of_fold = fitted.out_of_fold.unwrap();
        assert!(out_of_fold.iter().all(|score| *score > 0.0));
        let priorities = model.priorities(out_of_fold.clone(), &data, problem.goal().reach);
        let found = figure(&problem, &priorities);
        assert!(found > figure(&problem, &out_of_fold) + 0.02, "{start}: {found}");
        let order = model.stages.last().unwrap();
        if order.kept > 0 {
            assert!((order.curve[order.kept - 1] - found).abs() < 1e-9, "{start}");
        }
    }
    for (key, value) in [("cutoff", "7"), ("discounts", "neighbours")] {
        let refused =
            train(&*settings(&*cs_mart, &[(key, value)]), &problem, &mut FitContext::default());
        let refused = refused.unwrap_err().to_string();
        assert!(refused.contains(key) && refused.contains("under a budget"), "{refused}");
    }
}
