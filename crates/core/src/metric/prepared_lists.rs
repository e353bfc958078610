//! Lists that are evaluated many times, with other scores each time: whatever depends on the
//! lists alone, such as their ideal orders, is computed once.
//!
//! ```
//! use stakes_core::data::ListView;
//! use stakes_core::metric::{Metric, PreparedLists, Scale};
//! let metric = Metric::parse("r@1", Scale::default())?;
//! let lists = [ListView::of_impact(&[8.0, 2.0]), ListView::of_impact(&[1.0, 4.0])];
//! let prepared = PreparedLists::new(&metric, &lists)?;
//! assert_eq!(prepared.evaluate(&[1.0, 0.0, 0.0, 1.0])?.figure, Some(1.0));
//! assert_eq!(prepared.evaluate(&[0.0, 1.0, 0.0, 1.0])?.figure, Some((0.25 + 1.0) / 2.0));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use rayon::prelude::*;

use super::evaluate::{MIN_BATCH, aggregate, check, figure};
use super::{AllListsMetric, EvaluateError, Evaluation, ListMetric, ListValue, Metric};
use crate::data::ListView;
use crate::shards::Shards;

/// A metric prepared for many lists.
pub struct PreparedLists<'l> {
    metric: &'l Metric,
    lists: Vec<Box<dyn ListMetric + 'l>>,
    /// The metric of all lists at once, if it has no value of single ones.
    all: Option<Box<dyn AllListsMetric + 'l>>,
    /// The index of the first item of each list, and the end of the last.
    offsets: Vec<usize>,
    shards: Shards,
}

impl<'l> PreparedLists<'l> {
    /// Prepares the metric for each list.
    pub fn new(metric: &'l Metric, lists: &[ListView<'l>]) -> Result<Self, EvaluateError> {
        check(metric, lists.iter().copied())?;
        let mut offsets = vec![0];
        offsets.extend(lists.iter().scan(0, |end, list| {
            *end += list.len();
            Some(*end)
        }));
        let all = metric.rule.prepare_all(lists);
        let prepare = |list: &ListView<'l>| metric.prepare(list);
        let lists = lists.par_iter().with_min_len(MIN_BATCH).map(prepare).collect();
        Ok(PreparedLists { metric, lists, all, offsets, shards: Shards::alone() })
    }

    /// The same where other shards have more lists: figures are of all. Refuses metrics without values of lists.
    pub fn among(self, shards: &Shards) -> Result<Self, EvaluateError> {
        if self.all.is_some() && !shards.are_one() {
            let reason =
                "it has no value of single lists, so all lists must be in one place".to_owned();
            return Err(EvaluateError::Unsuited { metric: self.metric.name(), reason });
        }
        Ok(PreparedLists { shards: shards.clone(), ..self })
    }

    /// The metric.
    pub fn metric(&self) -> &'l Metric {
        self.metric
    }

    /// Evaluates `scores`, which hold the lists' items in the same order.
    pub fn evaluate(&self, scores: &[f64]) -> Result<Evaluation, EvaluateError> {
        self.evaluate_mapped(scores, |_, score| score)
    }

    /// Evaluates `map(item, raw score)`, computed list by list: no second array of all scores is
    /// made.
    pub fn evaluate_mapped(
        &self,
        raw: &[f64],
        map: impl Fn(usize, f64) -> f64 + Sync,
    ) -> Result<Evaluation, EvaluateError> {
        assert_eq!(raw.len(), self.offsets[self.lists.len()], "one score per item");
        if let Some(all) = &self.all {
            let scores: Vec<f64> =
                raw.iter().enumerate().map(|(item, &raw)| map(item, raw)).collect();
            return figure(self.metric, all.of_scores(&scores));
        }
        let value_list = |scores: &mut Vec<f64>, list: usize| {
            let (prepared, items) = (&self.lists[list], self.offsets[list]..self.offsets[list + 1]);
            scores.clear();
            scores.extend(items.clone().zip(&raw[items]).map(|(item, &raw)| map(item, raw)));
            ListValue { value: prepared.of_scores(scores), weight: prepared.weight() }
        };
        let lists = (0..self.lists.len()).into_par_iter().with_min_len(MIN_BATCH);
        let values = lists.map_init(Vec::new, value_list).collect();
        aggregate(self.metric, values, |list| format!("list {}", list + 1), Some(&self.shards))
    }
}

impl std::fmt::Debug for PreparedLists<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "PreparedLists({:?}, {} lists)", self.metric, self.lists.len())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use crate::metric::{METRICS, Scale, evaluate_lists};

    /// Every metric, with one set of scores after another: bit-equal to fresh preparation.
    #[test]
    fn nothing_is_left_behind() {
        let (impact, price) = ([3.0, 0.0, 1.0, 1.0, 0.0, 2.0, 5.0, 0.0, 0.0, 4.0, 1.0], [1.5; 11]);
        let view = |from: usize, to: usize| ListView {
            price: Some(&price[from..to]),
            ..ListView::of_impact(&impact[from..to])
        };
        let lists = [view(0, 4), view(4, 5), view(5, 11)];
        let raw: Vec<f64> = (0..11).map(|i| f64::from(i * 7 % 5)).collect();
        let mut valued = 0;
        for text in METRICS.iter().flat_map(|row| [row.name.to_owned(), format!("{}@3", row.name)])
        {
            let Ok(metric) = Metric::parse(&text, Scale::default()) else { continue };
            let Ok(prepared) = PreparedLists::new(&metric, &lists) else { continue };
            for factor in [1.0, -0.5, 2.0] {
                let finish = |item: usize, raw: f64| factor * raw + item as f64 / 8.0;
                let scores: Vec<f64> = (0..11).map(|item| finish(item, raw[item])).collect();
                let value_of = |list: usize, items: std::ops::Range<usize>| {
                    let prepared = metric.prepare(&lists[list]);
                    ListValue {
                        value: prepared.of_scores(&scores[items]),
                        weight: prepared.weight(),
                    }
                };
                let values = [value_of(0, 0..4), value_of(1, 4..5), value_of(2, 5..11)];
                let aggregate = metric.aggregate();
                let figure = aggregate.figure(&aggregate.parts(&values));
                let found = prepared.evaluate_mapped(&raw, finish).unwrap();
                assert_eq!(found.figure.map(f64::to_bits), figure.map(f64::to_bits), "{text}");
                assert_eq!(found, prepared.evaluate(&scores).unwrap(), "{text}");
                assert_eq!(found, evaluate_lists(&metric, &lists, &scores).unwrap(), "{text}");
                valued += usize::from(figure.is_some());
            }
        }
        assert!(valued > 60, "{valued}");
    }
}
