//! From lists, a metric and the present order to a problem of the exact search.
//!
//! The items that are re-ranked stand above all others of their list, so a rank among them is a rank
//! in the list; the contribution of the others to the metric is a constant.
//! The value of the problem is then the figure of the metric on all items.
//!
//! Example: gains 3, 2, 1 in the order of the base, discounts 1, 1/2, 1/3, the first two re-ranked:
//! gains 3 and 2, discounts 1 and 1/2, and the constant 1/3.

use stakes_core::metric::Metric;
use stakes_exact::{Problem, Sum, Ties};

use super::Top;
use super::learner::{NOT_A_SUM, Selection};
use crate::dense::Dense;
use crate::direct::{Target, inputs_of};
use crate::error::FitError;
use stakes_core::{Lists, WeightedLists};
use stakes_model::RerankScope;

/// A metric as a sum over the ranks of lists, and a score that puts them in an order.
pub(super) struct Standing {
    sum: Sum,
    offsets: Vec<usize>,
    /// Of items whose weight is above 0.
    scores: Vec<f64>,
    weighted: WeightedLists,
}

impl Standing {
    /// Of scores in the order of the lists.
    pub(super) fn new(metric: &Metric, lists: &Lists, scores: &[f64]) -> Result<Self, FitError> {
        let weighted = WeightedLists::new(lists);
        let sum = Target::new(metric, &weighted)?.sum().cloned();
        let mut sum = sum.ok_or_else(|| {
            let name = metric.name();
            FitError::Data(format!(
                "{name} is no sum over ranks of these lists; choose {NOT_A_SUM}"
            ))
        })?;
        sum.gains.iter_mut().for_each(|gain| *gain = rounded(*gain));
        let (offsets, scores) = (weighted.lists().offsets().to_vec(), weighted.select(scores));
        Ok(Standing { sum, offsets, scores, weighted })
    }

    /// The value of the present order, ties counted against it, and that of the ideal order.
    pub(super) fn value_and_ideal(&self) -> Result<(f64, f64), FitError> {
        let rows = vec![0.0; self.scores.len()];
        let whole = Problem::new(1, self.offsets.clone(), rows, self.sum.clone())
            .map_err(stakes_exact::ExactError::from)?;
        Ok((whole.value_of_scores(&self.scores, Ties::Resolved), whole.ideal()))
    }

    /// Which items are re-ranked.
    pub(super) fn above(&self, selection: Selection) -> RerankScope {
        let Top::Items(count) = selection.top else { return RerankScope::All };
        let lists = self.offsets.len() - 1;
        if selection.of_each_list.unwrap_or(lists > 1) {
            return RerankScope::First(count as u64);
        }
        // As many as the count of each list, wherever they are.
        let mut falling = self.scores.clone();
        falling.sort_unstable_by(|a, b| b.total_cmp(a));
        let Some(&last) = falling.get(count.saturating_mul(lists) - 1) else {
            return RerankScope::All;
        };
        match falling.iter().find(|score| **score < last) {
            None => RerankScope::All,
            Some(next) => {
                let middle = next / 2.0 + last / 2.0;
                RerankScope::Score(if *next <= middle && middle < last { middle } else { *next })
            }
        }
    }

    /// The problem of the items that are re-ranked, with these inputs of all items, and the present score as
    /// a further input if `with_base`.
    pub(super) fn task(
        &self,
        above: RerankScope,
        inputs: &Dense,
        with_base: bool,
    ) -> Result<Task, FitError> {
        let inputs = inputs_of(&self.weighted, inputs);
        let Sum { gains, discounts, constant } = &self.sum;
        let mut sum = Sum { gains: Vec::new(), discounts: Vec::new(), constant: *constant };
        let (mut items, mut offsets) = (Vec::new(), vec![0]);
        for (ends, discounts) in self.offsets.windows(2).zip(discounts) {
            let scores = &self.scores[ends[0]..ends[1]];
            let chosen = above.select(scores);
            let (first, mut rest): (Vec<usize>, Vec<usize>) =
                (ends[0]..ends[1]).partition(|item| chosen[item - ends[0]]);
            // Ties count against the order.
            rest.sort_unstable_by(|a, b| {
                let falling = self.scores[*b].total_cmp(&self.scores[*a]);
                falling.then(gains[*a].total_cmp(&gains[*b])).then(a.cmp(b))
            });
            let below = discounts.iter().skip(first.len());
            sum.constant += rest.iter().zip(below).map(|(item, d)| gains[*item] * d).sum::<f64>();
            if first.is_empty() {
                continue;
            }
            sum.gains.extend(first.iter().map(|item| gains[*item]));
            sum.discounts.push(discounts.iter().take(first.len()).copied().collect());
            items.extend(first);
            offsets.push(items.len());
        }
        let columns = telling(&inputs, &items, &offsets);
        let mut rows = Vec::with_capacity(items.len() * (columns.len() + 1));
        for item in &items {
            rows.extend(columns.iter().map(|column| inputs.row(*item)[*column]));
            rows.extend(with_base.then_some(self.scores[*item]));
        }
        let width = columns.len() + usize::from(with_base);
        let problem =
            Problem::new(width, offsets, rows, sum).map_err(stakes_exact::ExactError::from)?;
        Ok(Task { problem, columns, with_base })
    }
}

/// A problem to solve.
pub(super) struct Task {
    pub(super) problem: Problem,
    /// The inputs that are features of the problem.
    pub(super) columns: Vec<usize>,
    /// Whether the base score is the last feature.
    pub(super) with_base: bool,
}

/// Inputs that differ within a list of these items: no other changes an order. One at least.
fn telling(inputs: &Dense, items: &[usize], offsets: &[usize]) -> Vec<usize> {
    let differs = |column: &usize| {
        let value = |item: &usize| inputs.row(*item)[*column];
        let mut lists = offsets.windows(2).map(|ends| &items[ends[0]..ends[1]]);
        lists.any(|list| list.iter().any(|item| value(item) != value(&list[0])))
    };
    let columns: Vec<usize> = (0..inputs.width()).filter(differs).collect();
    if columns.is_empty() { vec![0] } else { columns }
}

/// Rounds to 40 bits (a part in 10^12), so that dollars or cents as the unit of cost make no difference
/// in the last digits.
fn rounded(gain: f64) -> f64 {
    const BITS: u64 = 12;
    let up = gain.to_bits().wrapping_add(1 << (BITS - 1)) & !((1 << BITS) - 1);
    Some(f64::from_bits(up)).filter(|up| up.is_finite()).unwrap_or(gain)
}
