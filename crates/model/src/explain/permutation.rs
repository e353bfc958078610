//! Permutation importance in units of cost: the saved cost that is lost when the values of a feature
//! are shuffled (Breiman 2001; here with the model's own k and policy). If the goal's metric is another
//! than the saved cost, also what that metric loses.
//!
//! Only the order within a list matters, so values are shuffled within each list. A feature that hardly
//! varies within lists (the humidity of a storm) affects the order only together with other features;
//! its values are shuffled between lists, each of which gets those of another.
//!
//! Example: a list of costs 10 and 0, k = 1, ranked by x alone. Half of the permutations reverse the
//! list, so 5 of the 10 that were saved are lost on average.

use stakes_core::cost::{Capacity, Problem};
use stakes_core::data::Dataset;
use stakes_core::goal::Goal;
use stakes_core::metric::totals;
use stakes_core::metric::{
    CutoffUse, Direction, EvaluateError, Metric, Part, PreparedLists, Scale, Spec, SpecError,
};
use stakes_core::random::{Stream, purpose};

use super::Rows;
use crate::{Model, ModelError};

/// The number of permutations, and their seed.
#[derive(Debug, Clone, Copy)]
pub struct PermutationOptions {
    /// The number of permutations per feature.
    pub repeats: usize,
    /// The seed of the draws.
    pub seed: u64,
}

/// The permutation importance of a model's features.
#[derive(Debug, Clone, PartialEq)]
pub struct PermutationImportance {
    /// The cost that the model's order saves on these lists.
    pub saved: f64,
    /// The cost that the ideal order would save.
    pub ideal: f64,
    /// The figure by the metric of the goal, if that is not saved cost.
    pub figure: Option<GoalFigure>,
    /// The features that the model uses, by decreasing loss: of the goal's metric, if that is known.
    pub losses: Vec<FeatureLoss>,
}

/// A figure by the metric of a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct GoalFigure {
    /// The name of the metric.
    pub metric: String,
    /// The figure of the model's order.
    pub value: f64,
}

/// The saved cost that is lost when one feature is shuffled.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FeatureLoss {
    /// The number of the feature in the model.
    pub feature: usize,
    /// The mean loss over the repeats; it may be negative if the feature does not help.
    pub cost: f64,
    /// The standard deviation over the repeats.
    pub spread: f64,
    /// By how much the figure of the goal's metric gets worse, and the standard deviation over the
    /// repeats, if that metric is not saved cost.
    pub of_figure: Option<(f64, f64)>,
    /// Whether values were shuffled between lists, because they hardly vary within lists.
    pub between_lists: bool,
}

/// Why permutation importance cannot be computed.
#[derive(Debug, thiserror::Error)]
pub enum PermutationError {
    /// The data do not fit the model.
    #[error(transparent)]
    Model(#[from] ModelError),
    /// The saved cost cannot be computed.
    #[error(transparent)]
    Evaluate(#[from] EvaluateError),
}

/// The metric of saved cost for a goal: its own metric if that is R_CS, else R_CS with its capacity,
/// policy and budget. `k` replaces the capacity of the goal.
pub fn saved_cost_metric(
    goal: &Goal,
    k: Option<Capacity>,
    scale: Scale,
) -> Result<Metric, SpecError> {
    let saved = Spec::named("rcs");
    if goal.metric.info() == saved.info() && k.is_none() {
        return goal.spec().build(scale);
    }
    let goal = match k {
        Some(k) => Goal { reach: k.into(), ..goal.clone() },
        None => goal.clone(),
    };
    goal.complete(saved).build(scale)
}

/// The metric of a goal, if it is not that of saved cost. `k` replaces its cutoff, if it takes one.
pub fn other_metric(
    goal: &Goal,
    k: Option<Capacity>,
    scale: Scale,
) -> Result<Option<Metric>, SpecError> {
    let own = goal.spec();
    if own.info() == Spec::named("rcs").info() {
        return Ok(None);
    }
    let takes_k = own.info().cutoff != CutoffUse::None;
    let spec = match k.filter(|_| takes_k) {
        Some(k) => own.at(k),
        None => own,
    };
    spec.build(scale).map(Some)
}

/// Computes the permutation importance of each feature by a metric that is a share of savable cost
/// ([`saved_cost_metric`]), and by another one ([`other_metric`]). `progress` is called with the name of
/// each feature before it is shuffled.
pub fn permutation_importance(
    model: &Model,
    problem: &Problem<'_>,
    metric: &Metric,
    other: Option<&Metric>,
    options: PermutationOptions,
    progress: &mut dyn FnMut(&str),
) -> Result<PermutationImportance, PermutationError> {
    let data = problem.data();
    let scorer = model.scorer.prepare();
    let views: Vec<_> = (0..problem.n_lists()).map(|list| problem.list(list)).collect();
    let lists = PreparedLists::new(metric, &views)?;
    let mut rows = Rows::new(model, data)?;
    let mut scores = vec![0.0; data.len()];
    let others = other.map(|metric| PreparedLists::new(metric, &views)).transpose()?;
    let mut measure = |rows: &Rows| -> Result<(Part, Option<f64>), PermutationError> {
        rows.score(&scorer, &mut scores);
        let priorities = model.priorities(scores.clone(), data, problem.goal().reach);
        let figure = match &others {
            Some(lists) => lists.evaluate(&priorities)?.figure,
            None => None,
        };
        Ok((totals(lists.evaluate(&priorities)?.parts), figure))
    };
    let sign = match other.map(Metric::direction) {
        Some(Direction::Lower) => -1.0,
        _ => 1.0,
    };
    let (whole, figure) = measure(&rows)?;
    let within = orders(data.offsets(), options);
    let between = orders(&[0, data.n_lists()], options);
    let mut losses = Vec::new();
    for (feature, _, splits) in model.importance() {
        if splits == 0 {
            continue;
        }
        progress(&model.features[feature].name);
        let column = rows.column(feature);
        let between_lists =
            varies_between_lists(&column, data, model.features[feature].categories.is_none());
        let (mut lost, mut of_figure) = (Vec::with_capacity(options.repeats), Vec::new());
        for repeat in 0..options.repeats {
            for (list, items) in data.lists().enumerate() {
                let others = data.items(between[repeat][list]);
                for (place, item) in items.enumerate() {
                    // If the other list is shorter, its items are used several times.
                    let from = match between_lists {
                        true => others.start + place % others.len(),
                        false => within[repeat][item],
                    };
                    *rows.value_mut(item, feature) = column[from];
                }
            }
            let (part, shuffled) = measure(&rows)?;
            lost.push(whole.num - part.num);
            of_figure.extend(figure.zip(shuffled).map(|(whole, part)| sign * (whole - part)));
        }
        for (item, &value) in column.iter().enumerate() {
            *rows.value_mut(item, feature) = value;
        }
        let (cost, spread) = mean_and_spread(&lost);
        let of_figure = (!of_figure.is_empty()).then(|| mean_and_spread(&of_figure));
        losses.push(FeatureLoss { feature, cost, spread, of_figure, between_lists });
    }
    let lost = |loss: &FeatureLoss| loss.of_figure.map_or(loss.cost, |(lost, _)| lost);
    losses.sort_by(|a, b| lost(b).total_cmp(&lost(a)));
    let figure = other.zip(figure);
    let figure = figure.map(|(metric, value)| GoalFigure { metric: metric.name(), value });
    Ok(PermutationImportance { saved: whole.num, ideal: whole.den, figure, losses })
}

/// Whether a feature describes lists rather than their items: at most a tenth of its variance is within
/// lists. Categories and missing values must be the same throughout a list.
fn varies_between_lists(column: &[f32], data: &Dataset, is_number: bool) -> bool {
    const MAX_SHARE_WITHIN: f64 = 0.1;
    // The number of values present, and their sum of squares about the mean.
    let spread = |values: &[f32]| {
        let present =
            || values.iter().filter(|value| !value.is_nan()).map(|&value| f64::from(value));
        let n = present().count();
        let mean = present().sum::<f64>() / n.max(1) as f64;
        (n, present().map(|value| (value - mean).powi(2)).sum::<f64>())
    };
    let mut within = 0.0;
    for items in data.lists() {
        let (present, of_list) = spread(&column[items.clone()]);
        let mixed = 0 < present && present < items.len();
        if mixed || !is_number && of_list > 0.0 {
            return false;
        }
        within += of_list;
    }
    within <= MAX_SHARE_WITHIN * spread(column).1
}

/// For each repeat, a random permutation of each of these ranges. All features use the same ones, so
/// that the result of a feature does not depend on the others.
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
