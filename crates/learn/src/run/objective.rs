//! A loss over all lists as one function of all scores: what boosting sees.

use rayon::prelude::*;
use stakes_core::ExactSum;
use stakes_core::shards::Shards;

use crate::Lists;
use crate::loss::{
    AllListsLoss, GradHess, LeafRule, ListLoss, Loss, of_all_shards, weighted_quantile,
};

/// A loss prepared for every list.
pub(crate) struct Objective<'l> {
    lists: &'l Lists,
    prepared: Vec<Box<dyn ListLoss + 'l>>,
    /// The loss of all lists at once, where it is computed so.
    all: Option<Box<dyn AllListsLoss + 'l>>,
    rule: LeafRule,
    /// The weights of items, where leaves are quantiles; else empty.
    weights: Vec<f64>,
}

impl<'l> Objective<'l> {
    pub(crate) fn new(loss: &'l dyn Loss, lists: &'l Lists) -> Self {
        let weights = loss.list_weights(lists);
        let prepare = |(list, &weight): (usize, &f64)| loss.prepare_of(lists, list, weight);
        let rule = loss.leaf_rule();
        let own = |item: usize| lists.weight().map_or(1.0, |w| w[item]);
        let of_items = |(list, &weight): (usize, &f64)| {
            lists.items(list).map(move |item| weight * own(item)).collect::<Vec<f64>>()
        };
        Objective {
            lists,
            prepared: weights.iter().enumerate().map(prepare).collect(),
            all: loss.prepare_all(lists),
            weights: match rule {
                LeafRule::Newton => Vec::new(),
                LeafRule::Quantile(_) => weights.iter().enumerate().flat_map(of_items).collect(),
            },
            rule,
        }
    }

    /// The derivatives of all items, lists in parallel. A list writes to its own items only,
    /// so the result does not depend on threads.
    pub(crate) fn derivatives(&self, scores: &[f64], out: &mut [GradHess]) {
        self.derivatives_where(|_| true, scores, out);
    }

    /// The derivatives of the items of these lists; the others are left as they are.
    pub(crate) fn derivatives_where(
        &self,
        wanted: impl Fn(usize) -> bool,
        scores: &[f64],
        out: &mut [GradHess],
    ) {
        if let Some(all) = &self.all {
            let mut found = vec![GradHess::default(); out.len()];
            all.gradients(scores, &mut found);
            for items in (0..self.prepared.len())
                .filter(|&list| wanted(list))
                .map(|list| self.lists.items(list))
            {
                out[items.clone()].copy_from_slice(&found[items]);
            }
            return;
        }
        let mut rest = out;
        let mut tasks = Vec::with_capacity(self.prepared.len());
        for (list, loss) in self.prepared.iter().enumerate() {
            let items = self.lists.items(list);
            let (own, others) = rest.split_at_mut(items.len());
            if wanted(list) {
                tasks.push((loss, &scores[items], own));
            }
            rest = others;
        }
        let bundle = 1 + tasks.len() / 1024;
        tasks
            .into_par_iter()
            .with_min_len(bundle)
            .for_each(|(loss, scores, out)| loss.gradients(scores, out));
    }

    /// The derivatives of one list's items.
    pub(crate) fn derivatives_of(&self, list: usize, scores: &[f64], out: &mut [GradHess]) {
        self.prepared[list].gradients(scores, out);
    }

    /// The loss per item, where it is a function of the scores.
    pub(crate) fn value(&self, scores: &[f64]) -> Option<f64> {
        let of_list = |list: usize| self.prepared[list].value(&scores[self.lists.items(list)]);
        let values: Vec<Option<f64>> =
            (0..self.prepared.len()).into_par_iter().map(of_list).collect();
        let values: Vec<f64> = values.into_iter().collect::<Option<_>>()?;
        let items: ExactSum = [self.lists.n_items() as f64].into_iter().collect();
        let [sum, items] = self.shards().exact_sums([&values.into_iter().collect(), &items]);
        Some(sum / items)
    }

    /// The shards that the lists are dealt to.
    pub(crate) fn shards(&self) -> &Shards {
        self.lists.shards()
    }

    /// How the value of a leaf is found.
    pub(crate) fn leaf_rule(&self) -> LeafRule {
        self.rule
    }

    /// The weighted quantile of cost - score.
    pub(crate) fn residual_quantile(&self, items: &[u32], scores: &[f64], alpha: f64) -> f64 {
        let mut residuals: Vec<(f64, f64)> = items
            .iter()
            .map(|&item| item as usize)
            .map(|item| (self.lists.cost()[item] - scores[item], self.weights[item]))
            .collect();
        residuals = of_all_shards(residuals, self.shards());
        weighted_quantile(&mut residuals, alpha).unwrap_or(0.0)
    }
}
