//! The t interval of a ratio of sums, for lists that differ in size.
//!
//! The figure is a weighted mean of the lists' own ratios: with `r_i = num_i / den_i` and weights
//! `w_i = den_i / sum den`,
//!
//! `figure = sum w_i r_i`.
//!
//! Where costs are heavy-tailed a few lists have most of the weight. Two things then make a usual interval
//! too short, and both are corrected here, as Bell and McCaffrey (2002) do for regressions with few
//! clusters:
//!
//! * **A heavy list pulls the figure towards itself**, so its own residual `r_i - figure` is too small. If
//!   all r_i had the variance s^2, the residual would have the variance `d_i s^2` with
//!   `d_i = 1 - 2 w_i + q` and `q = sum w_i^2`; dividing by it makes the estimate of the variance unbiased.
//! * **A variance that is estimated from few lists is uncertain**, so the quantile is Student's with
//!   Satterthwaite's degrees of freedom: those of a chi-squared variable with the mean and the variance of
//!   the estimate. For equal weights they are n - 1, and the interval of a mean is the usual one.
//!
//! The variance of the figure is `V = sum g_i (r_i - figure)^2` with `g_i` proportional to `w_i^1.5`, scaled
//! so that it is unbiased for equal variances. Weights of `w_i^2` would be unbiased for any variances, but
//! rest on the heaviest lists alone; weights of `w_i` use more lists and assume more. 1.5 is what keeps its
//! promise in simulations with heavy tails (`make coverage`, docs/intervals.md).
//!
//! Figures within bounds have their interval on a scale without them: the logarithm of the odds between two
//! bounds, the logarithm above one. So an interval never leaves the range of its metric.
//!
//! By hand: two lists of equal weight with r = 0.4 and 0.6 have the figure 0.5; q = d = 1/2 and
//! V = 0.25 (0.1^2 + 0.1^2) / (1/2) = 0.01, with one degree of freedom: the error of a mean.

use statrs::distribution::{ContinuousCDF, StudentsT};

use super::{Column, Interval};

/// The exponent of the weights in the variance of a figure.
const OF_FIGURES: f64 = 1.5;
/// The same for a difference of two figures: that does not depend on a list's size as a figure does (large
/// storms are ranked better, or worse), so more lists can be used.
const OF_DIFFERENCES: f64 = 1.0;

/// The influence of each list on a figure, and its weight.
pub(super) struct Influences {
    figure: f64,
    range: (f64, f64),
    /// The exponent of the weights in the variance.
    power: f64,
    /// Values closer than this are equal up to rounding.
    noise: f64,
    /// Of every list with a value: its weight, and its residual as a part of the figure, w (r - figure).
    lists: Vec<(f64, f64)>,
}

impl Influences {
    /// Those of one figure; `None` if no list has a value.
    pub(super) fn of(column: &Column<'_>) -> Option<Self> {
        let figure = column.estimate()?;
        let (ratio, total) = column.ratio_and_total()?;
        // The figure is a function of the ratio: its slope turns residuals of the one into those of the other.
        let slope = column.finish.slope(ratio);
        let of_list = |num: f64, den: f64| (den / total, slope * (num - ratio * den) / total);
        let lists = column.parts.iter().map(|part| of_list(part.num, part.den)).collect();
        let (range, noise) = (column.range, column.noise());
        Some(Influences { figure, range, power: OF_FIGURES, noise, lists })
    }

    /// Those of the difference of two figures over the same lists.
    pub(super) fn difference(a: &Column<'_>, b: &Column<'_>) -> Option<Self> {
        let (a, b) = (Self::of(a)?, Self::of(b)?);
        let range = (a.range.0 - b.range.1, a.range.1 - b.range.0);
        let lists = a.lists.iter().zip(&b.lists);
        // Both figures nearly always weigh their lists alike.
        let lists = lists.map(|((wa, ea), (wb, eb))| (0.5 * (wa + wb), ea - eb)).collect();
        let (figure, noise) = (a.figure - b.figure, a.noise + b.noise);
        Some(Influences { figure, range, power: OF_DIFFERENCES, noise, lists })
    }

    /// The interval at a confidence level.
    pub(super) fn interval(mut self, level: f64) -> Option<Interval> {
        self.lists.retain(|(weight, _)| *weight > 0.0);
        let (error, freedom) = self.error_and_freedom();
        if !error.is_finite() || error <= self.noise {
            return Some(Interval { low: self.figure, high: self.figure });
        }
        let student = StudentsT::new(0.0, 1.0, freedom).ok()?;
        let distance = error * -student.inverse_cdf((1.0 - level) / 2.0);
        Some(within(self.figure, distance, self.range))
    }

    /// The standard error of the figure, and its degrees of freedom.
    fn error_and_freedom(&self) -> (f64, f64) {
        let weights = || self.lists.iter().map(|(weight, _)| *weight);
        let q: f64 = weights().map(|w| w * w).sum();
        let residual_variance = |w: f64| 1.0 - 2.0 * w + q;
        // The share of each squared residual r - figure in the variance.
        let scale = q / weights().map(|w| w.powf(self.power) * residual_variance(w)).sum::<f64>();
        let share = |w: f64| scale * w.powf(self.power);
        let squares = self.lists.iter().map(|&(w, e)| share(w) * (e / w) * (e / w));
        let variance: f64 = squares.sum();
        // With s = 1 the estimate has the mean q and the variance 2 sum_ij g_i g_j c_ij^2, where the
        // covariance of two residuals is c_ij = q - w_i - w_j, and 1 more if i = j. The double sum,
        // expanded, needs three simple ones.
        let [mut g0, mut g1, mut g2, mut diagonal] = [0.0; 4];
        for w in weights() {
            let g = share(w);
            g0 += g;
            g1 += g * w;
            g2 += g * w * w;
            let off = q - 2.0 * w;
            diagonal += g * g * ((1.0 + off) * (1.0 + off) - off * off);
        }
        let all = q * q * g0 * g0 - 4.0 * q * g0 * g1 + 2.0 * g0 * g2 + 2.0 * g1 * g1;
        (variance.sqrt(), q * q / (all + diagonal))
    }
}

/// The interval of a figure that may deviate by `distance`, on a scale without bounds.
fn within(figure: f64, distance: f64, (min, max): (f64, f64)) -> Interval {
    let plain = Interval { low: (figure - distance).max(min), high: (figure + distance).min(max) };
    let (above, below) = (figure - min, max - figure);
    match (min.is_finite(), max.is_finite()) {
        _ if above <= 0.0 || below <= 0.0 => plain,
        (true, true) => {
            let size = max - min;
            let (log_odds, step) = ((above / below).ln(), distance * size / (above * below));
            let end = |x: f64| min + size / (1.0 + (-x).exp());
            Interval { low: end(log_odds - step), high: end(log_odds + step) }
        }
        (true, false) => {
            let factor = (distance / above).exp();
            Interval { low: min + above / factor, high: (min + above * factor).min(f64::MAX) }
        }
        (false, true) => {
            let factor = (distance / below).exp();
            Interval { low: (max - below * factor).max(f64::MIN), high: max - below / factor }
        }
        (false, false) => plain,
    }
}
