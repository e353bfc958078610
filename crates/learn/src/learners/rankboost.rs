//! The RankBoost family: which pairs, what they cost, and how ties are treated.

use stakes_core::data::FeatureKind;

use crate::fit::FitError;
use crate::multiclass::ClassCosts;
use crate::params::Settings;
use crate::rankboost::bound::bound;
use crate::rankboost::costs::{PairCosts, Rule};
use crate::rankboost::feedback::Feedback;
use crate::rankboost::given::{GivenCosts, by_number};
use crate::rankboost::{Booster, Costing, Plan, Ties};
use crate::run::{Run, Sum};
use stakes_model::Scorer;

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
    let class = class(settings, run)?;
    let costs = pair_costs(settings, run, &feedback, class)?;
    let rounds = settings.whole("rounds");
    let costing = match settings.has("cost").then(|| settings.text("cost")) {
        Some("during") => Costing::During(run.trees_before() + rounds),
        Some("after") => Costing::After,
        _ => Costing::Before,
    };
    let plan = Plan { prepared, feedback: &feedback, costs: &costs, costing, ties, class };
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
    class: Option<usize>,
) -> Result<PairCosts, FitError> {
    if !settings.has("pair-cost") {
        return Ok(PairCosts::uniform());
    }
    if let Some(class) = class {
        return class_costs(settings, run, feedback, class);
    }
    if settings.text("pair-costs") != "none" {
        let Some(GivenCosts::Pairs(source, pairs)) = run.cx.costs else {
            let what = "none where no costs of pairs are handed over with the data";
            return Err(settings.refuse("pair-costs", what).into());
        };
        return Ok(PairCosts::given(by_number(run.prepared, feedback, source, pairs)?));
    }
    let lists = &run.prepared.training.unit_lists;
    let cost = match settings.text("item-cost") {
        "weight" => lists.weight().ok_or_else(|| {
            settings.refuse("item-cost", "cost where items have no weight (--weight COLUMN)")
        })?,
        _ => lists.cost(),
    };
    Ok(PairCosts::of_items(Rule::named(settings.text("pair-cost")), feedback.by_place(cost)))
}

/// The feature that holds classes, if classes are told apart.
fn class(settings: &Settings, run: &Run<'_, '_>) -> Result<Option<usize>, FitError> {
    let Some(column) = &run.prepared.training.data.columns().class else { return Ok(None) };
    let features = &run.prepared.features;
    let at = features.iter().position(|feature| feature.name == *column).ok_or_else(|| {
        FitError::Data(format!("there is no feature `{column}`, which is to hold the class"))
    })?;
    let known = features[at].categories.as_ref().map_or(0, Vec::len);
    match &run.prepared.training.data.feature_info()[at].kind {
        FeatureKind::Categorical(names) if names.len() <= known => Ok(Some(at)),
        FeatureKind::Categorical(names) => {
            let what = format!("at least {}, as many as there are classes", names.len());
            Err(settings.refuse("bins", what).into())
        }
        FeatureKind::Numeric => Err(FitError::Data(format!("the class `{column}` holds numbers"))),
    }
}

/// What it costs to take one class for another, as costs of candidates: the right one counts 1, so
/// that a pair costs what the other one does.
fn class_costs(
    settings: &Settings,
    run: &Run<'_, '_>,
    feedback: &Feedback,
    class: usize,
) -> Result<PairCosts, FitError> {
    let training = &run.prepared.training;
    let names = run.prepared.features[class].categories.as_deref().unwrap_or_default();
    let costs = match (settings.text("class-costs"), run.cx.costs) {
        ("auto", _) => ClassCosts::of_likeness(training.data, class)
            .in_order(names)
            .map_err(|name| FitError::Data(format!("the class `{name}` is in no row")))?,
        (_, Some(GivenCosts::Classes(source, costs))) => costs.in_order(names).map_err(|name| {
            FitError::Data(format!("{source}: there are no costs of the class `{name}`"))
        })?,
        _ => {
            let what = "auto where no costs of classes are handed over with the data";
            return Err(settings.refuse("class-costs", what).into());
        }
    };
    let bins = feedback.by_place(training.matrix.column(class));
    let number = |bin: u8| usize::from(bin).saturating_sub(1);
    let mut of_places = Vec::with_capacity(bins.len());
    for list in &feedback.lists {
        // The right one is the best of its list.
        let right = number(bins[list.start]);
        let others = &bins[list.start + 1..list.end];
        of_places.push(1.0);
        of_places.extend(others.iter().map(|&bin| costs.cost(right, number(bin))));
    }
    Ok(PairCosts::of_items(Rule::Product, of_places))
}

/// How many of the trees differ in more than their weight.
fn distinct(trees: &[crate::tree::Tree]) -> usize {
    let asks = |tree: &crate::tree::Tree| -> Vec<String> {
        let of = |n: &crate::tree::Node| format!("{} {:?} {}", n.feature, n.test, n.missing_left);
        tree.nodes.iter().map(of).collect()
    };
    trees.iter().map(asks).collect::<std::collections::HashSet<_>>().len()
}
