//! Counts the features of data, or scores, in the bins of a [`Profile`](crate::Profile).

use rayon::prelude::*;
use stakes_core::data::Dataset;
use stakes_core::random::draw_for;

use crate::profile::MAX_SAMPLED;
use crate::{Bins, Distribution, ListScaling, MatchedColumns, Model, ModelError, ModelFeature};

/// Bins are made of so many items, or of all: nothing is gained by sorting more.
const ENOUGH_ITEMS: usize = 20_000;

/// Data to be spread over bins, and the lists that stand for them.
struct Spread<'d> {
    data: &'d Dataset,
    /// Lists in an order that depends on their ids alone.
    lists: Vec<usize>,
}

impl<'d> Spread<'d> {
    fn new(data: &'d Dataset) -> Self {
        let mut keys: Vec<(f64, usize)> =
            (0..data.n_lists()).map(|list| (draw_for(0, data.list_id(list)), list)).collect();
        let id = |list: usize| data.list_id(list);
        keys.sort_by(|a, b| a.0.total_cmp(&b.0).then_with(|| id(a.1).cmp(id(b.1))));
        Spread { data, lists: keys.into_iter().map(|(_, list)| list).collect() }
    }

    /// The items of so many lists that there are enough of both.
    fn some_items(&self) -> impl Iterator<Item = usize> {
        let mut items = 0;
        let is_needed = move |(lists, list): &(usize, &usize)| {
            let needed = *lists < MAX_SAMPLED || items < ENOUGH_ITEMS;
            items += self.data.items(**list).len();
            needed
        };
        let lists = self.lists.iter().enumerate().take_while(is_needed);
        lists.flat_map(|(_, &list)| self.data.items(list))
    }

    fn numbers(&self, value: impl Fn(usize) -> f64) -> Bins {
        Bins::of_numbers(self.some_items().map(value).collect())
    }

    fn categories(&self, names: usize, value: impl Fn(usize) -> f64) -> Bins {
        let mut items = vec![0_u64; names];
        let known = (0..self.data.len()).map(value).filter(|code| !code.is_nan());
        for code in known {
            if let Some(items) = items.get_mut(code as usize) {
                *items += 1;
            }
        }
        Bins::of_categories(&items)
    }

    /// Counts values in bins.
    fn over(&self, bins: Bins, value: impl Fn(usize) -> f64 + Sync) -> Distribution {
        let add = |mut counts: Vec<u64>, list: usize| {
            self.data.items(list).for_each(|item| counts[bins.of(value(item))] += 1);
            counts
        };
        let both = |mut a: Vec<u64>, b: Vec<u64>| {
            a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
            a
        };
        let none = || vec![0_u64; bins.len()];
        let of_list = |&list: &usize| -> Vec<u32> {
            add(none(), list).into_iter().map(|count| count as u32).collect()
        };
        let lists = self.lists.par_iter().copied();
        Distribution {
            lists: self.lists.len() as u64,
            counts: lists.fold(none, add).reduce(none, both),
            by_list: self.lists.iter().take(MAX_SAMPLED).map(of_list).collect(),
            bins,
        }
    }
}

impl Distribution {
    /// How scores of items are spread, in bins that are made of them.
    pub fn of_scores(data: &Dataset, scores: &[f64]) -> Self {
        let spread = Spread::new(data);
        spread.over(spread.numbers(|item| scores[item]), |item| scores[item])
    }

    /// How scores of items are spread, in these bins.
    pub fn scores_in(bins: &Bins, data: &Dataset, scores: &[f64]) -> Self {
        Spread::new(data).over(bins.clone(), |item| scores[item])
    }
}

impl Model {
    /// How the features of data are spread, as the model reads them, but before they are scaled within
    /// lists: in the bins of others, or in bins that are made of these data.
    pub fn distributions(
        &self,
        data: &Dataset,
        others: Option<&[Distribution]>,
    ) -> Result<Vec<Distribution>, ModelError> {
        let columns = MatchedColumns::new(&self.features, ListScaling::None, data)?;
        let spread = Spread::new(data);
        let of_feature = |(number, feature): (usize, &ModelFeature)| {
            let value = |item: usize| columns.value(data, item, number);
            let bins = match (others, &feature.categories) {
                (Some(others), _) => others[number].bins.clone(),
                (None, None) => spread.numbers(value),
                (None, Some(names)) => spread.categories(names.len(), value),
            };
            spread.over(bins, value)
        };
        Ok(self.features.par_iter().enumerate().map(of_feature).collect())
    }
}
