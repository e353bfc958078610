//! What a feature is worth, in cost: the cost that is no longer saved when the model is told
//! other items' values of it (Breiman, "Random forests", 2001; here in the unit of the cost,
//! with the model's own k and policy).
//!
//! Only the order within a list counts, so values are exchanged among the items of a list. A
//! feature that hardly differs within lists (the humidity of a storm) changes orders only
//! together with others; its values are exchanged among the lists, each of which gets those of
//! another.
//!
//! Example: a list of costs 10 and 0, k = 1, ranked by x alone. Half of the exchanges turn it
//! round, so 5 of the 10 that were saved are lost on the mean.

use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::totals;
use stakes_core::metric::{EvaluateError, Metric, Part, PreparedLists, Scale, Spec, SpecError};
use stakes_core::random::{Stream, purpose};

use super::Rows;
use crate::{Model, ModelError};

/// How often, and by which draws.
#[derive(Debug, Clone, Copy)]
pub struct PermutationOptions {
    /// Exchanges per feature.
    pub repeats: usize,
    /// Of the draws.
    pub seed: u64,
}

/// What the features of a model are worth.
#[derive(Debug, Clone, PartialEq)]
pub struct Permutation {
    /// Cost that the model's order saves, on these lists.
    pub saved: f64,
    /// Cost that the best order would save.
    pub ideal: f64,
    /// The features that the model asks for, the dearest first.
    pub losses: Vec<Loss>,
}

/// What is lost without a feature.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Loss {
    /// Its number in the model.
    pub feature: usize,
    /// Saved cost that is lost, on the mean over the repeats. Below 0 if other items' values
    /// did as well.
    pub cost: f64,
    /// Standard deviation over the repeats.
    pub spread: f64,
    /// Whether it was exchanged among lists, being almost the same within each.
    pub between_lists: bool,
}

/// What cannot be measured.
#[derive(Debug, thiserror::Error)]
pub enum PermutationError {
    /// The data do not fit the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The cost saved cannot be had.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// The metric of saved cost that a goal asks for: its own, if it is one of the kind, or else
/// R_CS with its capacity, policy and budget. Another `k` takes the place of the goal's.
pub fn saved_cost(goal: &Goal, k: Option<Capacity>, scale: Scale) -> Result<Metric, SpecError> {
    const NAME: &str = "rcs";
    if goal.metric.name == NAME && k.is_none() {
        return goal.spec().build(scale);
    }
    let goal = match k {
        Some(k) => Goal { reach: k.into(), ..goal.clone() },
        None => goal.clone(),
    };
    goal.complete(NAME.parse::<Spec>()?).build(scale)
}

/// Measures what each feature is worth by a metric that is a share of savable cost
/// ([`saved_cost`]); `tell` hears which feature is at work.
pub fn permutation(
    model: &Model,
    problem: &Problem<'_>,
    metric: &Metric,
    options: PermutationOptions,
    tell: &dyn Fn(&str),
) -> Result<Permutation, PermutationError> {
    let data = problem.data();
    let scorer = model.scorer.prepare();
    let views: Vec<_> = (0..problem.n_lists()).map(|list| problem.list(list)).collect();
    let lists = PreparedLists::new(metric, &views)?;
    let mut rows = Rows::new(model, data)?;
    let mut scores = vec![0.0; data.len()];
    let mut measure = |rows: &Rows| -> Result<Part, PermutationError> {
        rows.score(&scorer, &mut scores);
        Ok(totals(lists.evaluate(&scores)?.parts))
    };
    let whole = measure(&rows)?;
    let within = orders(data.offsets(), options);
    let between = orders(&[0, data.n_lists()], options);
    let mut losses = Vec::new();
    for (feature, _, splits) in model.importance() {
        if splits == 0 {
            continue;
        }
        tell(&model.features[feature].name);
        let column = rows.column(feature);
        let between_lists =
            is_of_lists(&column, data, model.features[feature].categories.is_none());
        let mut lost = Vec::with_capacity(options.repeats);
        for repeat in 0..options.repeats {
            for (list, items) in data.lists().enumerate() {
                let others = data.items(between[repeat][list]);
                for (place, item) in items.enumerate() {
                    // Of lists that are shorter, items are met several times.
                    let from = match between_lists {
                        true => others.start + place % others.len(),
                        false => within[repeat][item],
                    };
                    *rows.value_mut(item, feature) = column[from];
                }
            }
            lost.push(whole.num - measure(&rows)?.num);
        }
        for (item, &value) in column.iter().enumerate() {
            *rows.value_mut(item, feature) = value;
        }
        let (cost, spread) = mean_and_spread(&lost);
        losses.push(Loss { feature, cost, spread, between_lists });
    }
    losses.sort_by(|a, b| b.cost.total_cmp(&a.cost));
    Ok(Permutation { saved: whole.num, ideal: whole.den, losses })
}

/// Whether a feature says something of lists rather than of their items: at most a tenth of its
/// variance lies within them. Names and missing values must be the same throughout a list.
fn is_of_lists(column: &[f32], data: &Dataset, is_number: bool) -> bool {
    const MOST: f64 = 0.1;
    // Sums of squares about the mean; missing values, if all are, differ in nothing.
    let spread = |values: &[f32]| {
        let there = || values.iter().filter(|value| !value.is_nan()).map(|&value| f64::from(value));
        let n = there().count();
        let mean = there().sum::<f64>() / n.max(1) as f64;
        (n, there().map(|value| (value - mean).powi(2)).sum::<f64>())
    };
    let mut within = 0.0;
    for items in data.lists() {
        let (there, of_list) = spread(&column[items.clone()]);
        let mixed = 0 < there && there < items.len();
        if mixed || !is_number && of_list > 0.0 {
            return false;
        }
        within += of_list;
    }
    within <= MOST * spread(column).1
}

/// For each repeat a random order within each of these ranges; the same for all features, so
/// that none depends on which others there are.
fn orders(offsets: &[usize], options: PermutationOptions) -> Vec<Vec<usize>> {
    let seed = purpose(options.seed, b"permuted");
    let order = |repeat: usize| {
        let draws = Stream::new(seed, repeat as u64);
        let mut order: Vec<usize> = (0..*offsets.last().unwrap_or(&0)).collect();
        for range in offsets.windows(2) {
            for at in (range[0] + 1..range[1]).rev() {
                order.swap(at, range[0] + draws.below(at as u64, at - range[0] + 1));
            }
        }
        order
    };
    (0..options.repeats).map(order).collect()
}

fn mean_and_spread(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n.max(1.0);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    (mean, (squares / (n - 1.0).max(1.0)).sqrt())
}

#[cfg(test)]
mod tests;
