//! Adam: steps of about the same length in every direction, whatever the size of derivatives
//! (Kingma and Ba 2015), and the running mean of the parameters (Polyak and Juditsky 1992), which
//! fluctuates less than the parameters themselves.
//!
//! m = b1 m + (1 - b1) g,  v = b2 v + (1 - b2) g^2,
//! number -= rate (m / (1 - b1^t)) / (sqrt(v / (1 - b2^t)) + 1e-8),
//! mean += (number - mean) x max(1 / horizon, 9 / (t + 9)),
//!
//! where g is the derivative of loss + l2 / 2 x squared weights. A gradient longer than
//! [`MAX_LENGTH`] is clipped to that length, so that a single outlying batch does not dominate v
//! for long; a gradient with NaN or infinite entries is skipped.
//!
//! Example: the first step changes each number by `rate`, against the sign of g.

/// b1, the decay of the mean gradient.
const BETA1: f64 = 0.9;
/// b2, the decay of the mean squared gradient.
const BETA2: f64 = 0.999;
/// Keeps the division finite.
const EPSILON: f64 = 1e-8;
/// The maximum length of a gradient.
const MAX_LENGTH: f64 = 10.0;

/// The state of Adam.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Adam {
    /// The learning rate.
    pub(super) rate: f64,
    /// The number of steps over which the running mean is taken.
    pub(super) horizon: f64,
    /// The current parameters.
    pub(super) current: Vec<f64>,
    /// The running mean of the parameters.
    pub(super) mean: Vec<f64>,
    first: Vec<f64>,
    second: Vec<f64>,
    steps: u32,
}

impl Adam {
    pub(super) fn new(numbers: Vec<f64>, rate: f64, horizon: f64) -> Self {
        let zeros = vec![0.0; numbers.len()];
        let (mean, first) = (numbers.clone(), zeros.clone());
        Adam { rate, horizon, current: numbers, mean, first, second: zeros, steps: 0 }
    }

    /// Makes one step against the gradient.
    pub(super) fn step(&mut self, gradient: &[f64]) {
        let length = length(gradient);
        if !length.is_finite() {
            return;
        }
        let cut = if length > MAX_LENGTH { MAX_LENGTH / length } else { 1.0 };
        self.steps += 1;
        let t = f64::from(self.steps);
        let rate = self.rate / (1.0 - BETA1.powf(t));
        let unbias = (1.0 - BETA2.powf(t)).recip();
        let blend = self.horizon.recip().max(9.0 / (t + 9.0)).min(1.0);
        let numbers = self.current.iter_mut().zip(&mut self.mean);
        let moments = self.first.iter_mut().zip(&mut self.second);
        for (((number, mean), (first, second)), g) in numbers.zip(moments).zip(gradient) {
            let g = cut * g;
            *first += (1.0 - BETA1) * (g - *first);
            *second += (1.0 - BETA2) * (g * g - *second);
            *number -= rate * *first / ((*second * unbias).sqrt() + EPSILON);
            *mean += blend * (*number - *mean);
        }
    }

    /// Moves against the gradient itself; the mean follows at once. A gradient with NaN or infinite
    /// entries is skipped.
    pub(super) fn descend(&mut self, gradient: &[f64]) {
        let moved = |(number, g): (&f64, &f64)| number - self.rate * g;
        let there: Vec<f64> = self.current.iter().zip(gradient).map(moved).collect();
        if there.iter().all(|number| number.is_finite()) {
            self.mean.clone_from(&there);
            self.current = there;
        }
    }

    /// Returns the state needed to resume, apart from `mean`.
    pub(super) fn memory(&self) -> Vec<f64> {
        let steps = [f64::from(self.steps)];
        [&steps[..], &self.current, &self.first, &self.second].concat()
    }

    /// Resumes from a mean and a memory; a memory of another size is ignored.
    pub(super) fn resume(&mut self, mean: &[f64], memory: &[f64]) {
        let n = self.current.len();
        if memory.len() != 1 + 3 * n || mean.len() != n {
            return;
        }
        let (steps, rest) = memory.split_at(1);
        self.steps = steps[0] as u32;
        self.mean.copy_from_slice(mean);
        self.current.copy_from_slice(&rest[..n]);
        self.first.copy_from_slice(&rest[n..2 * n]);
        self.second.copy_from_slice(&rest[2 * n..]);
    }
}

/// Returns the Euclidean length, also where squares would overflow.
fn length(of: &[f64]) -> f64 {
    let largest = of.iter().map(|x| x.abs()).fold(0.0, f64::max);
    let unit = if largest > 0.0 { largest } else { 1.0 };
    // A NaN stays a NaN.
    unit * of.iter().map(|x| (x / unit) * (x / unit)).sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_step_is_as_long_as_the_rate_whatever_the_gradient() {
        for size in [1e-3, 1.0, 1e200] {
            let mut adam = Adam::new(vec![1.0, 1.0], 0.1, 1.0);
            adam.step(&[size, -3.0 * size]);
            assert!((adam.current[0] - 0.9).abs() < 1e-5 && (adam.current[1] - 1.1).abs() < 1e-5);
        }
        let mut adam = Adam::new(vec![1.0, 1.0], 0.1, 1.0);
        adam.step(&[f64::NAN, 1.0]);
        assert_eq!(adam.current, [1.0, 1.0]);
    }

    #[test]
    fn descent_follows_the_gradient_itself() {
        let mut descent = Adam::new(vec![1.0, 1.0], 0.1, 1.0);
        descent.descend(&[2.0, -30.0]);
        assert_eq!((&descent.current[..], &descent.mean[..]), (&[0.8, 4.0][..], &[0.8, 4.0][..]));
        descent.descend(&[f64::INFINITY, 1.0]);
        assert_eq!(descent.current, [0.8, 4.0]);
    }

    #[test]
    fn it_finds_the_lowest_point_and_goes_on_as_it_was() {
        // (a - 3)^2 + 10 (b + 1)^2
        let gradient = |n: &[f64]| [2.0 * (n[0] - 3.0), 20.0 * (n[1] + 1.0)];
        let mut adam = Adam::new(vec![0.0, 0.0], 0.1, 20.0);
        for _ in 0..400 {
            let g = gradient(&adam.current);
            adam.step(&g);
        }
        assert!((adam.mean[0] - 3.0).abs() < 1e-3 && (adam.mean[1] + 1.0).abs() < 1e-3);
        let mut other = Adam::new(vec![5.0, 5.0], 0.1, 20.0);
        other.resume(&adam.mean.clone(), &adam.memory());
        assert_eq!(other, adam);
    }
}
