//! Random numbers that are the same on every machine.
//!
//! A number is a pure function of `(seed, stream, counter)`: two rounds of the SplitMix64
//! finaliser (Steele, Lea and Flood 2014), so a list can be generated without the lists before
//! it. Everything beyond the bits uses only `+ - * /`, `sqrt` (exactly rounded by IEEE 754) and
//! the `libm` crate; the standard library's `exp`, `ln` and `sin` differ in their last bits by
//! platform.
//!
//! The published SplitMix64 with seed 0 starts with `0xe220a8397b1dcdaf`, which is
//! `mix(GAMMA)` here.

use stakes_core::random::{GAMMA, mix};

/// A sequence of random numbers keyed by a seed and a stream.
#[derive(Debug, Clone)]
pub(crate) struct Stream {
    key: u64,
    counter: u64,
}

impl Stream {
    /// The stream with number `index` for `purpose` under `seed`.
    pub(crate) const fn new(seed: u64, purpose: u64, index: u64) -> Self {
        let a = mix(seed.wrapping_add(GAMMA));
        let b = mix(a ^ purpose.wrapping_mul(GAMMA).wrapping_add(1));
        Self { key: mix(b ^ index.wrapping_mul(GAMMA).wrapping_add(2)), counter: 0 }
    }

    /// 64 random bits.
    pub(crate) const fn bits(&mut self) -> u64 {
        self.counter = self.counter.wrapping_add(1);
        // Two rounds: with one, streams would be windows of the same long sequence.
        mix(mix(self.counter.wrapping_mul(GAMMA)) ^ self.key)
    }

    /// Uniform in the open interval (0, 1): never 0, so that its logarithm is finite.
    pub(crate) fn uniform(&mut self) -> f64 {
        ((self.bits() >> 12) as f64 + 0.5) * (1.0 / 4_503_599_627_370_496.0)
    }

    /// Uniform between `low` and `high`.
    pub(crate) fn between(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * self.uniform()
    }

    /// A uniform integer below `n`; the bias is below `n / 2^64`.
    pub(crate) fn below(&mut self, n: usize) -> usize {
        ((u128::from(self.bits()) * n as u128) >> 64) as usize
    }

    /// True with probability `p`.
    pub(crate) fn bernoulli(&mut self, p: f64) -> bool {
        self.uniform() < p
    }

    /// Standard normal, by the inverse distribution function: one uniform per normal.
    pub(crate) fn normal(&mut self) -> f64 {
        normal_quantile(self.uniform())
    }

    /// `exp(mu + sigma Z)`.
    pub(crate) fn lognormal(&mut self, mu: f64, sigma: f64) -> f64 {
        libm::exp(mu + sigma * self.normal())
    }

    /// Exponential with the given mean.
    pub(crate) fn exponential(&mut self, mean: f64) -> f64 {
        -mean * libm::log(self.uniform())
    }

    /// Pareto: at least `scale`, and above `x` with probability `(scale / x)^shape`.
    pub(crate) fn pareto(&mut self, scale: f64, shape: f64) -> f64 {
        scale * libm::pow(self.uniform(), -1.0 / shape)
    }

    /// Poisson with the given mean. Above 30 a rounded normal: there the generators need counts of
    /// the right size, not the exact distribution.
    pub(crate) fn poisson(&mut self, mean: f64) -> u32 {
        if mean > 30.0 {
            let x = mean + mean.sqrt() * self.normal() + 0.5;
            return x.max(0.0) as u32; // a cast floors and saturates
        }
        let u = self.uniform();
        let (mut term, mut n) = (libm::exp(-mean), 0);
        let mut total = term;
        while u > total && n < 200 {
            n += 1;
            term *= mean / f64::from(n);
            total += term;
        }
        n
    }

    /// One of the two integers next to `x`, with expectation `x` (stochastic rounding).
    pub(crate) fn round(&mut self, x: f64) -> f64 {
        (x + self.uniform()).floor()
    }

    /// Shuffles the items (Fisher-Yates).
    pub(crate) fn shuffle<T>(&mut self, items: &mut [T]) {
        for i in (1..items.len()).rev() {
            items.swap(i, self.below(i + 1));
        }
    }
}

/// The logistic function.
pub(crate) fn logistic(z: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-z))
}

/// The standard normal distribution function.
pub(crate) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * core::f64::consts::FRAC_1_SQRT_2)
}

/// The standard normal quantile by Acklam's rational approximation (relative error below
/// 1.2e-9, far below the precision of an f32 feature).
fn normal_quantile(p: f64) -> f64 {
    const A: [f64; 6] = [
        -3.969_683_028_665_376e1,
        2.209_460_984_245_205e2,
        -2.759_285_104_469_687e2,
        1.383_577_518_672_69e2,
        -3.066_479_806_614_716e1,
        2.506_628_277_459_239,
    ];
    const B: [f64; 6] = [
        -5.447_609_879_822_406e1,
        1.615_858_368_580_409e2,
        -1.556_989_798_598_866e2,
        6.680_131_188_771_972e1,
        -1.328_068_155_288_572e1,
        1.0,
    ];
    const C: [f64; 6] = [
        -7.784_894_002_430_293e-3,
        -3.223_964_580_411_365e-1,
        -2.400_758_277_161_838,
        -2.549_732_539_343_734,
        4.374_664_141_464_968,
        2.938_163_982_698_783,
    ];
    const D: [f64; 5] = [
        7.784_695_709_041_462e-3,
        3.224_671_290_700_398e-1,
        2.445_134_137_142_996,
        3.754_408_661_907_416,
        1.0,
    ];
    const LOW: f64 = 0.024_25;
    let horner = |c: &[f64], x: f64| c.iter().fold(0.0, |sum, &c| sum * x + c);
    let tail = |p: f64| {
        let q = (-2.0 * libm::log(p)).sqrt();
        horner(&C, q) / horner(&D, q)
    };
    if p < LOW {
        tail(p)
    } else if p > 1.0 - LOW {
        -tail(1.0 - p)
    } else {
        let q = p - 0.5;
        let r = q * q;
        q * horner(&A, r) / horner(&B, r)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_finaliser_is_the_published_one() {
        assert_eq!(mix(GAMMA), 0xe220_a839_7b1d_cdaf);
        assert_eq!(mix(GAMMA.wrapping_mul(2)), 0x6e78_9e6a_a1b9_65f4);
    }

    #[test]
    fn quantiles_are_those_of_tables() {
        for (p, z) in [
            (0.5, 0.0),
            (0.975, 1.959_963_984_540_054),
            (0.001, -3.090_232_306_167_813_5),
            (0.999_999, 4.753_424_308_822_899),
        ] {
            assert!((normal_quantile(p) - z).abs() < 1e-8, "{p}");
            assert!((normal_cdf(z) - p).abs() < 1e-12, "{p}");
        }
    }

    /// Mean and variance of `n` draws.
    fn moments(mut draw: impl FnMut() -> f64) -> (f64, f64) {
        let n = 100_000;
        let xs: Vec<f64> = (0..n).map(|_| draw()).collect();
        let mean = xs.iter().sum::<f64>() / f64::from(n);
        let var = xs.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / f64::from(n);
        (mean, var)
    }

    #[test]
    fn moments_are_right() {
        let mut s = Stream::new(7, 0, 0);
        let close = |(m, v): (f64, f64), (mean, var): (f64, f64)| {
            assert!((m - mean).abs() < 0.02 * var.sqrt(), "mean {m} not {mean}");
            assert!((v / var - 1.0).abs() < 0.06, "variance {v} not {var}");
        };
        close(moments(|| s.uniform()), (0.5, 1.0 / 12.0));
        close(moments(|| s.normal()), (0.0, 1.0));
        close(moments(|| s.exponential(3.0)), (3.0, 9.0));
        close(moments(|| f64::from(s.poisson(0.7))), (0.7, 0.7));
        close(moments(|| f64::from(s.poisson(80.0))), (80.0, 80.0));
        close(moments(|| s.pareto(1.0, 6.0)), (1.2, 6.0 / 25.0 / 4.0));
        close(moments(|| s.round(2.25)), (2.25, 0.1875));
        close(moments(|| s.below(10) as f64), (4.5, 8.25));
    }

    #[test]
    fn streams_differ_and_repeat() {
        let first = |seed, purpose, index| Stream::new(seed, purpose, index).bits();
        assert_eq!(first(1, 2, 3), first(1, 2, 3));
        let all = [first(1, 2, 3), first(2, 2, 3), first(1, 3, 3), first(1, 2, 4)];
        for (i, a) in all.iter().enumerate() {
            assert!(all.iter().skip(i + 1).all(|b| a != b));
        }
    }
}
