//! How the variants of AdaBoost begin and reweight: y and h are 1 or -1, c is the cost of an item's
//! class, a the weight of the stump h, M the number of rounds.
//!
//! | variant | first D | factor of a round |
//! |---|---|---|
//! | adaboost | 1 | exp(-y a h) |
//! | cgada | c | exp(-y a h) |
//! | asymada | c^(1/M) | c^(1/M) exp(-y a h) |
//! | adac1 (also CSAda, AdaDB) | c | exp(-c y a h) |
//! | adac2 | c | c exp(-y a h) |
//! | adac3 | c | c exp(-c y a h) |
//! | csb0 | c | g |
//! | csb1 | c | g exp(-y h) |
//! | csb2 | c | g exp(-y a h) |
//! | adacost | c | exp(-b y a h) |
//!
//! g is c where h is wrong and otherwise 1; b is (1 + c) / 2 where h is wrong and (1 - c) / 2 where it
//! is right. The larger cost is 1, but for CSB the smaller one: its g must not shrink what is wrong.
//!
//! A variant is **cost-consistent** if it minimises the expected cost, and **asymmetry-preserving** if
//! the relative importance of the classes stays as it is from round to round. Only variants with the
//! cost as a coefficient of the exponential loss are both (Nikolaou et al. 2016): cgada, asymada, and
//! costs that are applied to the finished model by moving its threshold. Raised to the power of the
//! number of rounds, as in adac2, or in the exponent, costs grow out of proportion or fade.

use crate::choice;

choice! {
    /// Where costs come in.
    pub enum Variant {
        /// Nowhere.
        AdaBoost = "adaboost",
        /// In the first distribution.
        CgAda = "cgada",
        /// A root of them in each round.
        AsymAda = "asymada",
        /// In the exponent.
        AdaC1 = "adac1",
        /// As a factor of each round.
        AdaC2 = "adac2",
        /// Both.
        AdaC3 = "adac3",
        /// As the only factor of what is wrong.
        Csb0 = "csb0",
        /// As a factor of what is wrong, with weights of 1.
        Csb1 = "csb1",
        /// As a factor of what is wrong.
        Csb2 = "csb2",
        /// In the exponent, by whether it is right.
        AdaCost = "adacost",
    }
}

impl Variant {
    /// The costs of costly and of other items, of which the first is `ratio` times the second.
    pub(super) fn costs(self, ratio: f64) -> [f64; 2] {
        let unit = match self {
            Variant::Csb0 | Variant::Csb1 | Variant::Csb2 => ratio.min(1.0),
            _ => ratio.max(1.0),
        };
        [ratio / unit, 1.0 / unit]
    }

    /// D before the first round, up to a factor.
    pub(super) fn first(self, cost: f64, rounds: usize) -> f64 {
        match self {
            Variant::AdaBoost => 1.0,
            Variant::AsymAda => cost.powf((rounds as f64).recip()),
            _ => cost,
        }
    }

    /// The factor of a round, given whether the stump is right.
    pub(super) fn factor(self, cost: f64, is_right: bool, alpha: f64, rounds: usize) -> f64 {
        let agreement = if is_right { alpha } else { -alpha };
        let wrong = if is_right { 1.0 } else { cost };
        match self {
            Variant::AdaBoost | Variant::CgAda => (-agreement).exp(),
            Variant::AsymAda => cost.powf((rounds as f64).recip()) * (-agreement).exp(),
            Variant::AdaC1 => (-cost * agreement).exp(),
            Variant::AdaC2 => cost * (-agreement).exp(),
            Variant::AdaC3 => cost * (-cost * agreement).exp(),
            Variant::Csb0 => wrong,
            Variant::Csb1 => wrong * if is_right { (-1f64).exp() } else { 1f64.exp() },
            Variant::Csb2 => wrong * (-agreement).exp(),
            Variant::AdaCost => {
                let by = 0.5 * if is_right { 1.0 - cost } else { 1.0 + cost };
                (-by * agreement).exp()
            }
        }
    }
}
