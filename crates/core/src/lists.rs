//! The lists that are learned from, in an order of their own: by list id, then by item id.
//!
//! Files give rows in any order. Sums of floating-point numbers depend on it, and so do
//! random draws that are numbered by row; learning in one canonical order makes the model a
//! function of the data alone. Only the few columns that losses and metrics read are put in
//! order here; features are put in order when they are binned.

use std::ops::Range;

use crate::cost::Problem;
use crate::data::ListView;

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
}

impl Lists {
    /// Puts a problem in order. Items without ids keep the order of the file.
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
        }
    }

    /// The same lists with costs counted in another unit: divided by `unit` and rounded to
    /// 24 bits, so that whether costs were given in dollars or in cents leaves no trace in
    /// the last digits. Weights are counted in units of their mean.
    #[must_use]
    pub fn in_units_of(mut self, unit: f64) -> Self {
        self.cost.iter_mut().for_each(|c| *c = f64::from((*c / unit) as f32));
        if let Some(weight) = &mut self.weight {
            let n = weight.len() as f64;
            // Divided before they are added: the sum may lie beyond all numbers.
            let mean: f64 = weight.iter().map(|w| w / n).sum();
            if mean > 0.0 {
                weight.iter_mut().for_each(|w| *w /= mean);
            }
        }
        self
    }

    /// The lists without items of weight 0, and which items are left.
    pub fn weighing(&self) -> (Self, Vec<usize>) {
        let weighs = |item: &usize| self.weight.as_ref().is_none_or(|w| w[*item] > 0.0);
        let mut left = Vec::with_capacity(self.n_items());
        let mut offsets = vec![0];
        for list in 0..self.len() {
            let before = left.len();
            left.extend(self.items(list).filter(weighs));
            if left.len() > before {
                offsets.push(left.len());
            }
        }
        let pick = |column: &Vec<f64>| left.iter().map(|&item| column[item]).collect::<Vec<f64>>();
        let lists = Lists {
            rows: left.iter().map(|&item| self.rows[item]).collect(),
            offsets,
            impact: pick(&self.impact),
            cost: pick(&self.cost),
            weight: self.weight.as_ref().map(pick),
            price: self.price.as_ref().map(pick),
        };
        (lists, left)
    }

    /// Number of lists.
    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Never true: a data set has at least one list.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Number of items.
    pub fn n_items(&self) -> usize {
        self.rows.len()
    }

    /// The items of list `list`.
    pub fn items(&self, list: usize) -> Range<usize> {
        self.offsets[list]..self.offsets[list + 1]
    }

    /// Where lists begin, and the end of the last.
    pub fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// For each item its row in the data set.
    pub fn rows(&self) -> &[u32] {
        &self.rows
    }

    /// The cost of every item.
    pub fn cost(&self) -> &[f64] {
        &self.cost
    }

    /// The weight of every item, if given.
    pub fn weight(&self) -> Option<&[f64]> {
        self.weight.as_deref()
    }

    /// One list.
    pub fn list(&self, list: usize) -> ListView<'_> {
        let items = self.items(list);
        ListView {
            impact: &self.impact[items.clone()],
            cost: &self.cost[items.clone()],
            weight: self.weight.as_ref().map(|w| &w[items.clone()]),
            price: self.price.as_ref().map(|p| &p[items.clone()]),
        }
    }

    /// All lists, for [`crate::metric::PreparedLists`].
    pub fn views(&self) -> Vec<ListView<'_>> {
        (0..self.len()).map(|list| self.list(list)).collect()
    }
}
