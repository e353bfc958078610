//! What weights may be.

/// Which sign a weight may have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Sign {
    /// Any.
    #[default]
    Free,
    /// More of the feature never lowers the score.
    NotNegative,
    /// More of the feature never raises the score.
    NotPositive,
}

/// What weights may be, and what they cost.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Rules {
    /// Of each feature; empty if all are free.
    pub signs: Vec<Sign>,
    /// How many weights may differ from 0.
    pub at_most: Option<usize>,
    /// Weights are whole numbers from minus to plus this: the points of a scorecard, per unit of the
    /// feature as it is given.
    pub points: Option<u32>,
    /// What each weight that differs from 0 takes off the value (C of paper 004).
    pub penalty: f64,
}

/// Rules that make no sense.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[error("{0}")]
pub struct RulesError(String);

/// Points beyond this are no scorecard, and whole numbers no longer.
const MOST_POINTS: u32 = 1_000_000;

impl Rules {
    /// Refuses rules that make no sense for so many features.
    pub fn check(&self, width: usize) -> Result<(), RulesError> {
        let why = if !self.signs.is_empty() && self.signs.len() != width {
            format!("signs for {} features, but there are {width}", self.signs.len())
        } else if !self.penalty.is_finite() || self.penalty < 0.0 {
            format!("a penalty of {} for each feature; allowed are 0 and more", self.penalty)
        } else if self.points.is_some_and(|points| points == 0 || points > MOST_POINTS) {
            format!("points must be 1 to {MOST_POINTS} at most")
        } else {
            return Ok(());
        };
        Err(RulesError(why))
    }

    /// The sign that a weight may have.
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
        let whole =
            |points: u32| weights.iter().all(|w| w.fract() == 0.0 && w.abs() <= f64::from(points));
        weights.iter().enumerate().all(sign)
            && self.at_most.is_none_or(|most| used <= most)
            && self.points.is_none_or(whole)
    }

    /// What weights cost.
    pub fn cost(&self, weights: &[f64]) -> f64 {
        self.penalty * weights.iter().filter(|w| **w != 0.0).count() as f64
    }
}
