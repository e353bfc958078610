//! The weight and the selection criterion of a weak ranker (Salomon 2020, sections 3.2.1 and
//! 3.2.2).
//!
//! With eps+, eps- and eps0 the masses of the pairs that h orders correctly, wrongly and not at
//! all:
//!
//! | | RankBoost | RankBoost+ |
//! |---|---|---|
//! | selected: the largest | abs(eps+ - eps-) | abs(eps+ - eps- - eps0 tanh(a')) |
//! | alpha | 1/2 ln(eps+ / eps-) | 1/2 ln((eps+ + eps0 e^-a' / 2cosh(a')) / (eps- + eps0 e^a' / 2cosh(a'))) |
//! | tied pairs times | 1 | cosh(alpha + a') / cosh(a') |
//!
//! In its cautious variant, RankBoost counts ties as half right and half wrong in the weight as well:
//! alpha = 1/2 ln((1 + r) / (1 - r)) with r = eps+ - eps- (the third method of Freund et al. 2003,
//! which minimises a bound on Z). A weak ranker that orders few pairs then has a small weight.
//!
//! a' is the weight that h already has. (Salomon prints argmin for RankBoost, and the update
//! without its sign; it must be argmax, and the mass of correctly ordered pairs shrinks.) alpha
//! minimises Z = eps+ e^-alpha + eps- e^alpha + eps0 x the factor of ties. The share of one pair is
//! added to numerator and denominator (Schapire and Singer 1999, section 4.2), so that a weak
//! ranker without errors has a finite weight.
//!
//! Example: right 0.5, wrong 0.25, tied 0.25, a' = 0: RankBoost 1/2 ln 2, RankBoost+ 1/2 ln(5/3).

use super::distribution::{Masses, Step};

/// The treatment of pairs that a weak ranker leaves tied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ties {
    /// Their mass does not change: RankBoost.
    Stay,
    /// Their mass does not change, but the weight counts them as half right and half wrong.
    Cautious,
    /// They count as half right and half wrong: RankBoost+.
    Half,
}

/// 1 / (1 + e^x): the share e^(-x/2) / 2cosh(x/2).
fn share(x: f64) -> f64 {
    1.0 / (1.0 + x.exp())
}

/// Returns the slope at which the loss falls when the weight of a weak ranker grows from `already`.
pub(crate) fn slope(right_less_wrong: f64, tied: f64, already: f64) -> f64 {
    right_less_wrong - tied * already.tanh()
}

/// Returns the best step of a weak ranker that has the weight `already`.
pub(crate) fn step(masses: &Masses, already: f64, smoothing: f64, ties: Ties) -> Step {
    let Masses { right, wrong, tied } = *masses;
    let ratio = |right: f64, wrong: f64| 0.5 * ((right + smoothing) / (wrong + smoothing)).ln();
    match ties {
        Ties::Stay => Step { alpha: ratio(right, wrong), tied: 1.0 },
        Ties::Cautious => Step { alpha: ratio(right + 0.5 * tied, wrong + 0.5 * tied), tied: 1.0 },
        Ties::Half => {
            let alpha =
                ratio(right + tied * share(2.0 * already), wrong + tied * share(-2.0 * already));
            known(alpha, already, ties)
        }
    }
}

/// Returns the step of a weak ranker whose weight grows by a given `alpha`.
pub(crate) fn known(alpha: f64, already: f64, ties: Ties) -> Step {
    let tied = match ties {
        Ties::Stay | Ties::Cautious => 1.0,
        Ties::Half => cosh_ratio(alpha + already, already),
    };
    Step { alpha, tied }
}

/// cosh(a) / cosh(b), also where either would overflow.
fn cosh_ratio(a: f64, b: f64) -> f64 {
    let (a, b) = (a.abs(), b.abs());
    (a - b).exp() * (1.0 + (-2.0 * a).exp()) / (1.0 + (-2.0 * b).exp())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn the_example_at_the_head() {
        let masses = Masses { right: 0.5, wrong: 0.25, tied: 0.25 };
        let alpha = |ties| step(&masses, 0.0, 0.0, ties).alpha;
        assert!((alpha(Ties::Stay) - 0.5 * 2.0_f64.ln()).abs() < 1e-15);
        assert!((alpha(Ties::Half) - 0.5 * (5.0_f64 / 3.0).ln()).abs() < 1e-15);
        assert!((cosh_ratio(1.5, -0.5) - 1.5_f64.cosh() / 0.5_f64.cosh()).abs() < 1e-15);
        assert!((cosh_ratio(900.0, 899.0) - 1.0_f64.exp()).abs() < 1e-12);
    }

    /// The lowest point of a convex function, by thirds.
    fn lowest(f: impl Fn(f64) -> f64) -> f64 {
        let (mut low, mut high) = (-30.0_f64, 30.0_f64);
        for _ in 0..200 {
            let (a, b) = (low + (high - low) / 3.0, high - (high - low) / 3.0);
            if f(a) < f(b) { high = b } else { low = a }
        }
        (low + high) / 2.0
    }

    proptest! {
        /// The formulas are the minimisers, and the slope at 0 says in which direction they lie.
        #[test]
        fn alphas_minimise(
            shares in (0.01..1.0f64, 0.01..1.0f64, 0.0..1.0f64),
            already in -3.0..3.0f64,
        ) {
            let (a, b, c) = shares;
            let all = a + b + c;
            let masses = Masses { right: a / all, wrong: b / all, tied: c / all };
            for ties in [Ties::Stay, Ties::Half] {
                let found = step(&masses, already, 0.0, ties);
                let by_search = lowest(|alpha| known(alpha, already, ties).z(&masses));
                prop_assert!((found.alpha - by_search).abs() < 1e-6, "{found:?} {by_search}");
                let tied = if ties == Ties::Half { masses.tied } else { 0.0 };
                let slope = slope(masses.right - masses.wrong, tied, already);
                prop_assert!(slope.abs() < 1e-9 || (slope > 0.0) == (found.alpha > 0.0));
                // The slope is that of -Z.
                let z = |alpha: f64| known(alpha, already, ties).z(&masses);
                prop_assert!(((z(-1e-6) - z(1e-6)) / 2e-6 - slope).abs() < 1e-6);
            }
        }
    }
}
