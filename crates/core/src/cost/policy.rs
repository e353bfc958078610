//! Pr(p): the probability that position p is acted on (McBride et al. 2019, section 3).
//!
//! Example: `Policy::Linear` with k = 2 gives 1 and 1/2.

use std::fmt;

/// The number of items of a list that can be acted on.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Capacity {
    /// All of them.
    All,
    /// A fixed number.
    Items(usize),
    /// A percentage of the mean list length, rounded up.
    Percent(f64),
    /// Any number from low to high, all equally likely.
    Range(usize, usize),
}

/// The error of a capacity that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "k is `{0}`; allowed are a number of items (10), a percentage of the mean list length \
     (12.5%) and a range of capacities (10..40), all above 0"
)]
pub struct CapacityError(pub String);

impl std::str::FromStr for Capacity {
    type Err = CapacityError;

    fn from_str(text: &str) -> Result<Self, CapacityError> {
        let bad = || CapacityError(text.to_owned());
        let items = |t: &str| t.trim().parse::<usize>().ok().filter(|&n| n > 0).ok_or_else(bad);
        if let Some(percent) = text.strip_suffix('%') {
            let percent: f64 = percent.trim().parse().map_err(|_| bad())?;
            let sane = percent.is_finite() && percent > 0.0 && percent <= 100.0;
            return if sane { Ok(Capacity::Percent(percent)) } else { Err(bad()) };
        }
        if let Some((low, high)) = text.split_once("..") {
            let (low, high) = (items(low)?, items(high)?);
            // More positions than any list has are taken for a typing error.
            return if low <= high && high <= MAX_K {
                Ok(Capacity::Range(low, high))
            } else {
                Err(bad())
            };
        }
        match items(text)? {
            k if k <= MAX_K => Ok(Capacity::Items(k)),
            _ => Err(bad()),
        }
    }
}

/// The maximum k: positions are 32 bits wide, and a table of Pr must fit in memory.
const MAX_K: usize = 100_000_000;

impl fmt::Display for Capacity {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Capacity::All => f.write_str("all"),
            Capacity::Items(k) => write!(f, "{k}"),
            Capacity::Percent(p) => write!(f, "{p}%"),
            Capacity::Range(low, high) => write!(f, "{low}..{high}"),
        }
    }
}

impl Capacity {
    /// Turns a percentage into a number of items.
    pub fn resolve(self, mean_list_length: f64) -> Self {
        match self {
            // As McBride et al. 2019: 12.5 % of a mean of 43.3 items is 6 (rounded up). The
            // factor below 1 makes 10 % of 50 items 5 and not, by a rounding error, 6.
            Capacity::Percent(p) => {
                let exact = mean_list_length * p / 100.0;
                Capacity::Items(((exact * (1.0 - 1e-12)).ceil() as usize).max(1))
            }
            other => other,
        }
    }
}

/// The shape of Pr over the positions within capacity.
#[derive(Debug, Clone, PartialEq, Default)]
pub enum Policy {
    /// 1 - (p - 1)/k, as in McBride et al. 2019.
    #[default]
    Linear,
    /// 1/log2(p + 1) up to k.
    Log,
    /// 1 up to k.
    Step,
    /// rate^(p - 1) up to k.
    Geometric(f64),
    /// A probability for each position; 0 beyond.
    Table(Vec<f64>),
}

impl Policy {
    /// Returns Pr(1), Pr(2), ... for the first `n` positions, as far as capacity reaches. A range
    /// of capacities gives the mean over them.
    pub fn probabilities(&self, capacity: Capacity, n: usize) -> Vec<f64> {
        let (low, high) = match capacity {
            Capacity::Items(k) => (k, k),
            Capacity::Range(low, high) => (low, high),
            Capacity::All | Capacity::Percent(_) => (n, n),
        };
        if let Policy::Table(table) = self {
            let k = if capacity == Capacity::All { table.len() } else { high };
            return table[..table.len().min(k).min(n)].to_vec();
        }
        let mut chances = vec![0.0; high.min(n)];
        // The capacities that reach position p are max(p, low) to high. Going from the last
        // position up, their number and the sum of 1/k over them are updated; the capacities
        // beyond the table are added first, all at once.
        let beyond = low.max(chances.len() + 1);
        let mut reached = (high + 1).saturating_sub(beyond);
        let mut inverse_sum = inverse_sum(beyond, high);
        for (i, chance) in chances.iter_mut().enumerate().rev() {
            let p = i + 1;
            if p >= low {
                reached += 1;
                inverse_sum += 1.0 / p as f64;
            }
            let mean_shape = match self {
                Policy::Linear => reached as f64 - i as f64 * inverse_sum,
                _ => reached as f64 * self.shape(p),
            };
            *chance = (mean_shape / (high - low + 1) as f64).clamp(0.0, 1.0);
        }
        chances
    }

    /// Returns Pr(p) for the policies whose shape does not depend on k.
    fn shape(&self, p: usize) -> f64 {
        match self {
            Policy::Log => 1.0 / ((p + 1) as f64).log2(),
            Policy::Geometric(rate) => rate.powi(p.min(i32::MAX as usize) as i32 - 1),
            _ => 1.0,
        }
    }

    /// The allowed policies, for messages.
    pub const ALLOWED: &'static str = "allowed are linear, log, step, geometric(RATE) with a \
                                       rate in (0, 1], or a table of probabilities that never rise, \
                                       such as 1/0.8/0.5";

    /// Whether its numbers are probabilities that never rise.
    pub fn is_allowed(&self) -> bool {
        match self {
            Policy::Linear | Policy::Log | Policy::Step => true,
            Policy::Geometric(rate) => *rate > 0.0 && *rate <= 1.0,
            Policy::Table(chances) => {
                chances.iter().all(|p| (0.0..=1.0).contains(p))
                    && chances.is_sorted_by(|a, b| a >= b)
                    && chances.first() > Some(&0.0)
            }
        }
    }
}

/// The error of a policy that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("policy is `{0}`; {allowed}", allowed = Policy::ALLOWED)]
pub struct PolicyError(pub String);

/// `linear`, `geometric(0.8)`, or a table `1/0.5/0.25`.
impl std::str::FromStr for Policy {
    type Err = PolicyError;

    fn from_str(text: &str) -> Result<Self, PolicyError> {
        let bad = || PolicyError(text.to_owned());
        let number = |text: &str| text.trim().parse::<f64>().map_err(|_| bad());
        let rate = text.strip_prefix("geometric(").and_then(|text| text.strip_suffix(')'));
        let policy = match (text, rate) {
            ("linear", _) => Policy::Linear,
            ("log", _) => Policy::Log,
            ("step", _) => Policy::Step,
            ("geometric", _) => Policy::Geometric(0.9),
            (_, Some(rate)) => Policy::Geometric(number(rate)?),
            _ => Policy::Table(text.split('/').map(number).collect::<Result<_, _>>()?),
        };
        if policy.is_allowed() { Ok(policy) } else { Err(bad()) }
    }
}

impl fmt::Display for Policy {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Policy::Linear => f.write_str("linear"),
            Policy::Log => f.write_str("log"),
            Policy::Step => f.write_str("step"),
            Policy::Geometric(rate) => write!(f, "geometric({rate})"),
            Policy::Table(chances) => {
                let texts: Vec<String> = chances.iter().map(f64::to_string).collect();
                f.write_str(&texts.join("/"))
            }
        }
    }
}

/// Returns 1/low + ... + 1/high; 0 if low is above high.
fn inverse_sum(low: usize, high: usize) -> f64 {
    // H(n) = ln n + gamma + 1/2n - 1/12n^2 + 1/120n^4 - ..., exact to the last bit beyond this n.
    const MAX_SUMMED: usize = 1024;
    let near: f64 = (low..=high.min(MAX_SUMMED)).rev().map(|k| 1.0 / k as f64).sum();
    let from = low.max(MAX_SUMMED + 1) - 1;
    if from >= high {
        return near;
    }
    let rest = |n: usize| {
        let n = n as f64;
        (0.5 - (1.0 / 12.0 - 1.0 / (120.0 * n * n)) / n) / n
    };
    near + (high as f64 / from as f64).ln() + (rest(high) - rest(from))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn policies_never_rise_and_stay_chances() {
        for text in ["linear", "log", "step", "geometric", "geometric(0.5)", "1/0.5/0.5/0"] {
            let policy = text.parse::<Policy>().unwrap();
            for capacity in [Capacity::Items(7), Capacity::Range(2, 9), Capacity::All] {
                let pr = policy.probabilities(capacity, 12);
                assert!(pr.iter().all(|p| (0.0..=1.0).contains(p)), "{text} {pr:?}");
                assert!(pr.is_sorted_by(|a, b| a >= b), "{text} {pr:?}");
            }
        }
    }

    #[test]
    fn a_capacity_range_is_the_chance_that_capacity_reaches_a_position() {
        let pr = Policy::Step.probabilities(Capacity::Range(2, 4), 9);
        assert_eq!(pr, [1.0, 1.0, 2.0 / 3.0, 1.0 / 3.0]);
    }

    #[test]
    fn a_range_of_capacities_is_the_mean_over_them() {
        for text in ["linear", "log", "step", "geometric(0.7)"] {
            let policy = text.parse::<Policy>().unwrap();
            let range = policy.probabilities(Capacity::Range(3, 6), 100);
            for (i, &chance) in range.iter().enumerate() {
                let one = |k| policy.probabilities(Capacity::Items(k), 100).get(i).copied();
                let mean = (3..=6).map(|k| one(k).unwrap_or(0.0)).sum::<f64>() / 4.0;
                assert!((chance - mean).abs() < 1e-15, "{text} {i}: {chance} {mean}");
            }
        }
    }

    #[test]
    fn a_range_far_beyond_the_list_costs_nothing() {
        for (low, high) in [(1, 10), (5, 4), (3, 2000), (1500, 1500), (1025, 9000), (2000, 70_000)]
        {
            let slow: f64 = (low..=high).rev().map(|k| 1.0 / k as f64).sum();
            assert!((inverse_sum(low, high) - slow).abs() < 1e-13, "{low}..{high}");
        }
        let begun = std::time::Instant::now();
        for _ in 0..1000 {
            let chances = Policy::Linear.probabilities(Capacity::Range(1, 100_000_000), 5);
            assert_eq!(chances.len(), 5);
        }
        assert!(begun.elapsed().as_secs() < 5);
    }

    #[test]
    fn linear_is_the_papers_formula() {
        assert_eq!(Policy::Linear.probabilities(Capacity::Items(2), 9), [1.0, 0.5]);
        assert_eq!(Policy::Linear.probabilities(Capacity::Items(4), 2), [1.0, 0.75]);
    }

    #[test]
    fn percentages_round_up_as_in_the_papers() {
        let k = |mean, p| Capacity::Percent(p).resolve(mean);
        // The data sets crime (1994 items, 46 lists), forest fires and concrete.
        assert_eq!(k(1994.0 / 46.0, 12.5), Capacity::Items(6));
        assert_eq!(k(517.0 / 12.0, 25.0), Capacity::Items(11));
        assert_eq!(k(1030.0 / 14.0, 25.0), Capacity::Items(19));
        assert_eq!(k(50.0, 10.0), Capacity::Items(5));
        assert_eq!(k(1.0, 1.0), Capacity::Items(1));
    }

    #[test]
    fn nonsense_is_refused() {
        for bad in ["0", "-1", "x", "0%", "101%", "5..2", "0..3", "1e9", "99999999999"] {
            assert!(bad.parse::<Capacity>().is_err(), "{bad}");
        }
        for bad in ["", "flat", "0.5/0.6", "2/1", "geometric(0)", "0"] {
            assert!(bad.parse::<Policy>().is_err(), "{bad}");
        }
    }
}
