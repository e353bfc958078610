//! A loss over all lists as one function of all scores: what boosting sees.

use rayon::prelude::*;

use crate::Lists;
use crate::loss::{GradHess, LeafRule, ListLoss, Loss, weighted_quantile};

/// A loss prepared for every list.
pub(crate) struct Objective<'l> {
    lists: &'l Lists,
    prepared: Vec<Box<dyn ListLoss + 'l>>,
    rule: LeafRule,
}

impl<'l> Objective<'l> {
    pub(crate) fn new(loss: &'l dyn Loss, lists: &'l Lists) -> Self {
        let weights = loss.list_weights(lists);
        let prepare = |(list, &weight): (usize, &f64)| loss.prepare(&lists.list(list), weight);
        Objective {
            lists,
            prepared: weights.iter().enumerate().map(prepare).collect(),
            rule: loss.leaf_rule(),
        }
    }

    /// The derivatives of all items, lists in parallel. A list writes to its own items only,
    /// so the result does not depend on threads.
    pub(crate) fn derivatives(&self, scores: &[f64], out: &mut [GradHess]) {
        let mut rest = out;
        let mut tasks = Vec::with_capacity(self.prepared.len());
        for (list, loss) in self.prepared.iter().enumerate() {
            let items = self.lists.items(list);
            let (own, others) = rest.split_at_mut(items.len());
            tasks.push((loss, &scores[items], own));
            rest = others;
        }
        let bundle = 1 + tasks.len() / 1024;
        tasks
            .into_par_iter()
            .with_min_len(bundle)
            .for_each(|(loss, scores, out)| loss.gradients(scores, out));
    }

    /// The loss per item, where it is a function of the scores.
    pub(crate) fn value(&self, scores: &[f64]) -> Option<f64> {
        let of_list = |list: usize| self.prepared[list].value(&scores[self.lists.items(list)]);
        let values: Vec<Option<f64>> =
            (0..self.prepared.len()).into_par_iter().map(of_list).collect();
        let sum: Option<f64> = values.into_iter().sum();
        Some(sum? / self.lists.n_items() as f64)
    }

    /// What a leaf of a tree says.
    pub(crate) fn leaf_rule(&self) -> LeafRule {
        self.rule
    }

    /// The weighted quantile of cost - score.
    pub(crate) fn residual_quantile(&self, items: &[u32], scores: &[f64], alpha: f64) -> f64 {
        let weight = |item: usize| self.lists.weight().map_or(1.0, |w| w[item]);
        let mut residuals: Vec<(f64, f64)> = items
            .iter()
            .map(|&item| item as usize)
            .map(|item| (self.lists.cost()[item] - scores[item], weight(item)))
            .collect();
        weighted_quantile(&mut residuals, alpha).unwrap_or(0.0)
    }
}
