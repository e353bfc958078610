//! The target of a search: a metric over the training lists.
//!
//! The figure of a metric is a ratio of sums over lists of which only the numerator depends on
//! scores, so each list's value has a fixed **share** in the figure: 1/m in a mean of m lists,
//! Ideal_i / sum Ideal in R_CS. A metric that is a sum of gain x discount is then one sum over all
//! items of all lists, with gains that are shares of the figure.
//!
//! Example: R_CS@1 of lists (8, 2) and (0, 10): gains 8/18, 2/18, 0 and 10/18.

use std::borrow::Cow;

use rayon::prelude::*;
use stakes_core::WeightedLists;
use stakes_core::data::ListView;
use stakes_core::metric::{Aggregate, Direction, ListValue, Metric, PreparedLists, Reads};
use stakes_exact::Sum;

use crate::dense::Dense;
use crate::error::FitError;

/// A metric to be maximised on training lists.
pub(crate) struct Target<'l> {
    prepared: PreparedLists<'l>,
    offsets: &'l [usize],
    list_weights: &'l [f64],
    /// The share of each list's value in the figure; 0 for a list without a value.
    shares: Vec<f64>,
    /// The denominator of the figure: the sum of the lists' weights in it.
    total: f64,
    /// -1 for a metric of which less is better.
    sign: f64,
    sum: Option<Sum>,
}

impl<'l> Target<'l> {
    /// Prepares a metric of orders for these lists.
    pub(crate) fn new(metric: &'l Metric, weighted: &'l WeightedLists) -> Result<Self, FitError> {
        if metric.reads() == Reads::Values {
            return Err(FitError::Data(format!(
                "metric {} evaluates the values of scores, not their order, so there is no best \
                 order to search for; choose a metric of orders, such as ndcg@10 or rcs@10",
                metric.name()
            )));
        }
        let views = weighted.unweighted_views();
        let mut target = Target {
            prepared: PreparedLists::new(metric, &views)?,
            offsets: weighted.lists().offsets(),
            list_weights: weighted.list_weights(),
            shares: Vec::new(),
            total: 0.0,
            sign: if metric.direction() == Direction::Lower { -1.0 } else { 1.0 },
            sum: None,
        };
        let constant = target.prepared.evaluate(&vec![0.0; target.n_items()])?;
        let all: f64 =
            constant.parts.iter().zip(target.list_weights).map(|(p, weight)| weight * p.den).sum();
        if all <= 0.0 {
            return Err(FitError::Data(format!(
                "metric {} has no value on these lists: none of them has a cost to save or items to \
                 compare; give other lists or choose another metric",
                metric.name()
            )));
        }
        target.total = all;
        let is_weighted = metric.aggregate() == Aggregate::WeightedMean;
        let share = |(list, weight): (&ListValue, &f64)| match list.value {
            Some(_) if is_weighted => weight * list.weight / all,
            Some(_) => weight / all,
            None => 0.0,
        };
        target.shares = constant.lists.iter().zip(target.list_weights).map(share).collect();
        let prepare = |(view, &share)| sum_of(metric, view, share * target.sign);
        let sums: Option<Vec<(Vec<f64>, Vec<f64>)>> =
            views.par_iter().zip(&target.shares).map(prepare).collect();
        target.sum = sums.map(|sums| {
            let (gains, discounts): (Vec<_>, Vec<_>) = sums.into_iter().unzip();
            Sum { gains: gains.concat(), discounts, constant: 0.0 }
        });
        target.find_constant()?;
        Ok(target)
    }

    /// Finds the constant of the sum: the figure of any order without ties less its sum of
    /// gain x discount.
    fn find_constant(&mut self) -> Result<(), FitError> {
        let falling: Vec<f64> = (0..self.n_items()).map(|item| -(item as f64)).collect();
        let value = self.value(&falling)?;
        if let Some(sum) = &mut self.sum {
            let list = |(start, discounts): (&usize, &Vec<f64>)| -> f64 {
                sum.gains[*start..].iter().zip(discounts).map(|(gain, d)| gain * d).sum()
            };
            sum.constant = value - self.offsets.iter().zip(&sum.discounts).map(list).sum::<f64>();
        }
        Ok(())
    }

    /// The number of items.
    pub(super) fn n_items(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// The start of each list, and the end of the last.
    pub(super) fn offsets(&self) -> &[usize] {
        self.offsets
    }

    /// The weight of each list from the weights of its items.
    pub(super) fn list_weights(&self) -> &[f64] {
        self.list_weights
    }

    /// The share of each list's value in the figure; 0 for a list without a value.
    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The denominator of the figure, such as the sum of Ideal in R_CS.
    pub(super) fn total(&self) -> f64 {
        self.total
    }

    /// The metric as a sum over positions, if it is one.
    pub(crate) fn sum(&self) -> Option<&Sum> {
        self.sum.as_ref()
    }

    /// Returns the figure of these scores, negated for a metric of which less is better.
    pub(super) fn value(&self, scores: &[f64]) -> Result<f64, FitError> {
        let parts = self.prepared.evaluate(scores)?.parts;
        let (mut above, mut below) = (0.0, 0.0);
        for (part, weight) in parts.iter().zip(self.list_weights) {
            above += weight * part.num;
            below += weight * part.den;
        }
        Ok(self.sign * above / below)
    }

    /// Returns the value of each list, negated for a metric of which less is better; 0 for a list
    /// without a value.
    pub(super) fn list_values(&self, scores: &[f64]) -> Result<Vec<f64>, FitError> {
        let lists = self.prepared.evaluate(scores)?.lists;
        Ok(lists.iter().map(|list| self.sign * list.value.unwrap_or(0.0)).collect())
    }
}

/// Returns the inputs of the items that weighted lists keep.
pub(crate) fn inputs_of<'d>(weighted: &WeightedLists, all: &'d Dense) -> Cow<'d, Dense> {
    if weighted.keeps_all() {
        return Cow::Borrowed(all);
    }
    let values = weighted.items().iter().flat_map(|&item| all.row(item)).copied().collect();
    Cow::Owned(Dense::new(values, all.width()))
}

/// Returns the gains and discounts of a list, if the metric has them.
fn sum_of(metric: &Metric, view: &ListView<'_>, share: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let prepared = metric.prepare(view);
    let parts = prepared.additive()?;
    // In this order: a gain may be near the largest number, and its scale near 0.
    let gains: Vec<f64> = parts.gains.iter().map(|gain| gain * parts.scale * share).collect();
    let differ = gains.iter().any(|gain| *gain != gains[0]);
    let reached = parts.discounts.iter().take(view.len()).take_while(|d| **d > 0.0);
    // With infinite gains, orders cannot be compared.
    let finite = gains.iter().all(|gain| gain.is_finite());
    let discounts = if differ && finite { reached.copied().collect() } else { Vec::new() };
    Some((gains, discounts))
}
