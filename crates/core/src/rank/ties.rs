//! What a metric makes of items with equal scores.

/// How tied items are placed. A constant scorer must never look good, so nothing here
/// puts the better of two tied items first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum TieRule {
    /// The mean over all orders of the tied block, in closed form.
    #[default]
    Expected,
    /// The order of the block that is worst for the metric.
    Worst,
    /// Every tied item at the last place of its block: the Subrank of paper 004.
    Subrank,
    /// The order of the input. Only honest if that order knows nothing of the impact.
    Stable,
}

impl TieRule {
    /// The names in metric specs.
    pub const NAMES: &'static [&'static str] = &["expected", "worst", "subrank", "stable"];

    /// The rule of that name.
    pub fn named(name: &str) -> Self {
        match name {
            "worst" => TieRule::Worst,
            "subrank" => TieRule::Subrank,
            "stable" => TieRule::Stable,
            _ => TieRule::Expected,
        }
    }
}
