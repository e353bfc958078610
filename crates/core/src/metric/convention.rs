//! Conventions by name: "NDCG" means six things in six libraries; here each has a name.

use std::sync::OnceLock;

use crate::data::ListView;

/// How the gain of an item follows from its label y.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Gain {
    /// 2^y - 1.
    Exp2,
    /// y.
    Linear,
    /// 1 if y is above a threshold.
    Binary,
}

/// How positions are discounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discount {
    /// 1/log2(p + 1).
    Log2,
    /// 1 at p = 1 and 2, then 1/log2(p), as in LETOR's evaluation script.
    Letor,
    /// 1/p, after Zipf's law (Salomon 2020, section 4.2.2).
    Zipf,
}

impl Discount {
    /// The names in metric specs.
    pub const NAMES: &'static [&'static str] = &["log2", "letor", "zipf"];

    /// The discount of that name.
    pub fn named(name: &str) -> Self {
        match name {
            "letor" => Discount::Letor,
            "zipf" => Discount::Zipf,
            _ => Discount::Log2,
        }
    }

    /// The discount of position p = 1, 2, ...
    pub fn at(self, p: usize) -> f64 {
        match self {
            Discount::Log2 => 1.0 / ((p + 1) as f64).log2(),
            Discount::Letor => 1.0 / (p.max(2) as f64).log2(),
            Discount::Zipf => 1.0 / p as f64,
        }
    }

    /// Returns the first `n` discounts.
    pub fn table(self, n: usize) -> Vec<f64> {
        // Most lists are short: their logarithms are computed once.
        static LOG2: OnceLock<Vec<f64>> = OnceLock::new();
        const CACHED: usize = 4096;
        if self == Discount::Log2 && n <= CACHED {
            let table = LOG2.get_or_init(|| (1..=CACHED).map(|p| Discount::Log2.at(p)).collect());
            return table[..n].to_vec();
        }
        (1..=n).map(|p| self.at(p)).collect()
    }
}

/// The value of a list that has nothing to find.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum OnEmpty {
    /// None: the list is left out of the mean.
    Skip,
    /// 0.
    Zero,
    /// 1.
    One,
}

impl OnEmpty {
    /// The names in metric specs.
    pub const NAMES: &'static [&'static str] = &["skip", "zero", "one"];

    /// The convention of that name.
    pub fn named(name: &str) -> Self {
        match name {
            "zero" => OnEmpty::Zero,
            "one" => OnEmpty::One,
            _ => OnEmpty::Skip,
        }
    }

    /// Returns the value of such a list.
    pub fn fill(self) -> Option<f64> {
        match self {
            OnEmpty::Skip => None,
            OnEmpty::Zero => Some(0.0),
            OnEmpty::One => Some(1.0),
        }
    }
}

/// The column that a metric takes as the target.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    /// The observed impact or relevance label.
    Impact,
    /// The cost: what acting on the item saves.
    Cost,
}

impl Target {
    /// The names in metric specs.
    pub const NAMES: &'static [&'static str] = &["impact", "cost"];

    /// The target of that name.
    pub fn named(name: &str) -> Self {
        if name == "cost" { Target::Cost } else { Target::Impact }
    }

    /// Returns the target values of a list.
    pub fn of<'l>(self, list: &ListView<'l>) -> &'l [f64] {
        match self {
            Target::Impact => list.impact,
            Target::Cost => list.cost,
        }
    }
}
