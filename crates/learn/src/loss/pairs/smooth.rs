//! All pairs of a long list at once: the sums of [`super::Pairs`] without discounts, in
//! O(n log n) instead of O(n^2).
//!
//! Items are sorted by gain and cut in two between two different gains. Each item of the lower
//! part stands against each of the upper one, whatever their gains: what a pair adds depends on
//! their scores alone (and on products of what each has by itself), so that both parts act as
//! two fields (`field.rs`) on each other. Then each part is cut in two itself, until it has one
//! gain only, or so few items that its pairs are walked over one by one.
//!
//! With few different gains, such as grades, a few cuts do. Derivatives agree with the walk's to
//! 1e-9 of the largest one (tested), and neither draws nor threads come into it.
//!
//! Example: gains (0, 0, 1) are one cut: two items against one, and nothing is left to do.

mod field;

use super::walk::Walk;
use super::{Pairs, Stake};
use crate::loss::logistic::softplus;
use field::{Field, Kernel, Places};

/// Parts of so few items are walked over pair by pair.
const FEW: usize = 384;

/// Buffers, kept from list to list.
#[derive(Default)]
pub(super) struct Smooth {
    order: Vec<u32>,
    at: Vec<f64>,
    places: Places,
    /// Of roots, and of roots x gains.
    fields: [Field; 2],
    grad: Vec<f64>,
    hess: Vec<f64>,
}

impl Smooth {
    /// Gradient and hessian of each item from all pairs, without sigma.
    pub(super) fn derivatives(
        &mut self,
        pairs: &Pairs,
        scores: &[f64],
        walk: &mut Walk,
    ) -> impl Iterator<Item = (f64, f64)> {
        self.set_out(pairs, scores);
        for sums in [&mut self.grad, &mut self.hess] {
            sums.clear();
            sums.resize(scores.len(), 0.0);
        }
        let order = std::mem::take(&mut self.order);
        self.cut(pairs, &order, &mut |own, part| match part {
            Part::Few(items) => {
                walk.among(pairs, items, scores);
                for (item, grad, hess) in walk.derivatives() {
                    own.grad[item as usize] += grad;
                    own.hess[item as usize] += hess;
                }
            }
            Part::Two(low, high) => own.pull(pairs, low, high),
        });
        self.order = order;
        self.grad.iter().copied().zip(self.hess.iter().copied())
    }

    /// The sum over all pairs of stake x roots x log(1 + exp(-sigma x)).
    pub(super) fn value(&mut self, pairs: &Pairs, scores: &[f64]) -> f64 {
        self.set_out(pairs, scores);
        let order = std::mem::take(&mut self.order);
        let mut sum = 0.0;
        self.cut(pairs, &order, &mut |own, part| match part {
            Part::Few(items) => {
                for (place, &low) in items.iter().enumerate() {
                    for &high in &items[place + 1..] {
                        let (low, high) = (low as usize, high as usize);
                        let roots = pairs.weights.roots[low] * pairs.weights.roots[high];
                        let gap = pairs.gains[high] - pairs.gains[low];
                        let stake = pairs.stake.of(gap);
                        sum += stake * roots * softplus(own.at[low] - own.at[high]);
                    }
                }
            }
            Part::Two(low, high) => {
                own.fields(Kernel::Softplus, pairs, low);
                for &item in high {
                    let item = item as usize;
                    sum += pairs.weights.roots[item] * own.staked(pairs, item, Field::value);
                }
            }
        });
        self.order = order;
        sum
    }

    /// Sorts by gain, and finds places by score.
    fn set_out(&mut self, pairs: &Pairs, scores: &[f64]) {
        let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
        self.at.clear();
        // Halves, so that no difference overflows; and no product, since it is bounded.
        let at = |score: &f64| 2.0 * (pairs.sigma * (score / 2.0 - lowest / 2.0)).min(1e300);
        self.at.extend(scores.iter().map(at));
        self.places.find(&self.at);
        self.order.clear();
        self.order.extend(0..scores.len() as u32);
        self.order.retain(|&item| pairs.weights.roots[item as usize] > 0.0);
        let gain = |item: u32| pairs.gains[item as usize];
        self.order.sort_unstable_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(a.cmp(&b)));
    }

    /// Cuts in two until nothing is left to compare.
    fn cut(&mut self, pairs: &Pairs, items: &[u32], each: &mut dyn FnMut(&mut Self, Part<'_>)) {
        let gain = |item: &u32| pairs.gains[*item as usize];
        let (Some(first), Some(last)) = (items.first(), items.last()) else { return };
        if gain(first) == gain(last) {
            return;
        }
        if items.len() <= FEW {
            return each(self, Part::Few(items));
        }
        let middle = gain(&items[items.len() / 2]);
        // Of the two ends of the middle's gain the one nearer to the middle.
        let begin = items.partition_point(|item| gain(item) < middle);
        let end = items.partition_point(|item| gain(item) <= middle);
        let nearer = begin > 0 && items.len() / 2 - begin <= end - items.len() / 2;
        let at = if nearer || end == items.len() { begin } else { end };
        let (low, high) = items.split_at(at);
        each(self, Part::Two(low, high));
        self.cut(pairs, low, each);
        self.cut(pairs, high, each);
    }

    /// What every item of less gain and every item of more add to each other.
    fn pull(&mut self, pairs: &Pairs, low: &[u32], high: &[u32]) {
        // An item of more gain at x is pulled up by rho(x - x_low) from each of the others.
        self.fields(Kernel::Rho, pairs, low);
        for &item in high {
            let item = item as usize;
            let root = pairs.weights.roots[item];
            self.grad[item] -= root * self.staked(pairs, item, Field::value);
            self.hess[item] -= root * self.staked(pairs, item, Field::slope);
        }
        // One of less gain at x is pushed down by rho(x_high - x) = 1 - rho(x - x_high), and its
        // gain is now the smaller one.
        self.fields(Kernel::Rho, pairs, high);
        let sign = if pairs.stake == Stake::One { 1.0 } else { -1.0 };
        for &item in low {
            let item = item as usize;
            let root = sign * pairs.weights.roots[item];
            let rest =
                |field: &Field, places: &Places, item| field.total - field.value(places, item);
            self.grad[item] += root * self.staked(pairs, item, rest);
            self.hess[item] -= root * self.staked(pairs, item, Field::slope);
        }
    }

    /// What the fields say at an item, for the item's gain less those of the fields' items.
    fn staked(
        &self,
        pairs: &Pairs,
        item: usize,
        of: impl Fn(&Field, &Places, usize) -> f64,
    ) -> f64 {
        let [alike, by_gain] = &self.fields;
        let alike = of(alike, &self.places, item);
        match pairs.stake {
            Stake::One => alike,
            Stake::Difference => pairs.gains[item] * alike - of(by_gain, &self.places, item),
        }
    }

    fn fields(&mut self, kernel: Kernel, pairs: &Pairs, items: &[u32]) {
        let root = |item: usize| pairs.weights.roots[item];
        self.fields[0].make(kernel, &self.places, items, root);
        if pairs.stake == Stake::Difference {
            let charge = |item: usize| root(item) * pairs.gains[item];
            self.fields[1].make(kernel, &self.places, items, charge);
        }
    }
}

/// What the recursion meets.
enum Part<'i> {
    /// Items whose pairs are to be walked over.
    Few(&'i [u32]),
    /// Items of less gain, and items of more.
    Two(&'i [u32], &'i [u32]),
}

#[cfg(test)]
mod tests {
    use super::super::RootWeights;
    use super::*;
    use crate::loss::GradHess;

    /// All pairs of a list in which every gain comes `each` times or so.
    fn pairs(n: usize, each: usize, stake: Stake, sigma: f64, weights: Option<&[f64]>) -> Pairs {
        Pairs {
            gains: (0..n)
                .map(|i| ((i * 7919 % n) / each) as f64 * each as f64 / n as f64)
                .collect(),
            stake,
            discounts: None,
            near: None,
            rows: usize::MAX,
            sigma,
            norm: false,
            weights: RootWeights::new(weights, n),
            weight: 1.3,
        }
    }

    fn scores(n: usize, spread: f64) -> Vec<f64> {
        (0..n).map(|i| spread * ((i * 104_729 % 200_003) as f64 / 200_003.0 - 0.4)).collect()
    }

    /// Summed up in cells as well as pair by pair.
    #[test]
    fn sums_are_those_of_all_pairs() {
        let n = 2500;
        let weights: Vec<f64> = (0..n).map(|i| (i % 4) as f64).collect();
        for (each, sigma, spread) in
            [(1, 1.0, 8.0), (n / 3, 1.0, 8.0), (5, 0.3, 40.0), (1, 2.0, 1e4), (2, 1.0, 0.0)]
        {
            for stake in [Stake::One, Stake::Difference] {
                for weights in [None, Some(&weights[..])] {
                    let pairs = pairs(n, each, stake, sigma, weights);
                    assert!(pairs.is_smooth(n));
                    let scores = scores(n, spread);
                    let mut found = vec![GradHess::default(); n];
                    pairs.gradients(&scores, &mut found);
                    let mut expected = vec![GradHess::default(); n];
                    // A row less is as good as all, but is walked over.
                    let slow = Pairs { rows: n - 1, ..pairs };
                    slow.gradients(&scores, &mut expected);
                    let largest = |of: fn(&GradHess) -> f64| {
                        expected.iter().map(|d| of(d).abs()).fold(1e-300, f64::max)
                    };
                    let (grad, hess) = (largest(|d| d.grad), largest(|d| d.hess));
                    for (found, expected) in found.iter().zip(&expected) {
                        assert!((found.grad - expected.grad).abs() < 1e-10 * grad);
                        assert!((found.hess - expected.hess).abs() < 1e-9 * hess);
                    }
                    let value = slow.value(&scores);
                    let fast = Pairs { rows: usize::MAX, ..slow }.value(&scores);
                    assert!((fast - value).abs() < 1e-10 * value, "{fast} and {value}");
                }
            }
        }
    }

    #[test]
    fn scores_beyond_measure_are_no_trouble() {
        let n = 2100;
        let pairs = pairs(n, 1, Stake::Difference, 100.0, None);
        let scores: Vec<f64> =
            (0..n).map(|i| [0.0, 1e308, -1e308, 3.5, -700.0, 1e-300][i % 6]).collect();
        let mut found = vec![GradHess::default(); n];
        pairs.gradients(&scores, &mut found);
        assert!(found.iter().all(|d| d.grad.is_finite() && d.hess.is_finite() && d.hess >= 0.0));
        assert!(pairs.value(&scores) > 0.0);
    }
}
