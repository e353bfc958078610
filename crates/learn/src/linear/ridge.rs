//! Ridge regression: the cost as a weighted sum of inputs (Hoerl and Kennard 1970).
//!
//! minimises  1/V sum over items of v (y - w.x - b)^2 + l2 |w|^2
//!
//! with v the weights of items and V their sum; the bias b is not penalised. scikit-learn's `alpha`
//! is l2 times the number of items. With G the covariance matrix of the inputs and r their
//! covariance with y, w = (G + l2 I)^-1 r: G is computed once, and each l2 takes one small linear
//! system.
//!
//! Without validation lists, generalised cross-validation selects l2 (Golub, Heath and Wahba 1979):
//! the l2 with the smallest estimate of the leave-one-out squared error,
//! RSS / n / (1 - d / n)^2 with d = 1 + trace(G (G + l2 I)^-1).
//!
//! Example: y = 2 x for x = -1, 1 and l2 = 1: w = 2 / (1 + 1) = 1.

use crate::dense::Dense;
use crate::newton::{factor, sum_over};

/// Covariances of inputs and target.
pub(crate) struct Ridge {
    width: usize,
    /// The covariances of the inputs, by rows, on and above the diagonal.
    inputs: Vec<f64>,
    /// The covariances of the inputs with the target.
    with_target: Vec<f64>,
    /// The variance of the target.
    target: f64,
    /// The means of the inputs, and of the target.
    means: Vec<f64>,
    mean: f64,
    /// The number of items of positive weight.
    items: f64,
}

impl Ridge {
    /// Computes the covariances of items with these targets.
    pub(crate) fn new(
        data: &Dense,
        offsets: &[usize],
        target: &[f64],
        weight: Option<&[f64]>,
    ) -> Self {
        let width = data.width();
        let weight = |item: usize| weight.map_or(1.0, |w| w[item]);
        let all: f64 = (0..target.len()).map(weight).sum();
        let share = |item: usize| weight(item) / all;
        let mean: f64 = target.iter().enumerate().map(|(item, y)| share(item) * y).sum();
        let mut means = vec![0.0; width];
        for item in 0..target.len() {
            means.iter_mut().zip(data.row(item)).for_each(|(m, x)| *m += share(item) * x);
        }
        let sums = sum_over(offsets, width, |list, sums| {
            let mut away = vec![0.0; width];
            let items = offsets[list]..offsets[list + 1];
            for (item, y) in items.clone().zip(&target[items]) {
                let (row, y) = (data.row(item), y - mean);
                away.iter_mut().zip(row.iter().zip(&means)).for_each(|(a, (x, m))| *a = x - m);
                sums.value += share(item) * y * y;
                sums.gradient.iter_mut().zip(&away).for_each(|(to, a)| *to += share(item) * y * a);
                sums.outer.push(share(item), &away, &away);
            }
        });
        Ridge {
            width,
            inputs: sums.hessian,
            with_target: sums.gradient,
            target: sums.value,
            means,
            mean,
            items: (0..target.len()).filter(|&item| weight(item) > 0.0).count() as f64,
        }
    }

    fn raised(&self, l2: f64) -> Vec<f64> {
        let mut raised = self.inputs.clone();
        (0..self.width).for_each(|i| raised[i * self.width + i] += l2);
        raised
    }

    /// Returns the weights and the bias.
    pub(crate) fn solve(&self, l2: f64) -> Vec<f64> {
        let factors = factor(&self.raised(l2), self.width);
        let mut numbers =
            factors.map_or_else(|| vec![0.0; self.width], |f| f.solve(&self.with_target));
        let sum: f64 = numbers.iter().zip(&self.means).map(|(w, m)| w * m).sum();
        numbers.push(self.mean - sum);
        numbers
    }

    /// Returns the expected squared error on new items, by generalised cross-validation.
    pub(crate) fn expected_error(&self, l2: f64) -> f64 {
        let Some(factors) = factor(&self.raised(l2), self.width) else { return f64::INFINITY };
        let weights = factors.solve(&self.with_target);
        // With (G + l2) w = r: the mean of squared errors is var(y) - w.r - l2 |w|^2.
        let explained: f64 = weights.iter().zip(&self.with_target).map(|(w, r)| w * r).sum();
        let size: f64 = weights.iter().map(|w| w * w).sum();
        let error = (self.target - explained - l2 * size).max(0.0);
        let inverse = factors.inverse();
        let trace: f64 = (0..self.width).map(|i| inverse[i * self.width + i]).sum();
        let free = 1.0 + self.width as f64 - l2 * trace;
        let left = 1.0 - free / self.items;
        if left > 0.0 { error / (left * left) } else { f64::INFINITY }
    }

    /// Returns the penalty with the smallest expected error; the first among equals.
    pub(crate) fn best_of(&self, tries: &[f64]) -> f64 {
        let errors = tries.iter().map(|&l2| (l2, self.expected_error(l2)));
        let best = errors.reduce(|best, next| if next.1 < best.1 { next } else { best });
        best.map_or(1.0, |(l2, _)| l2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::newton::tests::world;
    use stakes_model::dot;

    #[test]
    fn a_line_by_hand() {
        let data = Dense::new(vec![-1.0, 1.0], 1);
        let ridge = Ridge::new(&data, &[0, 2], &[-2.0 + 5.0, 2.0 + 5.0], None);
        let numbers = ridge.solve(1.0);
        assert!((numbers[0] - 1.0).abs() < 1e-15 && (numbers[1] - 5.0).abs() < 1e-15);
    }

    #[test]
    fn the_gradient_is_0_at_the_solution() {
        for weighted in [false, true] {
            let world = world(31, weighted);
            let (lists, data) = (&world.lists, &world.data);
            let y = lists.cost();
            let ridge = Ridge::new(data, lists.offsets(), y, lists.weight());
            let l2 = 0.3;
            let numbers = ridge.solve(l2);
            let weight = |item: usize| lists.weight().map_or(1.0, |w| w[item]);
            let all: f64 = (0..y.len()).map(weight).sum();
            for input in 0..4 {
                let slope: f64 = (0..y.len())
                    .map(|item| {
                        let row = data.row(item);
                        let error = dot(row, &numbers) + numbers[3] - y[item];
                        weight(item) / all * error * if input < 3 { row[input] } else { 1.0 }
                    })
                    .sum();
                let whole = if input < 3 { slope + l2 * numbers[input] } else { slope };
                assert!(whole.abs() < 1e-13, "{input}: {whole}");
            }
        }
    }

    #[test]
    fn expected_errors_are_those_of_the_hat_matrix() {
        let world = world(32, false);
        let (lists, data) = (&world.lists, &world.data);
        let y = lists.cost();
        let n = y.len() as f64;
        let ridge = Ridge::new(data, lists.offsets(), y, None);
        let l2 = 0.07;
        let numbers = ridge.solve(l2);
        let fitted = |target: &[f64], item: usize| {
            let numbers = Ridge::new(data, lists.offsets(), target, None).solve(l2);
            dot(data.row(item), &numbers) + numbers[3]
        };
        // What a fitted value moves with its own target, item by item.
        let free: f64 = (0..y.len())
            .map(|item| {
                let mut one = vec![0.0; y.len()];
                one[item] = 1.0;
                fitted(&one, item)
            })
            .sum();
        let errors = (0..y.len()).map(|i| (dot(data.row(i), &numbers) + numbers[3] - y[i]).powi(2));
        let expected = errors.sum::<f64>() / n / (1.0 - free / n).powi(2);
        assert!((ridge.expected_error(l2) - expected).abs() < 1e-10 * expected);
        assert!(ridge.best_of(&[1e6, 0.07]) == 0.07);
    }
}
