//! Constraints on the weights.

use stakes_core::display::counted;

/// The sign that a weight may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sign {
    /// Any sign.
    #[default]
    Free,
    /// At least 0: a larger value of the feature never lowers the score.
    NotNegative,
    /// At most 0: a larger value of the feature never raises the score.
    NotPositive,
}

/// Constraints on the weights, and a penalty for using them.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// The sign constraint of each weight; empty if all are free.
    pub signs: Vec<Sign>,
    /// The maximum number of non-zero weights.
    pub at_most: Option<usize>,
    /// If given, weights are integers from minus to plus this number: the points of a scorecard, per unit of
    /// the original feature.
    pub points: Option<u32>,
    /// Subtracted from the value for each non-zero weight (C in Rudin and Wang 2018, section 4).
    pub penalty: f64,
}

/// Invalid rules.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(String);

/// The largest allowed value of [`Rules::points`], far beyond any scorecard.
const MAX_POINTS: u32 = 1_000_000;

impl Rules {
    /// Returns an error if the rules are invalid for `width` features.
    pub fn check(&self, width: usize) -> Result<(), RulesError> {
        let why = if !self.signs.is_empty() && self.signs.len() != width {
            format!("signs for {}, but there are {width}", counted(self.signs.len(), "feature"))
        } else if !self.penalty.is_finite() || self.penalty < 0.0 {
            format!("the penalty is {}; allowed are 0 and more", self.penalty)
        } else if let Some(points) = self.points.filter(|points| !(1..=MAX_POINTS).contains(points))
        {
            format!("points is {points}; allowed are 1 to {MAX_POINTS}")
        } else {
            return Ok(());
        };
        Err(RulesError(why))
    }

    /// The sign that the weight of a feature may have.
    pub fn sign(&self, feature: usize) -> Sign {
        self.signs.get(feature).copied().unwrap_or_default()
    }

    /// Whether these weights are allowed.
    pub fn allow(&self, weights: &[f64]) -> bool {
        let used = weights.iter().filter(|w| **w != 0.0).count();
        let sign = |(feature, w): (usize, &f64)| match self.sign(feature) {
            Sign::Free => w.is_finite(),
            Sign::NotNegative => *w >= 0.0,
            Sign::NotPositive => *w <= 0.0,
        };
        let is_integer =
            |points: u32| weights.iter().all(|w| w.fract() == 0.0 && w.abs() <= f64::from(points));
        weights.iter().enumerate().all(sign)
            && self.at_most.is_none_or(|max| used <= max)
            && self.points.is_none_or(is_integer)
    }

    /// The penalty of these weights.
    pub fn cost(&self, weights: &[f64]) -> f64 {
        self.penalty * weights.iter().filter(|w| **w != 0.0).count() as f64
    }
}
