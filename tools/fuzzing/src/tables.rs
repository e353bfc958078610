//! Tables of costs beside the data: an accepted one is given to a training that uses it.

use std::sync::OnceLock;

use stakes_core::cost::Problem;
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_io::{
    PairCost, Roles, parse_class_costs_bytes, parse_csv_bytes, parse_pair_costs_bytes,
};
use stakes_learn::multiclass::{ClassCosts, Classes};
use stakes_learn::rankboost::{CsRankBoost, CsRankBoostPlus};
use stakes_learn::{FitContext, GivenCosts, GivenPair, Learner};

use crate::accepted;
use crate::world::{check_training, shorten, with_storms};

/// Costs of pairs of items.
pub fn pair_costs(data: &[u8]) {
    let Some(rows) = accepted(parse_pair_costs_bytes(data)) else { return };
    let pair = |PairCost { line, list, better, worse, cost }| {
        assert!(cost >= 0.0 && f64::is_finite(cost));
        GivenPair { line, list, better, worse, cost }
    };
    let costs = GivenCosts::Pairs("fuzz".into(), rows.into_iter().map(pair).collect());
    with_storms(|problem, validation| {
        train_with("pair-costs", &costs, problem, Some(validation));
    });
}

/// Costs of taking one class for another.
pub fn class_costs(data: &[u8]) {
    let Some(table) = accepted(parse_class_costs_bytes(data)) else { return };
    assert_eq!(table.costs.len(), table.names.len().pow(2));
    assert!(table.costs.iter().all(|cost| *cost >= 0.0 && cost.is_finite()));
    let costs = ClassCosts::given(table.names, table.costs);
    let costs = GivenCosts::Classes("fuzz".into(), costs);
    let problem = Problem::new(signs(), Goal::act_on(1)).expect("impacts are costs");
    train_with("class-costs", &costs, &problem, None);
}

fn train_with(
    key: &str,
    costs: &GivenCosts,
    problem: &Problem<'_>,
    validation: Option<&Problem<'_>>,
) {
    let learners: [Box<dyn Learner>; 2] =
        [Box::new(CsRankBoost::default()), Box::new(CsRankBoostPlus::default())];
    for mut learner in learners {
        for time in ["before", "during", "after"] {
            shorten(&mut *learner);
            learner.set(key, "fuzz").expect("the name of a file");
            learner.set("cost", time).expect("it is in the table of parameters");
            let cx = FitContext { validation, costs: Some(costs), ..FitContext::default() };
            accepted(check_training(&*learner, problem, cx));
        }
    }
}

/// Candidates of signs of three classes.
fn signs() -> &'static Dataset {
    static DATA: OnceLock<Dataset> = OnceLock::new();
    DATA.get_or_init(|| {
        let text = b"x,z,sign\n1,0,circle\n2,1,circle\n5,0,line\n4,1,line\n9,1,wave\n8,0,wave\n";
        let rows = parse_csv_bytes(text, Roles::new().categorical(["sign"])).expect("a table");
        let classes = Classes::of(&rows, "sign").expect("three classes");
        classes.candidates(&rows, true).expect("every row has a class")
    })
}
