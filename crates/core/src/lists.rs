//! The targets of training lists in canonical order: by list id, then by item id.
//!
//! Files have rows in any order. Sums of floating-point numbers depend on that order, and so do
//! random draws that are numbered by row; training in one canonical order makes the model a
//! function of the data alone. Only the few columns that losses and metrics read are sorted here;
//! features are sorted when they are binned.

mod numbers;
mod weighted;

use std::ops::Range;

pub use weighted::WeightedLists;

use crate::cost::Problem;
use crate::data::ListView;
use crate::shards::Shards;
use numbers::Numbers;

/// The targets of a problem in canonical order.
#[derive(Debug, Clone)]
pub struct Lists {
    /// For each item, in canonical order, its row in the data set.
    rows: Vec<u32>,
    offsets: Vec<usize>,
    impact: Vec<f64>,
    cost: Vec<f64>,
    weight: Option<Vec<f64>>,
    price: Option<Vec<f64>>,
    shards: Shards,
    /// The numbers of lists and items among those of all shards, if there are several.
    numbers: Option<Numbers>,
}

impl Lists {
    /// Sorts the lists and items of a problem. Items without ids keep the order of the file.
    pub fn new(problem: &Problem<'_>) -> Self {
        let data = problem.data();
        let mut order: Vec<usize> = (0..data.n_lists()).collect();
        order.sort_by(|&a, &b| data.list_id(a).cmp(data.list_id(b)));
        let mut rows: Vec<u32> = Vec::with_capacity(data.len());
        let mut offsets = vec![0];
        for list in order {
            let start = rows.len();
            rows.extend(data.items(list).map(|row| row as u32));
            if data.columns().id.is_some() {
                rows[start..].sort_by_key(|&row| data.item_id(row as usize));
            }
            offsets.push(rows.len());
        }
        let pick =
            |column: &[f64]| -> Vec<f64> { rows.iter().map(|&row| column[row as usize]).collect() };
        let cost = pick(problem.cost());
        Lists {
            impact: data.impact().map_or_else(|| cost.clone(), pick),
            weight: data.weight().map(pick),
            price: data.price().map(pick),
            cost,
            offsets,
            rows,
            shards: Shards::alone(),
            numbers: None,
        }
    }

    /// The same for one of several shards: lists and items know their numbers among those of all. Refuses lists
    /// that are in two shards.
    pub fn among(problem: &Problem<'_>, shards: &Shards) -> Result<Self, String> {
        let mut lists = Lists::new(problem);
        if !shards.are_one() {
            let data = problem.data();
            let id =
                |list: usize| data.list_id(data.list_of(lists.rows[lists.offsets[list]] as usize));
            let ids: Vec<&str> = (0..lists.len()).map(id).collect();
            lists.numbers = Some(Numbers::among(&ids, &lists.offsets, shards)?);
            lists.shards = shards.clone();
        }
        Ok(lists)
    }

    /// The shards that these lists and those of others are dealt to.
    pub fn shards(&self) -> &Shards {
        &self.shards
    }

    /// The numbers of the items in the canonical order of all shards; `None` if they are 0, 1, 2, ...
    pub fn item_numbers(&self) -> Option<&[u32]> {
        self.numbers.as_ref().map(|numbers| &numbers.items[..])
    }

    /// The number of a list in the canonical order of all shards.
    pub fn list_number(&self, list: usize) -> u64 {
        self.numbers.as_ref().map_or(list as u64, |numbers| numbers.lists[list].into())
    }

    /// Returns the same lists with costs in another unit: divided by `unit` and rounded to 24 bits,
    /// so that results do not depend on whether costs are given in dollars or in cents, not even in
    /// the last digits. Weights are divided by their mean.
    #[must_use]
    pub fn in_units_of(mut self, unit: f64) -> Self {
        self.cost.iter_mut().for_each(|c| *c = f64::from((*c / unit) as f32));
        if let Some(weight) = &mut self.weight {
            let n = self.shards.sum_of(weight.len() as i64) as f64;
            // Divided before they are added: the sum of the weights may overflow.
            let mean = self.shards.exact_sum(weight.iter().map(|w| w / n));
            if mean > 0.0 {
                weight.iter_mut().for_each(|w| *w /= mean);
            }
        }
        self
    }

    /// Some of the lists, and the numbers of their items among all.
    pub fn take(&self, is_taken: impl Fn(usize) -> bool) -> (Lists, Vec<usize>) {
        let (mut items, mut offsets) = (Vec::new(), vec![0]);
        let taken: Vec<usize> = (0..self.len()).filter(|&list| is_taken(list)).collect();
        for &list in &taken {
            items.extend(self.items(list));
            offsets.push(items.len());
        }
        let pick = |of: &[f64]| -> Vec<f64> { items.iter().map(|&item| of[item]).collect() };
        let lists = Lists {
            rows: items.iter().map(|&item| self.rows[item]).collect(),
            offsets,
            impact: pick(&self.impact),
            cost: pick(&self.cost),
            weight: self.weight.as_deref().map(pick),
            price: self.price.as_deref().map(pick),
            shards: self.shards.clone(),
            numbers: self.numbers.as_ref().map(|numbers| numbers.take(&taken, &items)),
        };
        (lists, items)
    }

    /// The number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Always false for the lists of a problem: a data set has at least one list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The number of items.
    pub fn n_items(&self) -> usize {
        self.rows.len()
    }

    /// The range of the items of a list.
    pub fn items(&self, list: usize) -> Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// The start of each list, and the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// The row of each item in the data set.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// Values of the rows of the data set, such as scores, in the order of the items.
    pub fn in_order(&self, by_row: &[f64]) -> Vec<f64> {
        self.rows.iter().map(|&row| by_row[row as usize]).collect()
    }

    /// The cost of every item.
    pub fn cost(&self) -> &[f64] {
        &self.cost
    }

    /// The weight of every item, if the data have weights.
    pub fn weight(&self) -> Option<&[f64]> {
        self.weight.as_deref()
    }

    /// The price of every item, if the data have prices.
    pub fn price(&self) -> Option<&[f64]> {
        self.price.as_deref()
    }

    /// A view of one list.
    pub fn list(&self, list: usize) -> ListView<'_> {
        let items = self.items(list);
        ListView {
            impact: &self.impact[items.clone()],
            cost: &self.cost[items.clone()],
            weight: self.weight.as_ref().map(|w| &w[items.clone()]),
            price: self.price.as_ref().map(|p| &p[items.clone()]),
        }
    }

    /// Views of all lists, for [`crate::metric::PreparedLists`].
    pub fn views(&self) -> Vec<ListView<'_>> {
        (0..self.len()).map(|list| self.list(list)).collect()
    }
}
