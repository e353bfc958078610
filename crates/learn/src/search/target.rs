//! What a search maximises: a metric over the lists that are learnt from.
//!
//! Every figure is a ratio of sums over lists of which only the numerator depends on scores, so a
//! list's value counts a fixed **share** in the figure: 1/m in a mean of m lists,
//! Ideal_i / sum Ideal in R_CS. A metric that is a sum of gain x discount is then one sum over all
//! items of all lists, with gains that are shares of the figure.
//!
//! Example: R_CS@1 of lists (8, 2) and (0, 10): gains 8/18, 2/18, 0 and 10/18.

use rayon::prelude::*;
use stakes_core::data::ListView;
use stakes_core::metric::{Aggregate, Direction, ListValue, Metric, PreparedLists, Reads};
use stakes_exact::Sum;

use super::taught::Taught;
use crate::error::FitError;

/// A metric and the lists it is to be best on.
pub(crate) struct Target<'l> {
    prepared: PreparedLists<'l>,
    offsets: &'l [usize],
    counts: &'l [f64],
    /// What a unit of each list's value adds to the figure; 0 for a list that has none.
    shares: Vec<f64>,
    /// -1 where less is better.
    sign: f64,
    sum: Option<Sum>,
}

impl<'l> Target<'l> {
    /// Lists as they are learnt from, and a metric of their order.
    pub(crate) fn new(metric: &'l Metric, taught: &'l Taught) -> Result<Self, FitError> {
        if metric.reads() == Reads::Values {
            return Err(FitError::Data(format!(
                "{} values scores, not orders: there is no best order to search for; choose \
                 another metric (-p metric=...)",
                metric.name()
            )));
        }
        let views = taught.views();
        let mut target = Target {
            prepared: PreparedLists::new(metric, &views)?,
            offsets: taught.offsets(),
            counts: taught.counts(),
            shares: Vec::new(),
            sign: if metric.direction() == Direction::Lower { -1.0 } else { 1.0 },
            sum: None,
        };
        let constant = target.prepared.evaluate(&vec![0.0; target.n_items()])?;
        let all: f64 =
            constant.parts.iter().zip(target.counts).map(|(p, count)| count * p.den).sum();
        if all <= 0.0 {
            return Err(FitError::Data(format!(
                "{} has no value on these lists: none of them has anything to save or to compare; \
                 give other lists, or another metric",
                metric.name()
            )));
        }
        let weighted = metric.aggregate() == Aggregate::WeightedMean;
        let share = |(list, count): (&ListValue, &f64)| match list.value {
            Some(_) if weighted => count * list.weight / all,
            Some(_) => count / all,
            None => 0.0,
        };
        target.shares = constant.lists.iter().zip(target.counts).map(share).collect();
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

    /// Sets the constant of the sum, from the value of an order without ties.
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

    /// Number of items.
    pub(super) fn n_items(&self) -> usize {
        self.offsets[self.offsets.len() - 1]
    }

    /// Where lists begin, and the end of the last.
    pub(super) fn offsets(&self) -> &[usize] {
        self.offsets
    }

    /// How much lists count beside what the metric says.
    pub(super) fn counts(&self) -> &[f64] {
        self.counts
    }

    /// What a unit of each list's value adds to the figure; 0 for a list that has none.
    pub(super) fn shares(&self) -> &[f64] {
        &self.shares
    }

    /// The metric as a sum over positions, if it is one.
    pub(crate) fn sum(&self) -> Option<&Sum> {
        self.sum.as_ref()
    }

    /// The figure of these scores, negative where less of it is better: more is better always.
    pub(super) fn value(&self, scores: &[f64]) -> Result<f64, FitError> {
        let parts = self.prepared.evaluate(scores)?.parts;
        let (mut above, mut below) = (0.0, 0.0);
        for (part, count) in parts.iter().zip(self.counts) {
            above += count * part.num;
            below += count * part.den;
        }
        Ok(self.sign * above / below)
    }

    /// The value of each list, negative where less of it is better; 0 for one that has none.
    pub(super) fn list_values(&self, scores: &[f64]) -> Result<Vec<f64>, FitError> {
        let lists = self.prepared.evaluate(scores)?.lists;
        Ok(lists.iter().map(|list| self.sign * list.value.unwrap_or(0.0)).collect())
    }
}

/// Gains and discounts of a list, if the metric has them.
fn sum_of(metric: &Metric, view: &ListView<'_>, share: f64) -> Option<(Vec<f64>, Vec<f64>)> {
    let prepared = metric.prepare(view);
    let parts = prepared.additive()?;
    // In this order: a gain may be near the largest number there is, and its scale near 0.
    let gains: Vec<f64> = parts.gains.iter().map(|gain| gain * parts.scale * share).collect();
    let differ = gains.iter().any(|gain| *gain != gains[0]);
    let reached = parts.discounts.iter().take(view.len()).take_while(|d| **d > 0.0);
    // Gains beyond all numbers have no order that could be told from another.
    let finite = gains.iter().all(|gain| gain.is_finite());
    let discounts = if differ && finite { reached.copied().collect() } else { Vec::new() };
    Some((gains, discounts))
}
