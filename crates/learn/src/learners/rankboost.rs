//! The RankBoost family: which pairs, what they cost, and how ties are treated.

use crate::fit::FitError;
use crate::model::Scorer;
use crate::params::Settings;
use crate::rankboost::bound::bound;
use crate::rankboost::costs::{PairCosts, Rule};
use crate::rankboost::feedback::Feedback;
use crate::rankboost::{Booster, Costing, Plan, Ties};
use crate::run::{Run, Sum};

pub(crate) fn rankboost(settings: &Settings, run: &mut Run<'_, '_>) -> Result<Scorer, FitError> {
    let cautious = settings.text("weights") == "cautious";
    fit(settings, run, if cautious { Ties::Cautious } else { Ties::Stay })
}

pub(crate) fn rankboost_plus(
    settings: &Settings,
    run: &mut Run<'_, '_>,
) -> Result<Scorer, FitError> {
    fit(settings, run, Ties::Half)
}

fn fit(settings: &Settings, run: &mut Run<'_, '_>, ties: Ties) -> Result<Scorer, FitError> {
    let prepared = run.prepared;
    let lists = &prepared.training.unit_lists;
    let by_weight = settings.has("item-cost") && settings.text("item-cost") == "weight";
    // Weights that are costs are not counted twice.
    let feedback = Feedback::new(lists, !by_weight);
    let costs = pair_costs(settings, run, &feedback)?;
    let rounds = settings.whole("rounds");
    let costing = match settings.has("cost").then(|| settings.text("cost")) {
        Some("during") => Costing::During(run.trees_before() + rounds),
        Some("after") => Costing::After,
        _ => Costing::Before,
    };
    let plan = Plan { prepared, feedback: &feedback, costs: &costs, costing, ties, class: None };
    let mut booster = Booster::new(plan)?;
    let staged = run.sum(&Sum::of_trees(rounds, settings.whole("patience")), &mut booster)?;
    let trees = &staged.factor.trees;
    let loss = booster.rank_loss_after(trees.len());
    run.bound = bound(&feedback, &costs, loss, distinct(trees), booster.dimension());
    Ok(Scorer { unit: 1.0, factors: vec![staged.factor] })
}

/// What pairs cost.
fn pair_costs(
    settings: &Settings,
    run: &Run<'_, '_>,
    feedback: &Feedback,
) -> Result<PairCosts, FitError> {
    if !settings.has("pair-cost") {
        return Ok(PairCosts::uniform());
    }
    let lists = &run.prepared.training.unit_lists;
    let cost = match settings.text("item-cost") {
        "weight" => lists.weight().ok_or_else(|| {
            settings.refuse("item-cost", "cost where items have no weight (--weight COLUMN)")
        })?,
        _ => lists.cost(),
    };
    Ok(PairCosts::of_items(Rule::named(settings.text("pair-cost")), feedback.placed(cost)))
}

/// How many of the trees differ in more than their weight.
fn distinct(trees: &[crate::tree::Tree]) -> usize {
    let asks = |tree: &crate::tree::Tree| -> Vec<String> {
        let of = |n: &crate::tree::Node| format!("{} {:?} {}", n.feature, n.test, n.missing_left);
        tree.nodes.iter().map(of).collect()
    };
    trees.iter().map(asks).collect::<std::collections::HashSet<_>>().len()
}
