//! RankSVM: the scores of items of different costs should differ by at least 1 (Herbrich et al.
//! 2000; Joachims 2002).
//!
//! loss(w) = 1/m sum over lists of 1/T sum over c_i > c_j of v_ij hinge(1 - (s_i - s_j))
//!
//! Pair weights v, T and list weights are those of [`crate::loss::RankNet`]: v = 1, T the number of
//! pairs, and lists of equal weight or weighted by their savable cost (cr); or v = c_i - c_j and
//! lists weighted by its sum (cs). Item weights multiply a pair by the root of their product. m is
//! the number of lists that have pairs.
//!
//! The hinge max(0, z) is not differentiable at 0, so Newton's method does not apply. The squared
//! hinge is, and is minimised directly. The hinge itself is smoothed: z^2 / 2h for z < h, z - h/2
//! beyond, with smaller and smaller h until the difference is negligible. At the minimum of the
//! smoothed loss, a_ij = min(1, z / h) is feasible for the dual problem, whose value is a lower
//! bound of the true minimum: the two differ by c times the sum of z (1 - z / h) over pairs with 0
//! < z < h.
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
use crate::newton::{
    CostLevels, Derivatives, Minimum, Smooth, Sums, minimise, sum_over, value_over,
};
use stakes_model::dot;

/// A variant of the hinge: curvature z^2 / 2 for z up to the width, and linear beyond.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Hinge {
    width: f64,
    curvature: f64,
}

impl Hinge {
    /// max(0, z)^2.
    pub(crate) const SQUARED: Hinge = Hinge { width: f64::INFINITY, curvature: 2.0 };

    /// max(0, z).
    const SHARP: Hinge = Hinge { width: 0.0, curvature: 0.0 };

    fn smoothed(width: f64) -> Self {
        Hinge { width, curvature: width.recip() }
    }
}

/// The widths of the smoothed hinge, one after the other. (Larger widths first would take more
/// steps in total, since the minima for consecutive strengths are close to each other.)
const SMOOTHING_WIDTHS: [f64; 5] = [0.01, 3e-3, 1e-3, 3e-4, 1e-4];

/// The allowed distance of the hinge loss from its minimum, relative to its value.
const MAX_RELATIVE_GAP: f64 = 4e-5;

/// The weights of pairs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PairWeight {
    /// 1.
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

/// The loss with a variant of the hinge.
struct Hinged<'s, 'd> {
    svm: &'s RankSvm<'d>,
    hinge: Hinge,
}

/// A list prepared for the loss.
struct List {
    items: Items,
    /// The factor of its sum over pairs; 0 if it has none.
    scale: f64,
}

impl<'d> RankSvm<'d> {
    /// Creates the loss of these lists, whose items are the rows of the data, with these list
    /// weights.
    pub(crate) fn new(
        data: &'d Dense,
        lists: &'d Lists,
        pair_weight: PairWeight,
        list_weights: &[f64],
    ) -> Self {
        let of_list = |list: usize| {
            let view = lists.list(list);
            let items = Items::new(&view, lists.items(list).start, pair_weight);
            // Where all scores are equal, the hinge of every pair is 1.
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

    /// Finds the minimum of 1/2 |w|^2 + c loss(w) with the squared hinge.
    pub(crate) fn squared(&self, c: f64, from: &[f64]) -> Minimum {
        minimise(&self.with(Hinge::SQUARED), c, from)
    }

    /// Finds the minimum of 1/2 |w|^2 + c loss(w) with the hinge itself.
    pub(crate) fn sharp(&self, c: f64, from: &[f64]) -> Minimum {
        let mut best = Minimum { weights: from.to_vec(), value: f64::INFINITY, steps: 0 };
        for width in SMOOTHING_WIDTHS {
            let loss = self.with(Hinge::smoothed(width));
            let smoothed = minimise(&loss, c, &best.weights);
            let steps = best.steps + smoothed.steps;
            best = Minimum { steps, ..smoothed };
            if c * loss.gap(&best.weights) <= MAX_RELATIVE_GAP * best.value {
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

    /// Returns a bound of the distance, divided by c, of the minimum of the smoothed loss, at these
    /// weights, from the minimum of the hinge loss.
    fn gap(&self, weights: &[f64]) -> f64 {
        value_over(self.svm.lists.len(), |list| {
            let list = &self.svm.lists[list];
            if list.scale > 0.0 { list.scale * self.sweep(list, weights).gap() } else { 0.0 }
        })
    }

    /// Adds the value and derivatives of a list. The sum over pairs of h (x_i - x_j)(x_i - x_j)' is
    /// the sum over items of degree_i x_i x_i' - x_i y_i' - y_i x_i', with y_i the sum of h x_j
    /// over the pairs in which i is the costlier item.
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
    fn new(list: &ListView<'_>, start: usize, pair_weight: PairWeight) -> Self {
        let sorted = CostLevels::new(list);
        let levels = sorted.ranges().len();
        let mut level = Vec::with_capacity(sorted.order.len());
        for (above, places) in sorted.ranges().enumerate() {
            level.resize(places.end, levels - 1 - above);
        }
        let largest = list.weight.map_or(1.0, |w| w.iter().copied().fold(0.0, f64::max));
        let root = |&item: &usize| list.weight.map_or(1.0, |w| (w[item] / largest).sqrt());
        Items {
            rows: sorted.order.iter().map(|item| start + item).collect(),
            level,
            levels,
            cost: sorted.order.iter().map(|&item| list.cost[item]).collect(),
            root: sorted.order.iter().map(root).collect(),
            by_difference: pair_weight == PairWeight::Difference,
        }
    }
}
