//! Sums over the wrongly or narrowly ordered pairs of one list, without walking over pairs.
//!
//! A pair is an item i and a cheaper item j; z = 1 - (s_i - s_j) is how far their scores are from
//! telling them apart by 1. Pairs with 0 < z < h are **near**, those with z >= h **far** (h is the
//! bend of the hinge, see [`super::Hinge`]).
//!
//! From the highest score down, the cheaper items of pairs with z > 0 only become more: each is put
//! on the ladder of costs as it comes near, and is moved once as it gets far; a prefix sum of the
//! ladder gives an item all of its pairs. That is O(n log n) for all pairs (Joachims, Training
//! linear SVMs in linear time, 2006; Lee and Lin, Large-scale linear RankSVM, 2014). z, z^2 and the
//! stake c_i - c_j are sums of products of something of i and something of j, so sums of a few
//! powers are enough. From the lowest score up, the same gives the pairs in which an item is the
//! cheaper one.

use super::Hinge;
use super::fenwick::Fenwick;
use crate::dense::Dense;

/// Inputs that are summed at once.
const LANES: usize = 8;

/// The items of a list that count.
pub(super) struct Items {
    /// Rows of the data.
    pub(super) rows: Vec<usize>,
    /// From the cheapest up; the same for the same cost.
    pub(super) level: Vec<usize>,
    pub(super) levels: usize,
    pub(super) cost: Vec<f64>,
    /// Roots of weights: a pair counts their product.
    pub(super) root: Vec<f64>,
    /// Whether a pair counts its difference of cost, too.
    pub(super) by_difference: bool,
}

/// What the pairs of a list add up to.
pub(super) struct Pairs {
    pub(super) value: f64,
    /// By item.
    pub(super) gradient: Vec<f64>,
    /// By item, the sum over its pairs of second derivatives.
    pub(super) degree: Vec<f64>,
}

/// What the pairs of one item add up to: their value, and its derivatives by z.
struct OfItem {
    value: f64,
    slope: f64,
    degree: f64,
    /// z (1 - z / h) of near pairs.
    gap: f64,
}

/// The part that items play in pairs.
#[derive(Clone, Copy, PartialEq)]
enum Part {
    Dearer,
    Cheaper,
}

impl Part {
    /// Of differences of scores and costs between an item in this part and the other one.
    fn sign(self) -> f64 {
        match self {
            Part::Dearer => 1.0,
            Part::Cheaper => -1.0,
        }
    }
}

/// What is met on the way from item to item.
enum Met {
    /// Another item that is near from now on.
    Near(usize),
    /// Another item that was near and is far from now on.
    Far(usize),
    /// The next item, after all that happened to the others.
    Item(usize),
}

/// Items by score.
pub(super) struct Sweep<'i> {
    items: &'i Items,
    hinge: Hinge,
    /// Around 0.
    scores: Vec<f64>,
    /// From the highest score down.
    order: Vec<usize>,
}

impl<'i> Sweep<'i> {
    pub(super) fn new(items: &'i Items, hinge: Hinge, mut scores: Vec<f64>) -> Self {
        // Sums of squares lose the least where numbers are around 0.
        let mean = scores.iter().sum::<f64>() / scores.len().max(1) as f64;
        scores.iter_mut().for_each(|s| *s -= mean);
        let mut order: Vec<usize> = (0..scores.len()).collect();
        order.sort_by(|&a, &b| scores[b].total_cmp(&scores[a]));
        Sweep { items, hinge, scores, order }
    }

    /// The value alone.
    pub(super) fn value(&self) -> f64 {
        let mut value = 0.0;
        self.gather(Part::Dearer, |item, of| value += self.items.root[item] * of.value);
        value
    }

    /// How far the bent hinge is from the sharp one where it matters: the sum of z (1 - z / h) over
    /// near pairs.
    pub(super) fn gap(&self) -> f64 {
        let mut gap = 0.0;
        self.gather(Part::Dearer, |item, of| gap += self.items.root[item] * of.gap);
        gap
    }

    /// The value and what follows for each item.
    pub(super) fn pairs(&self) -> Pairs {
        let n = self.order.len();
        let mut pairs = Pairs { value: 0.0, gradient: vec![0.0; n], degree: vec![0.0; n] };
        let root = &self.items.root;
        self.gather(Part::Dearer, |item, of| {
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

    /// Goes through the items in a part.
    fn walk(&self, part: Part, mut meet: impl FnMut(Met)) {
        let n = self.order.len();
        let at = |place: usize| match part {
            Part::Dearer => self.order[place],
            Part::Cheaper => self.order[n - 1 - place],
        };
        let z = |this: usize, other: usize| {
            1.0 - part.sign() * (self.scores[this] - self.scores[other])
        };
        let (mut near, mut far) = (0, 0);
        for this in (0..n).map(at) {
            while near < n && z(this, at(near)) > 0.0 {
                meet(Met::Near(at(near)));
                near += 1;
            }
            while far < near && z(this, at(far)) >= self.hinge.bend {
                meet(Met::Far(at(far)));
                far += 1;
            }
            meet(Met::Item(this));
        }
    }

    /// Tells what the pairs add up to in which an item plays this part, but for its own root.
    fn gather(&self, part: Part, mut tell: impl FnMut(usize, OfItem)) {
        let mut near = Staked::<3>::new(self.items, part);
        let mut far = Staked::<3>::new(self.items, part);
        // z = a + b: a is of the item, b of the other one.
        let a = |item: usize| 1.0 - part.sign() * self.scores[item];
        let powers = |other: usize| {
            let b = part.sign() * self.scores[other];
            [1.0, b, b * b]
        };
        let Hinge { bend, curve } = self.hinge;
        self.walk(part, |met| match met {
            Met::Near(other) => near.add(other, 1.0, &powers(other)),
            Met::Far(other) => {
                near.add(other, -1.0, &powers(other));
                far.add(other, 1.0, &powers(other));
            }
            Met::Item(item) => {
                let a = a(item);
                let [count, sum, squares] = near.of(item);
                let (z, z_squared) = (a * count + sum, a * a * count + 2.0 * a * sum + squares);
                let mut of = OfItem {
                    value: 0.5 * curve * z_squared,
                    slope: curve * z,
                    degree: curve * count,
                    gap: z - curve * z_squared,
                };
                if bend.is_finite() {
                    let [count, sum, _] = far.of(item);
                    of.value += (a - 0.5 * bend) * count + sum;
                    of.slope += count;
                }
                tell(item, of);
            }
        });
    }

    /// For each item the sum over near pairs, in which it is the dearer one, of the inputs of the
    /// other one times the pair's second derivative: row after row, but for its own root.
    pub(super) fn others(&self, data: &Dense) -> Vec<f64> {
        let width = data.width();
        let mut out = vec![0.0; self.order.len() * width];
        let mut near = Staked::<LANES>::new(self.items, Part::Dearer);
        for begin in (0..width).step_by(LANES) {
            let lanes = LANES.min(width - begin);
            let inputs = |item: usize| {
                let mut values = [0.0; LANES];
                let row = data.row(self.items.rows[item]);
                values[..lanes].copy_from_slice(&row[begin..begin + lanes]);
                values
            };
            near.clear();
            self.walk(Part::Dearer, |met| match met {
                Met::Near(other) => near.add(other, 1.0, &inputs(other)),
                Met::Far(other) => near.add(other, -1.0, &inputs(other)),
                Met::Item(item) => {
                    let sums = near.of(item);
                    let out = &mut out[item * width + begin..][..lanes];
                    out.iter_mut().zip(sums).for_each(|(o, sum)| *o = self.hinge.curve * sum);
                }
            });
        }
        out
    }
}

/// Numbers of items on the ladder of costs, for sums over the others of an item times the stakes
/// of its pairs with them. The stake is the sum of something of the one and something of the
/// other, and the second is 0 if all pairs count alike.
struct Staked<'i, const K: usize> {
    items: &'i Items,
    part: Part,
    alike: Fenwick<K>,
    by_cost: Option<Fenwick<K>>,
}

impl<'i, const K: usize> Staked<'i, K> {
    fn new(items: &'i Items, part: Part) -> Self {
        let by_cost = items.by_difference.then(|| Fenwick::new(items.levels));
        Staked { items, part, alike: Fenwick::new(items.levels), by_cost }
    }

    fn clear(&mut self) {
        self.alike.clear();
        self.by_cost.iter_mut().for_each(Fenwick::clear);
    }

    /// Those that an item has pairs with are beneath it.
    fn level(&self, item: usize) -> usize {
        match self.part {
            Part::Dearer => self.items.level[item],
            Part::Cheaper => self.items.levels - 1 - self.items.level[item],
        }
    }

    fn add(&mut self, other: usize, sign: f64, values: &[f64; K]) {
        let (level, by) = (self.level(other), sign * self.items.root[other]);
        self.alike.add(level, by, values);
        if let Some(by_cost) = &mut self.by_cost {
            by_cost.add(level, by * self.items.cost[other], values);
        }
    }

    /// The sum of stake x root x values over the others that were added.
    fn of(&self, item: usize) -> [f64; K] {
        let mut sums = self.alike.beneath(self.level(item));
        if let Some(by_cost) = &self.by_cost {
            let costs = by_cost.beneath(self.level(item));
            let (cost, sign) = (self.items.cost[item], self.part.sign());
            (0..K).for_each(|k| sums[k] = sign * (cost * sums[k] - costs[k]));
        }
        sums
    }
}
