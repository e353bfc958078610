//! Correction of p values for several comparisons.
//!
//! Twenty comparisons of equal scores give one p below 0.05 on average. Corrected p values may be compared
//! with the desired level as if each were the only one. With k values of p in ascending order:
//!
//! * Holm (1979): `max over j <= i of (k - j + 1) p_j`. Controls the probability of any false claim, and is
//!   always more powerful than Bonferroni. The default.
//! * Bonferroni: `k p`.
//! * Benjamini and Hochberg (1995): `min over j >= i of k p_j / j`. Controls the expected share of false
//!   claims among the claims; for independent or positively dependent comparisons.
//!
//! By hand: 0.01, 0.02, 0.04 become 0.03, 0.04, 0.04 by Holm, 0.03, 0.06, 0.12 by Bonferroni,
//! and 0.03, 0.03, 0.04 by Benjamini and Hochberg.
//!
//! ```
//! use stakes_stats::Correction;
//! assert_eq!(Correction::Holm.adjust(&[0.5, 0.125]).unwrap(), [0.5, 0.25]);
//! ```

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::named;
use crate::error::StatsError;

/// How p values are corrected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Correction {
    /// Holm's step-down method, which controls the probability of any false claim.
    #[default]
    Holm,
    /// Multiplication by the number of comparisons.
    Bonferroni,
    /// Benjamini and Hochberg's step-up method, which controls the share of false claims.
    BenjaminiHochberg,
    /// No correction.
    None,
}

impl Correction {
    /// All corrections.
    pub const ALL: [Self; 4] = [Self::Holm, Self::Bonferroni, Self::BenjaminiHochberg, Self::None];

    /// The name in options and files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Holm => "holm",
            Self::Bonferroni => "bonferroni",
            Self::BenjaminiHochberg => "benjamini-hochberg",
            Self::None => "none",
        }
    }

    /// Returns the corrected p values in the given order.
    ///
    /// # Errors
    /// If a p value is not between 0 and 1.
    pub fn adjust(self, p_values: &[f64]) -> Result<Vec<f64>, StatsError> {
        if let Some(index) = p_values.iter().position(|p| !(0.0..=1.0).contains(p)) {
            let value = p_values[index];
            return Err(StatsError::PValue { index, value });
        }
        let k = p_values.len();
        let mut ascending: Vec<usize> = (0..k).collect();
        ascending.sort_by(|&a, &b| p_values[a].total_cmp(&p_values[b]));
        let mut adjusted = p_values.to_vec();
        match self {
            Self::None => {}
            Self::Bonferroni => adjusted.iter_mut().for_each(|p| *p = (*p * k as f64).min(1.0)),
            Self::Holm => {
                let mut so_far = 0.0_f64;
                for (place, &i) in ascending.iter().enumerate() {
                    so_far = so_far.max((k - place) as f64 * p_values[i]).min(1.0);
                    adjusted[i] = so_far;
                }
            }
            Self::BenjaminiHochberg => {
                let mut so_far = 1.0_f64;
                for (place, &i) in ascending.iter().enumerate().rev() {
                    // The factor is computed first: it is exactly 1 for the largest, which must not
                    // become smaller.
                    let factor = k as f64 / (place + 1) as f64;
                    so_far = so_far.min(factor * p_values[i]);
                    adjusted[i] = so_far;
                }
            }
        }
        Ok(adjusted)
    }
}

impl fmt::Display for Correction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Correction {
    type Err = StatsError;

    fn from_str(name: &str) -> Result<Self, StatsError> {
        named("correction", name, &Self::ALL, Self::name)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn near(met: &[f64], expected: &[f64]) {
        assert_eq!(met.len(), expected.len());
        let close = met.iter().zip(expected).all(|(m, e)| (m - e).abs() < 1e-15);
        assert!(close, "{met:?} for {expected:?}");
    }

    #[test]
    fn by_hand() {
        let p = [0.02, 0.01, 0.04];
        near(&Correction::Holm.adjust(&p).unwrap(), &[0.04, 0.03, 0.04]);
        near(&Correction::Bonferroni.adjust(&p).unwrap(), &[0.06, 0.03, 0.12]);
        near(&Correction::BenjaminiHochberg.adjust(&p).unwrap(), &[0.03, 0.03, 0.04]);
        near(&Correction::None.adjust(&p).unwrap(), &p);
    }

    #[test]
    fn benjamini_hochberg_as_scipy() {
        // scipy 1.17.1: stats.false_discovery_control(p, method="bh")
        let p = [0.01, 0.04, 0.03, 0.005, 0.55, 0.04];
        let expected = [0.03, 0.048, 0.048, 0.03, 0.55, 0.048];
        near(&Correction::BenjaminiHochberg.adjust(&p).unwrap(), &expected);
    }

    #[test]
    fn refused_and_empty() {
        let refused = Correction::Holm.adjust(&[0.1, f64::NAN]).unwrap_err();
        assert!(refused.to_string().starts_with("p value 1 is NaN"));
        for c in Correction::ALL {
            assert!(c.adjust(&[]).unwrap().is_empty());
            assert_eq!(c.adjust(&[0.2]).unwrap(), [0.2]);
            assert_eq!(c.name().parse::<Correction>().unwrap(), c);
        }
        let unknown = "holms".parse::<Correction>().unwrap_err().to_string();
        assert!(unknown.contains("allowed: holm, bonferroni, benjamini-hochberg, none"));
    }

    proptest! {
        #[test]
        fn never_smaller_never_above_one_and_in_the_same_order(
            p in prop::collection::vec(0.0..=1.0, 0..20),
        ) {
            let of = |c: Correction| c.adjust(&p).unwrap();
            for c in Correction::ALL {
                let q = of(c);
                for i in 0..p.len() {
                    prop_assert!(p[i] <= q[i] && q[i] <= 1.0, "{c}: {} -> {}", p[i], q[i]);
                    for j in 0..p.len() {
                        prop_assert!(p[i] > p[j] || q[i] <= q[j], "{c}: order");
                    }
                }
            }
            let (holm, bonferroni) = (of(Correction::Holm), of(Correction::Bonferroni));
            let discovery = of(Correction::BenjaminiHochberg);
            for i in 0..p.len() {
                prop_assert!(holm[i] <= bonferroni[i]);
                prop_assert!(discovery[i] <= holm[i] + 1e-15);
            }
        }
    }
}
