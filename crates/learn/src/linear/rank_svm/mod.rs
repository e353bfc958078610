//! RankSVM: pairs of different cost should be told apart by 1 (Herbrich et al., Large margin rank
//! boundaries for ordinal regression, 2000; Joachims, Optimizing search engines using clickthrough
//! data, 2002).
//!
//! loss(w) = 1/m sum over lists of 1/T sum over c_i > c_j of v_ij hinge(1 - (s_i - s_j))
//!
//! Stakes v, T and what lists count are those of [`crate::loss::RankNet`]: v = 1, T the number of
//! pairs, lists alike or by what can be saved in them (cr); or v = c_i - c_j and lists by its sum
//! (cs). Pairs weigh the root of the product of their items' weights. m is the number of lists
//! that have pairs.
//!
//! The hinge max(0, z) has a corner, where Newton's method is lost. Squared it has none, and is
//! minimised as it is. For the hinge itself the corner is bent: z^2 / 2h for z < h, z - h/2 beyond,
//! and h is made smaller until it does not matter. At the bent minimum a_ij = min(1, z / h) are
//! feasible for the dual problem, so that its value there, which lies below the true minimum, tells
//! how near it is: the two differ by c times the sum of z (1 - z / h) over pairs with 0 < z < h.
//!
//! Example: costs (3, 1), inputs (1), (0): 1 - w for w < 1; with c = 1/2 the minimum is w = 1/2.

mod fenwick;
mod sweep;
#[cfg(test)]
mod tests;

use stakes_core::data::ListView;

use self::sweep::{Items, Sweep};
use crate::Lists;
use crate::dense::Dense;
use crate::newton::{Derivatives, Ladder, Minimum, Smooth, Sums, minimise, sum_over, value_over};
use stakes_model::dot;

/// The hinge of z, somehow: curve z^2 / 2 up to the bend, and straight beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hinge {
    bend: f64,
    curve: f64,
}

impl Hinge {
    /// max(0, z)^2.
    pub(crate) const SQUARED: Hinge = Hinge { bend: f64::INFINITY, curve: 2.0 };

    /// max(0, z).
    const SHARP: Hinge = Hinge { bend: 0.0, curve: 0.0 };

    fn bent(bend: f64) -> Self {
        Hinge { bend, curve: bend.recip() }
    }
}

/// Widths over which the corner of the hinge is bent, one after the other. (Wider ones first take
/// more steps in all: from one strength of the loss to the next it is not far.)
const BENDS: [f64; 5] = [0.01, 3e-3, 1e-3, 3e-4, 1e-4];

/// The share of its value by which the sharp hinge may lie above its minimum.
const NEAR_ENOUGH: f64 = 4e-5;

/// What pairs count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stake {
    /// Alike.
    One,
    /// Their difference of cost.
    Difference,
}

/// The hinge loss of pairs.
pub(crate) struct RankSvm<'d> {
    data: &'d Dense,
    offsets: &'d [usize],
    lists: Vec<List>,
}

/// The same with a hinge.
struct Hinged<'s, 'd> {
    svm: &'s RankSvm<'d>,
    hinge: Hinge,
}

/// What a list says.
struct List {
    items: Items,
    /// What its sum over pairs is multiplied with; 0 if it has none.
    scale: f64,
}

impl<'d> RankSvm<'d> {
    /// Of these lists, whose items are the rows of the data and which count this much.
    pub(crate) fn new(
        data: &'d Dense,
        lists: &'d Lists,
        stake: Stake,
        list_weights: &[f64],
    ) -> Self {
        let of_list = |list: usize| {
            let view = lists.list(list);
            let items = Items::new(&view, lists.items(list).start, stake);
            // Where all scores are the same, the hinge of every pair is 1.
            let flat = vec![0.0; items.rows.len()];
            let total = Sweep::new(&items, Hinge::SHARP, flat).value();
            let largest = view.weight.map_or(1.0, |w| w.iter().copied().fold(0.0, f64::max));
            let scale = if total > 0.0 { list_weights[list] * largest / total } else { 0.0 };
            List { items, scale }
        };
        let mut lists_of: Vec<List> = (0..lists.len()).map(of_list).collect();
        let count = lists_of.iter().filter(|list| list.scale > 0.0).count().max(1) as f64;
        lists_of.iter_mut().for_each(|list| list.scale /= count);
        RankSvm { data, offsets: lists.offsets(), lists: lists_of }
    }

    fn with(&self, hinge: Hinge) -> Hinged<'_, 'd> {
        Hinged { svm: self, hinge }
    }

    /// The minimum of 1/2 |w|^2 + c loss(w) with the squared hinge.
    pub(crate) fn squared(&self, c: f64, from: &[f64]) -> Minimum {
        minimise(&self.with(Hinge::SQUARED), c, from)
    }

    /// The same with the hinge itself.
    pub(crate) fn sharp(&self, c: f64, from: &[f64]) -> Minimum {
        let mut best = Minimum { weights: from.to_vec(), value: f64::INFINITY, steps: 0 };
        for bend in BENDS {
            let loss = self.with(Hinge::bent(bend));
            let bent = minimise(&loss, c, &best.weights);
            let steps = best.steps + bent.steps;
            best = Minimum { steps, ..bent };
            if c * loss.gap(&best.weights) <= NEAR_ENOUGH * best.value {
                break;
            }
        }
        best
    }
}

impl Smooth for Hinged<'_, '_> {
    fn width(&self) -> usize {
        self.svm.data.width()
    }

    fn value(&self, weights: &[f64]) -> f64 {
        value_over(self.svm.lists.len(), |list| {
            let list = &self.svm.lists[list];
            if list.scale > 0.0 { list.scale * self.sweep(list, weights).value() } else { 0.0 }
        })
    }

    fn derivatives(&self, weights: &[f64]) -> Derivatives {
        sum_over(self.svm.offsets, self.width(), |list, sums| {
            let list = &self.svm.lists[list];
            if list.scale > 0.0 {
                self.add(list, &self.sweep(list, weights), sums);
            }
        })
    }
}

impl Hinged<'_, '_> {
    fn sweep<'i>(&self, list: &'i List, weights: &[f64]) -> Sweep<'i> {
        let scores = list.items.rows.iter().map(|&row| dot(self.svm.data.row(row), weights));
        Sweep::new(&list.items, self.hinge, scores.collect())
    }

    /// How far the bent minimum lies from the sharp one, if these are its weights.
    fn gap(&self, weights: &[f64]) -> f64 {
        value_over(self.svm.lists.len(), |list| {
            let list = &self.svm.lists[list];
            if list.scale > 0.0 { list.scale * self.sweep(list, weights).gap() } else { 0.0 }
        })
    }

    /// Adds the value and derivatives of a list. Over pairs the sum of h (x_i - x_j)(x_i - x_j)' is
    /// that over items of degree_i x_i x_i' - x_i y_i' - y_i x_i', y_i the sum of h x_j over the
    /// pairs in which i is the dearer one.
    fn add(&self, list: &List, sweep: &Sweep<'_>, sums: &mut Sums) {
        let pairs = sweep.pairs();
        let others = sweep.others(self.svm.data);
        sums.value += list.scale * pairs.value;
        let width = self.width();
        let mut rest = vec![0.0; width];
        for (item, &row) in list.items.rows.iter().enumerate() {
            let x = self.svm.data.row(row);
            let slope = list.scale * pairs.gradient[item];
            sums.gradient.iter_mut().zip(x).for_each(|(to, x)| *to += slope * x);
            let y = &others[item * width..][..width];
            let (degree, by) = (pairs.degree[item], list.items.root[item]);
            if degree == 0.0 {
                continue;
            }
            rest.iter_mut().zip(x.iter().zip(y)).for_each(|(r, (x, y))| *r = degree * x - by * y);
            sums.outer.push(list.scale, x, &rest);
            sums.outer.push(-list.scale * by, y, x);
        }
    }
}

impl Items {
    fn new(list: &ListView<'_>, start: usize, stake: Stake) -> Self {
        let ladder = Ladder::new(list);
        let levels = ladder.levels().len();
        let mut level = Vec::with_capacity(ladder.order.len());
        for (above, places) in ladder.levels().enumerate() {
            level.resize(places.end, levels - 1 - above);
        }
        let largest = list.weight.map_or(1.0, |w| w.iter().copied().fold(0.0, f64::max));
        let root = |&item: &usize| list.weight.map_or(1.0, |w| (w[item] / largest).sqrt());
        Items {
            rows: ladder.order.iter().map(|item| start + item).collect(),
            level,
            levels,
            cost: ladder.order.iter().map(|&item| list.cost[item]).collect(),
            root: ladder.order.iter().map(root).collect(),
            by_difference: stake == Stake::Difference,
        }
    }
}
