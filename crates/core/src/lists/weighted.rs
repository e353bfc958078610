//! Lists whose item weights have become list weights, for metrics that value whole lists.
//!
//! An item's weight then has two effects: an item of weight 0 is removed, and a list has the mean
//! weight of its remaining items. Lists without any remaining item are removed as well.
//!
//! Example: a list of weights 2, 0, 4 becomes a list of two items with the weight 3.

use super::Lists;
use crate::data::ListView;

/// Lists without items of weight 0, and the mean weight of each list.
#[derive(Debug, Clone)]
pub struct WeightedLists {
    lists: Lists,
    items: Vec<usize>,
    keeps_all: bool,
    list_weights: Vec<f64>,
}

impl WeightedLists {
    /// Removes the items of weight 0 and averages the weights of the others by list.
    pub fn new(all: &Lists) -> Self {
        let weight = |item: usize| all.weight.as_ref().map_or(1.0, |weights| weights[item]);
        let mut items = Vec::with_capacity(all.n_items());
        let (mut offsets, mut list_weights, mut kept) = (vec![0], Vec::new(), Vec::new());
        for list in 0..all.len() {
            let before = items.len();
            let mut sum = 0.0;
            for item in all.items(list).filter(|&item| weight(item) > 0.0) {
                items.push(item);
                sum += weight(item);
            }
            let size = items.len() - before;
            if size > 0 {
                offsets.push(items.len());
                list_weights.push(sum / size as f64);
                kept.push(list);
            }
        }
        let pick = |column: &Vec<f64>| items.iter().map(|&item| column[item]).collect::<Vec<f64>>();
        let lists = Lists {
            rows: items.iter().map(|&item| all.rows[item]).collect(),
            offsets,
            impact: pick(&all.impact),
            cost: pick(&all.cost),
            weight: all.weight.as_ref().map(pick),
            price: all.price.as_ref().map(pick),
            shards: all.shards.clone(),
            numbers: all.numbers.as_ref().map(|numbers| numbers.take(&kept, &items)),
        };
        WeightedLists { keeps_all: items.len() == all.n_items(), lists, items, list_weights }
    }

    /// The lists of the remaining items, with the weights of the items.
    pub fn lists(&self) -> &Lists {
        &self.lists
    }

    /// The remaining items, as indices into the original lists.
    pub fn items(&self) -> &[usize] {
        &self.items
    }

    /// Whether no item was removed.
    pub fn keeps_all(&self) -> bool {
        self.keeps_all
    }

    /// The weight of each list: the mean weight of its items.
    pub fn list_weights(&self) -> &[f64] {
        &self.list_weights
    }

    /// Returns the values of the remaining items, from values of all items.
    pub fn select(&self, values: &[f64]) -> Vec<f64> {
        self.items.iter().map(|&item| values[item]).collect()
    }

    /// Returns all lists without item weights, which the list weights replace.
    pub fn unweighted_views(&self) -> Vec<ListView<'_>> {
        let views = self.lists.views().into_iter();
        views.map(|view| ListView { weight: None, ..view }).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shards::Shards;

    fn lists(weight: Option<Vec<f64>>) -> Lists {
        Lists {
            rows: vec![3, 4, 5, 0, 1, 2],
            offsets: vec![0, 3, 5, 6],
            impact: vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0],
            cost: vec![10.0, 20.0, 30.0, 40.0, 50.0, 60.0],
            weight,
            price: None,
            shards: Shards::alone(),
            numbers: None,
        }
    }

    #[test]
    fn items_of_weight_0_are_removed_and_lists_have_the_mean_weight() {
        let weighted = WeightedLists::new(&lists(Some(vec![2.0, 0.0, 4.0, 0.0, 0.0, 0.5])));
        assert_eq!(weighted.list_weights(), [3.0, 0.5]);
        assert_eq!(weighted.items(), [0, 2, 5]);
        assert!(!weighted.keeps_all());
        let left = weighted.lists();
        assert_eq!((left.offsets(), left.rows()), (&[0, 2, 3][..], &[3, 5, 2][..]));
        assert_eq!(left.cost(), [10.0, 30.0, 60.0]);
        assert_eq!(left.weight(), Some(&[2.0, 4.0, 0.5][..]));
        assert_eq!(weighted.select(&[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]), [0.0, 2.0, 5.0]);
        let views = weighted.unweighted_views();
        assert_eq!((views[0].impact, views[0].weight), (&[1.0, 3.0][..], None));
    }

    #[test]
    fn without_weights_all_items_stay_and_lists_have_weight_1() {
        let weighted = WeightedLists::new(&lists(None));
        assert!(weighted.keeps_all());
        assert_eq!(weighted.list_weights(), [1.0; 3]);
        assert_eq!(weighted.lists().offsets(), [0, 3, 5, 6]);
    }
}
