//! How a metric treats items with equal scores.

/// How tied items are placed. A constant scorer must never look good, so no rule puts the
/// better of two tied items first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieRule {
    /// The mean over all orders of the tied block, in closed form.
    #[default]
    Expected,
    /// The order of the block that is worst for the metric.
    Worst,
    /// Every tied item at the last position of its block: the Subrank of Rudin and Wang 2018.
    Subrank,
    /// The order of the input. Biased if that order is related to the impact.
    Stable,
}

impl TieRule {
    /// The names in metric specs.
    pub const NAMES: &'static [&'static str] = &["expected", "worst", "subrank", "stable"];

    /// Returns the rule of this name; `Expected` for any other name.
    pub fn named(name: &str) -> Self {
        match name {
            "worst" => TieRule::Worst,
            "subrank" => TieRule::Subrank,
            "stable" => TieRule::Stable,
            _ => TieRule::Expected,
        }
    }
}
