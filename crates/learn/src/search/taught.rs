//! The items that a search learns from: those of some weight.
//!
//! A metric values lists, not items, so an item's weight comes in twice: an item that weighs
//! nothing is not there, and a list counts the mean weight of the items that are.
//!
//! Example: a list of weights 2, 0, 4 is a list of two items that counts 3 times.

use std::borrow::Cow;

use stakes_core::data::ListView;

use crate::Lists;
use crate::dense::Dense;

/// Lists without the items that weigh nothing.
pub(crate) struct Taught {
    /// Which items of the lists are there; `None` if all are.
    kept: Option<Vec<usize>>,
    offsets: Vec<usize>,
    impact: Vec<f64>,
    cost: Vec<f64>,
    price: Option<Vec<f64>>,
    /// The mean weight of each list.
    counts: Vec<f64>,
}

impl Taught {
    pub(crate) fn new(lists: &Lists) -> Self {
        let weight = |item: usize| lists.weight().map_or(1.0, |weights| weights[item]);
        let mut kept = Vec::with_capacity(lists.n_items());
        let mut taught = Taught {
            kept: None,
            offsets: vec![0],
            impact: Vec::with_capacity(lists.n_items()),
            cost: Vec::with_capacity(lists.n_items()),
            price: lists.list(0).price.map(|_| Vec::with_capacity(lists.n_items())),
            counts: Vec::new(),
        };
        for number in 0..lists.len() {
            let (list, items) = (lists.list(number), lists.items(number));
            let mut sum = 0.0;
            for (i, item) in items.enumerate().filter(|&(_, item)| weight(item) > 0.0) {
                kept.push(item);
                sum += weight(item);
                taught.impact.push(list.impact[i]);
                taught.cost.push(list.cost[i]);
                if let (Some(own), Some(price)) = (&mut taught.price, list.price) {
                    own.push(price[i]);
                }
            }
            let size = kept.len() - taught.offsets[taught.offsets.len() - 1];
            if size > 0 {
                taught.offsets.push(kept.len());
                taught.counts.push(sum / size as f64);
            }
        }
        taught.kept = (kept.len() < lists.n_items()).then_some(kept);
        taught
    }

    /// The inputs of the items that are there.
    pub(crate) fn inputs<'d>(&self, all: &'d Dense) -> Cow<'d, Dense> {
        match &self.kept {
            None => Cow::Borrowed(all),
            Some(kept) => {
                let values = kept.iter().flat_map(|&item| all.row(item)).copied().collect();
                Cow::Owned(Dense::new(values, all.width()))
            }
        }
    }

    /// The numbers of items that are there, of numbers of all.
    pub(crate) fn pick(&self, all: &[f64]) -> Vec<f64> {
        match &self.kept {
            None => all.to_vec(),
            Some(kept) => kept.iter().map(|&item| all[item]).collect(),
        }
    }

    /// Where lists begin, and the end of the last.
    pub(crate) fn offsets(&self) -> &[usize] {
        &self.offsets
    }

    /// How much each list counts beside others: the mean weight of its items.
    pub(super) fn counts(&self) -> &[f64] {
        &self.counts
    }

    /// All lists, for metrics.
    pub(super) fn views(&self) -> Vec<ListView<'_>> {
        let list = |ends: &[usize]| ListView {
            impact: &self.impact[ends[0]..ends[1]],
            cost: &self.cost[ends[0]..ends[1]],
            weight: None,
            price: self.price.as_ref().map(|price| &price[ends[0]..ends[1]]),
        };
        self.offsets.windows(2).map(list).collect()
    }
}
