//! Sums over the pairs of one list with a positive hinge, without a loop over pairs.
//!
//! A pair is an item i and a cheaper item j; z = 1 - (s_i - s_j) is how much the difference of
//! their scores falls short of 1. Pairs with 0 < z < h are **near**, those with z >= h **far** (h
//! is the width of the hinge, see [`super::Hinge`]).
//!
//! From the highest score down, the set of cheaper items of pairs with z > 0 only grows: each item
//! is added to the level of its cost when it becomes near, and moved once when it becomes far; a
//! prefix sum over levels gives the sums over all pairs of an item. That takes O(n log n) for all
//! pairs (Joachims 2006; Lee and Lin 2014). z, z^2 and the pair weight c_i - c_j are sums of
//! products of a function of i and a function of j, so sums of a few powers suffice. From the
//! lowest score up, the same gives the pairs in which an item is the cheaper one.

use super::Hinge;
use super::fenwick::Fenwick;
use crate::dense::Dense;

/// The number of inputs that are summed at once.
const LANES: usize = 8;

/// The items of a list that have weight.
pub(super) struct Items {
    /// Rows of the data.
    pub(super) rows: Vec<usize>,
    /// The level of each item's cost, from the cheapest up.
    pub(super) level: Vec<usize>,
    pub(super) levels: usize,
    pub(super) cost: Vec<f64>,
    /// The roots of the item weights, whose product multiplies a pair.
    pub(super) root: Vec<f64>,
    /// Whether pairs are weighted by their difference of cost, too.
    pub(super) by_difference: bool,
}

/// Sums over the pairs of a list.
pub(super) struct Pairs {
    pub(super) value: f64,
    /// By item.
    pub(super) gradient: Vec<f64>,
    /// By item, the sum over its pairs of second derivatives.
    pub(super) degree: Vec<f64>,
}

/// Sums over the pairs of one item: the value, and its derivatives by z.
struct ItemSums {
    value: f64,
    slope: f64,
    degree: f64,
    /// z (1 - z / h) of near pairs.
    gap: f64,
}

/// The role of an item in a pair.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Costlier,
    Cheaper,
}

impl Part {
    /// The sign of the differences of score and cost in formulas for an item in this role.
    fn sign(self) -> f64 {
        match self {
            Part::Costlier => 1.0,
            Part::Cheaper => -1.0,
        }
    }
}

/// An event of the sweep over items.
enum Event {
    /// Another item becomes near.
    Near(usize),
    /// Another item, which was near, becomes far.
    Far(usize),
    /// The next item, after the events of the others.
    Item(usize),
}

/// Items by score.
pub(super) struct Sweep<'i> {
    items: &'i Items,
    hinge: Hinge,
    /// The scores less their mean.
    scores: Vec<f64>,
    /// From the highest score down.
    order: Vec<usize>,
}

impl<'i> Sweep<'i> {
    pub(super) fn new(items: &'i Items, hinge: Hinge, mut scores: Vec<f64>) -> Self {
        // Sums of squares are most precise for numbers around 0.
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        scores.iter_mut().for_each(|s| *s -= mean);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        Sweep { items, hinge, scores, order }
    }

    /// Returns the value alone.
    pub(super) fn value(&self) -> f64 {
        let mut value = 0.0;
        self.gather(Part::Costlier, |item, of| value += self.items.root[item] * of.value);
        value
    }

    /// Returns the sum of z (1 - z / h) over near pairs, which bounds the error due to smoothing.
    pub(super) fn gap(&self) -> f64 {
        let mut gap = 0.0;
        self.gather(Part::Costlier, |item, of| gap += self.items.root[item] * of.gap);
        gap
    }

    /// Returns the value and the derivatives of each item.
    pub(super) fn pairs(&self) -> Pairs {
        let n = self.order.len();
        let mut pairs = Pairs { value: 0.0, gradient: vec![0.0; n], degree: vec![0.0; n] };
        let root = &self.items.root;
        self.gather(Part::Costlier, |item, of| {
            pairs.value += root[item] * of.value;
            pairs.gradient[item] -= root[item] * of.slope;
            pairs.degree[item] += root[item] * of.degree;
        });
        self.gather(Part::Cheaper, |item, of| {
            pairs.gradient[item] += root[item] * of.slope;
            pairs.degree[item] += root[item] * of.degree;
        });
        pairs
    }

    /// Sweeps over the items in a role, calling `visit` with each event.
    fn walk(&self, part: Part, mut visit: impl FnMut(Event)) {
        let n = self.order.len();
        let at = |place: usize| match part {
            Part::Costlier => self.order[place],
            Part::Cheaper => self.order[n - 1 - place],
        };
        let z = |this: usize, other: usize| {
            1.0 - part.sign() * (self.scores[this] - self.scores[other])
        };
        let (mut near, mut far) = (0, 0);
        for this in (0..n).map(at) {
            while near < n && z(this, at(near)) > 0.0 {
                visit(Event::Near(at(near)));
                near += 1;
            }
            while far < near && z(this, at(far)) >= self.hinge.width {
                visit(Event::Far(at(far)));
                far += 1;
            }
            visit(Event::Item(this));
        }
    }

    /// Calls `visit` with each item and the sums over the pairs in which it has this role, without
    /// the factor of its own root.
    fn gather(&self, part: Part, mut visit: impl FnMut(usize, ItemSums)) {
        let mut near = WeightedSums::<3>::new(self.items, part);
        let mut far = WeightedSums::<3>::new(self.items, part);
        // z = a + b: a is a function of the item, b of the other one.
        let a = |item: usize| 1.0 - part.sign() * self.scores[item];
        let powers = |other: usize| {
            let b = part.sign() * self.scores[other];
            [1.0, b, b * b]
        };
        let Hinge { width, curvature } = self.hinge;
        self.walk(part, |event| match event {
            Event::Near(other) => near.add(other, 1.0, &powers(other)),
            Event::Far(other) => {
                near.add(other, -1.0, &powers(other));
                far.add(other, 1.0, &powers(other));
            }
            Event::Item(item) => {
                let a = a(item);
                let [count, sum, squares] = near.of(item);
                let (z, z_squared) = (a * count + sum, a * a * count + 2.0 * a * sum + squares);
                let mut of = ItemSums {
                    value: 0.5 * curvature * z_squared,
                    slope: curvature * z,
                    degree: curvature * count,
                    gap: z - curvature * z_squared,
                };
                if width.is_finite() {
                    let [count, sum, _] = far.of(item);
                    of.value += (a - 0.5 * width) * count + sum;
                    of.slope += count;
                }
                visit(item, of);
            }
        });
    }

    /// Returns for each item the sum, over the near pairs in which it is the costlier one, of the
    /// inputs of the other item times the pair's second derivative: row by row, without the factor
    /// of its own root.
    pub(super) fn others(&self, data: &Dense) -> Vec<f64> {
        let width = data.width();
        let mut out = vec![0.0; self.order.len() * width];
        let mut near = WeightedSums::<LANES>::new(self.items, Part::Costlier);
        for begin in (0..width).step_by(LANES) {
            let lanes = LANES.min(width - begin);
            let inputs = |item: usize| {
                let mut values = [0.0; LANES];
                let row = data.row(self.items.rows[item]);
                values[..lanes].copy_from_slice(&row[begin..begin + lanes]);
                values
            };
            near.clear();
            self.walk(Part::Costlier, |event| match event {
                Event::Near(other) => near.add(other, 1.0, &inputs(other)),
                Event::Far(other) => near.add(other, -1.0, &inputs(other)),
                Event::Item(item) => {
                    let sums = near.of(item);
                    let out = &mut out[item * width + begin..][..lanes];
                    out.iter_mut().zip(sums).for_each(|(o, sum)| *o = self.hinge.curvature * sum);
                }
            });
        }
        out
    }
}

/// Sums of values of items by level of cost, from which follow sums over the other items of a pair,
/// times the pair weights. A pair weight c_i - c_j needs two sums: of values, and of values x cost;
/// a pair weight of 1 only the first.
struct WeightedSums<'i, const K: usize> {
    items: &'i Items,
    part: Part,
    plain: Fenwick<K>,
    by_cost: Option<Fenwick<K>>,
}

impl<'i, const K: usize> WeightedSums<'i, K> {
    fn new(items: &'i Items, part: Part) -> Self {
        let by_cost = items.by_difference.then(|| Fenwick::new(items.levels));
        WeightedSums { items, part, plain: Fenwick::new(items.levels), by_cost }
    }

    fn clear(&mut self) {
        self.plain.clear();
        self.by_cost.iter_mut().for_each(Fenwick::clear);
    }

    /// The level of an item; the items with which it has pairs are below it.
    fn level(&self, item: usize) -> usize {
        match self.part {
            Part::Costlier => self.items.level[item],
            Part::Cheaper => self.items.levels - 1 - self.items.level[item],
        }
    }

    fn add(&mut self, other: usize, sign: f64, values: &[f64; K]) {
        let (level, by) = (self.level(other), sign * self.items.root[other]);
        self.plain.add(level, by, values);
        if let Some(by_cost) = &mut self.by_cost {
            by_cost.add(level, by * self.items.cost[other], values);
        }
    }

    /// Returns the sum of pair weight x root x values over the other items that were added.
    fn of(&self, item: usize) -> [f64; K] {
        let mut sums = self.plain.below(self.level(item));
        if let Some(by_cost) = &self.by_cost {
            let costs = by_cost.below(self.level(item));
            let (cost, sign) = (self.items.cost[item], self.part.sign());
            (0..K).for_each(|k| sums[k] = sign * (cost * sums[k] - costs[k]));
        }
        sums
    }
}
