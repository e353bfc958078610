//! All pairs of a long list at once: the sums of [`super::Pairs`] without discounts, in
//! O(n log n) instead of O(n^2).
//!
//! Items are sorted by gain and divided into two parts between two different gains. Every item of
//! the lower part forms a pair with every item of the upper one: the term of a pair depends on
//! their scores alone, times factors of each item, so that each part acts on the other as a field
//! (`field.rs`). Then each part is divided in the same way, until it has a single gain, or so few
//! items that its pairs are summed up one by one.
//!
//! With few different gains, such as grades, a few divisions suffice. Derivatives agree with those
//! of the loop over pairs to 1e-9 of the largest one (tested), and depend neither on random draws
//! nor on threads.
//!
//! Example: gains (0, 0, 1) need one division, two items against one.

mod field;

use super::walk::Walk;
use super::{PairWeight, Pairs};
use crate::loss::logistic::softplus;
use field::{Field, Kernel, Places};

/// The maximum size of a part whose pairs are summed up one by one.
const MAX_WALKED: usize = 384;

/// Buffers, reused from list to list.
#[derive(Default)]
pub(super) struct Smooth {
    order: Vec<u32>,
    at: Vec<f64>,
    places: Places,
    /// The fields of roots, and of roots x gains.
    fields: [Field; 2],
    grad: Vec<f64>,
    hess: Vec<f64>,
}

impl Smooth {
    /// Returns the gradient and hessian of each item from all pairs, without sigma.
    pub(super) fn derivatives(
        &mut self,
        pairs: &Pairs,
        scores: &[f64],
        walk: &mut Walk,
    ) -> impl Iterator<Item = (f64, f64)> {
        self.prepare(pairs, scores);
        for sums in [&mut self.grad, &mut self.hess] {
            sums.clear();
            sums.resize(scores.len(), 0.0);
        }
        let order = std::mem::take(&mut self.order);
        self.divide(pairs, &order, &mut |own, part| match part {
            Part::Few(items) => {
                walk.walk_items(pairs, items, scores);
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

    /// Returns the sum over all pairs of pair weight x roots x log(1 + exp(-sigma x)).
    pub(super) fn value(&mut self, pairs: &Pairs, scores: &[f64]) -> f64 {
        self.prepare(pairs, scores);
        let order = std::mem::take(&mut self.order);
        let mut sum = 0.0;
        self.divide(pairs, &order, &mut |own, part| match part {
            Part::Few(items) => {
                for (place, &low) in items.iter().enumerate() {
                    for &high in &items[place + 1..] {
                        let (low, high) = (low as usize, high as usize);
                        let roots = pairs.weights.roots[low] * pairs.weights.roots[high];
                        let gap = pairs.gains[high] - pairs.gains[low];
                        let pair_weight = pairs.pair_weight.of(gap);
                        sum += pair_weight * roots * softplus(own.at[low] - own.at[high]);
                    }
                }
            }
            Part::Two(low, high) => {
                own.fields(Kernel::Softplus, pairs, low);
                for &item in high {
                    let item = item as usize;
                    sum +=
                        pairs.weights.roots[item] * own.weighted_field(pairs, item, Field::value);
                }
            }
        });
        self.order = order;
        sum
    }

    /// Sorts items by gain and locates them by score.
    fn prepare(&mut self, pairs: &Pairs, scores: &[f64]) {
        let lowest = scores.iter().copied().fold(f64::INFINITY, f64::min);
        self.at.clear();
        // Halves, so that no difference overflows; bounded, so that no product does.
        let at = |score: &f64| 2.0 * (pairs.sigma * (score / 2.0 - lowest / 2.0)).min(1e300);
        self.at.extend(scores.iter().map(at));
        self.places.find(&self.at);
        self.order.clear();
        self.order.extend(0..scores.len() as u32);
        self.order.retain(|&item| pairs.weights.roots[item as usize] > 0.0);
        let gain = |item: u32| pairs.gains[item as usize];
        self.order.sort_unstable_by(|&a, &b| gain(a).total_cmp(&gain(b)).then(a.cmp(&b)));
    }

    /// Divides items recursively, until no pairs are left.
    fn divide(&mut self, pairs: &Pairs, items: &[u32], each: &mut dyn FnMut(&mut Self, Part<'_>)) {
        let gain = |item: &u32| pairs.gains[*item as usize];
        let (Some(first), Some(last)) = (items.first(), items.last()) else { return };
        if gain(first) == gain(last) {
            return;
        }
        if items.len() <= MAX_WALKED {
            return each(self, Part::Few(items));
        }
        let middle = gain(&items[items.len() / 2]);
        // Of the two ends of the middle item's gain the one nearer to the middle.
        let begin = items.partition_point(|item| gain(item) < middle);
        let end = items.partition_point(|item| gain(item) <= middle);
        let nearer = begin > 0 && items.len() / 2 - begin <= end - items.len() / 2;
        let at = if nearer || end == items.len() { begin } else { end };
        let (low, high) = items.split_at(at);
        each(self, Part::Two(low, high));
        self.divide(pairs, low, each);
        self.divide(pairs, high, each);
    }

    /// Adds the terms of all pairs of an item of smaller gain and one of larger gain.
    fn pull(&mut self, pairs: &Pairs, low: &[u32], high: &[u32]) {
        // An item of larger gain at x is pulled up by rho(x - x_low) for each of the others.
        self.fields(Kernel::Rho, pairs, low);
        for &item in high {
            let item = item as usize;
            let root = pairs.weights.roots[item];
            self.grad[item] -= root * self.weighted_field(pairs, item, Field::value);
            self.hess[item] -= root * self.weighted_field(pairs, item, Field::slope);
        }
        // An item of smaller gain at x is pulled down by rho(x_high - x) = 1 - rho(x - x_high), and
        // the difference of gains has the other sign.
        self.fields(Kernel::Rho, pairs, high);
        let sign = if pairs.pair_weight == PairWeight::One { 1.0 } else { -1.0 };
        for &item in low {
            let item = item as usize;
            let root = sign * pairs.weights.roots[item];
            let rest =
                |field: &Field, places: &Places, item| field.total - field.value(places, item);
            self.grad[item] += root * self.weighted_field(pairs, item, rest);
            self.hess[item] -= root * self.weighted_field(pairs, item, Field::slope);
        }
    }

    /// Returns the field at an item with pair weights: the sum of kernel x (the item's gain less
    /// that of the field's item), or of the kernel alone.
    fn weighted_field(
        &self,
        pairs: &Pairs,
        item: usize,
        of: impl Fn(&Field, &Places, usize) -> f64,
    ) -> f64 {
        let [of_roots, by_gain] = &self.fields;
        let plain = of(of_roots, &self.places, item);
        match pairs.pair_weight {
            PairWeight::One => plain,
            PairWeight::Difference => pairs.gains[item] * plain - of(by_gain, &self.places, item),
        }
    }

    fn fields(&mut self, kernel: Kernel, pairs: &Pairs, items: &[u32]) {
        let root = |item: usize| pairs.weights.roots[item];
        self.fields[0].make(kernel, &self.places, items, root);
        if pairs.pair_weight == PairWeight::Difference {
            let charge = |item: usize| root(item) * pairs.gains[item];
            self.fields[1].make(kernel, &self.places, items, charge);
        }
    }
}

/// A case of the recursion.
enum Part<'i> {
    /// Items whose pairs are to be summed up one by one.
    Few(&'i [u32]),
    /// Items of smaller gain, and items of larger gain.
    Two(&'i [u32], &'i [u32]),
}

#[cfg(test)]
mod tests {
    use super::super::{Discounts, RootWeights};
    use super::*;
    use crate::loss::GradHess;

    /// All pairs of a list in which every gain comes `each` times or so.
    fn pairs(
        n: usize,
        each: usize,
        pair_weight: PairWeight,
        sigma: f64,
        weights: Option<&[f64]>,
    ) -> Pairs {
        Pairs {
            gains: (0..n)
                .map(|i| ((i * 7919 % n) / each) as f64 * each as f64 / n as f64)
                .collect(),
            pair_weight,
            discounts: Discounts::None,
            by_distance: None,
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
            for pair_weight in [PairWeight::One, PairWeight::Difference] {
                for weights in [None, Some(&weights[..])] {
                    let pairs = pairs(n, each, pair_weight, sigma, weights);
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
        let pairs = pairs(n, 1, PairWeight::Difference, 100.0, None);
        let scores: Vec<f64> =
            (0..n).map(|i| [0.0, 1e308, -1e308, 3.5, -700.0, 1e-300][i % 6]).collect();
        let mut found = vec![GradHess::default(); n];
        pairs.gradients(&scores, &mut found);
        assert!(found.iter().all(|d| d.grad.is_finite() && d.hess.is_finite() && d.hess >= 0.0));
        assert!(pairs.value(&scores) > 0.0);
    }
}
